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
	err = i.librarian(ctx, b, provider.TaskScope, func(reply string) (err error) {
		inScope, err = i.adapter.ParseLibraryScope(reply)
		return err
	})
	return inScope, err
}

// LibraryContext tells whether a request leans on the last question and answer.
func (i *Interpreter) LibraryContext(ctx context.Context, b Brief) (needPrevious bool, err error) {
	err = i.librarian(ctx, b, provider.TaskContext, func(reply string) (err error) {
		needPrevious, err = i.adapter.ParseLibraryContext(reply)
		return err
	})
	return needPrevious, err
}

// LibraryPlan proposes uses of the library's tools. Each is a use of one of them, within its bounds; none is a plan too.
func (i *Interpreter) LibraryPlan(ctx context.Context, b Brief) (uses []provider.LibraryUse, err error) {
	err = i.librarian(ctx, b, provider.TaskPlan, func(reply string) (err error) {
		uses, err = i.adapter.ParseLibraryPlan(reply)
		return err
	})
	return uses, err
}

// LibraryEvaluate judges whether what was found answers the request.
func (i *Interpreter) LibraryEvaluate(ctx context.Context, b Brief) (verdict provider.LibraryVerdict, err error) {
	err = i.librarian(ctx, b, provider.TaskEvaluate, func(reply string) (err error) {
		verdict, err = i.adapter.ParseLibraryVerdict(reply)
		return err
	})
	return verdict, err
}

func (i *Interpreter) librarian(ctx context.Context, b Brief, task provider.LibraryTask, read func(reply string) error) error {
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
	return i.ask(ctx, b, provider.RoleLibrarian, provider.LibrarySchema(task), func(x Exchange) error { return read(x.Reply.Text) })
}
