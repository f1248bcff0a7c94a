package breadth

import (
	"slices"
	"testing"
)

// A few of a suite lie evenly apart, and no more are taken than there are.
func TestSpread(t *testing.T) {
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	for few, want := range map[int][]int{0: {}, 1: {0}, 3: {0, 3, 6}, 5: {0, 2, 4, 6, 8}, 10: all, 11: all} {
		if got := spread(all, few); !slices.Equal(got, want) {
			t.Errorf("%d of ten: %v, not %v", few, got, want)
		}
	}
}

// Without -short everything is gone through.
func TestWhole(t *testing.T) {
	wantCount, wantStride, wantSome := 200, 23, 3
	if testing.Short() {
		wantCount, wantStride, wantSome = 40, 67, 1
	}
	if got := Count(200, 40); got != wantCount {
		t.Errorf("%d tries", got)
	}
	if got := Stride(23, 67); got != wantStride {
		t.Errorf("%d apart", got)
	}
	if got := Some([]int{1, 2, 3}, 1); len(got) != wantSome {
		t.Errorf("%v", got)
	}
}
