package store_test

import (
	"strings"
	"testing"
	"time"

	"agentchat/backend/memory"
	"agentchat/backend/notes"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
	"agentchat/backend/undolog"
)

func undoable(t *testing.T, now func() time.Time) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), ledgertest.In(t.TempDir()), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// A use that has been broken off and runs again keeps what was there before it, not what it made itself; taken back twice, by the same use, it
// is taken back once.
func TestAUseThatRunsAgainIsTakenBackWhole(t *testing.T) {
	s := undoable(t, time.Now)
	at := time.Now()
	first, err := s.AddNote(t.Context(), notes.Note{ID: "n", Text: "하나", Created: at, Updated: at})
	if err != nil {
		t.Fatal(err)
	}
	use, back := undolog.Step("j", "1", "main"), undolog.Step("j", "2", "main")
	ctx := undolog.Under(t.Context(), use)
	second := first
	second.Text, second.ChangedBy = "둘", "1"
	for range 2 { // the second finds another text, and changes nothing
		if _, err := s.ChangeNote(ctx, first, second); err != nil {
			t.Fatal(err)
		}
	}
	third := second
	third.Text = "셋"
	if _, err := s.ChangeNote(ctx, second, third); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Changed(t.Context(), use.ID); err != nil || len(list) != 1 || list[0].Was.Text("text") != "하나" || list[0].Is.Text("text") != "셋" || list[0].Why != undolog.Can {
		t.Fatalf("%+v, %v", list, err)
	}
	for range 2 {
		if _, err := s.TakeBack(undolog.Under(t.Context(), back), use.ID); err != nil {
			t.Fatal(err)
		}
		if n, err := s.Note(t.Context(), "n"); err != nil || n.Text != "하나" {
			t.Fatalf("%+v, %v", n, err)
		}
	}
	if list, err := s.FindNotes(t.Context(), []string{"하나"}, 5); err != nil || len(list) != 1 {
		t.Errorf("it is found %+v, %v", list, err)
	}
	if _, err := s.TakeBack(undolog.Under(t.Context(), undolog.Step("j", "3", "main")), back.ID); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Note(t.Context(), "n"); err != nil || n.Text != "셋" {
		t.Errorf("%+v, %v", n, err)
	}
	if list, err := s.Changed(t.Context(), back.ID); err != nil || len(list) != 1 || list[0].Why != undolog.Changed {
		t.Errorf("taken back once more: %+v, %v", list, err)
	}
}

// What a person has forgotten for good stands nowhere, and old rows go in time.
func TestWhatIsForgottenIsNotKept(t *testing.T) {
	now := time.Now()
	s := undoable(t, func() time.Time { return now })
	ctx := undolog.Under(t.Context(), undolog.Turn("t", "main"))
	if _, err := s.AddFact(ctx, memory.Fact{ID: "f", Text: "비밀", Source: memory.SourceCustomer, Learned: now}, 10); err != nil {
		t.Fatal(err)
	}
	if use, _, ok, err := s.Last(t.Context(), "main", now.Add(-time.Hour)); err != nil || !ok || use != "turn:t" {
		t.Fatal(use, ok, err)
	}
	if err := s.DropFact(t.Context(), "f"); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Changed(t.Context(), "turn:t"); err != nil || len(list) > 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := s.AddNote(ctx, notes.Note{ID: "n", Text: strings.Repeat("글", 10), Created: now, Updated: now}); err != nil {
		t.Fatal(err)
	}
	now = now.Add(31 * 24 * time.Hour)
	if _, err := s.Prune(t.Context(), store.Keep{Filing: 30 * 24 * time.Hour, Batch: 10, Jobs: 10}); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Changed(t.Context(), "turn:t"); err != nil || len(list) > 0 {
		t.Errorf("%+v, %v", list, err)
	}
}
