package storetest

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/job"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// An intent is written only while its authorization stands in the ledger, and takes the whole step with it otherwise.
func effectWarrant(t *testing.T, h House) {
	l := open(t, h)
	ctx := context.Background()
	j := job.Job{ID: "j", Number: 1, Chat: "main", Title: "pay", State: job.Running, Todos: []job.Todo{{ID: "t", Tool: "pay", Approved: "confirmed"}}}
	Hand(t, l, j)
	question := func(id, digest, choice string) {
		run := job.Run{Job: j}
		a := ask.Ask{ID: id, Kind: ask.KindApproval, State: ask.StateOpen, JobID: "j", Digest: digest, Choices: []string{"approve", "reject"}}
		if err := l.SaveStep(ctx, job.Step{Run: &run, Node: "ask_approval", Next: "read_approval", Open: &a}); err != nil {
			t.Fatal(err)
		}
		if choice == "" {
			return
		}
		if won, err := l.AnswerAsk(ctx, id, ask.Answer{Choice: choice, By: ask.ByPerson, At: time.Now()}); err != nil || !won {
			t.Fatalf("answer: %v, %v", won, err)
		}
	}
	question("yes", "good", "approve")
	question("no", "good", "reject")
	question("open", "good", "")
	grant := func(id string, scope toolbox.Scope, chat string, when ...policy.Condition) {
		run := job.Run{Job: j}
		if err := l.SaveStep(ctx, job.Step{Run: &run, Node: "ask_approval", Next: "read_approval", Open: &ask.Ask{ID: id, State: ask.StateOpen, JobID: "j"}}); err != nil {
			t.Fatal(err)
		}
		g := policy.Grant{ID: id, Scope: scope, Chat: chat, Tool: "first", When: when, Ask: id, Created: time.Now()}
		if won, err := l.AnswerAsk(ctx, id, ask.Answer{Choice: ask.ChoiceApprove, By: ask.ByPolicy, At: time.Now(), Grant: &g}); err != nil || !won {
			t.Fatalf("answer: %v, %v", won, err)
		}
	}
	grant("chat", toolbox.ScopeChat, "main")
	grant("always", toolbox.ScopeAlways, "")
	grant("folder", toolbox.ScopeChat, "main", policy.Condition{Arg: "path", Op: policy.OpWithin, Value: json.RawMessage(`"notes"`)})
	grant("revoked", toolbox.ScopeAlways, "")
	if err := l.RevokeGrant(ctx, "revoked"); err != nil {
		t.Fatal(err)
	}
	if err := l.RevokeGrant(ctx, "revoked"); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("revoked twice: %v", err)
	}
	for name, c := range map[string]struct {
		effect job.Effect
		ok     bool
	}{
		"policy":                    {job.Effect{Tool: "pay", Digest: "good"}, true},
		"approved":                  {job.Effect{Tool: "pay", Digest: "good", Authorization: job.AuthorizedByAsk, Ask: "yes"}, true},
		"approved something else":   {job.Effect{Tool: "pay", Digest: "other", Authorization: job.AuthorizedByAsk, Ask: "yes"}, false},
		"rejected":                  {job.Effect{Tool: "pay", Digest: "good", Authorization: job.AuthorizedByAsk, Ask: "no"}, false},
		"not answered yet":          {job.Effect{Tool: "pay", Digest: "good", Authorization: job.AuthorizedByAsk, Ask: "open"}, false},
		"never asked":               {job.Effect{Tool: "pay", Digest: "good", Authorization: job.AuthorizedByAsk, Ask: "none"}, false},
		"approved by policy":        {job.Effect{Tool: "first", Digest: "", Authorization: job.AuthorizedByAsk, Ask: "chat"}, false},
		"granted":                   {job.Effect{Tool: "first", Chat: "main", Authorization: job.AuthorizedByGrant, Grant: "chat"}, true},
		"granted in another chat":   {job.Effect{Tool: "first", Chat: "other", Authorization: job.AuthorizedByGrant, Grant: "chat"}, false},
		"granted for another tool":  {job.Effect{Tool: "pay", Chat: "main", Authorization: job.AuthorizedByGrant, Grant: "chat"}, false},
		"granted everywhere":        {job.Effect{Tool: "first", Chat: "other", Authorization: job.AuthorizedByGrant, Grant: "always"}, true},
		"granted and revoked":       {job.Effect{Tool: "first", Chat: "main", Authorization: job.AuthorizedByGrant, Grant: "revoked"}, false},
		"granted by nobody":         {job.Effect{Tool: "first", Chat: "main", Authorization: job.AuthorizedByGrant, Grant: "none"}, false},
		"granted for the folder":    {job.Effect{Tool: "first", Chat: "main", Args: json.RawMessage(`{"path":"notes/a.txt"}`), Authorization: job.AuthorizedByGrant, Grant: "folder"}, true},
		"granted for another one":   {job.Effect{Tool: "first", Chat: "main", Args: json.RawMessage(`{"path":"notes2/a.txt"}`), Authorization: job.AuthorizedByGrant, Grant: "folder"}, false},
		"ordered":                   {job.Effect{Tool: "pay", TodoID: "t", Digest: "confirmed", Authorization: job.AuthorizedByOrder}, true},
		"ordered something else":    {job.Effect{Tool: "pay", TodoID: "t", Digest: "other", Authorization: job.AuthorizedByOrder}, false},
		"ordered in another ticket": {job.Effect{Tool: "pay", TodoID: "u", Digest: "confirmed", Authorization: job.AuthorizedByOrder}, false},
	} {
		e := c.effect
		if e.ID, e.JobID = name, "j"; e.Args == nil {
			e.Args = json.RawMessage(`{}`)
		}
		run := job.Run{Job: j}
		run.Job.Title = name
		err := l.SaveStep(ctx, job.Step{Run: &run, Node: "confirm_check", Next: "exec", Intent: &e, Sync: true})
		rec, loadErr := l.LoadRun(ctx, "j")
		if loadErr != nil {
			t.Fatal(loadErr)
		}
		switch written := rec.Run.Job.Title == name; {
		case c.ok && (err != nil || !written):
			t.Errorf("%s: refused: %v", name, err)
		case !c.ok && (apperr.CodeOf(err) != apperr.DigestMismatch || written):
			t.Errorf("%s: error %v, written: %t", name, err, written)
		}
	}
}
