package toolbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"agentchat/backend/brief"
	"agentchat/backend/strictjson"
)

// How much of a complaint a person or a small model will read.
const (
	maxProblems = 5
	maxShown    = 60  // runes of one value
	maxDetail   = 600 // runes of one complaint
)

// explain says what is wrong with a value that the schema refused: every wrong property with what it should be, in a
// fixed order, or else what the schema library says.
func (s *schema) explain(value any, refusal error) string {
	object, ok := value.(map[string]any)
	if !ok {
		if expected, plain := describe(s.root); plain {
			return "want " + expected + ", have " + shownValue(value)
		}
		return tidy("", refusal)
	}
	problems := slices.Concat(s.unknown(object), s.missing(object), s.misfits(object))
	if len(problems) == 0 {
		return tidy("", refusal)
	}
	if more := len(problems) - maxProblems; more > 0 {
		problems = append(problems[:maxProblems], fmt.Sprintf("and %d more", more))
	}
	return brief.Fit(strings.Join(problems, "; "), maxDetail)
}

// misspelt finds a key that is written like a property except for its case. The schema may let it pass as an unknown
// key, but a tool that decodes into a struct would take it for the property, unchecked.
func (s *schema) misspelt(object map[string]any) string {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if s.root.Properties[key] != nil {
			continue
		}
		for _, property := range slices.Sorted(maps.Keys(s.root.Properties)) {
			if strictjson.SameKey(key, property) {
				return fmt.Sprintf("%q must be written %q", key, property)
			}
		}
	}
	return ""
}

func (s *schema) unknown(object map[string]any) (problems []string) {
	closed := s.root.AdditionalProperties != nil && s.root.AdditionalProperties.Not != nil && len(s.root.PatternProperties) == 0
	if !closed {
		return nil
	}
	known := strings.Join(slices.Sorted(maps.Keys(s.root.Properties)), ", ")
	if known == "" {
		known = "none"
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if s.root.Properties[key] == nil {
			problems = append(problems, fmt.Sprintf("%q is not known here (known: %s)", brief.Fit(key, maxShown), known))
		}
	}
	return problems
}

func (s *schema) missing(object map[string]any) (problems []string) {
	for _, key := range s.root.Required {
		if _, ok := object[key]; ok {
			continue
		}
		problem := key + " is missing"
		if property := s.root.Properties[key]; property != nil {
			if expected, plain := describe(property); plain {
				problem += " (" + expected + ")"
			}
		}
		problems = append(problems, problem)
	}
	return problems
}

func (s *schema) misfits(object map[string]any) (problems []string) {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		alone := s.property(key)
		if alone == nil {
			continue
		}
		err := alone.Validate(object[key])
		if err == nil {
			continue
		}
		if expected, plain := describe(s.root.Properties[key]); plain {
			problems = append(problems, fmt.Sprintf("%s: want %s, have %s", key, expected, shownValue(object[key])))
		} else {
			problems = append(problems, tidy(key, err))
		}
	}
	return problems
}

// nests tells whether a schema refers to other schemas or uses keywords that describe does not know.
func nests(s *jsonschema.Schema) bool {
	return s.Ref != "" || s.DynamicRef != "" || s.Not != nil || s.If != nil || s.Items != nil || s.Contains != nil || s.UniqueItems ||
		s.MultipleOf != nil || len(s.AllOf)+len(s.AnyOf)+len(s.OneOf)+len(s.PrefixItems)+len(s.Properties)+len(s.Required) > 0 ||
		s.AdditionalProperties != nil || s.PatternProperties != nil || s.PropertyNames != nil
}

// describe says in words what a schema wants; plain is false when the schema says more than the words do.
func describe(s *jsonschema.Schema) (expected string, plain bool) {
	if nests(s) {
		return "", false
	}
	switch {
	case s.Enum != nil:
		values := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			values[i] = shownValue(v)
		}
		return "one of " + strings.Join(values, ", "), true
	case s.Const != nil:
		return shownValue(*s.Const), true
	}
	types := s.Types
	if s.Type != "" {
		types = []string{s.Type}
	}
	if len(types) == 0 {
		return "", false
	}
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = map[string]string{
			"integer": "a whole number", "number": "a number", "string": "a text", "boolean": "true or false",
			"array": "a list", "object": "an object", "null": "null",
		}[t]
	}
	expected = strings.Join(words, " or ")
	expected += between(s.Minimum, s.Maximum, "", number)
	if s.ExclusiveMinimum != nil {
		expected += " above " + number(*s.ExclusiveMinimum)
	}
	if s.ExclusiveMaximum != nil {
		expected += " below " + number(*s.ExclusiveMaximum)
	}
	expected += between(s.MinLength, s.MaxLength, " characters", strconv.Itoa)
	expected += between(s.MinItems, s.MaxItems, " items", strconv.Itoa)
	if s.Pattern != "" {
		expected += " that matches " + s.Pattern
	}
	return expected, true
}

func between[T any](low, high *T, unit string, format func(T) string) string {
	switch {
	case low != nil && high != nil:
		return " from " + format(*low) + " to " + format(*high) + unit
	case low != nil:
		return " of at least " + format(*low) + unit
	case high != nil:
		return " of at most " + format(*high) + unit
	default:
		return ""
	}
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// trail is how the schema library says where it was.
var trail = regexp.MustCompile(`validating (\S+): `)

// tidy makes the schema library's words readable: the place once, as a path below root, then the complaint.
func tidy(root string, refusal error) string {
	text := strings.Join(strings.Fields(refusal.Error()), " ")
	path := ""
	for _, step := range trail.FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(step[1], "/properties/") || strings.HasPrefix(step[1], "/items") {
			path = step[1]
		}
	}
	text = trail.ReplaceAllString(text, "")
	place := strings.TrimPrefix(root+strings.NewReplacer("/properties/", ".", "/items", "[]").Replace(path), ".")
	if place != "" {
		text = place + ": " + text
	}
	return brief.Fit(text, maxDetail)
}

func shownValue(value any) string {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return fmt.Sprintf("%T", value)
	}
	return shown(bytes.TrimSpace(text.Bytes()))
}

func shown(text []byte) string { return brief.Fit(string(text), maxShown) }
