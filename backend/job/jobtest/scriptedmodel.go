package jobtest

import (
	"context"
	"encoding/json"
	"sync"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
)

// ScriptedModel is a scripted provider. Say answers a request; nil: every plan is an answer that repeats the request.
type ScriptedModel struct {
	Say func(ctx context.Context, req provider.Request, on func(provider.Delta)) (string, error)
	// Sign adds to a reply what a model service says of it; may be nil.
	Sign func(*provider.Reply)

	mu       sync.Mutex
	requests []provider.Request
}

// Requests gives every request so far.
func (v *ScriptedModel) Requests() []provider.Request {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]provider.Request(nil), v.requests...)
}

// Name implements provider.Provider.
func (v *ScriptedModel) Name() string { return "voice" }

// Chat implements provider.Provider.
func (v *ScriptedModel) Chat(ctx context.Context, req provider.Request, on func(provider.Delta)) (provider.Reply, error) {
	v.mu.Lock()
	v.requests = append(v.requests, req)
	v.mu.Unlock()
	if v.Say == nil {
		return provider.Reply{Text: PlanJSON(provider.Plan{Route: provider.RouteAnswer, Reply: req.Message})}, nil
	}
	text, err := v.Say(ctx, req, on)
	reply := provider.Reply{Text: text}
	if v.Sign != nil {
		v.Sign(&reply)
	}
	return reply, err
}

// Embed implements provider.Provider.
func (v *ScriptedModel) Embed(context.Context, []string) ([][]float32, error) {
	return nil, apperr.New(apperr.NotAvailable, "what", "embedding")
}

// Models implements provider.Provider.
func (v *ScriptedModel) Models(context.Context) ([]provider.Model, error) { return nil, nil }

// Status implements provider.Provider.
func (v *ScriptedModel) Status(context.Context) provider.Status {
	return provider.Status{Health: provider.HealthOK}
}

// Parallel implements provider.Provider.
func (v *ScriptedModel) Parallel() int { return 4 }

// PlanJSON writes a plan as a model would.
func PlanJSON(p provider.Plan) string {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Silence never answers and does not listen to its context; it ends when release is closed.
func Silence(release <-chan struct{}) func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
	return func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
		<-release
		return "", context.Canceled
	}
}
