package interpreter

import (
	"strings"
	"testing"
	"time"

	"agentchat/backend/provider"
)

func said(system string, texts ...string) provider.Prompt {
	p := provider.Prompt{System: system}
	for i, text := range texts {
		p.Messages = append(p.Messages, provider.PromptMessage{Role: []string{"user", "assistant"}[i%2], Text: text})
	}
	return p
}

// What stands in front of the first difference need not be read again, message by message and letter by letter.
func TestOnlyWhatIsNewIsToBeRead(t *testing.T) {
	first := said("the frozen block", "hello", "hi", "role: planner\nrequest:\none")
	for _, c := range []struct {
		name string
		now  provider.Prompt
		want string // what is left, joined
	}{
		{"the same", first, ""},
		{"the last message", said("the frozen block", "hello", "hi", "role: planner\nrequest:\ntwo"), "two"},
		{"one turn more", said("the frozen block", "hello", "hi", "one", "done", "role: planner\nrequest:\ntwo"), "one done role: planner\nrequest:\ntwo"},
		{"another summary", said("the frozen block", "summed up", "hi"), "summed up hi"},
		{"another block", said("the frozen blocks", "hello"), "s hello"},
	} {
		rest := behind(c.now, first)
		parts := []string{}
		if rest.System != "" {
			parts = append(parts, rest.System)
		}
		for _, m := range rest.Messages {
			parts = append(parts, m.Text)
		}
		if got := strings.Join(parts, " "); got != c.want {
			t.Errorf("%s: %q is left, want %q", c.name, got, c.want)
		}
	}
	called := first
	called.Tools = []provider.PromptTool{{Name: "lamp"}}
	if rest := behind(called, first); rest.System == "" {
		t.Error("tools stand in front of everything")
	}
}

// How fast a model reads is learned from what was new to it; one that was sent out of memory has it all to read again.
func TestAPaceIsLearned(t *testing.T) {
	var p paces
	prompt := said(strings.Repeat("word ", 400), "hello")
	whole := dot(extentOf(prompt), believed)
	if rest, speed := p.fresh("m", prompt); dot(rest, believed) != whole || speed != 0 {
		t.Errorf("of an unknown model %v is known, at %v", rest, speed)
	}
	p.read("m", prompt, 1, 500, 10*time.Second)
	if rest, speed := p.fresh("m", prompt); dot(rest, believed) > 20 || speed != 50 {
		t.Errorf("%v is left, at %v", rest, speed)
	}
	p.read("m", said("x"), 1, 10, 10*time.Second) // a few tokens say nothing about the pace
	if _, speed := p.fresh("m", prompt); speed != 50 {
		t.Errorf("%v tokens a second", speed)
	}
	if rest, _ := p.fresh("m", prompt); dot(rest, believed) < whole/2 {
		t.Error("a server that answers one request at a time keeps two")
	}
	p.read("m", prompt, 2, 500, 5*time.Second)
	if rest, speed := p.fresh("m", said("x")); dot(rest, believed) > 10 || speed != 75 {
		t.Errorf("one that answers two keeps one: %v, at %v", rest, speed)
	}
	p.forget(func(model string) bool { return model == "m" })
	if rest, speed := p.fresh("m", prompt); dot(rest, believed) != whole || speed != 75 {
		t.Errorf("out of memory: %v is left, at %v", rest, speed)
	}
}
