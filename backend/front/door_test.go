package front

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/shop"
	"agentchat/backend/testing/ledgertest"
)

// opened is a shop with its door, which cuts off who does not read for a while.
func opened(t *testing.T, patience time.Duration) (*shop.Shop, *Door, string) {
	t.Helper()
	dir := ledgertest.In(t.TempDir())
	s, err := shop.Open(t.Context(), shop.Options{Config: config.Options{DataDir: dir, Env: []string{"HOME=" + dir}, Flags: map[string]string{"provider": "builtin"}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	d, err := hang(s, patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return s, d, dir
}

type caller struct {
	net.Conn
	in *bufio.Reader
}

func call(t *testing.T, dir string) caller {
	t.Helper()
	conn, err := Dial(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return caller{conn, bufio.NewReader(conn)}
}

func (c caller) next(t *testing.T) (l event.Envelope) {
	t.Helper()
	text, err := c.in.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(text, &l)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// until gives the first line of a kind, with what stands in it.
func (c caller) until(t *testing.T, kind event.Kind, holds string) event.Envelope {
	t.Helper()
	for {
		if l := c.next(t); l.Kind == kind && strings.Contains(string(l.Data), holds) {
			return l
		}
	}
}

// Several fronts see the one stream, without a gap from where they came in; one that says quit ends only itself.
func TestFrontsSeeOneStream(t *testing.T) {
	s, _, dir := opened(t, time.Minute)
	a, b := call(t, dir), call(t, dir)
	for _, c := range []caller{a, b} {
		var ready event.Ready
		if l := c.next(t); l.Kind != event.KindReady || json.Unmarshal(l.Data, &ready) != nil || ready.DataDir != dir {
			t.Fatalf("%+v", l)
		}
	}
	if _, err := io.WriteString(a, `{"cmd":"say","text":"12 곱하기 12","id":1}`+"\n"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []caller{a, b} {
		next := uint64(0)
		for {
			l := c.next(t)
			if l.Seq > 0 {
				if next > 0 && l.Seq != next {
					t.Fatalf("seq %d where %d was due", l.Seq, next)
				}
				next = l.Seq + 1
			}
			if l.Kind == event.KindJobReport && strings.Contains(string(l.Data), "144") {
				break
			}
		}
	}
	if _, err := io.WriteString(b, `{"cmd":"quit"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, b.in); err != nil {
		t.Errorf("after quit: %v", err)
	}
	if _, err := io.WriteString(a, `{"cmd":"say","text":"5 더하기 6","id":2}`+"\n"); err != nil {
		t.Fatal(err)
	}
	a.until(t, event.KindJobReport, "11")
	if err := s.WaitIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Who does not read is cut off, and nobody waits for them.
func TestASlowReaderIsCutOff(t *testing.T) {
	s, d, dir := opened(t, 50*time.Millisecond)
	slow := call(t, dir)
	slow.next(t)
	long := strings.Repeat("가", 20_000)
	gone := make(chan struct{})
	go func() { _ = d.Wait(context.Background()); close(gone) }()
	for cut := false; !cut; { // until no socket holds any more
		s.Bus.Publish(event.Of("", "", event.Error{Code: "noise", Message: long}))
		select {
		case <-gone:
			cut = true
		default:
		}
	}
	ok := call(t, dir)
	ok.next(t)
	if _, err := io.WriteString(ok, `{"cmd":"say","text":"2 곱하기 21","id":1}`+"\n"); err != nil {
		t.Fatal(err)
	}
	ok.until(t, event.KindJobReport, "42")
}

// What a front had sent before it went away is done, though nobody reads what comes of it.
func TestWhatWasSentIsDone(t *testing.T) {
	s, d, dir := opened(t, time.Minute)
	for i := range 20 {
		c := call(t, dir)
		c.next(t) // it is in
		if _, err := io.WriteString(c, `{"cmd":"say","text":"7 곱하기 6"}`+"\n"+`{"cmd":"say","text":"1 더하기 1"}`+"\n"); err != nil {
			t.Fatal(err)
		}
		_ = c.Close()
		if err := d.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		list, err := s.History(t.Context(), "main", "", 1000)
		if err != nil {
			t.Fatal(err)
		}
		said := 0
		for _, m := range list {
			if m.Role == event.RoleCustomer {
				said++
			}
		}
		if said != 2*(i+1) {
			t.Fatalf("of %d messages %d were heard", 2*(i+1), said)
		}
	}
}

// One too many is told why; when another has gone there is room again.
func TestThereIsRoomForSoMany(t *testing.T) {
	_, d, dir := opened(t, time.Minute)
	var in []caller
	for range mostFronts {
		c := call(t, dir)
		c.next(t)
		in = append(in, c)
	}
	if l := call(t, dir).next(t); l.Kind != event.KindError || !strings.Contains(string(l.Data), "too_many_fronts") {
		t.Errorf("%+v", l)
	}
	for _, c := range in {
		_ = c.Close()
	}
	if err := d.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if l := call(t, dir).next(t); l.Kind != event.KindReady {
		t.Errorf("%+v", l)
	}
}

// Closing ends those who are there, also one that does not read, and leaves nothing that could be called.
func TestTheDoorCloses(t *testing.T) {
	_, d, dir := opened(t, 50*time.Millisecond)
	c := call(t, dir)
	c.next(t)
	d.Close()
	if _, err := io.Copy(io.Discard, c.in); err != nil {
		t.Errorf("the end of a session: %v", err)
	}
	if _, err := Dial(dir); err == nil {
		t.Error("a closed door was entered")
	}
}

// whenClosed is a listener of a door that is just being closed.
type whenClosed struct {
	net.Listener

	once  sync.Once
	first func()
}

// Close implements net.Listener.
func (l *whenClosed) Close() error {
	l.once.Do(l.first)
	return l.Listener.Close()
}

// A shop that a command opened closes when nobody is there. Who came in at that very moment has their say first.
func TestWhoComesInAtTheLastMomentIsHeard(t *testing.T) {
	s, d, dir := opened(t, time.Minute)
	in := make(chan caller, 1)
	d.listener = &whenClosed{Listener: d.listener, first: func() {
		c := call(t, dir)
		c.next(t) // it is in
		in <- c
	}}
	closed := make(chan struct{})
	go func() { defer close(closed); (&House{s, d}).Close(t.Context()) }()
	c := <-in
	if _, err := io.WriteString(c, `{"cmd":"say","text":"2 곱하기 21","id":1}`+"\n"); err != nil {
		t.Fatal(err)
	}
	c.until(t, event.KindJobReport, "42")
	_ = c.Close()
	<-closed
}

// What is left for the shop to take is for the person alone, and gone with the next shop at the latest.
func TestInput(t *testing.T) {
	s, d, dir := opened(t, time.Minute)
	path, done, err := Input(dir, "입력.txt", strings.NewReader("제1조"))
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	done()
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it stays: %v", err)
	}
	if path, _, err = Input(dir, "b", strings.NewReader("left")); err != nil {
		t.Fatal(err)
	}
	d.Close()
	again, err := Hang(s)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it stays: %v", err)
	}
}
