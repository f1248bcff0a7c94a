package provider_test

import (
	"encoding/json"
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
