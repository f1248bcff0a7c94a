package main

import (
	"testing"

	"agentchat/backend/notes"
)

// Notes as the headless front keeps them: written, found, edited on what was seen, thrown away, brought back, and there
// after the program was killed.
func TestNotesAreKept(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir)
	var note notes.NoteView
	s.must("note_add", map[string]any{"text": "우유 사기"}, &note)
	s.must("note_add", map[string]any{"text": "치과 예약"}, nil)
	found := func(query string) notes.View {
		t.Helper()
		var v notes.View
		s.must("notes", map[string]any{"query": query}, &v)
		return v
	}
	if v := found("우유"); len(v.Notes) != 1 || v.Notes[0].ID != note.ID || v.Notes[0].Text != "우유 사기" {
		t.Fatalf("found %+v", v)
	}
	s.must("note_edit", map[string]any{"note": note.ID, "text": "우유 사기\n계란", "digest": note.Hash}, nil)
	if a := s.do("note_edit", map[string]any{"note": note.ID, "text": "딴것", "digest": note.Hash}); a.OK {
		t.Error("a note that had changed meanwhile was written over")
	}
	s.must("note_delete", map[string]any{"note": note.ID}, nil)
	if v := found(""); len(v.Notes) != 1 || len(v.Trash) != 1 || v.Trash[0].Text != "우유 사기\n계란" {
		t.Errorf("thrown away: %+v", v)
	}
	if a := s.do("note_delete", nil); a.OK {
		t.Error("no note was named, and one was thrown away")
	}
	s.kill()

	s = start(t, dir)
	s.must("note_restore", map[string]any{"note": note.ID}, nil)
	if v := found(""); len(v.Notes) != 2 || len(v.Trash) != 0 {
		t.Errorf("brought back: %+v", v)
	}
	s.quit()
}
