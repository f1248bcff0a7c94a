package store

import (
	"context"
	"encoding/json"
	"sync"
)

// Counting a term reads all of its passages in the index, so that the counts of common ones, which stand in most questions, are
// kept. They may be a little old: what they are for, telling rare terms from common ones, needs no more.
const (
	countAgain = 16   // a library that has changed by more than one part in so many is counted again
	keepFrom   = 200  // passages; what stands in fewer is counted quickly
	keepMost   = 4096 // terms
)

// frequencies are in how many passages terms stand. Safe for concurrent use.
type frequencies struct {
	mu      sync.Mutex
	size    int // passages when they were counted
	holding map[string]int
}

// known gives the counts there are for a library of that size, and the terms that have to be counted.
func (f *frequencies) known(terms []string, size int) (holding map[string]int, missing []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if changed := size - f.size; max(changed, -changed) > f.size/countAgain || len(f.holding) > keepMost {
		f.size, f.holding = size, map[string]int{}
	}
	holding, missing = make(map[string]int, len(terms)), []string{}
	for _, t := range terms {
		if n, ok := f.holding[t]; ok {
			holding[t] = n
		} else {
			missing = append(missing, t)
		}
	}
	return holding, missing
}

func (f *frequencies) keep(term string, n int) {
	if n < keepFrom {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.holding != nil {
		f.holding[term] = n
	}
}

// Frequencies implements library.Store.
func (s *Store) Frequencies(ctx context.Context, terms []string) (holding map[string]int, passages int, total int64, err error) {
	if err = s.read.QueryRowContext(ctx, `SELECT passages, terms FROM library_size`).Scan(&passages, &total); err != nil {
		return nil, 0, 0, storageError(err)
	}
	holding, missing := s.frequencies.known(terms, passages)
	if len(missing) == 0 {
		return holding, passages, total, nil
	}
	rows, err := s.read.QueryContext(ctx, `SELECT v.term, v.doc FROM json_each(?1) j CROSS JOIN passages_vocab v ON v.term=j.value`, jsonOf(missing))
	type counted struct {
		term string
		n    int
	}
	list, err := collect(rows, err, func(row interface{ Scan(...any) error }) (c counted, err error) {
		return c, row.Scan(&c.term, &c.n)
	})
	for _, c := range list {
		holding[c.term] = c.n
		s.frequencies.keep(c.term, c.n)
	}
	return holding, passages, total, err
}

// jsonOf writes a list for json_each.
func jsonOf[T int64 | string](list []T) string {
	raw, _ := json.Marshal(list) // numbers and texts are never refused
	return string(raw)
}
