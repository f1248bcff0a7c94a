package shelf

import (
	"context"

	"agentchat/backend/library"
)

// mostAwaited is for how many files a question waits, as with imports: of more it waits for the one at hand.
const mostAwaited = 16

// Readings are the shelves that are being read, as a question finds them: of one shelf, or ("") of all.
func (b *Book) Readings(shelf string) (list []library.Reading) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, l := range b.live {
		n := l.left[laneText] // nobody waits for pictures
		if shelf != "" && id != shelf || n <= 0 || l.reading[laneText] == "" {
			continue
		}
		r := library.Reading{Shelf: id, File: l.reading[laneText], Files: n}
		if n > mostAwaited {
			r.Left = n - 1
		}
		list = append(list, r)
	}
	return list
}

// Await returns when what a question waits for has been dealt with, or nothing is read any more. Error: ctx's.
func (b *Book) Await(ctx context.Context, r library.Reading) error {
	for {
		b.mu.Lock()
		l := b.live[r.Shelf]
		over := l == nil || l.left[laneText] <= r.Left
		moved := b.moved
		b.mu.Unlock()
		if over {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// move tells who waits that a lane is farther.
func (b *Book) move() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.moved)
	b.moved = make(chan struct{})
}
