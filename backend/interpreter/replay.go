package interpreter

import (
	"context"
	"slices"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
)

// Replay sends the request of an old exchange once more, word for word, to the provider now on duty and gives what came of
// it, which is kept too. It stands last in line. The reply is not read, nothing is told to any chat, and a failure, which
// stands in the exchange, changes nobody's duty.
func (i *Interpreter) Replay(ctx context.Context, old Exchange) Exchange {
	req := old.Request
	shown, problem := i.shownAgain(ctx, old.Prompt)
	req.ID, req.Sent = i.deps.NewID(), &shown
	x := Exchange{Request: req, Prompt: old.Prompt, Attempt: 1, ReplayOf: old.Request.ID, At: time.Now()}
	w := &waiter{rank: rankBackground, lanes: i.place(ctx, req).lanes}
	leave, err := i.queue.wait(ctx, w)
	p := i.named(req.Role, w.at.name)
	x.Provider = p.Name()
	if err == nil {
		if err = problem; err == nil {
			x.Reply, err = i.call(ctx, p, req, nil)
		}
		leave()
	}
	x.Reply.Elapsed = time.Since(x.At)
	x.failed(err)
	i.keep(x)
	return x
}

// shownAgain is a kept prompt with its pictures.
func (i *Interpreter) shownAgain(ctx context.Context, prompt provider.Prompt) (provider.Prompt, error) {
	prompt.Messages = slices.Clone(prompt.Messages)
	for n, m := range prompt.Messages {
		prompt.Messages[n].Pictures = slices.Clone(m.Pictures)
		for k, p := range m.Pictures {
			if len(p.Data) > 0 {
				continue
			}
			if i.deps.Picture == nil {
				return prompt, apperr.New(apperr.AttachmentGone)
			}
			data, err := i.deps.Picture(ctx, p.ID)
			if err != nil {
				return prompt, err
			}
			prompt.Messages[n].Pictures[k].Data = data
		}
	}
	return prompt, nil
}
