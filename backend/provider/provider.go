package provider

import (
	"context"
	"time"
)

// Health is how a provider is. Its values travel in provider.state.
type Health string

// The states of health.
const (
	HealthOK          Health = "ok"
	HealthStarting    Health = "starting"
	HealthUnreachable Health = "unreachable"
	HealthNoModel     Health = "no_model"
	HealthError       Health = "error"
)

// Reason says why a provider is not ok, so that a window can offer the one action that helps.
type Reason string

// The reasons of a Status that is not ok.
const (
	ReasonNotInstalled Reason = "not_installed" // no such program on this machine
	ReasonNotRunning   Reason = "not_running"   // installed, but nothing listens
	ReasonNotAnswering Reason = "not_answering" // it listens and stays silent
	ReasonNothingThere Reason = "nothing_there" // nothing listens at an address somebody chose
	ReasonWrongAddress Reason = "wrong_address" // no such host, or something else answers there
	ReasonNoModel      Reason = "no_model"      // running, but without the model
	ReasonLoading      Reason = "loading"       // reading the model into memory
	ReasonRefused      Reason = "refused"       // it answers with errors: a wrong key, too little memory
)

// Status is a provider's health with the model in use and a sentence of detail. Breaker is "open" while calls are not
// even tried after too many failures, "half_open" while one is tried, and empty otherwise.
type Status struct {
	Health  Health `json:"health"`
	Reason  Reason `json:"reason,omitempty"`
	Model   string `json:"model"`
	Detail  string `json:"detail,omitempty"`
	Breaker string `json:"breaker,omitempty"`
}

// Delta is one piece of a reply as it arrives. Thinking is set for reasoning text, which is never part of the answer.
// Loading, with nothing else, comes before the first piece when the model has to be read into memory first. Void takes all
// text so far back: it turned out to be reasoning.
type Delta struct {
	Text     string
	Thinking string
	Loading  bool
	Void     bool
}

// Reply is one whole answer. Token counts are 0 where the service does not tell them. Model is the one that answered.
type Reply struct {
	Model        string        `json:"model,omitempty"`
	Text         string        `json:"text"`
	Thinking     string        `json:"thinking,omitempty"`
	Calls        []RawCall     `json:"calls,omitempty"` // native tool calls; then Text may be empty
	TokensIn     int           `json:"tokensIn,omitempty"`
	TokensCached int           `json:"tokensCached,omitempty"`
	TokensOut    int           `json:"tokensOut,omitempty"`
	FirstToken   time.Duration `json:"firstToken,omitempty"`
	Elapsed      time.Duration `json:"elapsed,omitempty"`
	DoneReason   string        `json:"doneReason,omitempty"`
	Recalled     bool          `json:"recalled,omitempty"` // no model wrote it now: it is what one wrote to such a request before
}

// Model is one model a provider can serve. Bytes is its size on disk.
type Model struct {
	Name      string `json:"name"`
	Bytes     int64  `json:"bytes,omitempty"`
	Loaded    bool   `json:"loaded,omitempty"`
	Embedding bool   `json:"embedding,omitempty"`
}

// Provider is one model service. Every implementation runs the conformance suite in providertest.
//
// Chat answers one request, calling on for each piece in order (on may be nil) before it returns the whole. It returns
// promptly when ctx ends. Errors are *apperr.Error: provider_unreachable, model_missing, model_timeout,
// model_bad_output, context_overflow. Safe for concurrent use.
type Provider interface {
	Name() string
	Chat(ctx context.Context, req Request, on func(Delta)) (Reply, error)
	// Embed turns texts into vectors of one length; not_available where the provider has no embedding model.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	Models(ctx context.Context) ([]Model, error)
	Status(ctx context.Context) Status
	// Parallel is how many requests the provider answers at once, at least 1.
	Parallel() int
}

// Seer is a Provider whose models may look at pictures. Sees tells whether the one that words answers does, by what its server says of it:
// false when it does not or when there is no telling. It is quick once it was asked.
type Seer interface {
	Sees(ctx context.Context) bool
}

// Reader is a Provider whose model keeps what it has read for the next request that begins alike, and which costs nothing to ask.
// Read has the model read a request and answers nothing. ok is false, and nothing is read, when the model is not in memory, for
// then it would be loaded, or when there is no telling. It returns promptly when ctx ends; errors are those of Chat.
type Reader interface {
	Read(ctx context.Context, req Request) (reply Reply, ok bool, err error)
}

// Phrasebook is a Provider that reads by code alone. Unread gives the words of a message that its plan for it does not rest on: where
// there are none, a model could only say the same. It is quick and safe for concurrent use.
type Phrasebook interface {
	Unread(cards []ToolCard, text string, now time.Time) []string
}

// Embedder is a provider whose embedding model has a name, so that vectors of one model are never compared with those of
// another. Errors are those of Embed.
type Embedder interface {
	// EmbedModel names the model that Embed would use; not_available when there is none.
	EmbedModel(ctx context.Context) (string, error)
	EmbedWith(ctx context.Context, model string, texts []string) ([][]float32, error)
}
