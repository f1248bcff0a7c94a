package shop

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/config"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// variants are calls of a tool, made from its manual: its examples, and each of them with every one of its arguments left out,
// and set to every other value that is known of it.
func variants(t *testing.T, s toolbox.Spec) (calls []map[string]any) {
	t.Helper()
	var schema struct {
		Properties map[string]struct {
			Type string `json:"type"`
			Enum []any  `json:"enum"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(s.Params, &schema); err != nil {
		t.Fatal(err)
	}
	values := map[string][]any{}
	for name, p := range schema.Properties {
		switch {
		case len(p.Enum) > 0:
			values[name] = p.Enum
		case p.Type == "string":
			values[name] = []any{"", "일기.txt", "문서/일기.txt", "문서/../일기.txt", "다른/일기.txt", "/etc/passwd", "https://a.example/x", "https://b.example/x"}
		case p.Type == "integer", p.Type == "number":
			values[name] = []any{1.0, 1000000.0}
		case p.Type == "boolean":
			values[name] = []any{true, false}
		}
	}
	calls = []map[string]any{{}}
	for _, e := range s.Examples[:min(len(s.Examples), 3)] {
		calls = append(calls, e.Args)
	}
	for _, args := range slices.Clone(calls) {
		for name := range schema.Properties {
			left := maps.Clone(args)
			delete(left, name)
			calls = append(calls, left)
			for _, v := range values[name] {
				other := maps.Clone(args)
				if other == nil {
					other = map[string]any{}
				}
				other[name] = v
				calls = append(calls, other)
			}
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(calls, func(args map[string]any) bool {
		key := fmt.Sprint(args)
		defer func() { seen[key] = true }()
		return seen[key]
	})
}

// reaches tells what an approval of one call may cover at most: the same but for content, another file of the same folder,
// another page of the same site, and of a tool that only reads any other way to look there.
func reaches(s toolbox.Spec, one, other map[string]any) bool {
	var schema struct {
		Properties map[string]struct {
			Format  string `json:"format"`
			Default any    `json:"default"`
		} `json:"properties"`
	}
	_ = json.Unmarshal(s.Params, &schema)
	for name, p := range schema.Properties {
		a, okA := one[name]
		b, okB := other[name]
		if !okA {
			a = p.Default
		}
		if !okB {
			b = p.Default
		}
		x, y := fmt.Sprint(a), fmt.Sprint(b)
		switch {
		case reflect.DeepEqual(a, b), slices.Contains(s.Content, name):
		case s.Effect == toolbox.EffectRead && s.Outside == "" && p.Format == "" && !slices.Contains(s.Consequential, name): // looks, and changes nothing
		case p.Format == "path" && !strings.Contains(y, "..") && strings.Contains(x, "/") && path.Dir(x) == path.Dir(y):
		case p.Format == "path" && strings.Contains(x, "/") && (y == path.Dir(x) || strings.HasPrefix(y, path.Dir(x)+"/")) && !strings.Contains(y, ".."):
		case p.Format == "uri" && strings.HasPrefix(x, "https://a.example/") && strings.HasPrefix(y, "https://a.example/"):
		default:
			return false
		}
	}
	return true
}

// Every approval of every tool that is in the box, against every other call of it: none reaches farther than it said, and none
// covers what asks every time.
func TestNoGrantOfAnyToolWidens(t *testing.T) {
	s, err := Open(t.Context(), Options{Config: config.Options{DataDir: t.TempDir(), Env: []string{}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	tools, wide, pairs := 0, 0, 0
	for _, spec := range s.box.Specs() {
		tools++
		calls := variants(t, spec)
		written := make([]json.RawMessage, len(calls))
		for i, call := range calls {
			if written[i], err = json.Marshal(call); err != nil {
				t.Fatal(err)
			}
		}
		for i, one := range calls {
			args := written[i]
			asked := policy.Decide(policy.Request{Chat: "c", Spec: spec, Args: args, Wanted: true})
			for _, scope := range []toolbox.Scope{toolbox.ScopeChat, toolbox.ScopeAlways} {
				offered := asked.Decision == policy.Ask && slices.Contains(asked.Scopes, scope)
				if offered {
					wide++
				}
				grant := policy.Grant{ID: "g", Scope: scope, Chat: "c", Tool: spec.Key, When: policy.Pattern(spec, args)}
				if scope == toolbox.ScopeAlways {
					grant.Chat = ""
				}
				for k, other := range calls {
					pairs++
					text := written[k]
					v := policy.Decide(policy.Request{Chat: "c", Spec: spec, Args: text, Grants: []policy.Grant{grant}, Wanted: true})
					if v.By == policy.ByGrant && (!reaches(spec, one, other) || asked.Decision == policy.Ask && !slices.Contains(asked.Scopes, scope)) {
						t.Errorf("%s: an approval of %s (%s) covers %s", spec.Key, args, scope, text)
					}
				}
			}
		}
	}
	t.Logf("%d tools, %d approvals of more than one call, %d pairs", tools, wide, pairs)
	if wide == 0 {
		t.Error("no tool offers more than one call: nothing was tried")
	}
}
