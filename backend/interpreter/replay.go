package interpreter

import (
	"context"
	"time"
)

// Replay sends the request of an old exchange once more, word for word, to the provider now on duty and gives what came of
// it, which is kept too. It stands last in line. The reply is not read, nothing is told to any chat, and a failure, which
// stands in the exchange, changes nobody's duty.
func (i *Interpreter) Replay(ctx context.Context, old Exchange) Exchange {
	req := old.Request
	req.ID, req.Sent = i.deps.NewID(), &old.Prompt
	x := Exchange{Request: req, Prompt: old.Prompt, Attempt: 1, ReplayOf: old.Request.ID, At: time.Now()}
	leave, err := i.queue.wait(ctx, &waiter{rank: rankBackground})
	p := i.deps.Provider()
	x.Provider = p.Name()
	if err == nil {
		x.Reply, err = i.call(ctx, p, req, nil)
		leave()
	}
	x.Reply.Elapsed = time.Since(x.At)
	x.failed(err)
	i.keep(x)
	return x
}
