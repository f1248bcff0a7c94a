package job_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

func args(tool *jobtest.Tool) (list []string) {
	for _, r := range tool.Runs() {
		list = append(list, string(r.Args))
	}
	return list
}

func TestNothingRunsBeforeItIsApprovedAndThenExactlyWhatWasShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pay := jobtest.Approved("pay", toolbox.ConfirmAlways)
		f := jobtest.Open(t, pay).Start(1)
		id := f.Hand("main", provider.JobPlan{Title: "pay", Todos: []provider.TodoPlan{
			{Title: "pay", Tool: "pay", Request: "pay", Args: json.RawMessage(` { "n" : 7 } `)},
		}})[0]
		f.Settle()
		a := f.Question(id)
		if a.Kind != ask.KindApproval || string(a.Args) != `{"n":7}` || a.Digest != toolbox.Digest("pay", a.Args) || a.Effect == "" {
			t.Fatalf("the question: %+v", a)
		}
		for _, digest := range []string{"", "sha256:other"} {
			if _, err := f.Desk.Answer(t.Context(), ask.Reply{Ask: a.ID, Choice: ask.ChoiceApprove, Digest: digest}); apperr.CodeOf(err) != apperr.DigestMismatch {
				t.Errorf("approved with digest %q: %v", digest, err)
			}
		}
		f.Settle()
		if len(pay.Runs()) != 0 {
			t.Fatal("it ran before it was approved")
		}
		f.Choose(id, ask.ChoiceApprove)
		f.WantState(id, job.Succeeded)
		if have := args(pay); !slices.Equal(have, []string{`{"n":7}`}) {
			t.Errorf("ran with %v", have)
		}
		if _, err := f.Desk.Answer(t.Context(), ask.Reply{Ask: a.ID, Choice: ask.ChoiceApprove, Digest: a.Digest}); apperr.CodeOf(err) != apperr.StaleAnswer {
			t.Errorf("a second answer: %v", err)
		}
	})
}

func TestAnEditIsShownAgainUnderANewDigest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pay := jobtest.Approved("pay", toolbox.ConfirmAlways)
		f := jobtest.Open(t, pay).Start(1)
		id := f.Give("pay")
		first := f.Question(id)
		for _, bad := range []string{`{"n":"many"}`, `{"n":1,"n":2}`, `{}`, `[]`, `{"n":1} x`, ``} {
			_, err := f.Desk.Answer(t.Context(), ask.Reply{Ask: first.ID, Choice: ask.ChoiceEdit, Digest: first.Digest, Args: json.RawMessage(bad)})
			if apperr.CodeOf(err) != apperr.InvalidArgs {
				t.Errorf("edited to %s: %v", bad, err)
			}
			if f.Question(id).ID != first.ID {
				t.Fatalf("after an edit to %s the question did not stay open", bad)
			}
		}
		f.Answer(id, ask.Reply{Choice: ask.ChoiceEdit, Args: json.RawMessage(`{ "n": 99 }`)})
		second := f.Question(id)
		if second.ID == first.ID || second.Digest == first.Digest || string(second.Args) != `{"n":99}` {
			t.Fatalf("the edited question: %+v", second)
		}
		if len(pay.Runs()) != 0 {
			t.Fatal("an edit ran without being shown again")
		}
		f.Choose(id, ask.ChoiceApprove)
		if have := args(pay); !slices.Equal(have, []string{`{"n":99}`}) {
			t.Errorf("ran with %v", have)
		}
	})
}

func TestARejectionWithASentencePlansTheTodoAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pay := jobtest.Approved("pay", toolbox.ConfirmAlways)
		pay.Manual.Capacity = 1
		f := jobtest.Open(t, pay).Start(1)
		f.Model.OnChoose = func(_ context.Context, b interpreter.Brief) (provider.ToolCall, error) {
			if b.Correction != "make it five" || string(b.Previous) != `{"n":1}` {
				t.Errorf("the chooser was told %q, %s", b.Correction, b.Previous)
			}
			return provider.ToolCall{Tool: "pay", Args: json.RawMessage(`{"n":5}`)}, nil
		}
		id := f.Give("pay")
		f.Answer(id, ask.Reply{Choice: ask.ChoiceReject, Text: " make it five "})
		if a := f.Question(id); string(a.Args) != `{"n":5}` {
			t.Fatalf("asked again with %s", a.Args)
		}
		f.Choose(id, ask.ChoiceApprove)
		f.WantState(id, job.Succeeded)
		if have := args(pay); !slices.Equal(have, []string{`{"n":5}`}) {
			t.Errorf("ran with %v", have)
		}
		f.NothingOut()
	})
}

func TestARejectionWithoutASentenceEndsTheJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pay := jobtest.Approved("pay", toolbox.ConfirmAlways)
		f := jobtest.Open(t, pay).Start(1)
		id := f.Give("pay")
		f.Answer(id, ask.Reply{Choice: ask.ChoiceReject, Text: "  "})
		f.WantState(id, job.Canceled)
		if len(pay.Runs()) != 0 {
			t.Error("it ran")
		}
		f.NothingOut()
	})
}

func TestRejectingForeverEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, jobtest.Approved("pay", toolbox.ConfirmAlways)).Start(1)
		id := f.Give("pay")
		for n := 0; f.Job(id).State == job.Waiting; n++ {
			if n > 20 {
				t.Fatal("the todo may be planned again without end")
			}
			f.Answer(id, ask.Reply{Choice: ask.ChoiceReject, Text: "no, another way"})
		}
		f.WantState(id, job.Failed)
		if c := f.Job(id).Code; c != apperr.TooManyAsks {
			t.Errorf("code %s, want too_many_asks", c)
		}
	})
}

func TestConfirmFirstAsksOnceAChat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pay := jobtest.Approved("pay", toolbox.ConfirmFirst)
		f := jobtest.Open(t, pay).Start(1)
		id := f.Give("pay", "pay")
		f.Choose(id, ask.ChoiceApprove)
		f.WantState(id, job.Succeeded)
		f.WantState(f.Give("pay"), job.Succeeded)
		other := f.Hand("other chat", jobtest.Plan("pay"))[0]
		f.Settle()
		f.Question(other)
		if len(pay.Runs()) != 3 {
			t.Errorf("%d runs, want 3", len(pay.Runs()))
		}
		f.Reopen(1)
		f.WantState(f.Give("pay"), job.Succeeded) // remembered after a restart
	})
}

func TestThePolicyInForceCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tool := jobtest.NewTool("calc")
		f := jobtest.Open(t, tool).Start(1)
		f.WantState(f.Give("calc"), job.Succeeded)
		always := toolbox.ConfirmAlways
		if err := f.Box.Override("calc", toolbox.Override{Confirm: &always}); err != nil {
			t.Fatal(err)
		}
		id := f.Give("calc")
		f.Question(id)
		if err := f.Box.Override("calc", toolbox.Override{}); err != nil {
			t.Fatal(err)
		}
		f.WantState(f.Give("calc"), job.Succeeded)
		f.WantState(id, job.Waiting) // a question never answers itself
		f.Choose(id, ask.ChoiceApprove)
		f.WantState(id, job.Succeeded)
	})
}

func TestAMissingValueIsAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tool := jobtest.Approved("pay", toolbox.ConfirmNever)
		f := jobtest.Open(t, tool).Start(1)
		f.Model.OnChoose = func(_ context.Context, b interpreter.Brief) (provider.ToolCall, error) {
			if b.Correction == "" {
				return provider.ToolCall{Tool: "pay", Args: json.RawMessage(`{}`), Missing: []string{"n"}, Question: "How many?"}, nil
			}
			return provider.ToolCall{Tool: "pay", Args: json.RawMessage(`{"n":` + b.Correction + `}`)}, nil
		}
		id := f.Hand("main", provider.JobPlan{Title: "pay", Todos: []provider.TodoPlan{{Title: "pay", Tool: "pay", Request: "pay"}}})[0]
		f.Settle()
		a := f.Question(id)
		if a.Kind != ask.KindInput || a.Question != "How many?" {
			t.Fatalf("asked: %+v", a)
		}
		if _, err := f.Desk.Answer(t.Context(), ask.Reply{Ask: a.ID, Choice: ask.ChoiceValue}); apperr.CodeOf(err) != apperr.InvalidArgs {
			t.Errorf("no value at all: %v", err)
		}
		f.Answer(id, ask.Reply{Choice: ask.ChoiceValue, Text: "12"})
		f.WantState(id, job.Succeeded)
		if have := args(tool); !slices.Equal(have, []string{`{"n":12}`}) {
			t.Errorf("ran with %v", have)
		}
	})
}

// Arguments that do not fit go back to the chooser with what is wrong with them, twice; then the customer is told.
func TestArgumentsThatDoNotFitAreSentBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tool := jobtest.Approved("pay", toolbox.ConfirmNever)
		f := jobtest.Open(t, tool).Start(1)
		var problems []string
		good := 2
		f.Model.OnChoose = func(_ context.Context, b interpreter.Brief) (provider.ToolCall, error) {
			problems = append(problems, b.Problem)
			if len(problems) > good {
				return provider.ToolCall{Tool: "pay", Args: json.RawMessage(`{"n":3}`)}, nil
			}
			return provider.ToolCall{Tool: "pay", Args: json.RawMessage(`{"n":"three"}`)}, nil
		}
		plan := provider.JobPlan{Title: "pay", Todos: []provider.TodoPlan{{Title: "pay", Tool: "pay", Request: "pay", Args: json.RawMessage(`{"m":1}`)}}}
		id := f.Hand("main", plan)[0]
		f.Settle()
		f.WantState(id, job.Succeeded)
		if len(problems) != 3 || problems[0] != "" || problems[2] == "" {
			t.Errorf("the chooser was told %q", problems)
		}
		problems, good = nil, 100
		id = f.Hand("main", plan)[0]
		f.Settle()
		f.WantState(id, job.Failed)
		if f.Job(id).Code != apperr.InvalidArgs || len(problems) != 3 {
			t.Errorf("code %s after %d tries", f.Job(id).Code, len(problems))
		}
	})
}

// A model that cannot be reached fails the todo with its own code; a report that cannot be worded loses nothing.
func TestModelErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, jobtest.NewTool("quick")).Start(1)
		f.Model.OnSolve = func(context.Context, interpreter.Brief) (provider.Solution, error) {
			return provider.Solution{}, apperr.New(apperr.ModelTimeout)
		}
		f.Model.OnReport = func(context.Context, interpreter.Brief) (string, error) { return "", errors.New("no words") }
		id := f.Give("quick", "")
		f.WantState(id, job.Failed)
		if j := f.Job(id); j.Code != apperr.ModelTimeout || !contains(j.Report, "quick done") {
			t.Errorf("code %s, report %q", j.Code, j.Report)
		}
		id = f.Give("quick")
		f.WantState(id, job.Succeeded)
		if f.Job(id).Report != "quick done" {
			t.Errorf("report %q", f.Job(id).Report)
		}
		id = f.Give("no such tool")
		f.WantState(id, job.Failed)
		if f.Job(id).Code != apperr.UnknownTool {
			t.Errorf("code %s", f.Job(id).Code)
		}
	})
}
