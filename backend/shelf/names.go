package shelf

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/language/bilingual"
)

// key is a name without what people leave out or write otherwise.
func key(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(norm.NFC.String(name)), ""))
}

// Titles are the shelves as names. Safe for concurrent use.
type Titles struct{ book *Book }

// Titles gives the names of the shelves.
func (b *Book) Titles() Titles { return Titles{b} }

// Knows tells whether a shelf is called so.
func (t Titles) Knows(name string) bool {
	_, ok := t.book.Named(context.Background(), name)
	return ok
}

// mostNear is how many names are given that come near.
const mostNear = 5

// Near gives the shelves whose names hold a part of what was said first, then the others.
func (t Titles) Near(name string, _ bilingual.Lang) (near []string) {
	list, err := t.book.deps.Store.Shelves(context.Background())
	if err != nil {
		return nil
	}
	far := func(title string) int {
		for i, r := 0, []rune(key(name)); i+1 < len(r); i++ {
			if strings.Contains(key(title), string(r[i:i+2])) {
				return 0
			}
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b Shelf) int { return cmp.Compare(far(a.Title), far(b.Title)) })
	for _, s := range list[:min(len(list), mostNear)] {
		near = append(near, s.Title)
	}
	return near
}

// Named finds a shelf by what it is called.
func (b *Book) Named(ctx context.Context, name string) (Shelf, bool) {
	list, err := b.deps.Store.Shelves(ctx)
	if err != nil {
		return Shelf{}, false
	}
	i := slices.IndexFunc(list, func(s Shelf) bool { return key(s.Title) == key(name) })
	if i < 0 {
		return Shelf{}, false
	}
	return list[i], true
}
