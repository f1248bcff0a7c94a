package interpreter_test

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/interpreter"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
)

// inquiry is what the librarian is asked about in a chat that has said something.
func inquiry() interpreter.Brief {
	return interpreter.Brief{
		Chat: "main", Lang: bilingual.KO, Request: "위약금은?", Message: "m1",
		Background: interpreter.Background{
			Summary: "they talk about a contract", Facts: []string{"lives in Busan"},
			Transcript: []provider.Turn{{Speaker: "customer", Text: "제5조는?"}, {Speaker: "shop", Text: "월급이에요."}},
		},
		Results: []provider.StepResult{{Title: "passage", Tool: "documents", Text: "제5조", OK: true, Untrusted: true}},
		Library: &provider.LibraryState{Round: 1, Missing: []string{"위약금"}},
	}
}

// A reply that cannot be used is sent back twice with what is wrong with it; then it is the caller's turn.
func TestALibrariansReplyIsMended(t *testing.T) {
	d := open(t, fixed(`{"uses":[{"tool":"transfer","args":{}}]}`, `{"route":"answer","reply":"네"}`, `{"uses":[{"tool":"hybrid_search","args":{"query":"위약금"}}]}`))
	uses, err := d.LibraryPlan(t.Context(), inquiry())
	if err != nil || !reflect.DeepEqual(uses, []provider.LibraryUse{{Tool: "hybrid_search", Args: map[string]string{"query": "위약금"}}}) {
		t.Fatalf("%+v, %v", uses, err)
	}
	reqs := d.voice.Requests()
	if len(reqs) != 3 || reqs[0].State.Repair != "" || !strings.Contains(reqs[1].State.Repair, `no tool named "transfer"`) || !strings.Contains(reqs[2].State.Repair, "route") {
		t.Errorf("%+v", reqs)
	}
	for _, l := range reqs {
		if l.State.Library.Task != provider.TaskPlan || len(l.State.Library.Tools) != 4 || string(l.Schema) != string(provider.LibrarySchema(provider.TaskPlan)) || !json.Valid(l.Schema) {
			t.Errorf("%+v", l.State.Library)
		}
	}
	if done := d.paired(); len(done) != 3 || done[0].Agent != "librarian" {
		t.Errorf("%+v", done)
	}

	d = open(t, fixed(`{}`))
	for name, ask := range map[string]func() error{
		"scope":    func() error { _, err := d.LibraryScope(t.Context(), inquiry()); return err },
		"context":  func() error { _, err := d.LibraryContext(t.Context(), inquiry()); return err },
		"plan":     func() error { _, err := d.LibraryPlan(t.Context(), inquiry()); return err },
		"evaluate": func() error { _, err := d.LibraryEvaluate(t.Context(), inquiry()); return err },
	} {
		before := len(d.voice.Requests())
		if err := ask(); apperr.CodeOf(err) != apperr.ModelBadOutput || len(d.voice.Requests()) != before+3 {
			t.Errorf("%s: %v after %d letters", name, err, len(d.voice.Requests())-before)
		}
	}
}

// Every request of the librarian begins like the planner's of the same chat, so that a local model reads only its end; and
// nothing of it streams to the customer.
func TestALibrariansLetterBeginsLikeAnyOther(t *testing.T) {
	d := open(t, func(_ context.Context, l provider.Request, on func(provider.Delta)) (string, error) {
		reply := map[provider.LibraryTask]string{
			provider.TaskScope: `{"inScope":true}`, provider.TaskContext: `{"needPrevious":true}`, provider.TaskPlan: `{"uses":[]}`,
			provider.TaskEvaluate: `{"sufficient":true,"missing":[],"why":"위약금이 있다"}`,
		}
		text := `{"route":"answer","reply":"네"}`
		if l.Role == provider.RoleLibrarian {
			text = reply[l.State.Library.Task]
			on(provider.Delta{Text: text, Thinking: "음"})
		}
		return text, nil
	})
	b := inquiry()
	in, err := d.LibraryScope(t.Context(), b)
	if err != nil || !in {
		t.Error(in, err)
	}
	if need, err := d.LibraryContext(t.Context(), b); err != nil || !need {
		t.Error(need, err)
	}
	if uses, err := d.LibraryPlan(t.Context(), b); err != nil || len(uses) != 0 {
		t.Error(uses, err)
	}
	if v, err := d.LibraryEvaluate(t.Context(), b); err != nil || !v.Sufficient || v.Why != "위약금이 있다" {
		t.Error(v, err)
	}
	b.Library = nil
	if _, err := d.Plan(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	reqs := d.voice.Requests()
	last := provider.Adapter{}.NormalizePrompt(reqs[4])
	for _, l := range reqs[:4] {
		p := provider.Adapter{}.NormalizePrompt(l)
		n := len(p.Messages) - 1
		if p.System != last.System || n != len(last.Messages)-1 || !reflect.DeepEqual(p.Messages[:n], last.Messages[:n]) {
			t.Errorf("%s begins otherwise", l.State.Library.Task)
		}
		if !strings.HasPrefix(p.Messages[n].Text, "role: librarian\nlanguage: ko\n") || !strings.HasSuffix(p.Messages[n].Text, "request:\n위약금은?") {
			t.Errorf("%q", p.Messages[n].Text)
		}
	}
	if s := d.streamed(); s.words != "" {
		t.Errorf("it streamed %+v", s)
	}
}

// Nobody stands in for a model that is not there: the library's own rules do.
func TestNobodyStandsInForTheLibrarian(t *testing.T) {
	d := openWith(t, func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
		return "", apperr.New(apperr.ProviderUnreachable)
	}, func(deps *interpreter.Deps) { deps.Standby = builtin.New() })
	if _, err := d.LibraryEvaluate(t.Context(), inquiry()); apperr.CodeOf(err) != apperr.ProviderUnreachable || len(d.kept) != 1 || d.kept[0].Provider != "voice" {
		t.Errorf("%v, %+v", err, d.kept)
	}
	text, err := builtin.New().Chat(t.Context(), provider.Request{Role: provider.RoleLibrarian, Lang: bilingual.KO, Message: "위약금은?"}, nil)
	if err != nil || text.Text != "{}" {
		t.Errorf("%q, %v", text.Text, err)
	}
}
