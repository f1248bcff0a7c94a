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
	want := "- song: plays\n  title!: which\n  how:loud\n  maxLength:number\n  e.g. a song please -> {}\n"
	last := p.Messages[len(p.Messages)-1].Text
	if !strings.Contains(last, want) || strings.Contains(last, "nav") {
		t.Errorf("of the tool that is meant it says:\n%s", last)
	}
	if list := p.System[strings.Index(p.System, "Tools:"):]; list != "Tools:\n- song(title!, how, maxLength): plays\n- nav(): \n" {
		t.Errorf("the catalogue reads:\n%s", list)
	}
}

// Arguments of another shape than a name can say are shown as their schema.
func TestACardShowsAStrangeSchema(t *testing.T) {
	for params, want := range map[string]string{
		`{"type":"object","properties":{"at":{"type":"object","properties":{"x":{"type":"number","maximum":9}},"additionalProperties":false}}}`: `args {"properties":{"at":{"properties":{"x":{"maximum":9,"type":"number"}},"type":"object"}},"type":"object"}`,
		`{"type":"object","properties":{"a":{"oneOf":[{"type":"string"}]}}}`:                                                                    `args {"properties":{"a":{"oneOf":[{"type":"string"}]}},"type":"object"}`,
		`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"description":"all\nof them"}}}`:                          "\n  a: all of them\n",
	} {
		p := provider.Adapter{}.NormalizePrompt(provider.Request{Tools: []provider.ToolCard{{Key: "s__t", Params: json.RawMessage(params)}}, Shown: []string{"s__t"}})
		if last := p.Messages[len(p.Messages)-1].Text; !strings.Contains(last, want) {
			t.Errorf("of %s it says:\n%s", params, last)
		}
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
