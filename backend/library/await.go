package library

import (
	"context"
	"path/filepath"
	"sync"
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
		list = append(list, Reading{Import: e.ID, File: next, Files: n}.Bounded())
	}
	return list
}

// Await returns when what a question waits for has been dealt with, whether it was taken, refused or called off. Error: ctx's.
func (l *Library) Await(ctx context.Context, r Reading) error {
	return l.moved.Await(ctx, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		e := l.imports[r.Import]
		if e == nil {
			return true
		}
		n, _ := e.pending()
		return n <= r.Left
	})
}

// Bounded is a reading with how far it is waited for: to its end, or of more than a few files for the one at hand.
func (r Reading) Bounded() Reading {
	if r.Files > mostAwaited {
		r.Left = r.Files - 1
	}
	return r
}

// Farther tells those who wait for a reading that it is farther. The zero value is ready; it is safe for concurrent use.
type Farther struct {
	mu   sync.Mutex
	next chan struct{}
}

// Move has all who wait look again.
func (f *Farther) Move() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.next != nil {
		close(f.next)
		f.next = nil
	}
}

// Await returns when it is over, which it asks now and after every move. Error: ctx's.
func (f *Farther) Await(ctx context.Context, over func() bool) error {
	for {
		f.mu.Lock()
		if f.next == nil {
			f.next = make(chan struct{})
		}
		next := f.next
		f.mu.Unlock()
		if over() { // asked after the next move can be heard, so that none is missed
			return nil
		}
		select {
		case <-next:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
