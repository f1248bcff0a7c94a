package ollama

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"agentchat/backend/apperr"
	"agentchat/backend/outbound"
	"agentchat/backend/provider/wire"
)

// pullPatience is how long a download may be silent; checking a large file takes minutes.
const pullPatience = 5 * time.Minute

// Progress is how far a download is. Phase is the server's word for what it does ("pulling manifest"). Done and Total
// are bytes of all files named so far; Total grows while the server still finds out.
type Progress struct {
	Phase   string  `json:"phase"`
	Done    int64   `json:"done"`
	Total   int64   `json:"total"`
	Percent float64 `json:"percent"`
	Speed   float64 `json:"speed"` // bytes a second, smoothed; 0: not known yet
}

// Pull downloads a model, telling on about its progress (nil: nobody). Canceling ctx pauses it: the server keeps what
// arrived, and the next Pull goes on from there, after a restart too. Errors: canceled, offline, nothing_leaves, model_missing (no such
// model), storage_full, provider_unreachable, provider_refused.
func (p *Provider) Pull(ctx context.Context, model string, on func(Progress)) error {
	client, base, err := p.client()
	if err != nil {
		return apperr.From(err)
	}
	if loopback(base) { // the server here goes and fetches it
		if err := p.o.Line.Leave(ctx, outbound.RoomDownload, registry(model)); err != nil {
			return err
		}
	}
	limits := wire.Timeouts{Connect: p.Line.Timeouts().Connect, First: pullPatience, Gap: pullPatience}
	meter := newPullMeter()
	err = p.Line.Follow(ctx, limits, func(ctx context.Context, alive func()) error {
		done := false
		err := client.Pull(ctx, &api.PullRequest{Model: model}, func(r api.ProgressResponse) error {
			alive()
			done = r.Status == "success"
			if on != nil {
				on(meter.add(r))
			}
			return nil
		})
		if err == nil && !done {
			return wire.Unreachable(errors.New("the download stopped in the middle"), p.Name())
		}
		return p.pullFailure(err, model)
	})
	p.forget()
	return err
}

// registry is where a model comes from: the host that its name begins with, or else Ollama's own.
func registry(model string) string {
	if host, _, more := strings.Cut(model, "/"); more && strings.Contains(host, ".") {
		return host
	}
	return "registry.ollama.ai"
}

func (p *Provider) pullFailure(err error, model string) error {
	if err == nil {
		return nil
	}
	words := err.Error()
	has := func(parts ...string) bool {
		for _, part := range parts {
			if strings.Contains(words, part) {
				return true
			}
		}
		return false
	}
	switch {
	case wire.Classify(err, p.Name()) != nil:
		return err
	case has("file does not exist", "not found", "invalid model name"):
		return wire.Missing(err, model)
	case has("no space left", "not enough space", "disk full"):
		return &wire.Failure{Err: apperr.Wrap(err, apperr.StorageFull)}
	case has("dial tcp", "no such host", "lookup ", "network is unreachable", "i/o timeout", "connection refused", "max retries"):
		return &wire.Failure{Err: apperr.Wrap(err, apperr.Offline, "what", model)}
	}
	return p.failure(err, model)
}

// pullMeter adds up the files of a download and how fast they come.
type pullMeter struct {
	files map[string]api.ProgressResponse
	began time.Time
	last  int64
	speed float64
}

func newPullMeter() *pullMeter {
	return &pullMeter{files: map[string]api.ProgressResponse{}, began: time.Now()}
}

func (m *pullMeter) add(r api.ProgressResponse) Progress {
	first := false
	if r.Digest != "" {
		_, known := m.files[r.Digest]
		first = !known
		m.files[r.Digest] = r
	}
	at := Progress{Phase: r.Status}
	for _, f := range m.files {
		at.Done += f.Completed
		at.Total += f.Total
	}
	if first { // what was there from before is no speed
		m.last += r.Completed
	}
	if took := time.Since(m.began).Seconds(); took >= 0.5 {
		now := float64(at.Done-m.last) / took
		if m.speed == 0 {
			m.speed = now
		} else {
			m.speed = 0.7*m.speed + 0.3*now
		}
		m.began, m.last = time.Now(), at.Done
	}
	at.Speed = max(m.speed, 0)
	if at.Total > 0 {
		at.Percent = 100 * float64(at.Done) / float64(at.Total)
	}
	return at
}

// Delete removes a model from the server. Errors: model_missing and those of Chat.
func (p *Provider) Delete(ctx context.Context, model string) error {
	err := p.call(ctx, model, func(ctx context.Context, c *api.Client) error {
		return c.Delete(ctx, &api.DeleteRequest{Model: model})
	})
	p.forget()
	return err
}

// Load reads a model into memory with the options every request has, so that the first request finds it ready. It returns
// when the model is there; meanwhile Status is starting.
func (p *Provider) Load(ctx context.Context, model string) error {
	p.loading.Add(1)
	defer p.loading.Add(-1)
	return p.call(ctx, model, func(ctx context.Context, c *api.Client) error {
		if err := p.mayAsk(ctx, c, model); err != nil {
			return err
		}
		// Requests shift nothing, and a model that was loaded to shift would be loaded again for them.
		return generate(ctx, c, &api.GenerateRequest{Model: model, KeepAlive: p.keepAlive(), Options: p.runner(), Shift: new(false)})
	})
}

// Unload frees the memory of a model.
func (p *Provider) Unload(ctx context.Context, model string) error {
	p.warm("")
	if err := p.talks.wait(ctx); err != nil { // whoever looks whether there is a place would load it again
		return apperr.Wrap(err, apperr.Canceled)
	}
	return p.call(ctx, model, func(ctx context.Context, c *api.Client) error {
		return generate(ctx, c, &api.GenerateRequest{Model: model, KeepAlive: &api.Duration{}})
	})
}

func generate(ctx context.Context, c *api.Client, r *api.GenerateRequest) error {
	return c.Generate(ctx, r, func(api.GenerateResponse) error { return nil })
}
