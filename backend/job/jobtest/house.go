// Package jobtest is a shop floor for tests: the real ledger, toolbox, event bus, question desk and job manager, with
// scripted tools and a scripted interpreter. Run it inside a testing/synctest bubble; then Settle waits until nothing
// moves any more and Pass lets time go by.
package jobtest

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/names"
	"agentchat/backend/policy"
	"agentchat/backend/provider"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
	"agentchat/backend/toolbox"
)

// Floor is an open shop floor. Its parts may be used directly.
type Floor struct {
	T       testing.TB
	Dir     string
	Store   *store.Store
	Ledger  *Ledger // what the job manager writes to: Store, until it is told to fail
	Box     *toolbox.Box
	Bus     *event.Bus
	Jobs    *job.Manager
	Desk    *ask.Desk
	Screens *Screens
	Model   *Interpreter
	Boot    int
	Names   names.Rooms // which names there are
	// Hear, when set, is told of every event before it is published, on the publishing goroutine.
	Hear func(event.Event)
	// Saved, when set, is told of every step once the ledger has it, also after a restart.
	Saved func(job.Step)
	// OnCounterJob, when set, is told of the service counter's jobs that end or wait.
	OnCounterJob func(job.Job)
	// Skew is how far the clock on the wall was set, forward or back; the ledger's, the box's and the jobs' time.
	Skew atomic.Int64
	// Queue is how many jobs may stand in line.
	Queue int
	// Rounds is how often the model may be asked for one todo.
	Rounds int
	// Rules are what a person forbids, asks about and allows.
	Rules []policy.Rule
	// Mode is how much a person wants to be asked.
	Mode policy.Mode
	// Scope, when set, bounds what tools see.
	Scope func(ctx context.Context, chat string) (context.Context, error)
	// RealTime is for benchmarks, which run outside a bubble: Settle then waits until no job runs or stands in line.
	RealTime bool

	tools []toolbox.Tool
	ids   atomic.Int64
	seen  []event.Envelope
	from  *event.Reader
	open  bool
}

// Open opens a floor in a folder of its own; it is closed when the test ends. No worker is there before Start.
func Open(t testing.TB, tools ...toolbox.Tool) *Floor {
	t.Helper()
	return OpenIn(t, t.TempDir(), tools...)
}

// OpenIn is Open on a folder that may hold a ledger already.
func OpenIn(t testing.TB, dir string, tools ...toolbox.Tool) *Floor {
	t.Helper()
	f := &Floor{T: t, Dir: dir, Model: &Interpreter{}, Names: names.Rooms{}, Queue: 10000, Rounds: job.DefaultMaxRounds, tools: tools}
	f.raise()
	t.Cleanup(f.Close)
	return f
}

// Publish implements event.Publisher.
func (f *Floor) Publish(events ...event.Event) {
	if f.Hear != nil {
		for _, e := range events {
			f.Hear(e)
		}
	}
	f.Bus.Publish(events...)
}

// ID makes an id that no other call of this floor made, also not before a restart.
func (f *Floor) ID() string { return fmt.Sprintf("id%d-%d", f.Boot, f.ids.Add(1)) }

func (f *Floor) raise() {
	t := f.T
	t.Helper()
	f.Boot++
	f.open = true
	var err error
	f.Store, err = store.Open(context.Background(), ledgertest.In(f.Dir), f.Now)
	f.must(err)
	f.Ledger = &Ledger{Store: f.Store, saved: func(step job.Step) {
		if f.Saved != nil {
			f.Saved(step)
		}
	}}
	f.Bus = event.NewBus(0, f.Now)
	f.from, f.seen = f.Bus.SubscribeFrom(1), nil
	f.Screens = &Screens{open: map[string]event.Media{}}
	f.Box, err = toolbox.New(f, toolbox.Options{
		Now: f.Now, NewID: f.ID,
		Title:   func(id string) string { return f.Jobs.Title(id) },
		OnReady: func(id string) { f.Jobs.Wake(id) },
	})
	f.must(err)
	f.must(f.Box.Register(f.tools...))
	f.Jobs, err = job.NewManager(job.Deps{
		Store: f.Ledger, Box: f.Box, Interpreter: f.Model, Screens: f.Screens, Publisher: f,
		Background: func(context.Context, string, string) interpreter.Background { return interpreter.Background{} },
		KeepLog:    func(event.JobLog) {},
		Now:        f.Now, NewID: f.ID, Boot: fmt.Sprint("boot", f.Boot),
		Rules: func() []policy.Rule { return f.Rules },
		Mode:  func() policy.Mode { return f.Mode },
		Scope: func(ctx context.Context, chat string) (context.Context, error) {
			if f.Scope != nil {
				return f.Scope(ctx, chat)
			}
			return ctx, nil
		},
		Names:     f.Names,
		MaxQueued: func() int { return f.Queue }, MaxRounds: func() int { return f.Rounds }, Log: zerolog.Nop(),
		OnCounterJob: func(j job.Job) {
			if f.OnCounterJob != nil {
				f.OnCounterJob(j)
			}
		},
	})
	f.must(err)
	f.Desk = ask.NewDesk(ask.Deps{
		Store: f.Store, Publisher: f, Now: f.Now, ValidateArgs: f.Box.ValidateArgs, Answered: f.Jobs.Answered,
	})
}

// Now is the time on the wall.
func (f *Floor) Now() time.Time { return time.Now().Add(time.Duration(f.Skew.Load())).Round(0) }

func (f *Floor) must(err error) {
	f.T.Helper()
	if err != nil {
		f.T.Fatal(err)
	}
}

// Start loads what is unfinished and lets n workers in.
func (f *Floor) Start(n int) *Floor {
	f.T.Helper()
	found, err := job.Look(context.Background(), f.Ledger)
	f.must(err)
	f.Jobs.Start(found, n)
	_, err = f.Jobs.CheckRecords(context.Background())
	f.must(err)
	return f
}

// Close stops everything. Closing twice is fine.
func (f *Floor) Close() {
	if !f.open {
		return
	}
	f.open = false
	f.Jobs.Stop()
	f.Bus.Close()
	if err := f.Store.Close(); err != nil {
		f.T.Errorf("closing the ledger: %v", err)
	}
}

// Reopen closes the floor and opens it again on the same folder, as after a restart of the program. Tools may be
// replaced; none keeps those there are.
func (f *Floor) Reopen(workers int, tools ...toolbox.Tool) {
	f.T.Helper()
	f.Close()
	if len(tools) > 0 {
		f.tools = tools
	}
	f.raise()
	f.Start(workers)
	f.Settle()
}

// Settle waits until nothing moves any more.
func (f *Floor) Settle() {
	if f.RealTime {
		f.must(f.Jobs.WaitIdle(context.Background()))
		return
	}
	synctest.Wait()
}

// Pass lets time go by and waits until nothing moves any more.
func (f *Floor) Pass(d time.Duration) {
	<-time.After(d)
	f.Settle()
}

// Hand stores tickets as a turn does and puts them in line. It returns their ids.
func (f *Floor) Hand(chat string, plans ...provider.JobPlan) []string {
	f.T.Helper()
	jobs, err := f.Jobs.Prepare(chat, "request", bilingual.EN, plans)
	f.must(err)
	turn := manager.Turn{ID: f.ID(), Chat: chat}
	_, err = f.Store.AddResume(context.Background(), turn)
	f.must(err)
	f.must(f.Store.SaveTurn(context.Background(), manager.TurnStep{Turn: &turn, Node: "jobs", Next: "end", Done: true, Jobs: jobs}))
	ids := make([]string, len(jobs))
	for i, j := range jobs {
		f.Publish(f.Jobs.Created(j, i))
		ids[i] = j.ID
	}
	f.Jobs.Submit(jobs)
	return ids
}

// Say keeps words of the customer in a chat, as a turn does.
func (f *Floor) Say(chat, text string) {
	f.T.Helper()
	turn := manager.Turn{ID: f.ID(), Chat: chat, Text: text}
	_, err := f.Store.AddTurn(context.Background(), turn, event.ChatMessage{ID: turn.ID, Role: event.RoleCustomer, Text: text}, "")
	f.must(err)
}

// Give hands out one job of todos that use these tools, in order, and waits until nothing moves any more.
func (f *Floor) Give(tools ...string) string {
	f.T.Helper()
	id := f.Hand("main", Plan(tools...))[0]
	f.Settle()
	return id
}

// Job gives a job as the ledger has it.
func (f *Floor) Job(id string) job.Job {
	f.T.Helper()
	rec, err := f.Store.LoadRun(context.Background(), id)
	f.must(err)
	return rec.Run.Job
}

// WantState fails the test when the job is in another state.
func (f *Floor) WantState(id string, want job.State) {
	f.T.Helper()
	if j := f.Job(id); j.State != want {
		f.T.Fatalf("job #%d is %s (%s; %s), want %s", j.Number, j.State, j.Reason, j.Code, want)
	}
}

// asks gives the open questions of a job.
func (f *Floor) asks(id string) []ask.Ask {
	f.T.Helper()
	all, err := f.Desk.Open(context.Background())
	f.must(err)
	var own []ask.Ask
	for _, a := range all {
		if a.JobID == id {
			own = append(own, a)
		}
	}
	return own
}

// Question gives the one open question of a job.
func (f *Floor) Question(id string) ask.Ask {
	f.T.Helper()
	own := f.asks(id)
	if len(own) != 1 {
		f.T.Fatalf("the job has %d open questions, want one (it is %s)", len(own), f.Job(id).State)
	}
	return own[0]
}

// NoQuestion fails the test when a question is open, whoever asks.
func (f *Floor) NoQuestion() {
	f.T.Helper()
	all, err := f.Desk.Open(context.Background())
	f.must(err)
	if len(all) > 0 {
		f.T.Fatalf("%d questions are open, the first: %s", len(all), all[0].Question)
	}
}

// Answer answers the one open question of a job with its digest and waits until nothing moves any more.
func (f *Floor) Answer(id string, reply ask.Reply) {
	f.T.Helper()
	a := f.Question(id)
	reply.Ask, reply.Digest = a.ID, a.Digest
	_, err := f.Desk.Answer(context.Background(), reply)
	f.must(err)
	f.Settle()
}

// Choose answers the one open question of a job with a bare choice.
func (f *Floor) Choose(id, choice string) {
	f.T.Helper()
	f.Answer(id, ask.Reply{Choice: choice})
}

// Holders lists the jobs that hold a tool, oldest first.
func (f *Floor) Holders(tool string) []string {
	var ids []string
	for _, r := range f.Box.Inventory().Tools {
		if r.Tool == tool {
			for _, h := range r.Holders {
				ids = append(ids, h.JobID)
			}
		}
	}
	return ids
}

// NothingOut fails the test when a tool is out or somebody waits for one.
func (f *Floor) NothingOut() {
	f.T.Helper()
	for _, r := range f.Box.Inventory().Tools {
		if len(r.Holders) > 0 || len(r.Waiting) > 0 {
			f.T.Fatalf("%s: held by %v, waited for by %v", r.Tool, r.Holders, r.Waiting)
		}
	}
}

// Envelopes gives everything published since the floor was opened, and fails the test when a number is missing.
func (f *Floor) Envelopes() []event.Envelope {
	f.T.Helper()
	for f.Bus.Seq() > uint64(len(f.seen)) {
		batch, err := f.from.Next(context.Background(), 0)
		f.must(err)
		for _, e := range batch {
			if e.Seq != uint64(len(f.seen)+1) {
				f.T.Fatalf("envelope %d came after %d", e.Seq, len(f.seen))
			}
			f.seen = append(f.seen, e)
		}
	}
	return f.seen
}
