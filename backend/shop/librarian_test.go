package shop_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/provider"
)

// A model words the answer, with its sources; the same question gets the kept answer, unless that is switched off.
func TestAModelWordsTheAnswer(t *testing.T) {
	c := foreign(t, serve(t), t.TempDir(), "shop:latest")
	c.bring("근로계약서.txt", agreement)
	for n, want := range []bool{false, true, false} { // was the answer a kept one?
		if n == 2 {
			if _, err := c.SetSettings(map[string]any{"library.llm_cache": false}); err != nil {
				t.Fatal(err)
			}
		}
		if m := c.asked("제5조 내용이 뭐야?"); m.Text != "문서에 있어요 [1]." || m.Library == nil || len(m.Library.Sources) == 0 || len(m.Library.Unverified) > 0 {
			t.Errorf("question %d: %+v", n, m)
		}
		if letter := c.lastLetter(provider.RoleResponder); letter.Reply.Recalled != want {
			t.Fatalf("question %d: %+v", n, letter)
		}
	}
}

// A model answers each question of a message, and what it cites is counted through.
func TestAModelAnswersEachQuestion(t *testing.T) {
	c := foreign(t, serve(t), t.TempDir(), "shop:latest")
	c.bring("근로계약서.txt", agreement)
	m := c.asked("제5조 내용이 뭐야? 그럼 제2조 내용은?")
	if m.Text != "‘제5조 내용이 뭐야?’\n\n문서에 있어요 [1].\n\n‘그럼 제2조 내용은?’\n\n문서에 있어요 [2]." || m.Library == nil || len(m.Library.Sources) != 2 || len(m.Library.Unverified) > 0 {
		t.Errorf("%+v, %+v", m, m.Library)
	}
}

// How far a question is stands in the file that was set; one that cannot be used is named, and the question answered.
func TestCheckpointsOfQuestions(t *testing.T) {
	c := enter(t, t.TempDir())
	c.bring("근로계약서.txt", agreement)
	path := filepath.Join(t.TempDir(), "own", "checkpoints.db")
	set := func(path string) {
		t.Helper()
		if _, err := c.SetSettings(map[string]any{"library.checkpoint_path": path}); err != nil {
			t.Fatal(err)
		}
	}
	set(path)
	if m := c.asked("제5조 내용이 뭐야?"); !strings.Contains(m.Text, "300만원") {
		t.Errorf("%+v", m)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 || info.Size() == 0 {
		t.Errorf("%v, %v", info, err)
	}
	req := filepath.Join(t.TempDir(), "letter.txt")
	if err := os.WriteFile(req, []byte(strings.Repeat("사랑하는 어머니께. ", 20)), 0o600); err != nil {
		t.Fatal(err)
	}
	set(req)
	if _, err := c.Say(t.Context(), "main", "제2조 내용이 뭐야?", "", ""); err != nil {
		t.Fatal(err)
	}
	until(c, "the file is named", func(_ event.Envelope, e event.Error) bool {
		return e.Code == "checkpoints_elsewhere" && strings.Contains(e.Message, req)
	})
	if m := until(c, "an answer", func(_ event.Envelope, m event.ChatMessage) bool { return m.Role == event.RoleShop }); !strings.Contains(m.Text, "1년") {
		t.Errorf("%+v", m)
	}
	if text, err := os.ReadFile(req); err != nil || !strings.HasPrefix(string(text), "사랑하는") {
		t.Errorf("%q, %v", text, err)
	}
}
