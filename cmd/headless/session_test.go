package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/testing/fakemodel"
	"agentchat/backend/testing/ledgertest"
)

// child makes the test binary the headless front itself, so that the tests drive a real process.
const child = "AGENTCHAT_TEST_HEADLESS"

func TestMain(m *testing.M) {
	fakemodel.BeChild()
	if os.Getenv(outside) != "" {
		os.Exit(beOutside())
	}
	if os.Getenv(child) != "" {
		os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// patience is how long a test waits for an event that must come.
const patience = 5 * time.Minute

type line struct {
	Seq  uint64          `json:"seq"`
	Kind event.Kind      `json:"kind"`
	Chat string          `json:"chat"`
	Job  string          `json:"job"`
	Data json.RawMessage `json:"data"`
}

// session is one running headless front: what it printed, and a way to say something to it.
type session struct {
	t    testing.TB
	cmd  *exec.Cmd
	in   io.WriteCloser
	dir  string
	next int
	last func()        // what is looked at before the end; may be nil
	more string        // said behind every wish
	wait time.Duration // 0: patience

	mu    sync.Mutex
	lines []line
	news  chan struct{}
	ended bool
	cut   string        // of the last line, where its end is missing
	over  chan struct{} // closed when all that was printed has been read
}

func start(t testing.TB, dir string, args ...string) *session {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &session{t: t, dir: dir, news: make(chan struct{}), over: make(chan struct{})}
	s.cmd = exec.CommandContext(t.Context(), exe, append([]string{"--data", ledgertest.In(dir), "--provider", "builtin", "--lang", "ko"}, args...)...)
	s.cmd.Env = append(os.Environ(), child+"=1")
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go s.read(out)
	t.Cleanup(func() { // before its folder is taken away, in which it would go on writing
		_ = s.cmd.Process.Kill()
		<-s.over
		_ = s.cmd.Wait() // it may be over already
	})
	s.await("ready", func(l line) bool { return l.Kind == event.KindReady })
	return s
}

func (s *session) read(out io.Reader) {
	defer close(s.over)
	r := bufio.NewReader(out)
	for {
		text, err := r.ReadBytes('\n')
		var l line
		if err == nil && json.Unmarshal(text, &l) != nil {
			s.t.Errorf("not a line of JSON: %q", text)
		}
		s.mu.Lock()
		if err == nil {
			s.lines = append(s.lines, l)
		} else { // who is killed may be in the middle of a line
			s.cut = string(text)
		}
		s.ended = err != nil
		close(s.news)
		s.news = make(chan struct{})
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// mark is a place in what was printed so far.
func (s *session) mark() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.lines)
}

func (s *session) await(what string, is func(line) bool) line { return s.awaitFrom(0, what, is) }

// awaitFrom gives the first line from a mark on that is meant, waiting for it.
func (s *session) awaitFrom(from int, what string, is func(line) bool) line {
	s.t.Helper()
	deadline := time.NewTimer(cmp.Or(s.wait, patience))
	defer deadline.Stop()
	for {
		s.mu.Lock()
		for ; from < len(s.lines); from++ {
			if is(s.lines[from]) {
				defer s.mu.Unlock()
				return s.lines[from]
			}
		}
		news, ended := s.news, s.ended
		s.mu.Unlock()
		if ended {
			s.t.Fatalf("the front ended before: %s", what)
		}
		select {
		case <-news:
		case <-deadline.C:
			s.t.Fatalf("never came: %s", what)
		}
	}
}

type answer struct {
	ID     int             `json:"id"`
	OK     bool            `json:"ok"`
	Result json.RawMessage `json:"result"`
	Error  event.Error     `json:"error"`
}

func (s *session) write(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, text+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

// do sends a command and gives its reply.
func (s *session) do(cmd string, fields map[string]any) answer {
	s.t.Helper()
	s.next++
	c := map[string]any{"cmd": cmd, "id": s.next}
	for k, v := range fields {
		c[k] = v
	}
	data, err := json.Marshal(c)
	if err != nil {
		s.t.Fatal(err)
	}
	from := s.mark()
	s.write(string(data))
	var a answer
	s.awaitFrom(from, "reply to "+cmd, func(l line) bool {
		a = answer{}
		return l.Kind == event.KindReply && json.Unmarshal(l.Data, &a) == nil && a.ID == s.next
	})
	return a
}

// must is do for commands that have to work; it reads the result into v (may be nil).
func (s *session) must(cmd string, fields map[string]any, v any) {
	s.t.Helper()
	a := s.do(cmd, fields)
	if !a.OK {
		s.t.Fatalf("%s: %s: %s", cmd, a.Error.Code, a.Error.Message)
	}
	if v != nil {
		if err := json.Unmarshal(a.Result, v); err != nil {
			s.t.Fatal(err)
		}
	}
}

// wish says something and gives the one job it becomes.
func (s *session) wish(text string) string {
	s.t.Helper()
	from := s.mark()
	s.must("say", map[string]any{"text": text + s.more}, nil)
	job := s.awaitFrom(from, "a job for "+text, func(l line) bool { return l.Kind == event.KindJobCreated }).Job
	s.awaitFrom(from, "turn.done of "+text, func(l line) bool { return l.Kind == event.KindTurnDone })
	return job
}

// asked waits for the job's question.
func (s *session) asked(job string, from int) event.AskOpened {
	s.t.Helper()
	var a event.AskOpened
	l := s.awaitFrom(from, "a question of the job", func(l line) bool { return l.Kind == event.KindAskOpened && l.Job == job })
	if err := json.Unmarshal(l.Data, &a); err != nil {
		s.t.Fatal(err)
	}
	return a
}

func (s *session) holds(job, tool string) {
	s.t.Helper()
	s.await(tool+" for the job", func(l line) bool {
		var a event.ToolAcquired
		return l.Kind == event.KindToolAcquired && l.Job == job && json.Unmarshal(l.Data, &a) == nil && a.Tool == tool
	})
}

func (s *session) becomes(job, state string) {
	s.t.Helper()
	s.await("job "+state, func(l line) bool {
		var j event.JobState
		return l.Kind == event.KindJobState && l.Job == job && json.Unmarshal(l.Data, &j) == nil && j.To == state
	})
}

// quit ends the session and checks what must hold of every one: a clean end and no gap in seq.
func (s *session) quit() {
	s.t.Helper()
	if s.last != nil {
		s.last()
	}
	s.must("quit", nil, nil)
	if err := s.gone(); err != nil {
		s.t.Errorf("the front did not end cleanly: %v", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cut != "" {
		s.t.Errorf("the last line has no end: %q", s.cut)
	}
	next := uint64(1)
	for _, l := range s.lines {
		switch l.Seq {
		case 0: // a reply, or ready
		case next:
			next++
		default:
			s.t.Fatalf("seq %d where %d was due", l.Seq, next)
		}
	}
}

// gone waits for the end of the front. Waiting for a process takes away what has not been read of it, so that is read first.
func (s *session) gone() error {
	<-s.over
	return s.cmd.Wait()
}

// kill ends the front as a power cut would: there is no clean end to check.
func (s *session) kill() {
	s.t.Helper()
	if err := s.cmd.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	_ = s.gone()
}

func (s *session) snapshot() snapshot {
	s.t.Helper()
	var snap snapshot
	s.must("snapshot", nil, &snap)
	return snap
}

// snapshot holds the fields of the contract that the tests look at.
type snapshot struct {
	Workers []event.WorkerState `json:"workers"`
	Jobs    []struct {
		ID    string `json:"id"`
		State string `json:"state"`
	} `json:"jobs"`
	Inventory []struct {
		Tool      string         `json:"tool"`
		Capacity  int            `json:"capacity"`
		Holders   []event.Holder `json:"holders"`
		BlockedBy []event.Holder `json:"blockedBy"`
		Waiting   []struct {
			JobID string `json:"jobId"`
			Place int    `json:"place"`
		} `json:"waiting"`
	} `json:"inventory"`
	Groups []struct {
		Group   string         `json:"group"`
		Holders []event.Holder `json:"holders"`
	} `json:"groups"`
}

// holders lists who has a tool and who waits for it, as job ids.
func (s snapshot) tool(key string) (holders, blockers, waiting []string) {
	for _, rack := range s.Inventory {
		if rack.Tool != key {
			continue
		}
		for _, h := range rack.Holders {
			holders = append(holders, h.JobID)
		}
		for _, h := range rack.BlockedBy {
			blockers = append(blockers, h.JobID)
		}
		for i, w := range rack.Waiting {
			if w.Place != i+1 {
				waiting = append(waiting, fmt.Sprintf("place %d?", w.Place))
			}
			waiting = append(waiting, w.JobID)
		}
	}
	return holders, blockers, waiting
}
