package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/notes"
)

func titles(list []notes.Note) (out []string) {
	for _, n := range list {
		out = append(out, n.Title())
	}
	return out
}

// The contract of notes.Store, on the real ledger.
func TestNotes(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	at := time.UnixMicro(1_770_000_000_000_000).UTC()
	for i, text := range []string{"우유 사기\n계란도", "치과 예약", "Buy MILK and eggs", "우산은 회사에"} {
		n := notes.Note{ID: fmt.Sprint(i), Text: text, Created: at.Add(time.Duration(i)), Updated: at.Add(time.Duration(i) * time.Second)}
		if _, err := s.AddNote(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	again, err := s.AddNote(t.Context(), notes.Note{ID: "0", Text: "다른 글", Created: at, Updated: at})
	if err != nil || again.Text != "우유 사기\n계란도" {
		t.Errorf("the same step wrote again: %+v, %v", again, err)
	}
	for word, want := range map[string][]string{
		"우유": {"우유 사기"}, "계란": {"우유 사기"}, "유사": nil, "예약": {"치과 예약"}, "milk": {"Buy MILK and eggs"}, "mil": {"Buy MILK and eggs"},
		"우": {"우산은 회사에", "우유 사기"}, "회사": {"우산은 회사에"}, "없는말": nil,
	} {
		got, err := s.FindNotes(t.Context(), []string{word}, 10)
		if err != nil || !slices.Equal(titles(got), want) {
			t.Errorf("%s: %v, %v, want %v", word, titles(got), err, want)
		}
	}
	if got, err := s.FindNotes(t.Context(), []string{"우유", "계란"}, 10); err != nil || len(got) != 1 {
		t.Errorf("both words: %v, %v", titles(got), err)
	}
	if got, err := s.FindNotes(t.Context(), []string{"우유", "치과"}, 10); err != nil || len(got) != 0 {
		t.Errorf("no note holds both: %v, %v", titles(got), err)
	}

	have, err := s.Note(t.Context(), "0")
	if err != nil {
		t.Fatal(err)
	}
	to := have
	to.Text, to.Updated, to.ChangedBy = "두유 사기", at.Add(time.Hour), "step"
	if done, err := s.ChangeNote(t.Context(), have, to); err != nil || !done {
		t.Fatal(done, err)
	}
	if done, err := s.ChangeNote(t.Context(), have, to); err != nil || done {
		t.Errorf("a text that is gone was changed: %v, %v", done, err)
	}
	if got, _ := s.FindNotes(t.Context(), []string{"우유"}, 10); len(got) != 0 {
		t.Errorf("the old words are still found: %v", titles(got))
	}
	if err := s.TrashNote(t.Context(), "1", at); err != nil {
		t.Fatal(err)
	}
	if err := s.TrashNote(t.Context(), "1", at.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{s.TrashNote(t.Context(), "x", at), s.RestoreNote(t.Context(), "x")} {
		if apperr.CodeOf(err) != apperr.NotFound {
			t.Error(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s = open(t, dir)
	live, err := s.Notes(t.Context(), false, 10)
	if err != nil || !slices.Equal(titles(live), []string{"두유 사기", "우산은 회사에", "Buy MILK and eggs"}) || live[0].ChangedBy != "step" {
		t.Errorf("%+v, %v", live, err)
	}
	trash, err := s.Notes(t.Context(), true, 10)
	if err != nil || len(trash) != 1 || !trash[0].Deleted.Equal(at) {
		t.Errorf("%+v, %v", trash, err)
	}
	if got, _ := s.FindNotes(t.Context(), []string{"치과"}, 10); len(got) != 0 {
		t.Errorf("what lies in the trash is found: %v", titles(got))
	}
	if done, err := s.ChangeNote(t.Context(), trash[0], to); err != nil || done {
		t.Errorf("what lies in the trash was changed: %v, %v", done, err)
	}
	if err := s.RestoreNote(t.Context(), "1"); err != nil {
		t.Fatal(err)
	}
	if got, _ := s.FindNotes(t.Context(), []string{"치과"}, 10); len(got) != 1 {
		t.Error("what was taken out of the trash is not found")
	}
	if err := s.TrashNote(t.Context(), "1", at); err != nil {
		t.Fatal(err)
	}
	if n, err := s.EmptyTrash(t.Context(), at); err != nil || n != 0 {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := s.EmptyTrash(t.Context(), at.Add(time.Second)); err != nil || n != 1 {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := s.Note(t.Context(), "1"); apperr.CodeOf(err) != apperr.NotFound {
		t.Error(err)
	}
}
