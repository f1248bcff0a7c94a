package interpreter_test

import (
	"context"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
)

func wordsFor() interpreter.Brief {
	return interpreter.Brief{
		Chat: "main", Job: "j", Lang: bilingual.KO, Request: "user:\nName a table", From: "desk", Most: 40, Message: "m1",
		Background: interpreter.Background{Instructions: "short", Summary: "a secret", Facts: []string{"lives in Busan"}, Transcript: []provider.Turn{{Speaker: "customer", Text: "제5조는?"}}},
	}
}

// What an outside server asks for goes to a model with nothing of the conversation, and comes back as it is; nothing of it streams to the customer.
func TestWordsForAnOutsideServer(t *testing.T) {
	d := open(t, func(_ context.Context, _ provider.Request, on func(provider.Delta)) (string, error) {
		on(provider.Delta{Text: "By"})
		return "<think>hm</think>By the window", nil
	})
	out, err := d.WriteOutside(t.Context(), wordsFor())
	if err != nil || out.Text != "By the window" || out.Cut {
		t.Fatalf("%+v, %v", out, err)
	}
	req := d.voice.Requests()[0]
	p := provider.Adapter{}.NormalizePrompt(req)
	whole := p.System + p.Messages[0].Text
	for _, never := range []string{"Busan", "a secret", "제5조", "song", "planner", "short"} {
		if len(p.Messages) != 1 || strings.Contains(whole, never) {
			t.Errorf("%q goes along: %+v", never, p)
		}
	}
	if req.Most != 40 || len(req.Tools) != 0 || !strings.Contains(whole, "data from the outside server desk") || !strings.Contains(whole, "Name a table") {
		t.Errorf("%+v", req)
	}
	if len(d.kept) != 1 || d.kept[0].Request.Role != provider.RoleOutside || d.kept[0].Request.From != "desk" {
		t.Errorf("%+v", d.kept)
	}
	d.bus.Close()
	r := d.bus.SubscribeFrom(1)
	for batch, err := r.Next(context.Background(), 0); err == nil; batch, err = r.Next(context.Background(), 0) {
		for _, e := range batch {
			if e.Kind == event.KindChatToken {
				t.Errorf("%s", e.Data)
			}
		}
	}
}

// Code never stands in: without a model there are no words, also when it turns out only then that it is not there.
func TestNoWordsWithoutAModel(t *testing.T) {
	book := builtin.New()
	d := openWith(t, nil, func(deps *interpreter.Deps) { deps.Provider = func() provider.Provider { return book } })
	if _, err := d.WriteOutside(t.Context(), wordsFor()); apperr.CodeOf(err) != apperr.NotAvailable || d.HasModel(provider.RoleOutside) || len(d.kept) != 0 {
		t.Errorf("%v, %+v", err, d.kept)
	}
	d = openWith(t, func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
		return "", apperr.New(apperr.ProviderUnreachable)
	}, func(deps *interpreter.Deps) { deps.Standby = book })
	if out, err := d.WriteOutside(t.Context(), wordsFor()); apperr.CodeOf(err) != apperr.ProviderUnreachable {
		t.Errorf("%+v, %v", out, err)
	}
	d = open(t, fixed(""))
	if out, err := d.WriteOutside(t.Context(), wordsFor()); apperr.CodeOf(err) != apperr.ModelBadOutput {
		t.Errorf("%+v, %v", out, err)
	}
}
