package provider

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// What a service holds a reply to. The tools that a request shows in full have a form each, in which the key decides the arguments;
// of the others the form names the keys alone. All of it keeps to what the grammar of llama.cpp (so Ollama) and the structured
// outputs of OpenAI's API both take: closed objects, anyOf below the root, enum instead of const, every text and list bounded. A
// member stands where the examples have it: such a grammar writes what is required in the order of the properties, then the rest.

// Bounds of a form. A grammar is worked out anew for every request, and a text costs it a rule for every character.
const (
	longestText  = 1000    // characters of a value
	longestList  = 16      // items
	mostChoices  = 64      // values of one enum
	mostOthers   = 256     // keys of tools that are not shown; more of them are any text
	mostMembers  = 32      // of one object
	deepestForm  = 4       // objects and lists within another
	largestForm  = 2 << 10 // bytes of one tool's arguments; larger ones are any object
	anyArguments = `{"type":"object"}`
	anyTool      = `{"type":"string","maxLength":64}`
)

// The forms for any tool. They say less than Format does, and so fit every request.
var (
	PlanSchema     = planForm(anyTool, todoForm(anyTool, anyArguments), todoForm("", ""))
	SolveSchema    = solveForm(callForm(anyTool, anyArguments))
	ToolCallSchema = chosenForm(anyTool, anyArguments, anyTool)
)

// FormReader is a Provider of a service that shows a reply's schema to its model, in front of everything else. Such a service
// would read a whole request anew whenever the schema is another one.
type FormReader interface {
	ReadsForm() bool
}

// Format is the schema of a request's reply, held to the tools that the request shows; what its role is held to anyway where that
// says nothing of tools. It must be asked before the request is written out.
func Format(l Request) json.RawMessage {
	shown, others := l.split()
	switch l.Role { //nolint:exhaustive // the forms of the others name no tool
	case RolePlanner:
		var todos []string
		for _, t := range shown {
			todos = append(todos, todoForm(enum(t.Key), argsForm(t.Params, true)))
		}
		if others != "" {
			todos = append(todos, todoForm(others, anyArguments))
		}
		service := anyTool
		if ids := serviceIDs(l.Services); len(ids) > 0 && len(ids) <= mostOthers {
			service = enum(ids...)
		}
		return planForm(service, append(todos, todoForm("", ""))...)
	case RoleSolver:
		var calls []string
		for _, t := range shown {
			calls = append(calls, callForm(enum(t.Key), argsForm(t.Params, true)))
		}
		if others != "" {
			calls = append(calls, callForm(others, anyArguments))
		}
		if len(calls) > 0 {
			return solveForm(calls...)
		}
	case RoleToolChooser:
		if len(shown) == 1 && l.State.Todo != nil && l.State.Todo.Tool == shown[0].Key {
			return chosenForm(enum(shown[0].Key), argsForm(shown[0].Params, false), namesForm(shown[0].Params))
		}
	}
	return l.Schema
}

// split gives the cards that a request shows, and a form of the keys of its other tools; "" when there are none.
func (l Request) split() (shown []ToolCard, others string) {
	keys := slices.Clone(l.More)
	for _, t := range l.Tools {
		if slices.Contains(l.Shown, t.Key) {
			shown = append(shown, t)
		} else {
			keys = append(keys, t.Key)
		}
	}
	switch {
	case len(keys) == 0:
		return shown, ""
	case len(keys) > mostOthers:
		return shown, anyTool
	}
	return shown, enum(keys...)
}

func serviceIDs(cards []ServiceCard) (ids []string) {
	for _, s := range cards {
		ids = append(ids, s.ID)
	}
	return ids
}

func planForm(service string, todos ...string) json.RawMessage {
	return json.RawMessage(`{"type":"object","additionalProperties":false,"required":["route","reply"],"properties":{` +
		`"route":{"type":"string","enum":["answer","jobs","stop","service","library"]},` +
		`"reply":{"type":"string","maxLength":2000},` +
		`"jobs":{"type":"array","maxItems":16,"items":{"type":"object","additionalProperties":false,"required":["title","todos"],"properties":{` +
		`"title":{"type":"string","minLength":1,"maxLength":120},` +
		`"todos":{"type":"array","minItems":1,"maxItems":32,"items":` + anyOf(todos) + `}}}},` +
		`"service":` + service + `,` +
		`"stop":{"type":"object","additionalProperties":false,"properties":{"all":{"type":"boolean"},"tool":{"type":"string","maxLength":64},"newest":{"type":"boolean"}}}}}`)
}

// todoForm is a step with a tool; without one where there is none. A planner gives arguments only when it is sure of them.
func todoForm(tool, args string) string {
	required, named, given := `["title","request"]`, "", ""
	if tool != "" {
		required, named, given = `["title","tool","request"]`, `"tool":`+tool+`,`, `,"args":`+args
	}
	return `{"type":"object","additionalProperties":false,"required":` + required + `,"properties":{` +
		`"title":{"type":"string","minLength":1,"maxLength":120},` + named + `"request":{"type":"string","maxLength":500}` + given + `}}`
}

func solveForm(calls ...string) json.RawMessage {
	return json.RawMessage(`{"type":"object","additionalProperties":false,"required":["act"],"properties":{` +
		`"act":{"type":"string","enum":["answer","call","ask"]},"text":{"type":"string","maxLength":2000},` +
		`"calls":{"type":"array","maxItems":8,"items":` + anyOf(calls) + `}}}`)
}

func callForm(tool, args string) string {
	return `{"type":"object","additionalProperties":false,"required":["tool","args"],"properties":{"tool":` + tool + `,"args":` + args + `}}`
}

// chosenForm is a tool chooser's reply: what it misses stands in missing, so nothing must be in args.
func chosenForm(tool, args, names string) json.RawMessage {
	return json.RawMessage(`{"type":"object","additionalProperties":false,"required":["tool","args"],"properties":{` +
		`"tool":` + tool + `,"args":` + args + `,"missing":{"type":"array","maxItems":16,"items":` + names + `},` +
		`"question":{"type":"string","maxLength":300}}}`)
}

func anyOf(forms []string) string {
	if len(forms) == 1 {
		return forms[0]
	}
	return `{"anyOf":[` + strings.Join(forms, ",") + `]}`
}

func enum(values ...string) string {
	return `{"type":"string","enum":` + encoded(values) + `}`
}

// argForms keeps what argsForm made: a schema is part of many requests and hardly ever changes.
var argForms sync.Map // argsKey → string

type argsKey struct {
	schema string
	whole  bool
}

// argsForm is a tool's parameter schema as a form; whole wants every value that the tool cannot do without. One that cannot be said
// in the few words that all services know, or not shortly, is any object: the shop checks every call by the whole schema anyway.
func argsForm(schema json.RawMessage, whole bool) string {
	key := argsKey{string(schema), whole}
	if made, ok := argForms.Load(key); ok {
		return made.(string) //nolint:forcetypeassert // nothing else is stored
	}
	made := anyArguments
	var node schemaNode
	if json.Unmarshal(schema, &node) == nil && node.Type == "object" {
		if form, ok := node.form(deepestForm, whole); ok && len(form) <= largestForm {
			made = form
		}
	}
	argForms.Store(key, made)
	return made
}

// namesForm is the name of one of a tool's parameters.
func namesForm(schema json.RawMessage) string {
	var node schemaNode
	if json.Unmarshal(schema, &node) != nil || len(node.Properties) == 0 || len(node.Properties) > mostMembers {
		return anyTool
	}
	return enum(node.names()...)
}

// schemaNode is the part of a JSON schema that a form can say. What else narrows a value is left to the shop's own check; what
// gives it another shape cannot be said, but that it may be null instead.
type schemaNode struct {
	Type        any                   `json:"type"`
	Description string                `json:"description"` // said beside a form, never in one
	Enum        []any                 `json:"enum"`
	Properties  map[string]schemaNode `json:"properties"`
	Required    []string              `json:"required"`
	Others      any                   `json:"additionalProperties"`
	Items       *schemaNode           `json:"items"`
	MaxLength   *int                  `json:"maxLength"`
	MaxItems    *int                  `json:"maxItems"`
	AnyOf       []schemaNode          `json:"anyOf"`
	Ref         any                   `json:"$ref"`
	OneOf       any                   `json:"oneOf"`
	AllOf       any                   `json:"allOf"`
	Const       any                   `json:"const"`
}

const null = "null"

// present is what a value is where it is not null; ok is false when that is no one thing.
func (n schemaNode) present() (schemaNode, bool) {
	if n.Ref != nil || n.OneOf != nil || n.AllOf != nil || n.Const != nil {
		return n, false
	}
	if kinds, several := n.Type.([]any); several {
		kinds = slices.DeleteFunc(slices.Clone(kinds), func(kind any) bool { return kind == null })
		if len(kinds) != 1 {
			return n, false
		}
		n.Type = kinds[0]
	}
	if n.AnyOf == nil {
		return n, true
	}
	rest := slices.DeleteFunc(slices.Clone(n.AnyOf), func(one schemaNode) bool { return one.Type == null })
	if len(rest) != 1 || rest[0].AnyOf != nil || n.Properties != nil {
		return n, false
	}
	return rest[0].present()
}

// names are those of an object's members as they are written: what must be there first, then by the alphabet.
func (n schemaNode) names() []string {
	names := make([]string, 0, len(n.Properties))
	for name := range n.Properties {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if x, y := slices.Contains(n.Required, a), slices.Contains(n.Required, b); x != y {
			return map[bool]int{true: -1, false: 1}[x]
		}
		return strings.Compare(a, b)
	})
	return names
}

func (n schemaNode) form(depth int, whole bool) (form string, ok bool) {
	if n, ok = n.present(); !ok || depth == 0 {
		return "", false
	}
	if len(n.Enum) > 0 && len(n.Enum) <= mostChoices {
		return `{"type":` + encoded(n.Type) + `,"enum":` + encoded(n.Enum) + `}`, n.Type != nil
	}
	switch n.Type {
	case "string":
		return `{"type":"string","maxLength":` + encoded(bounded(n.MaxLength, longestText)) + `}`, true
	case "integer", "number", "boolean":
		return `{"type":` + encoded(n.Type) + `}`, true
	case "array":
		items := `{"type":"string","maxLength":` + encoded(longestText) + `}`
		if n.Items != nil {
			if items, ok = n.Items.form(depth-1, true); !ok {
				return "", false
			}
		}
		return `{"type":"array","maxItems":` + encoded(bounded(n.MaxItems, longestList)) + `,"items":` + items + `}`, true
	case "object":
		return n.object(depth, whole)
	}
	return "", false
}

func (n schemaNode) object(depth int, whole bool) (form string, ok bool) {
	if _, named := n.Others.(map[string]any); named || len(n.Properties) > mostMembers || len(n.Properties) == 0 && n.Others != false {
		return "", false
	}
	members, required := make([]string, 0, len(n.Properties)), []string{}
	for _, name := range n.names() {
		member, ok := n.Properties[name].form(depth-1, true)
		if !ok {
			return "", false
		}
		members = append(members, encoded(name)+":"+member)
		if whole && slices.Contains(n.Required, name) {
			required = append(required, name)
		}
	}
	return `{"type":"object","additionalProperties":false,"required":` + encoded(required) + `,"properties":{` + strings.Join(members, ",") + `}}`, true
}

func bounded(said *int, most int) int {
	if said == nil || *said <= 0 {
		return most
	}
	return min(*said, most)
}
