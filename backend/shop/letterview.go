package shop

import "encoding/json"

// LetterRow is one exchange with an interpreter, as a list shows it. At is RFC 3339 in UTC, times are milliseconds.
// Error is the stable code of a failure, empty when the reply could be used as it came. Attempt counts from 1; a higher
// one is a repair request. ReplayOf is the id of the request that a person sent again.
type LetterRow struct {
	ID           string `json:"id"`
	Role         string `json:"role"`
	Chat         string `json:"chat,omitempty"`
	Job          string `json:"job,omitempty"`
	Turn         string `json:"turn,omitempty"` // the customer's message it was written for
	Provider     string `json:"provider"`
	Model        string `json:"model,omitempty"`
	At           string `json:"at"`
	Ms           int64  `json:"ms"`
	FirstTokenMs int64  `json:"firstTokenMs,omitempty"`
	TokensIn     int    `json:"tokensIn,omitempty"`
	TokensCached int    `json:"tokensCached,omitempty"`
	TokensOut    int    `json:"tokensOut,omitempty"`
	Error        string `json:"error,omitempty"`
	Attempt      int    `json:"attempt"`
	ReplayOf     string `json:"replayOf,omitempty"`
	Recalled     bool   `json:"recalled,omitempty"` // the answer that a request like this one had before
	Request      string `json:"request"`            // what was asked, clipped
}

// LetterMessage is one message of a request as it was sent. Role is user or assistant.
type LetterMessage struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// LetterDetail is one exchange whole, with secrets taken out: what was sent (System, Messages, Schema) and what came back
// (Reply, Thinking). Problem says in the reader's words why a reply could not be used.
type LetterDetail struct {
	Row        LetterRow       `json:"row"`
	System     string          `json:"system"`
	Messages   []LetterMessage `json:"messages"`
	Schema     json.RawMessage `json:"schema,omitempty" ts_type:"any"`
	Reply      string          `json:"reply"`
	Thinking   string          `json:"thinking,omitempty"`
	DoneReason string          `json:"doneReason,omitempty"`
	Problem    string          `json:"problem,omitempty"`
}
