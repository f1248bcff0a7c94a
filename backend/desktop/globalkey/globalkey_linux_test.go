package globalkey_test

import (
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"

	"agentchat/backend/desktop/globalkey"
	"agentchat/backend/desktop/sessionbus"
	"agentchat/backend/testing/desktopbus"
)

const (
	at    = "/org/freedesktop/portal/desktop"
	iface = "org.freedesktop.portal.GlobalShortcuts"
	open  = dbus.ObjectPath(at + "/session/x/agentchat")
)

// portal is a desktop's, which answers as it is told.
type portal struct {
	t    *testing.T
	conn *dbus.Conn

	mu     sync.Mutex
	code   uint32 // of the answer to BindShortcuts
	none   bool   // it grants none of the keys
	wished map[string]dbus.Variant
	asked  int
}

type key struct {
	ID    string
	Props map[string]dbus.Variant
}

func (p *portal) respond(token string, code uint32, results map[string]dbus.Variant) dbus.ObjectPath {
	path := dbus.ObjectPath(at + "/request/x/" + token)
	if err := p.conn.Emit(path, "org.freedesktop.portal.Request.Response", code, results); err != nil {
		p.t.Error(err)
	}
	return path
}

// CreateSession implements the portal.
func (p *portal) CreateSession(map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	return p.respond("one", 0, map[string]dbus.Variant{"session_handle": dbus.MakeVariant(string(open))}), nil
}

// BindShortcuts implements the portal.
func (p *portal) BindShortcuts(session dbus.ObjectPath, keys []key, _ string, _ map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if session != open || len(keys) != 1 {
		p.t.Errorf("%s, %v", session, keys)
	}
	p.wished = keys[0].Props
	got := []key{{keys[0].ID, map[string]dbus.Variant{"trigger_description": dbus.MakeVariant("Press <Super>space")}}}
	if p.none {
		got = nil
	}
	return p.respond("two", p.code, map[string]dbus.Variant{"shortcuts": dbus.MakeVariant(got)}), nil
}

// will says how it answers from now on, and how often it was asked.
func (p *portal) will(code uint32, none bool) (asked int, wished map[string]dbus.Variant) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.code, p.none = code, none
	return p.asked, p.wished
}

func (p *portal) press(session dbus.ObjectPath, id string) {
	if err := p.conn.Emit(at, iface+".Activated", session, id, uint64(1), map[string]dbus.Variant{}); err != nil {
		p.t.Error(err)
	}
}

func connect(t *testing.T) *dbus.Conn {
	t.Helper()
	conn, err := sessionbus.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func newPortal(t *testing.T) *portal {
	t.Helper()
	p := &portal{t: t, conn: connect(t)}
	methods := map[string]any{"CreateSession": p.CreateSession, "BindShortcuts": p.BindShortcuts}
	if err := p.conn.ExportMethodTable(methods, at, iface); err != nil {
		t.Fatal(err)
	}
	if _, err := p.conn.RequestName("org.freedesktop.portal.Desktop", 0); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAKeyOfTheDesktops(t *testing.T) {
	desktopbus.Open(t)
	presses := make(chan struct{}, 8)
	k := globalkey.New(func() string { return "한 줄 창" }, func() { presses <- struct{}{} })
	t.Cleanup(func() { k.Follow(t.Context(), false) })
	if v := k.Follow(t.Context(), true); v.State != globalkey.Absent {
		t.Errorf("without a portal: %+v", v)
	}

	p := newPortal(t)
	p.will(1, false)
	if v := k.Follow(t.Context(), true); v.State != globalkey.Refused {
		t.Errorf("a person who says no: %+v", v)
	}
	p.will(0, false)
	if v := k.Follow(t.Context(), true); v.State != globalkey.Refused {
		t.Errorf("asked again: %+v", v)
	}
	if asked, _ := p.will(0, true); asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	k.Follow(t.Context(), false)
	if v := k.Follow(t.Context(), true); v.State != globalkey.Refused {
		t.Errorf("none of the keys is granted: %+v", v)
	}
	k.Follow(t.Context(), false)
	p.will(0, false)
	v := k.Follow(t.Context(), true)
	_, wished := p.will(0, false)
	if v.State != globalkey.Granted || v.Trigger != "Press <Super>space" || wished["description"].Value() != "한 줄 창" || wished["preferred_trigger"].Value() != "CTRL+ALT+space" {
		t.Errorf("%+v, wished %v", v, wished)
	}

	// Only this session's own key counts, and only from the portal.
	stranger := connect(t)
	if err := stranger.Emit(at, iface+".Activated", open, "line", uint64(1), map[string]dbus.Variant{}); err != nil {
		t.Fatal(err)
	}
	if err := stranger.BusObject().Call("org.freedesktop.DBus.GetId", 0).Err; err != nil { // the bus has passed on what came before
		t.Fatal(err)
	}
	p.press(at+"/session/x/another", "line")
	p.press(open, "another")
	p.press(open, "line")
	<-presses
	select {
	case <-presses:
		t.Error("more than one press was heard")
	default:
	}

	// The desktop takes it away: the next look asks again.
	if err := p.conn.Emit(open, "org.freedesktop.portal.Session.Closed"); err != nil {
		t.Fatal(err)
	}
	before, _ := p.will(0, false)
	for asked := before; asked == before; asked, _ = p.will(0, false) {
		k.Follow(t.Context(), true)
	}
	p.press(open, "line")
	<-presses
}
