package tools

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// slots are the grammars the built-in interpreter knows.
var slots = []string{"place", "title", "expression", "duration", "text", "date", "number", "unit", "enum", "other_place", "clock"}

func resolve(t *testing.T, raw json.RawMessage) (*jsonschema.Schema, *jsonschema.Resolved) {
	t.Helper()
	var schema jsonschema.Schema
	if err := json.Unmarshal(raw, &schema); err != nil {
		t.Fatalf("schema: %v", err)
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatalf("schema: %v", err)
	}
	return &schema, resolved
}

func TestManuals(t *testing.T) {
	keys := []string{}
	for _, tool := range All(Deps{}) {
		spec := tool.Spec()
		keys = append(keys, spec.Key)
		t.Run(spec.Key, func(t *testing.T) {
			for name, text := range map[string]bilingual.Text{"title": spec.Title, "description": spec.Description} {
				if text.KO == "" || text.EN == "" {
					t.Errorf("%s is missing in a language", name)
				}
			}
			params, validate := resolve(t, spec.Params)
			resolve(t, spec.Result)
			if params.Type != "object" || params.AdditionalProperties == nil {
				t.Error("params must be an object without further properties")
			}
			for name, property := range params.Properties {
				if property.Type == "string" && property.Enum == nil && (property.MaxLength == nil || property.MinLength == nil) {
					t.Errorf("%s is unbounded", name)
				}
				if slot, _ := property.Extra["x-slot"].(string); !slices.Contains(slots, slot) || property.Description == "" {
					t.Errorf("%s needs a slot and a description: %q", name, slot)
				}
			}
			checkExamples(t, spec, validate)
		})
	}
	if !slices.IsSorted(keys) || len(slices.Compact(slices.Clone(keys))) != len(keys) || len(keys) != 9 {
		t.Errorf("keys %v", keys)
	}
}

func checkExamples(t *testing.T, spec toolbox.Spec, validate *jsonschema.Resolved) {
	t.Helper()
	korean, english := 0, 0
	seen := map[string]bool{}
	for _, example := range spec.Examples {
		if strings.ContainsFunc(example.Text, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) {
			korean++
		} else {
			english++
		}
		if seen[example.Text] {
			t.Errorf("%q stands there twice", example.Text)
		}
		seen[example.Text] = true
		args := map[string]any{}
		for k, v := range example.Args {
			args[k] = v
		}
		if err := validate.Validate(args); err != nil {
			t.Errorf("%q: %v", example.Text, err)
		}
	}
	if korean < 8 || english < 8 {
		t.Errorf("%d Korean and %d English examples", korean, english)
	}
}

// The seeds say which tools share a box and how many of each there are.
func TestRacksAreAsTheSeedsSay(t *testing.T) {
	for key, want := range map[string]struct {
		group    string
		capacity int
		effect   toolbox.Effect
		long     bool
	}{
		"nav": {"MonitorBox", 1, toolbox.EffectIdempotent, true}, "movie": {"MonitorBox", 1, toolbox.EffectIdempotent, true},
		"song": {"SongPool", 2, toolbox.EffectIdempotent, true}, "weather": {"", toolbox.Infinite, toolbox.EffectRead, false},
		"calculator": {"", toolbox.Infinite, toolbox.EffectRead, false}, "clock": {"", toolbox.Infinite, toolbox.EffectRead, false},
		"player_control": {"", toolbox.Infinite, toolbox.EffectIdempotent, false}, "timer": {"", toolbox.Infinite, toolbox.EffectIdempotent, true},
	} {
		spec := manual(key)
		if spec.Group != want.group || spec.Capacity != want.capacity || spec.Effect != want.effect || spec.Long != want.long || spec.Confirm != toolbox.ConfirmNever {
			t.Errorf("%s: %+v", key, spec)
		}
	}
}
