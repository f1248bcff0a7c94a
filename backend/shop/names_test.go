package shop

import (
	"encoding/json"
	"strings"
	"testing"

	"agentchat/backend/config"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// No key of a tool of the shop's own ever stands before a person: its manual names every value, and every one of few that a value
// may be, in both languages.
func TestManualsNameTheirValues(t *testing.T) {
	s, err := Open(t.Context(), Options{Config: config.Options{DataDir: t.TempDir(), Env: []string{}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	whole := func(text bilingual.Text) bool { return text.KO != "" && text.EN != "" }
	for _, spec := range s.box.Specs() {
		var params struct {
			Properties map[string]struct {
				Enum []string `json:"enum"`
			} `json:"properties"`
		}
		if err := json.Unmarshal(spec.Params, &params); err != nil {
			t.Fatal(spec.Key, err)
		}
		names := spec.Names()
		for key, p := range params.Properties {
			if !whole(names[key].Name) {
				t.Errorf("%s: %s has no name", spec.Key, key)
			}
			for _, value := range p.Enum {
				if !whole(names[key].Values[value]) {
					t.Errorf("%s: %s has no name for %q", spec.Key, key, value)
				}
			}
		}
	}

	spec, err := s.box.Spec("file_write")
	if err != nil {
		t.Fatal(err)
	}
	args := json.RawMessage(`{"path":"문서/회의.txt","text":"내일","mode":"append"}`)
	verdict := policy.Decide(policy.Request{Chat: "c", Spec: spec, Args: args, Wanted: true})
	for _, in := range []func(bilingual.Text) string{
		func(t bilingual.Text) string { return t.KO }, func(t bilingual.Text) string { return t.EN },
	} {
		for _, offer := range policy.Offers(spec, verdict, args, in) {
			if strings.Contains(offer.Words, "mode") || strings.Contains(offer.Words, "append") || strings.Contains(offer.Words, "path") {
				t.Errorf("an approval is offered with keys: %s", offer.Words)
			}
		}
	}
}

// What an outside server calls its values could pass one off as another.
func TestStrangersNameNothing(t *testing.T) {
	spec := toolbox.Spec{Outside: "mail", Params: json.RawMessage(`{"properties":{"to":{"x-name":{"ko":"보내는 사람","en":"from"}}}}`)}
	if names := spec.Names(); len(names) != 0 {
		t.Errorf("names of an outside tool: %v", names)
	}
}
