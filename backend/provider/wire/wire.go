// Package wire is what the providers behind HTTP share: deadlines, retries and a circuit breaker around a call, and
// guards around an answer, so that nothing a model or its server does can hang, crash or fool the shop.
package wire

import (
	"time"

	"agentchat/backend/provider"
)

// Timeouts are the three separate deadlines of one call; 0 means none.
type Timeouts struct {
	Connect time.Duration // until the connection stands
	First   time.Duration // from then until the first piece of the answer, or until the model is seen to be loading
	Gap     time.Duration // between two pieces
}

// Load is until the first piece when the model is seen to be read into memory: five times First.
func (t Timeouts) Load() time.Duration { return 5 * t.First }

// Card is what a role asks of a provider.
type Card struct {
	Model       string // "": the provider's own
	Temperature float64
	MaxTokens   int           // the longest answer, reasoning included; 0: the service's limit
	Timeout     time.Duration // for the whole answer, retries included and loading left out; 0: none
	Retries     int           // further tries of a call that failed before its first piece
}

// DefaultRetries is how often a failed call is tried again unless its card says otherwise.
const DefaultRetries = 3

// DefaultCard is the card of a role that no setting overrides: the JSON roles are exact, the writing roles a little freer.
func DefaultCard(role provider.Role) Card {
	card := Card{Timeout: 5 * time.Minute, Retries: DefaultRetries}
	switch role {
	case provider.RolePlanner:
		card.MaxTokens = 1536
	case provider.RoleIntent:
		card.MaxTokens = 128
	case provider.RoleLibrarian: // a form of a few words; code's own rules stand in for it, so nobody waits long
		card.MaxTokens, card.Timeout = 512, 90*time.Second
	case provider.RoleToolChooser:
		card.MaxTokens = 768
	case provider.RoleSummarizer:
		card.MaxTokens, card.Temperature = 1024, 0.2
	case provider.RoleReporter:
		card.MaxTokens, card.Temperature = 512, 0.4
	case provider.RoleResponder, provider.RolePrompt:
		card.MaxTokens, card.Temperature = 1536, 0.2
	case provider.RoleSolver:
		card.MaxTokens, card.Temperature = 2048, 0.6
	default:
		card.MaxTokens = 1024
	}
	return card
}

// CardFor is the card of a request's role, with the model that the request wants of the provider of that name.
func CardFor(override func(provider.Role, Card) Card, name string, req provider.Request) Card {
	card := CardOf(override, req.Role)
	if model := req.ModelOf(name); model != "" {
		card.Model = model
	}
	if req.Most > 0 && (card.MaxTokens <= 0 || req.Most < card.MaxTokens) {
		card.MaxTokens = req.Most
	}
	return card
}

// CardOf is the card of a role: the default, as override changes it. override may be nil.
func CardOf(override func(provider.Role, Card) Card, role provider.Role) Card {
	card := DefaultCard(role)
	if override != nil {
		card = override(role, card)
	}
	return card
}
