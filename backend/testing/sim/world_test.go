package sim

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/memory"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
	"agentchat/backend/service"
	"agentchat/backend/toolbox"
)

// fullEvery is of how many writes the disk refuses one.
const fullEvery = 40

// refused counts the writes of all seeds for which there was no room.
var refused atomic.Int64

// world is one shop and everybody around it.
type world struct {
	t      testing.TB
	seed   uint64
	random *rand.Rand
	dir    string
	over   chan struct{} // closed at the very end: what never ends, ends
	end    func()
	calm   atomic.Bool // the model is in its right mind from now on, and the disk has room

	brimful atomic.Bool // the disk has no room at all for a while

	mu      sync.Mutex
	trail   []string
	said    map[string][]string // by chat: ids of the messages that were taken
	effects map[string]int      // by todo: how often "pay" happened out there
	moved   map[string]string   // by todo: the chat whose money was moved
	agreed  map[string]int      // by chat: how often the customer said yes
	allowed map[string]bool     // job and digest that a person approved
	granted map[string]bool     // chat and tool that a person approved
	letters map[string]int
	writes  map[string]int

	boot    int
	workers int
	stage   *stage
	shelf   *shelf
}

// stage is one run of the program.
type stage struct {
	gates   *gates
	ledger  *ledger
	bus     *event.Bus
	reader  *event.Reader
	box     *toolbox.Box
	jobs    *job.Manager
	desk    *ask.Desk
	manager *manager.Manager
	memory  *memory.Memory
	ids     atomic.Int64
	acts    sync.WaitGroup
	seq     uint64 // of the last envelope that was read
	turns   int
	showing service.Showing // what the customers have before them
	open    seen[ask.Ask]
	live    seen[job.Record]
}

func newWorld(t testing.TB, seed uint64, shelf *shelf) *world {
	t.Helper()
	w := &world{
		t: t, seed: seed, random: rand.New(rand.NewPCG(seed, 1)), over: make(chan struct{}), workers: 2, shelf: shelf,
		said: map[string][]string{}, effects: map[string]int{}, moved: map[string]string{}, agreed: map[string]int{}, allowed: map[string]bool{}, granted: map[string]bool{}, letters: map[string]int{}, writes: map[string]int{},
	}
	if seed%ownEvery == 0 {
		w.dir = folder(t)
	}
	w.end = sync.OnceFunc(func() { close(w.over) })
	t.Cleanup(func() { // also after a failure nobody may stay behind in the bubble
		w.end()
		w.close()
	})
	return w
}

func (w *world) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trail = append(w.trail, fmt.Sprintf(format, args...))
}

func (w *world) fail(format string, args ...any) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.t.Fatalf("seed %d: %s\nafter:\n  %s", w.seed, fmt.Sprintf(format, args...), strings.Join(w.trail, "\n  "))
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.fail("%v", err)
	}
}

// services are read once: what they say does not change.
var services = sync.OnceValues(func() (*service.Book, error) {
	return service.NewBook("", func(string) bool { return true })
})

// unread is a tool that reads and is not there.
func unread(context.Context, string, string, bilingual.Lang, map[string]any) ([]byte, error) {
	return nil, apperr.New(apperr.NotAvailable, "what", "statement")
}

// mood is decided by the seed and the request, not by who asks first.
func (w *world) mood(key string) mood {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.letters[key]++
	if w.calm.Load() {
		return well
	}
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%d %s %d", w.seed, key, w.letters[key])
	if n := h.Sum64() % 24; n < uint64(moods) {
		return mood(n)
	}
	return well
}

// full is whether the disk refuses a write, by the seed and the write, not by who asks first.
func (w *world) full(name string) bool {
	w.mu.Lock()
	w.writes[name]++
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%d full %s %d", w.seed, name, w.writes[name])
	w.mu.Unlock()
	if !w.brimful.Load() && (w.calm.Load() || h.Sum64()%fullEvery != 0) {
		return false
	}
	w.note("no room for %s", name)
	refused.Add(1)
	return true
}

// open starts the program.
func (w *world) open() {
	w.t.Helper()
	w.boot++
	disk, err := w.disk()
	w.must(err)
	s := &stage{gates: newGates()}
	w.stage = s
	s.ledger = &ledger{Store: disk, gates: s.gates, full: w.full}
	s.bus = event.NewBus(1<<12, time.Now)
	s.reader = s.bus.SubscribeFrom(1)
	boot := w.boot
	id := func() string { return fmt.Sprintf("%d.%d", boot, s.ids.Add(1)) }
	s.box, err = toolbox.New(s.bus, toolbox.Options{
		Now: time.Now, NewID: id,
		Title:   func(job string) string { return s.jobs.Title(job) },
		OnReady: func(job string) { s.jobs.Wake(job) },
	})
	w.must(err)
	w.must(s.box.Register(w.allTools(s)...))
	cards := func(bilingual.Lang) (list []provider.ToolCard) {
		for _, spec := range s.box.Specs() {
			list = append(list, provider.ToolCard{Key: spec.Key, Params: spec.Params})
		}
		return list
	}
	book, err := services()
	w.must(err)
	interp := interpreter.New(interpreter.Deps{
		Provider: func() provider.Provider { return model{w, s} }, Tools: cards, Services: book.Cards, Publisher: s.bus, NewID: id,
		Timeouts: func() interpreter.Timeouts { return interpreter.Timeouts{First: time.Minute, Gap: 30 * time.Second} },
	})
	s.jobs, err = job.NewManager(job.Deps{
		Store: loads{s.ledger, "job"}, Box: s.box, Interpreter: interp, Screens: &jobtest.Screens{}, Publisher: s.bus,
		Background: func(context.Context, string, string) interpreter.Background { return interpreter.Background{} },
		KeepLog:    func(event.JobLog) {}, Now: time.Now, NewID: id, Boot: fmt.Sprint("boot", boot),
		MaxQueued: func() int { return 1000 }, OnCounterJob: func(j job.Job) { s.manager.JobMoved(j) }, Log: zerolog.Nop(),
	})
	w.must(err)
	s.desk = ask.NewDesk(ask.Deps{Store: s.ledger, Publisher: s.bus, Now: time.Now, ValidateArgs: s.box.ValidateArgs, Answered: s.jobs.Answered})
	lang := func() bilingual.Lang { return bilingual.KO }
	s.memory = memory.New(memory.Deps{
		Store: s.ledger, Summarizer: interp.Summarizer, Plain: builtin.New(), Publisher: s.bus, Lang: lang, Now: time.Now, NewID: id, Log: zerolog.Nop(),
	})
	s.manager, err = manager.New(manager.Deps{
		Store: loads{s.ledger, "turn"}, Memory: turns{s.memory, s.gates}, Counter: &manager.Counter{Book: book, Extractor: interp, Read: unread}, Orders: s.jobs, Planner: interp, Jobs: s.jobs, Desk: s.desk, Publisher: s.bus,
		Lang: lang, Now: time.Now, NewID: id, Log: zerolog.Nop(),
	})
	w.must(err)
	w.start(s)
}

// start takes up what was unfinished, which may be killed like anything else; then the program starts once more.
func (w *world) start(s *stage) {
	var err error
	up := make(chan struct{})
	go func() {
		defer close(up)
		var found job.Unfinished
		if found, err = job.Look(context.Background(), loads{s.ledger, "job"}); err == nil {
			s.jobs.Start(found, w.workers)
			err = s.manager.Start(context.Background())
		}
	}()
	for {
		s.gates.settle(w.seed)
		select {
		case <-up:
			if !s.ledger.dead.Load() {
				w.must(err)
				views, err := s.manager.Sessions(context.Background()) // as a window that has just loaded draws it
				w.must(err)
				s.showing.All(views, s.bus.Seq())
				return
			}
			w.close()
			w.open()
			return
		default:
		}
		held := s.gates.waiting()
		if len(held) == 0 {
			w.fail("the start waits for something that never comes")
		}
		if w.random.IntN(40) == 0 {
			w.note("killed while it starts")
			s.ledger.dead.Store(true)
			s.gates.open()
			continue
		}
		h := held[w.random.IntN(len(held))]
		w.note("%s", h.key)
		s.gates.let(h)
	}
}

// kill ends the program where it stands: nothing it still tries reaches the disk.
func (w *world) kill() {
	w.note("killed")
	w.stage.ledger.dead.Store(true)
	w.stage.gates.open()
	w.close()
}

// close ends the program.
func (w *world) close() {
	s := w.stage
	if s == nil {
		return
	}
	w.stage = nil
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		s.manager.Stop()
		s.gates.queue("the manager has stopped")
		s.memory.Stop()
		s.gates.queue("the memory has stopped")
		s.jobs.Stop()
		s.acts.Wait()
	}()
	w.drain(s)
	s.gates.open()
	<-gone
	s.bus.Close()
	if w.dir != "" {
		w.must(s.ledger.Close())
	}
}

// drain lets everybody at a gate go on, one after the other, until nobody stands at one.
func (w *world) drain(s *stage) {
	for {
		s.gates.settle(w.seed)
		held := s.gates.waiting()
		if len(held) == 0 {
			return
		}
		h := held[w.random.IntN(len(held))]
		w.note("%s", h.key)
		s.gates.let(h)
	}
}

// run lets the scheduler decide n times what happens next.
func (w *world) run(n int) {
	w.open()
	for range n {
		w.stage.gates.settle(w.seed)
		w.safe()
		w.step()
	}
	w.finish()
}

// finish lets everything come to its end and looks whether it is the right one.
func (w *world) finish() {
	w.note("the end")
	w.calm.Store(true)
	w.brimful.Store(false)
	for range 400 {
		w.drain(w.stage)
		w.safe()
		open := w.asks()
		for _, a := range open {
			w.answer(a, a.Choices[0])
		}
		w.drain(w.stage)
		<-time.After(20 * time.Minute)
		w.drain(w.stage)
		if len(open) == 0 && !w.stage.manager.Busy("") && !w.stage.jobs.Busy() && w.allEnded() {
			break
		}
	}
	w.ended()
	w.end()
	w.close()
}
