package manager_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/manager"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// waits makes the provider answer this way once it is let go; it does not listen to cancellation.
func (h *house) waits(p provider.Plan) (release func()) {
	gate := make(chan struct{})
	h.voice.Say = func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
		<-gate
		return jobtest.PlanJSON(p), nil
	}
	return func() { close(gate) }
}

func (h *house) delete(chat string) {
	h.T.Helper()
	if err := h.DeleteChat(context.Background(), chat); err != nil {
		h.T.Fatal(err)
	}
}

// gone fails the test when anything of a deleted chat is there, or was told after its end.
func (h *house) gone(chat string) {
	h.T.Helper()
	if lines := h.history(chat); len(lines) != 0 {
		h.T.Errorf("the chat still says %v", lines)
	}
	chats, err := h.Store.Chats(context.Background())
	if err != nil {
		h.T.Fatal(err)
	}
	for _, c := range chats {
		if c.ID == chat {
			h.T.Error("the chat came back")
		}
	}
	if jobs, err := h.Store.ChatJobs(context.Background(), "", 0); err != nil || len(jobs) != 0 {
		h.T.Errorf("%d jobs go on, %v", len(jobs), err)
	}
	over := false
	for _, e := range h.Envelopes() {
		switch {
		case e.Chat != chat:
		case e.Kind == event.KindChatDeleted:
			over = true
		case over && (e.Kind == event.KindChatMessage || e.Kind == event.KindChatCreated || e.Kind == event.KindJobCreated):
			h.T.Errorf("%s was told of a chat that is gone: %s", e.Kind, e.Data)
		}
	}
}

// A chat that is taken back has what was said in it, and nothing of what was under way: neither then nor after the next start.
func TestAChatThatIsTakenBackStartsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		release := h.waits(jobsPlan("nav", "song"))
		h.send("main", "go", "")
		h.Settle()
		h.delete("main")
		if err := h.RestoreChat(t.Context(), "main"); err != nil {
			t.Fatal(err)
		}
		release()
		h.Settle()
		if !slices.ContainsFunc(h.Envelopes(), func(e event.Envelope) bool { return e.Kind == event.KindChatRestored }) {
			t.Error("nobody was told")
		}
		h.restart()
		if lines := h.history("main"); len(lines) != 1 {
			t.Errorf("the chat says %v", lines)
		}
		if jobs, err := h.Store.ChatJobs(t.Context(), "", 0); err != nil || len(jobs) != 0 {
			t.Errorf("%d jobs go on, %v", len(jobs), err)
		}
		if pending, err := h.Store.PendingTurns(t.Context()); err != nil || len(pending) != 0 {
			t.Errorf("%d turns would go on, %v", len(pending), err)
		}
	})
}

// A turn that is being planned when its chat is deleted writes nothing, starts nothing and brings nothing back, and neither do
// those that waited behind it, whenever the program ends.
func TestADeletedChatTakesItsTurnsAlong(t *testing.T) {
	for _, kind := range []string{"jobs", "answer", "killed"} {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := openHouse(t)
				plan := jobsPlan("nav", "song")
				if kind == "answer" {
					plan = provider.Plan{Route: provider.RouteAnswer, Reply: "late"}
				}
				release := h.waits(plan)
				first, behind := h.send("main", "go", ""), h.send("main", "and then?", "")
				h.Settle()
				if kind == "killed" {
					if _, err := h.Store.DeleteChat(t.Context(), "main"); err != nil {
						t.Fatal(err)
					}
					h.Manager.Stop()
					release()
					h.restart()
					h.gone("main")
					return
				}
				h.delete("main")
				release()
				h.Settle()
				h.gone("main")
				for _, id := range []string{first, behind} {
					if d := h.turn(id); len(d.Jobs) != 0 {
						t.Errorf("turn.done names %v", d.Jobs)
					}
				}
				h.restart()
				h.gone("main")
			})
		})
	}
}

// Tickets that are just being put in line when their chat is deleted do not stay there.
func TestTicketsOfADeletedChatAreNotHandedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.plans(jobsPlan("nav", "song"))
		var once sync.Once
		h.Hear = func(e event.Event) {
			if _, ok := e.Data.(event.JobCreated); ok {
				once.Do(func() { go h.delete("main") })
			}
		}
		h.send("main", "go", "")
		h.Settle()
		h.Pass(50 * time.Millisecond)
		h.gone("main")
		if states := jobtest.Payloads[event.JobState](h.Floor, ""); !slices.ContainsFunc(states, func(s event.JobState) bool { return s.To == string(job.Canceled) }) {
			t.Errorf("no job was ended: %+v", states)
		}
	})
}

// Jobs that run, wait and stand in line end with their chat, without a word to it; also when the program ends before anybody
// stopped them.
func TestADeletedChatTakesItsJobsAlong(t *testing.T) {
	for _, killed := range []bool{false, true} {
		t.Run(fmt.Sprint("killed ", killed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := openHouse(t)
				ids := h.start("main", "nav", "movie", "pay", "song")
				elsewhere := h.start("another chat", "song")[0]
				runs := len(h.Envelopes())
				if killed {
					if _, err := h.Store.DeleteChat(t.Context(), "main"); err != nil {
						t.Fatal(err)
					}
					h.restart()
					runs = 0 // a new stream
				} else {
					h.delete("main")
				}
				h.Pass(50 * time.Millisecond)
				for _, id := range ids {
					h.WantState(id, job.Canceled)
				}
				h.NoQuestion()
				h.WantState(elsewhere, job.Running)
				if err := h.Jobs.CancelJob(elsewhere); err != nil {
					t.Fatal(err)
				}
				h.Pass(50 * time.Millisecond)
				h.gone("main")
				for _, e := range h.Envelopes()[runs:] {
					if e.Kind == event.KindToolAcquired && e.Job != elsewhere {
						t.Errorf("a tool was taken for a chat that is gone: %s", e.Data)
					}
				}
				board, err := h.Store.Board(t.Context(), 100)
				if err != nil || len(board) != 1 {
					t.Errorf("%d tickets are on the board, %v", len(board), err)
				}
			})
		})
	}
}

// What is said on purpose brings a deleted chat back, and nothing of what was under way in it.
func TestADeletedChatIsBegunAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		release := h.waits(provider.Plan{Route: provider.RouteAnswer, Reply: "late"})
		h.send("main", "first", "")
		h.Settle()
		h.delete("main")
		h.voice.Say = nil
		second := h.send("main", "second", "")
		release()
		h.Settle()
		if d := h.turn(second); d.Message != "second" {
			t.Errorf("%+v", d)
		}
		if lines := h.history("main"); !slices.Equal(lines, []string{"customer: second", "shop: second"}) {
			t.Errorf("history %v", lines)
		}
	})
}

// A counter session that is worked on when its chat is deleted stays away.
func TestADeletedChatTakesItsCounterAlong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openStall(t)
		s.say("main", "엄마한테 만원 보내줘")
		if open, err := s.Store.Counters(t.Context()); err != nil || len(open) != 1 {
			t.Fatalf("%+v, %v", open, err)
		}
		release := make(chan struct{})
		s.Hear = func(e event.Event) {
			if a, ok := e.Data.(event.AgentStart); ok && a.Agent == "slot" {
				<-release
			}
		}
		s.send("main", "3만원으로 바꿔줘", "")
		s.Settle()
		s.delete("main")
		close(release)
		s.Settle()
		if open, err := s.Store.Counters(t.Context()); err != nil || len(open) != 0 {
			t.Errorf("%+v, %v", open, err)
		}
		s.gone("main")
	})
}

func (h *house) instead(request, text string) event.TurnDone {
	h.T.Helper()
	msg, err := h.SayInstead(context.Background(), request, manager.Instead{Text: text})
	if err != nil {
		h.T.Fatal(err)
	}
	h.Settle()
	h.Pass(50 * time.Millisecond)
	return h.turn(msg.ID)
}

// A request that is changed takes along what came of it and after it, and nothing else.
func TestSayingItDifferently(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.say("main", "one")
		kept := h.start("main", "nav")[0]
		h.voice.Say = nil
		two := h.say("main", "two").MessageID
		gone := h.start("main", "song")[0]
		h.voice.Say = nil
		if d := h.instead(two, "2"); d.Message != "2" {
			t.Errorf("%+v", d)
		}
		if lines := h.history("main"); !slices.Equal(lines, []string{"customer: one", "shop: one", "customer: start nav", "shop: ok", "customer: 2", "shop: 2"}) {
			t.Errorf("history %v", lines)
		}
		h.WantState(kept, job.Running)
		h.WantState(gone, job.Canceled)
		cuts := jobtest.Payloads[event.ChatCut](h.Floor, "")
		if len(cuts) != 1 || len(cuts[0].Messages) != 4 || !slices.Equal(cuts[0].Jobs, []string{gone}) {
			t.Errorf("%+v", cuts)
		}
		l := h.voice.Requests()[len(h.voice.Requests())-1]
		for _, line := range l.Transcript {
			if line.Text == "two" || line.Text == "start song" {
				t.Errorf("the letter still says %+v", l.Transcript)
			}
		}
		if _, err := h.SayInstead(t.Context(), two, manager.Instead{Text: "again"}); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("a request that is gone: %v", err)
		}
	})
}

// A change that is refused loses nothing.
func TestAChangeThatIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		one := h.say("main", "one").MessageID
		before := h.history("main")
		for text, code := range map[string]apperr.Code{"": apperr.EmptyMessage, strings.Repeat("x", manager.MaxMessage+1): apperr.MessageTooLong} {
			if _, err := h.SayInstead(t.Context(), one, manager.Instead{Text: text}); apperr.CodeOf(err) != code {
				t.Errorf("%v, want %s", err, code)
			}
		}
		msgs, err := h.Store.History(t.Context(), "main", "", 10)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.SayInstead(t.Context(), msgs[1].ID, manager.Instead{Text: "not mine"}); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("the shop's words: %v", err)
		}
		if !slices.Equal(h.history("main"), before) {
			t.Errorf("history %v", h.history("main"))
		}
	})
}

// A request that is changed while it is answered is not answered any more; those said before it are.
func TestSayingItDifferentlyMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		gate := make(chan struct{})
		h.voice.Say = func(_ context.Context, l provider.Request, _ func(provider.Delta)) (string, error) {
			if l.Message == "one" {
				<-gate
			}
			return jobtest.PlanJSON(provider.Plan{Route: provider.RouteAnswer, Reply: "re " + l.Message}), nil
		}
		h.send("main", "one", "")
		two := h.send("main", "two", "")
		h.Settle()
		if _, err := h.SayInstead(t.Context(), two, manager.Instead{Text: "three"}); err != nil {
			t.Fatal(err)
		}
		close(gate)
		h.Settle()
		want := []string{"customer: one", "customer: three", "shop: re one", "shop: re three"}
		if lines := h.history("main"); !slices.Equal(lines, want) {
			t.Errorf("history %v", lines)
		}
		h.turn(two)

		// The reply to what was said before stays, though it was written later.
		msgs, err := h.Store.History(t.Context(), "main", "", 10)
		if err != nil {
			t.Fatal(err)
		}
		if msgs[2].Turn != msgs[0].ID || msgs[3].Turn != msgs[1].ID {
			t.Errorf("the replies belong to %s and %s", msgs[2].Turn, msgs[3].Turn)
		}
		h.instead(msgs[1].ID, "four")
		want = []string{"customer: one", "shop: re one", "customer: four", "shop: re four"}
		if lines := h.history("main"); !slices.Equal(lines, want) {
			t.Errorf("history %v", lines)
		}
	})
}

// What was confirmed at the counter stands, and its outcome is told, though the request is changed meanwhile; what was not
// confirmed is asked no more.
func TestAChangedRequestAtTheCounter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openStall(t)
		asked := s.say("main", "엄마한테 만원 보내줘").MessageID
		s.instead(asked, "안녕")
		if open, err := s.Store.Counters(t.Context()); err != nil || len(open) != 0 {
			t.Errorf("%+v, %v", open, err)
		}

		slow := make(chan struct{})
		do := s.pay.Do
		s.pay.Do = func(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
			<-slow
			return do(ctx, call)
		}
		asked = s.say("main", "엄마한테 만원 보내줘").MessageID
		s.send("main", "확인", "")
		s.Settle()
		msg, err := s.SayInstead(t.Context(), asked, manager.Instead{Text: "안녕"})
		if err != nil {
			t.Fatal(err)
		}
		s.Settle()
		close(slow)
		s.Settle()
		s.turn(msg.ID)
		lines := s.history("main")
		if last := lines[len(lines)-1]; len(s.moved) != 1 || !strings.HasPrefix(last, "shop: 이체가") {
			t.Errorf("%d transfers; %v", len(s.moved), lines)
		}
		if open, err := s.Store.Counters(t.Context()); err != nil || len(open) != 0 {
			t.Errorf("%+v, %v", open, err)
		}
	})
}

// A reply that is stopped keeps what was written of it.
func TestAStoppedReplyKeepsWhatWasWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.voice.Say = func(ctx context.Context, _ provider.Request, on func(provider.Delta)) (string, error) {
			on(provider.Delta{Thinking: "hm"})
			on(provider.Delta{Text: `{"route":"answer","reply":"Once upon a time`})
			<-time.After(time.Second)
			on(provider.Delta{Text: ` there was`})
			<-ctx.Done()
			return "", ctx.Err()
		}
		id := h.send("main", "a story", "")
		h.Pass(2 * time.Second)
		if !h.StopReply("main") {
			t.Fatal("there was no reply to stop")
		}
		h.Settle()
		if d := h.turn(id); d.Message != "Once upon a time there was" {
			t.Errorf("%+v", d)
		}
		msgs, err := h.Store.History(t.Context(), "main", "", 10)
		if err != nil || len(msgs) != 2 || msgs[1].Code != string(apperr.Stopped) || msgs[1].Text != "Once upon a time there was" || msgs[1].Reasoning != "hm" {
			t.Errorf("%+v, %v", msgs, err)
		}
		if told := jobtest.Payloads[event.Error](h.Floor, ""); len(told) != 0 {
			t.Errorf("%+v", told)
		}
	})
}

// A failure is told once: by the reply.
func TestAFailureIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.voice.Say = func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
			return "", apperr.New(apperr.ProviderUnreachable, "provider", "ollama")
		}
		h.say("main", "hello")
		if told := jobtest.Payloads[event.Error](h.Floor, ""); len(told) != 0 {
			t.Errorf("beside the reply: %+v", told)
		}
	})
}

// Work is stopped for other work only when that is sure to start, and the reply tells of both.
func TestOldWorkIsStoppedForNewWorkThatStarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		song := h.start("main", "song")[0]
		swap := jobsPlan("movie")
		swap.Stop = &provider.StopPlan{Tool: "song"}
		h.plans(swap)
		h.Queue = 0
		h.say("main", "song off, movie on")
		h.Pass(50 * time.Millisecond)
		h.WantState(song, job.Running)
		h.Queue = 10
		h.book.set(failOnce("save"))
		h.say("main", "song off, movie on")
		h.Pass(50 * time.Millisecond)
		h.WantState(song, job.Running)
		d := h.say("main", "song off, movie on")
		h.Pass(50 * time.Millisecond)
		h.WantState(song, job.Canceled)
		h.WantState(d.Jobs[0], job.Running)
		if !strings.Contains(d.Message, "the song") || !strings.HasSuffix(d.Message, "ok") {
			t.Errorf("the reply says %q", d.Message)
		}
	})
}

// "Everything" is everything, however much it is, and no other chat's.
func TestStoppingEverythingReachesEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		elsewhere := h.start("another chat", "song")[0]
		many := provider.Plan{Route: provider.RouteJobs, Reply: "ok"}
		for range 130 {
			many.Jobs = append(many.Jobs, jobsPlan("nav").Jobs...)
		}
		plans := make([]provider.JobPlan, 0, len(many.Jobs))
		plans = append(plans, many.Jobs...)
		ids := h.Hand("main", plans...)
		h.Settle()
		h.plans(provider.Plan{Route: provider.RouteStop, Stop: &provider.StopPlan{All: true}})
		d := h.say("main", "stop everything")
		h.Pass(50 * time.Millisecond)
		for _, id := range ids {
			h.WantState(id, job.Canceled)
		}
		h.WantState(elsewhere, job.Running)
		if !strings.Contains(d.Message, "130") {
			t.Errorf("the reply says %q", d.Message)
		}
	})
}
