package policy_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// decided is what rules of one condition that denies say of a value.
func decided(t *testing.T, op policy.Op, limit, value any) policy.Decision {
	t.Helper()
	s := write()
	rules := []policy.Rule{{Decision: policy.Deny, Tool: s.Key, When: []policy.Condition{{Arg: "amount", Op: op, Value: raw(limit)}}}}
	if err := policy.CheckRules(rules); err != nil {
		t.Fatal(err)
	}
	return policy.Decide(policy.Request{Spec: s, Args: raw(map[string]any{"amount": value}), Rules: rules}).Decision
}

// A threshold counts on the value itself, just below it and just above it, whatever the number is written as.
func TestThresholdsCountToTheLastWon(t *testing.T) {
	for op, want := range map[policy.Op][3]bool{ // below, at, above
		policy.OpMore: {false, false, true}, policy.OpLeast: {false, true, true}, policy.OpLess: {true, false, false}, policy.OpMost: {true, true, false},
		policy.OpIs: {false, true, false},
	} {
		for i, values := range [3][]any{{99999, 99999.99, -100000, "9만9999원", "9.9e4"}, {100000, 100000.0, json.Number("1e5"), "100,000", "10만원"}, {100001, 100000.01, "10만 1원", "1e6"}} {
			for _, value := range values {
				if op == policy.OpIs && fmt.Sprintf("%T", value) == "string" {
					continue // a text is another value than a number
				}
				if got := decided(t, op, 100000, value) == policy.Deny; got != want[i] {
					t.Errorf("%v %s 100000: %v", value, op, got)
				}
			}
		}
		// What is no number a rule can check is taken for what it forbids.
		for _, value := range []any{"a lot", true, "1e9999", strings.Repeat("9", 200)} {
			if op != policy.OpIs && decided(t, op, 100000, value) != policy.Deny {
				t.Errorf("%v %s 100000 is let through", value, op)
			}
		}
	}
}

// A rule may be as big as it may be, and no bigger; what is wrong is said with the number of the rule.
func TestRulesHaveBounds(t *testing.T) {
	rule := func(edit func(*policy.Rule)) policy.Rule {
		r := policy.Rule{Decision: policy.Ask, Tool: "file_*"}
		edit(&r)
		return r
	}
	when := func(n int) []policy.Condition {
		list := make([]policy.Condition, n)
		for i := range list {
			list[i] = policy.Condition{Arg: fmt.Sprint("a", i), Op: policy.OpIs, Value: raw(i)}
		}
		return list
	}
	many := func(n int) []policy.Rule {
		list := make([]policy.Rule, n)
		for i := range list {
			list[i] = rule(func(*policy.Rule) {})
		}
		return list
	}
	for name, c := range map[string]struct {
		rules []policy.Rule
		says  string // "": nothing is wrong
	}{
		"as many as may be":      {many(policy.MaxRules), ""},
		"one rule too many":      {many(policy.MaxRules + 1), "at most"},
		"as many conditions":     {[]policy.Rule{rule(func(r *policy.Rule) { r.When = when(policy.MaxConditions) })}, ""},
		"one condition too many": {append(many(1), rule(func(r *policy.Rule) { r.When = when(policy.MaxConditions + 1) })), "rule 2: "},
		"as long a note":         {[]policy.Rule{rule(func(r *policy.Rule) { r.Note = strings.Repeat("n", policy.MaxText) })}, ""},
		"a note too long":        {[]policy.Rule{rule(func(r *policy.Rule) { r.Note = strings.Repeat("n", policy.MaxText+1) })}, "rule 1: "},
		"a value too long": {[]policy.Rule{rule(func(r *policy.Rule) {
			r.When = []policy.Condition{{Arg: "a", Op: policy.OpIs, Value: raw(strings.Repeat("v", 4*policy.MaxText))}}
		})}, "rule 1: "},
		"a tool with a blank":          {[]policy.Rule{rule(func(r *policy.Rule) { r.Tool = "file write" })}, "rule 1: "},
		"a decision that there is not": {[]policy.Rule{rule(func(r *policy.Rule) { r.Decision = "maybe" })}, "rule 1: "},
	} {
		err := policy.CheckRules(c.rules)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A pattern of a tool's key is matched as a whole.
func TestToolPatterns(t *testing.T) {
	for pattern, want := range map[string]bool{
		"files_write": true, "files_*": true, "files_write*": true, "files_write**": true, "*": true, "*write": true, "f*s_w*e": true, "files_writ?": true, "f?les_*": true,
		"files_writ": false, "files_write?": false, "iles_write": false, "*_read": false, "files_?rit": false, "files_write*?": false,
	} {
		v := policy.Decide(policy.Request{Spec: write(), Args: raw(map[string]any{}), Rules: []policy.Rule{{Decision: policy.Deny, Tool: pattern}}})
		if got := v.Decision == policy.Deny; got != want {
			t.Errorf("%s matches files_write: %v", pattern, got)
		}
	}
}

// A grant for an address holds for its site alone: scheme, host and port. What is no full address is granted as it is written.
func TestAGrantForAnAddressIsForItsSite(t *testing.T) {
	get := toolbox.Spec{
		Key: "fetch", Confirm: toolbox.ConfirmFirst, Effect: toolbox.EffectRead, Consequential: []string{"link"},
		Params: json.RawMessage(`{"type":"object","properties":{"link":{"type":"string"}}}`),
	}
	covers := func(granted, asked string) bool {
		g := policy.Grant{Scope: toolbox.ScopeAlways, Tool: get.Key, When: policy.Pattern(get, raw(map[string]string{"link": granted}))}
		return g.Covers("main", get.Key, raw(map[string]string{"link": asked}))
	}
	for asked, want := range map[string]bool{
		"https://example.com/another": true, "https://example.com:443/": true, "HTTPS://EXAMPLE.com/": true,
		"http://example.com/": false, "https://example.com:8443/": false, "https://www.example.com/": false, "https://me@example.com/": false,
		"example.com": false, "mailto:me@example.com": false, "https://": false,
	} {
		if got := covers("https://example.com/page?q=1", asked); got != want {
			t.Errorf("a grant for https://example.com covers %s: %v", asked, got)
		}
	}
	for _, odd := range []string{"mailto:me@example.com", "https://me:secret@example.com/", "//example.com/x", "https://"} {
		if !covers(odd, odd) || covers(odd, odd+"y") {
			t.Errorf("a grant for %s holds for more, or not even for that", odd)
		}
	}
}
