package library

import (
	"context"
	"path/filepath"
)

// mostAwaited is for how many files a question waits. Of more, as of a folder with a whole archive, it waits for the one that is
// being read.
const mostAwaited = 16

// Reading is an import under way as a question finds it: what it waits for is over when at most Left files are not dealt with.
type Reading struct {
	Import string `json:"import"`
	Shelf  string `json:"shelf,omitempty"` // or the shelf whose files are read
	File   string `json:"file"`            // the name of the file that is next or at hand
	Files  int    `json:"files"`
	Left   int    `json:"left"`
}

// pending is how many files are not dealt with. Called with the library's lock held, or before others know of it.
func (e *importJob) pending() (n int, next string) {
	for _, f := range e.Files {
		if f.State != FilePending {
			continue
		}
		if n++; n == 1 {
			next = filepath.Base(f.Path)
		}
	}
	return n, next
}

// Readings are the imports under way, none when everything is read.
func (l *Library) Readings() (list []Reading) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.imports {
		n, next := e.pending()
		if n == 0 {
			continue
		}
		r := Reading{Import: e.ID, File: next, Files: n}
		if n > mostAwaited {
			r.Left = n - 1
		}
		list = append(list, r)
	}
	return list
}

// Await returns when what a question waits for has been dealt with, whether it was taken, refused or called off. Error: ctx's.
func (l *Library) Await(ctx context.Context, r Reading) error {
	for {
		l.mu.Lock()
		e := l.imports[r.Import]
		over := e == nil
		if !over {
			n, _ := e.pending()
			over = n <= r.Left
		}
		moved := l.moved
		l.mu.Unlock()
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

// move tells who waits that an import is farther. Called with l.mu held.
func (l *Library) move() {
	close(l.moved)
	l.moved = make(chan struct{})
}
