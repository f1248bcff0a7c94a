package manager

import (
	"context"
	"slices"
	"strings"

	"agentchat/backend/frontdesk"
	"agentchat/backend/graph"
	"agentchat/backend/language/act"
	"agentchat/backend/provider"
)

// Tables says which tables a message may ask that is read so, the most probable first; none of them where it says nothing that a table
// can be asked.
type Tables func(ctx context.Context, m frontdesk.Message, g act.Guesses) []provider.TableCard

// ofTable tells the ways to take a message that ask a table.
func (m *Manager) ofTable(o frontdesk.Offer) bool {
	tool, _, _ := strings.Cut(strings.TrimPrefix(o.Key, frontdesk.KeyTool), "/")
	return tool == m.deps.TableTool && tool != o.Key
}

// settlesTable has a table asked, when the front desk makes that of the message surely enough and nothing that comes before it is
// ordered: what is computed is no matter for who searches texts. Where several tables may be meant alike, and it is worth a question, it
// is asked which.
func (m *Manager) settlesTable(ctx context.Context, t *Turn) (move graph.Move, settled bool, err error) {
	if m.deps.Tables == nil || t.reading == nil || t.Action != "" || t.steers() || t.Text == "" {
		return move, false, nil
	}
	offers := m.offers(ctx, t)
	var keys, along []string
	for _, o := range offers {
		if m.ofTable(o) {
			keys, along = append(keys, o.Key), append(along, o.With...)
		}
	}
	for _, o := range offers {
		if m.ofTable(o) {
			break // the most probable come first
		}
		if o.Ordered && !o.Spoken && !slices.Contains(along, o.Key) {
			return move, false, nil
		}
	}
	if len(keys) == 0 {
		return move, false, nil
	}
	t.tables = m.deps.Tables(ctx, m.looked(t, t.Text), t.reading.Guesses)
	if !frontdesk.Settled(offers, keys...) {
		return move, false, nil
	}
	if len(keys) > 1 && m.doubts(ctx, t, keys[0]) {
		return graph.To(nodeSave), true, nil
	}
	plan, ok := m.deps.Planner.Reads(ctx, m.planning(ctx, t, nil))
	if !ok || plan.Route != provider.RouteJobs || len(plan.Left) > 0 || plan.Stop != nil || !m.asksTable(plan) {
		return move, false, nil
	}
	t.Plan = &plan
	return graph.To(nodeJobs).Soon(), true, nil
}

// asksTable tells whether all that a plan does is to ask a table, and what follows on the answer.
func (m *Manager) asksTable(plan provider.Plan) bool {
	return len(plan.Jobs) > 0 && !slices.ContainsFunc(plan.Jobs, func(j provider.JobPlan) bool {
		return len(j.Todos) == 0 || j.Todos[0].Tool != m.deps.TableTool
	})
}

// meansTable has a message, of which somebody said so, ask a table; name is that of one of several, "" for the nearest.
func (m *Manager) meansTable(ctx context.Context, t *Turn, name string) {
	if m.deps.Tables == nil {
		return
	}
	t.tables = m.deps.Tables(ctx, m.looked(t, t.Text), nil)
	if i := slices.IndexFunc(t.tables, func(c provider.TableCard) bool { return c.Name == name }); i > 0 {
		t.tables = t.tables[i:]
	}
}
