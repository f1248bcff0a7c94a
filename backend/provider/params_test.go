package provider_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"agentchat/backend/provider"
)

func TestACatalogueShowsWhatAModelNeeds(t *testing.T) {
	card := provider.ToolCard{
		Key: "song", Description: "plays", Examples: []provider.Example{{Text: "a song please"}},
		Params: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["title"],"properties":{` +
			`"title":{"type":"string","minLength":1,"maxLength":120,"description":"which","x-slot":"title"},` +
			`"maxLength":{"type":"integer","minimum":1},"how":{"enum":["loud"],"x-words":{"loud":["크게"]}}}}`),
	}
	system := provider.Adapter{}.NormalizePrompt(provider.Letter{Tools: []provider.ToolCard{card}}).System
	want := `args {"properties":{"how":{"enum":["loud"]},"maxLength":{"minimum":1,"type":"integer"},` +
		`"title":{"description":"which","type":"string"}},"required":["title"],"type":"object"}`
	if !strings.Contains(system, want) || !strings.Contains(system, "a song please -> {}") {
		t.Errorf("the catalogue reads:\n%s", system[strings.Index(system, "Tools:"):])
	}
}

// What the catalogue takes is missing for the conversation: among many tools each shows one example.
func TestALargeCatalogueIsTerse(t *testing.T) {
	tools := func(n int) (list []provider.ToolCard) {
		for i := range n {
			list = append(list, provider.ToolCard{
				Key: fmt.Sprint("tool", i), Examples: []provider.Example{{Text: "first"}, {Text: "second"}, {Text: "third"}, {Text: "fourth"}},
			})
		}
		return list
	}
	for n, want := range map[int]int{1: 3, 12: 36, 13: 13, 40: 40} {
		system := provider.Adapter{}.NormalizePrompt(provider.Letter{Tools: tools(n)}).System
		if got := strings.Count(system, "  e.g. "); got != want {
			t.Errorf("%d tools show %d examples, want %d", n, got, want)
		}
	}
}
