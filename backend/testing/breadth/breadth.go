// Package breadth says how much of a long suite a test goes through: a part that is spread over all of it with -short, which
// `make test` gives, and all of it without, in `make test-all`. Only here is -short asked; what it leaves out always runs there.
package breadth

import "testing"

// Some is all of a suite or, with -short, a few of it that lie evenly apart: what is added takes its turn by itself.
func Some[T any](all []T, few int) []T {
	if !testing.Short() {
		return all
	}
	return spread(all, few)
}

// Count is how often something is tried: all times or, with -short, a few.
func Count(all, few int) int {
	if testing.Short() {
		return min(all, few)
	}
	return all
}

// Stride is the distance of one try to the next in a long row: near or, with -short, far.
func Stride(near, far int) int {
	if testing.Short() {
		return max(near, far)
	}
	return near
}

func spread[T any](all []T, few int) []T {
	if few >= len(all) {
		return all
	}
	some := make([]T, few)
	for i := range some {
		some[i] = all[i*len(all)/few]
	}
	return some
}
