package job_test

import (
	"context"
	"testing"
	"testing/synctest"

	"agentchat/backend/apperr"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/toolbox"
)

// What bounds the tools of a chat reaches them, and a tool whose bounds cannot be read is not used.
func TestToolsAreUsedWithinTheirBoundsOrNotAtAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type bounds struct{}
		tool := jobtest.NewTool("look")
		var seen any
		tool.Do = func(ctx context.Context, _ toolbox.Call) (toolbox.Result, error) {
			seen = ctx.Value(bounds{})
			return toolbox.Result{Text: "seen"}, nil
		}
		f := jobtest.Open(t, tool)
		var wrong error
		f.Scope = func(ctx context.Context, chat string) (context.Context, error) {
			return context.WithValue(ctx, bounds{}, "of "+chat), wrong
		}
		f.Start(1)
		id := f.Give("look")
		f.Settle()
		f.WantState(id, job.Succeeded)
		if seen != "of main" {
			t.Errorf("the tool saw %v", seen)
		}

		wrong = apperr.New(apperr.StorageFailed)
		id = f.Give("look")
		f.Settle()
		f.WantState(id, job.Failed)
		if c := f.Job(id).Code; c != apperr.StorageFailed || len(tool.Runs()) != 1 {
			t.Errorf("code %s, used %d times", c, len(tool.Runs()))
		}
	})
}
