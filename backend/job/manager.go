package job

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/interpreter"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/names"
	"agentchat/backend/policy"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// Deps are the parts a Manager works with. All are required except Log.
type Deps struct {
	Store       Store
	Box         *toolbox.Box
	Interpreter Interpreter
	Background  Background
	Screens     Screens
	Publisher   event.Publisher
	KeepLog     func(event.JobLog) // keeps a line that a running tool wrote
	// Scope bounds what tools see that are used for a chat; nil: nothing does. Errors: storage errors, with which the tool is not used.
	Scope      func(ctx context.Context, chat string) (context.Context, error)
	Now        func() time.Time
	NewID      func() string
	Boot       string               // names this run of the program
	Rules      func() []policy.Rule // what a person forbids, asks about and allows; nil: nothing
	Mode       func() policy.Mode   // how much they want to be asked; nil: as the rules say
	AsksPerJob func() int           // how often a job may ask in a row without any approval; nil: DefaultAsksPerJob
	// Reads gives the plan that code alone reads out of a request. A model's calls are compared with it; nil: every call counts as asked for.
	Reads        func(ctx context.Context, b interpreter.Brief) (plan provider.Plan, ok bool)
	Names        names.Rooms // the names there are; a call that names something else is asked about
	MaxQueued    func() int  // how many jobs may stand in line
	MaxRounds    func() int  // how often the model may be asked for one todo; nil: DefaultMaxRounds
	OnCounterJob func(Job)   // called after the store has it, when a job of the service counter ended or waits; may be nil
	Log          zerolog.Logger
}

// Manager owns all jobs that have not ended: it queues them, gives them to workers, parks and wakes them (seed: JobManager). Safe for
// concurrent use.
type Manager struct {
	deps   Deps
	runner *Runner
	line   *line
	pool   *WorkerPool

	mu        sync.Mutex
	jobs      map[string]*entry // every job that has not ended
	unsure    bool              // the last run of the program reported something that it could not store
	unwritten int               // jobs whose end was reported and is not stored yet
	number    int64
	alarm     alarm
	idle      chan struct{} // closed and replaced when nothing is active or in line
	active    int
	// queued counts the jobs in line. Unlike the length of line it still includes a job that a worker is just taking out.
	queued    int
	recovered Recovered
	closed    bool
	held      atomic.Bool    // the workers pause
	answering sync.WaitGroup // answers that are being processed
	base      context.Context
	stop      context.CancelFunc
}

// entry is what memory keeps of a job that has not ended; all else is in the store.
type entry struct {
	id       string
	chat     string
	title    string
	active   bool // a worker or an answer runs it right now
	queued   bool // it stands in line for a worker
	again    bool // something woke it while it was active
	canceled bool
	disowned bool // its end is not reported
	begun    bool // it has had a worker before
	cancel   context.CancelFunc
	wakeAt   time.Time // the moment it is parked until
	sleeper  int       // its place on the alarm; 0: none
}

// NewManager makes a manager without workers; Start restores the unfinished jobs and starts the workers.
func NewManager(deps Deps) (*Manager, error) {
	if deps.MaxRounds == nil {
		deps.MaxRounds = func() int { return DefaultMaxRounds }
	}
	if deps.Mode == nil {
		deps.Mode = func() policy.Mode { return policy.ModeRules }
	}
	if deps.Rules == nil {
		deps.Rules = func() []policy.Rule { return nil }
	}
	if deps.AsksPerJob == nil {
		deps.AsksPerJob = func() int { return DefaultAsksPerJob }
	}
	m := &Manager{deps: deps, line: newLine(), jobs: map[string]*entry{}, idle: make(chan struct{})}
	m.base, m.stop = context.WithCancel(context.Background())
	m.runner = &Runner{
		authorizer: authorizer{rules: deps.Rules, mode: deps.Mode, asks: deps.AsksPerJob, reads: deps.Reads}, names: deps.Names,
		store: deps.Store, box: deps.Box, interp: deps.Interpreter, background: deps.Background, screens: deps.Screens,
		pub: deps.Publisher, keepLog: deps.KeepLog, scope: deps.Scope, now: deps.Now, newID: deps.NewID, boot: deps.Boot, onCounterJob: deps.OnCounterJob,
		maxRounds: deps.MaxRounds,
		stopJob:   func(id string) { _ = m.CancelJob(id) },
		disowned:  m.disowned,
	}
	if err := m.runner.compile(); err != nil {
		return nil, err
	}
	m.pool = newPool(m)
	return m, nil
}

// Unfinished is what Look found.
type Unfinished struct {
	jobs   []RecoveryState
	number int64
}

// Look reads every job that has not ended. Nothing is done about it before Start.
func Look(ctx context.Context, store Store) (found Unfinished, err error) {
	if found.number, err = store.LastNumber(ctx); err != nil {
		return found, err
	}
	found.jobs, err = store.RecoveryStates(ctx)
	return found, err
}

// Start brings back what Look found and starts n workers.
func (m *Manager) Start(found Unfinished, n int) {
	live := found.jobs
	var recovered Recovered
	for _, s := range live {
		recovered = recovered.with(s, m.doubtful(s), 1)
	}
	m.mu.Lock()
	m.number, m.recovered = found.number, recovered
	m.unsure = m.deps.Store.Distrusted()
	m.runner.unsure = m.unsure
	for _, s := range live {
		m.restore(s)
	}
	m.mu.Unlock()
	live = m.finishCalledOff(live)
	if m.unsure {
		live = m.leave(live)
	}
	m.restoreLeases(live)
	m.pool.Run(n)
}

// restore puts an unfinished job back where it stood: parked on a question or a moment, or in line. Called with m.mu held.
func (m *Manager) restore(s RecoveryState) {
	e := &entry{id: s.ID, chat: s.Chat, title: s.label(), begun: s.State != Queued, disowned: s.Off == Disowned}
	m.jobs[e.id] = e
	waits := m.runner.graph.Facts(s.Next).Waits
	switch {
	case s.Off != NotCalledOff: // Start ends it
	case s.State != Waiting:
		m.enqueue(e)
	case waits == graph.ForAnswer && s.AskID != "":
		// The question was answered, but the program ended before the job could read the answer.
		if s.Answered {
			m.enqueue(e)
		}
	case waits == graph.ForMoment && !s.WakeAt.IsZero():
		m.sleepUntil(e, s.WakeAt)
	case waits == graph.ForLease && s.InLine && s.Tool != "":
		// restoreLeases queues it for the tool again; the box wakes it when the tool is reserved for it.
	default:
		m.enqueue(e)
	}
}

// Prepare makes tickets of a plan. Nothing is stored or started yet. Errors: queue_full when the line is too long;
// unknown_tool for a tool that only the service counter hands out.
func (m *Manager) Prepare(chat, request string, lang bilingual.Lang, plans []provider.JobPlan) ([]Job, error) {
	if limit := m.deps.MaxQueued(); m.line.waiting()+len(plans) > limit {
		return nil, apperr.New(apperr.QueueFull, "limit", limit)
	}
	if err := m.forPlans(plans); err != nil {
		return nil, err
	}
	m.mu.Lock()
	first := m.number + 1
	m.number += int64(len(plans))
	m.mu.Unlock()
	jobs := make([]Job, len(plans))
	for i, p := range plans {
		j := Job{
			ID: m.deps.NewID(), Number: first + int64(i), Chat: chat, Title: p.Title, Request: request, Lang: lang,
			State: Queued, Message: m.deps.NewID(), Created: m.deps.Now(), Todos: make([]Todo, len(p.Todos)),
		}
		for k, t := range p.Todos {
			j.Todos[k] = Todo{
				ID: m.deps.NewID(), Title: t.Title, Tool: t.Tool, Request: t.Request, Args: t.Args, ByCode: p.ByCode, State: TodoPending,
			}
		}
		jobs[i] = j
	}
	return jobs, nil
}

// Numbers sets so many ticket numbers aside, for jobs that are over; it gives the first.
func (m *Manager) Numbers(n int) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.number += int64(n)
	return m.number - int64(n) + 1
}

// Created is the event that shows a prepared job, the nth of its message (from 0).
func (m *Manager) Created(j Job, n int) event.Event { return j.created(m.place(n)) }

// place is where the nth job of a message will stand in line; 0 when a worker is free for it.
func (m *Manager) place(n int) int {
	return max(m.line.waiting()+n+1-m.pool.free(), 0)
}

// Crowded tells whether the nth job of a message will have to stand in line, and in which place, from 1.
func (m *Manager) Crowded(n int) (place int, crowded bool) {
	place = m.place(n)
	return place, place > 0
}

// Submit puts stored jobs in line (seed: SubmitJob, Dispatch).
func (m *Manager) Submit(jobs []Job) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, j := range jobs {
		if m.closed || m.jobs[j.ID] != nil {
			continue
		}
		e := &entry{id: j.ID, chat: j.Chat, title: j.label()}
		m.jobs[j.ID] = e
		m.enqueue(e)
	}
}

// Places gives the place in line of every job that stands in it, from 1.
func (m *Manager) Places() map[string]int { return m.line.places() }

// Title gives the title and ticket number of a job that has not ended, "" for others.
func (m *Manager) Title(id string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.jobs[id]; e != nil {
		return e.title
	}
	return ""
}

// Workers gives the tiles of the dashboard.
func (m *Manager) Workers() []event.WorkerState { return m.pool.Tiles() }

// SetWorkers changes how many workers there are; a worker that is busy leaves after its job.
func (m *Manager) SetWorkers(n int) { m.pool.Run(n) }

// Hold pauses all workers, or lets them go on. While paused, no worker takes a job, and a running job goes back in the queue before its
// next step; a tool that is running finishes. Answers are still processed.
func (m *Manager) Hold(held bool) {
	if m.held.Swap(held) == held {
		return
	}
	m.line.signal()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.signalIdle()
}

// Mermaid draws the job graph.
func (m *Manager) Mermaid() string { return m.runner.graph.Mermaid() }

// Stop ends the workers. Running tools are interrupted; their jobs keep the state that the journal has and go on at the next start. It
// returns when all workers have ended. It may be called twice.
func (m *Manager) Stop() {
	m.mu.Lock()
	m.closed = true
	m.silence()
	m.mu.Unlock()
	m.stop()
	m.pool.stop()
	m.answering.Wait()
}
