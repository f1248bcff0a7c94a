package ask

import (
	"context"
	"slices"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/toolbox"
)

// Together tells whether a question may be approved in one go with others. What asks anew every time, such as money, deletion and
// programs, is answered alone.
func (a Ask) Together() bool {
	wider := func(s event.AskScope) bool { return s.Scope != string(toolbox.ScopeOnce) }
	return a.Kind == KindApproval && a.offers(ChoiceApprove) && slices.ContainsFunc(a.Scopes, wider)
}

// Approve approves each of several questions this once, by the digest of what was shown of it, and gives for each why that was not
// possible, or nil. One that fails keeps none of the others back. Errors: those of Answer.
func (d *Desk) Approve(ctx context.Context, shown []Reply) []error {
	errs := make([]error, len(shown))
	for i, r := range shown {
		a, err := d.deps.Store.Ask(ctx, r.Ask)
		if err == nil && a.State == StateOpen && !a.Together() {
			err = apperr.New(apperr.AnswerAlone)
		}
		if err == nil {
			_, err = d.Answer(ctx, Reply{Ask: r.Ask, Choice: ChoiceApprove, Digest: r.Digest, Scope: string(toolbox.ScopeOnce)})
		}
		errs[i] = err
	}
	return errs
}
