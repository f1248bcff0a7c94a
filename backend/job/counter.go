package job

import (
	"encoding/json"

	"agentchat/backend/apperr"
	"agentchat/backend/graph"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// Order is one confirmed task of the service counter: a tool, its arguments and what to call the ticket.
type Order struct {
	Mark    string // the confirmation it was given by. The ticket is named by it, so the ledger takes it once; "" for none
	Chat    string
	Title   string
	Request string // the customer's words
	Lang    bilingual.Lang
	Tool    string
	Args    json.RawMessage
}

// PrepareOrder makes the ticket of an order. It carries the customer's confirmation: the digest of exactly these
// arguments, without which the tool does not run. Nothing is stored or started yet. Errors: queue_full, unknown_tool,
// invalid_args.
func (m *Manager) PrepareOrder(o Order) (Job, error) {
	if limit := m.deps.MaxQueued(); m.line.waiting() >= limit {
		return Job{}, apperr.New(apperr.QueueFull, "limit", limit)
	}
	args, err := m.deps.Box.ValidateArgs(o.Tool, o.Args)
	if err != nil {
		return Job{}, err
	}
	id := m.deps.NewID()
	if o.Mark != "" {
		id = "order-" + o.Mark
	}
	m.mu.Lock()
	m.number++
	number := m.number
	m.mu.Unlock()
	return Job{
		ID: id, Number: number, Chat: o.Chat, Title: o.Title, Request: o.Request, Lang: o.Lang, State: Queued,
		Created: m.deps.Now(), Counter: true, Todos: []Todo{{
			ID: id + ".1", Title: o.Title, Tool: o.Tool, Request: o.Request, Args: args, State: TodoPending,
			Approved: toolbox.Digest(o.Tool, args),
		}},
	}, nil
}

// forPlans refuses plans that name a tool which only the counter or the library's agent hands out.
func (m *Manager) forPlans(plans []provider.JobPlan) error {
	for _, p := range plans {
		for _, t := range p.Todos {
			if spec, err := m.deps.Box.Spec(t.Tool); err == nil && (spec.Counter || spec.Library) {
				return apperr.New(apperr.UnknownTool, "tool", t.Tool)
			}
		}
	}
	return nil
}

// confirmed uses exactly the arguments that the customer confirmed at the counter: no model is asked, and no question. If they do not fit
// the tool's schema any more, the job fails.
func (r *Runner) confirmed(s *Run) graph.Move {
	t := s.todo()
	args, err := r.box.ValidateArgs(t.Tool, t.Args)
	switch {
	case err != nil:
		return s.fail(err)
	case t.Approved == "" || toolbox.Digest(t.Tool, args) != t.Approved:
		return s.fail(apperr.New(apperr.DigestMismatch))
	}
	s.Approved = t.Approved
	return r.chosen(s, args)
}
