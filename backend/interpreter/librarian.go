package interpreter

import (
	"context"

	"agentchat/backend/provider"
)

// The librarian's requests (seed 004): each asks one thing about an inquiry, in a closed form. What was found goes with them
// as Results of the brief. Nobody stands in for a model that fails here: the caller has rules of its own, so an error is
// all it needs. Errors as for Plan.

// LibraryScope tells whether a request is about the customer's documents.
func (i *Interpreter) LibraryScope(ctx context.Context, b Brief) (inScope bool, err error) {
	return librarian(ctx, i, b, provider.TaskScope, i.adapter.ParseLibraryScope)
}

// LibraryContext tells whether a request leans on the last question and answer.
func (i *Interpreter) LibraryContext(ctx context.Context, b Brief) (needPrevious bool, err error) {
	return librarian(ctx, i, b, provider.TaskContext, i.adapter.ParseLibraryContext)
}

// LibraryPlan proposes uses of the library's tools. Each is a use of one of them, within its bounds; none is a plan too.
func (i *Interpreter) LibraryPlan(ctx context.Context, b Brief) ([]provider.LibraryUse, error) {
	return librarian(ctx, i, b, provider.TaskPlan, i.adapter.ParseLibraryPlan)
}

// LibraryEvaluate judges whether what was found answers the request.
func (i *Interpreter) LibraryEvaluate(ctx context.Context, b Brief) (provider.LibraryVerdict, error) {
	return librarian(ctx, i, b, provider.TaskEvaluate, i.adapter.ParseLibraryVerdict)
}

func librarian[T any](ctx context.Context, i *Interpreter, b Brief, task provider.LibraryTask, read func(reply string) (T, error)) (T, error) {
	state := provider.LibraryState{}
	if b.Library != nil {
		state = *b.Library
	}
	state.Task, state.Tools = task, nil
	if task == provider.TaskPlan {
		state.Tools = provider.LibraryTools()
	}
	if task != provider.TaskContext {
		state.Before = nil // the other decisions rest on what was found
	}
	b.Library, b.Message = &state, ""
	return askForm(ctx, i, b, provider.RoleLibrarian, provider.LibrarySchema(task), read)
}
