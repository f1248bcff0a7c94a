package store

import (
	"fmt"
	"testing"
)

// LimitPages bounds the size of the file, as a small disk does.
func (s *Store) LimitPages(t testing.TB, n int) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.conn.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count=%d", n)); err != nil {
		t.Fatal(err)
	}
}
