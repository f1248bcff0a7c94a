package manager

import (
	"context"
	"fmt"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/failpoint"
	"agentchat/backend/graph"
	"agentchat/backend/job"
	"agentchat/backend/service"
)

// patience is how long a turn waits for a confirmed task before it ends without the outcome, which then has a turn of its
// own.
const patience = 10 * time.Second

// slot works the message into the session (seed 002: SlotFillerAgent and the state manager). A confirmation is recognised
// by code alone, and handing out the task is one transaction with the stage CONFIRMED.
func (m *Manager) slot(ctx context.Context, t *Turn) (graph.Move, error) {
	label := t.say("정보 추출 중", "Reading the details")
	m.deps.Publisher.Publish(t.agentStart(agentSlot, label))
	began := m.deps.Now()
	manifest, ok := m.deps.Counter.Book.Get(t.Visit.Service)
	if !ok {
		return graph.Move{}, fmt.Errorf("manager: no service %q", t.Visit.Service)
	}
	s, out, err := m.hear(ctx, t, manifest)
	if err != nil {
		return graph.Move{}, err
	}
	done := func(stage service.Stage) {
		t.emit(event.AgentDone{
			Agent: agentSlot, Label: t.say("정보 추출 완료", "Details read"), Success: true, Stage: string(stage),
			Ms: m.deps.Now().Sub(began).Milliseconds(),
		})
	}
	if out.Order == nil {
		done(out.Stage)
		m.show(t, manifest, s, out)
		return graph.To(nodeSave), nil
	}
	j, err := m.deps.Orders.PrepareOrder(job.Order{
		Chat: t.Chat, Title: out.Order.Title, Request: t.Text, Lang: t.Lang, Tool: out.Order.Tool, Args: out.Order.Args,
	})
	switch {
	case apperr.CodeOf(err) == apperr.QueueFull: // nothing happened; it can be confirmed again
		s, _ := t.Visit.Open.Top()
		out := manifest.Question(s)
		done(s.Stage)
		out.Message = apperr.From(err).Text(t.Lang) + "\n" + out.Message
		m.show(t, manifest, s, out)
		return graph.To(nodeSave), nil
	case err != nil:
		s, out, ferr := manifest.Finish(s, service.Result{Text: apperr.From(err).Text(t.Lang), Code: apperr.CodeOf(err)}, m.today())
		if ferr != nil {
			return graph.Move{}, ferr
		}
		done(out.Stage)
		m.show(t, manifest, s, out)
		return graph.To(nodeSave), nil
	}
	s.Job, t.Visit.Job = j.ID, j.ID
	m.keep(t, s, false)
	done(service.Confirmed)
	if out.Order.Total > 1 {
		t.emit(event.TaskProgress{Index: out.Order.Index, Total: out.Order.Total, Slots: out.Order.Slots})
	}
	t.emit(event.AgentStart{Agent: agentExecute, Label: manifest.Executing(t.Lang)})
	t.out.Events = append(t.out.Events, m.deps.Jobs.Created(j, 0))
	t.out.Jobs = []job.Job{j}
	t.out.Sync = true
	return graph.To(nodeAwait).Durable(), nil
}

// hear is one step of the engine: a verb that code recognised, or what the words give.
func (m *Manager) hear(ctx context.Context, t *Turn, manifest *service.Manifest) (service.Session, service.Output, error) {
	s, ok := t.Visit.Open.Top()
	if !ok || s.Service != manifest.ID || s.Stage == service.Confirmed && t.Visit.Verb == service.VerbNone {
		if len(t.Visit.Open) >= service.MaxOpen {
			out := m.question(t)
			return s, out, nil
		}
		s = service.Open(t.ID, manifest, t.Lang)
	}
	if t.Visit.Mark != "" && !s.Mark(t.Visit.Mark) {
		return s, manifest.Question(s), nil // a button of what was on show before
	}
	if t.Visit.Mark == "" {
		s.Lang = t.Lang
	}
	seen := t.Seen
	if t.Visit.Mark != "" {
		seen = t.Visit.Mark
	}
	switch t.Visit.Verb {
	case service.VerbConfirm:
		return manifest.Confirm(s, seen)
	case service.VerbCancel, service.VerbSkip, service.VerbCancelAll:
		if s.Stage == service.Confirmed {
			return m.stopTask(t, manifest, s)
		}
		return manifest.Cancel(s, t.Visit.Verb == service.VerbCancelAll, m.today())
	case service.VerbNone:
	}
	heard, err := m.extract(ctx, t, manifest, s)
	if err != nil {
		return s, service.Output{}, err
	}
	return manifest.Hear(s, heard, m.today())
}

// stopTask stops a task that is under way; its outcome is told when it has ended.
func (m *Manager) stopTask(t *Turn, manifest *service.Manifest, s service.Session) (service.Session, service.Output, error) {
	out := manifest.Question(s)
	if err := m.deps.Jobs.CancelJob(s.Job); err == nil {
		out.Message = t.say("멈추도록 했어요. 결과는 곧 알려 드릴게요.", "I asked it to stop and will tell you how it ended.")
	}
	return s, out, nil
}

// extract has the values read out of the words and keeps only those the words hold.
func (m *Manager) extract(ctx context.Context, t *Turn, manifest *service.Manifest, s service.Session) (service.Heard, error) {
	now := m.deps.Now()
	if heard, ok := manifest.Answers(s, t.Text, now); ok {
		return heard, nil // the message is nothing but the value that was asked for
	}
	brief := m.brief(ctx, t)
	brief.Counter.Service, brief.Counter.Stage, brief.Counter.Slots, brief.Counter.Asked = manifest.Intent, string(s.Stage), s.Slots, s.Asked
	brief.Counter.Missing = manifest.Missing(s)
	reply, err := m.deps.Counter.Extractor.Slots(ctx, brief, manifest.Card())
	if ctx.Err() != nil {
		return service.Heard{}, ctx.Err()
	}
	if err != nil {
		reply = manifest.Reads(s, t.Text, now) // without a model that can say it, the grammar does
	}
	heard := manifest.Ground(s, reply, t.Text, t.Visit.Fresh, now)
	if heard.Doubt {
		m.deps.Log.Info().Str("turn", t.ID).Str("service", manifest.ID).Msg("the interpreter proposed values that the words do not hold; they were dropped")
	}
	return heard, nil
}

// show makes the engine's output the turn's reply and keeps the session.
func (m *Manager) show(t *Turn, manifest *service.Manifest, s service.Session, out service.Output) {
	m.keep(t, s, out.Over)
	t.Reply, t.Next, t.Buttons = out.Message, out.Next, out.Buttons
	state := manifest.State(t.Chat, s, out.Over)
	t.Visit.State = &state
	if next, ok := t.Visit.Open.Top(); out.Over && ok {
		m.remind(t, next)
	}
}

// keep notes the session's new state for the step's transaction.
func (m *Manager) keep(t *Turn, s service.Session, over bool) {
	if over {
		t.Visit.Open = t.Visit.Open.Without(s.ID)
	} else {
		t.Visit.Open = t.Visit.Open.With(s)
	}
	t.out.Counter = &t.Visit.Open
}

// remind repeats what a session that is still open asks, behind the turn's own reply.
func (m *Manager) remind(t *Turn, s service.Session) {
	manifest, ok := m.deps.Counter.Book.Get(s.Service)
	if !ok || s.Stage != service.Filling && s.Stage != service.Ready {
		return
	}
	s.Lang = t.Lang
	out := manifest.Question(s)
	t.Reply += "\n\n" + out.Message
	t.Next, t.Buttons = out.Next, append(t.Buttons, out.Buttons...)
	state := manifest.State(t.Chat, s, false)
	t.Visit.State = &state
}

// closing is what the end of a turn owes the counter: after something else was talked about, the service's question is
// repeated. It tells whether the turn has nothing to say.
func (m *Manager) closing(ctx context.Context, t *Turn) (silent bool, err error) {
	if t.Visit == nil || m.deps.Counter == nil {
		return false, nil
	}
	if t.Visit.Silent {
		return true, nil
	}
	if t.Visit.Open, err = m.deps.Store.Counter(ctx, t.Chat); err != nil { // what really stands there
		return false, err
	}
	if top, ok := t.Visit.Open.Top(); ok && t.Visit.State == nil {
		m.remind(t, top)
	}
	return false, nil
}

// question is what stands open on top of the counter.
func (m *Manager) question(t *Turn) service.Output {
	top, manifest := m.topOf(t)
	if manifest == nil {
		return service.Output{}
	}
	return manifest.Question(top)
}

// await waits for the handed-out task and tells how it ended. When the task itself waits for something, or takes long, the
// turn ends without the outcome; the job's end opens a turn that tells it.
func (m *Manager) await(ctx context.Context, t *Turn) (graph.Move, error) {
	open, err := m.deps.Store.Counter(context.WithoutCancel(ctx), t.Chat)
	if err != nil {
		return graph.Move{}, err
	}
	t.Visit.Open = open
	id := t.Visit.Job
	if t.Resume != "" {
		id = t.Resume
	}
	s, ok := open.ByJob(id)
	if !ok || s.Stage != service.Confirmed {
		t.Visit.Silent = t.Resume != ""
		return graph.To(nodeSave), nil // told already
	}
	manifest, ok := m.deps.Counter.Book.Get(s.Service)
	if !ok {
		m.keep(t, s, true) // the person took the service away meanwhile
		t.fail(apperr.New(apperr.NotFound, "what", "service", "id", s.Service))
		return graph.To(nodeSave), nil
	}
	began := m.deps.Now()
	j, err := m.watch(ctx, id)
	if err != nil {
		return graph.Move{}, err
	}
	label := manifest.Executing(t.Lang)
	done := event.AgentDone{Agent: agentExecute, Label: label, Ms: m.deps.Now().Sub(began).Milliseconds()}
	if !j.State.Ended() {
		if t.Resume != "" {
			t.Visit.Silent = true // not over after all
			return graph.To(nodeSave), nil
		}
		done.Result, done.Stage = string(j.State), string(service.Confirmed)
		t.emit(done)
		m.show(t, manifest, s, manifest.Question(s))
		if j.State == job.Waiting && j.Reason != "" {
			t.Reply += "\n" + j.Reason
		}
		return graph.To(nodeSave), nil
	}
	if t.Resume != "" {
		t.emit(event.AgentStart{Agent: agentExecute, Label: label})
	}
	if m.deps.Counter.Done != nil {
		m.deps.Counter.Done(j)
	}
	result := outcome(j)
	s, out, err := manifest.Finish(s, result, m.today())
	if err != nil {
		return graph.Move{}, err
	}
	done.Success, done.Stage, done.Result = result.OK, string(out.Stage), string(result.Code)
	t.emit(done)
	m.show(t, manifest, s, out)
	t.Code = result.Code
	t.out.Sync = true
	return graph.To(nodeSave).Durable(), nil
}

// watch gives a job once it has ended or waits for something, or as it is when patience or the turn ends.
func (m *Manager) watch(ctx context.Context, id string) (job.Job, error) {
	moved := make(chan struct{}, 1)
	m.mu.Lock()
	m.watched[id] = moved
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.watched, id)
	}()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		rec, err := m.deps.Store.LoadRun(context.WithoutCancel(ctx), id)
		if err != nil {
			return job.Job{}, err
		}
		if j := rec.Run.Job; j.State.Ended() || j.State == job.Waiting {
			return j, nil
		}
		select {
		case <-moved:
			continue
		case <-limit.C:
		case <-ctx.Done():
			if m.base.Err() != nil {
				return job.Job{}, ctx.Err() // the shop closes; the turn goes on waiting at the next start
			}
		}
		m.mu.Lock() // from now on the job's end opens a turn of its own
		delete(m.watched, id)
		m.mu.Unlock()
		rec, err = m.deps.Store.LoadRun(context.WithoutCancel(ctx), id)
		return rec.Run.Job, err
	}
}

// JobMoved is told by the job manager, once it is stored, that a job of the counter ended or waits. It must not be called
// with locks held.
func (m *Manager) JobMoved(j job.Job) {
	m.mu.Lock()
	moved := m.watched[j.ID]
	m.mu.Unlock()
	if moved != nil {
		select {
		case moved <- struct{}{}:
		default:
		}
		return
	}
	m.mu.Lock()
	opened := m.opened
	m.mu.Unlock()
	if opened && j.State.Ended() { // before that, Start looks itself
		m.resume(m.base, j.Chat, j.ID)
	}
}

// resume opens the turn that tells the outcome of a job. Doing it twice opens one.
func (m *Manager) resume(ctx context.Context, chat, id string) {
	if failpoint.Enabled {
		failpoint.Hit("counter.resume before")
	}
	turn := Turn{ID: "outcome-" + id, Chat: chat, Lang: m.deps.Lang(), Resume: id, Message: m.deps.NewID()}
	if open, err := m.deps.Store.Counter(ctx, chat); err == nil {
		if s, ok := open.ByJob(id); ok {
			turn.Lang = s.Lang
		}
	}
	added, err := m.deps.Store.AddResume(context.WithoutCancel(ctx), turn)
	if err != nil {
		m.deps.Log.Error().Err(err).Str("job", id).Msg("the outcome of a task could not be noted; the next start tells it")
		return
	}
	if added {
		m.enqueue(Pending{Turn: turn})
	}
}

// stock is the counter as the last run of the program left it.
type stock struct {
	open   map[string]service.Counter
	busy   map[string]bool // chats with a turn that goes on
	waited map[string]bool // jobs that such a turn waits for
}

func (m *Manager) takeStock(ctx context.Context, pending []Pending) (was stock, err error) {
	if m.deps.Counter == nil {
		return was, nil
	}
	was.busy, was.waited = map[string]bool{}, map[string]bool{}
	for _, p := range pending {
		was.busy[p.Turn.Chat] = true
		if p.Turn.Visit != nil {
			was.waited[p.Turn.Visit.Job] = true
		}
	}
	was.open, err = m.deps.Store.Counters(ctx)
	return was, err
}

// takeUp brings the counter back after a start: what is on show counts as shown, and tasks that ended meanwhile are told.
func (m *Manager) takeUp(ctx context.Context, was stock) error {
	m.mu.Lock()
	m.opened = true
	m.mu.Unlock()
	for chat, open := range was.open {
		if top, ok := open.Top(); ok && !was.busy[chat] {
			m.mu.Lock()
			m.shown[chat] = top.Token()
			m.mu.Unlock()
		}
		for _, s := range open {
			if s.Job == "" || was.waited[s.Job] { // its own turn goes on
				continue
			}
			rec, err := m.deps.Store.LoadRun(ctx, s.Job)
			if err != nil {
				return err
			}
			if rec.Run.Job.State.Ended() {
				m.resume(ctx, chat, s.Job)
			}
		}
	}
	return nil
}

// nowOnShow notes, once a turn is over and its reply published, what its chat's customer has before them.
func (m *Manager) nowOnShow(t *Turn) {
	if t.Visit == nil {
		return
	}
	token := ""
	if top, ok := t.Visit.Open.Top(); ok {
		token = top.Token()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.shown[t.Chat] = token
}

// Sessions gives what stands open at the counters of all chats, for fronts.
func (m *Manager) Sessions(ctx context.Context) ([]service.View, error) {
	views := []service.View{}
	if m.deps.Counter == nil {
		return views, nil
	}
	all, err := m.deps.Store.Counters(ctx)
	if err != nil {
		return nil, err
	}
	for chat, open := range all {
		for _, s := range open {
			if manifest, ok := m.deps.Counter.Book.Get(s.Service); ok {
				views = append(views, manifest.View(chat, s))
			}
		}
	}
	return views, nil
}
