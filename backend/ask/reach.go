package ask

import (
	"context"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// reach settles how far an approval reaches: as far as the person said, if that was offered, or the default.
func (a Ask) reach(answer *Answer, wanted string) error {
	answer.Scope = string(toolbox.ScopeOnce)
	for _, s := range a.Scopes {
		if wanted == "" && s.Default || s.Scope == wanted {
			answer.Scope = s.Scope
		}
	}
	if wanted != "" && answer.Scope != wanted {
		return apperr.New(apperr.BadChoice, "choice", wanted, "choices", strings.Join(a.offered(), ", "))
	}
	scope, chat := toolbox.Scope(answer.Scope), a.Chat
	switch scope {
	case toolbox.ScopeOnce:
		return nil
	case toolbox.ScopeChat, toolbox.ScopeOrder:
	case toolbox.ScopeAlways:
		chat = ""
	}
	answer.Grant = &policy.Grant{
		ID: "grant-" + a.ID, Scope: scope, Chat: chat, Tool: a.Tool, When: slices.Clone(a.Pattern), Ask: a.ID, Created: answer.At,
	}
	if scope == toolbox.ScopeOrder {
		answer.Grant.Order, answer.Grant.Digest = a.Order, toolbox.Digest(a.Tool, a.Args)
	}
	return nil
}

// offered are the scopes that may be named.
func (a Ask) offered() []string {
	list := []string{}
	for _, s := range a.Scopes {
		list = append(list, s.Scope)
	}
	if len(list) == 0 {
		list = append(list, string(toolbox.ScopeOnce))
	}
	return list
}

// spread closes the open questions that a new grant covers. They do not count as approved: their jobs look the grant up, and ask again if
// it was revoked. A question that cannot be closed stays open for a person.
func (d *Desk) spread(ctx context.Context, g policy.Grant) {
	open, err := d.deps.Store.OpenAsks(ctx)
	if err != nil {
		return
	}
	for _, a := range open {
		offered := slices.ContainsFunc(a.Scopes, func(s event.AskScope) bool { return s.Scope == string(g.Scope) })
		if a.Kind != KindApproval || !offered || !g.Covers(a.Chat, a.Tool, a.Args) && !g.CoversRun(a.Order, a.Tool, a.Args) {
			continue
		}
		answer := Answer{Choice: ChoiceApprove, By: ByPolicy, At: d.deps.Now()}
		if won, err := d.deps.Store.AnswerAsk(ctx, a.ID, answer); err != nil || !won {
			continue
		}
		a.State, a.Answer = StateAnswered, &answer
		d.deps.Publisher.Publish(a.ClosedEvent(answer.Choice, ByPolicy, ""))
		d.deps.Answered(a)
	}
}
