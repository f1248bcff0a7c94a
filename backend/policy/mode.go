package policy

import (
	"slices"

	"agentchat/backend/toolbox"
)

// Mode is how much a person wants to be asked, over the rules they wrote.
type Mode string

// The modes. Whatever the mode: what a rule denies or asks about is denied and asked about, and so are money, deletion, programs and values
// that are not the customer's own.
const (
	ModeAll     Mode = "ask_all"     // whatever changes something or leaves this computer, every time; no permission loosens it
	ModeMatters Mode = "ask_matters" // not what the customer's words ask for and what adds only: a new file, a copy
	ModeRules   Mode = "my_rules"    // as rules, permissions and manuals say
)

// Modes are all of them, from the one that asks most.
var Modes = []Mode{ModeAll, ModeMatters, ModeRules}

// asksAll tells whether a person who wants to be asked everything is asked about a call. What only reads in the house asks nobody.
func (r Request) asksAll() bool { return r.Mode == ModeAll && Judged(r.Spec, r.Args) }

// plain tells whether a person who wants to be asked what matters need not be: their words ask for it, and the manual itself offers to be
// asked about once for many.
func (r Request) plain() bool {
	return r.Mode == ModeMatters && r.Wanted && mayLoosen(r.Spec) && slices.ContainsFunc(scopes(r.Spec, ""), func(s toolbox.Scope) bool { return s != toolbox.ScopeOnce })
}
