package interpreter

import (
	"context"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
)

// Outside is what a model wrote for an outside server. Cut says that it is not whole: it grew longer than it may be.
type Outside struct {
	Text, Model string
	Cut         bool
}

// HasModel tells whether a model is on duty for a role, and not code alone.
func (i *Interpreter) HasModel(role provider.Role) bool {
	_, byCode := i.serversFor(role, "")[0].Provider.(provider.Phrasebook)
	return !byCode
}

// WriteOutside has a model write what an outside server asks for (sampling), when nobody else waits for it. Nothing goes along but that server's own words,
// b.Request, behind a fence: no tools, no conversation, nothing of the customer. Code never stands in for the model. Errors: not_available where no model is
// on duty, and those of Plan.
func (i *Interpreter) WriteOutside(ctx context.Context, b Brief) (out Outside, err error) {
	b = Brief{Chat: b.Chat, Job: b.Job, Lang: b.Lang, Now: b.Now, Request: b.Request, From: b.From, Most: b.Most}
	if !i.HasModel(provider.RoleOutside) {
		return Outside{}, apperr.New(apperr.NotAvailable, "what", string(provider.RoleOutside))
	}
	err = i.ask(ctx, b, provider.RoleOutside, nil, func(x Exchange) error {
		out = Outside{strings.TrimSpace(i.adapter.NormalizeOutput(x.Reply.Text)), x.Reply.Model, x.Reply.DoneReason == cutShortReason}
		if out.Text == "" {
			return apperr.Wrap(errNoText, apperr.ModelBadOutput)
		}
		return nil
	})
	if err != nil {
		return Outside{}, err
	}
	return out, nil
}
