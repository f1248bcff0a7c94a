package manager

import (
	"context"
	"fmt"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/failpoint"
	"agentchat/backend/graph"
	"agentchat/backend/hangul"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/library/agent"
	"agentchat/backend/provider"
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

	nodeLibrary = "library"
)

// cancelAction is the prefix of buttons that stop a job.
const cancelAction = "cancel:"

func (m *Manager) compile() (err error) {
	m.graph, err = graph.Compile("turn", nodeRoute, []graph.Node[*Turn]{
		{Name: nodeRoute, Doc: "a button, a word to a job, an answer, or a request?", Run: m.route, Next: []string{nodeAct, nodeSteer, nodeWords, nodePlan, nodeIntent, nodeAwait, nodeLibrary}},
		{Name: nodePlan, Doc: "one planner letter decides route and work", Run: m.plan, Next: []string{nodeAnswer, nodeJobs, nodeStop, nodeIntent, nodeLibrary, nodeSave}},
		{Name: nodeIntent, Doc: "which service is meant, if any?", Run: m.intent, Next: []string{nodeSlot, nodeQuery, nodePlan, nodeSave}},
		{Name: nodeSlot, Doc: "works the words into the service's session", Run: m.slot, Next: []string{nodeAwait, nodeSave}},
		{Name: nodeAwait, Doc: "waits for the confirmed task", Run: m.await, Next: []string{nodeSave}},
		{Name: nodeQuery, Doc: "answers from a ledger, by code", Run: m.query, Next: []string{nodeSave, nodePlan}},
		{Name: nodeAnswer, Doc: "the reply is the answer", Run: m.reply, Next: []string{nodeSave}},
		{Name: nodeJobs, Doc: "hands out job tickets", Run: m.jobs, Next: []string{nodeSave}},
		{Name: nodeStop, Doc: "stops running work", Run: m.stopWork, Next: []string{nodeSave}},
		{Name: nodeLibrary, Doc: "answers from the documents", Run: m.library, Next: []string{nodeSave}},
		{Name: nodeSteer, Doc: "passes a word on to a job", Run: m.steer, Next: []string{nodeSave}},
		{Name: nodeAct, Doc: "does what a button says", Run: m.act, Next: []string{nodeSave}},
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
	if err := m.deps.Store.SaveTurn(ctx, step); err != nil {
		return err
	}
	if step.Done {
		m.nowOnShow(step.Turn)
	}
	if failpoint.Enabled {
		failpoint.Hit("turn." + step.Node + " after")
	}
	s.State.out = &TurnStep{}
	m.deps.Publisher.Publish(step.Events...)
	if len(step.Jobs) > 0 {
		m.deps.Jobs.Submit(step.Jobs)
	}
	return nil
}

func (m *Manager) route(ctx context.Context, t *Turn) (graph.Move, error) {
	counter, err := m.atCounter(ctx, t)
	switch {
	case err != nil:
		return graph.Move{}, err
	case t.Resume != "":
		return graph.To(nodeAwait), nil
	case counter:
		return graph.To(nodeIntent), nil
	case t.steers():
		return graph.To(nodeSteer), nil
	case t.Action != "":
		return graph.To(nodeAct), nil
	case lockWord(t.Text) != "":
		return graph.To(nodeWords), nil
	}
	sure, err := m.asksLibrary(ctx, t)
	if err != nil {
		return graph.Move{}, err
	}
	if sure == 2 {
		return graph.To(nodeLibrary), nil
	}
	return graph.To(nodePlan), nil
}

func (m *Manager) plan(ctx context.Context, t *Turn) (graph.Move, error) {
	answer, err := m.deps.Memory.Hear(ctx, t.Chat, t.ID, t.Text, t.Lang)
	if err != nil {
		return graph.Move{}, err
	}
	if answer != "" {
		t.Reply, t.Next = answer, event.NextNone
		return graph.To(nodeSave), nil
	}
	running, err := m.running(ctx, t.Chat)
	if err != nil {
		return graph.Move{}, err
	}
	brief := interpreter.Brief{
		Chat: t.Chat, Lang: t.Lang, Now: m.deps.Now(), Request: t.Text, Running: running,
		Background: m.Background(ctx, t.Chat, ""), Message: t.Message,
	}
	if t.Visit != nil && len(t.Visit.Open) > 0 {
		brief.Counter = m.brief(ctx, t).Counter
	}
	plan, err := m.deps.Planner.Plan(ctx, brief)
	if ctx.Err() != nil {
		return graph.Move{}, ctx.Err()
	}
	if err != nil {
		t.fail(err)
		return graph.To(nodeSave), nil
	}
	t.Plan, t.Thought = &plan, plan.Reasoning
	switch plan.Route {
	case provider.RouteJobs:
		return graph.To(nodeJobs), nil
	case provider.RouteStop:
		return graph.To(nodeStop), nil
	case provider.RouteAnswer:
		if q := t.Inquiry; q != nil && q.Before != nil && m.deps.Library.Plain() && agent.Concerns(t.Text, true) > 0 {
			return graph.To(nodeLibrary), nil // nobody understood it, and the talk is about documents
		}
		return graph.To(nodeAnswer), nil
	case provider.RouteService:
		if move, ok := m.serves(t); ok {
			return move, nil
		}
	case provider.RouteLibrary:
		if m.deps.Library != nil {
			return graph.To(nodeLibrary), nil
		}
	}
	t.fail(apperr.New(apperr.NotAvailable, "what", string(plan.Route)))
	return graph.To(nodeSave), nil
}

func (m *Manager) running(ctx context.Context, chat string) ([]provider.RunningJob, error) {
	jobs, err := m.deps.Store.ChatJobs(ctx, chat, 20)
	if err != nil {
		return nil, err
	}
	out := make([]provider.RunningJob, len(jobs))
	for i, j := range jobs {
		out[i] = provider.RunningJob{ID: j.ID, Title: j.Title, Tool: currentTool(j), State: string(j.State)}
	}
	return out, nil
}

// currentTool is the tool of the step a job is at.
func currentTool(j job.Job) string {
	for _, t := range j.Todos {
		if t.State != job.TodoDone && t.State != job.TodoFailed && t.State != job.TodoSkipped {
			return t.Tool
		}
	}
	return ""
}

func (m *Manager) reply(_ context.Context, t *Turn) (graph.Move, error) {
	t.Reply, t.Next = t.Plan.Reply, event.NextNone
	return graph.To(nodeSave), nil
}

// jobs hands out the tickets of the plan. A plan may stop work first ("turn the song off and play a film").
func (m *Manager) jobs(ctx context.Context, t *Turn) (graph.Move, error) {
	if t.Plan.Stop != nil {
		running, err := m.deps.Store.ChatJobs(ctx, t.Chat, 100)
		if err != nil {
			return graph.Move{}, err
		}
		m.cancelAll(t, meant(*t.Plan.Stop, running))
	}
	jobs, err := m.deps.Jobs.Prepare(t.Chat, t.Text, t.Lang, t.Plan.Jobs)
	if err != nil {
		t.fail(err)
		return graph.To(nodeSave), nil
	}
	for i, j := range jobs {
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
	t.Reply, t.Next = t.Plan.Reply, event.NextNone
	return graph.To(nodeSave), nil
}

// stopWork stops the jobs a StopPlan means. When it could mean several, the customer chooses by button.
func (m *Manager) stopWork(ctx context.Context, t *Turn) (graph.Move, error) {
	stop := *t.Plan.Stop
	jobs, err := m.deps.Store.ChatJobs(ctx, t.Chat, 100)
	if err != nil {
		return graph.Move{}, err
	}
	hit := meant(stop, jobs)
	t.Next = event.NextNone
	switch {
	case len(hit) == 0:
		t.Reply = t.say("지금 멈출 일이 없어요.", "There is nothing running to stop.")
	case len(hit) == 1 || stop.All:
		t.Reply = m.cancelAll(t, hit)
	default:
		t.Reply = t.say("어느 것을 멈출까요?", "Which one should be stopped?")
		for _, j := range hit {
			t.Buttons = append(t.Buttons, event.Button{
				ID: cancelAction + j.ID, Label: fmt.Sprintf("#%d %s", j.Number, j.Title),
			})
		}
		t.Buttons = append(t.Buttons, event.Button{ID: cancelAction + "tool:" + stop.Tool, Label: t.say("모두 멈추기", "Stop them all")})
		t.Next = event.NextConfirm
	}
	return graph.To(nodeSave), nil
}

// meant are the jobs a StopPlan means.
func meant(stop provider.StopPlan, jobs []job.Job) []job.Job {
	var hit []job.Job
	for _, j := range jobs {
		if stop.All || stop.Tool == "" || usesTool(j, stop.Tool) {
			hit = append(hit, j)
		}
	}
	return hit
}

func usesTool(j job.Job, tool string) bool {
	for _, t := range j.Todos {
		if t.Tool == tool && t.State != job.TodoDone {
			return true
		}
	}
	return false
}

func (m *Manager) cancelAll(t *Turn, jobs []job.Job) string {
	names := make([]string, 0, len(jobs))
	for _, j := range jobs {
		if err := m.deps.Jobs.CancelJob(j.ID); err == nil {
			names = append(names, t.say("‘"+j.Title+"’", "“"+j.Title+"”"))
		}
	}
	if len(names) == 0 {
		return t.say("이미 끝난 일이에요.", "That has ended already.")
	}
	return t.say(hangul.With(strings.Join(names, ", "), "을", "를")+" 멈출게요.", "Stopping "+strings.Join(names, ", ")+".")
}

// act does what a pressed button says.
func (m *Manager) act(ctx context.Context, t *Turn) (graph.Move, error) {
	t.Next = event.NextNone
	target, ok := strings.CutPrefix(t.Action, cancelAction)
	if !ok {
		t.fail(apperr.New(apperr.NotFound, "what", t.say("버튼", "button"), "id", t.Action))
		return graph.To(nodeSave), nil
	}
	jobs, err := m.deps.Store.ChatJobs(ctx, t.Chat, 100)
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
	if silent, err := m.closing(ctx, t); silent || err != nil {
		return graph.To(graph.End), err
	}
	msg := event.ChatMessage{
		ID: t.Message, Role: event.RoleShop, Text: t.Reply, Buttons: t.Buttons, Code: string(t.Code),
		Time: m.deps.Now().UTC().Format(time.RFC3339Nano), Reasoning: t.Thought, Library: t.note(),
	}
	if msg.ID == "" {
		msg.ID = m.deps.NewID()
	}
	if len(t.Jobs) == 1 {
		msg.JobID = t.Jobs[0]
	}
	jobID := ""
	if t.steers() {
		jobID = t.jobID()
		msg.JobID = jobID
	}
	t.out.Message = &msg
	t.out.Events = append(t.out.Events, event.Of(t.Chat, jobID, msg), event.Of(t.Chat, jobID, t.doneEvent().Data))
	return graph.To(graph.End), nil
}

func (t *Turn) doneEvent() event.Event {
	next := t.Next
	if next == "" {
		next = event.NextNone
	}
	buttons := t.Buttons
	if buttons == nil {
		buttons = []event.Button{}
	}
	state := event.TurnState{Slots: map[string]any{}, Meta: map[string]any{}}
	if t.Visit != nil && t.Visit.State != nil {
		state = *t.Visit.State
	}
	return event.Of(t.Chat, "", event.TurnDone{
		Message: t.Reply, MessageID: t.ID, NextAction: next, UIHint: event.UIHint{Buttons: buttons},
		State: state, Jobs: t.Jobs,
	})
}
