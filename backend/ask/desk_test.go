package ask_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/toolbox"
)

// floor opens a floor whose one tool asks for approval, and gives the question it asks.
func floor(t *testing.T) (*jobtest.Floor, *jobtest.Tool, ask.Ask) {
	t.Helper()
	pay := jobtest.Approved("pay", toolbox.ConfirmAlways)
	f := jobtest.Open(t, pay).Start(2)
	return f, pay, f.Question(f.Give("pay"))
}

// What runs again, or counts as done, after a crash is what was shown.
func TestARecoveryIsAnsweredWithItsDigest(t *testing.T) {
	a := ask.Ask{
		ID: "a", Kind: ask.KindRecovery, State: ask.StateOpen, Digest: "shown",
		Choices: []string{ask.ChoiceRunAgain, ask.ChoiceHappened, ask.ChoiceStop},
	}
	for choice, want := range map[string]apperr.Code{ask.ChoiceRunAgain: apperr.DigestMismatch, ask.ChoiceHappened: apperr.DigestMismatch, ask.ChoiceStop: ""} {
		desk := ask.NewDesk(ask.Deps{Store: one{a}, Publisher: nobody{}, Now: time.Now, Answered: func(ask.Ask) {}})
		if _, err := desk.Answer(t.Context(), ask.Reply{Ask: "a", Choice: choice}); apperr.CodeOf(err) != want {
			t.Errorf("%s without a digest: %v", choice, err)
		}
		if _, err := desk.Answer(t.Context(), ask.Reply{Ask: "a", Choice: choice, Digest: "another"}); apperr.CodeOf(err) != apperr.DigestMismatch {
			t.Errorf("%s with another digest: %v", choice, err)
		}
		if _, err := desk.Answer(t.Context(), ask.Reply{Ask: "a", Choice: choice, Digest: "shown"}); err != nil {
			t.Errorf("%s: %v", choice, err)
		}
	}
}

// one is a store with one question.
type one struct{ question ask.Ask }

func (o one) Ask(context.Context, string) (ask.Ask, error)                      { return o.question, nil }
func (one) AnswerAsk(context.Context, string, ask.Answer) (won bool, err error) { return true, nil }
func (o one) OpenAsks(context.Context) ([]ask.Ask, error)                       { return []ask.Ask{o.question}, nil }

type nobody struct{}

func (nobody) Publish(...event.Event) {}

func TestTheFirstAnswerWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, pay, a := floor(t)
		var won, stale atomic.Int32
		var group sync.WaitGroup
		for i := range 100 {
			group.Go(func() {
				reply := ask.Reply{Ask: a.ID, Choice: ask.ChoiceApprove, Digest: a.Digest}
				if i%2 == 1 {
					reply = ask.Reply{Ask: a.ID, Choice: ask.ChoiceReject, Text: fmt.Sprint("no, for reason ", i)}
				}
				switch _, err := f.Desk.Answer(t.Context(), reply); apperr.CodeOf(err) {
				case "":
					won.Add(1)
				case apperr.StaleAnswer:
					stale.Add(1)
				default:
					t.Errorf("answer %d: %v", i, err)
				}
			})
		}
		group.Wait()
		f.Settle()
		if won.Load() != 1 || stale.Load() != 99 {
			t.Fatalf("%d answers won and %d were stale", won.Load(), stale.Load())
		}
		kept, err := f.Store.Ask(t.Context(), a.ID)
		if err != nil || kept.State != ask.StateConsumed {
			t.Fatalf("kept as %s: %v", kept.State, err)
		}
		if approved := kept.Answer.Choice == ask.ChoiceApprove; approved != (len(pay.Runs()) == 1) {
			t.Errorf("the kept answer is %s and the tool ran %d times", kept.Answer.Choice, len(pay.Runs()))
		}
		closed := 0
		for _, c := range jobtest.Payloads[event.AskClosed](f, "") {
			if c.ID == a.ID {
				closed++
			}
		}
		if closed != 1 {
			t.Errorf("ask.closed was told %d times", closed)
		}
	})
}

func TestAnswersThatAreRefusedChangeNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, pay, a := floor(t)
		for name, c := range map[string]struct {
			reply ask.Reply
			code  apperr.Code
		}{
			"no such question":       {ask.Reply{Ask: "nothing", Choice: ask.ChoiceApprove}, apperr.NotFound},
			"no choice":              {ask.Reply{Ask: a.ID}, apperr.BadChoice},
			"another kind's choice":  {ask.Reply{Ask: a.ID, Choice: ask.ChoiceWait, Digest: a.Digest}, apperr.BadChoice},
			"the closing choice":     {ask.Reply{Ask: a.ID, Choice: ask.ChoiceNone, Digest: a.Digest}, apperr.BadChoice},
			"approve, no digest":     {ask.Reply{Ask: a.ID, Choice: ask.ChoiceApprove}, apperr.DigestMismatch},
			"approve, wrong digest":  {ask.Reply{Ask: a.ID, Choice: ask.ChoiceApprove, Digest: a.Digest + "0"}, apperr.DigestMismatch},
			"edit, no digest":        {ask.Reply{Ask: a.ID, Choice: ask.ChoiceEdit, Args: json.RawMessage(`{"n":2}`)}, apperr.DigestMismatch},
			"reject, another digest": {ask.Reply{Ask: a.ID, Choice: ask.ChoiceReject, Digest: "x"}, apperr.DigestMismatch},
			"edit, args do not fit":  {ask.Reply{Ask: a.ID, Choice: ask.ChoiceEdit, Digest: a.Digest, Args: json.RawMessage(`{"n":1.5}`)}, apperr.InvalidArgs},
			"edit, no args":          {ask.Reply{Ask: a.ID, Choice: ask.ChoiceEdit, Digest: a.Digest}, apperr.InvalidArgs},
			"edit, strange key":      {ask.Reply{Ask: a.ID, Choice: ask.ChoiceEdit, Digest: a.Digest, Args: json.RawMessage(`{"n":1,"to":"me"}`)}, apperr.InvalidArgs},
			"a novel as a reason":    {ask.Reply{Ask: a.ID, Choice: ask.ChoiceReject, Text: strings.Repeat("a", 20<<10)}, apperr.InvalidArgs},
		} {
			if _, err := f.Desk.Answer(t.Context(), c.reply); apperr.CodeOf(err) != c.code {
				t.Errorf("%s: %v, want %s", name, err, c.code)
			}
			f.Settle()
			if now := f.Question(a.JobID); now.ID != a.ID || now.State != ask.StateOpen || len(pay.Runs()) > 0 {
				t.Fatalf("%s: the question is %+v now", name, now)
			}
		}
	})
}

func TestWhichJobToStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		play := jobtest.Player("song", "", 2, 1e12)
		f := jobtest.Open(t, play).Start(4)
		one, two := f.Give("song"), f.Give("song")
		third := f.Give("song")
		a := f.Question(third)
		for _, holder := range []string{"", third, "somebody"} {
			if _, err := f.Desk.Answer(t.Context(), ask.Reply{Ask: a.ID, Choice: ask.ChoiceStopOther, Holder: holder}); apperr.CodeOf(err) != apperr.InvalidArgs {
				t.Errorf("stop %q: %v", holder, err)
			}
		}
		f.Answer(third, ask.Reply{Choice: ask.ChoiceStopOther, Holder: two})
		f.Pass(5e7)
		f.WantState(one, job.Running)
		f.WantState(two, job.Canceled)
		f.WantState(third, job.Running)
	})
}

// A question of a job that ended meanwhile is closed: an answer to it is stale, not an error of another kind.
func TestAnAnswerToAClosedQuestionIsStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, _, a := floor(t)
		if err := f.Jobs.CancelJob(a.JobID); err != nil {
			t.Fatal(err)
		}
		f.Settle()
		_, err := f.Desk.Answer(t.Context(), ask.Reply{Ask: a.ID, Choice: ask.ChoiceApprove, Digest: a.Digest})
		if apperr.CodeOf(err) != apperr.StaleAnswer {
			t.Errorf("%v, want stale_answer", err)
		}
	})
}

func TestQuestionsAreListedOldestFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, _, first := floor(t)
		var want []string
		want = append(want, first.ID)
		for range 5 {
			f.Pass(1)
			want = append(want, f.Question(f.Give("pay")).ID)
		}
		open, err := f.Desk.Open(context.Background())
		if err != nil || len(open) != 6 {
			t.Fatalf("%d open: %v", len(open), err)
		}
		for i, a := range open {
			if a.ID != want[i] {
				t.Errorf("place %d: %s, want %s", i, a.ID, want[i])
			}
		}
	})
}
