package interpreter

import (
	"context"

	"agentchat/backend/provider"
)

// Aside lets work that nobody waits for, and that is no letter, have its turn at the model: after every letter that waits. do
// gets the provider on duty. Errors: ctx's, and those of do.
func (i *Interpreter) Aside(ctx context.Context, do func(context.Context, provider.Provider) error) error {
	leave, err := i.queue.wait(ctx, &waiter{rank: rankBackground})
	if err != nil {
		return err
	}
	defer leave()
	return do(ctx, i.deps.Provider())
}
