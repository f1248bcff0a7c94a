// Package mcp lets tools of outside servers (Model Context Protocol) into the toolbox. What such a server says of itself is a
// stranger's word: its tools are usable only after a person consented to exactly the texts they come with, they ask before
// every call unless that person says otherwise, and what they answer is bounded information, never an instruction.
//
// A server is a child process (stdio) or an address (streamable HTTP). It is named in mcp.json in the data folder, in the
// shape other MCP clients use. Only this package speaks the protocol.
package mcp

import (
	"context"
	"encoding/json"
	"time"

	"agentchat/backend/toolbox"
)

// Consent is what a person agreed to of one server: these tools, word for word, of this program or address.
type Consent struct {
	Server string
	Source string // the hash of what is started or called
	Tools  []Manual
	At     time.Time
}

// Manual is what a server says of one of its tools, as it was shown. Description holds no control or invisible
// characters; Schema is the canonical JSON schema of the arguments.
type Manual struct {
	Name        string          `json:"name"` // the server's own name for it
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema" ts_type:"any"`
	ReadOnly    bool            `json:"readOnly,omitempty"` // the server claims that it changes nothing
}

// Store keeps consents. Safe for concurrent use; errors are *apperr.Error.
type Store interface {
	Consents(ctx context.Context) ([]Consent, error)
	// SaveConsent replaces what was agreed to of a server.
	SaveConsent(ctx context.Context, c Consent) error
	// DropConsent forgets a server; one that is not known is no error.
	DropConsent(ctx context.Context, server string) error
}

// Box is the toolbox as this package uses it.
type Box interface {
	Register(tools ...toolbox.Tool) error
	Unregister(keys ...string)
	SetGroup(group string, capacity int)
}

// Limits bound what a server may take. A zero field means its default.
type Limits struct {
	Start   time.Duration   // until a server is up and has listed its tools; 60 s
	Answer  time.Duration   // without an answer or word of progress, before a call counts as hung; 120 s
	Longest time.Duration   // for a whole call, whatever the progress; 10 times Answer
	Grace   time.Duration   // for a server to end by itself when its input closes, and again after a polite signal; 1 s
	Backoff []time.Duration // before each restart in a row; when they are used up the server stays down until asked for
	Steady  time.Duration   // after which a server that ran so long counts as well again; 1 min
	Relist  time.Duration   // at least so long between two looks at a tool list that changes, and between two words of changed prompts; 500 ms
}

func (l Limits) orDefault() Limits {
	or := func(d *time.Duration, fallback time.Duration) {
		if *d <= 0 {
			*d = fallback
		}
	}
	or(&l.Start, time.Minute)
	or(&l.Answer, 2*time.Minute)
	or(&l.Longest, 10*l.Answer)
	or(&l.Grace, time.Second)
	or(&l.Steady, time.Minute)
	or(&l.Relist, 500*time.Millisecond)
	if l.Backoff == nil {
		l.Backoff = []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second}
	}
	return l
}

// What a server may weigh.
const (
	maxTools       = 200
	maxPages       = 50
	maxDescription = 1000     // characters of a description that requests and people see
	maxSchema      = 16 << 10 // bytes
	maxFrame       = 8 << 20  // bytes of one message
	maxText        = 16000    // characters of text in a result
	maxStructured  = 64 << 10 // bytes of structured content in a result
	maxResource    = 4000     // characters of an embedded resource
	maxProgress    = 200      // lines of progress per call
	maxLine        = 300      // characters of a line of progress, of an error, of stderr
	maxStderr      = 1000     // lines of stderr per start
)
