package mcp

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"agentchat/backend/brief"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// maxVisits bounds a schema with all its references written out: a small text must not cost a large check.
const maxVisits = 2000

// checkSchema says why a schema cannot be used, nil if it can. It is canonical JSON.
func checkSchema(text json.RawMessage) *bilingual.Text {
	var root any
	if err := json.Unmarshal(text, &root); err != nil {
		return &bilingual.Text{KO: "입력 스키마를 읽을 수 없어요", EN: "its input schema cannot be read"}
	}
	object, ok := root.(map[string]any)
	if !ok || object["type"] != "object" {
		return &bilingual.Text{KO: "입력 스키마가 객체(type: object)가 아니에요", EN: "its input schema is not of type object"}
	}
	if hidden(root) {
		return &bilingual.Text{KO: "입력 스키마에 보이지 않는 글자가 숨어 있어요", EN: "its input schema hides invisible characters"}
	}
	v := &visitor{root: root, left: maxVisits}
	v.visit(root, nil)
	if v.wrong != nil {
		return v.wrong
	}
	if err := (toolbox.Spec{Key: "x", Capacity: 1, Confirm: toolbox.ConfirmAlways, Effect: toolbox.EffectOnce, Params: text}).Check(); err != nil {
		return &bilingual.Text{KO: "입력 스키마를 쓸 수 없어요 (" + brief.Cut(err.Error(), maxLine) + ")", EN: "its input schema cannot be used: " + brief.Cut(err.Error(), maxLine)}
	}
	return nil
}

// tidy takes invisible characters out of what a schema says in words. It changes the value it is given.
func tidy(value any) {
	switch node := value.(type) {
	case []any:
		for _, inner := range node {
			tidy(inner)
		}
	case map[string]any:
		for key, inner := range node {
			if words, ok := inner.(string); ok && (key == "description" || key == "title" || key == "$comment") {
				node[key] = visible(words)
			}
			tidy(inner)
		}
	}
}

// hidden tells whether any text in a value holds what people do not see.
func hidden(value any) bool {
	switch v := value.(type) {
	case string:
		return visible(v) != v
	case []any:
		if slices.ContainsFunc(v, hidden) {
			return true
		}
	case map[string]any:
		for key, inner := range v {
			if visible(key) != key || hidden(inner) {
				return true
			}
		}
	}
	return false
}

// visitor walks a schema along its references.
type visitor struct {
	root  any
	left  int
	wrong *bilingual.Text
}

func (v *visitor) refuse(ko, en string) {
	if v.wrong == nil {
		v.wrong = &bilingual.Text{KO: ko, EN: en}
	}
}

// visit looks at a value and all in it; refs are the references that led here.
func (v *visitor) visit(value any, refs []string) {
	if v.left--; v.left < 0 {
		v.refuse("입력 스키마가 너무 복잡해요", "its input schema is too complex")
	}
	if v.wrong != nil {
		return
	}
	switch node := value.(type) {
	case []any:
		for _, inner := range node {
			v.visit(inner, refs)
		}
	case map[string]any:
		for key, inner := range node {
			switch key {
			case "$dynamicRef", "$recursiveRef", "$dynamicAnchor", "$anchor", "$vocabulary":
				v.refuse("입력 스키마의 "+key+"는 쓸 수 없어요", key+" cannot be used in an input schema")
			case "$ref":
				v.follow(inner, refs)
			case "$id":
				// Harmless where it names the whole; elsewhere it would move what references point to.
				if root, ok := v.root.(map[string]any); !ok || root["$id"] != inner {
					v.refuse("입력 스키마의 $id는 쓸 수 없어요", "$id cannot be used inside an input schema")
				}
			case "properties", "patternProperties", "dependentSchemas":
				v.named(inner, refs)
			case "enum", "const", "default", "examples", "description", "title":
				// values, not schemas
			case "$defs", "definitions":
				// looked at where they are referred to
			default:
				v.visit(inner, refs)
			}
		}
	}
}

// named looks at schemas that stand under names of the server's choice.
func (v *visitor) named(value any, refs []string) {
	schemas, ok := value.(map[string]any)
	if !ok {
		v.visit(value, refs)
		return
	}
	for _, inner := range schemas {
		v.visit(inner, refs)
	}
}

// follow goes on at what a reference points to. Only places within the schema count, and no reference may lead back to
// itself: checking a value could then go on for ever.
func (v *visitor) follow(ref any, refs []string) {
	pointer, ok := ref.(string)
	if !ok {
		v.visit(ref, refs) // a property that happens to be called $ref
		return
	}
	rest, local := strings.CutPrefix(pointer, "#/")
	if !local {
		v.refuse("입력 스키마가 바깥이나 자신을 가리켜요 ("+brief.Cut(pointer, 60)+")", "its input schema refers to something outside or to itself: "+brief.Cut(pointer, 60))
		return
	}
	if slices.Contains(refs, pointer) {
		v.refuse("입력 스키마가 자신을 되풀이해요", "its input schema repeats itself")
		return
	}
	at := v.root
	for step := range strings.SplitSeq(rest, "/") {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch node := at.(type) {
		case map[string]any:
			at = node[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(node) {
				at = nil
				break
			}
			at = node[i]
		default:
			at = nil
		}
	}
	if at == nil {
		v.refuse("입력 스키마가 없는 곳을 가리켜요", "its input schema refers to a place that is not there")
		return
	}
	v.visit(at, append(refs[:len(refs):len(refs)], pointer))
}
