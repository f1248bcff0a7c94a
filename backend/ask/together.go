package ask

import (
	"context"
	"slices"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/toolbox"
)

// Together tells whether a question may be approved at once with others. Calls that must be confirmed every time, such as transfers,
// deletions and programs, are approved one by one.
func (a Ask) Together() bool {
	wider := func(s event.AskScope) bool { return s.Scope != string(toolbox.ScopeOnce) }
	return a.Kind == KindApproval && a.offers(ChoiceApprove) && slices.ContainsFunc(a.Scopes, wider)
}

// Approve approves several questions, each once and by the digest of what was shown of it. It gives an error (or nil) for each; a failure
// does not stop the others. Errors: those of Answer.
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
