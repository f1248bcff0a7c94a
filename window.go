package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/apperr"
	"agentchat/backend/config"
	"agentchat/backend/desktop/globalkey"
	"agentchat/backend/doorbell"
	"agentchat/backend/engine"
	"agentchat/backend/event"
	"agentchat/backend/front"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/logging"
	"agentchat/backend/shop"
	"agentchat/backend/tray"
)

// relayEvery is how long events are gathered before they are handed to the window in one call: every call is evaluated
// as script there, so thousands of single ones would make it stutter.
const relayEvery = 33 * time.Millisecond

// relayMost is the most envelopes in one call; the rest follow in the next.
const relayMost = 4000

// window is the life of the native window: it opens the shop, relays its events, and closes it.
type window struct {
	ctx       context.Context //nolint:containedctx // Wails hands out one context for the life of the window
	focused   atomic.Bool
	hidden    atomic.Bool // behind the icon in the tray
	place     framePlace  // where the window was and how large
	placeKept bool
	first     firstFrame // what the settings were before the shop was open
	open      *shop.Shop
	err       error
	opened    chan struct{}
	events    *event.Reader // stands where the stream began: nothing is missed before the page listens
	relays    sync.Once
	settled   sync.Once // what the start took was given back
	driver    func()    // lets what is started from now on have its graphics driver
	notices   *notices
	start     start
	icon      *tray.Icon
	key       *globalkey.Key
	line      line
	bell      *doorbell.Bell
	door      *front.Door   // for other programs of the person's
	menuStale chan struct{} // the icon's menu may say something else
	leaving   atomic.Bool   // the program ends, whatever closing the window means
	asking    atomic.Bool   // a person is being asked whether it is to end

	mu       sync.Mutex
	commands []PageCommand
	listens  bool // a page takes commands
}

func newWindow() *window {
	w := &window{opened: make(chan struct{}), ctx: context.Background(), driver: func() {}, menuStale: make(chan struct{}, 1)}
	w.focused.Store(true)
	w.icon = tray.New(trayPicture, "Agent Chat", w.raise, trayRoom...)
	w.key = w.newGlobalKey()
	w.line.frame = w
	return w
}

// shop waits until the shop is open and gives it, or why it could not be opened.
func (w *window) shop() (*shop.Shop, error) {
	<-w.opened
	return w.open, w.err
}

// startup opens the shop. A shop that cannot be opened is told in a system dialog, because the window behind it could
// show nothing.
func (w *window) startup(ctx context.Context) {
	w.ctx = ctx
	defer close(w.opened)
	go w.quitOnSignal(ctx)
	options := shop.Options{Config: config.Options{Flags: w.start.flags}, MediaServer: true, Crashes: true, Engine: engine.Find(), Desktop: newWindowDesktop(ctx), Now: clock()}
	w.open, w.err = openShop(ctx, options, askPerson)
	if apperr.CodeOf(w.err) == apperr.AlreadyRunning && ringAgain(ctx, w.first.dataDir, w.start.call()) {
		w.quit() // it had only just been started, and has been told
		return
	}
	if w.err != nil {
		e := apperr.From(w.err)
		_, _ = runtime.MessageDialog(ctx, runtime.MessageDialogOptions{
			Type: runtime.ErrorDialog, Title: "Agent Chat", Message: e.Text(bilingual.KO) + "\n\n" + e.Text(bilingual.EN),
		})
		w.quit()
		return
	}
	w.events = w.open.Bus.SubscribeFrom(1)
	w.notices = newNotices(w.open.Config.Get, w.lead)
	go w.notices.run(ctx, newNotifier(ctx))
	w.focused.Store(!w.start.hidden)
	w.hidden.Store(w.start.hidden)
	w.give(w.start.call())
	w.icon.Start()
	w.refreshMenu()
	go w.followTray(ctx, w.open)
	go w.followKey(w.open)
	w.door = front.HangOr(w.open)
	bell, err := doorbell.Hang(w.first.dataDir, func(c doorbell.Call) { go w.rung(c) })
	if err != nil {
		log := w.open.Log.Component("doorbell")
		log.Warn().Err(err).Msg("a second start cannot be heard")
		return
	}
	w.bell = bell
}

// domReady starts the relay: events emitted before the page listens are lost. It runs again when the page reloads.
func (w *window) domReady(ctx context.Context) {
	w.line.end(true) // a page that begins anew is not one line
	w.relays.Do(func() {
		w.putBack(ctx)
		w.driver() // the web view's processes are there
		s, err := w.shop()
		if err != nil {
			return
		}
		go w.relayEvents(w.events, func(name string, data ...any) { runtime.EventsEmit(w.ctx, name, data...) })
		go w.relayLogs(s.Logs.Subscribe())
	})
}

// relayEvents hands the stream to the page. A page that fell too far behind is told at once, and loads a snapshot.
func (w *window) relayEvents(r *event.Reader, emit func(name string, data ...any)) {
	for {
		batch, err := r.Next(w.ctx, relayMost)
		switch {
		case errors.Is(err, event.ErrLagged):
			emit("gap")
			w.refreshMenu()
			continue
		case err != nil:
			return
		}
		emit("events", batch)
		if !w.focused.Load() {
			w.notices.tell(batch)
		}
		if slices.ContainsFunc(batch, func(env event.Envelope) bool { return trayKinds[env.Kind] }) {
			w.refreshMenu()
		}
		if slices.ContainsFunc(batch, func(env event.Envelope) bool { return env.Kind == event.KindConfig }) {
			go w.settingsChanged()
		}
		pause(w.ctx, relayEvery)
	}
}

func (w *window) relayLogs(r *logging.Reader) {
	for {
		lines, err := r.Next(w.ctx)
		if err != nil {
			return
		}
		runtime.EventsEmit(w.ctx, "logs", lines)
		pause(w.ctx, relayEvery)
	}
}

// pause waits, or not when ctx ends first.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

func (w *window) shutdown(context.Context) {
	<-w.opened
	w.icon.Close()
	if w.bell != nil {
		_ = w.bell.Close()
	}
	w.door.Close()
	_ = w.open.Close()
}

// formatError is how every error reaches the window: a stable code and a sentence in the person's language, as JSON text,
// because Wails makes a JavaScript Error of it, which keeps nothing but text.
func (w *window) formatError(err error) any {
	e := apperr.From(err)
	lang := bilingual.KO
	select {
	case <-w.opened:
		if w.open != nil {
			lang = w.open.Config.Get().Lang
		}
	default:
	}
	text, err := json.Marshal(event.Error{Code: string(e.Code), Message: e.Text(lang), Fields: e.Fields})
	if err != nil {
		return e.Text(lang)
	}
	return string(text)
}
