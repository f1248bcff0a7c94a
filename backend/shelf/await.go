package shelf

import (
	"context"

	"agentchat/backend/library"
)

// Readings are the shelves that are being read, as a question finds them: of one shelf, or ("") of all.
func (b *Book) Readings(shelf string) (list []library.Reading) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, l := range b.live {
		n := l.left[laneText] // nobody waits for pictures
		if shelf != "" && id != shelf || n <= 0 || l.reading[laneText] == "" {
			continue
		}
		list = append(list, library.Reading{Shelf: id, File: l.reading[laneText], Files: n}.Bounded())
	}
	return list
}

// Await returns when what a question waits for has been dealt with, or nothing is read any more. Error: ctx's.
func (b *Book) Await(ctx context.Context, r library.Reading) error {
	return b.moved.Await(ctx, func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		l := b.live[r.Shelf]
		return l == nil || l.left[laneText] <= r.Left
	})
}
