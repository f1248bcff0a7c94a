package main

import (
	"slices"
	"sync"
	"testing"
)

// slowFrame is a frame that takes as long to shrink as the test lets it.
type slowFrame struct {
	shrinks, may chan struct{}

	mu     sync.Mutex
	hidden bool
	did    []string
}

func newSlowFrame(hidden bool) *slowFrame {
	return &slowFrame{shrinks: make(chan struct{}, 8), may: make(chan struct{}), hidden: hidden}
}

func (f *slowFrame) note(what string, hidden func(bool) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.did, f.hidden = append(f.did, what), hidden(f.hidden)
}

func (f *slowFrame) away() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hidden
}

func (f *slowFrame) show()   { f.note("show", func(bool) bool { return false }) }
func (f *slowFrame) vanish() { f.note("vanish", func(bool) bool { return true }) }

func (f *slowFrame) lessen() shape {
	f.shrinks <- struct{}{}
	<-f.may
	f.note("lessen", func(is bool) bool { return is })
	return shape{place: framePlace{Width: 900, Height: 600}}
}

func (f *slowFrame) restore(was shape) {
	if was.place.Width != 900 || was.place.Height != 600 {
		f.note("restore another shape", func(is bool) bool { return is })
		return
	}
	f.note("restore", func(is bool) bool { return is })
}

func TestALineThatIsLeftWhileItShrinksStaysAway(t *testing.T) {
	f := newSlowFrame(true)
	l := &line{frame: f}
	begun := l.begin(func() {})
	<-f.shrinks
	ended := l.end(false) // the page is faster than the frame
	again := l.begin(func() {})
	last := l.end(false)
	if !l.is.Load() {
		t.Error("while it shrinks it is no window whose place is kept")
	}
	close(f.may)
	for _, done := range []<-chan struct{}{begun, ended, again, last} {
		<-done
	}
	round := []string{"lessen", "show", "vanish", "restore"}
	if want := slices.Concat(round, round); !slices.Equal(f.did, want) || !f.hidden || l.is.Load() {
		t.Errorf("%v, hidden %v, line %v", f.did, f.hidden, l.is.Load())
	}
}

func TestALineFromInSight(t *testing.T) {
	f := newSlowFrame(false)
	close(f.may)
	l := &line{frame: f}
	told := 0
	<-l.begin(func() { told++ })
	<-l.begin(func() { told++ }) // pressed again: the page is told, the shape it had is not forgotten
	<-l.end(false)
	<-l.end(false) // nothing is left to end
	if want := []string{"lessen", "show", "show", "restore"}; !slices.Equal(f.did, want) || told != 2 {
		t.Errorf("%v, told %d times", f.did, told)
	}

	// Whoever sent what was typed stays, wherever the line came from.
	f = newSlowFrame(true)
	close(f.may)
	l = &line{frame: f}
	l.begin(func() {})
	<-l.end(true)
	if f.hidden {
		t.Error("out of sight again")
	}
}
