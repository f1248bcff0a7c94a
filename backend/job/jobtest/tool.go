package jobtest

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// Tool is a scripted tool. Do is what it does; nil: it answers at once.
type Tool struct {
	Manual toolbox.Spec
	Do     func(ctx context.Context, call toolbox.Call) (toolbox.Result, error)

	mu   sync.Mutex
	runs []toolbox.Call
}

// NewTool makes an infinite read-only tool that takes any object and answers at once; edit Manual and Do as needed.
func NewTool(key string) *Tool {
	return &Tool{Manual: toolbox.Spec{
		Key: key, Title: bilingual.Text{KO: key, EN: key}, Confirm: toolbox.ConfirmNever, Effect: toolbox.EffectRead,
		Params: json.RawMessage(`{"type":"object"}`),
	}}
}

// Approved makes a tool with a confirm policy that takes {"n": whole number} and must never run twice.
func Approved(key string, confirm toolbox.Confirm) *Tool {
	t := NewTool(key)
	t.Manual.Confirm, t.Manual.Effect = confirm, toolbox.EffectOnce
	t.Manual.Params = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["n"],"properties":{"n":{"type":"integer"}}}`)
	t.Manual.Content = []string{"n"}
	return t
}

// Player makes a tool that plays for a while unless it is interrupted, as nav, movie and song do.
func Player(key, group string, capacity int, length time.Duration) *Tool {
	t := NewTool(key)
	t.Manual.Group, t.Manual.Capacity, t.Manual.Long = group, capacity, true
	t.Do = func(ctx context.Context, _ toolbox.Call) (toolbox.Result, error) {
		timer := time.NewTimer(length)
		defer timer.Stop()
		select {
		case <-timer.C:
			return toolbox.Result{Text: key + " ended"}, nil
		case <-ctx.Done():
			return toolbox.Result{}, ctx.Err()
		}
	}
	return t
}

// Spec implements toolbox.Tool.
func (t *Tool) Spec() toolbox.Spec { return t.Manual }

// Run implements toolbox.Tool.
func (t *Tool) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	t.mu.Lock()
	t.runs = append(t.runs, call)
	t.mu.Unlock()
	if t.Do == nil {
		return toolbox.Result{Text: t.Manual.Key + " done"}, nil
	}
	return t.Do(ctx, call)
}

// Runs gives every call so far.
func (t *Tool) Runs() []toolbox.Call {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]toolbox.Call(nil), t.runs...)
}

// Plan makes a job of todos that use these tools, in order; "" is a todo without a tool. Arguments are {"n": place}.
func Plan(tools ...string) provider.JobPlan {
	p := provider.JobPlan{Title: "job"}
	for i, tool := range tools {
		args, _ := json.Marshal(map[string]int{"n": i + 1})
		p.Todos = append(p.Todos, provider.TodoPlan{Title: "step " + tool, Tool: tool, Request: "do " + tool, Args: args})
	}
	return p
}
