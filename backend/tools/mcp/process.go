package mcp

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"agentchat/backend/procgroup"
)

// process is a server that runs as a child, at the head of a process group of its own: what it starts ends with it.
type process struct {
	cmd    *exec.Cmd
	group  procgroup.Group
	in     *os.File      // its standard input
	out    *os.File      // its standard output
	errs   *os.File      // its standard error
	exited chan struct{} // closed when the child is gone
	ended  chan struct{} // closed when nothing of it is left to hear
	read   chan struct{} // closed when its standard error was read to the end
	grace  time.Duration
	said   func(line string)
	closed sync.Once

	mu   sync.Mutex
	last string // the last line of its standard error
}

// inherited are the variables a server gets besides its own: what programs need to run, and no keys.
var inherited = []string{
	"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR",
	"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE", "PROGRAMFILES",
	"SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR",
}

func environment(own map[string]string) []string {
	var env []string
	for _, name := range inherited {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	for name, value := range own {
		env = append(env, name+"="+value) // of a name that comes twice the last counts
	}
	return env
}

// start runs the server's command. said hears every line of its standard error, with secrets taken out.
func start(s Server, grace time.Duration, said func(line string)) (_ *process, err error) {
	p := &process{grace: grace, said: said, exited: make(chan struct{}), ended: make(chan struct{}), read: make(chan struct{})}
	// The child's end of each pipe. Pipes of our own, because those of os/exec are closed when the child ends, with its last
	// words unread.
	var theirs []*os.File
	defer func() {
		for _, f := range theirs {
			_ = f.Close()
		}
		if err != nil {
			for _, f := range []*os.File{p.in, p.out, p.errs} {
				if f != nil {
					_ = f.Close()
				}
			}
		}
	}()
	stdin, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.in, theirs = in, append(theirs, stdin)
	out, stdout, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.out, theirs = out, append(theirs, stdout)
	errs, stderr, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.errs, theirs = errs, append(theirs, stderr)

	p.cmd = exec.Command(s.Command, s.startArgs()...) //nolint:gosec,noctx // the person named the program; stop ends it
	p.cmd.Dir, p.cmd.Env = s.Dir, environment(s.Env)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = stdin, stdout, stderr
	if err := p.group.Start(p.cmd); err != nil {
		return nil, err
	}
	go p.listen()
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait()
		p.group.Kill() // whatever it left behind
		close(p.exited)
		<-p.read
		p.group.Close()
	}()
	return p, nil
}

// listen reads the standard error to its end. It keeps reading when nothing more is logged, or the server would stand still.
func (p *process) listen() {
	defer close(p.read)
	defer func() { _ = p.errs.Close() }()
	lines := bufio.NewReaderSize(p.errs, 4096)
	for n := 0; ; {
		raw, more, err := lines.ReadLine()
		if err != nil {
			return
		}
		for more && err == nil { // the rest of a long line
			_, more, err = lines.ReadLine()
		}
		line := plain(string(raw), maxLine)
		if line == "" {
			continue
		}
		p.mu.Lock()
		p.last = line
		p.mu.Unlock()
		if n++; n <= maxStderr {
			p.said(line)
		}
	}
}

// lastWords is the last line of its standard error.
func (p *process) lastWords() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

// stop ends the server and everything it started: its input closes, then it is asked, then it is killed. It returns when it
// is gone. With now it is killed at once.
func (p *process) stop(now bool) {
	p.closed.Do(func() {
		_ = p.in.Close()
		for _, ask := range []func(){func() {}, p.group.Ask} {
			if now {
				break
			}
			ask()
			if p.endsWithin(p.grace) {
				break
			}
		}
		p.group.Kill()
		// A grandchild that left the group may still hold the pipes: nobody waits for it.
		if !p.endsWithin(p.grace) {
			_ = p.errs.Close()
		}
		<-p.ended
		_ = p.out.Close()
	})
}

func (p *process) endsWithin(limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.ended:
		return true
	case <-timer.C:
		return false
	}
}

// noProgram: what a server's command names is not on this computer.
type noProgram struct{ command string }

func (e noProgram) Error() string { return e.command + ": not found" }

// explainStart says why a command did not start.
func explainStart(s Server, err error) error {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
		return noProgram{s.Command}
	}
	return err
}

// protocolOnly passes on what can be a message and drops other lines: servers that greet on their standard output are common.
type protocolOnly struct {
	from  *bufio.Reader
	file  io.Closer
	stray func(line string)
	rest  []byte // of the message being passed on
	open  bool   // the message goes on
}

func newProtocolOnly(from *os.File, stray func(line string)) *protocolOnly {
	return &protocolOnly{from: bufio.NewReaderSize(from, 64<<10), file: from, stray: stray}
}

// Read implements io.Reader.
func (p *protocolOnly) Read(to []byte) (int, error) {
	for len(p.rest) == 0 {
		piece, err := p.from.ReadSlice('\n')
		whole := err == nil
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return 0, err
		}
		if !p.open && !strings.HasPrefix(strings.TrimSpace(string(piece[:min(len(piece), 16)])), "{") {
			p.stray(plain(string(piece[:min(len(piece), maxLine)]), maxLine))
			if err := p.skip(whole); err != nil {
				return 0, err
			}
			continue
		}
		p.rest, p.open = slices.Clone(piece), !whole
	}
	n := copy(to, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// skip drops the rest of a line.
func (p *protocolOnly) skip(whole bool) error {
	for !whole {
		_, err := p.from.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		whole = err == nil
	}
	return nil
}

// Close implements io.Closer.
func (p *protocolOnly) Close() error { return p.file.Close() }
