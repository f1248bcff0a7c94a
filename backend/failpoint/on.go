//go:build failpoint

// Package failpoint names the moments at which a crash test kills the program. Releases are built without the tag
// "failpoint": then Enabled is a false constant and every use compiles to nothing.
package failpoint

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"agentchat/backend/failpoint/env"
)

// Enabled tells whether this program was built for crash tests.
const Enabled = true

var state = sync.OnceValue(func() *plan {
	p := &plan{}
	if name, count, ok := strings.Cut(os.Getenv(env.Kill), "#"); ok {
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 {
			panic(fmt.Sprintf("%s: %q is not name#n", env.Kill, os.Getenv(env.Kill)))
		}
		p.name, p.left = name, n
	}
	if path := os.Getenv(env.Trail); path != "" {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		p.trail = f
	}
	return p
})

type plan struct {
	mu    sync.Mutex
	name  string
	left  int
	trail *os.File
}

// Hit says that the program is at a named moment. When a test has chosen this one, the process is gone before Hit
// returns, as after kill -9. Safe for concurrent use.
func Hit(name string) {
	p := state()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.trail != nil {
		if _, err := p.trail.WriteString(name + "\n"); err != nil {
			panic(err)
		}
	}
	if name != p.name {
		return
	}
	if p.left--; p.left == 0 {
		kill()
	}
}

// kill ends this process at once: no deferred function runs, nothing is flushed.
func kill() {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		panic(err)
	}
	select {} // the signal is on its way
}
