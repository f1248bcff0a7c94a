package interpreter

import (
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// A prompt is sent whole, or the request ends as too long: what came with it goes first.
func TestAPromptIsNeverCut(t *testing.T) {
	long := func(title, word string, n int, keep bool) provider.StepResult {
		return provider.StepResult{Title: title, Text: strings.Repeat(word, n), OK: true, Untrusted: true, Keep: keep}
	}
	s := enter(t, &reader{tokenizer: tokenizers["qwen 2.5"], window: 4096}, 4096)
	brief := Brief{Chat: "main", Lang: bilingual.KO, Results: []provider.StepResult{
		long("file", "나다 ", 4000, false), long("prompt", "가나 ", 500, true), long("prompt", "라마 ", 500, true),
	}}
	if _, err := s.Prompted(t.Context(), brief); err != nil || len(s.reader.letters) == 0 {
		t.Fatal(err, len(s.reader.letters))
	}
	last := s.reader.letters[len(s.reader.letters)-1].State.Results
	if len(last) != 3 || last[1].Text != brief.Results[1].Text || last[2].Text != brief.Results[2].Text || last[0].Text == brief.Results[0].Text {
		t.Errorf("%.300v", last)
	}
	sent := len(s.reader.letters)
	brief.Results = []provider.StepResult{long("file", "나다 ", 100, false), long("prompt", "가나 ", 4000, true)}
	_, err := s.Prompted(t.Context(), brief)
	if apperr.CodeOf(err) != apperr.ContextOverflow {
		t.Errorf("%v", err)
	}
	for _, l := range s.reader.letters[sent:] {
		if l.Role == provider.RolePrompt {
			t.Errorf("it was sent all the same: %.300v", l.State.Results)
		}
	}
}
