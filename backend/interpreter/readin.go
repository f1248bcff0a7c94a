package interpreter

import (
	"context"
	"time"

	"agentchat/backend/provider"
)

// leastReadIn is how many new tokens are worth being read in before a request brings them: fewer take no time.
const leastReadIn = 256

// readInPatience is how long a model may take to read something in. Nobody waits for it.
const readInPatience = 15 * time.Minute

// ReadIn is what a model has read before anybody asked it.
type ReadIn struct {
	Tokens int // new ones, by the server's count
	Whole  int // all of the request's
	Took   time.Duration
}

// ReadIn has the model on duty read what the next request of a chat begins with, so that the request itself need not wait for that:
// the frozen block, and what the brief remembers of the chat. It is done only by a provider whose model keeps what it read, is in
// memory and costs nothing (provider.Reader), when nobody wants the model; whoever comes interrupts it at once, and it goes on, with
// the brief as it is then, when the model is free again. What the model has read already is not sent.
func (i *Interpreter) ReadIn(ctx context.Context, brief func() Brief) (done ReadIn, err error) {
	for ctx.Err() == nil {
		guest, leave, err := i.queue.unwanted(ctx)
		if err != nil {
			return done, err
		}
		done, err = i.readIn(guest, brief())
		interrupted := err != nil && guest.Err() != nil
		leave()
		if !interrupted {
			return done, err
		}
	}
	return done, ctx.Err()
}

func (i *Interpreter) readIn(ctx context.Context, b Brief) (done ReadIn, err error) {
	req := i.request(b, provider.RolePlanner, nil)
	p := i.nearest(ctx, req)
	reader, ok := p.(provider.Reader)
	if !ok {
		return done, nil
	}
	req = i.requestFor(p, b, provider.RolePlanner, nil)
	req.Services, req.Patience = i.services(), readInPatience
	w, key := i.paceKey(p, req)
	if fresh, _ := i.toRead(p, req); fresh < leastReadIn || w.Tokens > 0 && i.size(key, req).high > i.room(w, req.Role) {
		return done, nil
	}
	reply, ok, err := reader.Read(ctx, req)
	switch {
	case err != nil:
		return done, err
	case !ok:
		i.paces.forget(func(model string) bool { return model == key })
		return done, nil
	}
	i.hasRead(p, req, reply, false)
	return ReadIn{Tokens: reply.TokensIn - reply.TokensCached, Whole: reply.TokensIn, Took: reply.FirstToken}, nil
}
