package toolbox

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"agentchat/backend/apperr"
	"agentchat/backend/strictjson"
)

// What a call and its result may weigh. Arguments are read by people before they are approved, so they are small.
var (
	argsLimits   = strictjson.Limits{Bytes: 64 << 10, Depth: 16}
	resultLimits = strictjson.Limits{Bytes: 4 << 20, Depth: 64}
)

// The schemas of a tool that gives none.
var (
	noArguments = json.RawMessage(`{"type":"object","additionalProperties":false}`)
	anything    = json.RawMessage(`true`)
)

// schema is a compiled JSON schema. It is only read.
type schema struct {
	root  *jsonschema.Schema
	whole *jsonschema.Resolved
}

// compiled remembers schemas by their text: the shop's own are the same for every box of a process, and many results are anything.
var compiled struct {
	mu    sync.Mutex
	known map[string]*schema
}

// How many are remembered, more than the shop's own tools have, and how long each may be: outside servers may bring any number.
const (
	maxCompiled    = 512
	maxCompiledLen = 16 << 10
)

// compile reads a schema strictly and resolves its references, or finds it compiled; remote references are refused.
func compile(text, fallback json.RawMessage) (*schema, error) {
	if len(text) == 0 {
		text = fallback
	}
	compiled.mu.Lock()
	known := compiled.known[string(text)]
	compiled.mu.Unlock()
	if known != nil {
		return known, nil
	}
	fresh, err := compileNew(text)
	if err != nil || len(text) > maxCompiledLen {
		return fresh, err
	}
	compiled.mu.Lock()
	defer compiled.mu.Unlock()
	if compiled.known == nil || len(compiled.known) >= maxCompiled {
		compiled.known = map[string]*schema{}
	}
	compiled.known[string(text)] = fresh
	return fresh, nil
}

func compileNew(text json.RawMessage) (*schema, error) {
	if err := resultLimits.Check(text); err != nil {
		return nil, err
	}
	var root jsonschema.Schema
	if err := json.Unmarshal(text, &root); err != nil {
		return nil, err
	}
	whole, err := root.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		return nil, err
	}
	return &schema{&root, whole}, nil
}

// property compiles one property of an object schema by itself, so that every wrong argument can be named at once; nil for one that
// is not there, or cannot stand alone: it is only explained by the whole.
func (s *schema) property(key string) *jsonschema.Resolved {
	property, there := s.root.Properties[key]
	if !there {
		return nil
	}
	alone := property.CloneSchemas()
	shared := len(s.root.Defs)+len(s.root.Definitions) > 0
	if shared && alone.Defs == nil && alone.Definitions == nil { // its references point into the root's definitions
		defs := s.root.CloneSchemas()
		alone.Defs, alone.Definitions = defs.Defs, defs.Definitions
	}
	resolved, err := alone.Resolve(nil)
	if err != nil {
		return nil
	}
	return resolved
}

// check returns what is wrong with a value in words, "" if it fits.
func (s *schema) check(canonical json.RawMessage, limits strictjson.Limits) string {
	var value any
	if err := strictjson.Decode(canonical, &value, limits); err != nil {
		return err.Error()
	}
	value, err := numbers(value)
	if err != nil {
		return err.Error()
	}
	if object, ok := value.(map[string]any); ok {
		if wrong := s.misspelt(object); wrong != "" {
			return wrong
		}
	}
	if err := s.whole.Validate(value); err != nil {
		return s.explain(value, err)
	}
	return ""
}

// ValidateArgs checks a call's arguments: one strict JSON object (no key twice, bounded size and depth) that fits the
// tool's Params. Nothing at all counts as {}. It returns them in canonical form, which is what is shown, approved,
// digested and run. Errors: unknown_tool; invalid_args, whose detail says everything that is wrong in words that a
// person or a model can act on.
func (b *Box) ValidateArgs(tool string, args json.RawMessage) (json.RawMessage, error) {
	s, err := b.find(tool)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		args = json.RawMessage(`{}`)
	}
	canonical, err := argsLimits.Canonical(args)
	if err != nil {
		return nil, apperr.Wrap(err, apperr.InvalidArgs, "tool", tool, "detail", err.Error())
	}
	if canonical[0] != '{' {
		return nil, apperr.New(apperr.InvalidArgs, "tool", tool,
			"detail", "the arguments must be one JSON object, not "+shown(canonical))
	}
	if wrong := s.params.check(canonical, argsLimits); wrong != "" {
		return nil, apperr.New(apperr.InvalidArgs, "tool", tool, "detail", wrong)
	}
	return canonical, nil
}

// ResultCheck checks what a tool brought: one strict JSON value that fits the tool's Result. It returns it in canonical
// form. A tool without a Result schema may bring nothing. Error: tool_failed, with what is wrong as its detail.
type ResultCheck func(data json.RawMessage) (json.RawMessage, error)

// ResultCheck is taken before a tool runs, because the tool may be gone from the box when its result comes: what has
// happened then still counts. Error: unknown_tool.
func (b *Box) ResultCheck(tool string) (ResultCheck, error) {
	s, err := b.find(tool)
	if err != nil {
		return nil, err
	}
	return func(data json.RawMessage) (json.RawMessage, error) {
		if len(data) == 0 && len(s.base.Result) == 0 {
			return nil, nil
		}
		canonical, err := resultLimits.Canonical(data)
		if err != nil {
			return nil, apperr.Wrap(err, apperr.ToolFailed, "tool", tool, "detail", err.Error())
		}
		if wrong := s.result.check(canonical, resultLimits); wrong != "" {
			return nil, apperr.New(apperr.ToolFailed, "tool", tool, "detail", wrong)
		}
		return canonical, nil
	}, nil
}

// ValidateResult is ResultCheck for a tool that is still in the box. Errors: unknown_tool, tool_failed.
func (b *Box) ValidateResult(tool string, data json.RawMessage) (json.RawMessage, error) {
	check, err := b.ResultCheck(tool)
	if err != nil {
		return nil, err
	}
	return check(data)
}

// find gives a tool's entry, of which the caller reads only what never changes: base and the schemas.
func (b *Box) find(tool string) (*entry, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, ok := b.tools[tool]
	if !ok {
		return nil, unknown(tool)
	}
	return s, nil
}

// Digest binds an approval to one call: the SHA-256 of the tool's key and its arguments in canonical form, in hex.
func Digest(tool string, canonicalArgs json.RawMessage) string {
	sum := sha256.New()
	// A key holds no NUL, so no two calls run together.
	_, _ = fmt.Fprintf(sum, "tool call\x00%s\x00%s", tool, canonicalArgs)
	return hex.EncodeToString(sum.Sum(nil))
}

// numbers turns the exact numbers of a decoded value into the ones the schema library understands: integers stay exact
// as far as an int64 reaches, anything else becomes the nearest float64, as it will for the tool that decodes it.
func numbers(value any) (any, error) {
	var err error
	switch v := value.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i, nil
		}
		f, err := strconv.ParseFloat(v.String(), 64)
		if err != nil {
			return nil, fmt.Errorf("the number %s is too large", shown([]byte(v.String())))
		}
		return f, nil
	case []any:
		for i := range v {
			if v[i], err = numbers(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for key := range v {
			if v[key], err = numbers(v[key]); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}
