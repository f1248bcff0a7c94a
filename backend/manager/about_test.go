package manager_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/library"
	"agentchat/backend/library/agent"
	"agentchat/backend/manager"
)

// asked is a librarian who notes which document each question is about.
type asked struct {
	shelf
	about map[string]string // by question
}

func (a asked) Answer(_ context.Context, q *agent.Inquiry, _ func(*agent.Inquiry) error) error {
	a.about[q.Text] = ""
	if q.About != nil {
		a.about[q.Text] = q.About.Title
	}
	q.Answer = "answered"
	return nil
}

// A message about one document is for the library whatever it says, keeps its document when it is changed and after the document
// has gone, and loses it when that is wanted. One that is not there is refused.
func TestAMessageAboutOneDocument(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lease.txt")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.Manager.Stop()
		h.memory.Stop()
		read := make(chan struct{})
		close(read)
		l := h.openShelf(read)
		desk := asked{h.librarian.(shelf), map[string]string{}}
		h.librarian = desk
		h.hire()
		if _, err := l.Import(t.Context(), path, library.KindMine); err != nil {
			t.Fatal(err)
		}
		h.Settle()
		documents, err := l.Documents(t.Context())
		if err != nil || len(documents) != 1 {
			t.Fatalf("%+v, %v", documents, err)
		}
		lease := documents[0]

		first, err := h.SayAbout(t.Context(), "main", "노래 틀어줘", lease.ID)
		if err != nil || first.About == nil || *first.About != (event.DocumentRef{DocumentID: lease.ID, Title: "lease"}) {
			t.Fatalf("%+v, %v", first.About, err)
		}
		h.Settle()
		if msgs, err := h.Store.History(t.Context(), "main", "", 0); err != nil || len(msgs) != 2 || msgs[0].About == nil || *msgs[0].About != *first.About || msgs[1].About != nil {
			t.Errorf("what is kept: %+v, %v", msgs, err)
		}
		second, err := h.SayInstead(t.Context(), first.ID, manager.Instead{Text: "엄마한테 만원 보내줘"})
		if err != nil {
			t.Fatal(err)
		}
		h.Settle()
		if err := l.Remove(t.Context(), lease.ID); err != nil {
			t.Fatal(err)
		}
		third, err := h.SayInstead(t.Context(), second.ID, manager.Instead{Text: "그만", Document: &lease.ID})
		if err != nil {
			t.Fatal(err)
		}
		h.Settle()
		for _, text := range []string{"노래 틀어줘", "엄마한테 만원 보내줘", "그만"} {
			if desk.about[text] != "lease" {
				t.Errorf("%s: the library was asked about %q (%v)", text, desk.about[text], desk.about)
			}
		}
		none := ""
		fourth, err := h.SayInstead(t.Context(), third.ID, manager.Instead{Text: "제5조 내용이 뭐야?", Document: &none})
		if err != nil || fourth.About != nil {
			t.Errorf("%+v, %v", fourth.About, err)
		}
		h.Settle()
		if about, ok := desk.about["제5조 내용이 뭐야?"]; !ok || about != "" {
			t.Errorf("without its document the question is about %q", about)
		}
		if _, err := h.SayAbout(t.Context(), "main", "?", lease.ID); apperr.CodeOf(err) != apperr.DocumentGone {
			t.Errorf("about a document that is gone: %v", err)
		}
		if _, err := h.SayInstead(t.Context(), fourth.ID, manager.Instead{Text: "?", Document: &lease.ID}); apperr.CodeOf(err) != apperr.DocumentGone {
			t.Errorf("instead, about a document that is gone: %v", err)
		}
		for _, chat := range []string{"job:1", string(make([]byte, 200))} {
			if _, err := h.SayAbout(t.Context(), chat, "?", lease.ID); apperr.CodeOf(err) != apperr.InvalidArgs {
				t.Errorf("in chat %q: %v", chat, err)
			}
		}
		h.Manager.Stop()
		l.Stop()
	})
}
