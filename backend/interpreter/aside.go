package interpreter

import (
	"context"

	"agentchat/backend/provider"
)

// Aside runs work at the model that is no request of a role and that nobody waits for, after every request that waits. do
// gets the server whose turn it is. Errors: ctx's, and those of do.
func (i *Interpreter) Aside(ctx context.Context, do func(context.Context, provider.Provider) error) error {
	w := &waiter{rank: rankBackground}
	leave, err := i.queue.wait(ctx, w)
	if err != nil {
		return err
	}
	defer leave()
	return do(ctx, i.named("", w.at.name))
}
