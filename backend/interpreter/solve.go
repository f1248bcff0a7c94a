package interpreter

import (
	"cmp"
	"context"
	"strings"

	"agentchat/backend/provider"
)

// Solve does one round of a step that no single call does (seed: Solver): it asks for tools, asks the customer, or answers. An
// answer streams into the message of the brief. What it asks for has been read, not judged: whether there is such a tool
// and whether it may run is for others to say.
func (i *Interpreter) Solve(ctx context.Context, b Brief) (provider.Solution, error) {
	var solution provider.Solution
	err := i.ask(ctx, b, provider.RoleSolver, provider.SolveSchema, func(x Exchange) (err error) {
		if solution, err = i.adapter.ParseSolution(x.Reply); err != nil {
			return err
		}
		solution.Reasoning, solution.Worded = thoughts(x.Reply), i.worded(x)
		if len(solution.Calls) > 0 {
			return nil
		}
		return i.sound(b, x, cmp.Or(solution.Ask, solution.Text))
	})
	if err != nil {
		return provider.Solution{}, err
	}
	return solution, nil
}

// native tells whether a provider takes tool calls in its service's own way.
func native(ctx context.Context, p provider.Provider) bool {
	caller, ok := p.(provider.NativeCaller)
	return ok && caller.NativeCalls(ctx)
}

// solutionReader gives the words of a solver for the customer while they arrive: the answer out of its JSON, or, when the
// reply is none, the reply itself. The zero value is ready.
type solutionReader struct {
	began, plain bool
	json         replyReader
}

func (r *solutionReader) add(piece string) string {
	if !r.began {
		text := strings.TrimLeft(piece, " \t\r\n")
		if text == "" {
			return ""
		}
		r.began, r.plain = true, text[0] != '{'
		r.json.form = &solveForm
	}
	if r.plain {
		return piece
	}
	return r.json.add(piece)
}
