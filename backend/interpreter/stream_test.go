package interpreter_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/provider"
)

// streamed is what a window would have seen of an answer.
type streamed struct {
	words, thought string
	tokens         int // chat.token events
	resets         int
	last           time.Time
}

// streamed reads everything that has been published so far.
func (d *desk) streamed() (s streamed) {
	d.t.Helper()
	r := d.bus.SubscribeFrom(1)
	for seq := uint64(0); seq < d.bus.Seq(); {
		batch, err := r.Next(context.Background(), 0)
		if err != nil {
			d.t.Fatal(err)
		}
		for _, e := range batch {
			seq = e.Seq
			switch e.Kind {
			case event.KindChatToken:
				var token event.ChatToken
				if err := json.Unmarshal(e.Data, &token); err != nil || token.ID != "m1" || e.Chat != "main" || token.Delta == "" {
					d.t.Errorf("%s in %q: %v", e.Data, e.Chat, err)
				}
				if token.Reset {
					s.resets++
					s.words = ""
				}
				s.tokens++
				s.words += token.Delta
				s.last, _ = time.Parse(time.RFC3339Nano, e.Time)
			case event.KindThinking:
				var thinking event.Thinking
				err := json.Unmarshal(e.Data, &thinking)
				if err == nil && thinking.Work != nil {
					continue // on a slow machine the status tells what the model does; nothing of that is a thought
				}
				if err != nil || thinking.Step != "generating" {
					d.t.Errorf("%s: %v", e.Data, err)
				}
				s.thought += thinking.Text
			default:
			}
		}
	}
	return s
}

// writing says pieces one after the other.
func writing(pause time.Duration, pieces ...provider.Delta) say {
	return func(_ context.Context, _ provider.Request, on func(provider.Delta)) (string, error) {
		var text strings.Builder
		for _, p := range pieces {
			if p.Void {
				text.Reset()
			}
			text.WriteString(p.Text)
			on(p)
			if pause > 0 {
				<-time.After(pause)
			}
		}
		return text.String(), nil
	}
}

func texts(all ...string) (pieces []provider.Delta) {
	for _, text := range all {
		pieces = append(pieces, provider.Delta{Text: text})
	}
	return pieces
}

func streaming() interpreter.Brief {
	b := brief
	b.Message = "m1"
	return b
}

func TestAnAnswerStreamsWhileItsJSONArrives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := open(t, writing(time.Second, texts(`{"rou`, `te":"answer","re`, `ply":"안녕하`, `세요.\n무`, `엇을 도와드릴까요?`, `"}`)...))
		plan, err := d.Plan(t.Context(), streaming())
		if err != nil {
			t.Fatal(err)
		}
		if s := d.streamed(); s.words != plan.Reply || s.tokens != 3 || s.resets != 0 {
			t.Errorf("%+v, want %q in 3", s, plan.Reply)
		}
	})
}

// What is only for the shop streams nowhere: other routes, other roles, answers without a message.
func TestWhatDoesNotStream(t *testing.T) {
	d := open(t, writing(0, texts(`{"route":"stop","reply":"멈출게요","stop":{"all":true}}`)...))
	if _, err := d.Plan(t.Context(), streaming()); err != nil {
		t.Fatal(err)
	}
	d.voice.Say = writing(0, texts(`{"tool":"song","args":{}}`)...)
	if _, err := d.ChooseTool(t.Context(), streaming()); err != nil {
		t.Fatal(err)
	}
	d.voice.Say = writing(0, texts("요약이에요.")...)
	if _, err := d.Summarize(t.Context(), streaming()); err != nil {
		t.Fatal(err)
	}
	d.voice.Say = writing(0, provider.Delta{Thinking: "음"}, provider.Delta{Text: "보고예요."})
	if _, err := d.Report(t.Context(), brief); err != nil {
		t.Fatal(err)
	}
	if s := d.streamed(); s != (streamed{}) {
		t.Errorf("%+v", s)
	}
}

// A fast model does not flood the stream, and nothing of what it wrote is missing at the end.
func TestPiecesThatComeCloseAreToldTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pieces []provider.Delta
		for i := range 1000 {
			pieces = append(pieces, provider.Delta{Text: fmt.Sprint("낱말", i, " ")})
		}
		d := open(t, writing(time.Millisecond, pieces...))
		solution, err := d.Solve(t.Context(), streaming())
		text := solution.Text
		if err != nil {
			t.Fatal(err)
		}
		if s := d.streamed(); strings.TrimSpace(s.words) != text || s.tokens > 32 || s.tokens < 25 {
			t.Errorf("%d events for one second", s.tokens)
		}
	})
}

// An answer that is sent back begins anew in the window.
func TestARepairBeginsTheMessageAnew(t *testing.T) {
	d := open(t, nil)
	n := 0
	d.voice.Say = func(ctx context.Context, l provider.Request, on func(provider.Delta)) (string, error) {
		n++
		if n == 1 {
			return writing(0, texts(`{"route":"answer","reply":"Sure, I will play the song for you now."}`)...)(ctx, l, on)
		}
		return writing(0, texts(`{"route":"answer","reply":"네, `, `틀게요."}`)...)(ctx, l, on)
	}
	plan, err := d.Plan(t.Context(), streaming())
	if err != nil || plan.Reply != "네, 틀게요." {
		t.Fatalf("%+v, %v", plan, err)
	}
	if s := d.streamed(); s.words != plan.Reply || s.resets != 1 {
		t.Errorf("%+v", s)
	}
	if l := d.voice.Requests(); !strings.Contains(l[1].State.Repair, "Korean") {
		t.Errorf("the repair letter says %q", l[1].State.Repair)
	}
	if len(d.kept) != 2 || d.kept[0].Error != string(apperr.ModelBadOutput) || d.kept[0].Attempt != 1 || d.kept[1].Error != "" || d.kept[1].Attempt != 2 {
		t.Errorf("kept: %+v", d.kept)
	}
}

// Reasoning is shown apart, bounded, and never streams as words: not even what turns out to be reasoning afterwards.
func TestReasoningStaysApart(t *testing.T) {
	d := open(t, func(_ context.Context, _ provider.Request, on func(provider.Delta)) (string, error) {
		on(provider.Delta{Thinking: strings.Repeat("생각 ", 20000)})
		on(provider.Delta{Text: "비밀"})
		on(provider.Delta{Void: true})
		on(provider.Delta{Text: "보고예요."})
		return "보고예요.", nil
	})
	w, err := d.Report(t.Context(), streaming())
	if err != nil || w.Text != "보고예요." {
		t.Fatalf("%+v, %v", w, err)
	}
	s := d.streamed()
	if s.words != w.Text || utf8.RuneCountInString(s.thought) != 20000 {
		t.Errorf("%q and %d characters of reasoning", s.words, utf8.RuneCountInString(s.thought))
	}
}

// Once the customer stops a reply, no word of it comes any more.
func TestAfterAStopNothingStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		d := open(t, func(_ context.Context, _ provider.Request, on func(provider.Delta)) (string, error) {
			on(provider.Delta{Text: "하나 "})
			on(provider.Delta{Text: "둘 "}) // waits to be told together with the next
			<-release
			on(provider.Delta{Text: "셋"})
			return "하나 둘 셋", nil
		})
		ctx, stop := context.WithCancel(t.Context())
		over := make(chan error)
		go func() { _, err := d.Solve(ctx, streaming()); over <- err }()
		<-time.After(time.Millisecond)
		stop()
		if err := <-over; apperr.CodeOf(err) != apperr.Canceled {
			t.Error(err)
		}
		close(release)
		<-time.After(time.Minute)
		if s := d.streamed(); s.words != "하나 " || s.tokens != 1 {
			t.Errorf("%+v", s)
		}
	})
}

// While a model is read into memory its request has more time, and whoever shows it is told.
func TestLoading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []string
		d := openWith(t, func(_ context.Context, _ provider.Request, on func(provider.Delta)) (string, error) {
			on(provider.Delta{Loading: true})
			<-time.After(9 * time.Minute)
			on(provider.Delta{Text: "네"})
			return "네", nil
		}, func(deps *interpreter.Deps) {
			deps.Loading = func(name string, now bool) { told = append(told, fmt.Sprint(name, now)) }
		})
		if _, err := d.Solve(t.Context(), streaming()); err != nil {
			t.Fatal(err)
		}
		if len(told) != 2 || told[0] != "voicetrue" || told[1] != "voicefalse" {
			t.Errorf("told %v", told)
		}
		d.voice.Say = func(_ context.Context, _ provider.Request, on func(provider.Delta)) (string, error) {
			on(provider.Delta{Loading: true})
			<-time.After(time.Hour)
			return "", nil
		}
		began := time.Now()
		if _, err := d.Solve(t.Context(), streaming()); apperr.CodeOf(err) != apperr.ModelTimeout || time.Since(began) != 10*time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if len(told) != 4 || told[3] != "voicefalse" {
			t.Errorf("told %v", told)
		}
		<-time.After(2 * time.Hour)
	})
}
