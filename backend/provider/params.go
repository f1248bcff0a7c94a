package provider

import (
	"encoding/json"
	"strings"
	"sync"
)

// forModels keeps what modelParams made: a catalogue is written into every request and hardly ever changes.
var forModels sync.Map // string (the schema) → []byte

// modelParams is a tool's parameter schema as a request shows it: names, types, choices and what they mean. What only code
// needs (slot grammars, bounds that the shop checks anyway) costs tokens and says nothing to a model. A schema that cannot
// be read is shown as it is.
func modelParams(schema json.RawMessage) []byte {
	if made, ok := forModels.Load(string(schema)); ok {
		return made.([]byte) //nolint:forcetypeassert // nothing else is stored
	}
	made := []byte(schema)
	var tree any
	if json.Unmarshal(schema, &tree) == nil {
		if plain, err := json.Marshal(withoutBounds(tree)); err == nil {
			made = plain
		}
	}
	forModels.Store(string(schema), made)
	return made
}

var onlyForCode = map[string]bool{"additionalProperties": true, "minLength": true, "maxLength": true}

// withoutBounds leaves out what only code needs. Names of parameters are never left out.
func withoutBounds(node any) any {
	schema, ok := node.(map[string]any)
	if !ok {
		return node
	}
	plain := map[string]any{}
	for key, value := range schema {
		switch {
		case onlyForCode[key] || strings.HasPrefix(key, "x-"):
		case key == "properties":
			named, _ := value.(map[string]any)
			kept := map[string]any{}
			for name, property := range named {
				kept[name] = withoutBounds(property)
			}
			plain[key] = kept
		default:
			plain[key] = withoutBounds(value)
		}
	}
	return plain
}
