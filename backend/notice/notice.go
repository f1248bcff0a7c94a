// Package notice shows notifications on a Linux desktop, by way of org.freedesktop.Notifications. There is one at a time: what is
// shown takes the place of what was there. A notification that was clicked is told of; one that was put away is not.
package notice

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/godbus/dbus/v5"

	"agentchat/backend/desktop/sessionbus"
)

const (
	service = "org.freedesktop.Notifications"
	path    = "/org/freedesktop/Notifications"
	// patience is how long the desktop may take for one call; whoever calls is in no hurry.
	patience = 10 * time.Second
)

// ErrClosed is returned where the connection is gone.
var ErrClosed = errors.New("notice: the bus is gone")

// Notifier is the desktop's place for notifications. Its calls wait for the desktop. Use it from one goroutine.
type Notifier struct {
	conn    *dbus.Conn
	markup  bool // a body is read as markup
	clicked func()
	gone    func()

	mu    sync.Mutex
	shown uint32 // the id of what is shown; 0: nothing
}

// Open connects to the desktop. clicked is called when what is shown was clicked, gone when it is not to be seen any more, whyever;
// both may be called at any time until Close, and must not block.
func Open(clicked, gone func()) (*Notifier, error) {
	conn, err := sessionbus.Connect()
	if err != nil {
		return nil, err
	}
	d := &Notifier{conn: conn, clicked: clicked, gone: gone}
	signals := make(chan *dbus.Signal, 16)
	conn.Signal(signals)
	if err := conn.AddMatchSignal(dbus.WithMatchInterface(service), dbus.WithMatchObjectPath(path)); err != nil {
		_ = conn.Close()
		return nil, err
	}
	var can []string
	if err := d.call("GetCapabilities").Store(&can); err != nil {
		_ = conn.Close()
		return nil, err
	}
	for _, c := range can {
		d.markup = d.markup || c == "body-markup"
	}
	go d.hear(signals)
	return d, nil
}

// Close ends the connection. What is shown stays.
func (d *Notifier) Close() { _ = d.conn.Close() }

func (d *Notifier) call(method string, args ...any) *dbus.Call {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return d.conn.Object(service, path).CallWithContext(ctx, service+"."+method, 0, args...)
}

// Show shows a notification in the place of the last one. act says what a click does.
func (d *Notifier) Show(title, body, act string) error {
	if !d.conn.Connected() {
		return ErrClosed
	}
	title, body = visible(title), visible(body)
	if d.markup {
		body = plain.Replace(body)
	}
	d.mu.Lock() // a click is heard once its id is known
	defer d.mu.Unlock()
	hints := map[string]dbus.Variant{"desktop-entry": dbus.MakeVariant("agentchat"), "category": dbus.MakeVariant("im.received")}
	return d.call("Notify", "Agent Chat", d.shown, "agentchat", title, body, []string{"default", act}, hints, int32(-1)).Store(&d.shown)
}

// Hide takes away what is shown.
func (d *Notifier) Hide() {
	d.mu.Lock()
	id := d.shown
	d.shown = 0
	d.mu.Unlock()
	if id != 0 {
		_ = d.call("CloseNotification", id).Err
	}
}

// plain keeps other people's words from being read as markup.
var plain = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// visible is a text without signs that no bus carries or that turn others around.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return -1
	}, text)
}

func (d *Notifier) hear(signals <-chan *dbus.Signal) {
	for s := range signals {
		if len(s.Body) != 2 {
			continue
		}
		id, _ := s.Body[0].(uint32)
		d.mu.Lock()
		ours := id != 0 && id == d.shown
		if ours && s.Name == service+".NotificationClosed" {
			d.shown = 0
		}
		d.mu.Unlock()
		switch {
		case !ours:
		case s.Name == service+".ActionInvoked" && s.Body[1] == "default":
			d.clicked()
		case s.Name == service+".NotificationClosed":
			d.gone()
		}
	}
}
