package engine

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"agentchat/backend/procgroup"
)

// child is the program while it runs, with everything that it starts.
type child struct {
	addr  string
	log   string
	cmd   *exec.Cmd
	group procgroup.Group
	hold  *os.File      // as long as it is open the engine lives
	gone  chan struct{} // closed when it has ended
	once  sync.Once
}

// stopMost is how long the engine may take to end by itself.
const stopMost = 8 * time.Second

// launch starts the program on a port that is free, with a home of its own.
func (e *Engine) launch(ctx context.Context) (*child, error) {
	addr, err := freeAddr(ctx)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(e.Models(), 0o700); err != nil {
		return nil, err
	}
	out, err := os.OpenFile(e.o.LogFile, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }()
	held, hold, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = held.Close() }()
	c := &child{addr: addr, log: e.o.LogFile, cmd: command(e.o.Program, "serve"), hold: hold, gone: make(chan struct{})}
	c.cmd.Env = append(others(os.Environ()), "OLLAMA_HOST="+addr, "OLLAMA_MODELS="+e.Models(), "HOME="+e.o.Dir, "OLLAMA_NO_CLOUD=1")
	c.cmd.Dir = e.o.Dir
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = held, out, out
	if err := c.group.Start(c.cmd); err != nil {
		_ = hold.Close()
		return nil, err
	}
	go func() {
		_ = c.cmd.Wait()
		c.group.Kill() // whatever it left behind
		c.group.Close()
		close(c.gone)
		e.loop.Wake()
	}()
	return c, nil
}

// others are the variables that do not speak to an Ollama: a person's are for their own.
func others(environ []string) (list []string) {
	for _, v := range environ {
		if !strings.HasPrefix(v, "OLLAMA_") {
			list = append(list, v)
		}
	}
	return list
}

// freeAddr finds a port of this computer that is free. Whoever takes it in between makes the engine end, and it is started on another.
func freeAddr(ctx context.Context) (string, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

func (c *child) pid() int { return c.cmd.Process.Pid }

// stop ends it and all it started, and returns when they are gone.
func (c *child) stop() {
	c.once.Do(func() { _ = c.hold.Close() })
	late := time.NewTimer(stopMost)
	defer late.Stop()
	select {
	case <-c.gone:
	case <-late.C:
		c.group.Kill()
		<-c.gone
	}
}

// lastWords is the end of what it wrote: mostly the reason it ended.
func (c *child) lastWords() string {
	text, err := os.ReadFile(c.log)
	if err != nil {
		return ""
	}
	const most = 300
	text = text[max(0, len(text)-most):]
	if i := strings.LastIndexByte(strings.TrimRight(string(text), "\n"), '\n'); i >= 0 {
		text = text[i+1:]
	}
	return strings.TrimSpace(string(text))
}

// await waits until the program answers, and gives its version.
func (e *Engine) await(ctx context.Context, c *child) (version string, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, startMost)
	defer cancel()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		if version := e.version(ctx, c.addr); version != "" {
			return version, true
		}
		select {
		case <-c.gone:
			return "", false
		case <-ctx.Done():
			return "", false
		case <-again.C:
		}
	}
}

// version asks a server who it is; "": it does not say.
func (e *Engine) version(ctx context.Context, addr string) string {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/api/version", nil)
	if err != nil {
		return ""
	}
	answer, err := e.http.Do(r)
	if err != nil {
		return ""
	}
	defer func() { _ = answer.Body.Close() }()
	var said struct{ Version string }
	if answer.StatusCode != http.StatusOK || json.NewDecoder(answer.Body).Decode(&said) != nil {
		return ""
	}
	return said.Version
}
