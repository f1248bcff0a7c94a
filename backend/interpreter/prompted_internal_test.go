package interpreter

import (
	"context"
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

// translator answers in a language that is not the customer's.
type translator struct{ *reader }

func (translator) Chat(context.Context, provider.Request, func(provider.Delta)) (provider.Reply, error) {
	return provider.Reply{Text: "The contract ends at the close of the month, and either side may end it earlier in writing."}, nil
}

// A prompt may ask for another language: its answer is right in that one, also where the customer speaks Korean.
func TestAPromptMayAskForAnotherLanguage(t *testing.T) {
	s := enter(t, &reader{tokenizer: tokenizers["qwen 2.5"], window: 8192}, 8192)
	s.deps.Provider = func() provider.Provider { return translator{s.reader} }
	brief := Brief{Chat: "main", Lang: bilingual.KO, Results: []provider.StepResult{
		{Title: "prompt", Text: "Translate into English: 계약은 월말에 끝난다.", OK: true, Untrusted: true, Keep: true},
	}}
	if r, err := s.Prompted(t.Context(), brief); err != nil || !strings.HasPrefix(r.Text, "The contract") {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := s.Report(t.Context(), brief); apperr.CodeOf(err) != apperr.ModelBadOutput {
		t.Errorf("elsewhere it is the wrong language: %v", err)
	}
}
