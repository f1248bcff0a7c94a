package store

import (
	"fmt"
	"testing"
	"time"

	"agentchat/backend/interpreter"
	"agentchat/backend/provider"
)

// Letters that are too large together go, the oldest first; the newest stays as long as it is not too large alone.
func TestLargeLettersGo(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	size := 0
	for i := range 10 {
		x := interpreter.Exchange{Letter: provider.Letter{ID: fmt.Sprint("l", i)}}
		packed, err := packLetter(x)
		if err != nil {
			t.Fatal(err)
		}
		size = len(packed.body)
		if err := s.AddLetters(t.Context(), []interpreter.Exchange{x}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ most, size, want int }{
		{1000, 1 << 20, 10}, {1000, 4*size + size/2, 4}, {3, 1 << 20, 3}, {1000, size, 1}, {1000, size - 1, 0},
	} {
		if err := s.tx(t.Context(), false, func(w *work) error { return w.trimLetters(c.most, c.size) }); err != nil {
			t.Fatal(err)
		}
		heads, err := s.LetterHeads(t.Context(), "", "", 0)
		if err != nil || len(heads) != c.want || c.want > 0 && heads[0].Letter.ID != "l9" {
			t.Errorf("%d letters in %d bytes at most: %d are left, %v", c.most, c.size, len(heads), err)
		}
	}
}
