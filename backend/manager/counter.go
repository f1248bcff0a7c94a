package manager

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/job"
	"agentchat/backend/language/ground"
	"agentchat/backend/provider"
	"agentchat/backend/service"
)

// outcomeWait is how long a turn waits for a confirmed task. After that it ends without the outcome, which is then told in a turn of its
// own.
const outcomeWait = 10 * time.Second

// slot applies the message to the session (seed 002: SlotFillerAgent and the state manager). Only code recognises a confirmation, and the
// task is handed out in the same transaction that sets the stage CONFIRMED.
func (m *Manager) slot(ctx context.Context, t *Turn) (graph.Move, error) {
	label := t.say("정보 추출 중", "Reading the details")
	m.deps.Publisher.Publish(t.agentStart(agentSlot, label))
	began := m.deps.Now()
	manifest, ok := m.deps.Counter.Book.Get(t.Counter.Service)
	if !ok {
		return graph.Move{}, fmt.Errorf("manager: no service %q", t.Counter.Service)
	}
	// The session may have changed since the turn was routed here: another turn was faster, or the program was restarted.
	var err error
	if t.Counter.Open, err = m.deps.Store.Counter(ctx, t.Chat); err != nil {
		return graph.Move{}, err
	}
	if t.Counter.Verb != service.VerbNone {
		move, settled, err := m.late(ctx, t)
		if settled || err != nil {
			return move, err
		}
	}
	if t.Standing != nil && len(t.Counter.Open) >= service.MaxOpen {
		t.Reply, t.Next = t.say("창구에 열려 있는 일이 많아서 이번에는 하지 못했어요. 그 일들을 마치고 ‘지금 실행’으로 다시 할 수 있어요.",
			"Too much stands open at the counter, so it was not done this time. When that is over, run it again now."), event.NextNone
		return graph.To(nodeSave), nil
	}
	s, out, err := m.applyInput(ctx, t, manifest)
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
		Mark: out.Order.Mark, Chat: t.Chat, Title: out.Order.Title, Request: t.Text, Lang: t.Lang, Tool: out.Order.Tool, Args: out.Order.Args,
	})
	switch {
	case apperr.CodeOf(err) == apperr.QueueFull: // nothing happened; it can be confirmed again
		s, _ := t.Counter.Open.Top()
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
	j.Turn, j.Began = t.ID, s.ID
	if s.Order != "" {
		j.Standing = &job.Standing{Order: s.Order, Run: s.ID}
	}
	s.Job, t.Counter.Job = j.ID, j.ID
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

// unreadable ends a task whose record cannot be read. The customer is told that its outcome is unknown; the record is not changed.
func (m *Manager) unreadable(t *Turn, manifest *service.Manifest, s service.Session, cause error) (graph.Move, error) {
	m.deps.Log.Error().Err(cause).Str("job", s.Job).Msg("the record of a task cannot be read; it is put aside")
	code := apperr.InDoubt
	s, out, err := manifest.Finish(s, service.Result{Code: code, Text: t.say(
		"그 일의 기록을 읽을 수 없어서 되었는지 알 수 없어요. 기록은 그대로 두었으니, 다시 하기 전에 내역을 확인해 주세요.",
		"Its record cannot be read, so nobody knows whether it was done. The record is left as it is; look at the statement before you do it again.",
	)}, m.today())
	if err != nil {
		return graph.Move{}, err
	}
	m.show(t, manifest, s, out)
	t.Code = code
	return graph.To(nodeSave), nil
}

// late answers a yes or a no that came after the decision: it changes nothing, and the customer is told how the task ended.
func (m *Manager) late(ctx context.Context, t *Turn) (move graph.Move, settled bool, err error) {
	top, ok := t.Counter.Open.Top()
	switch {
	case !ok:
		t.Reply, t.Next = t.say("이미 끝난 일이에요. 바뀐 것은 없어요.", "That is over already. Nothing was changed."), event.NextNone
		return graph.To(nodeSave), true, nil
	case top.Stage != service.Confirmed:
		return graph.Move{}, false, nil
	}
	rec, err := m.deps.Store.LoadRun(ctx, top.Job)
	if err != nil || !rec.Run.Job.State.Ended() {
		return graph.Move{}, false, err
	}
	t.Counter.Job = top.Job
	return graph.To(nodeAwait), true, nil
}

// applyInput is one step of the engine: a verb that code recognised, or what the words give.
func (m *Manager) applyInput(ctx context.Context, t *Turn, manifest *service.Manifest) (service.Session, service.Output, error) {
	s, ok := t.Counter.Open.Top()
	if !ok || s.Service != manifest.ID || s.Stage == service.Confirmed && t.Counter.Verb == service.VerbNone || t.Standing != nil {
		if len(t.Counter.Open) >= service.MaxOpen {
			out := m.question(t)
			return s, out, nil
		}
		s = service.Open(t.ID, manifest, t.Lang)
		if t.Standing != nil {
			s.Order = t.Standing.ID
		}
	}
	if t.Counter.Mark != "" && !s.Mark(t.Counter.Mark) {
		return s, manifest.Question(s), nil // a button of what was on show before
	}
	if t.Counter.Mark == "" {
		s.Lang = t.Lang
	}
	seen := t.Seen
	if t.Counter.Mark != "" {
		seen = t.Counter.Mark
	}
	switch t.Counter.Verb {
	case service.VerbConfirm:
		return manifest.Confirm(s, seen)
	case service.VerbCancel, service.VerbSkip, service.VerbCancelAll:
		if s.Stage == service.Confirmed {
			return m.stopTask(t, manifest, s)
		}
		return manifest.Cancel(s, t.Counter.Verb == service.VerbCancelAll, m.today())
	case service.VerbNone:
	}
	found, err := m.extract(ctx, t, manifest, s)
	if err != nil {
		return s, service.Output{}, err
	}
	return manifest.Apply(s, found, m.today())
}

// stopTask stops a task that is under way; its outcome is told when it has ended.
func (m *Manager) stopTask(t *Turn, manifest *service.Manifest, s service.Session) (service.Session, service.Output, error) {
	out := manifest.Question(s)
	if err := m.deps.Jobs.CancelJob(s.Job); err == nil {
		out.Message = t.say("멈추도록 했어요. 결과는 곧 알려 드릴게요.", "I asked it to stop and will tell you how it ended.")
	}
	return s, out, nil
}

// extract reads values out of the message and keeps only those that the message really contains.
func (m *Manager) extract(ctx context.Context, t *Turn, manifest *service.Manifest, s service.Session) (service.Extraction, error) {
	now := m.deps.Now()
	if t.Given != nil {
		return service.Extraction{Set: t.Given.Values, Says: t.Given.Says}, nil
	}
	if found, ok := manifest.Answers(s, t.ordered(), now); ok {
		return found, nil // the message is nothing but the value that was asked for
	}
	brief := m.brief(ctx, t)
	brief.Counter.Service, brief.Counter.Stage, brief.Counter.Slots, brief.Counter.Asked = manifest.Intent, string(s.Stage), s.Slots, s.Asked
	brief.Counter.Missing = manifest.Missing(s)
	reply, err := m.deps.Counter.Extractor.Slots(ctx, brief, manifest.Card())
	if ctx.Err() != nil {
		return service.Extraction{}, ctx.Err()
	}
	if err != nil {
		reply = manifest.Reads(s, t.ordered(), now) // without a model that can say it, the grammar does
	}
	found := manifest.Ground(s, reply, t.ordered(), t.Counter.Fresh, now)
	found.Besides = m.besides(ctx, t, manifest, s)
	if found.Doubt {
		m.deps.Log.Info().Str("turn", t.ID).Str("service", manifest.ID).Msg("the interpreter proposed values that the words do not hold; they were dropped")
	}
	return found, nil
}

// besides are the parts of a message at the counter that ask for other work. The reply names them, so that they are not dropped silently.
func (m *Manager) besides(ctx context.Context, t *Turn, manifest *service.Manifest, s service.Session) (list []string) {
	if m.deps.Ordered == nil {
		return nil
	}
	started := func(request string) []provider.JobPlan {
		brief := m.planning(ctx, t, nil)
		brief.Request = request
		plan, _ := m.deps.Planner.Reads(ctx, brief)
		return plan.Jobs
	}
	whole := sync.OnceValue(func() []provider.JobPlan { return started(t.Text) })
	var orders []string
	for _, order := range m.deps.Ordered(t.Text) {
		clauses := ground.Clauses(order)
		if len(clauses) == 1 {
			orders = append(orders, order)
			continue
		}
		for _, clause := range clauses {
			orders = append(orders, m.deps.Ordered(clause)...)
		}
	}
	for _, order := range orders {
		if order == t.Text || manifest.Means(order) || manifest.Mentions(s, order, m.deps.Now()) {
			continue
		}
		part := func(j provider.JobPlan) bool { return j.Todos[0].Request == order } // alone it may lead nowhere: 노래 틀고
		if slices.ContainsFunc(whole(), part) || len(started(order)) > 0 {
			list = append(list, t.say("‘"+order+"’", "“"+order+"”"))
		}
	}
	return list
}

// show makes the engine's output the turn's reply and keeps the session.
func (m *Manager) show(t *Turn, manifest *service.Manifest, s service.Session, out service.Output) {
	m.keep(t, s, out.Over)
	t.Reply, t.Next, t.Buttons = out.Message, out.Next, out.Buttons
	state := manifest.State(t.Chat, s, out.Over)
	t.Counter.State = &state
	if next, ok := t.Counter.Open.Top(); out.Over && ok {
		m.remind(t, next)
	}
}

// keep notes the session's new state for the step's transaction.
func (m *Manager) keep(t *Turn, s service.Session, over bool) {
	if over {
		t.Counter.Open = t.Counter.Open.Without(s.ID)
	} else {
		t.Counter.Open = t.Counter.Open.With(s)
	}
	t.out.Counter = &t.Counter.Open
}

// remind appends the open question of a session to the turn's own reply.
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
	t.Counter.State = &state
}

// closing finishes the counter's part of a turn: if the turn was about something else, the open question of the service is repeated. It
// tells whether the turn has nothing to say.
func (m *Manager) closing(ctx context.Context, t *Turn) (silent bool, err error) {
	if t.Counter == nil || m.deps.Counter == nil {
		return false, nil
	}
	if t.Counter.Silent {
		return true, nil
	}
	if t.Counter.Open, err = m.deps.Store.Counter(ctx, t.Chat); err != nil { // what really stands there
		return false, err
	}
	if top, ok := t.Counter.Open.Top(); ok && t.Counter.State == nil {
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
	t.Counter.Open = open
	id := t.Counter.Job
	if t.Resume != "" {
		id = t.Resume
	}
	s, ok := open.ByJob(id)
	if !ok || s.Stage != service.Confirmed {
		t.Counter.Silent = t.Resume != ""
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
	switch code := apperr.CodeOf(err); {
	case err == nil:
	case ctx.Err() != nil || code == apperr.StorageBusy || code == apperr.StorageFull:
		return graph.Move{}, err
	default:
		return m.unreadable(t, manifest, s, err)
	}
	label := manifest.Executing(t.Lang)
	done := event.AgentDone{Agent: agentExecute, Label: label, Ms: m.deps.Now().Sub(began).Milliseconds()}
	if !j.State.Ended() {
		if t.Resume != "" {
			t.Counter.Silent = true // not over after all
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
	if result := outcome(j); result.OK {
		t.speaks(false, referent{Job: j.ID})
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
