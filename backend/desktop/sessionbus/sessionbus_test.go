package sessionbus_test

import (
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"agentchat/backend/desktop/sessionbus"
)

// A bus that takes calls and never answers is done without; one that is not there is no reason to wait.
func TestADeafBusIsShunned(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bus")
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	for address, want := range map[string]bool{"": false, "unix:path=" + path: true, "unix:path=" + path + ".none": false} {
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
		patience := time.Minute
		if want {
			patience = time.Millisecond
		}
		if got := sessionbus.Shun(patience); got != want {
			t.Errorf("%q: %t", address, got)
		}
		if now := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); want != (now == "disabled:") {
			t.Errorf("%q became %q", address, now)
		}
		if !want {
			continue
		}
		if _, err := sessionbus.Connect(); err == nil {
			t.Error("connected to no bus")
		}
	}
}
