package job

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/graph"
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
	Now         func() time.Time
	NewID       func() string
	Boot        string     // names this run of the program
	MaxQueued   func() int // how many jobs may stand in line
	Log         zerolog.Logger
}

// Manager takes job tickets, keeps the line, hands jobs to workers and answers for them (seed: JobManager). Safe for
// concurrent use.
type Manager struct {
	deps   Deps
	runner *Runner
	line   *line
	pool   *WorkerPool

	mu     sync.Mutex
	jobs   map[string]*entry // every job that has not ended
	number int64
	idle   chan struct{} // closed and replaced when nothing is active or in line
	active int
	// standing counts the jobs in line; unlike the line's own length it still has a job that a worker is just picking up.
	standing int
	closed   bool
	desk     sync.WaitGroup // answers being worked in
	base     context.Context
	stop     context.CancelFunc
}

// entry is what memory keeps of a job that has not ended; all else is in the store.
type entry struct {
	id       string
	title    string
	active   bool // a worker or the desk runs it right now
	queued   bool // it stands in line for a worker
	again    bool // something woke it while it was active
	canceled bool
	begun    bool // it has had a worker before
	cancel   context.CancelFunc
	timer    *time.Timer
}

// NewManager makes a manager without workers; Start loads what is unfinished and opens the shop.
func NewManager(deps Deps) (*Manager, error) {
	m := &Manager{deps: deps, line: newLine(), jobs: map[string]*entry{}, idle: make(chan struct{})}
	m.base, m.stop = context.WithCancel(context.Background())
	m.runner = &Runner{
		store: deps.Store, box: deps.Box, interp: deps.Interpreter, background: deps.Background, screens: deps.Screens,
		pub: deps.Publisher, keepLog: deps.KeepLog, now: deps.Now, newID: deps.NewID, boot: deps.Boot,
		stopJob: func(id string) { _ = m.CancelJob(id) },
	}
	if err := m.runner.compile(); err != nil {
		return nil, err
	}
	m.pool = newPool(m)
	return m, nil
}

// Start brings back every job that has not ended and starts n workers.
func (m *Manager) Start(ctx context.Context, n int) error {
	number, err := m.deps.Store.LastNumber(ctx)
	if err != nil {
		return err
	}
	live, err := m.deps.Store.LiveJobs(ctx)
	if err != nil {
		return err
	}
	m.mu.Lock()
	m.number = number
	for i := range live {
		m.restore(&live[i])
	}
	m.mu.Unlock()
	m.restock(live)
	m.pool.Run(n)
	return nil
}

// restore puts an unfinished job back where it stood: parked on a question or a moment, or in line. Called with m.mu held.
func (m *Manager) restore(rec *Record) {
	e := &entry{id: rec.Run.Job.ID, title: rec.Run.Job.label(), begun: rec.Run.Job.State != Queued}
	m.jobs[e.id] = e
	switch {
	case deskNodes[rec.Next] && rec.Run.Job.State == Waiting && rec.Run.AskID != "":
		// Parked on a question. An answer that was given but not worked in before the end is worked in now.
		if a, err := m.deps.Store.Ask(m.base, rec.Run.AskID); err == nil && a.Answer != nil {
			m.enqueue(e)
		}
	case rec.Run.Job.State == Waiting && !rec.WakeAt.IsZero():
		m.sleepUntil(e, rec.WakeAt)
	case rec.standsInLine():
		// restock gives it its place back; the box calls it when it is its turn.
	default:
		m.enqueue(e)
	}
}

// Prepare makes tickets of a plan. Nothing is stored or started yet; queue_full when the line is too long.
func (m *Manager) Prepare(chat, request string, lang apperr.Lang, plans []provider.JobPlan) ([]Job, error) {
	if limit := m.deps.MaxQueued(); m.line.waiting()+len(plans) > limit {
		return nil, apperr.New(apperr.QueueFull, "limit", limit)
	}
	m.mu.Lock()
	first := m.number + 1
	m.number += int64(len(plans))
	m.mu.Unlock()
	jobs := make([]Job, len(plans))
	for i, p := range plans {
		j := Job{
			ID: m.deps.NewID(), Number: first + int64(i), Chat: chat, Title: p.Title, Request: request, Lang: lang,
			State: Queued, Created: m.deps.Now(), Todos: make([]Todo, len(p.Todos)),
		}
		for k, t := range p.Todos {
			j.Todos[k] = Todo{
				ID: m.deps.NewID(), Title: t.Title, Tool: t.Tool, Request: t.Request, Args: t.Args, State: TodoPending,
			}
		}
		jobs[i] = j
	}
	return jobs, nil
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
		e := &entry{id: j.ID, title: j.label()}
		m.jobs[j.ID] = e
		m.enqueue(e)
	}
}

// enqueue puts a job in line for a worker. Called with m.mu held.
func (m *Manager) enqueue(e *entry) {
	if e.queued || m.closed {
		return
	}
	e.queued = true
	m.standing++
	m.line.push(e.id, e.begun)
}

// outOfLine notes that a job stands in line no more. Called with m.mu held.
func (m *Manager) outOfLine(e *entry) {
	if e.queued {
		e.queued = false
		m.standing--
	}
}

// claim gives a job to the caller to run, or false when another has it or it ended.
func (m *Manager) claim(id string, fromLine bool) (*entry, context.Context, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.jobs[id]
	if e == nil || m.closed {
		return nil, nil, false
	}
	if fromLine {
		m.outOfLine(e)
	}
	if e.active || (!fromLine && e.queued) {
		e.again = e.again || e.active
		return nil, nil, false
	}
	e.active, e.again = true, false
	if e.timer != nil {
		e.timer.Stop()
		e.timer = nil
	}
	m.active++
	ctx, cancel := context.WithCancel(m.base)
	e.cancel = cancel
	return e, ctx, true
}

// settled is what became of a job after it was run for a while.
type settled struct {
	state  State
	parked bool
	asks   bool
}

// advance runs a claimed job as far as it goes (only desk nodes if onlyDesk) and puts it where it belongs: in line, on
// a timer, parked, or out of the books.
func (m *Manager) advance(ctx context.Context, e *entry, onlyDesk bool) settled {
	var before func(string) bool
	if onlyDesk {
		before = func(node string) bool { return deskNodes[node] }
	}
	rec, outcome, err := m.walk(ctx, e.id, before)
	m.mu.Lock()
	defer m.mu.Unlock()
	for onlyDesk && err == nil && outcome == graph.Parked && e.again && !e.canceled {
		e.again = false // the next answer came in while this one was worked in: it needs no worker either
		m.mu.Unlock()
		rec, outcome, err = m.walk(ctx, e.id, before)
		m.mu.Lock()
	}
	done := settled{}
	if rec != nil {
		done = settled{state: rec.Run.Job.State, parked: outcome == graph.Parked, asks: rec.Run.AskID != ""}
	}
	if !onlyDesk {
		e.begun = true
	}
	switch {
	case err == nil && outcome == graph.Ended:
		m.forget(e)
	case e.canceled:
		m.mu.Unlock()
		done = m.finishCanceled(e, rec)
		m.mu.Lock()
		m.forget(e)
	case err != nil && ctx.Err() != nil:
		// The shop closes: the job stays as the journal has it.
	case err != nil:
		m.deps.Log.Error().Err(err).Str("job", e.id).Msg("job stopped by an error of the shop itself")
		m.mu.Unlock()
		done = m.finishBroken(e, rec, err)
		m.mu.Lock()
		m.forget(e)
	case outcome == graph.Yielded:
		e.begun = true
		m.enqueue(e)
	case e.again:
		m.enqueue(e)
	case outcome == graph.Parked && rec.Run.Exec != nil && !rec.Run.Exec.WakeAt.IsZero() && rec.Next == nodeExec:
		m.sleepUntil(e, rec.Run.Exec.WakeAt)
	}
	e.active, e.again = false, false
	e.cancel()
	m.active--
	m.signalIdle()
	return done
}

// walk loads a job and runs its graph.
func (m *Manager) walk(ctx context.Context, id string, before func(string) bool) (*Record, graph.Outcome, error) {
	rec, err := m.deps.Store.LoadRun(context.WithoutCancel(ctx), id)
	if err != nil {
		return nil, "", err
	}
	s := &rec.Run
	s.begin()
	if before == nil {
		if s.Job.Started.IsZero() {
			s.Job.Started = m.deps.Now()
		}
		if s.Job.State == Queued {
			if err := s.move(Running, ""); err != nil {
				return &rec, "", err
			}
		}
	}
	if !m.runner.graph.Has(rec.Next) && rec.Next != "" {
		rec.Next = nodePick // parked by a version whose graph had other nodes: the todo at hand starts over
	}
	outcome, next, err := m.runner.graph.Run(ctx, s, rec.Next, m.runner, before)
	rec.Next = next
	return &rec, outcome, err
}

// forget takes an ended job out of memory. Called with m.mu held.
func (m *Manager) forget(e *entry) {
	if e.timer != nil {
		e.timer.Stop()
	}
	delete(m.jobs, e.id)
}

func (m *Manager) sleepUntil(e *entry, at time.Time) {
	if e.timer != nil {
		e.timer.Stop()
	}
	id := e.id
	e.timer = time.AfterFunc(max(at.Sub(m.deps.Now()), 0), func() { m.Wake(id) })
}

// Wake puts a parked job back in line: its tool is reserved for it, or its moment has come. Waking a job that need not
// be woken does no harm.
func (m *Manager) Wake(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.jobs[id]
	switch {
	case e == nil || m.closed:
	case e.active:
		e.again = true
	default:
		e.begun = true
		m.enqueue(e)
	}
}

// Answered works an answer in. It needs no worker as long as only questions are concerned, so people are heard even
// while every worker is busy.
func (m *Manager) Answered(a ask.Ask) {
	if a.JobID == "" {
		return
	}
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return
	}
	m.desk.Add(1)
	m.mu.Unlock()
	m.pool.settleTile(a.JobID)
	e, ctx, ok := m.claim(a.JobID, false) // at once: from now on the shop is not idle
	if !ok {
		m.desk.Done()
		return
	}
	go func() {
		defer m.desk.Done()
		m.advance(ctx, e, true)
	}()
}

// CancelJob stops a job in any state. Its leases are free within 50 ms. Errors: not_found, job_ended.
func (m *Manager) CancelJob(id string) error {
	m.mu.Lock()
	e := m.jobs[id]
	if e == nil {
		m.mu.Unlock()
		if _, err := m.deps.Store.LoadRun(m.base, id); err != nil {
			return err
		}
		return apperr.New(apperr.JobEnded)
	}
	e.canceled = true
	if e.active {
		if e.cancel != nil { // nil: it never ran and another call is ending it right now
			e.cancel()
		}
		m.mu.Unlock()
		return nil
	}
	e.active = true
	m.outOfLine(e)
	m.active++
	m.line.remove(id)
	m.mu.Unlock()

	m.deps.Box.ReleaseJob(id)
	rec, err := m.deps.Store.LoadRun(m.base, id)
	if err == nil {
		rec.Run.begin()
		m.finishCanceled(e, &rec)
		m.pool.settleTile(id)
	}
	m.mu.Lock()
	m.forget(e)
	m.active--
	m.signalIdle()
	m.mu.Unlock()
	return err
}

// finishCanceled gives a stopped job its last state. What happened is not denied: a tool that had already finished makes
// its todo done, and a job with nothing left but its report is reported as what it is.
func (m *Manager) finishCanceled(e *entry, rec *Record) settled {
	m.deps.Box.ReleaseJob(e.id)
	if rec == nil {
		return settled{state: Canceled}
	}
	s := &rec.Run
	m.deps.Screens.Clear(s.Job.Chat, e.id)
	if s.hasTodo() && s.Outcome != nil && s.Outcome.OK && s.Outcome.Ran && s.todo().State != TodoDone {
		t := s.todo()
		t.Text, t.Data, t.Ran = s.Outcome.Text, s.Outcome.Data, true
		s.mark(TodoDone, nodeSave)
	}
	to := Canceled
	switch {
	case s.Job.allDone():
		to, s.Job.Report = Succeeded, plainReport(s.Job.results())
	case s.Job.Code != "" && s.Job.Code != apperr.Canceled:
		to, s.Job.Report = Failed, plainReport(s.Job.results())
	default:
		s.Job.Code, s.Job.Report = apperr.Canceled, canceledReport(s.Job)
	}
	return m.finish(rec, to)
}

// finishBroken ends a job that the shop itself could not carry on with (storage failed, a node of its own broke).
func (m *Manager) finishBroken(e *entry, rec *Record, cause error) settled {
	m.deps.Box.ReleaseJob(e.id)
	if rec == nil {
		return settled{state: Failed}
	}
	s := &rec.Run
	s.begin()
	m.deps.Screens.Clear(s.Job.Chat, e.id)
	problem := apperr.From(cause)
	s.Job.Code, s.Job.Report = problem.Code, problem.Text(s.Job.Lang)
	if s.hasTodo() {
		s.todo().Text = s.Job.Report
		s.mark(TodoFailed, nodeDone)
	}
	return m.finish(rec, Failed)
}

func (m *Manager) finish(rec *Record, to State) settled {
	s := &rec.Run
	if s.Job.State.Ended() {
		return settled{state: s.Job.State}
	}
	err := m.runner.end(s, to)
	if err == nil {
		step := *s.out
		step.Run, step.Node, step.Next, step.Sync = s, nodeDone, graph.End, true
		err = m.runner.commit(context.WithoutCancel(m.base), step)
	}
	if err != nil {
		m.deps.Log.Error().Err(err).Str("job", s.Job.ID).Msg("the end of a job could not be saved")
	}
	return settled{state: s.Job.State}
}

// ErrNotIdle is returned by WaitIdle when its context ends first.
var ErrNotIdle = errors.New("job: still busy")

// WaitIdle returns when no job runs and none stands in line. Jobs that wait for a person, a tool or a moment do not count.
func (m *Manager) WaitIdle(ctx context.Context) error {
	for {
		m.mu.Lock()
		busy, ch := m.busy(), m.idle
		m.mu.Unlock()
		if !busy {
			return nil
		}
		select {
		case <-ch:
		case <-ctx.Done():
			return ErrNotIdle
		}
	}
}

// Busy tells whether a job runs or stands in line.
func (m *Manager) Busy() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.busy()
}

func (m *Manager) busy() bool { return m.active > 0 || m.standing > 0 }

func (m *Manager) signalIdle() {
	if !m.busy() {
		close(m.idle)
		m.idle = make(chan struct{})
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

// Mermaid draws the job graph.
func (m *Manager) Mermaid() string { return m.runner.graph.Mermaid() }

// Stop sends the workers home: running tools are interrupted, their jobs stay as the journal has them and go on at the
// next start. It returns when all are gone. Stopping twice is fine.
func (m *Manager) Stop() {
	m.mu.Lock()
	m.closed = true
	for _, e := range m.jobs {
		if e.timer != nil {
			e.timer.Stop()
		}
	}
	m.mu.Unlock()
	m.stop()
	m.pool.stop()
	m.desk.Wait()
}
