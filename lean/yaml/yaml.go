// Package yaml is what go-ordered-map names of gopkg.in/yaml.v3, and the wails command. The schemas that eino keeps in such maps are JSON
// here: no map is written as YAML or read from it, and one that were would be refused; nor does wails write what it knows of a computer as
// YAML. What reads YAML for us is goccy/go-yaml.
package yaml

import "errors"

var errNone = errors.New("this program writes and reads no YAML here")

// Kind says what a node is.
type Kind uint32

// MappingNode is a node of keys and values.
const MappingNode Kind = 1 << 2

// Node is a piece of a document.
type Node struct {
	Kind    Kind
	Content []*Node
}

// Encode would put a value into the node.
func (*Node) Encode(any) error { return errNone }

// Decode would take a value out of the node.
func (*Node) Decode(any) error { return errNone }

// Marshaler writes itself.
type Marshaler interface {
	MarshalYAML() (any, error)
}

// Unmarshaler reads itself.
type Unmarshaler interface {
	UnmarshalYAML(value *Node) error
}

// Marshal would write a value.
func Marshal(any) ([]byte, error) { return nil, errNone }

// Unmarshal would read into a value.
func Unmarshal([]byte, any) error { return errNone }
