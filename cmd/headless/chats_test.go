package main

import (
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/shop"
)

// A chat that was deleted is listed, and comes back with its messages when it is wanted; then it is listed no more.
func TestADeletedChatIsTakenBack(t *testing.T) {
	s := start(t, t.TempDir())
	s.must("say", map[string]any{"text": "3 더하기 4는?", "chat": "sums"}, nil)
	s.must("wait", map[string]any{"until": "idle"}, nil)
	var before, back struct{ Messages []event.ChatMessage }
	s.must("history", map[string]any{"chat": "sums"}, &before)
	if len(before.Messages) < 2 {
		t.Fatalf("the chat says %+v", before)
	}
	deleted := func() []shop.DeletedChatView {
		t.Helper()
		var list struct{ Chats []shop.DeletedChatView }
		s.must("deleted_chats", nil, &list)
		return list.Chats
	}
	s.must("delete_chat", map[string]any{"chat": "sums"}, nil)
	if list := deleted(); len(list) != 1 || list[0].ID != "sums" || list[0].Deleted == "" {
		t.Fatalf("deleted: %+v", list)
	}
	s.must("restore_chat", map[string]any{"chat": "sums"}, nil)
	s.must("history", map[string]any{"chat": "sums"}, &back)
	if len(back.Messages) != len(before.Messages) || len(deleted()) != 0 {
		t.Errorf("back came %+v", back)
	}
	if a := s.do("restore_chat", map[string]any{"chat": "nothing"}); a.OK {
		t.Error("a chat that never was came back")
	}
}
