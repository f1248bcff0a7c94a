package policy_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

func raw(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// write is a tool that writes a file; edit it as needed.
func write(edit ...func(*toolbox.Spec)) toolbox.Spec {
	s := toolbox.Spec{
		Key: "files_write", Confirm: toolbox.ConfirmFirst, Effect: toolbox.EffectOnce, Consequential: []string{"path"}, Content: []string{"text"},
		Params: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","format":"path"},"text":{"type":"string"},"url":{"type":"string","format":"uri"},"amount":{"type":"integer"}}}`),
	}
	for _, e := range edit {
		e(&s)
	}
	return s
}

func confirm(c toolbox.Confirm) func(*toolbox.Spec) { return func(s *toolbox.Spec) { s.Confirm = c } }

func widest(w toolbox.Scope) func(*toolbox.Spec) { return func(s *toolbox.Spec) { s.Widest = w } }

func effect(e toolbox.Effect) func(*toolbox.Spec) { return func(s *toolbox.Spec) { s.Effect = e } }

// modes gives the tool ways to write, one of which replaces what is there.
func modes(s *toolbox.Spec) {
	s.Params = json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","format":"path"},"text":{"type":"string"},"mode":{"type":"string","enum":["add","make","replace"],"default":"add"}}}`)
	s.Strict = map[string][]string{"mode": {"replace"}}
}
func outside(s *toolbox.Spec) { s.Outside = "server" }
func counter(s *toolbox.Spec) { s.Counter = true }

func TestDecide(t *testing.T) {
	allow := policy.Rule{Tool: "files_*", Decision: policy.Allow}
	ask := policy.Rule{Tool: "*", Decision: policy.Ask}
	deny := policy.Rule{Tool: "files_write", Decision: policy.Deny, When: []policy.Condition{{Arg: "path", Op: policy.OpWithin, Value: raw("private")}}}
	much := policy.Rule{Tool: "files_write", Decision: policy.Deny, When: []policy.Condition{{Arg: "amount", Op: policy.OpMore, Value: raw(100000)}}}
	args := raw(map[string]any{"path": "notes/a.txt"})
	grant := policy.Grant{ID: "g", Scope: toolbox.ScopeChat, Chat: "main", Tool: "files_write", When: policy.Pattern(write(), args)}
	bare := policy.Grant{ID: "b", Scope: toolbox.ScopeChat, Chat: "main", Tool: "files_write"}
	always := grant
	always.ID, always.Scope, always.Chat = "a", toolbox.ScopeAlways, ""
	revoked := grant
	revoked.Revoked = time.Now()
	adding := grant
	adding.When = policy.Pattern(write(modes), args)
	made := []event.Origin{{Arg: "path", From: policy.FromModel}}
	said := []event.Origin{{Arg: "path", From: policy.FromCustomer, Trusted: true}}
	once, chat, ever := []toolbox.Scope{toolbox.ScopeOnce}, []toolbox.Scope{toolbox.ScopeOnce, toolbox.ScopeChat}, []toolbox.Scope{toolbox.ScopeOnce, toolbox.ScopeChat, toolbox.ScopeAlways}

	for name, c := range map[string]struct {
		spec    toolbox.Spec
		args    json.RawMessage
		rules   []policy.Rule
		grants  []policy.Grant
		origins []event.Origin
		unasked bool // the customer's words ask for nothing of the kind
		want    policy.Decision
		by      policy.Reason
		scopes  []toolbox.Scope
	}{
		"never asks":                        {spec: write(confirm(toolbox.ConfirmNever)), want: policy.Allow, by: policy.ByManual},
		"asks first":                        {spec: write(), want: policy.Ask, by: policy.ByManual, scopes: chat},
		"asks always":                       {spec: write(confirm(toolbox.ConfirmAlways)), want: policy.Ask, by: policy.ByManual, scopes: once},
		"asks always, may for a chat":       {spec: write(confirm(toolbox.ConfirmAlways), widest(toolbox.ScopeChat)), want: policy.Ask, by: policy.ByManual, scopes: chat},
		"may for ever":                      {spec: write(widest(toolbox.ScopeAlways)), want: policy.Ask, by: policy.ByManual, scopes: ever},
		"a stranger's, never for ever":      {spec: write(widest(toolbox.ScopeAlways), outside), want: policy.Ask, by: policy.ByManual, scopes: chat},
		"a stranger's that asks always":     {spec: write(confirm(toolbox.ConfirmAlways), widest(toolbox.ScopeAlways), outside), want: policy.Ask, by: policy.ByManual, scopes: once},
		"denied":                            {spec: write(), args: raw(map[string]any{"path": "private/x"}), rules: []policy.Rule{allow, ask, deny}, want: policy.Deny, by: policy.ByRule},
		"denied, spelt otherwise":           {spec: write(), args: raw(map[string]any{"path": `PRIVATE\x`}), rules: []policy.Rule{deny}, want: policy.Deny, by: policy.ByRule},
		"denied, by a detour":               {spec: write(), args: raw(map[string]any{"path": "a/../private/x"}), rules: []policy.Rule{deny}, want: policy.Deny, by: policy.ByRule},
		"denied over a threshold":           {spec: write(), args: raw(map[string]any{"path": "a", "amount": 100001}), rules: []policy.Rule{much}, want: policy.Deny, by: policy.ByRule},
		"at the threshold":                  {spec: write(), args: raw(map[string]any{"path": "a", "amount": 100000}), rules: []policy.Rule{much}, want: policy.Ask, by: policy.ByManual, scopes: chat},
		"over it in words":                  {spec: write(), args: raw(map[string]any{"path": "a", "amount": "이십만원"}), rules: []policy.Rule{much}, want: policy.Deny, by: policy.ByRule},
		"a threshold on no number":          {spec: write(), args: raw(map[string]any{"path": "a", "amount": "a lot"}), rules: []policy.Rule{much}, want: policy.Deny, by: policy.ByRule},
		"denied in spite of a grant":        {spec: write(), args: raw(map[string]any{"path": "private/x"}), rules: []policy.Rule{deny}, grants: []policy.Grant{bare}, want: policy.Deny, by: policy.ByRule},
		"the counter's, denied":             {spec: write(counter), args: raw(map[string]any{"path": "private/x"}), rules: []policy.Rule{deny}, want: policy.Deny, by: policy.ByRule},
		"asked by rule":                     {spec: write(confirm(toolbox.ConfirmNever)), rules: []policy.Rule{allow, ask}, want: policy.Ask, by: policy.ByRule, scopes: once},
		"asked by rule in spite of a grant": {spec: write(), rules: []policy.Rule{ask}, grants: []policy.Grant{grant}, want: policy.Ask, by: policy.ByRule, scopes: once},
		"allowed by rule":                   {spec: write(confirm(toolbox.ConfirmAlways)), rules: []policy.Rule{allow}, want: policy.Allow, by: policy.ByRule},
		"no rule loosens a stranger":        {spec: write(outside), rules: []policy.Rule{allow}, want: policy.Ask, by: policy.ByManual, scopes: chat},
		"no rule loosens money":             {spec: write(widest(toolbox.ScopeOnce)), rules: []policy.Rule{allow}, want: policy.Ask, by: policy.ByManual, scopes: once},
		"no setting loosens money":          {spec: write(widest(toolbox.ScopeOnce), confirm(toolbox.ConfirmNever)), rules: []policy.Rule{allow}, want: policy.Ask, by: policy.ByManual, scopes: once},
		"no grant loosens money":            {spec: write(widest(toolbox.ScopeOnce)), grants: []policy.Grant{grant, always}, want: policy.Ask, by: policy.ByManual, scopes: once},
		"no rule loosens the counter":       {spec: write(counter, confirm(toolbox.ConfirmNever)), rules: []policy.Rule{allow}, want: policy.Ask, by: policy.ByManual, scopes: once},
		"granted":                           {spec: write(), grants: []policy.Grant{grant}, want: policy.Allow, by: policy.ByGrant},
		"granted, another file there":       {spec: write(), args: raw(map[string]any{"path": "notes/b.txt"}), grants: []policy.Grant{grant}, want: policy.Allow, by: policy.ByGrant},
		"granted another folder":            {spec: write(), args: raw(map[string]any{"path": "other/a.txt"}), grants: []policy.Grant{grant}, want: policy.Ask, by: policy.ByManual, scopes: chat},
		"granted a folder, climbing out":    {spec: write(), args: raw(map[string]any{"path": "notes/../x"}), grants: []policy.Grant{grant}, want: policy.Ask, by: policy.ByManual, scopes: chat},
		"granted before there were folders": {spec: write(), grants: []policy.Grant{bare}, want: policy.Ask, by: policy.ByManual, scopes: chat},
		"granted and revoked":               {spec: write(), grants: []policy.Grant{revoked}, want: policy.Ask, by: policy.ByManual, scopes: chat},
		"granted wider than is offered now": {spec: write(), grants: []policy.Grant{always}, want: policy.Ask, by: policy.ByManual, scopes: chat},
		"granted for ever":                  {spec: write(widest(toolbox.ScopeAlways)), grants: []policy.Grant{always}, want: policy.Allow, by: policy.ByGrant},
		"made up":                           {spec: write(confirm(toolbox.ConfirmNever)), rules: []policy.Rule{allow}, grants: []policy.Grant{grant}, origins: made, want: policy.Ask, by: policy.ByOrigin, scopes: once},
		"said":                              {spec: write(confirm(toolbox.ConfirmNever)), origins: said, want: policy.Allow, by: policy.ByManual},
		"starts what nobody asked for":      {spec: write(confirm(toolbox.ConfirmNever), effect(toolbox.EffectIdempotent)), unasked: true, want: policy.Ask, by: policy.ByWords, scopes: once},
		"reads what nobody asked for":       {spec: write(confirm(toolbox.ConfirmNever), effect(toolbox.EffectRead)), unasked: true, want: policy.Allow, by: policy.ByManual},
		"granted, and not asked for now":    {spec: write(), grants: []policy.Grant{grant}, unasked: true, want: policy.Ask, by: policy.ByManual, scopes: chat},
		"granted, another text":             {spec: write(), args: raw(map[string]any{"path": "notes/a.txt", "text": "x"}), grants: []policy.Grant{grant}, want: policy.Allow, by: policy.ByGrant},
		"granted, another argument":         {spec: write(), args: raw(map[string]any{"path": "notes/a.txt", "amount": 1}), grants: []policy.Grant{grant}, want: policy.Ask, by: policy.ByManual, scopes: chat},
		"granted, another way":              {spec: write(modes), args: raw(map[string]any{"path": "notes/a.txt", "mode": "make"}), grants: []policy.Grant{adding}, want: policy.Ask, by: policy.ByManual, scopes: chat},
		"granted, the same way said":        {spec: write(modes), args: raw(map[string]any{"path": "notes/a.txt", "mode": "add"}), grants: []policy.Grant{adding}, want: policy.Allow, by: policy.ByGrant},
		"granted, the same way unsaid":      {spec: write(modes), grants: []policy.Grant{adding}, want: policy.Allow, by: policy.ByGrant},
		"a way that asks every time":        {spec: write(modes, confirm(toolbox.ConfirmNever)), args: raw(map[string]any{"path": "notes/a.txt", "mode": "replace"}), rules: []policy.Rule{allow}, grants: []policy.Grant{adding, bare}, want: policy.Ask, by: policy.ByManual, scopes: once},
		"made up and denied":                {spec: write(), args: raw(map[string]any{"path": "private/x"}), rules: []policy.Rule{deny}, origins: made, want: policy.Deny, by: policy.ByRule},
		"reads":                             {spec: write(effect(toolbox.EffectRead), confirm(toolbox.ConfirmNever), widest(toolbox.ScopeOnce)), want: policy.Allow, by: policy.ByManual},
	} {
		if c.args == nil {
			c.args = args
		}
		v := policy.Decide(policy.Request{Chat: "main", Spec: c.spec, Args: c.args, Rules: c.rules, Grants: c.grants, Origins: c.origins, Wanted: !c.unasked})
		if v.Decision != c.want || v.By != c.by || !slices.Equal(v.Scopes, c.scopes) {
			t.Errorf("%s: %s by %s, %v", name, v.Decision, v.By, v.Scopes)
		}
	}
}

// Whatever rules and grants there are: a forbidden call is denied, an untrusted one asked about, and what may never be
// loosened is not.
func TestNothingLoosensWhatMayNotBeLoosened(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"notes/a.txt", "notes/b.txt", "a", "", "../x", "notes", "NOTES/a.txt", "/etc/passwd"})
		arguments := func(label string) json.RawMessage { return raw(map[string]any{"path": text.Draw(t, label)}) }
		spec := write(confirm(rapid.SampledFrom([]toolbox.Confirm{toolbox.ConfirmNever, toolbox.ConfirmFirst, toolbox.ConfirmAlways}).Draw(t, "confirm")),
			widest(rapid.SampledFrom([]toolbox.Scope{"", toolbox.ScopeOnce, toolbox.ScopeChat, toolbox.ScopeAlways}).Draw(t, "widest")))
		spec.Counter = rapid.Bool().Draw(t, "counter")
		if rapid.Bool().Draw(t, "outside") {
			outside(&spec)
		}
		var rules []policy.Rule
		for range rapid.IntRange(0, 3).Draw(t, "rules") {
			r := policy.Rule{
				Tool:     rapid.SampledFrom([]string{"*", "files_*", "files_write", "other"}).Draw(t, "tool"),
				Decision: rapid.SampledFrom([]policy.Decision{policy.Allow, policy.Ask, policy.Deny}).Draw(t, "decision"),
			}
			if rapid.Bool().Draw(t, "when") {
				op := rapid.SampledFrom([]policy.Op{policy.OpIs, policy.OpWithin, policy.OpLike}).Draw(t, "op")
				r.When = []policy.Condition{{Arg: "path", Op: op, Value: raw(rapid.SampledFrom([]string{"notes", "*", "a"}).Draw(t, "value"))}}
			}
			rules = append(rules, r)
		}
		var grants []policy.Grant
		for range rapid.IntRange(0, 3).Draw(t, "grants") {
			g := policy.Grant{Scope: rapid.SampledFrom([]toolbox.Scope{toolbox.ScopeChat, toolbox.ScopeAlways}).Draw(t, "scope"), Tool: spec.Key, When: policy.Pattern(spec, arguments("granted"))}
			if g.Scope == toolbox.ScopeChat {
				g.Chat = rapid.SampledFrom([]string{"main", "other"}).Draw(t, "chat")
			}
			grants = append(grants, g)
		}
		args := arguments("args")
		ground := policy.Ground{Said: []string{rapid.SampledFrom([]string{"", "notes 폴더의 a.txt에 써줘", "write notes/b.txt", "a"}).Draw(t, "said")}}
		origins := policy.Trace(spec, args, ground, bilingual.EN)
		v := policy.Decide(policy.Request{Chat: "main", Spec: spec, Args: args, Rules: rules, Grants: grants, Origins: origins, Wanted: rapid.Bool().Draw(t, "wanted")})

		hit := func(d policy.Decision) bool {
			return policy.Decide(policy.Request{Chat: "main", Spec: write(confirm(toolbox.ConfirmAlways)), Args: args, Rules: slices.DeleteFunc(slices.Clone(rules), func(r policy.Rule) bool { return r.Decision != d })}).By == policy.ByRule
		}
		loose := spec.Confirm == toolbox.ConfirmNever && !spec.Counter && spec.Widest != toolbox.ScopeOnce
		covered := slices.ContainsFunc(grants, func(g policy.Grant) bool { return g.Covers("main", spec.Key, args) })
		byRule := hit(policy.Allow) && spec.Outside == ""
		switch {
		case hit(policy.Deny) != (v.Decision == policy.Deny):
			t.Fatalf("%+v with %v", v, rules)
		case v.Decision != policy.Allow:
		case policy.Tainted(origins) || hit(policy.Ask) || spec.Counter || spec.Widest == toolbox.ScopeOnce:
			t.Fatalf("allowed: %+v", v)
		case !loose && !covered && !byRule:
			t.Fatalf("allowed by nobody: %+v", v)
		}
		if v.Decision == policy.Ask && (len(v.Scopes) == 0 || v.Scopes[0] != toolbox.ScopeOnce) {
			t.Fatalf("offers %v", v.Scopes)
		}
	})
}

func TestParseRules(t *testing.T) {
	for text, ok := range map[string]bool{
		``: true, `[]`: true, `[{"tool":"files_*","decision":"deny"}]`: true,
		`[{"tool":"transfer","when":[{"arg":"amount","op":">","value":100000}],"decision":"deny","note":"too much"}]`: true,
		`[{"tool":"web","when":[{"arg":"url","op":"host","value":"example.org"}],"decision":"allow"}]`:                true,
		`{}`: false, `[{"tool":"x"}]`: false, `[{"decision":"deny"}]`: false, `[{"tool":"x","decision":"maybe"}]`: false,
		`[{"tool":"x","decision":"deny","extra":1}]`:                                            false,
		`[{"tool":"x","tool":"y","decision":"deny"}]`:                                           false,
		`[{"tool":"x","decision":"deny","when":[{"arg":"","op":"is","value":1}]}]`:              false,
		`[{"tool":"x","decision":"deny","when":[{"arg":"a","op":"is","value":{}}]}]`:            false,
		`[{"tool":"x","decision":"deny","when":[{"arg":"a","op":">","value":"lots"}]}]`:         false,
		`[{"tool":"x","decision":"deny","when":[{"arg":"a","op":"within","value":"../x"}]}]`:    false,
		`[{"tool":"x","decision":"deny","when":[{"arg":"a","op":"host","value":"http://"}]}]`:   false,
		`[{"tool":"x","decision":"deny","when":[{"arg":"a","op":"absent","value":1}]}]`:         false,
		`[{"tool":"x","decision":"deny","when":[{"arg":"a","op":"same","value":"x"}]}]`:         false,
		`[{"tool":"x","decision":"deny","when":[{"arg":"a","op":">","value":1e999999999999}]}]`: false,
		`[{"tool":"x","decision":"deny","when":[{"arg":"a","op":"~","value":"x"}]}]`:            false,
		`[{"tool":"x y","decision":"deny"}]`:                                                    false,
	} {
		if _, err := policy.ParseRules([]byte(text)); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzRules(f *testing.F) {
	f.Add(`[{"tool":"files_*","when":[{"arg":"path","op":"within","value":"a/b"}],"decision":"deny"}]`, `{"path":"a/b/c"}`)
	f.Add(`[{"tool":"*","when":[{"arg":"amount","op":">=","value":"만원"}],"decision":"ask"}]`, `{"amount":1e400}`)
	f.Add(`[{"tool":"w","when":[{"arg":"a.b","op":"host","value":"x.org"}],"decision":"allow"}]`, `{"a":{"b":"http://y.x.org:1/%zz"}}`)
	f.Fuzz(func(t *testing.T, text, args string) {
		rules, err := policy.ParseRules([]byte(text))
		if err != nil {
			return
		}
		again, err := policy.ParseRules(raw(rules))
		if err != nil || len(again) != len(rules) {
			t.Fatalf("%s is not read again: %v", raw(rules), err)
		}
		spec := write(confirm(toolbox.ConfirmFirst))
		v := policy.Decide(policy.Request{Chat: "main", Spec: spec, Args: json.RawMessage(args), Rules: rules})
		if v.Decision == policy.Allow && v.By != policy.ByRule {
			t.Fatalf("%+v", v)
		}
	})
}

// A grant made for a call covers that call, and only calls of the same folder, site and values.
func FuzzPattern(f *testing.F) {
	f.Add("notes/a.txt", "notes/b.txt")
	f.Add("https://example.org/a", "https://example.org.evil.net/a")
	f.Add("a/../b", `a\..\b`)
	f.Fuzz(func(t *testing.T, one, other string) {
		for _, arg := range []string{"path", "url", "text"} {
			spec := write(func(s *toolbox.Spec) { s.Consequential = []string{arg} })
			args, others := raw(map[string]any{arg: one}), raw(map[string]any{arg: other})
			g := policy.Grant{Scope: toolbox.ScopeAlways, Tool: spec.Key, When: policy.Pattern(spec, args)}
			if !g.Covers("any", spec.Key, args) {
				t.Fatalf("%s: %q is not covered by %s", arg, one, raw(g.When))
			}
			if arg == "text" && g.Covers("any", spec.Key, others) && string(args) != string(others) {
				t.Fatalf("%q covers %q", one, other)
			}
			if g.Covers("any", spec.Key, json.RawMessage(`{}`)) || g.Covers("any", "other", args) {
				t.Fatalf("%s covers too much", raw(g.When))
			}
		}
	})
}

// A mode loosens nothing that a rule forbids or asks about, that is strict, or that rests on other people's words; and it asks about nothing
// that only reads in the house.
func TestModes(t *testing.T) {
	args := raw(map[string]any{"path": "notes/a.txt"})
	grant := policy.Grant{ID: "g", Scope: toolbox.ScopeChat, Chat: "main", Tool: "files_write", When: policy.Pattern(write(), args)}
	adds := write(confirm(toolbox.ConfirmAlways), widest(toolbox.ScopeChat))
	for name, c := range map[string]struct {
		mode    policy.Mode
		spec    toolbox.Spec
		r       policy.Request
		want    policy.Decision
		by      policy.Reason
		unasked bool
	}{
		"all: a grant":              {mode: policy.ModeAll, spec: write(), r: policy.Request{Grants: []policy.Grant{grant}}, want: policy.Ask, by: policy.ByMode},
		"all: a manual":             {mode: policy.ModeAll, spec: write(confirm(toolbox.ConfirmNever)), want: policy.Ask, by: policy.ByMode},
		"all: a rule that allows":   {mode: policy.ModeAll, spec: write(), r: policy.Request{Rules: []policy.Rule{{Tool: "*", Decision: policy.Allow}}}, want: policy.Ask, by: policy.ByMode},
		"all: a rule that denies":   {mode: policy.ModeAll, spec: write(), r: policy.Request{Rules: []policy.Rule{{Tool: "*", Decision: policy.Deny}}}, want: policy.Deny, by: policy.ByRule},
		"all: reading":              {mode: policy.ModeAll, spec: write(confirm(toolbox.ConfirmNever), effect(toolbox.EffectRead)), want: policy.Allow, by: policy.ByManual},
		"all: reading outside":      {mode: policy.ModeAll, spec: write(confirm(toolbox.ConfirmNever), effect(toolbox.EffectRead), outside), want: policy.Ask, by: policy.ByMode},
		"matters: what adds":        {mode: policy.ModeMatters, spec: adds, want: policy.Allow, by: policy.ByMode},
		"matters: in no words":      {mode: policy.ModeMatters, spec: adds, want: policy.Ask, by: policy.ByManual, unasked: true},
		"matters: what goes":        {mode: policy.ModeMatters, spec: write(confirm(toolbox.ConfirmAlways)), want: policy.Ask, by: policy.ByManual},
		"matters: once":             {mode: policy.ModeMatters, spec: write(widest(toolbox.ScopeOnce)), want: policy.Ask, by: policy.ByManual},
		"matters: money":            {mode: policy.ModeMatters, spec: write(counter), want: policy.Ask, by: policy.ByManual},
		"matters: outside":          {mode: policy.ModeMatters, spec: write(outside), want: policy.Ask, by: policy.ByManual},
		"matters: a stranger":       {mode: policy.ModeMatters, spec: write(), r: policy.Request{Origins: []event.Origin{{Arg: "path"}}}, want: policy.Ask, by: policy.ByOrigin},
		"matters: a rule that asks": {mode: policy.ModeMatters, spec: write(), r: policy.Request{Rules: []policy.Rule{{Tool: "*", Decision: policy.Ask}}}, want: policy.Ask, by: policy.ByRule},
		"rules: a grant":            {mode: policy.ModeRules, spec: write(), r: policy.Request{Grants: []policy.Grant{grant}}, want: policy.Allow, by: policy.ByGrant},
		"rules: the manual":         {mode: policy.ModeRules, spec: adds, want: policy.Ask, by: policy.ByManual},
	} {
		r := c.r
		r.Chat, r.Spec, r.Args, r.Mode, r.Wanted = "main", c.spec, args, c.mode, !c.unasked
		if v := policy.Decide(r); v.Decision != c.want || v.By != c.by {
			t.Errorf("%s: %s by %s", name, v.Decision, v.By)
		}
	}
	replace := raw(map[string]any{"path": "notes/a.txt", "mode": "replace"})
	if v := policy.Decide(policy.Request{Chat: "main", Spec: write(modes, widest(toolbox.ScopeChat)), Args: replace, Mode: policy.ModeMatters, Wanted: true}); v.Decision != policy.Ask {
		t.Errorf("what replaces is not asked about: %+v", v)
	}
}
