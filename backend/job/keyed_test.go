package job_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/policy"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// distant is a keyed tool whose calls go on elsewhere.
type distant struct {
	*jobtest.Tool

	recalled []string
}

func (d *distant) Recall(use string) { d.recalled = append(d.recalled, use) }

func newDistant(do func(context.Context, toolbox.Call) (toolbox.Result, error)) *distant {
	d := &distant{Tool: jobtest.NewTool("far")}
	d.Manual.Keyed, d.Do = true, do
	return d
}

func parks(context.Context, toolbox.Call) (toolbox.Result, error) {
	return toolbox.Result{Park: &toolbox.Park{UntilUnixMilli: time.Now().Add(time.Hour).UnixMilli(), Resume: json.RawMessage(`{}`)}}, nil
}

// A use that may have begun elsewhere stays in doubt when the next try of it is called off before it says anything itself.
func TestATryThatIsCalledOffSaysNothingOfThoseBefore(t *testing.T) {
	for _, doubt := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			far := newDistant(func(ctx context.Context, c toolbox.Call) (toolbox.Result, error) {
				if c.Resume == nil {
					return toolbox.Result{Park: &toolbox.Park{UntilUnixMilli: time.Now().Add(time.Minute).UnixMilli(), Resume: json.RawMessage(`{}`), Doubt: doubt}}, nil
				}
				<-ctx.Done()
				return toolbox.Result{}, ctx.Err()
			})
			far.Manual.Effect = toolbox.EffectOnce
			f := jobtest.Open(t, far).Start(1)
			id := f.Give("far")
			f.Pass(2 * time.Minute)
			cancel(t, f, id)
			f.Pass(soon)
			f.WantState(id, map[bool]job.State{true: job.Failed, false: job.Canceled}[doubt])
		})
	}
}

// A use that was under way when the program ended is taken up under its name, and is told so; one that was put aside is not.
func TestAKeyedUseIsToldThatItWasCutOff(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(context.Context, toolbox.Call) (toolbox.Result, error)
		want bool
	}{
		"under way": {hangs, true},
		"put aside": {parks, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			far := newDistant(c.do)
			f := jobtest.Open(t, far).Start(1)
			id := f.Give("far")
			f.Settle()
			far.Do = nil
			f.Reopen(1)
			f.Pass(2 * time.Hour)
			f.WantState(id, job.Succeeded)
			runs := far.Runs()
			if last := runs[len(runs)-1]; len(runs) != 2 || runs[0].Again || last.Again != c.want || last.Use != runs[0].Use {
				t.Errorf("%s: %+v", name, runs)
			}
			if len(far.recalled) != 0 {
				t.Errorf("%s: %v were recalled", name, far.recalled)
			}
		})
	}
}

// A use that ends before its tool can say what became of it is called off over there.
func TestAKeyedUseThatIsDroppedIsCalledOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far := newDistant(parks)
		f := jobtest.Open(t, far).Start(1)
		id := f.Give("far")
		f.Settle()
		far.Manual.Params = json.RawMessage(`{"type":"object","required":["unknown"]}`)
		f.Reopen(1)
		f.Pass(2 * time.Hour)
		f.WantState(id, job.Failed)
		if runs := far.Runs(); len(runs) != 1 || !slices.Equal(far.recalled, []string{runs[0].Use}) {
			t.Errorf("%+v, recalled %v", runs, far.recalled)
		}
	})
}

// A rule that forbids what was put aside, or broken off, ends it as what it is: it may have happened before. What only reads, or was not sent, has not.
func TestWhatMayHaveHappenedIsToldAlsoWhereItIsForbidden(t *testing.T) {
	stands := func(doubt bool) func(context.Context, toolbox.Call) (toolbox.Result, error) {
		return func(ctx context.Context, c toolbox.Call) (toolbox.Result, error) {
			r, err := parks(ctx, c)
			r.Park.Doubt = doubt
			return r, err
		}
	}
	for name, c := range map[string]struct {
		effect toolbox.Effect
		keyed  bool
		do     func(context.Context, toolbox.Call) (toolbox.Result, error)
		want   apperr.Code
	}{
		"sent":               {toolbox.EffectIdempotent, true, stands(true), apperr.InDoubt},
		"sent, only reads":   {toolbox.EffectRead, true, stands(true), apperr.Denied},
		"not sent":           {toolbox.EffectIdempotent, true, stands(false), apperr.Denied},
		"cut off":            {toolbox.EffectIdempotent, true, hangs, apperr.InDoubt},
		"broken off":         {toolbox.EffectIdempotent, false, hangs, apperr.InDoubt},
		"reading broken off": {toolbox.EffectRead, false, hangs, apperr.Denied},
	} {
		synctest.Test(t, func(t *testing.T) {
			far := newDistant(c.do)
			far.Manual.Keyed, far.Manual.Effect = c.keyed, c.effect
			f := jobtest.Open(t, far).Start(1)
			id := f.Give("far")
			f.Settle()
			f.Rules = []policy.Rule{{Tool: "far", Decision: policy.Deny}}
			f.Reopen(1)
			f.Pass(2 * time.Hour)
			f.WantState(id, job.Failed)
			if j := f.Job(id); j.Code != c.want || len(far.Runs()) != 1 || !strings.Contains(j.Todos[0].Text, "a rule that denies far") || strings.Contains(j.Todos[0].Text, "nothing ran") != (c.want == apperr.Denied) {
				t.Errorf("%s: %s, ran %d times: %q", name, j.Code, len(far.Runs()), j.Todos[0].Text)
			}
		})
	}
}

// Whatever keeps a step from going on that was broken off, it is told as what it is: it may have happened before. What only reads has not.
func TestWhatWasBrokenOffIsInDoubtHoweverItEnds(t *testing.T) {
	asks := func(f *jobtest.Floor, _ *distant) { f.Rules = []policy.Rule{{Tool: "far", Decision: policy.Ask}} }
	off := func(_ *jobtest.Floor, far *distant) { far.Manual.Off = true }
	reject := func(f *jobtest.Floor, id string) { f.Choose(id, ask.ChoiceReject) }
	wait := func(*jobtest.Floor, string) {}
	for name, c := range map[string]struct {
		keyed  bool
		before func(*jobtest.Floor, *distant) // the shop is opened again
		then   func(*jobtest.Floor, string)
		plain  apperr.Code // what it is when it only reads
	}{
		"tool off":        {false, off, wait, apperr.ToolOff},
		"keyed, tool off": {true, off, wait, apperr.ToolOff},
		"other manual": {false, func(_ *jobtest.Floor, far *distant) {
			far.Manual.Params = json.RawMessage(`{"type":"object","required":["unknown"]}`)
		}, wait, apperr.InvalidArgs},
		"rejected": {false, asks, reject, apperr.Canceled},
		"edited, then rejected": {false, asks, func(f *jobtest.Floor, id string) {
			f.Answer(id, ask.Reply{Choice: ask.ChoiceEdit, Args: json.RawMessage(`{"n":2}`)})
			reject(f, id)
		}, apperr.Canceled},
		"corrected, then rejected": {false, asks, func(f *jobtest.Floor, id string) {
			f.Answer(id, ask.Reply{Choice: ask.ChoiceReject, Text: "two"})
			reject(f, id)
		}, apperr.Canceled},
		"corrected, then failed": {false, asks, func(f *jobtest.Floor, id string) {
			f.Answer(id, ask.Reply{Choice: ask.ChoiceReject, Text: "two"})
			f.Choose(id, ask.ChoiceApprove)
		}, apperr.ToolFailed},
	} {
		for effect, want := range map[toolbox.Effect]apperr.Code{toolbox.EffectIdempotent: apperr.InDoubt, toolbox.EffectRead: c.plain} {
			synctest.Test(t, func(t *testing.T) {
				far := newDistant(hangs)
				far.Manual.Keyed, far.Manual.Effect = c.keyed, effect
				f := jobtest.Open(t, far).Start(1)
				f.Model.OnChoose = func(context.Context, interpreter.Brief) (provider.ToolCall, error) {
					return provider.ToolCall{Tool: "far", Args: json.RawMessage(`{"n":2}`)}, nil
				}
				id := f.Give("far")
				f.Settle()
				far.Do = func(context.Context, toolbox.Call) (toolbox.Result, error) { return toolbox.Result{}, errors.New("no") }
				c.before(f, far)
				f.Reopen(1)
				c.then(f, id)
				j := f.Job(id)
				if !j.State.Ended() || j.Code != want && (want != apperr.Canceled || j.State != job.Canceled) || (want == apperr.InDoubt) != strings.Contains(j.Report, "may have happened") {
					t.Errorf("%s, %s: %s, %s: %q", name, effect, j.State, j.Code, j.Report)
				}
				if strings.Contains(j.Report, "nothing was done") && want == apperr.InDoubt {
					t.Errorf("%s: %q", name, j.Report)
				}
				f.NothingOut()
			})
		}
	}
}

// A tool that has gone since its use was broken off says no more of it.
func TestWhatWasBrokenOffIsInDoubtWithoutItsTool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far := newDistant(hangs)
		far.Manual.Effect = toolbox.EffectIdempotent
		f := jobtest.Open(t, far).Start(1)
		id := f.Give("far")
		f.Settle()
		f.Reopen(1, jobtest.NewTool("near"))
		if j := f.Job(id); j.State != job.Failed || j.Code != apperr.InDoubt {
			t.Errorf("%s, %s: %q", j.State, j.Code, j.Report)
		}
	})
}

func hangs(ctx context.Context, _ toolbox.Call) (toolbox.Result, error) {
	<-ctx.Done()
	return toolbox.Result{}, ctx.Err()
}
