package crash

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/failpoint/env"
)

// patience bounds how long one run of the program may take to come to rest.
const patience = 5 * time.Minute

// errGone says that the program is no more.
var errGone = errors.New("the program is gone")

// process is one run of the program.
type process struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	next int
	home string // the folder around the data folder

	house *modelHouse // the model server of the story, if it has one
	life  int         // how many runs there were before

	mu      sync.Mutex
	replies map[int]reply
	events  []event.Envelope
	errors  []byte
	gone    bool
	news    chan struct{}
}

type reply struct {
	ID     int             `json:"id"`
	OK     bool            `json:"ok"`
	Result json.RawMessage `json:"result"`
	Error  event.Error     `json:"error"`
}

// launch starts the program. kill is "name#n" or empty; trail and witness are files.
func launch(program, dir, kill, trail, witness string, days int, flags ...string) (*process, error) {
	p := &process{replies: map[int]reply{}, news: make(chan struct{})}
	p.cmd = exec.Command(program, append([]string{"--data", dir, "--provider", "builtin", "--lang", "ko", "--pace", "100", "--log-level", "warn"}, flags...)...)
	p.home = filepath.Dir(dir)
	p.cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+filepath.Join(p.home, "share"), env.Kill+"="+kill, env.Trail+"="+trail, env.Witness+"="+witness, env.Days+"="+strconv.Itoa(days),
		env.Full+"="+fullDisk(p.home))
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.cmd.Stderr = writer(func(b []byte) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.errors = append(p.errors, b...)
	})
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.read(out)
	return p, nil
}

type writer func([]byte)

func (w writer) Write(b []byte) (int, error) { w(b); return len(b), nil }

func (p *process) read(out io.Reader) {
	r := bufio.NewReader(out)
	for {
		line, err := r.ReadBytes('\n')
		var e event.Envelope
		whole := err == nil && json.Unmarshal(line, &e) == nil // the last line of a killed program may be cut short
		p.mu.Lock()
		switch {
		case whole && e.Kind == event.KindReply:
			var a reply
			if json.Unmarshal(e.Data, &a) == nil {
				p.replies[a.ID] = a
			}
		case whole:
			p.events = append(p.events, e)
		}
		p.gone = p.gone || err != nil
		close(p.news)
		p.news = make(chan struct{})
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// until waits until ready, called with p.mu held, says so. errGone when the program ends before.
func (p *process) until(what string, ready func() bool) error {
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		p.mu.Lock()
		ok, gone, news := ready(), p.gone, p.news
		p.mu.Unlock()
		switch {
		case ok:
			return nil
		case gone:
			return errGone
		}
		select {
		case <-news:
		case <-deadline.C:
			return fmt.Errorf("never came: %s", what)
		}
	}
}

// do sends a command and reads its result into v, which may be nil.
func (p *process) do(cmd string, fields map[string]any, v any) error {
	p.next++
	id := p.next
	c := map[string]any{"cmd": cmd, "id": id}
	for k, f := range fields {
		c[k] = f
	}
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return errGone
	}
	var a reply
	err = p.until("a reply to "+cmd, func() (ok bool) { a, ok = p.replies[id]; return ok })
	switch {
	case err != nil:
		return err
	case !a.OK:
		return refusal{cmd, a.Error}
	case v == nil:
		return nil
	}
	return json.Unmarshal(a.Result, v)
}

// rest waits until nothing goes on that does not wait for an answer.
func (p *process) rest() error {
	return p.do("wait", map[string]any{"until": "idle", "timeout_ms": patience.Milliseconds()}, nil)
}

// refusal is an error the program answered with.
type refusal struct {
	cmd    string
	reason event.Error
}

func (r refusal) Error() string { return r.cmd + ": " + r.reason.Code + ": " + r.reason.Message }

// refused tells whether the program answered with this code.
func refused(err error, code string) bool {
	var r refusal
	return errors.As(err, &r) && r.reason.Code == code
}

// kill ends the program as kill -9 does.
func (p *process) kill() { _ = p.cmd.Process.Kill() }

// wait returns when the program has ended and all it said is read; the error is how it ended.
func (p *process) wait() error {
	_ = p.in.Close()
	err := p.until("the end of the program", func() bool { return p.gone })
	if err != nil {
		p.kill()
	}
	return errors.Join(err, p.cmd.Wait())
}

func (p *process) complaint() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.errors)
}
