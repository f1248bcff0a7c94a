package models_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/models"
	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/testing/fakemodel"
)

func TestMain(m *testing.M) {
	fakemodel.BeChild()
	goleak.VerifyTestMain(m)
}

// shelf is a store in memory, which a desk of the next run finds as the last one left it.
type shelf struct {
	mu    sync.Mutex
	order []string
	pulls map[string]models.Pull
	err   error
}

func newShelf() *shelf { return &shelf{pulls: map[string]models.Pull{}} }

func (s *shelf) Pulls(context.Context) ([]models.Pull, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []models.Pull{}
	for _, name := range s.order {
		list = append(list, s.pulls[name])
	}
	return list, nil
}

func (s *shelf) SavePull(_ context.Context, p models.Pull) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	if _, ok := s.pulls[p.Model]; !ok {
		s.order = append(s.order, p.Model)
	}
	s.pulls[p.Model] = p
	return nil
}

func (s *shelf) DropPull(_ context.Context, model string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	delete(s.pulls, model)
	s.order = slices.DeleteFunc(s.order, func(name string) bool { return name == model })
	return nil
}

func (s *shelf) state(model string) models.PullState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pulls[model].State
}

// board keeps what was published about downloads.
type board struct {
	mu    sync.Mutex
	pulls []event.ModelPull
}

func (b *board) Publish(events ...event.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range events {
		if p, ok := e.Data.(event.ModelPull); ok {
			b.pulls = append(b.pulls, p)
		}
	}
}

// of is what was told about a model, in order.
func (b *board) of(model string) []event.ModelPull {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(b.pulls), func(p event.ModelPull) bool { return p.Model != model })
}

// states are the states a model went through.
func (b *board) states(model string) string {
	var states []string
	for _, p := range b.of(model) {
		if len(states) == 0 || states[len(states)-1] != p.State {
			states = append(states, p.State)
		}
	}
	return strings.Join(states, " ")
}

// source is a server whose downloads the test writes. Without a script a download waits to be interrupted.
type source struct {
	mu      sync.Mutex
	scripts map[string]func(ctx context.Context, on func(ollama.Progress)) error
	asked   []string
	down    bool
}

func (s *source) Pull(ctx context.Context, model string, on func(ollama.Progress)) error {
	s.mu.Lock()
	s.asked = append(s.asked, model)
	script, down := s.scripts[model], s.down
	s.mu.Unlock()
	switch {
	case down:
		return apperr.New(apperr.ProviderUnreachable, "provider", "ollama")
	case script != nil:
		return script(ctx, on)
	}
	on(ollama.Progress{Done: 10, Total: 100, Percent: 10, Speed: 5})
	<-ctx.Done()
	return apperr.Wrap(ctx.Err(), apperr.Canceled)
}

// Bring is a download by another way, and says which file it is made of.
func (s *source) Bring(ctx context.Context, model, file string, on func(ollama.Progress)) error {
	return s.Pull(ctx, model+" of "+file, on)
}

func (s *source) Status(context.Context) provider.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down {
		return provider.Status{Health: provider.HealthUnreachable}
	}
	return provider.Status{Health: provider.HealthOK}
}

func (s *source) set(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

func (s *source) times(model string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, name := range s.asked {
		if name == model {
			n++
		}
	}
	return n
}

// office is a desk with all around it.
type office struct {
	*models.PullQueue
	t      *testing.T
	server *source
	shelf  *shelf
	board  *board
	free   int64
	came   []string
}

func newOffice(t *testing.T, shelf *shelf) *office {
	t.Helper()
	o := &office{t: t, server: &source{scripts: map[string]func(context.Context, func(ollama.Progress)) error{}}, shelf: shelf, board: &board{}, free: 1 << 50}
	o.PullQueue = models.NewPullQueue(models.Deps{
		Server: o.server, Store: shelf, Publisher: o.board, Lang: func() bilingual.Lang { return bilingual.KO }, Log: zerolog.Nop(),
		Free:   func() (int64, bool) { return o.free, true },
		Pulled: func(model string) { o.came = append(o.came, model) },
	})
	return o
}

func (o *office) open() *office {
	o.t.Helper()
	o.do(o.Start(o.t.Context()))
	synctest.Wait()
	return o
}

// do fails the test on an error, and lets everybody work as far as they can.
func (o *office) do(err error) {
	o.t.Helper()
	if err != nil {
		o.t.Fatal(err)
	}
	synctest.Wait()
}

func (o *office) want(model, states string) {
	o.t.Helper()
	if got := o.board.states(model); got != states {
		o.t.Errorf("%s went through %q, want %q", model, got, states)
	}
}

// pass lets virtual time go by.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func whole(_ context.Context, on func(ollama.Progress)) error {
	for done := int64(0); done <= 100; done += 10 {
		on(ollama.Progress{Done: done, Total: 100, Percent: float64(done), Speed: 50})
		<-time.After(100 * time.Millisecond)
	}
	return nil
}

func TestModelsComeOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t, newShelf()).open()
		defer o.Stop()
		o.server.scripts["a"], o.server.scripts["b"] = whole, whole
		o.do(o.Add(t.Context(), "a", 0))
		o.do(o.Add(t.Context(), "b", 0))
		o.do(o.Add(t.Context(), "a:latest", 0)) // the same model
		if o.shelf.state("a") != models.PullPulling || o.shelf.state("b") != models.PullWaiting {
			t.Errorf("%+v", o.shelf.pulls)
		}
		pass(10 * time.Second)
		o.want("a", "waiting pulling done")
		o.want("b", "waiting pulling done")
		if len(o.shelf.pulls) != 0 || !slices.Equal(o.came, []string{"a", "b"}) {
			t.Errorf("kept %+v, came %v", o.shelf.pulls, o.came)
		}
		list := o.List()
		if len(list) != 2 || list[0].Percent != 100 || list[0].Done != 100 || list[0].Speed != 0 {
			t.Errorf("%+v", list)
		}
		told := o.board.of("a")
		if len(told) > 9 { // 1.1 s of progress at four a second, and three states
			t.Errorf("told %d times", len(told))
		}
		for i, p := range told {
			if i > 0 && (p.Percent < told[i-1].Percent || p.Done < told[i-1].Done) || p.State != "done" && p.Percent >= 100 {
				t.Errorf("%+v after %+v", p, told[max(i-1, 0)])
			}
		}
		o.do(o.Cancel(t.Context(), "a"))
		if len(o.List()) != 1 || !o.board.of("a")[len(told)].Canceled {
			t.Errorf("%+v", o.List())
		}
	})
}

func TestProgressNeverGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t, newShelf()).open()
		defer o.Stop()
		o.server.scripts["a"] = func(_ context.Context, on func(ollama.Progress)) error {
			for _, at := range []ollama.Progress{
				{Done: 50, Total: 100, Percent: 50}, {Done: 60, Total: 1000, Percent: 6}, {Done: 0, Total: 0}, {Done: 1000, Total: 1000, Percent: 100},
			} {
				<-time.After(time.Second)
				on(at)
			}
			return apperr.New(apperr.Offline, "what", "a")
		}
		o.do(o.Add(t.Context(), "a", 0))
		pass(time.Minute)
		o.want("a", "waiting pulling failed")
		last := event.ModelPull{}
		for _, p := range o.board.of("a") {
			if p.Percent < last.Percent || p.Done < last.Done || p.Total < last.Total || p.Percent >= 100 {
				t.Errorf("%+v after %+v", p, last)
			}
			last = p
		}
		if last.Error == nil || last.Error.Code != "offline" || !strings.Contains(last.Error.Message, "인터넷") {
			t.Errorf("%+v", last.Error)
		}
	})
}

func TestPauseResumeAndCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t, newShelf()).open()
		defer o.Stop()
		o.do(o.Add(t.Context(), "a", 0))
		o.do(o.Add(t.Context(), "b", 0))
		o.do(o.Pause(t.Context(), "a"))
		o.want("a", "waiting pulling paused")
		o.want("b", "waiting pulling") // its turn has come
		o.do(o.Pause(t.Context(), "a"))
		o.do(o.Resume(t.Context(), "a"))
		o.want("a", "waiting pulling paused waiting")
		o.do(o.Cancel(t.Context(), "b"))
		o.want("a", "waiting pulling paused waiting pulling")
		if len(o.List()) != 1 || o.server.times("a") != 2 || len(o.shelf.pulls) != 1 {
			t.Errorf("%+v, %v", o.List(), o.server.asked)
		}
		for _, err := range []error{o.Pause(t.Context(), "x"), o.Resume(t.Context(), "x"), o.Cancel(t.Context(), "b")} {
			if apperr.CodeOf(err) != apperr.NotFound {
				t.Error(err)
			}
		}
		for _, name := range []string{"", "모델", "http://x/y", "a b"} {
			if err := o.Add(t.Context(), name, 0); apperr.CodeOf(err) != apperr.InvalidArgs {
				t.Errorf("%q: %v", name, err)
			}
		}
	})
}

func TestWhatWasUnderWayGoesOnAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shelf := newShelf()
		o := newOffice(t, shelf).open()
		o.do(o.Add(t.Context(), "paused", 0))
		o.do(o.Pause(t.Context(), "paused"))
		o.do(o.Add(t.Context(), "a", 0))
		o.do(o.Add(t.Context(), "b", 0))
		o.Stop()
		if shelf.state("a") != models.PullPulling || shelf.state("b") != models.PullWaiting || shelf.state("paused") != models.PullPaused {
			t.Errorf("left %+v", shelf.pulls)
		}
		next := newOffice(t, shelf)
		next.server.scripts["a"], next.server.scripts["b"] = whole, whole
		next.server.set(true) // it comes back later than the program
		next.open()
		defer next.Stop()
		pass(5 * time.Minute)
		if n := next.server.times("a"); n < 5 || n > 20 {
			t.Errorf("tried %d times in five minutes", n)
		}
		if shelf.state("a") != models.PullWaiting || shelf.state("paused") != models.PullPaused {
			t.Errorf("%+v", shelf.pulls)
		}
		next.server.set(false)
		next.Wake()
		pass(5 * time.Second)
		if !slices.Equal(next.came, []string{"a", "b"}) || !slices.Equal(slices.Collect(maps.Keys(shelf.pulls)), []string{"paused"}) {
			t.Errorf("came %v, left %+v", next.came, shelf.pulls)
		}
		next.Stop()
		next.Stop()
	})
}

func TestAServerThatKeepsBreakingOffIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t, newShelf()).open()
		defer o.Stop()
		o.server.scripts["a"] = func(context.Context, func(ollama.Progress)) error {
			return apperr.New(apperr.ProviderUnreachable, "provider", "ollama")
		}
		o.do(o.Add(t.Context(), "a", 0))
		pass(time.Hour)
		if o.server.times("a") != 5 || o.List()[0].State != "failed" {
			t.Errorf("%d times, %+v", o.server.times("a"), o.List())
		}
		o.server.scripts["a"] = whole
		o.do(o.Resume(t.Context(), "a"))
		pass(time.Hour)
		if p := o.List()[0]; p.State != "done" || p.Error != nil {
			t.Errorf("%+v", p)
		}
	})
}

func TestADiskTooSmallIsToldBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(t, newShelf()).open()
		defer o.Stop()
		o.free = 2_000_000_000
		err := o.Add(t.Context(), "a", 3_300_000_000)
		if apperr.CodeOf(err) != apperr.DiskShort || !strings.Contains(apperr.From(err).Text(bilingual.KO), "3.3 GB 필요한데 2.0 GB 남았어요") || len(o.List()) != 0 {
			t.Errorf("%v, %+v", err, o.List())
		}
		o.server.scripts["b"] = func(ctx context.Context, on func(ollama.Progress)) error {
			on(ollama.Progress{Done: 0, Total: 5_000_000_000})
			<-ctx.Done()
			return apperr.Wrap(ctx.Err(), apperr.Canceled)
		}
		o.do(o.Add(t.Context(), "b", 0))
		if p := o.List()[0]; p.State != "failed" || p.Error == nil || p.Error.Code != "disk_short" {
			t.Errorf("%+v", p)
		}
	})
}

func TestWhatHasArrivedNeedsNoRoomAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shelf := newShelf()
		shelf.pulls["a"], shelf.order = models.Pull{Model: "a", State: models.PullPulling, Done: 60, Percent: 60}, []string{"a"}
		o := newOffice(t, shelf)
		o.free = 50
		o.server.scripts["a"] = whole // it names the file from its beginning, and finds what is there
		o.open()
		defer o.Stop()
		pass(time.Minute)
		o.want("a", "pulling done")
	})
}

func TestWhatCannotBeKeptIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shelf := newShelf()
		o := newOffice(t, shelf).open()
		defer o.Stop()
		o.do(o.Add(t.Context(), "a", 0))
		shelf.mu.Lock()
		shelf.err = errors.New("disk on fire")
		shelf.mu.Unlock()
		for _, err := range []error{o.Add(t.Context(), "b", 0), o.Pause(t.Context(), "a"), o.Cancel(t.Context(), "a")} {
			if err == nil {
				t.Error("it was not kept, and nobody was told")
			}
		}
		if list := o.List(); len(list) != 1 || list[0].State != "pulling" {
			t.Errorf("%+v", list)
		}
	})
}
