package main

import (
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"agentchat/backend/cli"
	"agentchat/backend/event"
)

// seat is a terminal with a command in it.
type seat struct {
	t    *testing.T
	cmd  *exec.Cmd
	desk *os.File // where a person would look and type

	mu   sync.Mutex
	seen string
	news chan struct{}
	over bool
}

// sit starts a command in a terminal of its own. in is its input where that is not the terminal.
func sit(t *testing.T, dir string, in io.Reader, args ...string) *seat {
	t.Helper()
	desk, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = desk.Close() })
	if err := unix.IoctlSetPointerInt(int(desk.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(desk.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	tty, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	s := &seat{t: t, cmd: commandOn(t, dir, args...), desk: desk, news: make(chan struct{})}
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	if in != nil {
		s.cmd.Stdin = in
	}
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go s.look()
	return s
}

func (s *seat) look() {
	buf := make([]byte, 4096)
	for {
		n, err := s.desk.Read(buf)
		s.mu.Lock()
		s.seen += string(buf[:n])
		s.over = err != nil
		close(s.news)
		s.news = make(chan struct{})
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// shows waits until something stands on the terminal.
func (s *seat) shows(text string) string {
	s.t.Helper()
	for {
		s.mu.Lock()
		seen, over, news := s.seen, s.over, s.news
		s.mu.Unlock()
		if strings.Contains(seen, text) {
			return seen
		}
		if over {
			s.t.Fatalf("%q never stood there: %q", text, seen)
		}
		select {
		case <-news:
		case <-time.After(patience):
			s.t.Fatalf("%q does not come: %q", text, seen)
		}
	}
}

func (s *seat) types(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.desk, text+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

func (s *seat) ends(code int) {
	s.t.Helper()
	if _ = s.cmd.Wait(); s.cmd.ProcessState.ExitCode() != code {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.t.Errorf("%v, not %d: %q", s.cmd.ProcessState, code, s.seen)
	}
}

// carefully is a shop whose calculator asks every time.
func carefully(t *testing.T) *session {
	t.Helper()
	s := start(t, t.TempDir())
	s.must("config", map[string]any{"set": map[string]any{"tools.calculator.confirm": "always"}}, nil)
	return s
}

// mustStop stops a job by its number, as somebody else would.
func (s *session) mustStop(number string) {
	s.t.Helper()
	if _, said, code := command(s.t, s.dir, "", "stop", number); code != cli.Done {
		s.t.Fatalf("%d: %s", code, said)
	}
}

func TestQuestionsAreAskedOnTheTerminal(t *testing.T) {
	s := carefully(t)
	a := sit(t, s.dir, nil, "ask", "3 더하기 4")
	a.shows("1) 승인")
	a.types("99")
	a.shows("번호 하나를")
	a.types("1")
	a.shows("= 7")
	a.ends(cli.Done)

	a = sit(t, s.dir, nil, "ask", "5 더하기 6") // words behind a no say what to do instead
	a.shows("1) 승인")
	a.types("reject 50 더하기 6으로 해줘")
	a.shows("50 + 6")
	a.shows("1) 승인")
	s.mustStop("2")
	a.ends(cli.CalledOff)

	a = sit(t, s.dir, nil, "ask", "엄마한테 만원 보내줘")
	a.shows("1) 확인")
	a.types("응") // what it shows can be said yes to
	a.shows("완료")
	a.ends(cli.Done)

	a = sit(t, s.dir, nil, "ask", "7 더하기 8") // nobody goes on
	a.shows("1) 승인")
	a.types("\x04")
	a.ends(cli.Waits)
	s.quit()
}

// A pipe at the input leaves the terminal for questions.
func TestAPipeLeavesTheTerminalForQuestions(t *testing.T) {
	s := carefully(t)
	a := sit(t, s.dir, strings.NewReader("3 더하기 9"), "ask")
	a.shows("1) 승인")
	a.types("1")
	a.shows("= 12")
	a.ends(cli.Done)
	s.quit()
}

// One question, two who answer: the first counts, and the other is told.
func TestAQuestionIsAnsweredElsewhere(t *testing.T) {
	s := carefully(t)
	from := s.mark()
	a := sit(t, s.dir, nil, "ask", "3 더하기 4")
	a.shows("1) 승인")
	job := s.awaitFrom(from, "its job", func(l line) bool { return l.Kind == event.KindJobCreated }).Job
	q := s.asked(job, from)
	s.must("answer", map[string]any{"ask": q.ID, "choice": "approve", "digest": q.Digest}, nil)
	a.shows("다른 곳에서 답했어요: approve")
	a.ends(cli.Done)

	from = s.mark() // and the other way round
	a = sit(t, s.dir, nil, "ask", "30 더하기 40")
	job = s.awaitFrom(from, "its job", func(l line) bool { return l.Kind == event.KindJobCreated }).Job
	q = s.asked(job, from)
	a.shows("1) 승인")
	a.types("1")
	a.ends(cli.Done)
	if got := s.do("answer", map[string]any{"ask": q.ID, "choice": "reject"}); got.OK || got.Error.Code != "stale_answer" {
		t.Errorf("%+v", got)
	}

	for range 10 { // at the same time
		from = s.mark()
		a = sit(t, s.dir, nil, "ask", "300 더하기 400")
		job = s.awaitFrom(from, "its job", func(l line) bool { return l.Kind == event.KindJobCreated }).Job
		q = s.asked(job, from)
		a.shows("1) 승인")
		a.types("1")
		won := s.do("answer", map[string]any{"ask": q.ID, "choice": "reject"})
		if won.OK {
			a.shows("다른 곳에서")
			a.ends(cli.CalledOff)
			continue
		}
		a.shows("= 700")
		a.ends(cli.Done)
	}
	s.quit()
}

// What others wrote does not steer the terminal.
func TestNothingSteersTheTerminal(t *testing.T) {
	s := start(t, t.TempDir())
	a := sit(t, s.dir, strings.NewReader("제1조 \x1b[2J\x1b]0;속임\x07 기간은 3년으로 한다.\n"), "ask", "기간은 얼마야?")
	if seen := a.shows("3년"); strings.ContainsAny(seen, "\x1b\x07") {
		t.Errorf("%q", seen)
	}
	a.ends(cli.Done)
	s.quit()
}

// Leaving a command leaves its work.
func TestACommandIsInterrupted(t *testing.T) {
	s := start(t, t.TempDir())
	a := sit(t, s.dir, nil, "ask", "노래 틀어줘")
	job := s.await("its job", func(l line) bool { return l.Kind == event.KindJobCreated }).Job
	s.holds(job, "song")
	a.shows("노래")
	a.types("\x03")
	a.shows("stop 1")
	a.ends(cli.LeftOff)
	out, _, _ := command(t, s.dir, "", "jobs")
	has(t, "it goes on", out, "하는 중")
	s.quit()
}
