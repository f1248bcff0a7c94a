package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/library"
	"agentchat/backend/shelf"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
)

// shelved puts a document in as a shelf does.
func shelved(t *testing.T, s *store.Store, id, title, text string) {
	t.Helper()
	err := s.Shelve(t.Context(), library.Entry{
		Document: library.Document{ID: id, Title: title, Path: "/folder/" + title + ".txt", Format: "txt", Kind: library.KindMine, Hash: "hash " + id, Added: time.Now(), Shelved: true},
		Passages: []library.Passage{{Document: id, Article: -1, Page: 1, Text: text}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What a ledger of shelves keeps: a file that waits is settled once, as it was when it was read; a document goes with the last file that holds
// it; what the end of the program left half done goes at the next start.
func TestShelves(t *testing.T) {
	dir := t.TempDir()
	open := func() *store.Store {
		t.Helper()
		s, err := store.Open(t.Context(), ledgertest.In(dir), time.Now)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open()
	ctx := t.Context()
	at := time.Unix(1700000000, 123456789)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.AddShelf(ctx, shelf.Shelf{ID: "a", Title: "계약서", Path: "/folder", Rule: shelf.RuleAsk, State: shelf.Following, Created: at}))
	must(s.AddShelf(ctx, shelf.Shelf{ID: "b", Title: "사본", Path: "/other", Rule: shelf.RuleAsk, State: shelf.Following, Created: at.Add(time.Second)}))
	waits := func(path string) shelf.File { return shelf.File{Path: path, Size: 3, Mod: at, State: shelf.Waiting} }
	must(s.NoteShelf(ctx, "a", []shelf.File{waits("1.txt"), waits("2.txt"), waits("3.txt")}))
	must(s.NoteShelf(ctx, "b", []shelf.File{waits("1 copy.txt")}))
	must(s.NoteShelf(ctx, "none", []shelf.File{waits("1.txt")})) // of a shelf that is gone nothing is kept
	settle := func(of, path, document string) []string {
		t.Helper()
		now := waits(path)
		now.State, now.Document = shelf.Read, document
		gone, err := s.SettleShelfFile(ctx, of, waits(path), now)
		must(err)
		return gone
	}
	shelved(t, s, "d1", "1", "보증금은 500만원")
	shelved(t, s, "d2", "2", "대금은 300만원")
	settle("a", "1.txt", "d1")
	settle("b", "1 copy.txt", "d1")
	if gone := settle("a", "1.txt", "d2"); !slices.Equal(gone, []string{"d2"}) {
		t.Errorf("a file that does not wait was settled: %v", gone)
	}
	shelved(t, s, "d3", "3", "위약금은 70만원")
	changed := waits("3.txt")
	changed.Size = 4
	must(s.NoteShelf(ctx, "a", []shelf.File{changed}))
	if gone := settle("a", "3.txt", "d3"); !slices.Equal(gone, []string{"d3"}) {
		t.Errorf("what changed while it was read was settled: %v", gone)
	}
	c, err := s.ShelfCounts(ctx, "a")
	if must(err); fmt.Sprint(c.By) != "map[read:1 waiting:2]" {
		t.Errorf("%v", c.By)
	}

	// Gone from one shelf, it stays because of the other; gone from both it goes.
	must(s.NoteShelf(ctx, "a", []shelf.File{{Path: "1.txt", State: shelf.Gone}, {Path: "2.txt", State: shelf.Gone}}))
	c, err = s.ShelfCounts(ctx, "a")
	if must(err); fmt.Sprint(c.By) != "map[gone:1 waiting:1]" { // of 2.txt nothing was read
		t.Errorf("%v", c.By)
	}
	gone, more, err := s.SettleGone(ctx, "a", nil, c.Newest, true, 20)
	if must(err); len(gone) != 0 || more {
		t.Errorf("%v, %v", gone, more)
	}
	must(s.NoteShelf(ctx, "b", []shelf.File{{Path: "1 copy.txt", State: shelf.Gone}}))
	if gone, _, err = s.SettleGone(ctx, "b", nil, at, true, 20); err != nil || len(gone) != 0 {
		t.Errorf("what was not shown went: %v, %v", gone, err)
	}
	if gone, _, err = s.SettleGone(ctx, "b", []string{"1 copy.txt"}, time.Now().Add(time.Hour), true, 20); err != nil || !slices.Equal(gone, []string{"d1"}) {
		t.Errorf("%v, %v", gone, err)
	}

	// The program ends between a document and its file's row.
	shelved(t, s, "d4", "4", "수수료는 5만원")
	must(s.Close())
	s = open()
	defer func() { must(s.Close()) }()
	must(s.TidyShelves(ctx))
	if list, err := s.Documents(ctx, false); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}

	// By another name it is found by that, and by the one before no more.
	shelved(t, s, "d5", "옛이름", "제1조 목적")
	must(s.NoteShelf(ctx, "a", []shelf.File{waits("옛이름.txt"), waits("새이름.txt")}))
	settle("a", "옛이름.txt", "d5")
	settle("a", "새이름.txt", "d5")
	must(s.NoteShelf(ctx, "a", []shelf.File{{Path: "옛이름.txt", State: shelf.Gone}}))
	moves, err := s.MovedShelfFiles(ctx, "a", 20)
	if must(err); len(moves) != 1 || moves[0].From != "옛이름.txt" || moves[0].To != "새이름.txt" {
		t.Fatalf("%+v", moves)
	}
	must(s.MoveShelfFile(ctx, "a", moves[0]))
	d, err := s.Document(ctx, "d5")
	if must(err); d.Title != "새이름" || d.Path != "/folder/새이름.txt" {
		t.Errorf("%+v", d)
	}
	for match, want := range map[string]int{`"새이"`: 1, `"옛이"`: 0} {
		ids, err := s.Candidates(ctx, match, "", "shelf:a", 20)
		if must(err); len(ids) != want {
			t.Errorf("%s: %v", match, ids)
		}
	}
	if _, err := s.Shelf(ctx, "none"); apperr.CodeOf(err) != apperr.ShelfGone {
		t.Error(err)
	}

	// Taken away, its documents stay or go.
	for more := true; more; {
		_, more, err = s.EmptyShelf(ctx, "a", true, 1)
		must(err)
	}
	if list, err := s.Documents(ctx, false); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err := s.Shelves(ctx); err != nil || len(list) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}
