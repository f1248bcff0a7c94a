package tray_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"agentchat/backend/desktop/sessionbus"
	"agentchat/backend/testing/desktopbus"
	"agentchat/backend/tray"
)

const (
	watcher = "org.kde.StatusNotifierWatcher"
	menu    = "com.canonical.dbusmenu"
)

// panel is a real host, the panel of Xfce with nothing but its tray, and what the test sees of the bus.
type panel struct {
	t       *testing.T
	bus     *desktopbus.Bus
	conn    *dbus.Conn
	signals chan *dbus.Signal
}

func newPanel(t *testing.T) *panel {
	t.Helper()
	desktopbus.Need(t, "xfce4-panel", "xfce4-panel")
	p := &panel{t: t, bus: desktopbus.Open(t), signals: make(chan *dbus.Signal, 4096)}
	p.bus.Display()
	var err error
	if p.conn, err = sessionbus.Connect(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.conn.Close() })
	p.conn.Signal(p.signals)
	for _, match := range [][]dbus.MatchOption{
		{dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, watcher)},
		{dbus.WithMatchInterface(watcher)},
		{dbus.WithMatchInterface(menu)},
	} {
		if err := p.conn.AddMatchSignal(match...); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// start begins the panel and waits until it watches.
func (p *panel) start() (stop func()) {
	p.t.Helper()
	for _, set := range [][]string{
		{"/panels", "-t", "int", "-s", "1", "-a"},
		{"/panels/panel-1/plugin-ids", "-t", "int", "-s", "1", "-a"},
		{"/panels/panel-1/position", "-t", "string", "-s", "p=6;x=0;y=0"},
		{"/panels/panel-1/size", "-t", "uint", "-s", "32"},
		{"/plugins/plugin-1", "-t", "string", "-s", "systray"},
	} {
		p.bus.Run("xfconf-query", append([]string{"-c", "xfce4-panel", "-n", "-p"}, set...)...)
	}
	stop = p.bus.Start("xfce4-panel", "--disable-wm-check")
	p.hear("the host", func(s *dbus.Signal) bool { return s.Name == "org.freedesktop.DBus.NameOwnerChanged" && s.Body[2] != "" })
	return stop
}

// hear waits for a signal.
func (p *panel) hear(what string, fits func(*dbus.Signal) bool) *dbus.Signal {
	p.t.Helper()
	late := time.NewTimer(time.Minute) // far longer than a desktop takes
	defer late.Stop()
	for {
		select {
		case s, more := <-p.signals:
			if !more {
				p.t.Fatalf("the bus is gone before %s", what)
			}
			if fits(s) {
				return s
			}
		case <-late.C:
			p.t.Fatalf("never heard %s", what)
		}
	}
}

// item is the icon on the bus.
func (p *panel) item() dbus.BusObject {
	p.t.Helper()
	p.hear("the icon", func(s *dbus.Signal) bool { return s.Name == watcher+".StatusNotifierItemRegistered" })
	return p.conn.Object(fmt.Sprintf("org.kde.StatusNotifierItem-%d-1", os.Getpid()), "/StatusNotifierItem/menu")
}

func picture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 16, 16))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type layout struct {
	ID       int32
	Props    map[string]dbus.Variant
	Children []dbus.Variant
}

// entries are the visible lines of the menu by what they say, read as a host reads them.
func (p *panel) entries(item dbus.BusObject) (titles []string, ids map[string]int32) {
	p.t.Helper()
	var revision uint32
	var root layout
	if err := item.Call(menu+".GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &root); err != nil {
		p.t.Fatal(err)
	}
	ids = map[string]int32{}
	for _, child := range root.Children {
		var l layout
		if err := dbus.Store([]any{child.Value()}, &l); err != nil {
			p.t.Fatal(err)
		}
		if v, ok := l.Props["visible"]; ok && v.Value() == false {
			continue
		}
		title := "-"
		if v, ok := l.Props["label"]; ok {
			title, _ = v.Value().(string)
			ids[title] = l.ID
			if l.Props["enabled"].Value() == false {
				title = "(" + title + ")"
			}
		}
		titles = append(titles, title)
	}
	return titles, ids
}

// wants waits until the menu says exactly this.
func (p *panel) wants(item dbus.BusObject, want string) map[string]int32 {
	p.t.Helper()
	for {
		titles, ids := p.entries(item)
		if strings.Join(titles, "|") == want {
			return ids
		}
		p.hear(fmt.Sprintf("%q in the place of %q", want, titles), func(s *dbus.Signal) bool { return strings.HasPrefix(s.Name, menu) })
	}
}

// A desktop without a host says so; when one comes it has the icon, with its menu, which follows, and so has one that comes after it.
// It is one test, because a program has one icon for as long as it lives.
func TestARealTrayHost(t *testing.T) {
	p := newPanel(t)
	opened, did := make(chan struct{}, 1), make(chan string, 1)
	do := func(what string) func() { return func() { did <- what } }
	icon := tray.New(picture(t), "Agent Chat", func() { opened <- struct{}{} }, 1, 3)
	icon.Show(tray.Menu{{{Title: "열기", Do: do("open")}}, {{Title: "하고 있는 일 2개"}, {Title: "보고서_\u202e초안\n\x00 쓰기", Do: do("a")}, {Title: "노래", Do: do("b")}, {Title: "no room"}}})
	icon.Start()
	defer icon.Close()
	if icon.Shown(t.Context()) {
		t.Error("there is no host, and it says that the icon is shown")
	}
	stop := p.start()
	item := p.item()
	ids := p.wants(item, "열기|-|(하고 있는 일 2개)|보고서__초안 쓰기|노래")
	for late := time.Now().Add(time.Minute); !icon.Shown(t.Context()); { // a host that has just come may be too busy to answer in time
		if time.Now().After(late) {
			t.Fatal("the host is there, and it says that no icon is shown")
		}
	}
	click := func(title string) {
		t.Helper()
		if err := item.Call(menu+".Event", 0, ids[title], "clicked", dbus.MakeVariant(0), uint32(0)).Err; err != nil {
			t.Fatal(err)
		}
	}
	click("노래")
	if what := <-did; what != "b" {
		t.Errorf("the click did %q", what)
	}
	// What is clicked is what the entry says now.
	icon.Show(tray.Menu{{{Title: "Open", Do: do("open")}}, {{Title: "One job"}, {Title: "Song", Do: do("c")}}})
	ids = p.wants(item, "Open|-|(One job)|Song")
	click("Song")
	if what := <-did; what != "c" {
		t.Errorf("the click did %q", what)
	}
	if err := p.conn.Object(item.Destination(), "/StatusNotifierItem").Call("org.kde.StatusNotifierItem.Activate", 0, int32(0), int32(0)).Err; err != nil {
		t.Fatal(err)
	}
	<-opened
	stop()
	if icon.Shown(t.Context()) {
		t.Error("the host is gone, and it says that the icon is shown")
	}
	p.start()
	p.item()
}
