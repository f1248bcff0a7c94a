package job

import (
	"encoding/json"
	"slices"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// PrepareCall makes the ticket of one call that a guest asks for. It carries no words of the customer's, so whatever the call would change
// is asked about. Nothing is stored or started yet. Errors: queue_full, unknown_tool, tool_off, invalid_args.
func (m *Manager) PrepareCall(g Guest, chat, tool string, args json.RawMessage, lang bilingual.Lang) (Job, error) {
	if limit := m.deps.MaxQueued(); m.line.waiting() >= limit {
		return Job{}, apperr.New(apperr.QueueFull, "limit", limit)
	}
	spec, err := m.deps.Box.Spec(tool)
	switch {
	case err != nil:
		return Job{}, err
	case !ForGuests(spec):
		return Job{}, apperr.New(apperr.UnknownTool, "tool", tool)
	case spec.Off:
		return Job{}, apperr.New(apperr.ToolOff, "tool", spec.Title)
	}
	if args, err = m.deps.Box.ValidateArgs(tool, args); err != nil {
		return Job{}, err
	}
	m.mu.Lock()
	m.number++
	number := m.number
	m.mu.Unlock()
	title := policy.Visible(g.Name, 40) + " · " + spec.Title.In(lang)
	return Job{
		ID: m.deps.NewID(), Number: number, Chat: chat, Title: title, Guest: &g, Lang: lang, State: Queued, Message: m.deps.NewID(),
		Created: m.deps.Now(), Todos: []Todo{{ID: m.deps.NewID(), Title: title, Tool: tool, Args: args, State: TodoPending}},
	}, nil
}

// ForGuests tells whether a guest may be given a tool at all. What the counter hands out works by the customer's own word only, but for a tool
// that says how much money it moves, so that this can be counted.
func ForGuests(s toolbox.Spec) bool { return (!s.Counter || s.Money != "") && !s.Library && !s.House }

// Spend is what a call uses of what is limited by a day: files that it changes, and money that it moves, in won.
type Spend struct {
	Files int
	Money int64
}

// SpendOf is what a call with these arguments uses at least, as far as it can be known before its plan.
func SpendOf(spec toolbox.Spec, args json.RawMessage) (u Spend) {
	if spec.Files {
		u.Files = 1
	}
	if spec.Money != "" {
		var values map[string]any
		_ = json.Unmarshal(args, &values) // they were validated
		if amount, ok := values[spec.Money].(float64); ok {
			u.Money = int64(amount)
		}
	}
	return u
}

// spend is what the call at hand uses of a guest's limits; the customer's own calls have none. Where its preview shows a plan, what a person left out of it counts for nothing.
func (s *Run) spend(spec toolbox.Spec) Spend {
	if s.Job.Guest == nil {
		return Spend{}
	}
	u := SpendOf(spec, s.Call.Args)
	if !spec.Files {
		return u
	}
	u.Files = max(u.Files, s.Call.Files)
	if p := s.Call.Preview; p != nil && s.Call.Files == 0 {
		u.Files = max(u.Files, p.Lines)
	}
	if s.Call.Pick != nil {
		u.Files = max(0, u.Files-len(s.Call.Pick.Leave))
	}
	return u
}

// use is what a paired shop calls the use of the tool that it asked for; "" where none did.
func (s *Run) use() string {
	if s.Job.Guest == nil {
		return ""
	}
	return s.Job.Guest.Use
}

// guestRequest is how a guest's call is judged: only what a person allowed this guest counts as allowed. What they allowed for themselves, by
// an approval, a rule or a mode, says nothing about it; what they forbade or want to be asked about holds.
func guestRequest(r policy.Request) policy.Request {
	r.Grants = slices.DeleteFunc(slices.Clone(r.Grants), func(g policy.Grant) bool { return g.Scope != toolbox.ScopeChat || g.Chat != r.Chat })
	r.Rules = slices.DeleteFunc(slices.Clone(r.Rules), func(rule policy.Rule) bool { return rule.Decision == policy.Allow })
	if r.Mode == policy.ModeMatters {
		r.Mode = policy.ModeRules
	}
	r.Wanted, r.Spoken = false, true
	return r
}

// guestScopes are how far an approval of a guest's call may reach: never beyond this guest.
func guestScopes(list []event.AskScope, lang bilingual.Lang, name string) []event.AskScope {
	list = slices.DeleteFunc(list, func(s event.AskScope) bool { return s.Scope == string(toolbox.ScopeAlways) })
	for i := range list {
		if list[i].Scope == string(toolbox.ScopeChat) {
			list[i].Words = bilingual.Say(lang, "‘%s’에는 계속", "from “%s” from now on", policy.Visible(name, 40))
		}
	}
	return list
}

// demanded uses exactly the arguments that a guest sent, or a person made of them: no model is asked to change them. What a person turned
// down with words is over; the guest may ask for something else.
func (r *Runner) demanded(s *Run) graph.Move {
	t := s.todo()
	if s.Correction != "" {
		return r.cancelHere(s)
	}
	args, err := r.box.ValidateArgs(t.Tool, t.Args)
	if err != nil {
		return s.fail(err)
	}
	return r.chosen(s, args)
}
