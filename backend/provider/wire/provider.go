package wire

import (
	"context"
	"slices"
	"strings"
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

// Chosen is the model that answers a request, as far as nobody has to ask which models there are: the card's own, the one that is set,
// or the one that was picked before; "" for none of them.
func Chosen(card string, set, picked func() string) string {
	if card != "" {
		return card
	}
	if name := Set(set); name != "" {
		return name
	}
	return picked()
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

// Embed turns texts into vectors with the model of that name there is.
func Embed(ctx context.Context, p provider.Embedder, texts []string) ([][]float32, error) {
	model, err := p.EmbedModel(ctx)
	if err != nil {
		return nil, err
	}
	return p.EmbedWith(ctx, model, texts)
}
