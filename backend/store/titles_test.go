package store_test

import (
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/manager"
	"agentchat/backend/store"
	naming "agentchat/backend/titles"
)

// answered ends a request's turn with a reply.
func answered(t *testing.T, s *store.Store, chat, id string) {
	t.Helper()
	turn := manager.Turn{ID: id, Chat: chat}
	msg := event.ChatMessage{ID: id + "-reply", Role: event.RoleShop, Text: "네", Turn: id}
	if err := s.SaveTurn(t.Context(), manager.TurnStep{Turn: &turn, Node: "reply", Next: "end", Done: true, Message: &msg}); err != nil {
		t.Fatal(err)
	}
}

// A chat is due for a title once its turn is over, until it has one that knows all that was asked for; a name that a person gave is never
// touched, and what was left undone is due after the next start.
func TestChatsThatNobodyNamedAreDue(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	due := func() (chats []naming.Talk) {
		t.Helper()
		list, err := s.Untitled(t.Context(), 3, 10)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	said(t, s, "a", "m1", "서울 날씨 알려줘", "서울 날씨 알려줘")
	if list := due(); len(list) != 0 {
		t.Errorf("due while it is answered: %+v", list)
	}
	answered(t, s, "a", "m1")
	list := due()
	if len(list) != 1 || list[0].Chat != "a" || len(list[0].Requests) != 1 || list[0].Requests[0].Text != "서울 날씨 알려줘" {
		t.Fatalf("%+v", list)
	}
	if changed, err := s.SetTitle(t.Context(), naming.Name{Chat: "a", Title: "서울 날씨"}); err != nil || !changed {
		t.Fatal(changed, err)
	}
	if list := due(); len(list) != 1 || list[0].Title != "서울 날씨" {
		t.Errorf("what is not final is not done: %+v", list)
	}
	if changed, err := s.SetTitle(t.Context(), naming.Name{Chat: "a", Title: "서울 날씨", Final: true, At: list[0].Requests[0].N}); err != nil || changed {
		t.Error(changed, err)
	}
	if list := due(); len(list) != 0 {
		t.Errorf("named, and due: %+v", list)
	}
	said(t, s, "a", "m2", "부산은?", "")
	answered(t, s, "a", "m2")
	if list := due(); len(list) != 1 || list[0].Times != 1 || len(list[0].Requests) != 2 {
		t.Errorf("%+v", list)
	}
	if err := s.RenameChat(t.Context(), "a", "내 날씨"); err != nil {
		t.Fatal(err)
	}
	if list := due(); len(list) != 0 {
		t.Errorf("a person named it, and it is due: %+v", list)
	}
	if _, err := s.SetTitle(t.Context(), naming.Name{Chat: "a", Title: "날씨", Final: true, At: 9}); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("a person's name is taken: %v", err)
	}
}

// What was not read and where one was are kept; reading never goes back.
func TestPlacesAreKept(t *testing.T) {
	s := open(t, t.TempDir())
	said(t, s, "a", "m1", "안녕", "안녕")
	answered(t, s, "a", "m1")
	look := func(list ...store.Place) (unread bool, line string, offset float64) {
		t.Helper()
		if err := s.SavePlaces(t.Context(), list); err != nil {
			t.Fatal(err)
		}
		chats, err := s.Chats(t.Context())
		if err != nil || len(chats) != 1 {
			t.Fatal(chats, err)
		}
		return chats[0].Unread, chats[0].Line, chats[0].Offset
	}
	if unread, line, _ := look(); !unread || line != "" {
		t.Error("nobody has looked at the reply, and it counts as read")
	}
	if unread, line, offset := look(store.Place{Chat: "a", Seen: "m1", Line: "m1", Offset: 0.25}); !unread || line != "m1" || offset != 0.25 {
		t.Error("the reply was not read:", unread, line, offset)
	}
	if unread, line, _ := look(store.Place{Chat: "a", Seen: "m1"}, store.Place{Chat: "a", Seen: "m1-reply"}, store.Place{Chat: "gone", Seen: "m1"}); unread || line != "" {
		t.Error("all was read:", unread, line)
	}
	if unread, _, _ := look(store.Place{Chat: "a", Seen: "m1"}); unread {
		t.Error("what was read is not read any more")
	}
}
