package shop

import (
	"time"

	"agentchat/backend/interpreter"
	"agentchat/backend/provider/wire"
)

// The interpreter's own deadlines stand behind those that the providers keep, and must not come before them.
const (
	lateFirst = time.Minute // the pauses between connections that are tried again
	lateGap   = 5 * time.Second
)

// overallTimeout are the interpreter's deadlines for a provider with the given ones.
func overallTimeout(connect, first, gap time.Duration) interpreter.Timeouts {
	slack := (wire.DefaultRetries+1)*connect + lateFirst
	return interpreter.Timeouts{First: first + slack, Gap: gap + lateGap, Load: wire.Timeouts{First: first}.Load() + slack}
}
