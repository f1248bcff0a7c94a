package interpreter

import (
	"context"

	"agentchat/backend/provider"
)

// Reads is what code alone makes of a request: the plan of the interpreter that needs no model, whoever is on duty. It is held
// against what a model wants to do. It knows the shop's own tools alone. Nothing is streamed, kept or waited for. Without such an interpreter ok is false.
func (i *Interpreter) Reads(ctx context.Context, b Brief) (plan provider.Plan, ok bool) {
	if i.deps.Standby == nil {
		return plan, false
	}
	req := b.request(i.deps.NewID(), provider.RolePlanner, i.shelf(b.Lang).own, provider.PlanSchema)
	reply, err := i.deps.Standby.Chat(ctx, req, nil)
	if err != nil {
		return plan, false
	}
	plan, err = i.adapter.ParsePlan(reply.Text, i.known())
	plan.SetByCode(err == nil)
	return plan, err == nil
}

// Knows is Reads for a request that needs no model though one is on duty: every step of the plan has its tool and its values, no
// question is left, and no word of the request is left over.
func (i *Interpreter) Knows(ctx context.Context, b Brief) (plan provider.Plan, ok bool) {
	book, reads := i.deps.Standby.(provider.Phrasebook)
	if !reads || i.deps.Provider().Name() == i.deps.Standby.Name() {
		return plan, false
	}
	if plan, ok = i.Reads(ctx, b); !ok || !whole(plan) {
		return plan, false
	}
	return plan, len(book.Unread(i.shelf(b.Lang).own, b.Request, b.Now)) == 0
}

// whole tells whether a plan of work says everything that is needed to carry it out.
func whole(plan provider.Plan) bool {
	if plan.Route != provider.RouteJobs && plan.Route != provider.RouteStop || len(plan.Left) > 0 {
		return false
	}
	for _, job := range plan.Jobs {
		for _, todo := range job.Todos {
			if todo.Tool == "" || len(todo.Args) == 0 {
				return false
			}
		}
	}
	return true
}
