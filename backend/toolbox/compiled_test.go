package toolbox

import (
	"encoding/json"
	"strings"
	"testing"
)

// A schema is compiled once in a process, one that is broken or long never is remembered.
func TestSchemasAreCompiledOnce(t *testing.T) {
	text := json.RawMessage(`{"type":"object","properties":{"once":{"type":"string"}}}`)
	one, err := compile(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := compile(append(json.RawMessage(nil), text...), nil); err != nil || again != one {
		t.Errorf("compiled anew: %v", err)
	}
	for range 2 {
		if _, err := compile(json.RawMessage(`{"type":7}`), nil); err == nil {
			t.Error("a broken schema compiles")
		}
	}
	long := json.RawMessage(`{"description":"` + strings.Repeat("x", maxCompiledLen) + `"}`)
	first, err := compile(long, nil)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := compile(long, nil); err != nil || second == first {
		t.Errorf("a long schema is kept: %v", err)
	}
}
