package globalkey

import (
	"context"
	"strings"

	"github.com/godbus/dbus/v5"

	"agentchat/backend/desktop/sessionbus"
)

const (
	portal     = "org.freedesktop.portal.Desktop"
	portalPath = "/org/freedesktop/portal/desktop"
	shortcuts  = "org.freedesktop.portal.GlobalShortcuts"
	session    = "org.freedesktop.portal.Session"
	request    = "org.freedesktop.portal.Request"
	// wished is the key that the desktop may propose to the person, as the specification of shortcuts writes it.
	wished = "CTRL+ALT+space"
	id     = "line"
)

// shortcut is a key as the portal passes it.
type shortcut struct {
	ID    string
	Props map[string]dbus.Variant
}

// asker is one session of the portal's.
type asker struct {
	conn    *dbus.Conn
	owner   string // of the portal: nobody else's signals count
	signals chan *dbus.Signal
	session dbus.ObjectPath
}

// bind asks the portal for the key, until asked ends, and holds it until held does.
func bind(asked, held context.Context, words string, pressed, gone func()) (trigger string, err error) {
	conn, err := sessionbus.Connect()
	if err != nil {
		return "", errAbsent
	}
	a := &asker{conn: conn, signals: make(chan *dbus.Signal, 16)}
	trigger, err = a.ask(asked, words)
	if err != nil {
		_ = conn.Close()
		return "", err
	}
	go func() {
		a.hear(held, pressed)
		_ = conn.Close() // the portal ends the session with it
		gone()
	}()
	return trigger, nil
}

func (a *asker) ask(ctx context.Context, words string) (string, error) {
	a.conn.Signal(a.signals)
	for _, of := range []string{request, session, shortcuts} {
		if err := a.conn.AddMatchSignalContext(ctx, dbus.WithMatchInterface(of), dbus.WithMatchSender(portal)); err != nil {
			return "", errAbsent
		}
	}
	// Newer portals want to know which program on the host this is; older ones do not know the question.
	_ = a.call(ctx, "org.freedesktop.host.portal.Registry.Register", "agentchat", map[string]dbus.Variant{}).Err
	if err := a.conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.GetNameOwner", 0, portal).Store(&a.owner); err != nil {
		return "", errAbsent
	}
	made, err := a.answer(ctx, shortcuts+".CreateSession", map[string]dbus.Variant{
		"handle_token": dbus.MakeVariant("agentchat_session"), "session_handle_token": dbus.MakeVariant("agentchat"),
	})
	if err != nil {
		return "", err
	}
	switch handle := made["session_handle"].Value().(type) {
	case string:
		a.session = dbus.ObjectPath(handle)
	case dbus.ObjectPath:
		a.session = handle
	}
	if !a.session.IsValid() {
		return "", errAbsent
	}
	keys := []shortcut{{id, map[string]dbus.Variant{"description": dbus.MakeVariant(words), "preferred_trigger": dbus.MakeVariant(wished)}}}
	bound, err := a.answer(ctx, shortcuts+".BindShortcuts", a.session, keys, "", map[string]dbus.Variant{"handle_token": dbus.MakeVariant("agentchat_bind")})
	if err != nil {
		return "", err
	}
	var got []shortcut
	if err := dbus.Store([]any{bound["shortcuts"].Value()}, &got); err != nil || len(got) == 0 {
		return "", errRefused
	}
	trigger, _ := got[0].Props["trigger_description"].Value().(string)
	return trigger, nil
}

func (a *asker) call(ctx context.Context, method string, args ...any) *dbus.Call {
	return a.conn.Object(portal, portalPath).CallWithContext(ctx, method, 0, args...)
}

// answer calls what the portal answers by a signal, when the person has.
func (a *asker) answer(ctx context.Context, method string, args ...any) (map[string]dbus.Variant, error) {
	var at dbus.ObjectPath
	if err := a.call(ctx, method, args...).Store(&at); err != nil {
		return nil, errAbsent // no such method, or nobody who would answer
	}
	for {
		select {
		case <-ctx.Done():
			return nil, errRefused // the person has not answered
		case s, ok := <-a.signals:
			if !ok {
				return nil, errAbsent
			}
			if s.Sender != a.owner || s.Path != at || s.Name != request+".Response" || len(s.Body) != 2 {
				continue
			}
			results, ok := s.Body[1].(map[string]dbus.Variant)
			if code, sound := s.Body[0].(uint32); !ok || !sound || code != 0 {
				return nil, errRefused
			}
			return results, nil
		}
	}
}

// hear tells of presses until the desktop takes the key away, the bus is gone, or held ends.
func (a *asker) hear(held context.Context, pressed func()) {
	for {
		select {
		case <-held.Done():
			return
		case s, ok := <-a.signals:
			switch {
			case !ok:
				return
			case s.Sender != a.owner:
			case s.Name == session+".Closed" && s.Path == a.session:
				return
			case s.Name == shortcuts+".Activated" && len(s.Body) >= 2 && s.Body[0] == a.session && strings.EqualFold(name(s.Body[1]), id):
				pressed()
			}
		}
	}
}

func name(v any) string {
	text, _ := v.(string)
	return text
}
