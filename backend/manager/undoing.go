package manager

import (
	"context"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/job"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
	"agentchat/backend/undolog"
)

// What was done is taken back by calls that stand with it in the ledger since it was done (toolbox.Result.Undo). Taking a ticket back is
// a ticket of its own, with a step for each of these calls, the last deed first; it is asked about like any other, and can be taken back.

// undoAction is the prefix of the button that takes a ticket back; the ticket's id follows.
const undoAction = "undo:"

// UndoAction is the button that takes a ticket back.
func UndoAction(ticket string) string { return undoAction + ticket }

// undoes takes back what was done last, or says why not.
func (m *Manager) undoes(ctx context.Context, t *Turn, mentions []mention) (move graph.Move, ok bool, err error) {
	for _, one := range mentions {
		if one.list {
			continue
		}
		for _, r := range slices.Backward(one.of) {
			if r.Order != "" {
				if t.Command = r.back(); t.Command != nil {
					return graph.To(nodeStanding), true, nil
				}
				if move, ok := m.usedBack(ctx, t, r.Use); ok {
					return move, true, nil
				}
				return m.final(t, ""), true, nil
			}
			if r.Use != "" {
				if move, ok := m.usedBack(ctx, t, r.Use); ok {
					return move, true, nil
				}
				continue
			}
			rec, err := m.deps.Store.LoadRun(ctx, r.Job)
			if apperr.CodeOf(err) == apperr.NotFound {
				continue
			}
			if err != nil {
				return move, false, err
			}
			if m.deps.Jobs.Alive(r.Job) && !rec.Run.Job.State.Ended() { // it may have ended just now
				return m.halts(t, rec.Run.Job), true, nil
			}
			if move, ok := m.reverts(ctx, t, rec.Run.Job); ok {
				return move, true, nil
			}
		}
	}
	if running, err := m.atWork(ctx, t.Chat, 1); err != nil || len(running) > 0 {
		return move, false, err
	}
	t.Reply = t.say("되돌릴 일이 없어요.", "There is nothing to undo.")
	return graph.To(nodeSave), true, nil
}

// usedBack hands out the ticket that takes back what a use changed in the ledger; ok is false when nothing is kept of that.
func (m *Manager) usedBack(ctx context.Context, t *Turn, use string) (move graph.Move, ok bool) {
	if m.deps.Kept == nil || use == "" {
		return move, false
	}
	what, ok := m.deps.Kept(ctx, use, t.Lang)
	if !ok {
		return move, false
	}
	return m.ticketBack(ctx, t, what, []taken{{call: toolbox.Undo{}, use: use}}, nil), true
}

// taken is what takes a step back: a call, or what the ledger has kept of its use.
type taken struct {
	call toolbox.Undo
	use  string
}

// takesTicketBack does what the button of a ticket says.
func (m *Manager) takesTicketBack(ctx context.Context, t *Turn, id string) (graph.Move, error) {
	rec, err := m.deps.Store.LoadRun(ctx, id)
	if apperr.CodeOf(err) == apperr.NotFound {
		return m.noButton(t)
	}
	if err != nil {
		return graph.Move{}, err
	}
	t.Next = event.NextNone
	if m.deps.Jobs.Alive(id) && !rec.Run.Job.State.Ended() {
		return m.halts(t, rec.Run.Job), nil
	}
	if move, ok := m.reverts(ctx, t, rec.Run.Job); ok {
		return move, nil
	}
	t.Reply = t.say("되돌릴 일이 없어요.", "There is nothing to undo.")
	return graph.To(nodeSave), nil
}

// reverts takes back what a ticket changed; ok is false when it changed nothing.
func (m *Manager) reverts(ctx context.Context, t *Turn, j job.Job) (move graph.Move, ok bool) {
	var calls []taken
	var stays []string // what was done that nothing takes back
	for _, todo := range slices.Backward(j.Todos) {
		back := todo.Inverses()
		if len(back) == 0 && m.deps.BrokenOff != nil { // it was stopped, but had come some way
			if call, ok := m.deps.BrokenOff(ctx, j.ID, todo.ID); ok {
				back = []toolbox.Undo{call}
			}
		}
		for _, call := range back {
			calls = append(calls, taken{call, undolog.Step(j.ID, todo.ID, "").ID})
		}
		if len(back) == 0 && todo.Ran && todo.State == job.TodoDone && (m.deps.Changes == nil || m.deps.Changes(todo.Tool)) {
			stays = append(stays, todo.Text)
		}
	}
	switch {
	case len(calls) == 0 && len(stays) == 0:
		return move, false
	case len(calls) == 0:
		return m.final(t, stays[0]), true
	case len(calls) == 1:
		if manifest, values, ok := m.deps.Counter.Book.Undoing(calls[0].call); ok {
			move, ok, err := m.give(ctx, t, manifest, given{Values: values})
			return move, ok && err == nil
		}
	}
	return m.ticketBack(ctx, t, j.Title, calls, stays), true
}

// ticketBack hands out the ticket that takes another one back, and says what stays as it is.
func (m *Manager) ticketBack(ctx context.Context, t *Turn, what string, calls []taken, stays []string) graph.Move {
	var whole provider.Plan
	house := false
	for _, c := range calls {
		plan, ok := ofHouse(t, what, c.call)
		if !ok && m.deps.Kept != nil {
			if _, kept := m.deps.Kept(ctx, c.use, t.Lang); kept {
				plan, ok = ofHouse(t, what, *toolbox.Result{}.UndoneBy(ledgerUndo, map[string]any{"use": c.use}).Undo)
			}
		}
		house = house || ok
		if !ok {
			plan, ok = m.calls(ctx, t, c.call.Tool, c.call.Args)
		}
		if !ok {
			stays = append(stays, t.say("따로 말씀해 주셔야 하는 일이 있어요.", "Some of it has to be asked for by itself."))
			continue
		}
		if len(whole.Jobs) == 0 {
			whole = plan
			continue
		}
		whole.Jobs[0].Todos = append(whole.Jobs[0].Todos, plan.Jobs[0].Todos...)
	}
	if len(whole.Jobs) == 0 {
		return m.final(t, strings.Join(stays, " "))
	}
	if len(calls) > 1 || house {
		whole.Jobs[0].Title = t.backTitle(what)
		for _, p := range againTitles {
			what = strings.TrimPrefix(what, p)
		}
		whole.Reply = t.say("되돌릴게요: "+what, "I'll take this back: "+what)
		if again, ok := takenBack(what); ok {
			whole.Reply = t.say("되돌린 것을 다시 할게요: "+again, "I'll do again what was taken back: "+again)
		}
	}
	if len(stays) > 0 {
		whole.Reply += t.say(" 이건 되돌릴 수 없어요: ", " This cannot be taken back: ") + strings.Join(stays, " ")
	}
	t.Plan = &whole
	return graph.To(nodeJobs)
}

// The shop's own tools that take back what was done to files and in the ledger; what they show says what that was.
const (
	fileUndo   = "file_undo"
	ledgerUndo = "ledger_undo"
)

// ofHouse is the plan of a call of the shop's own that takes something back: no interpreter knows these tools.
func ofHouse(t *Turn, what string, c toolbox.Undo) (plan provider.Plan, ok bool) {
	if c.Tool != fileUndo && c.Tool != ledgerUndo {
		return plan, false
	}
	title := t.backTitle(what)
	plan.Route = provider.RouteJobs
	plan.Jobs = []provider.JobPlan{{Title: title, Todos: []provider.TodoPlan{{Title: title, Tool: c.Tool, Request: t.Text, Args: c.Args}}}}
	plan.SetByCode(true)
	return plan, true
}

// The titles of tickets that take something back begin with one of these pairs; taking one of them back does it again.
var backTitles, againTitles = [2]string{"되돌리기: ", "Take back: "}, [2]string{"다시 하기: ", "Do again: "}

// takenBack gives what a ticket of that title took back; ok is false when it took nothing back.
func takenBack(title string) (what string, ok bool) {
	for _, p := range backTitles {
		if what, ok = strings.CutPrefix(title, p); ok {
			return what, true
		}
	}
	return "", false
}

// backTitle is the title of a ticket that takes back what another one of some title did.
func (t *Turn) backTitle(title string) string {
	if what, ok := takenBack(title); ok {
		return t.say(againTitles[0]+what, againTitles[1]+what)
	}
	for _, p := range againTitles {
		title = strings.TrimPrefix(title, p)
	}
	return t.say(backTitles[0]+title, backTitles[1]+title)
}

// final says that something cannot be undone. What it told when it was done may say who can.
func (m *Manager) final(t *Turn, told string) graph.Move {
	t.Reply = strings.TrimSpace(t.say("말로는 되돌릴 수 없는 일이에요. ", "That cannot be undone by a word. ") + told)
	return graph.To(nodeSave)
}
