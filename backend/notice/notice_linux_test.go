package notice_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/godbus/dbus/v5"

	"agentchat/backend/desktop/sessionbus"
	"agentchat/backend/notice"
	"agentchat/backend/testing/desktopbus"
)

const server = "org.freedesktop.Notifications"

// dunst is a real notification server, waited for.
func dunst(t *testing.T) *desktopbus.Bus {
	t.Helper()
	desktopbus.Need(t, "dunst", "dunst")
	bus := desktopbus.Open(t)
	bus.Display()
	conn, err := sessionbus.Connect()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	config := filepath.Join(t.TempDir(), "dunstrc")
	if err := os.WriteFile(config, []byte("[global]\nmarkup = full\nhistory_length = 20\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	signals := make(chan *dbus.Signal, 8)
	conn.Signal(signals)
	if err := conn.AddMatchSignal(dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, server)); err != nil {
		t.Fatal(err)
	}
	bus.Start("dunst", "-conf", config)
	for s := range signals {
		if len(s.Body) == 3 && s.Body[2] != "" {
			return bus
		}
	}
	t.Fatal("the bus is gone")
	return nil
}

func TestARealNotificationServer(t *testing.T) {
	bus := dunst(t)
	clicked, gone := make(chan struct{}, 4), make(chan struct{}, 4)
	desk, err := notice.Open(func() { clicked <- struct{}{} }, func() { gone <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	defer desk.Close()
	for _, body := range []string{"하나", "<b>둘</b>\x00 & <img src=x>"} {
		if err := desk.Show("질문", body, "열기"); err != nil {
			t.Fatal(err)
		}
	}
	if shown := bus.Run("dunstctl", "count", "displayed"); shown != "1\n" {
		t.Errorf("%s are shown: the second takes the place of the first", shown)
	}
	bus.Run("dunstctl", "action", "0") // as a click on the notification does
	<-clicked
	desk.Hide()
	if err := desk.Show("질문", "셋", "열기"); err != nil {
		t.Fatal(err)
	}
	bus.Run("dunstctl", "close")
	<-gone
	select {
	case <-clicked:
		t.Error("what was put away counts as clicked")
	default:
	}
	if shown := bus.Run("dunstctl", "count", "displayed"); shown != "0\n" {
		t.Errorf("%s are still shown", shown)
	}
	select {
	case <-gone:
		t.Error("what was taken away counts as put away")
	default:
	}
	var history struct {
		Data [][]struct {
			Body struct{ Data string } `json:"body"`
		}
	}
	if err := json.Unmarshal([]byte(bus.Run("dunstctl", "history")), &history); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, n := range history.Data[0] {
		seen[n.Body.Data] = true
	}
	if !seen["<b>둘</b> & <img src=x>"] && !seen["&lt;b&gt;둘&lt;/b&gt; &amp; &lt;img src=x&gt;"] {
		t.Errorf("the words were read as markup: %v", seen)
	}
}

func TestWithoutABus(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	if _, err := notice.Open(func() {}, func() {}); err == nil {
		t.Error("there is no bus, and it says nothing")
	}
}
