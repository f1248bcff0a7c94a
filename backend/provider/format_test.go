package provider_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"agentchat/backend/provider"
)

func compile(t *testing.T, form json.RawMessage) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(form, &s); err != nil {
		t.Fatalf("%v: %s", err, form)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatalf("%v: %s", err, form)
	}
	return resolved
}

func fits(t *testing.T, form json.RawMessage, reply string) bool {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(reply), &value); err != nil {
		t.Fatal(err)
	}
	return compile(t, form).Validate(value) == nil
}

// strict looks for what one of the services would not take: unknown words, open objects, texts and lists without an end.
func strict(t *testing.T, at string, node any) {
	t.Helper()
	schema, ok := node.(map[string]any)
	if !ok {
		t.Errorf("%s is no schema: %v", at, node)
		return
	}
	for word, value := range schema {
		switch word {
		case "type", "enum", "required", "additionalProperties", "minItems", "maxItems", "minLength", "maxLength":
		case "items":
			strict(t, at+".items", value)
		case "anyOf":
			for i, one := range value.([]any) {
				strict(t, fmt.Sprintf("%s.anyOf[%d]", at, i), one)
			}
		case "properties":
			for name, property := range value.(map[string]any) {
				strict(t, at+"."+name, property)
			}
		default:
			t.Errorf("%s says %q", at, word)
		}
	}
	switch {
	case schema["type"] == "object" && len(schema) > 1 && schema["additionalProperties"] != false:
		t.Errorf("%s is an open object", at)
	case schema["type"] == "string" && schema["maxLength"] == nil && schema["enum"] == nil:
		t.Errorf("%s is a text without an end", at)
	case schema["type"] == "array" && schema["maxItems"] == nil:
		t.Errorf("%s is a list without an end", at)
	}
}

func strictly(t *testing.T, form json.RawMessage) {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(form, &root); err != nil {
		t.Fatal(err)
	}
	if root["type"] != "object" {
		t.Errorf("the root is no object: %s", form)
	}
	strict(t, "$", root)
}

func asks(role provider.Role, shown ...string) provider.Request {
	lamp := `{"type":"object","properties":{"colour":{"type":"string","enum":["red","green"],"x-slot":"enum"},"minutes":{"type":"integer","minimum":1}},"required":["colour"],"additionalProperties":false}`
	return provider.Request{
		Role: role, Shown: shown, More: []string{"far__away"}, Schema: json.RawMessage(`{"type":"object"}`),
		Tools:    []provider.ToolCard{{Key: "lamp", Params: json.RawMessage(lamp)}, {Key: "song", Params: json.RawMessage(`{"type":"object"}`)}},
		Services: []provider.ServiceCard{{ID: "bank"}},
	}
}

func step(todo string) string {
	return `{"route":"jobs","reply":"네","jobs":[{"title":"일","todos":[` + todo + `]}]}`
}

// A step's tool decides its arguments; a tool that is not shown may have any, and one that is not there none.
func TestAPlanIsHeldToTheToolsThatAreShown(t *testing.T) {
	form := provider.Format(asks(provider.RolePlanner, "lamp"))
	strictly(t, form)
	for reply, want := range map[string]bool{
		step(`{"title":"등","tool":"lamp","request":"켜","args":{"colour":"red"}}`):                true,
		step(`{"title":"등","tool":"lamp","request":"켜","args":{"colour":"red","minutes":3}}`):    true,
		step(`{"title":"등","tool":"lamp","request":"켜"}`):                                        true,
		step(`{"title":"등","tool":"lamp","request":"켜","args":{"colour":"blue"}}`):               false,
		step(`{"title":"등","tool":"lamp","request":"켜","args":{"minutes":3}}`):                   false,
		step(`{"title":"등","tool":"lamp","request":"켜","args":{"colour":"red","x":1}}`):          false,
		step(`{"title":"등","tool":"lamp","request":"켜","args":{"colour":"red","minutes":"3"}}`):  false,
		step(`{"title":"노래","tool":"song","request":"틀어","args":{"anything":[1]}}`):              true,
		step(`{"title":"멀리","tool":"far__away","request":"x","args":{"anything":1}}`):            true,
		step(`{"title":"로켓","tool":"rocket","request":"x","args":{}}`):                           false,
		step(`{"title":"생각","request":"x"}`):                                                     true,
		step(`{"title":"생각","request":"x","args":{}}`):                                           false,
		step(`{"title":"생각","request":"x"},{"title":"등","tool":"lamp","request":"켜","args":{}}`): false,
		`{"route":"service","reply":"","service":"bank"}`:                                        true,
		`{"route":"service","reply":"","service":"spaceport"}`:                                   false,
		`{"route":"answer","reply":"네"}`:                                                         true,
	} {
		if got := fits(t, form, reply); got != want {
			t.Errorf("%s fits: %v", reply, got)
		}
	}
	solve := provider.Format(asks(provider.RoleSolver, "lamp"))
	strictly(t, solve)
	for calls, want := range map[string]bool{
		`{"tool":"lamp","args":{"colour":"green"}}`: true, `{"tool":"lamp","args":{}}`: false,
		`{"tool":"song","args":{"title":"x"}}`: true, `{"tool":"rocket","args":{}}`: false,
	} {
		if got := fits(t, solve, `{"act":"call","calls":[`+calls+`]}`); got != want {
			t.Errorf("%s fits: %v", calls, got)
		}
	}
}

// A tool chooser fills in the one tool it is asked about, and may leave out what it names as missing.
func TestAToolChooserIsHeldToItsTool(t *testing.T) {
	l := asks(provider.RoleToolChooser, "lamp")
	if got := string(provider.Format(l)); got != string(l.Schema) {
		t.Errorf("without a step: %s", got)
	}
	l.State.Todo = &provider.TodoCard{Tool: "lamp"}
	form := provider.Format(l)
	strictly(t, form)
	for reply, want := range map[string]bool{
		`{"tool":"lamp","args":{"colour":"red"}}`:                             true,
		`{"tool":"lamp","args":{},"missing":["colour"],"question":"무슨 색이요?"}`: true,
		`{"tool":"lamp","args":{},"missing":["size"],"question":"얼마나 크게요?"}`:  false,
		`{"tool":"lamp","args":{"colour":"blue"}}`:                            false,
		`{"tool":"song","args":{}}`:                                           false,
	} {
		if got := fits(t, form, reply); got != want {
			t.Errorf("%s fits: %v", reply, got)
		}
	}
	for _, role := range []provider.Role{provider.RoleIntent, provider.RoleSlot, provider.RoleLibrarian, provider.RoleReporter} {
		if l := asks(role, "lamp"); string(provider.Format(l)) != string(l.Schema) {
			t.Errorf("%s has a form of tools", role)
		}
	}
}

// Every manual of the shop's own tools can be said in a form, shortly, and its examples fit it.
func TestEveryManualHasAForm(t *testing.T) {
	files, err := filepath.Glob("../tools/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	below, err := filepath.Glob("../tools/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	manuals := 0
	for _, file := range slices.Concat(files, below) {
		var manual struct {
			Key      string             `json:"key"`
			Params   json.RawMessage    `json:"params"`
			Examples []provider.Example `json:"examples"`
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if json.Unmarshal(text, &manual) != nil || manual.Key == "" || len(manual.Params) == 0 {
			continue
		}
		manuals++
		l := provider.Request{Role: provider.RolePlanner, Tools: []provider.ToolCard{{Key: manual.Key, Params: manual.Params}}, Shown: []string{manual.Key}}
		form := provider.Format(l)
		strictly(t, form)
		if strings.Contains(string(form), `"args":{"type":"object"}`) || len(form) > 3<<10 {
			t.Errorf("%s: %d bytes: %s", manual.Key, len(form), form)
		}
		for _, e := range manual.Examples {
			if len(e.Args) == 0 {
				continue
			}
			args, err := json.Marshal(e.Args)
			if err != nil {
				t.Fatal(err)
			}
			if todo := `{"title":"x","tool":"` + manual.Key + `","request":"x","args":` + string(args) + `}`; !fits(t, form, step(todo)) {
				t.Errorf("the example %q does not fit: %s", e.Text, todo)
			}
		}
	}
	if manuals < 20 {
		t.Errorf("only %d manuals", manuals)
	}
}

// What a stranger's schema says in words that not all services know, or at length, is left to the shop's own check; that
// something may be null instead is no such thing.
func TestAStrangersSchemaIsAnyObjectWhenItCannotBeSaid(t *testing.T) {
	wide := make([]string, 40)
	for i := range wide {
		wide[i] = fmt.Sprintf(`"member%d":{"type":"string"}`, i)
	}
	object := func(members string) string { return `{"type":"object","properties":{` + members + `}}` }
	for schema, want := range map[string]string{
		object(`"a":{"$ref":"#/$defs/x"}`):                                                                            "",
		object(`"a":{"oneOf":[{"type":"string"},{"type":"integer"}]}`):                                                "",
		object(`"a":{"anyOf":[{"type":"string"},{"type":"integer"}]}`):                                                "",
		object(`"a":{"allOf":[{"type":"string"}]}`):                                                                   "",
		object(`"a":{"type":["string","integer"]}`):                                                                   "",
		object(`"a":{"type":"object","additionalProperties":{"type":"string"}}`):                                      "",
		object(`"a":{"description":"anything"}`):                                                                      "",
		object(strings.Join(wide, ",")):                                                                               "",
		object(`"a":{"type":"string","enum":["` + strings.Repeat("x", 4<<10) + `"]}`):                                 "",
		object(`"a":` + strings.Repeat(`{"type":"array","items":`, 9) + `{"type":"string"}` + strings.Repeat(`}`, 9)): "",
		`not a schema`:      "",
		`{"type":"object"}`: "",
		object(`"a":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}`): `"a":{"type":"string","maxLength":1000}`,
		object(`"a":{"type":["null","integer"]}`):                                  `"a":{"type":"integer"}`,
		object(`"a":{"type":"array","items":{"type":"string","pattern":"^x"}}`):    `"a":{"type":"array","maxItems":16,"items":{"type":"string","maxLength":1000}}`,
		object(`"a":{"type":"string","maxLength":90000}`):                          `"a":{"type":"string","maxLength":1000}`,
	} {
		l := provider.Request{Role: provider.RolePlanner, Tools: []provider.ToolCard{{Key: "s__t", Params: json.RawMessage(schema)}}, Shown: []string{"s__t"}}
		form := string(provider.Format(l))
		strictly(t, json.RawMessage(form))
		if loose := strings.Contains(form, `"args":{"type":"object"}`); loose != (want == "") || !strings.Contains(form, want) {
			t.Errorf("%s became %s", schema, form)
		}
	}
	many := provider.Request{Role: provider.RolePlanner}
	for i := range 300 {
		many.More = append(many.More, fmt.Sprint("server__tool", i))
	}
	if form := string(provider.Format(many)); strings.Contains(form, "server__tool") {
		t.Error("all of hundreds of keys are named")
	}
}

// The forms that fit any request keep to the same words.
func TestTheGeneralFormsAreStrict(t *testing.T) {
	for _, form := range []json.RawMessage{provider.PlanSchema, provider.SolveSchema, provider.ToolCallSchema} {
		strictly(t, form)
	}
}
