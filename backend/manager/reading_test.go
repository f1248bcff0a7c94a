package manager_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/event"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
	"agentchat/backend/library/agent"
	"agentchat/backend/library/extract"
	"agentchat/backend/manager"
	"agentchat/backend/names"
	"agentchat/backend/provider"
)

// shelf is a librarian who answers every question with the titles of the documents there are.
type shelf struct{ *library.Library }

func (s shelf) Answer(ctx context.Context, q *agent.Inquiry, _ func(*agent.Inquiry) error) error {
	documents, err := s.Documents(ctx)
	q.Answer = "documents:"
	for _, d := range documents {
		q.Answer += " " + d.Title
	}
	return err
}

func (s shelf) Titled(ctx context.Context, document string) (string, error) {
	d, _, err := s.Pages(ctx, document, 0, 1)
	return d.Title, err
}

func (shelf) HandedIn(_ context.Context, list []event.Attachment) (documents []event.DocumentRef, pictures []event.Attachment, err error) {
	for _, a := range list {
		documents = append(documents, event.DocumentRef{DocumentID: a.ID, Title: a.Name})
	}
	return documents, nil, nil
}

func (shelf) Plain() bool { return true }

func (s shelf) Readings(place string) []library.Reading {
	if place != "" {
		return nil
	}
	return s.Library.Readings()
}

// shelves are the names of the shelves there are.
type shelves []string

func (shelf) Bounds(context.Context, string) (place event.DocumentRef, ok bool, err error) {
	return place, false, nil
}

func (s shelves) Knows(name string) bool               { return slices.Contains(s, name) }
func (s shelves) Near(string, bilingual.Lang) []string { return s }

var followed = shelves{"계약서", "용역 계약서", "contracts", "lease contracts"}

func (shelf) Shelves() names.Room { return followed }

func (shelf) Shelf(_ context.Context, name string) (event.DocumentRef, bool) {
	return event.DocumentRef{DocumentID: event.ShelfPlace(name), Title: name}, followed.Knows(name)
}

func (s shelf) ChatAttachments(context.Context, string) ([]event.Attachment, error) { return nil, nil }

func (shelf) Keeping(context.Context) (manager.Checkpoints, bool) { return nil, true }

// openShelf opens the library of a house. Every document is read once read is closed.
func (h *house) openShelf(read <-chan struct{}) *library.Library {
	h.T.Helper()
	l := library.New(library.Deps{
		Store: h.Store, Publisher: h.Floor, Lang: func() bilingual.Lang { return bilingual.KO }, Now: time.Now, NewID: h.ID, Log: zerolog.Nop(),
		Extract: func(ctx context.Context, _ string) (extract.Text, error) {
			select {
			case <-read:
				return extract.Text{Title: "lease", Format: "txt", Pages: []string{"제5조(임금) 월급은 300만원으로 한다."}}, nil
			case <-ctx.Done():
				return extract.Text{}, ctx.Err()
			}
		},
	})
	if err := l.Start(h.T.Context()); err != nil {
		h.T.Fatal(err)
	}
	h.librarian = shelf{l}
	return l
}

// A question asked while a document is read says which, waits for it while other chats are answered, and is answered, though the
// program ended meanwhile.
func TestAQuestionWaitsForWhatIsBeingRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lease.txt")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.Manager.Stop()
		h.memory.Stop()
		read := make(chan struct{})
		l := h.openShelf(read)
		h.hire()
		if _, err := l.Import(t.Context(), path, library.KindMine); err != nil {
			t.Fatal(err)
		}
		id := h.send("main", "제5조 내용이 뭐야?", "")
		h.Settle()
		var said []string
		for _, s := range jobtest.Payloads[event.Thinking](h.Floor, "") {
			said = append(said, s.Text)
		}
		if len(said) != 1 || !strings.Contains(said[0], "lease.txt") || !h.Busy("main") {
			t.Fatalf("it says %q and waits: %v", said, h.Busy("main"))
		}
		h.plans(provider.Plan{Route: provider.RouteAnswer, Reply: "여기는 달라요."})
		if d := h.say("other", "안녕"); d.Message != "여기는 달라요." {
			t.Errorf("in another chat: %q", d.Message)
		}

		h.Manager.Stop()
		h.memory.Stop()
		l.Stop()
		h.Reopen(4)
		l = h.openShelf(read)
		h.hire()
		if !h.Busy("main") {
			t.Fatal("after a restart it does not wait any more")
		}
		close(read)
		h.Settle()
		if d := h.turn(id); d.Message != "documents: lease" {
			t.Errorf("the answer is %q", d.Message)
		}
		h.Manager.Stop()
		l.Stop()
	})
}
