package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	goruntime "runtime"
	"syscall"
	"time"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/apperr"
	"agentchat/backend/config"
	"agentchat/backend/doorbell"
	"agentchat/backend/shop"
)

// What on_close says.
const (
	closeStays = "stay"
	closeQuits = "quit"
)

// ringFor is how long a start waits for another, which may just be starting, to answer.
const ringFor = 6 * time.Second

// mostCommands is how many commands wait for a page at most; the oldest go first.
const mostCommands = 16

// PageCommand is something the page is to do that did not begin in it: open a place, take what was given to a second start of the
// program, be one line, or ask what closing the window or ending the program shall mean.
type PageCommand struct {
	Kind    string       `json:"kind" ts_type:"'open' | 'given' | 'close' | 'quit' | 'line'"`
	Chat    string       `json:"chat,omitempty"`
	Job     string       `json:"job,omitempty"`
	Ask     string       `json:"ask,omitempty"`
	Files   []string     `json:"files,omitempty"`
	Text    string       `json:"text,omitempty"`
	Leaving shop.Leaving `json:"leaving"`
}

// send leaves a command for the page, which may not be there yet.
func (w *window) send(e PageCommand) {
	w.keep(e)
	runtime.EventsEmit(w.ctx, "page.command")
}

func (w *window) keep(e PageCommand) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.commands = append(w.commands, e)
	w.commands = w.commands[max(len(w.commands)-mostCommands, 0):]
}

// takeCommands gives the page what waits for it.
func (w *window) takeCommands() []PageCommand {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listens = true
	list := w.commands
	w.commands = nil
	return list
}

// hasPage tells whether there is a page that takes commands.
func (w *window) hasPage() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.listens
}

// beforeClose is asked whenever the window is closed or the program is to end; true keeps both. It must not wait: on Windows it runs
// where the window is drawn.
func (w *window) beforeClose(context.Context) bool {
	if w.leaving.Load() {
		return endsItself
	}
	opened := false
	select {
	case <-w.opened:
		opened = true
	default:
	}
	if !opened || w.err != nil { // there is nothing that could go on
		go w.quit()
		return true
	}
	if goruntime.GOOS == "darwin" { // there closing hides by itself, and this is the end that was chosen in the menu
		go w.askToQuit()
	} else {
		go w.closed()
	}
	return true
}

// closed does what closing the window means: the shop goes on behind its icon; where no desktop shows one a person is asked, once.
func (w *window) closed() {
	switch onClose := w.open.Config.Get().OnClose; {
	case onClose == closeQuits:
		w.askToQuit()
	case onClose == closeStays || w.icon.Shown(w.ctx):
		w.hide()
	case w.hasPage():
		w.send(PageCommand{Kind: "close"})
	default:
		w.quit()
	}
}

// closeAs keeps what a person wants closing to mean, and does it.
func (w *window) closeAs(choice string) error {
	if choice != closeStays && choice != closeQuits {
		return apperr.New(apperr.InvalidArgs, "detail", closeStays+", "+closeQuits)
	}
	if _, err := w.open.SetSettings(map[string]any{config.KeyOnClose: choice}); err != nil {
		return err
	}
	go w.closed()
	return nil
}

// askToQuit ends the program. While something goes on the person is told first what becomes of it; who asks twice is not held up by a
// page that does not answer.
func (w *window) askToQuit() {
	l, err := w.open.Leaving(w.ctx)
	if err != nil || l.Jobs == 0 || w.asking.Swap(true) {
		w.quit()
		return
	}
	w.raise()
	w.send(PageCommand{Kind: "quit", Leaving: l})
}

func (w *window) quit() {
	w.leaving.Store(true)
	endLoop(w.ctx)
}

// quitOnSignal ends the program when the system asks for it, whatever closing the window means.
func (w *window) quitOnSignal(ctx context.Context) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, os.Interrupt, syscall.SIGTERM)
	select {
	case <-asked:
		w.quit()
	case <-ctx.Done():
	}
}

// hide takes the window out of sight when its turn comes.
func (w *window) hide() { w.line.turns.take(w.vanish) }

func (w *window) vanish() {
	w.focused.Store(false)
	w.inSight(false)
	runtime.WindowHide(w.ctx)
}

// inSight says whether the window is there to be looked at. A page need not notice that its window is hidden.
func (w *window) inSight(is bool) {
	w.hidden.Store(!is)
	select {
	case <-w.opened:
		if w.open != nil {
			w.open.Present(is)
		}
	default: // nobody could have come or gone yet
	}
}

// raise brings the window before the person when its turn comes, from wherever it is.
func (w *window) raise() { w.line.turns.take(w.show) }

func (w *window) show() {
	w.inSight(true)
	runtime.WindowShow(w.ctx)
	if goruntime.GOOS == "linux" || runtime.WindowIsMinimised(w.ctx) { // on Linux this is what raises it; on Windows it would end its full size
		runtime.WindowUnminimise(w.ctx)
	}
}

// lead raises the window at a place: a question, a ticket, a chat.
func (w *window) lead(to place) {
	w.raise()
	if to != (place{}) {
		w.send(PageCommand{Kind: "open", Chat: to.chat, Job: to.job, Ask: to.ask})
	}
}

// place is where in the window something is.
type place struct{ chat, job, ask string }

// rung takes what a second start of the program wants.
func (w *window) rung(c doorbell.Call) {
	if c.Raise || !c.Empty() {
		w.raise()
	}
	w.give(c)
}

// give hands the page what stood on a command line.
func (w *window) give(c doorbell.Call) {
	if !c.Empty() {
		w.send(PageCommand{Kind: "given", Files: c.Files, Text: c.Text})
	}
}

// ringAgain tries for a while to reach the program that has the data folder, which may just be starting.
func ringAgain(ctx context.Context, dir string, c doorbell.Call) bool {
	ctx, cancel := context.WithTimeout(ctx, ringFor) // one that hangs takes its time for every call
	defer cancel()
	for ctx.Err() == nil {
		if err := doorbell.Ring(dir, c); err == nil {
			return true
		} else if !errors.Is(err, doorbell.ErrNobody) {
			return false
		}
		pause(ctx, 250*time.Millisecond)
	}
	return false
}
