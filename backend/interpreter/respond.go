package interpreter

import (
	"context"

	"agentchat/backend/provider"
)

// cutShortReason is the reason of an answer that ended because it was as long as it may be.
const cutShortReason = "length"

// Response is an answer from documents. Cut says that it is not whole: it grew longer than it may be.
type Response struct {
	Words
	Cut bool
}

// Respond words an answer from the passages among the brief's results (seed 004: respond). It streams into the message of the
// brief. The text is empty when no model was there to word it: whoever asks has the passages themselves. Errors are those of
// Plan.
func (i *Interpreter) Respond(ctx context.Context, b Brief) (Response, error) {
	var r Response
	err := i.ask(ctx, b, provider.RoleResponder, nil, func(x Exchange) error {
		if !i.worded(x) {
			r = Response{} // it only shows the passages, which whoever asked does better
			return nil
		}
		r = Response{Words{i.adapter.NormalizeOutput(x.Reply.Text), thoughts(x.Reply), true}, x.Reply.DoneReason == cutShortReason}
		return i.sound(b, x, r.Text)
	})
	if err != nil {
		return Response{}, err
	}
	return r, nil
}
