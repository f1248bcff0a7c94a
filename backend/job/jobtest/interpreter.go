package jobtest

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"agentchat/backend/interpreter"
	"agentchat/backend/provider"
)

// Interpreter is a scripted interpreter. A nil function answers plainly.
type Interpreter struct {
	OnChoose func(ctx context.Context, b interpreter.Brief) (provider.ToolCall, error)
	OnSolve  func(ctx context.Context, b interpreter.Brief) (provider.Solution, error)
	OnReport func(ctx context.Context, b interpreter.Brief) (string, error)

	mu     sync.Mutex
	briefs []interpreter.Brief
}

func (i *Interpreter) note(b interpreter.Brief) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.briefs = append(i.briefs, b)
}

// Briefs gives what every call was told.
func (i *Interpreter) Briefs() []interpreter.Brief {
	i.mu.Lock()
	defer i.mu.Unlock()
	return append([]interpreter.Brief(nil), i.briefs...)
}

// ChooseTool implements job.Interpreter.
func (i *Interpreter) ChooseTool(ctx context.Context, b interpreter.Brief) (provider.ToolCall, error) {
	i.note(b)
	if i.OnChoose != nil {
		return i.OnChoose(ctx, b)
	}
	return provider.ToolCall{Tool: b.Todo.Tool, Args: json.RawMessage(`{"n":1}`)}, nil
}

// Solve implements job.Interpreter.
func (i *Interpreter) Solve(ctx context.Context, b interpreter.Brief) (provider.Solution, error) {
	i.note(b)
	if i.OnSolve != nil {
		return i.OnSolve(ctx, b)
	}
	return provider.Solution{Text: "solved " + b.Todo.Title}, nil
}

// Report implements job.Interpreter.
func (i *Interpreter) Report(ctx context.Context, b interpreter.Brief) (interpreter.Words, error) {
	if i.OnReport != nil {
		text, err := i.OnReport(ctx, b)
		return interpreter.Words{Text: text, Reasoning: "thought about " + b.Message}, err
	}
	var lines []string
	for _, r := range b.Results {
		lines = append(lines, r.Text)
	}
	return interpreter.Words{Text: b.Outcome + ": " + strings.Join(lines, ", ")}, nil
}
