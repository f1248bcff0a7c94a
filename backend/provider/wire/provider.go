package wire

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// statusPatience is how long a server that was reached may take to say how it is.
const statusPatience = 3 * time.Second

// Set is a setting as it is now, without blanks around it; "" without a function.
func Set(f func() string) string {
	if f == nil {
		return ""
	}
	return strings.TrimSpace(f())
}

// Service is what all providers behind HTTP have: a name, the way to their service, and the model that was picked because none was
// set. Safe for concurrent use.
type Service struct {
	Line Line
	HTTP *http.Client

	mu     sync.Mutex
	picked string
}

// Name is what the provider is called.
func (s *Service) Name() string { return s.Line.Name }

// Renew tries the service again at once, however often it has failed: the key is another one.
func (s *Service) Renew() { s.Line.Breaker.Wake() }

// Close lets go of idle connections. The provider stays usable.
func (s *Service) Close() error {
	s.HTTP.CloseIdleConnections()
	return nil
}

// Picked is the model that was picked because none was set; "" for none.
func (s *Service) Picked() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.picked
}

// Pick keeps the model that answers while none is set; "" lets go of it.
func (s *Service) Pick(model string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.picked = model
}

// ModelFor is who answers a request: the card's model, else the one that is set, else one picked once and kept, because another model
// for every request would be loaded every time. It is model_missing because of none when there is nothing to pick.
func (s *Service) ModelFor(card string, set func() string, list func() ([]provider.Model, error), none error) (string, error) {
	for _, name := range []string{card, Set(set), s.Picked()} {
		if name != "" {
			return name, nil
		}
	}
	models, err := list()
	if err != nil {
		return "", err
	}
	name := BestOf(models)
	if name == "" {
		return "", Missing(none, "")
	}
	s.Pick(name)
	return name, nil
}

// BestOf is the model that answers when none is set: the first that is loaded, else the first; "" where none writes text.
func BestOf(models []provider.Model) string {
	name := ""
	for _, m := range models {
		switch {
		case m.Embedding:
		case m.Loaded:
			return m.Name
		case name == "":
			name = m.Name
		}
	}
	return name
}

// Limits have the line follow deadlines that are asked for at every call; nil: the defaults.
func (l *Line) Limits(timeouts func() (connect, first, gap time.Duration)) {
	l.Timeouts = func() (t Timeouts) {
		if timeouts != nil {
			t.Connect, t.First, t.Gap = timeouts()
		}
		return t
	}
}

// Status is what probe finds out about a server, in at most the connect deadline and three seconds, and what calls found out
// before: one that answers a probe may still refuse them.
func (l *Line) Status(ctx context.Context, probe func(context.Context) provider.Status) provider.Status {
	connect := l.Timeouts().Connect
	if connect <= 0 {
		connect = statusPatience
	}
	ctx, cancel := context.WithTimeout(ctx, connect+statusPatience)
	defer cancel()
	s := probe(ctx)
	state, why := l.Breaker.State()
	if s.Health == provider.HealthOK && state == "open" {
		if apperr.CodeOf(why) == apperr.ProviderUnreachable { // it could not be reached; now it can
			l.Breaker.Wake()
			state, _ = l.Breaker.State()
		} else {
			s.Health, s.Reason, s.Detail = provider.HealthError, provider.ReasonRefused, apperr.From(why).Text(bilingual.EN)
			if apperr.CodeOf(why) == apperr.ModelTimeout {
				s.Reason = provider.ReasonNotAnswering
			}
		}
	}
	s.Breaker = state
	return s
}

// ReadAhead has a request read that nobody wants an answer to: the model writes one token of it. ok tells whether it was read.
func ReadAhead(card Card, ask func(Card) (provider.Reply, error)) (reply provider.Reply, ok bool, err error) {
	card.MaxTokens, card.Retries, card.Timeout = 1, 0, 0
	if reply, err = ask(card); apperr.CodeOf(err) == apperr.ModelBadOutput && reply.TokensIn > 0 {
		err = nil // the one token was none that anybody could read
	}
	return reply, err == nil, err
}

// EmbedModel is the model that embeds: the one that is set, else the first that can. not_available when there is none.
func EmbedModel(ctx context.Context, set func() string, models func(context.Context) ([]provider.Model, error)) (string, error) {
	if model := Set(set); model != "" {
		return model, nil
	}
	list, err := models(ctx)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(list, func(m provider.Model) bool { return m.Embedding })
	if i < 0 {
		return "", apperr.New(apperr.NotAvailable, "what", "embed")
	}
	return list[i].Name, nil
}

// CheckVectors says what is wrong with the vectors of so many texts; nil: they are as they should be.
func CheckVectors(vectors [][]float32, texts int) error {
	if len(vectors) != texts {
		return Bad(fmt.Errorf("%d vectors for %d texts", len(vectors), texts))
	}
	for i, v := range vectors {
		if len(v) == 0 || len(v) != len(vectors[0]) {
			return Bad(fmt.Errorf("vector %d has %d numbers, the first %d", i, len(v), len(vectors[0])))
		}
	}
	return nil
}

// Embed turns texts into vectors with the model of that name there is.
func Embed(ctx context.Context, p provider.Embedder, texts []string) ([][]float32, error) {
	model, err := p.EmbedModel(ctx)
	if err != nil {
		return nil, err
	}
	return p.EmbedWith(ctx, model, texts)
}
