package ground

import (
	"slices"
)

// Paired tells whether the words put these values together in one task. Values are held against the words as Check does;
// one that stands in the words but belongs to another task is not paired.
func (s Slots) Paired(r Request, values map[string]any) bool {
	return slices.ContainsFunc(s.Tasks(r), func(t Task) bool { return t.Holds(values) })
}
