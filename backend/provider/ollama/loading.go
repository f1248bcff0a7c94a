package ollama

import (
	"context"
	"slices"
	"time"

	"github.com/ollama/ollama/api"

	"agentchat/backend/provider/wire"
)

// Ollama does not say that it loads a model: a request to one that is not in memory is merely answered late. But it lists
// what is in memory, and lists a model as soon as it begins to load it. So a request asks before it goes out, unless the
// model has answered just now, and a request to a model that was not there looks on. As long as the model does not come up
// in the list nothing is happening, and the deadline for the first piece stands; once it does, the request is given the
// time that loading takes (wire.Timeouts.Load).

// warmFor is how long a model that answered is taken to be still in memory.
const warmFor = 10 * time.Second

// lookMost is the longest time between two looks at a model that loads.
const lookMost = time.Second

// warm notes that a model has just answered.
func (p *Provider) warm(model string) {
	p.mu.Lock()
	p.hot, p.hotAt = model, time.Now()
	p.mu.Unlock()
}

// cold tells whether a model is not in memory. A server that does not say is not asked twice: the request will find out.
func (p *Provider) cold(ctx context.Context, c *api.Client, model string) bool {
	p.mu.Lock()
	hot := p.hot == model && time.Since(p.hotAt) < warmFor
	p.mu.Unlock()
	if hot {
		return false
	}
	there, err := inMemory(ctx, c, model)
	return err == nil && !there
}

func inMemory(ctx context.Context, c *api.Client, model string) (bool, error) {
	running, err := c.ListRunning(ctx)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(running.Models, func(r api.ProcessModelResponse) bool { return sameModel(r.Name, model) }), nil
}

// lookOn watches a model that was not in memory until it comes up there, and gives the answer more time then. It returns
// when the function it gives is called.
func (p *Provider) lookOn(ctx context.Context, c *api.Client, model string, answer *wire.Answer) (stop func()) {
	answer.Loading()
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		every := lookMost
		if first := p.Line.Timeouts().First; first > 0 {
			every = min(every, first/4)
		}
		ticker := time.NewTicker(max(every, time.Millisecond))
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			if there, err := inMemory(ctx, c, model); err == nil && there {
				answer.Patient()
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}
