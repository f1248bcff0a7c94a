// Package sonic is what eino needs of github.com/bytedance/sonic, on the standard library's JSON.
package sonic

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Marshal writes v as sonic does: without escaping what only HTML would mind.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// MarshalString is Marshal as text.
func MarshalString(v any) (string, error) {
	text, err := Marshal(v)
	return string(text), err
}

// Unmarshal reads v.
func Unmarshal(text []byte, v any) error { return json.Unmarshal(text, v) }

// UnmarshalString reads v.
func UnmarshalString(text string, v any) error { return json.Unmarshal([]byte(text), v) }

// Node is a part of a text.
type Node struct{ raw json.RawMessage }

// MarshalJSON implements json.Marshaler.
func (n *Node) MarshalJSON() ([]byte, error) { return n.raw.MarshalJSON() }

// GetFromString gives the part of a text that lies behind keys and places.
func GetFromString(text string, path ...any) (Node, error) {
	node := Node{json.RawMessage(text)}
	for _, step := range path {
		switch step := step.(type) {
		case string:
			var object map[string]json.RawMessage
			if err := json.Unmarshal(node.raw, &object); err != nil {
				return Node{}, err
			}
			part, there := object[step]
			if !there {
				return Node{}, fmt.Errorf("there is no %q", step)
			}
			node.raw = part
		case int:
			var list []json.RawMessage
			if err := json.Unmarshal(node.raw, &list); err != nil {
				return Node{}, err
			}
			if step < 0 || step >= len(list) {
				return Node{}, fmt.Errorf("there is no place %d", step)
			}
			node.raw = list[step]
		default:
			return Node{}, fmt.Errorf("a part is named by a key or a place, not by %T", step)
		}
	}
	if !json.Valid(node.raw) {
		return Node{}, fmt.Errorf("not JSON")
	}
	return node, nil
}
