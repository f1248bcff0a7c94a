package shop

import (
	"context"
	"time"

	"agentchat/backend/interpreter"
	"agentchat/backend/library/agent"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
)

// advisor has the model on duty decide what the library's rules leave open, a request for each question. Its requests begin
// like every other of the chat, so that the model reads again only what is new in them.
type advisor struct{ shop *Shop }

// brief is a request's content; ErrNoModel when the built-in interpreter is on duty, which knows less than the rules. alone
// says that the decision rests on the question and what was found, not on what was said before.
func (a advisor) brief(ctx context.Context, q *agent.Inquiry, seen []provider.StepResult, alone bool) (interpreter.Brief, error) {
	if a.shop.failover.Provider().Name() == builtin.Name {
		return interpreter.Brief{}, agent.ErrNoModel
	}
	b := interpreter.Brief{
		Chat: q.Chat, Turn: q.Turn, Lang: q.Lang, Now: time.Now(), Request: q.Text, Results: seen, Library: q.State(),
		Background: a.shop.manager.Background(ctx, q.Chat, ""), Recall: interpreter.RecallNever,
	}
	if a.shop.Config.Get().LibraryCache {
		b.Recall = interpreter.RecallWhole
		if alone {
			b.Recall = interpreter.RecallAlone
		}
	}
	return b, nil
}

// Scope implements agent.Advisor.
func (a advisor) Scope(ctx context.Context, q *agent.Inquiry, seen []provider.StepResult) (bool, error) {
	b, err := a.brief(ctx, q, seen, false)
	if err != nil {
		return false, err
	}
	return a.shop.interp.LibraryScope(ctx, b)
}

// Context implements agent.Advisor.
func (a advisor) Context(ctx context.Context, q *agent.Inquiry) (bool, error) {
	b, err := a.brief(ctx, q, nil, false)
	if err != nil {
		return false, err
	}
	return a.shop.interp.LibraryContext(ctx, b)
}

// Plan implements agent.Advisor.
func (a advisor) Plan(ctx context.Context, q *agent.Inquiry, seen []provider.StepResult) ([]provider.LibraryUse, error) {
	b, err := a.brief(ctx, q, seen, !q.NeedPrevious)
	if err != nil {
		return nil, err
	}
	return a.shop.interp.LibraryPlan(ctx, b)
}

// Evaluate implements agent.Advisor.
func (a advisor) Evaluate(ctx context.Context, q *agent.Inquiry, seen []provider.StepResult) (provider.LibraryVerdict, error) {
	b, err := a.brief(ctx, q, seen, !q.NeedPrevious)
	if err != nil {
		return provider.LibraryVerdict{}, err
	}
	return a.shop.interp.LibraryEvaluate(ctx, b)
}
