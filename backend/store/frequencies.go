package store

import (
	"context"
	"encoding/json"
	"sync"
)

// Counting a term reads all of its passages in the index, and even a term without passages costs a query, so counts are cached. The counts of
// common terms may be slightly out of date, because they only tell rare terms from common ones. All others are dropped when the library
// changes.
const (
	countAgain = 16   // a library that has changed by more than one part in so many is counted again
	often      = 200  // passages; what stands in fewer is counted quickly
	keepMost   = 4096 // terms of each sort
)

// librarySize is how much there is in the library.
type librarySize struct {
	passages int
	terms    int64
}

// frequencies are in how many passages terms stand. Safe for concurrent use.
type frequencies struct {
	mu     sync.Mutex
	size   librarySize // when the rare ones were counted
	about  int         // passages when the common ones were counted
	rare   map[string]int
	common map[string]int
}

// known gives the counts there are for a library of that size, and the terms that have to be counted.
func (f *frequencies) known(terms []string, size librarySize) (holding map[string]int, missing []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.size != size || len(f.rare) > keepMost {
		f.size, f.rare = size, map[string]int{}
	}
	if changed := size.passages - f.about; max(changed, -changed) > f.about/countAgain || len(f.common) > keepMost {
		f.about, f.common = size.passages, map[string]int{}
	}
	holding, missing = make(map[string]int, len(terms)), []string{}
	for _, t := range terms {
		n, ok := f.common[t]
		if !ok {
			n, ok = f.rare[t]
		}
		switch {
		case !ok:
			missing = append(missing, t)
		case n > 0:
			holding[t] = n
		}
	}
	return holding, missing
}

// keep remembers what was counted, for terms of which those not in counted stand nowhere, if the library is still of that size.
func (f *frequencies) keep(terms []string, counted map[string]int, size librarySize) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range terms {
		switch n := counted[t]; {
		case n >= often && f.common != nil:
			f.common[t] = n
		case n < often && f.size == size && f.rare != nil:
			f.rare[t] = n
		}
	}
}

// Frequencies implements library.Store.
func (s *Store) Frequencies(ctx context.Context, terms []string) (holding map[string]int, passages int, total int64, err error) {
	var size librarySize
	if err = s.read.QueryRowContext(ctx, `SELECT passages, terms FROM library_size`).Scan(&size.passages, &size.terms); err != nil {
		return nil, 0, 0, storageError(err)
	}
	holding, missing := s.frequencies.known(terms, size)
	if len(missing) == 0 {
		return holding, size.passages, size.terms, nil
	}
	type counted struct {
		term string
		n    int
	}
	list, err := collect(ctx, s.read, func(row row) (c counted, err error) {
		return c, row.Scan(&c.term, &c.n)
	}, `SELECT v.term, v.doc FROM json_each(?1) j CROSS JOIN passages_vocab v ON v.term=j.value`, jsonOf(missing))
	if err != nil {
		return holding, size.passages, size.terms, err
	}
	for _, c := range list {
		holding[c.term] = c.n
	}
	s.frequencies.keep(missing, holding, size)
	return holding, size.passages, size.terms, nil
}

// jsonOf writes a list for json_each.
func jsonOf[T int64 | string](list []T) string {
	raw, _ := json.Marshal(list) // numbers and texts are never refused
	return string(raw)
}
