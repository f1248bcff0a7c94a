// Package policy says whether a call may run: rules that a person wrote, approvals that still hold, what a tool's manual
// says, and where the values came from. It decides by code alone; a model only proposes. Deny is stronger than ask, and ask
// is stronger than allow.
package policy

import (
	"encoding/json"
	"slices"
	"strings"

	"agentchat/backend/event"
	"agentchat/backend/toolbox"
)

// Decision is what policy says of a call.
type Decision string

// The decisions, from the strongest to the weakest.
const (
	Deny  Decision = "deny"
	Ask   Decision = "ask"
	Allow Decision = "allow"
)

// Reason is what a decision rests on.
type Reason string

// The reasons.
const (
	ByRule   Reason = "rule"   // a rule of the person's
	ByOrigin Reason = "origin" // a value that is not the customer's own
	ByGrant  Reason = "grant"  // an approval that still holds
	ByManual Reason = "manual" // the tool's manual, with its overrides
	ByWords  Reason = "words"  // the customer's words ask for no such thing
	ByMode   Reason = "mode"   // how much the person wants to be asked
)

// Request is a call to be judged. Args are canonical.
type Request struct {
	Chat    string
	Order   string // the standing order whose run makes the call; "" for none
	Spec    toolbox.Spec
	Args    json.RawMessage
	Origins []event.Origin // of the consequential arguments, see Trace
	Rules   []Rule
	Grants  []Grant
	Mode    Mode // "": the rules alone
	// Wanted says that the customer's request, read by code, asks for this tool; Spoken that it holds a value of the call.
	Wanted, Spoken bool
}

// Verdict is what policy says of one call and why. Scopes are what an approval of it may be offered for, from narrow to
// wide; Grant is set with ByGrant, Rule (in words) with ByRule.
type Verdict struct {
	Decision Decision
	By       Reason
	Rule     string
	Grant    Grant
	Scopes   []toolbox.Scope
}

// Decide judges a call. What may never be loosened (money, deletion, programs, and what a stranger says of itself) is asked
// about every time, whatever rules and grants allow.
func Decide(r Request) Verdict {
	args := decode(r.Args)
	once := []toolbox.Scope{toolbox.ScopeOnce}
	if rule, ok := match(r.Rules, Deny, r.Spec.Key, args); ok {
		return Verdict{Decision: Deny, By: ByRule, Rule: rule.String()}
	}
	if rule, ok := match(r.Rules, Ask, r.Spec.Key, args); ok {
		return Verdict{Decision: Ask, By: ByRule, Rule: rule.String(), Scopes: once}
	}
	if Tainted(r.Origins) {
		return Verdict{Decision: Ask, By: ByOrigin, Scopes: once}
	}
	if strict(r.Spec, args) {
		return Verdict{Decision: Ask, By: ByManual, Scopes: once}
	}
	if r.asksAll() {
		return Verdict{Decision: Ask, By: ByMode, Scopes: once}
	}
	for _, g := range r.Grants {
		if (r.Wanted || r.Spoken) && slices.Contains(scopes(r.Spec, r.Order), g.Scope) && (g.CoversRun(r.Order, r.Spec.Key, r.Args) || g.names(bound(r.Spec)) && g.Covers(r.Chat, r.Spec.Key, r.Args)) {
			return Verdict{Decision: Allow, By: ByGrant, Grant: g}
		}
	}
	if rule, ok := match(r.Rules, Allow, r.Spec.Key, args); ok && mayLoosen(r.Spec) {
		return Verdict{Decision: Allow, By: ByRule, Rule: rule.String()}
	}
	if free(r.Spec) && !r.Wanted {
		return Verdict{Decision: Ask, By: ByWords, Scopes: once}
	}
	if r.Spec.Confirm == toolbox.ConfirmNever {
		return Verdict{Decision: Allow, By: ByManual}
	}
	if r.plain() {
		return Verdict{Decision: Allow, By: ByMode}
	}
	return Verdict{Decision: Ask, By: ByManual, Scopes: scopes(r.Spec, r.Order)}
}

// strict tells whether a call is asked about every single time: no grant, rule or setting loosens it.
func strict(s toolbox.Spec, args map[string]any) bool {
	if s.Effect == toolbox.EffectRead {
		return false
	}
	for arg, values := range s.Strict {
		value, ok := args[arg]
		if !ok {
			value = parsed(properties(s)[arg].Default)
		}
		if text, ok := value.(string); ok && slices.Contains(values, text) {
			return true
		}
	}
	return s.Counter || s.Widest == toolbox.ScopeOnce
}

// free tells whether a tool keeps or starts something without anybody being asked. What it does must be what the customer's
// words ask for: no question stands between a model and the deed.
func free(s toolbox.Spec) bool {
	return s.Confirm == toolbox.ConfirmNever && s.Effect != toolbox.EffectRead && !s.Counter
}

// mayLoosen tells whether a rule may allow what the manual would ask about.
func mayLoosen(s toolbox.Spec) bool {
	return s.Outside == "" && !s.Counter && s.Widest != toolbox.ScopeOnce
}

// scopes are what an approval of the tool may be given for. A manual that always asks offers more than once only when it
// says so itself, and a stranger's tool never more than a chat. What may be given for more than once may also be given for a
// standing order, and then reaches no farther than exactly this call.
func scopes(s toolbox.Spec, order string) []toolbox.Scope {
	all := []toolbox.Scope{toolbox.ScopeOnce, toolbox.ScopeChat, toolbox.ScopeAlways}
	widest := s.Widest
	if widest == "" {
		widest = toolbox.ScopeChat
		if s.Confirm == toolbox.ConfirmAlways {
			widest = toolbox.ScopeOnce
		}
	}
	if s.Counter || s.Outside != "" && s.Confirm == toolbox.ConfirmAlways {
		widest = toolbox.ScopeOnce
	}
	n := slices.Index(all, widest)
	if s.Outside != "" {
		n = min(n, 1)
	}
	if n > 0 && order != "" {
		return slices.Insert(all[:n+1], 1, toolbox.ScopeOrder)
	}
	return all[:n+1]
}

// DefaultScope is what an approval holds for when the person names no scope: for a tool that asks first, the chat.
func DefaultScope(s toolbox.Spec, offered []toolbox.Scope) toolbox.Scope {
	if s.Confirm == toolbox.ConfirmFirst && slices.Contains(offered, toolbox.ScopeChat) {
		return toolbox.ScopeChat
	}
	return toolbox.ScopeOnce
}

// Tainted tells whether a consequential argument holds a value that is not the customer's own.
func Tainted(origins []event.Origin) bool {
	return slices.ContainsFunc(origins, func(o event.Origin) bool { return !o.Trusted })
}

// Judged tells whether the origins of a call's values count: it changes something, or sends something out of the house.
// Reading inside the house asks nothing.
func Judged(s toolbox.Spec, args json.RawMessage) bool {
	if s.Counter {
		return false // the counter took every value from the customer's own words
	}
	if s.Effect != toolbox.EffectRead || s.Outside != "" {
		return true
	}
	object := decode(args)
	for _, arg := range consequential(s) {
		for _, leaf := range leaves(arg, object[arg]) {
			text, ok := leaf.value.(string)
			if ok && (isAddress(s, arg) || strings.Contains(text, "://") || strings.HasPrefix(text, "//")) {
				return true
			}
		}
	}
	return false
}
