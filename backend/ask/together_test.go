package ask_test

import (
	"context"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/toolbox"
)

// several is a store with several questions, each of which takes one answer.
type several map[string]*ask.Ask

func (s several) Ask(_ context.Context, id string) (ask.Ask, error) {
	if a, ok := s[id]; ok {
		return *a, nil
	}
	return ask.Ask{}, apperr.New(apperr.NotFound)
}

func (s several) AnswerAsk(_ context.Context, id string, answer ask.Answer) (bool, error) {
	s[id].State, s[id].Answer = ask.StateAnswered, &answer
	return true, nil
}

func (s several) OpenAsks(context.Context) ([]ask.Ask, error) { return nil, nil }

// Those that can be approved are, each by its own digest and this once only; the others stand as they were and say why.
func TestSeveralAreApprovedInOneGo(t *testing.T) {
	wide := []event.AskScope{{Scope: string(toolbox.ScopeOnce)}, {Scope: string(toolbox.ScopeChat), Default: true}}
	question := func(edit func(*ask.Ask)) *ask.Ask {
		a := &ask.Ask{Kind: ask.KindApproval, State: ask.StateOpen, Digest: "shown", Scopes: wide, Choices: []string{ask.ChoiceApprove, ask.ChoiceReject}}
		edit(a)
		return a
	}
	same := func(*ask.Ask) {}
	book := several{
		"first": question(same), "drifted": question(same), "last": question(same),
		"answered": question(func(a *ask.Ask) { a.State = ask.StateAnswered }),
		"money":    question(func(a *ask.Ask) { a.Scopes = wide[:1] }),
		"input":    question(func(a *ask.Ask) { a.Kind = ask.KindInput }),
	}
	for id, a := range book {
		a.ID = id
	}
	heard := 0
	desk := ask.NewDesk(ask.Deps{Store: book, Publisher: nobody{}, Now: time.Now, Answered: func(ask.Ask) { heard++ }})
	var shown []ask.Reply
	want := []apperr.Code{"", apperr.DigestMismatch, apperr.StaleAnswer, apperr.AnswerAlone, apperr.AnswerAlone, apperr.NotFound, ""}
	for _, id := range []string{"first", "drifted", "answered", "money", "input", "gone", "last"} {
		// Whatever else a reply holds counts for nothing.
		shown = append(shown, ask.Reply{Ask: id, Digest: "shown", Choice: ask.ChoiceReject, Scope: string(toolbox.ScopeAlways)})
	}
	shown[1].Digest = "what it was before"
	for i, err := range desk.Approve(t.Context(), shown) {
		if apperr.CodeOf(err) != want[i] {
			t.Errorf("%s: %v, want %q", shown[i].Ask, err, want[i])
		}
	}
	for _, id := range []string{"first", "last"} {
		if a := book[id].Answer; a == nil || a.Choice != ask.ChoiceApprove || a.Scope != string(toolbox.ScopeOnce) || a.Grant != nil || a.By != ask.ByPerson {
			t.Errorf("%s was answered with %+v", id, a)
		}
	}
	for _, id := range []string{"drifted", "money", "input"} {
		if book[id].Answer != nil {
			t.Errorf("%s was answered", id)
		}
	}
	if heard != 2 {
		t.Errorf("%d answers were worked in, want 2", heard)
	}
}
