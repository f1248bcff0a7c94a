package manager

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/failpoint"
	"agentchat/backend/frontdesk"
	"agentchat/backend/graph"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/language/refer"
	"agentchat/backend/language/verdict"
	"agentchat/backend/library/agent"
	"agentchat/backend/provider"
	"agentchat/backend/undolog"
)

// The nodes of the turn graph: route → (intent → slot → await | library | plan → answer | jobs | stop) →
// save. Saving happens whatever the turn did.
const (
	nodeRoute  = "route"
	nodePlan   = "plan"
	nodeAnswer = "answer"
	nodeJobs   = "jobs"
	nodeStop   = "stop"
	nodeSteer  = "steer"
	nodeAct    = "act"
	nodeWords  = "answer_ask"
	nodeIntent = "intent"
	nodeSlot   = "slot"
	nodeQuery  = "query"
	nodeAwait  = "await"
	nodeSave   = "save"

	nodeReading  = "reading"
	nodeStanding = "standing"
	nodeLibrary  = "library"
	nodePrompt   = "prompt"
)

// cancelAction is the prefix of buttons that stop a job.
const cancelAction = "cancel:"

func (m *Manager) compile() (err error) {
	m.graph, err = graph.Compile("turn", nodeRoute, []graph.Node[*Turn]{
		{Name: nodeRoute, Doc: "a button, a word to a job, an answer, or a request?", Run: m.route, Next: []string{nodeAct, nodeSteer, nodeWords, nodePlan, nodeIntent, nodeAwait, nodeLibrary, nodePrompt, nodeStanding, nodeJobs, nodeStop, nodeSave}},
		{Name: nodePlan, Doc: "one planner request decides route and work", Run: m.plan, Next: []string{nodeAnswer, nodeJobs, nodeStop, nodeIntent, nodeLibrary, nodeSave}},
		{Name: nodeIntent, Doc: "which service is meant, if any?", Run: m.intent, Next: []string{nodeSlot, nodeQuery, nodePlan, nodeSave}},
		{Name: nodeSlot, Doc: "works the words into the service's session", Run: m.slot, Next: []string{nodeAwait, nodeSave}},
		{Name: nodeAwait, Doc: "waits for the confirmed task", Run: m.await, Next: []string{nodeSave}},
		{Name: nodeQuery, Doc: "answers from a ledger, by code", Run: m.query, Next: []string{nodeSave, nodePlan}},
		{Name: nodeAnswer, Doc: "the reply is the answer", Run: m.reply, Next: []string{nodeSave}},
		{Name: nodeJobs, Doc: "hands out job tickets", Run: m.jobs, Next: []string{nodeSave, nodeLibrary}},
		{Name: nodeStop, Doc: "stops running work", Run: m.stopWork, Next: []string{nodeSave}},
		{Name: nodeReading, Doc: "waits for what is being put into the library", Run: m.reading, Next: []string{nodeLibrary}},
		{Name: nodeLibrary, Doc: "answers from the documents", Run: m.library, Next: []string{nodeReading, nodeSave}},
		{Name: nodePrompt, Doc: "answers a prompt of an outside server, in words alone", Run: m.prompt, Next: []string{nodeSave}},
		{Name: nodeStanding, Doc: "proposes, keeps, changes or shows standing orders", Run: m.standing, Next: []string{nodeSave}},
		{Name: nodeSteer, Doc: "passes a word on to a job", Run: m.steer, Next: []string{nodeSave}},
		{Name: nodeAct, Doc: "does what a button says", Run: m.act, Next: []string{nodeSave, nodeJobs, nodeIntent, nodeLibrary}},
		{Name: nodeWords, Doc: "answers an open question by words", Run: m.words, Next: []string{nodeSave, nodePlan}},
		{Name: nodeSave, Doc: "keeps the reply; always", Run: m.save, Next: []string{graph.End}},
	})
	return err
}

// Save makes the manager the journal of its graph.
func (m *Manager) Save(ctx context.Context, s graph.Step[*Turn]) error {
	step := *s.State.out
	step.Turn, step.Node, step.Next, step.Done = s.State, s.Node, s.Next, s.Next == graph.End
	if failpoint.Enabled {
		failpoint.Hit("turn." + step.Node + " before")
	}
	if step.Say != nil {
		done, err := m.saying(ctx, step.Say.Chat)
		if err != nil {
			return err
		}
		defer done()
	}
	m.steps.RLock()
	defer m.steps.RUnlock()
	if err := m.deps.Store.SaveTurn(ctx, step); err != nil {
		return err
	}
	if failpoint.Enabled {
		failpoint.Hit("turn." + step.Node + " after")
	}
	s.State.out, s.State.kept = &TurnStep{}, s.Next
	if !step.Turn.told {
		m.deps.Publisher.Publish(step.Events...)
	}
	for _, id := range step.Stop {
		if err := m.deps.Jobs.CancelJob(id); err != nil && apperr.CodeOf(err) != apperr.JobEnded {
			m.deps.Log.Error().Err(err).Str("job", id).Msg("a job could not be stopped for another")
		}
	}
	if len(step.Jobs) > 0 {
		m.deps.Jobs.Submit(step.Jobs)
	}
	if step.Say != nil {
		m.sayWhole(*step.Say, step.Said)
	}
	return nil
}

// route decides who takes the message. Whatever needs no reading of the words as a whole comes first.
func (m *Manager) route(ctx context.Context, t *Turn) (graph.Move, error) {
	for _, settle := range []func(context.Context, *Turn) (graph.Move, bool, error){m.settlesOpen, m.settlesCounter, m.settlesAction} {
		if move, settled, err := settle(ctx, t); settled || err != nil {
			return move, err
		}
	}
	sure, err := m.asksLibrary(ctx, t)
	if err != nil {
		return graph.Move{}, err
	}
	if !m.divided(ctx, t) && sure == 2 {
		leans := t.Inquiry.Before != nil && agent.Concerns(t.Text, true) == 2 // which how a sentence alone was read does not know
		if m.plain() && !leans && m.doubts(ctx, t, frontdesk.KeyLibrary) {
			t.Inquiry = nil
			return graph.To(nodeSave), nil
		}
		return graph.To(nodeLibrary), nil
	}
	return graph.To(nodePlan).Soon(), nil
}

// settlesOpen takes what is about a document or a file that came along, and what answers or points at something that was said before.
func (m *Manager) settlesOpen(ctx context.Context, t *Turn) (move graph.Move, settled bool, err error) {
	if err := m.places(ctx, t); err != nil {
		t.fail(err)
		return graph.To(nodeSave), true, nil
	}
	if t.About != nil {
		m.read(ctx, t)
		if move, asks, err := m.settlesTable(ctx, t); asks || err != nil {
			return move, asks, err
		}
		_, err = m.asksLibrary(ctx, t)
		return graph.To(nodeLibrary), true, err
	}
	if t.Text == "" { // nothing was said that code could read
		if move, asks := m.settlesPrompt(ctx, t); asks {
			return move, true, nil
		}
	}
	if asked, err := m.fills(ctx, t); asked || err != nil {
		return graph.To(nodeSave), true, err
	}
	if told, err := m.spells(ctx, t); told || err != nil {
		return graph.To(nodeSave), true, err
	}
	if err := m.saysDay(ctx, t); err != nil {
		return graph.Move{}, false, err
	}
	m.read(ctx, t)
	if move, asks, err := m.settlesTable(ctx, t); asks || err != nil {
		return move, asks, err
	}
	if move, asks := m.settlesPrompt(ctx, t); asks {
		return move, true, nil
	}
	if m.asksAttached(ctx, t) {
		_, err = m.asksLibrary(ctx, t)
		return graph.To(nodeLibrary), true, err
	}
	if err := m.refers(ctx, t); err != nil {
		return graph.Move{}, false, err
	}
	if t.reading != nil && t.Standing == nil && t.Action == "" && verdict.Withdraws(t.Text) && !refer.Undoes(t.Text, m.readAt(t)) {
		t.Reply, t.Next = t.say("네, 아무것도 시작하지 않을게요.", "All right, I won't start anything."), event.NextNone
		return graph.To(nodeSave), true, m.noteCounter(ctx, t)
	}
	if move, ok, err := m.points(ctx, t); ok || err != nil {
		return move, true, err
	}
	if move, ok, err := m.goesOnList(ctx, t); ok || err != nil {
		return move, true, err
	}
	if move, ok, err := m.asksOn(ctx, t); ok || err != nil {
		return move, true, err
	}
	ours, err := m.concernsStanding(ctx, t)
	return graph.To(nodeStanding), ours, err
}

// settlesCounter takes what is for the service counter.
func (m *Manager) settlesCounter(ctx context.Context, t *Turn) (move graph.Move, settled bool, err error) {
	counter, err := m.atCounter(ctx, t)
	switch {
	case err != nil:
		return graph.Move{}, false, err
	case t.Resume != "":
		return graph.To(nodeAwait), true, nil
	case !counter:
		return graph.Move{}, false, nil
	}
	if taken := m.tookCounter(t); taken != "" && m.doubts(ctx, t, taken) {
		t.Counter = nil
		return graph.To(nodeSave), true, nil
	}
	return graph.To(nodeIntent), true, nil
}

// settlesAction takes buttons, words that steer what goes on, and the word that answers an open question.
func (m *Manager) settlesAction(_ context.Context, t *Turn) (move graph.Move, settled bool, err error) {
	switch {
	case t.steers():
		return graph.To(nodeSteer), true, nil
	case t.Action != "":
		return graph.To(nodeAct), true, nil
	case t.Standing == nil && lockWord(t.Text) != "":
		return graph.To(nodeWords), true, nil
	}
	return graph.Move{}, false, nil
}

func (m *Manager) plan(ctx context.Context, t *Turn) (graph.Move, error) {
	if t.Standing == nil {
		use := undolog.Turn(t.ID, t.Chat)
		answer, learned, err := m.deps.Memory.LearnFrom(undolog.Under(ctx, use), t.Chat, t.ID, t.Text, t.Lang)
		if err != nil {
			return graph.Move{}, err
		}
		if learned {
			t.learned = &referent{Use: use.ID}
		}
		if answer != "" {
			t.Reply, t.Next = answer, event.NextNone
			return graph.To(nodeSave), nil
		}
	}
	running, err := m.running(ctx, t.Chat)
	if err != nil {
		return graph.Move{}, err
	}
	if m.uncertain(ctx, t, running) {
		return graph.To(nodeSave), nil
	}
	brief := m.planning(ctx, t, running)
	if t.Counter != nil && len(t.Counter.Open) > 0 && t.Standing == nil {
		brief.Counter = m.brief(ctx, t).Counter
	}
	plan, known := m.knows(ctx, t, brief)
	if !known {
		if t.reading != nil && !m.plain() {
			brief.Candidates = frontdesk.Tools(m.offers(ctx, t))
		}
		plan, err = m.deps.Planner.Plan(ctx, brief)
	}
	switch {
	case ctx.Err() != nil:
		return graph.Move{}, cmp.Or(err, ctx.Err())
	case err != nil:
		return m.unaided(ctx, t, running, err), nil
	}
	if plan.Worded && plan.Route == provider.RouteJobs && m.changes(ctx, t, tookTool(plan)) {
		return graph.To(nodeSave), nil
	}
	if move, ok := m.follow(t, plan); ok {
		return move, nil
	}
	return m.unaided(ctx, t, running, apperr.New(apperr.NotAvailable, "what", string(plan.Route))), nil
}

// follow goes on as a plan says; ok is false when it names what is not there.
func (m *Manager) follow(t *Turn, plan provider.Plan) (move graph.Move, ok bool) {
	t.Plan, t.Thought, t.Worded = &plan, plan.Reasoning, plan.Worded
	switch plan.Route {
	case provider.RouteJobs:
		return graph.To(nodeJobs).Soon(), true
	case provider.RouteStop:
		return graph.To(nodeStop), true
	case provider.RouteAnswer:
		t.speaks(true, tickets(plan.Shown)...)
		if plan.Lost && len(t.Attachments) > 0 && m.deps.Library != nil {
			return graph.To(nodeLibrary), true // it is no order after all
		}
		if q := t.Inquiry; q != nil && q.Before != nil && m.deps.Library.Plain() && agent.Concerns(t.Text, true) > 0 {
			return graph.To(nodeLibrary), true // nobody understood it, and the talk is about documents
		}
		return graph.To(nodeAnswer).Soon(), true
	case provider.RouteService:
		return m.serves(t)
	case provider.RouteLibrary:
		return graph.To(nodeLibrary), m.deps.Library != nil
	}
	return graph.Move{}, false
}

// planning is what a planner is told of a message.
func (m *Manager) planning(ctx context.Context, t *Turn, running []provider.RunningJob) interpreter.Brief {
	brief := interpreter.Brief{
		Chat: t.Chat, Turn: t.ID, Lang: t.Lang, Now: m.readAt(t), Request: cmp.Or(t.Work, t.request()), Running: running,
		Background: m.Background(ctx, t.Chat, ""), Message: t.Message, Tables: t.tables,
	}
	if t.reading != nil && brief.Request == t.Text { // of a part of the message the rooms said nothing
		brief.Evidence = slices.Concat(t.reading.Evidence...)
	}
	return brief
}

// atWork are the jobs of a chat that have not ended, newest first; limit 0 for all. What is being stopped goes on no more.
func (m *Manager) atWork(ctx context.Context, chat string, limit int) ([]job.Job, error) {
	jobs, err := m.deps.Store.ChatJobs(ctx, chat, limit)
	return slices.DeleteFunc(jobs, func(j job.Job) bool { return !m.deps.Jobs.Alive(j.ID) }), err
}

// running is what is going on in a chat, oldest first as requests have it.
func (m *Manager) running(ctx context.Context, chat string) ([]provider.RunningJob, error) {
	jobs, err := m.atWork(ctx, chat, 20)
	if err != nil {
		return nil, err
	}
	out := make([]provider.RunningJob, len(jobs))
	for i, j := range jobs {
		tools := left(j)
		out[len(jobs)-1-i] = provider.RunningJob{ID: j.ID, Title: j.Title, Tool: currentTool(j), Then: tools[min(len(tools), 1):], State: string(j.State), Detail: m.detail(j)}
	}
	return out, nil
}

// detail is what a job waits for, or what it plays.
func (m *Manager) detail(j job.Job) string {
	if j.State == job.Waiting || m.deps.Playing == nil {
		return j.Reason
	}
	return m.deps.Playing(j.ID)
}

func (m *Manager) reply(ctx context.Context, t *Turn) (graph.Move, error) {
	t.Reply, t.Next = t.Plan.Reply, event.NextNone
	if t.Plan.Lost && !t.Plan.Other {
		m.nearest(ctx, t)
	}
	return graph.To(nodeSave).Soon(), nil
}

// jobs hands out the tickets of the plan. A plan may stop work ("turn the song off and play a film"): it is stopped in the
// step that makes the new work certain, and not before.
func (m *Manager) jobs(ctx context.Context, t *Turn) (graph.Move, error) {
	if t.Standing != nil && t.Standing.About != "" {
		t.Plan.SetByCode(false) // not all of it was read out of what the customer said
	}
	jobs, err := m.deps.Jobs.Prepare(t.Chat, t.Text, t.Lang, t.Plan.Jobs)
	if err != nil {
		t.fail(err)
		return graph.To(nodeSave), nil
	}
	t.Reply, t.Next = t.Plan.Reply, event.NextNone
	if t.Plan.Stop != nil {
		running, err := m.atWork(ctx, t.Chat, 0)
		if err != nil {
			return graph.Move{}, err
		}
		hit := meant(*t.Plan.Stop, running)
		for _, j := range hit {
			t.out.Stop = append(t.out.Stop, j.ID)
		}
		if len(hit) > 0 {
			t.Reply = t.stopping(hit) + " " + t.Plan.Reply
		}
	}
	for i := range jobs {
		jobs[i].Turn, jobs[i].Reply, jobs[i].Standing = t.ID, t.Message, t.ticket()
		j := jobs[i]
		t.Jobs = append(t.Jobs, j.ID)
		t.out.Events = append(t.out.Events, m.deps.Jobs.Created(j, i))
	}
	if place, crowded := m.deps.Jobs.Crowded(len(jobs) - 1); crowded {
		e := apperr.New(apperr.WorkersBusy, "place", place)
		t.out.Events = append(t.out.Events, event.Of(t.Chat, jobs[len(jobs)-1].ID, event.Error{
			Code: string(e.Code), Message: e.Text(t.Lang), Fields: e.Fields,
		}))
	}
	t.out.Jobs = jobs
	t.speaks(false, tickets(t.Jobs)...)
	t.Reply += t.named()
	if t.Meaning != nil && t.Meaning.Off != "" {
		t.Reply = t.Meaning.Off + " " + t.Reply
	}
	if next := t.afterWork(); next != nodeSave {
		return graph.To(next), nil
	}
	return graph.To(nodeSave).Soon(), nil
}

// act does what a pressed button says.
func (m *Manager) act(ctx context.Context, t *Turn) (graph.Move, error) {
	switch {
	case strings.HasPrefix(t.Action, meanAction):
		return m.mean(ctx, t)
	case strings.HasPrefix(t.Action, amissAction):
		return m.amiss(ctx, t)
	case strings.HasPrefix(t.Action, undoAction):
		return m.takesTicketBack(ctx, t, strings.TrimPrefix(t.Action, undoAction))
	}
	t.Next = event.NextNone
	target, ok := strings.CutPrefix(t.Action, cancelAction)
	if !ok {
		return m.noButton(t)
	}
	jobs, err := m.deps.Store.ChatJobs(ctx, t.Chat, 0)
	if err != nil {
		return graph.Move{}, err
	}
	var hit []job.Job
	for _, j := range jobs {
		if tool, byTool := strings.CutPrefix(target, "tool:"); byTool && usesTool(j, tool) || j.ID == target {
			hit = append(hit, j)
		}
	}
	t.Reply = m.cancelAll(t, hit)
	return graph.To(nodeSave), nil
}

// save keeps the shop's reply and ends the turn.
func (m *Manager) save(ctx context.Context, t *Turn) (graph.Move, error) {
	silent, err := m.closing(ctx, t)
	if silent || err != nil {
		return graph.To(graph.End), err
	}
	if t.Quiet {
		t.out.Events = append(t.out.Events, t.doneEvent())
		return graph.To(graph.End), nil
	}
	m.besidePrompt(t)
	if t.Aside != "" {
		t.Reply, t.Aside = t.Reply+"\n\n"+t.Aside, ""
	}
	msg := event.ChatMessage{
		ID: t.Message, Role: event.RoleShop, Text: t.Reply, Buttons: t.Buttons, Code: string(t.Code), Turn: t.ID,
		Time: m.deps.Now().UTC().Format(time.RFC3339Nano), Reasoning: t.Thought, Library: t.note(),
	}
	if t.Standing != nil {
		msg.Standing = &t.Standing.StandingRef
		msg.Text = strings.TrimSpace(t.Standing.Late + "\n" + msg.Text)
	}
	if msg.ID == "" {
		msg.ID = m.deps.NewID()
	}
	if msg.Did, err = m.effects(ctx, t); err != nil {
		return graph.Move{}, err
	}
	if len(t.Jobs) == 1 {
		msg.JobID = t.Jobs[0]
	}
	jobID := ""
	if t.steers() {
		jobID = t.jobID()
		msg.JobID = jobID
	}
	m.keepReading(t)
	m.remember(t)
	t.out.Message = &msg
	t.out.Events = append(t.out.Events, event.Of(t.Chat, jobID, msg), event.Of(t.Chat, jobID, t.doneEvent().Data))
	return graph.To(graph.End), nil
}

// effects is what was done for a reply that a model worded, when nothing was and code reads in the message that something is
// wanted, or suspects the counter to be. Tickets tell of themselves. Whatever the reply says, and in whatever words, this
// stands beside it, and so it does beside every answer to a prompt of an outside server.
func (m *Manager) effects(ctx context.Context, t *Turn) ([]event.Effect, error) {
	if !t.Worded || len(t.Jobs) > 0 {
		return nil, nil
	}
	if t.Counter == nil && !t.Prompt {
		running, err := m.running(ctx, t.Chat)
		if err != nil {
			return nil, err
		}
		if plan, ok := m.deps.Planner.Reads(ctx, m.planning(ctx, t, running)); !ok || plan.Route == provider.RouteAnswer {
			return nil, nil
		}
	}
	return []event.Effect{{Outcome: event.EffectNone, Text: t.say("시작하거나 바꾼 것은 없어요.", "Nothing was started or changed.")}}, nil
}
