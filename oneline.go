package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/desktop/globalkey"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/shop"
)

// The one-line window's size, with letters at 100 %.
const lineWidth, lineHeight = 680, 92

// shape is how the window was before it became one line.
type shape struct {
	place   framePlace
	allOver bool
}

// lineFrame is the frame of the window, as far as a line needs it.
type lineFrame interface {
	away() bool // out of sight
	show()
	vanish()
	lessen() shape // makes one line of it
	restore(s shape)
}

// line makes one line of the window and a window of the line. Shrinking takes a while, and who called it may have had enough before it is done: what is
// asked of the frame happens one after the other, as it was asked, or the end of the first would bring back what the second hid.
type line struct {
	frame lineFrame
	turns turns
	is    atomic.Bool // the window is one line, or about to be

	// Only who has the turn touches these.
	was  shape
	came bool // from out of sight
}

// begin shrinks, above all other windows, and tells the page, which takes keys once nothing moves any more.
func (l *line) begin(tell func()) (done <-chan struct{}) {
	return l.turns.take(func() {
		if !l.is.Swap(true) {
			l.came = l.frame.away()
			l.was = l.frame.lessen()
		}
		tell()
		l.frame.show()
	})
}

// end gives the window its shape back, out of sight if it came from there, unless it is to stay.
func (l *line) end(stay bool) (done <-chan struct{}) {
	return l.turns.take(func() {
		if !l.is.Load() {
			return
		}
		if !stay && l.came {
			l.frame.vanish()
		}
		l.frame.restore(l.was)
		l.is.Store(false)
	})
}

// turns lets what is asked for happen one after the other, in the order of asking.
type turns struct {
	mu   sync.Mutex
	last chan struct{} // closed when the last one is over
}

// take does it when its turn comes, and does not wait for that.
func (t *turns) take(do func()) (done <-chan struct{}) {
	mine := make(chan struct{})
	t.mu.Lock()
	before := t.last
	t.last = mine
	t.mu.Unlock()
	go func() {
		defer close(mine)
		if before != nil {
			<-before
		}
		do()
	}()
	return mine
}

// newGlobalKey is a key of the desktop's that makes one line of the window.
func (w *window) newGlobalKey() *globalkey.Key {
	return globalkey.New(func() string {
		return bilingual.Say(w.open.Config.Get().Lang, "Agent Chat: 한 줄로 묻기", "Agent Chat: ask in one line")
	}, w.asLine)
}

// followKey has the key or lets it go, as the settings say, and tells what the desktop said.
func (w *window) followKey(s *shop.Shop) globalkey.View {
	return w.key.Follow(w.ctx, s.Config.Get().GlobalKey)
}

// settingsChanged follows what was changed by whomever.
func (w *window) settingsChanged() {
	if s, err := w.shop(); err == nil {
		w.followKey(s)
	}
}

// GlobalKey tells what the desktop said to the key that calls the program. It waits while the desktop asks the person.
func (a *App) GlobalKey() (globalkey.View, error) {
	return call(a, func(_ context.Context, s *shop.Shop) (globalkey.View, error) { return a.window.followKey(s), nil })
}

// LineDone gives the window the size back that it had before it was one line. It goes out of sight again if it came from there, unless it is to stay.
func (a *App) LineDone(stay bool) { <-a.window.line.end(stay) }

// asLine makes one line of the window. Without a page that could draw it the window comes as it is.
func (w *window) asLine() {
	if !w.hasPage() {
		w.raise()
		return
	}
	w.line.begin(func() { w.send(PageCommand{Kind: "line"}) })
}

func (w *window) away() bool { return w.hidden.Load() }

func (w *window) lessen() (was shape) {
	if was.allOver = runtime.WindowIsFullscreen(w.ctx); was.allOver {
		runtime.WindowUnfullscreen(w.ctx)
	}
	if was.place.Maximised = runtime.WindowIsMaximised(w.ctx); was.place.Maximised {
		runtime.WindowUnmaximise(w.ctx)
	}
	was.place.Width, was.place.Height = runtime.WindowGetSize(w.ctx)
	was.place.X, was.place.Y = runtime.WindowGetPosition(w.ctx)
	percent := max(w.open.Config.Get().TextSize, 100)
	width, height := lineWidth*percent/100, lineHeight*percent/100
	runtime.WindowSetMinSize(w.ctx, width, height)
	w.sized(width, height, func(now int) bool { return now <= height })
	runtime.WindowSetAlwaysOnTop(w.ctx, true)
	runtime.WindowCenter(w.ctx)
	return was
}

// sized gives the window a size, until its height is one that will do. A window manager that has not heard of the new least size yet holds the old one, and
// what it tells of a change before may take the place of what it was asked for since: it is asked again.
func (w *window) sized(width, height int, does func(height int) bool) {
	for range 10 {
		runtime.WindowSetSize(w.ctx, width, height)
		pause(w.ctx, 100*time.Millisecond)
		if _, now := runtime.WindowGetSize(w.ctx); does(now) {
			return
		}
	}
}

func (w *window) restore(was shape) {
	runtime.WindowSetAlwaysOnTop(w.ctx, false)
	runtime.WindowSetMinSize(w.ctx, leastWidth, leastHeight)
	w.sized(max(was.place.Width, leastWidth), max(was.place.Height, leastHeight), func(now int) bool { return now >= leastHeight })
	runtime.WindowSetPosition(w.ctx, was.place.X, was.place.Y)
	switch {
	case was.allOver:
		runtime.WindowFullscreen(w.ctx)
	case was.place.Maximised:
		runtime.WindowMaximise(w.ctx)
	}
}
