package jobtest

import (
	"context"
	"encoding/json"
	"sync"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
)

// Voice is a scripted provider. Say answers a letter; nil: every plan is an answer that repeats the request.
type Voice struct {
	Say func(ctx context.Context, letter provider.Letter, on func(provider.Delta)) (string, error)
	// Sign adds to a reply what a model service says of it; may be nil.
	Sign func(*provider.Reply)

	mu      sync.Mutex
	letters []provider.Letter
}

// Letters gives every letter so far.
func (v *Voice) Letters() []provider.Letter {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]provider.Letter(nil), v.letters...)
}

// Name implements provider.Provider.
func (v *Voice) Name() string { return "voice" }

// Chat implements provider.Provider.
func (v *Voice) Chat(ctx context.Context, letter provider.Letter, on func(provider.Delta)) (provider.Reply, error) {
	v.mu.Lock()
	v.letters = append(v.letters, letter)
	v.mu.Unlock()
	if v.Say == nil {
		return provider.Reply{Text: PlanJSON(provider.Plan{Route: provider.RouteAnswer, Reply: letter.Request})}, nil
	}
	text, err := v.Say(ctx, letter, on)
	reply := provider.Reply{Text: text}
	if v.Sign != nil {
		v.Sign(&reply)
	}
	return reply, err
}

// Embed implements provider.Provider.
func (v *Voice) Embed(context.Context, []string) ([][]float32, error) {
	return nil, apperr.New(apperr.NotAvailable, "what", "embedding")
}

// Models implements provider.Provider.
func (v *Voice) Models(context.Context) ([]provider.Model, error) { return nil, nil }

// Status implements provider.Provider.
func (v *Voice) Status(context.Context) provider.Status {
	return provider.Status{Health: provider.HealthOK}
}

// Parallel implements provider.Provider.
func (v *Voice) Parallel() int { return 4 }

// PlanJSON writes a plan as a model would.
func PlanJSON(p provider.Plan) string {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Silence never answers and does not listen to its context; it ends when release is closed.
func Silence(release <-chan struct{}) func(context.Context, provider.Letter, func(provider.Delta)) (string, error) {
	return func(context.Context, provider.Letter, func(provider.Delta)) (string, error) {
		<-release
		return "", context.Canceled
	}
}
