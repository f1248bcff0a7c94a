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
	p := provider.Adapter{}.NormalizePrompt(provider.Request{Tools: []provider.ToolCard{card, {Key: "nav"}}, Shown: []string{"song"}})
	want := `args {"properties":{"how":{"enum":["loud"]},"maxLength":{"minimum":1,"type":"integer"},` +
		`"title":{"description":"which","type":"string"}},"required":["title"],"type":"object"}`
	last := p.Messages[len(p.Messages)-1].Text
	if !strings.Contains(last, want) || !strings.Contains(last, "a song please -> {}") || strings.Contains(last, "nav") {
		t.Errorf("of the tool that is meant it says:\n%s", last)
	}
	if list := p.System[strings.Index(p.System, "Tools:"):]; list != "Tools:\n- song(title!, how:loud, maxLength:number): plays\n- nav(): \n" {
		t.Errorf("the catalogue reads:\n%s", list)
	}
}

// A line of the catalogue has the first sentence of what a tool does, in one language.
func TestALineOfTheCatalogueIsShort(t *testing.T) {
	for description, want := range map[string]string{
		"Tells the time. Or the date. / 시각을 알려줘요.": "Tells the time",
		"Converts units: length, area / 단위를 바꿔요":   "Converts units",
		strings.Repeat("wide ", 40):                strings.Repeat("wide ", 18) + "…",
	} {
		system := provider.Adapter{}.NormalizePrompt(provider.Request{Tools: []provider.ToolCard{{Key: "t", Description: description}}}).System
		if !strings.HasSuffix(system, "- t(): "+want+"\n") {
			t.Errorf("%q becomes %q", description, system[strings.LastIndex(system, "- t"):])
		}
	}
}
