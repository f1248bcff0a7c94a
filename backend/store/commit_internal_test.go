package store

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
)

var errBad = errors.New("bad")

func fresh(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func (s *Store) note(t *testing.T, name string, full bool, end func() error) error {
	t.Helper()
	return s.tx(t.Context(), full, func(w *work) error {
		if _, err := w.exec(`INSERT INTO pulls (model, state) VALUES (?, '')`, name); err != nil {
			return err
		}
		return end()
	})
}

func (s *Store) noted(t *testing.T, name string) bool {
	t.Helper()
	n := 0
	if err := s.read.QueryRowContext(t.Context(), `SELECT count(*) FROM pulls WHERE model=?`, name).Scan(&n); err != nil {
		t.Error(err)
	}
	return n == 1
}

// hold begins a transaction that ends, with end, once n others stand in line.
func (s *Store) hold(t *testing.T, group *sync.WaitGroup, n int, end func()) {
	t.Helper()
	inside := make(chan struct{})
	group.Go(func() {
		defer func() { _ = recover() }()
		err := s.note(t, "first", false, func() error {
			close(inside)
			for waiting := 0; waiting < n; runtime.Gosched() {
				s.line.Lock()
				waiting = len(s.waiting)
				s.line.Unlock()
			}
			end()
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-inside
}

// Whoever is told that it is written finds it written, however many write at once and whoever commits for whom. One that
// fails takes nothing with it.
func TestACrowdThatWrites(t *testing.T) {
	s := fresh(t)
	const crowd = 5 * batchMost
	var group sync.WaitGroup
	s.hold(t, &group, crowd, func() {})
	for i := range crowd {
		group.Go(func() {
			name, bad := fmt.Sprint(i), i%7 == 0
			err := s.note(t, name, i%5 == 0, func() error {
				if bad {
					return errBad
				}
				return nil
			})
			if bad != errors.Is(err, errBad) || bad == s.noted(t, name) {
				t.Errorf("%s: %v, written: %t", name, err, s.noted(t, name))
			}
		})
	}
	group.Wait()
}

// A transaction that panics leaves nothing behind, and nobody who came along with it believes to be written.
func TestATransactionThatPanics(t *testing.T) {
	s := fresh(t)
	var group sync.WaitGroup
	s.hold(t, &group, 2, func() { panic("first") })
	for i := range 2 {
		group.Go(func() {
			if err := s.note(t, fmt.Sprint(i), false, func() error { return nil }); err != nil || !s.noted(t, fmt.Sprint(i)) {
				t.Errorf("%d: %v, written: %t", i, err, s.noted(t, fmt.Sprint(i)))
			}
		})
	}
	group.Wait()
	if s.noted(t, "first") {
		t.Error("half a transaction was written")
	}
}
