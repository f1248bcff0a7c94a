// Package models is the model room: which models a server has, what they would cost in memory, which of them serves which
// role, and the downloads that are under way. It works behind one Ollama server; what it asks of it is Server.
package models

import (
	"agentchat/backend/engine"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
)

// View is everything the models page shows, at one moment.
type View struct {
	Trouble     Trouble             `json:"trouble"` // how Ollama is
	OpenAI      Trouble             `json:"openai"`  // how the OpenAI-compatible service is
	Engine      engine.View         `json:"engine"`  // the shop's own
	Servers     []Listed            `json:"servers"` // in the order in which they are asked
	OnDuty      event.ProviderState `json:"onDuty"`
	Installed   []Installed         `json:"installed"`   // newest first
	Recommended []Recommended       `json:"recommended"` // the smallest first
	Pulls       []event.ModelPull   `json:"pulls"`       // in the order they were asked for
	Roles       []Role              `json:"roles"`
	RAM         RAM                 `json:"ram"`
	KeySet      bool                `json:"keySet"`   // a key for the OpenAI-compatible service is kept
	KeyPlace    string              `json:"keyPlace"` // keyring, file, env; "": nowhere
}

// Action is the one thing that helps against a trouble.
type Action string

// The actions of a Trouble.
const (
	ActionNone    Action = "none"
	ActionInstall Action = "install" // install the program
	ActionStart   Action = "start"   // start it
	ActionPull    Action = "pull"    // download a model, or choose another
	ActionAddress Action = "address" // correct the address
	ActionKey     Action = "key"     // correct the key
)

// HealthOff is the health of a provider that nobody has set up.
const HealthOff = "off"

// Trouble is how a provider is, why, and what helps. Health and Reason are those of provider.Status, or HealthOff; Detail
// is a sentence in the customer's language; Host is the address it was looked for at.
type Trouble struct {
	Provider string `json:"provider"`
	Model    string `json:"model"` // the model that serves, or that is missed
	Health   string `json:"health" ts_type:"provider.Health | 'off'"`
	Reason   string `json:"reason" ts_type:"provider.Reason | ''"`
	Detail   string `json:"detail"`
	Host     string `json:"host"`
	Local    bool   `json:"local"` // the address is this computer: StartOllama can help
	Action   Action `json:"action"`
}

// Installed is one model the server has. Memory is what it takes to run with the context that is set (bytes, estimated;
// 0: unknown). LoadedBytes and Context tell of a loaded model only. Roles are those it serves now.
type Installed struct {
	Name         string   `json:"name"`
	Bytes        int64    `json:"bytes"` // on disk
	Memory       int64    `json:"memory"`
	Fits         bool     `json:"fits"` // Memory is within this computer's; true when unknown
	Loaded       bool     `json:"loaded"`
	LoadedBytes  int64    `json:"loadedBytes"`
	Context      int      `json:"context"`
	Quantization string   `json:"quantization"` // "Q4_K_M"
	Parameters   string   `json:"parameters"`   // "4.0B"
	Embedding    bool     `json:"embedding"`
	Thinking     bool     `json:"thinking"`
	Roles        []string `json:"roles"`
}

// Recommended is a model worth trying on a small computer. Bytes and Memory are about right, not exact.
type Recommended struct {
	Name      string         `json:"name"`
	Title     string         `json:"title"`
	Bytes     int64          `json:"bytes"`  // to download
	Memory    int64          `json:"memory"` // to run, with the context that is set
	Fits      bool           `json:"fits"`   // Memory is within this computer's; true when unknown
	Installed bool           `json:"installed"`
	Embedding bool           `json:"embedding"`
	Languages []string       `json:"languages"` // it is good at, the best first
	Note      bilingual.Text `json:"note"`
}

// Card is how a role is served. TimeoutSeconds is for a whole answer, 0: no limit; MaxTokens bounds an answer, reasoning
// included, 0: the service's limit.
type Card struct {
	Model          string  `json:"model"` // "": the model that is set for all
	Temperature    float64 `json:"temperature"`
	MaxTokens      int     `json:"maxTokens"`
	TimeoutSeconds int     `json:"timeoutSeconds"`
	Retries        int     `json:"retries"`
}

// Role is one part the interpreter plays, the card in force and the one it would have without settings. The settings are
// "roles.<role>.model", ".servers", ".temperature", ".max_tokens", ".timeout" and ".retries".
type Role struct {
	Role string `json:"role"`
	Card
	// Servers are those that are asked first, in this order; none: as the list of servers has them.
	Servers  []string       `json:"servers"`
	Title    bilingual.Text `json:"title"`
	Defaults Card           `json:"defaults"`
}

// RAM is this computer's memory in bytes; 0: unknown. Available is what programs can still have.
type RAM struct {
	Total     int64 `json:"total"`
	Available int64 `json:"available"`
}
