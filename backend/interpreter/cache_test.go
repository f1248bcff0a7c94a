package interpreter_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// shelf is a cache in memory.
type shelf map[string]provider.Reply

func (s shelf) Answer(_ context.Context, key string) (provider.Reply, bool) {
	r, ok := s[key]
	return r, ok
}

func (s shelf) Keep(_ context.Context, key string, r provider.Reply) { s[key] = r }

// An answer is given again to the same request of the same day and model, and to no other.
func TestAnAnswerIsGivenAgain(t *testing.T) {
	kept, model, asked := shelf{}, "one", 0
	d := openWith(t, func(_ context.Context, _ provider.Request, on func(provider.Delta)) (string, error) {
		asked++
		on(provider.Delta{Text: "월급은 300만원이에요 [1]."})
		return "월급은 300만원이에요 [1].", nil
	}, func(deps *interpreter.Deps) {
		deps.Cache = kept
		deps.Budget.Window = func(provider.Provider, provider.Role, string) interpreter.Window {
			return interpreter.Window{Model: model}
		}
	})
	d.voice.Sign = func(r *provider.Reply) { r.Model = model }
	day := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	brief := func() interpreter.Brief {
		return interpreter.Brief{
			Chat: "main", Lang: bilingual.KO, Now: day, Request: "월급이 얼마야?", Message: "m", Recall: interpreter.RecallAlone,
			Background: interpreter.Background{Transcript: []provider.Turn{{Speaker: "customer", Text: "안녕?"}}},
			Results:    []provider.StepResult{{Title: "[1] mine", Text: "월급은 300만원으로 한다.", OK: true, Untrusted: true}},
		}
	}
	for _, c := range []struct {
		what   string
		change func(b *interpreter.Brief)
		again  bool
	}{
		{"the first", func(*interpreter.Brief) {}, false},
		{"the same", func(*interpreter.Brief) {}, true},
		{"later that day", func(b *interpreter.Brief) { b.Now = b.Now.Add(8 * time.Hour) }, true},
		{"another conversation", func(b *interpreter.Brief) {
			b.Chat, b.Background = "other", interpreter.Background{Summary: "다른 이야기"}
		}, true},
		{"the next day", func(b *interpreter.Brief) { b.Now = b.Now.Add(24 * time.Hour) }, false},
		{"other words", func(b *interpreter.Brief) { b.Request = "월급이 얼마지?" }, false},
		{"another passage", func(b *interpreter.Brief) { b.Results[0].Text = "월급은 400만원으로 한다." }, false},
		{"another language", func(b *interpreter.Brief) { b.Lang = bilingual.EN; b.Request = "한국어로 월급이 얼마야?" }, false},
		{"never again", func(b *interpreter.Brief) { b.Recall = interpreter.RecallNever }, false},
		{"in this conversation", func(b *interpreter.Brief) { b.Recall = interpreter.RecallWhole }, false},
		{"in this conversation again", func(b *interpreter.Brief) { b.Recall = interpreter.RecallWhole }, true},
		{"in this conversation, which went on", func(b *interpreter.Brief) {
			b.Recall = interpreter.RecallWhole
			b.Background.Transcript = append(b.Background.Transcript, provider.Turn{Speaker: "shop", Text: "네."})
		}, false},
		{"another model", func(*interpreter.Brief) { model = "two" }, false},
	} {
		b := brief()
		c.change(&b)
		before := asked
		r, err := d.Respond(t.Context(), b)
		if err != nil || r.Text != "월급은 300만원이에요 [1]." || r.Cut {
			t.Fatalf("%s: %+v, %v", c.what, r, err)
		}
		if again := asked == before; again != c.again {
			t.Errorf("%s: answered without the model: %t", c.what, again)
		}
		if x := d.kept[len(d.kept)-1]; x.Reply.Recalled != c.again {
			t.Errorf("%s: the letter that is kept: %+v", c.what, x.Reply)
		}
	}
	streamed := 0
	d.bus.Close()
	r := d.bus.SubscribeFrom(1)
	for {
		batch, err := r.Next(context.Background(), 0)
		if err != nil {
			break
		}
		for _, e := range batch {
			if e.Kind == event.KindChatToken {
				streamed++
			}
		}
	}
	if streamed != len(d.kept) {
		t.Errorf("%d of %d answers were streamed", streamed, len(d.kept))
	}
}

// What could not be used, or was cut, is not kept; and what is kept must still pass.
func TestOnlyGoodAnswersAreKept(t *testing.T) {
	kept, reason, words := shelf{}, "length", "네, 300만원이에요."
	d := openWith(t, func(context.Context, provider.Request, func(provider.Delta)) (string, error) { return words, nil }, func(deps *interpreter.Deps) {
		deps.Cache = kept
		deps.Budget.Window = func(provider.Provider, provider.Role, string) interpreter.Window {
			return interpreter.Window{Model: "m"}
		}
	})
	d.voice.Sign = func(r *provider.Reply) { r.Model, r.DoneReason = "m", reason }
	b := interpreter.Brief{Chat: "main", Lang: bilingual.KO, Request: "얼마야?", Recall: interpreter.RecallAlone}
	if r, err := d.Respond(t.Context(), b); err != nil || !r.Cut || len(kept) != 0 {
		t.Errorf("an answer that was cut: %+v, %v, %d kept", r, err, len(kept))
	}
	reason, words = "stop", " "
	if _, err := d.Respond(t.Context(), b); apperr.CodeOf(err) != apperr.ModelBadOutput || len(kept) != 0 {
		t.Errorf("an empty answer: %v, %d kept", err, len(kept))
	}
	words = "네, 300만원이에요."
	if _, err := d.Respond(t.Context(), b); err != nil || len(kept) != 1 {
		t.Fatalf("%v, %d kept", err, len(kept))
	}
	for key, r := range kept {
		r.Text = strings.Repeat("같은 말. ", 40)
		kept[key] = r
	}
	if r, err := d.Respond(t.Context(), b); err != nil || r.Text != words {
		t.Errorf("a kept answer that is no good: %+v, %v", r, err)
	}
}
