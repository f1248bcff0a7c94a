package store

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"agentchat/backend/library"
)

// shelfOf is a document of some passages, every other one in an article.
func shelfOf(id string, passages int) library.Entry {
	e := library.Entry{
		Document: library.Document{ID: id, Title: "표준 Lease " + id, Hash: id, Kind: library.KindMine, Added: time.Unix(1, 0), Passages: passages, Articles: 1},
		Articles: []library.Article{{Document: id, N: 0, Number: "1", Title: "계약의 Term"}},
	}
	for i := range passages {
		e.Passages = append(e.Passages, library.Passage{
			Document: id, Article: i%2 - 1, Page: 1, Start: i, Text: fmt.Sprintf("임대차 기간은 %d년, naïve Straße ÅNGSTRÖM ㈜ 제%d조", i, i),
		})
	}
	return e
}

// terms lists what the index holds: each term, in how many passages and how often.
func terms(t *testing.T, s *Store) []string {
	t.Helper()
	list, err := collect(t.Context(), s.write, func(row row) (x string, err error) { return x, row.Scan(&x) },
		"SELECT term || ' ' || doc || ' ' || cnt FROM passages_vocab")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// openAt opens the ledger as a program of that schema did (0: this one), with its writing connection free to be asked.
func openAt(t *testing.T, dir string, schema int) *Store {
	t.Helper()
	list, err := loadMigrations()
	if err != nil {
		t.Fatal(err)
	}
	if schema == 0 {
		schema = len(list)
	}
	s, err := open(t.Context(), dir, nil, list[:schema])
	if err != nil {
		t.Fatal(err)
	}
	s.write.SetMaxOpenConns(2)
	return s
}

// A library of before the index was made anew holds the same terms after it, finds the same, and lets documents go.
func TestAnOldLibraryIsIndexedAnew(t *testing.T) {
	dir := t.TempDir()
	old := openAt(t, dir, 14)
	for _, id := range []string{"하나", "둘"} {
		if err := old.Shelve(t.Context(), shelfOf(id, 300)); err != nil {
			t.Fatal(err)
		}
	}
	find := func(s *Store) []int64 {
		t.Helper()
		ids, err := s.Candidates(t.Context(), `"계약" OR "7" OR "straße"`, "", "", 20)
		if err != nil {
			t.Fatal(err)
		}
		return ids
	}
	want, found := terms(t, old), find(old)
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	s := openAt(t, dir, 0)
	defer func() { _ = s.Close() }()
	if got := terms(t, s); len(want) < 300 || !slices.Equal(got, want) {
		t.Errorf("%d terms, not the %d of before", len(got), len(want))
	}
	if got := find(s); len(found) == 0 || !slices.Equal(got, found) {
		t.Errorf("found %v, not %v", got, found)
	}
	for _, id := range []string{"하나", "둘"} {
		if err := s.RemoveDocument(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if got := find(s); len(got) > 0 {
		t.Errorf("what is gone is found: %v", got)
	}
}

// Tidied step by step, the index holds what it held, in few parts; each step ends by itself.
func TestTheIndexIsTidied(t *testing.T) {
	s := openAt(t, t.TempDir(), 0)
	defer func() { _ = s.Close() }()
	parts := func() (n int) {
		t.Helper()
		if err := s.write.QueryRowContext(t.Context(), "SELECT count(DISTINCT segid) FROM passages_fts_idx").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	var want []string
	for n, docs := range []int{12, 3} { // a search looks through every part, so three small ones are merged too
		for i := range docs {
			if err := s.Shelve(t.Context(), shelfOf(fmt.Sprint(n, i), 5)); err != nil {
				t.Fatal(err)
			}
		}
		want = terms(t, s)
		before := parts()
		more, err := true, error(nil)
		for steps := 0; more && err == nil; steps++ {
			if more, err = s.TidyIndex(t.Context()); steps > 1000 {
				t.Fatal("tidying has no end")
			}
		}
		if after := parts(); err != nil || before < docs || after > 2 {
			t.Errorf("%d parts, %d before, %v", after, before, err)
		}
	}
	if got := terms(t, s); !slices.Equal(got, want) {
		t.Errorf("%d terms, not the %d of before", len(got), len(want))
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if more, err := s.TidyIndex(ended); more || err == nil {
		t.Errorf("after the end: %v, %v", more, err)
	}
}

// Counts of common terms are kept as long as the library is about the same, and no longer.
func TestFrequenciesAreKept(t *testing.T) {
	s := openAt(t, t.TempDir(), 0)
	defer func() { _ = s.Close() }()
	count := func(term string) int {
		t.Helper()
		holding, _, _, err := s.Frequencies(t.Context(), []string{term, "없는말", term})
		if err != nil || holding["없는말"] != 0 {
			t.Fatalf("%v, %v", holding, err)
		}
		return holding[term]
	}
	put := func(id string, n int) {
		t.Helper()
		if err := s.Shelve(t.Context(), shelfOf(id, n)); err != nil {
			t.Fatal(err)
		}
	}
	if n := count("기간"); n != 0 {
		t.Errorf("an empty library holds it %d times", n)
	}
	put("하나", 320)
	if n := count("기간"); n != 320 {
		t.Errorf("%d passages, want 320", n)
	}
	put("둘", 10)
	if n := count("기간"); n != 320 {
		t.Errorf("it was counted again for ten passages: %d", n)
	}
	if n := count("7"); n != 2 { // rare: counted each time
		t.Errorf("%d passages say 7, want 2", n)
	}
	put("셋", 20)
	if n := count("기간"); n != 350 {
		t.Errorf("%d passages, want 350", n)
	}
}
