package interpreter

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
)

// toolless tells whether a role is about a stranger's words alone: its requests show neither tools nor services, and code never stands in for the model.
func toolless(role provider.Role) bool {
	return role == provider.RoleOutside || role == provider.RolePrompt
}

// Prompted words an answer to a prompt of an outside server, which stands among the brief's results as other people's words, like what came with it. The
// request shows no tool, so that nothing can come of it but words. The answer streams into the message of the brief. Errors: not_available where no
// model is on duty, and those of Plan.
func (i *Interpreter) Prompted(ctx context.Context, b Brief) (Response, error) {
	if !i.HasModel(provider.RolePrompt) {
		return Response{}, apperr.New(apperr.NotAvailable, "what", string(provider.RolePrompt))
	}
	var r Response
	err := i.ask(ctx, b, provider.RolePrompt, nil, func(x Exchange) error {
		r = Response{Words{i.adapter.NormalizeOutput(x.Reply.Text), thoughts(x.Reply), true}, x.Reply.DoneReason == cutShortReason}
		if r.Text == "" {
			return apperr.Wrap(errNoText, apperr.ModelBadOutput)
		}
		return i.sound(b, x, r.Text)
	})
	if err != nil {
		return Response{}, err
	}
	return r, nil
}
