package manager

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"agentchat/backend/graph"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/refer"
	"agentchat/backend/provider"
	"agentchat/backend/standing"
)

// sets puts another timer in the place of one, which rings so much later, or so long from now. What was to follow it follows the other.
func (m *Manager) sets(ctx context.Context, t *Turn, rec job.Record, said refer.Message) (graph.Move, bool, error) {
	var args map[string]any
	j := rec.Run.Job
	at := slices.IndexFunc(j.Todos, func(todo job.Todo) bool { return todo.Tool == toolTimer })
	if at < 0 || json.Unmarshal(j.Todos[at].Args, &args) != nil {
		return graph.Move{}, false, nil
	}
	now := m.readAt(t)
	whole, _ := args["seconds"].(float64)
	if rec.WakeAt.IsZero() { // it is just beginning
		rec.WakeAt = now.Add(time.Duration(whole) * time.Second)
	}
	by := said.By
	switch {
	case said.Whole:
		by -= time.Duration(whole) * time.Second
	case said.Anew:
		by = now.Add(by).Sub(rec.WakeAt).Round(time.Second)
	}
	left := rec.WakeAt.Add(by).Sub(now).Round(time.Second)
	if left < time.Second {
		t.Reply = t.say("그러면 벌써 지난 때예요. ‘"+j.Title+"’ 그대로 둘게요.", "That would be past already. “"+j.Title+"” stays as it is.")
		return graph.To(nodeSave), true, nil
	}
	args["seconds"] = max(int64(whole)+int64(by/time.Second), 1)
	plan, ok := m.calls(ctx, t, toolTimer, args) // called by how long it is in all
	if !ok {
		return graph.Move{}, false, nil
	}
	args["seconds"] = int64(left / time.Second)
	raw, err := json.Marshal(args)
	plan.Jobs[0].Todos[0].Args = raw
	for _, todo := range j.Todos[at+1:] {
		plan.Jobs[0].Todos = append(plan.Jobs[0].Todos, provider.TodoPlan{Title: todo.Title, Tool: todo.Tool, Args: todo.Args, Request: todo.Request})
		plan.Jobs[0].Title += " → " + todo.Title
	}
	plan.Stop = &provider.StopPlan{Tool: toolTimer, Job: j.ID}
	clock := func(at time.Time) string { return bilingual.ClockSeconds(at.In(now.Location()), t.Lang) }
	plan.Reply += " " + clock(rec.WakeAt) + " → " + clock(rec.WakeAt.Add(by))
	t.Plan = &plan
	return graph.To(nodeJobs), true, err
}

// calls is the plan to use a tool with some arguments.
func (m *Manager) calls(ctx context.Context, t *Turn, tool string, args any) (provider.Plan, bool) {
	raw, err := json.Marshal(args)
	if err != nil {
		return provider.Plan{}, false
	}
	brief := m.planning(ctx, t, nil)
	brief.Background, brief.Meant, brief.Given = interpreter.Background{}, tool, raw
	plan, ok := m.deps.Planner.Reads(ctx, brief)
	return plan, ok && tookTool(plan) != ""
}

// back is what takes back what was done with a standing order; nil when nothing does.
func (r referent) back() *standingCommand {
	switch {
	case r.Was != "":
		return &standingCommand{Verb: verbAmend, Order: r.Order, Rule: r.Was}
	case r.Verb == standing.Keep:
		return &standingCommand{Verb: verbRemove, Order: r.Order}
	case r.Verb == standing.Pause:
		return &standingCommand{Verb: standing.Resume, Order: r.Order}
	case r.Verb == standing.Resume:
		return &standingCommand{Verb: standing.Pause, Order: r.Order}
	}
	return nil
}
