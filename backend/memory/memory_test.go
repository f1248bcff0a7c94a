package memory_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/memory"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Seed 002: beyond eight turns a summary, the newest four word for word.
func TestBeyondEightTurnsASummaryIsMade(t *testing.T) {
	r := enter(t)
	r.turns(8)
	r.idle()
	if b := r.Background(t.Context(), "main"); b.Summary != "" || r.whole(b) != 0 {
		t.Fatalf("eight turns are summed up already: %q", b.Summary)
	}
	r.turns(1)
	r.idle()
	b := r.Background(t.Context(), "main")
	if from := r.whole(b); from != 10 || len(b.Transcript) != 8 {
		t.Fatalf("%d lines summed up, %d raw", from, len(b.Transcript))
	}
	v := r.view("main")
	if v.Summary != "요약 10" || v.TurnsSummarised != 5 || v.TurnsRaw != 4 || len(v.Recent) != 8 || v.SummaryAt == "" {
		t.Errorf("the view: %+v", v)
	}
	r.restart()
	if again := r.Background(t.Context(), "main"); again.Summary != b.Summary || !slices.Equal(again.Transcript, b.Transcript) {
		t.Errorf("after a restart: %+v", again)
	}
}

// While a turn is under way no summary is begun, and one that is under way is laid down.
func TestASummaryNeverHoldsUpATurn(t *testing.T) {
	r := enter(t)
	began, ended := make(chan struct{}, 9), make(chan error, 9)
	r.before = func(ctx context.Context) error {
		began <- struct{}{}
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	}
	r.turns(9)
	<-began
	done := r.Turn("main")
	if err := <-ended; err == nil {
		t.Fatal("the summary went on")
	}
	r.mu.Lock()
	r.before = nil
	r.mu.Unlock()
	if b := r.Background(t.Context(), "main"); b.Summary != "" {
		t.Fatal("half a summary was kept")
	}
	done()
	r.idle()
	if r.whole(r.Background(t.Context(), "main")) != 10 {
		t.Error("it was not taken up again")
	}
}

// Where turns follow one another without a pause, a summary is made all the same after a while, and no turn breaks it off.
func TestTurnsWithoutAPauseAreSummedUp(t *testing.T) {
	r := enter(t)
	began, goOn := make(chan struct{}, 99), make(chan struct{})
	r.before = func(ctx context.Context) error {
		began <- struct{}{}
		<-goOn
		return ctx.Err()
	}
	defer r.Turn("other")() // from now on there is always a turn under way
	r.turns(17)
	<-began
	defer r.Turn("main")()
	close(goOn)
	r.idle()
	if n := r.whole(r.Background(t.Context(), "main")); n != 2*(17-4) {
		t.Errorf("%d lines are summed up", n)
	}
}

// A summary that fails leaves the turns raw; it is tried again, less and less often.
func TestASummaryThatFailsIsTriedAgain(t *testing.T) {
	r := enter(t)
	r.fail(errModel)
	for range 12 { // one at a time: a turn that begins meanwhile would break the try off
		r.turns(1)
		r.idle()
	}
	if b := r.Background(t.Context(), "main"); r.whole(b) != 0 || r.folds != 1 {
		t.Fatalf("after %d tries: %q", r.folds, b.Summary)
	}
	for tries, rest := range []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute} {
		r.pass(rest - time.Second)
		r.turns(1)
		r.idle()
		if r.folds != tries+1 {
			t.Fatalf("tried %d times before its rest was over", r.folds)
		}
		r.pass(time.Second)
		r.turns(1)
		r.idle()
		if r.folds != tries+2 {
			t.Fatalf("tried %d times, want %d", r.folds, tries+2)
		}
	}
	r.fail(nil)
	r.pass(time.Hour)
	r.turns(1)
	r.idle()
	if b := r.Background(t.Context(), "main"); r.whole(b) != len(r.told)-8 {
		t.Errorf("%d lines are summed up", r.whole(b))
	}
}

// A chat that nobody speaks in any more gets its summary all the same: the clock brings it back.
func TestASummaryThatFailsIsTriedAgainByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := enter(t)
		r.fail(errModel)
		r.turns(9)
		r.idle()
		tried := func(want int) {
			t.Helper()
			synctest.Wait()
			r.idle()
			r.mu.Lock()
			defer r.mu.Unlock()
			if r.folds != want {
				t.Fatalf("tried %d times, want %d", r.folds, want)
			}
		}
		for tries, rest := range []time.Duration{1, 2, 4, 8, 16, 30} {
			<-time.After(rest*time.Minute - time.Second)
			tried(tries + 1)
			<-time.After(time.Second)
			tried(tries + 2)
		}
		r.fail(nil)
		<-time.After(30 * time.Minute)
		synctest.Wait()
		r.idle()
		if n := r.whole(r.Background(t.Context(), "main")); n != 10 {
			t.Fatalf("%d lines are summed up", n)
		}
		r.mu.Lock()
		folds := r.folds
		r.mu.Unlock()
		<-time.After(2 * time.Hour)
		tried(folds)
	})
}

// Messages keep the place in which requests first carried them, also when the next customer message came before an answer.
func TestOrderOfTheTranscript(t *testing.T) {
	r := enter(t)
	one := r.begin("main", "하나")
	two := r.begin("main", "둘")
	if b := r.Background(t.Context(), "main"); len(b.Transcript) != 0 {
		t.Fatalf("a request is told as what went before: %+v", b.Transcript)
	}
	r.end(one, "하나 됐어요")
	before := r.Background(t.Context(), "main")
	r.whole(before)
	r.end(two, "둘 됐어요")
	after := r.Background(t.Context(), "main")
	r.whole(after)
	if !slices.Equal(after.Transcript[:2], before.Transcript) {
		t.Errorf("%+v is no beginning of %+v", before.Transcript, after.Transcript)
	}
}

func TestCompactKeepsAsManyTurnsAsFit(t *testing.T) {
	for most, turns := range map[int]int{100: 8, 9: 4, 7: 3, 5: 2, 3: 1, 1: 1} { // lines that fit beside a summary
		r := enter(t)
		r.fail(errModel)
		r.turns(8)
		r.idle()
		r.fail(nil)
		b, made, err := r.Compact(t.Context(), "main", r.pen(func(b interpreter.Background) bool { return len(b.Transcript) <= most }))
		r.must(err)
		r.whole(b)
		if made != (most < 16) || len(b.Transcript) != 2*turns {
			t.Errorf("room for %d lines: %d stay raw, cut %v", most, len(b.Transcript), made)
		}
		if now := r.Background(t.Context(), "main"); now.Summary != b.Summary || !slices.Equal(now.Transcript, b.Transcript) {
			t.Errorf("the next letter begins with %q, not %q", now.Summary, b.Summary)
		}
	}
}

// Without a model the built-in summary takes over, in one cut.
func TestCompactWithoutAModel(t *testing.T) {
	r := enter(t)
	r.fail(errModel)
	r.turns(6)
	r.idle()
	b, made, err := r.Compact(t.Context(), "main", r.pen(func(b interpreter.Background) bool { return len(b.Transcript) <= 4 }))
	r.must(err)
	if from := r.whole(b); !made || from != 8 {
		t.Errorf("%d lines summed up, cut %v", from, made)
	}
}

// A summary made for a record that changed meanwhile is thrown away.
func TestAnEditWinsOverASummaryUnderWay(t *testing.T) {
	r := enter(t)
	r.before = func(context.Context) error {
		return r.EditSummary(context.Background(), "main", "손으로 쓴 요약")
	}
	r.turns(9)
	r.idle()
	b := r.Background(t.Context(), "main")
	if b.Summary != "손으로 쓴 요약" || len(b.Transcript) != 18 {
		t.Errorf("%q and %d lines", b.Summary, len(b.Transcript))
	}
	if err := r.EditSummary(t.Context(), "main", strings.Repeat("가", 4001)); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Errorf("a summary of any length: %v", err)
	}
}

func TestForgettingAChat(t *testing.T) {
	r := enter(t)
	r.turns(9)
	r.idle()
	r.must(r.ForgetChat(t.Context(), "main"))
	if b := r.Background(t.Context(), "main"); b.Summary != "" || len(b.Transcript) != 0 {
		t.Errorf("%q and %d lines are still told", b.Summary, len(b.Transcript))
	}
	if msgs, err := r.store.History(t.Context(), "main", "", 100); err != nil || len(msgs) != 18 {
		t.Errorf("%d messages are still to be seen, %v", len(msgs), err)
	}
	if b := r.turn("main", "다시"); len(b.Transcript) != 0 {
		t.Errorf("%+v", b.Transcript)
	}
	if b := r.Background(t.Context(), "main"); len(b.Transcript) != 2 {
		t.Errorf("%+v", b.Transcript)
	}
}

func TestADeletedChatTakesItsSummaryAlong(t *testing.T) {
	r := enter(t)
	r.turns(9)
	r.idle()
	_, err := r.store.DeleteChat(t.Context(), "main")
	r.must(err)
	r.told = nil
	if b := r.turn("main", "안녕"); b.Summary != "" || len(b.Transcript) != 0 {
		t.Errorf("%q and %d lines come back", b.Summary, len(b.Transcript))
	}
	if b := r.Background(t.Context(), "main"); r.whole(b) != 0 {
		t.Error("the new chat begins with something")
	}
}

func TestAHiddenMessageIsNotTold(t *testing.T) {
	r := enter(t)
	r.turns(2)
	msgs, err := r.store.History(t.Context(), "main", "", 10)
	r.must(err)
	r.must(r.store.HideMessage(t.Context(), msgs[0].ID, true))
	if b := r.Background(t.Context(), "main"); len(b.Transcript) != 3 {
		t.Errorf("%+v", b.Transcript)
	}
	r.must(r.store.HideMessage(t.Context(), msgs[0].ID, false))
	r.whole(r.Background(t.Context(), "main"))
}

// Everything that changes memory is told.
func TestChangesAreTold(t *testing.T) {
	r := enter(t)
	reader := r.bus.SubscribeFrom(1)
	r.turns(9)
	r.idle()
	f, err := r.AddFact(t.Context(), "땅콩 알레르기가 있다")
	r.must(err)
	r.must(r.EditFact(t.Context(), f.ID, "호두 알레르기가 있다"))
	r.must(r.ForgetFact(t.Context(), f.ID))
	r.must(r.EditSummary(t.Context(), "main", "요약 10"))
	r.must(r.ForgetChat(t.Context(), "main"))
	n := 0
	for n < 6 {
		batch, err := reader.Next(t.Context(), 0)
		r.must(err)
		for _, e := range batch {
			if e.Kind != event.KindMemoryChanged {
				t.Fatalf("%s", e.Kind)
			}
			n++
		}
	}
}

func TestStoppingTwice(t *testing.T) {
	r := enter(t)
	r.Stop()
	r.Stop()
	done := r.Turn("main")
	done()
	if err := r.WaitIdle(t.Context()); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if b := r.Background(ctx, "main"); len(b.Transcript) != 0 {
		t.Errorf("%+v", b)
	}
	if _, err := r.View(ctx, "main"); err == nil {
		t.Error("a view without a ledger")
	}
	var _ memory.Store = r.store
}
