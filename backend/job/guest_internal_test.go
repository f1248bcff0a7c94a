package job

import (
	"encoding/json"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// What a person allowed for themselves says nothing about a guest; what they forbid or want to be asked about does, and what they allowed
// this guest holds for it alone.
func TestAGuestIsJudgedByItself(t *testing.T) {
	spec := toolbox.Spec{Key: "write", Confirm: toolbox.ConfirmFirst, Effect: toolbox.EffectIdempotent, Widest: toolbox.ScopeAlways}
	base := policy.Request{Chat: "guest-1", Spec: spec, Args: json.RawMessage(`{}`), Mode: policy.ModeRules, Wanted: true}
	for name, c := range map[string]struct {
		change func(*policy.Request)
		want   policy.Decision
	}{
		"nothing allowed":         {func(*policy.Request) {}, policy.Ask},
		"a rule that allows":      {func(r *policy.Request) { r.Rules = []policy.Rule{{Tool: "write", Decision: policy.Allow}} }, policy.Ask},
		"a mode that asks little": {func(r *policy.Request) { r.Mode = policy.ModeMatters }, policy.Ask},
		"always, for the customer": {func(r *policy.Request) {
			r.Grants = []policy.Grant{{ID: "g", Tool: "write", Scope: toolbox.ScopeAlways}}
		}, policy.Ask},
		"in another chat": {func(r *policy.Request) {
			r.Grants = []policy.Grant{{ID: "g", Tool: "write", Scope: toolbox.ScopeChat, Chat: "guest-2"}}
		}, policy.Ask},
		"to this guest": {func(r *policy.Request) {
			r.Grants = []policy.Grant{{ID: "g", Tool: "write", Scope: toolbox.ScopeChat, Chat: "guest-1"}}
		}, policy.Allow},
		"a rule that denies":        {func(r *policy.Request) { r.Rules = []policy.Rule{{Tool: "write", Decision: policy.Deny}} }, policy.Deny},
		"a tool that asks nothing":  {func(r *policy.Request) { r.Spec.Confirm = toolbox.ConfirmNever }, policy.Ask},
		"a tool that only reads":    {func(r *policy.Request) { r.Spec.Confirm, r.Spec.Effect = toolbox.ConfirmNever, toolbox.EffectRead }, policy.Allow},
		"a mode that asks about it": {func(r *policy.Request) { r.Spec.Confirm, r.Mode = toolbox.ConfirmNever, policy.ModeAll }, policy.Ask},
	} {
		r := base
		c.change(&r)
		if got := policy.Decide(guestRequest(r)); got.Decision != c.want {
			t.Errorf("%s: %s, not %s", name, got.Decision, c.want)
		}
	}
	scopes := guestScopes([]event.AskScope{{Scope: "once"}, {Scope: "chat"}, {Scope: "always"}}, bilingual.EN, "Claude")
	if len(scopes) != 2 || scopes[1].Words != "from “Claude” from now on" {
		t.Errorf("%+v", scopes)
	}
	for _, s := range []toolbox.Spec{{Counter: true}, {Library: true}, {House: true}} {
		if ForGuests(s) {
			t.Errorf("lent: %+v", s)
		}
	}
}

// What a call uses of a guest's day is what its preview says, without what a person left out.
func TestWhatAGuestsCallSpends(t *testing.T) {
	file, money := toolbox.Spec{Files: true}, toolbox.Spec{Money: "amount", Counter: true}
	plan := &event.AskPreview{Lines: 7}
	for name, c := range map[string]struct {
		spec toolbox.Spec
		call Call
		want Spend
	}{
		"a file":                      {file, Call{}, Spend{Files: 1}},
		"a plan":                      {file, Call{Preview: plan}, Spend{Files: 7}},
		"a plan with lines left out":  {file, Call{Preview: plan, Pick: &toolbox.Pick{Leave: []int{1, 2}}}, Spend{Files: 5}},
		"a folder with what is in it": {file, Call{Files: 30, Preview: &event.AskPreview{}}, Spend{Files: 30}},
		"money":                       {money, Call{Args: json.RawMessage(`{"amount":15000,"target":"x"}`)}, Spend{Money: 15000}},
		"neither":                     {toolbox.Spec{}, Call{Preview: plan, Args: json.RawMessage(`{"amount":1}`)}, Spend{}},
	} {
		s := Run{Job: Job{Guest: &Guest{ID: "g"}}, Call: &c.call}
		if got := s.spend(c.spec); got != c.want {
			t.Errorf("%s: %+v, not %+v", name, got, c.want)
		}
		s.Job.Guest = nil
		if got := s.spend(c.spec); got != (Spend{}) {
			t.Errorf("%s, of the customer's own: %+v", name, got)
		}
	}
	if !ForGuests(money) {
		t.Error("money that is counted is not lent")
	}
}
