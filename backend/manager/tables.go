package manager

import (
	"context"

	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/language/slot"
	"agentchat/backend/provider"
)

// Tables says which tables a chat is about, the nearest first: those that a message came with, the one it is put to, those that were
// asked or attached before. Errors are storage errors.
type Tables func(ctx context.Context, chat string, attached []event.Attachment, about *event.DocumentRef) ([]provider.TableCard, error)

// settlesTable has a table asked that the message asks.
func (m *Manager) settlesTable(ctx context.Context, t *Turn) (graph.Move, bool, error) {
	plan, ok, err := m.tabular(ctx, t)
	if !ok || err != nil {
		return graph.Move{}, false, err
	}
	t.Plan = &plan
	return graph.To(nodeJobs).Soon(), true, nil
}

// tabular gives the plan of a message that asks a table: what is computed is no matter for who searches texts. ok is false for all
// others. Words that may ask anything (부산은?) do so only where the talk has just been about a table.
func (m *Manager) tabular(ctx context.Context, t *Turn) (plan provider.Plan, ok bool, err error) {
	if m.deps.Tables == nil || t.Action != "" || t.steers() || t.Text == "" {
		return plan, false, nil
	}
	_, named := slot.ReadTable(t.Text)
	if !named {
		asks := slot.AsksTable(t.Text)
		if !asks && !slot.LeansOnTable(t.Text) {
			return plan, false, nil
		}
		tables, err := m.deps.Tables(ctx, t.Chat, t.Attachments, t.About)
		if err != nil || len(tables) == 0 || !asks && !tables[0].Last {
			return plan, false, err
		}
		t.tables = tables
	}
	brief := m.planning(ctx, t, nil)
	plan, ok = m.deps.Planner.Reads(ctx, brief)
	return plan, ok && plan.Route == provider.RouteJobs && len(plan.Left) == 0 && plan.Stop == nil && m.asksTable(plan), nil
}

// asksTable tells whether all that a plan does is to ask a table.
func (m *Manager) asksTable(plan provider.Plan) bool {
	for _, j := range plan.Jobs {
		for _, todo := range j.Todos {
			if todo.Tool != m.deps.TableTool {
				return false
			}
		}
	}
	return len(plan.Jobs) > 0
}
