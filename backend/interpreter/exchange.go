package interpreter

import (
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
)

// Exchange is one request and what came back. Error is the code of a failure and Problem says more about it: a reply that
// arrived well and could not be used has both, and the request that asks for another has the next higher Attempt (from 1).
// ReplayOf is the id of the request that was sent again.
type Exchange struct {
	Request  provider.Request `json:"letter"`
	Prompt   provider.Prompt  `json:"-"` // the request as it was sent
	Provider string           `json:"provider"`
	Reply    provider.Reply   `json:"reply"`
	Error    string           `json:"error,omitempty"`
	Problem  string           `json:"problem,omitempty"`
	Attempt  int              `json:"attempt,omitempty"`
	ReplayOf string           `json:"replayOf,omitempty"`
	At       time.Time        `json:"at"`
}

// failed notes why the exchange brought nothing.
func (x *Exchange) failed(err error) {
	if err != nil {
		x.Error, x.Problem = string(apperr.CodeOf(err)), reason(err)
	}
}

// keep hands the exchange to whoever keeps requests.
func (i *Interpreter) keep(x Exchange) {
	if i.deps.Keep != nil {
		i.deps.Keep(x)
	}
}
