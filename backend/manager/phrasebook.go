package manager

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/frontdesk"
	"agentchat/backend/graph"
	"agentchat/backend/interpreter"
	"agentchat/backend/language/act"
	"agentchat/backend/provider"
)

// The phrasebook has the first word and the last. What code reads whole and surely needs no model; and what a model could not say, or
// said wrongly too often, is done as far as code reads it.

// knows gives the plan that code reads in a message, when it is so sure that no model need be asked.
func (m *Manager) knows(ctx context.Context, t *Turn, brief interpreter.Brief) (plan provider.Plan, ok bool) {
	if t.reading == nil || t.Model != "" || m.plain() || t.Counter != nil && len(t.Counter.Open) > 0 {
		return plan, false
	}
	if plan, ok = m.deps.Planner.Knows(ctx, brief); !ok {
		return plan, false
	}
	offers := m.offers(ctx, t)
	if plan.Route == provider.RouteStop {
		offers = append(offers, frontdesk.Offer{Key: keyStop, P: t.reading.Wants(act.Stop, "timer.cancel"), Harm: frontdesk.HarmStart, Ordered: true})
	}
	return plan, frontdesk.Settled(offers, takes(plan)...)
}

// keyStop stands for the way to stop work, which no button offers.
const keyStop = "stop"

// takes are the ways in which a plan takes its message.
func takes(plan provider.Plan) (keys []string) {
	if plan.Stop != nil {
		keys = append(keys, keyStop)
	}
	for _, job := range plan.Jobs {
		for _, todo := range job.Todos {
			keys = append(keys, frontdesk.KeyTool+todo.Tool)
		}
	}
	return keys
}

// unaided does with a message what is done where no model is on duty, because the one there is could not say what to do. What code does
// not understand either fails as the model did.
func (m *Manager) unaided(ctx context.Context, t *Turn, running []provider.RunningJob, cause error) graph.Move {
	t.alone, t.Plan, t.Thought, t.Worded = true, nil, "", false
	m.deps.Log.Info().Err(cause).Str("turn", t.ID).Msg("the model could not plan; the phrasebook does")
	if m.uncertain(ctx, t, running) {
		return graph.To(nodeSave)
	}
	plan, ok := m.deps.Planner.Reads(ctx, m.planning(ctx, t, running))
	if !ok || plan.Lost {
		t.fail(cause)
		return graph.To(nodeSave)
	}
	if plan.Route == provider.RouteJobs {
		plan.Reply = t.say("모델의 답을 쓸 수 없어서 모델 없이 알아들었어요. ", "The model gave no answer that can be used, so I went by the words alone. ") + plan.Reply
	}
	move, ok := m.follow(t, plan)
	if !ok {
		t.fail(apperr.From(cause))
		return graph.To(nodeSave)
	}
	return move
}
