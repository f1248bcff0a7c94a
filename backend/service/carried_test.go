package service

import (
	"encoding/json"
	"testing"

	"agentchat/backend/language/bilingual"
)

// What the program carries is read once in a process, but each book completes manifests of its own.
func TestBooksShareNothingTheyComplete(t *testing.T) {
	one, err := NewBook("", nil)
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewBook("", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(one.list) == 0 || len(one.list) != len(other.list) {
		t.Fatalf("%d and %d services", len(one.list), len(other.list))
	}
	one.Examine(func(string, json.RawMessage, bilingual.Lang) map[string]string { return nil })
	one.Names(func(string, string, string) []string { return nil })
	one.Foretell(func(string, json.RawMessage, bilingual.Lang) string { return "" })
	for _, m := range other.list {
		if m.examine != nil || m.named != nil || m.foretell != nil {
			t.Errorf("%s has what another book was given", m.ID)
		}
	}
}
