package storetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/guest"
	"agentchat/backend/job"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// A step that cannot be written whole leaves nothing of itself.
func stepWhole(t *testing.T, h House) {
	l := open(t, h)
	Hand(t, l, ticket(1, job.Queued))
	Say(t, l, "main", "taken", "a message")
	run := job.Run{Job: ticket(1, job.Running)}
	err := l.SaveStep(t.Context(), job.Step{
		Run: &run, Node: "pick_todo", Next: "need_tool", Audit: []policy.Entry{{ID: "x", Args: json.RawMessage(`{}`)}},
		Events:  []event.Event{event.Of("main", "j1", event.JobLog{JobID: "j1", Line: "line"})},
		Open:    &ask.Ask{ID: "q", State: ask.StateOpen, JobID: "j1"},
		Message: &event.ChatMessage{ID: "taken"},
	})
	if apperr.CodeOf(err) != apperr.StorageFailed {
		t.Fatalf("%v", err)
	}
	rec, err := l.LoadRun(t.Context(), "j1")
	if err != nil || rec.Run.Job.State != job.Queued || rec.Next != "" {
		t.Errorf("%+v, %v", rec, err)
	}
	if log, err := l.JobLog(t.Context(), "j1", 10); err != nil || len(log) != 0 {
		t.Errorf("log %v, %v", log, err)
	}
	if log, err := l.Audit(t.Context(), policy.Filter{}, 0, 0); err != nil || len(log) > 0 {
		t.Errorf("the audit log says %v, %v", log, err)
	}
	if open, err := l.OpenAsks(t.Context()); err != nil || len(open) > 0 {
		t.Errorf("it asks %v, %v", open, err)
	}
	if err := l.SaveStep(t.Context(), job.Step{Run: &job.Run{Job: job.Job{ID: "nobody"}}}); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("a job that is not there: %v", err)
	}
}

// use is the step in which a tool is about to be used, with all that must be true together with that.
func use(j job.Job, id string) job.Step {
	return job.Step{
		Run: &job.Run{Job: j}, Node: "confirm_check", Next: "exec", Sync: true,
		Audit:   []policy.Entry{{ID: id, Chat: j.Chat, Job: j.ID, Tool: "pay", Args: json.RawMessage(`{}`), Outcome: "intent"}},
		Intent:  &job.Effect{ID: id, JobID: j.ID, Tool: "pay", Args: json.RawMessage(`{}`)},
		Events:  []event.Event{event.Of(j.Chat, j.ID, event.JobLog{JobID: j.ID, Level: "info", Line: id})},
		Message: &event.ChatMessage{ID: id, Role: event.RoleJob, Text: id},
	}
}

// The id of a use is its key: it is written once, whoever tries again and whatever was cut off in between, and its outcome becomes true
// with the step that brings it.
func useOnce(t *testing.T, h House) {
	l := open(t, h)
	j := ticket(1, job.Running)
	Hand(t, l, j)
	Say(t, l, "main", "m", "pay")
	var written atomic.Int64
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if l.SaveStep(t.Context(), use(j, "use")) == nil {
				written.Add(1)
			}
		})
	}
	group.Wait()
	if n := written.Load(); n != 1 {
		t.Errorf("it was written %d times", n)
	}
	h.Cut(t)
	l = open(t, h)
	if err := l.SaveStep(t.Context(), use(j, "use")); err == nil {
		t.Error("after a cut it is written again")
	}
	settled := job.Step{
		Run: &job.Run{Job: j}, Node: "exec", Next: "save_result", Sync: true,
		Settled: &job.Effect{ID: "use", Outcome: job.EffectDone, Text: "paid", Result: json.RawMessage(`{}`), Took: time.Second},
	}
	must(t, l.SaveStep(t.Context(), settled))
	must(t, l.SaveStep(t.Context(), settled)) // the node ran again
	l = reopen(t, h, l)
	log, err := l.Audit(t.Context(), policy.Filter{}, 0, 0)
	if err != nil || len(log) != 1 || log[0].Outcome != policy.AuditOutcome(job.EffectDone) || log[0].Result != "paid" || log[0].Millis != 1000 {
		t.Errorf("%+v, %v", log, err)
	}
	if texts := Texts(t, l, "main"); !slices.Equal(texts, []string{"pay", "use"}) {
		t.Errorf("it says %v", texts)
	}
}

// Of many answers to a question one counts, and with it the permission that came with it and no other.
func answerOnce(t *testing.T, h House) {
	l := open(t, h)
	j := ticket(1, job.Running)
	Hand(t, l, j)
	began := time.Now()
	for i, id := range []string{"second", "first", "closed"} {
		must(t, l.SaveStep(t.Context(), job.Step{Run: &job.Run{Job: j}, Open: &ask.Ask{ID: id, State: ask.StateOpen, JobID: j.ID, Digest: "d", Opened: began.Add(-time.Duration(i%2) * time.Minute)}}))
	}
	must(t, l.SaveStep(t.Context(), job.Step{Run: &job.Run{Job: j}, Close: "closed"}))
	if open, err := l.OpenAsks(t.Context()); err != nil || len(open) != 2 || open[0].ID != "first" {
		t.Errorf("not the oldest first: %+v, %v", open, err)
	}
	winners := make(chan string, 8)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			id := fmt.Sprint("g", i)
			won, err := l.AnswerAsk(t.Context(), "first", ask.Answer{
				Choice: ask.ChoiceApprove, Text: id, Digest: "d", By: ask.ByPerson, At: began,
				Grant: &policy.Grant{ID: id, Scope: toolbox.ScopeAlways, Tool: "pay", Ask: "first", Created: began},
			})
			if err != nil {
				t.Error(err)
			}
			if won {
				winners <- id
			}
		})
	}
	group.Wait()
	if len(winners) != 1 {
		t.Fatalf("%d won", len(winners))
	}
	winner := <-winners
	h.Cut(t)
	l = open(t, h)
	a, err := l.Ask(t.Context(), "first")
	if err != nil || a.State != ask.StateAnswered || a.Answer == nil || a.Answer.Text != winner || a.Answer.Digest != "d" {
		t.Errorf("%+v, %v", a, err)
	}
	if grants, err := l.Grants(t.Context(), "", "pay"); err != nil || len(grants) != 1 || grants[0].ID != winner {
		t.Errorf("%+v, %v", grants, err)
	}
	must(t, l.SaveStep(t.Context(), job.Step{Run: &job.Run{Job: j}, Consume: "first"}))
	for _, id := range []string{"first", "closed", "nobody"} {
		if won, err := l.AnswerAsk(t.Context(), id, ask.Answer{Choice: ask.ChoiceReject, By: ask.ByPerson}); won || err != nil {
			t.Errorf("%s is answered again: %t, %v", id, won, err)
		}
	}
	if open, err := l.OpenAsks(t.Context()); err != nil || len(open) != 1 || open[0].ID != "second" {
		t.Errorf("%+v, %v", open, err)
	}
	if _, err := l.Ask(t.Context(), "nobody"); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("%v", err)
	}
}

// Who stands in line for a tool stands there after a cut as before, with what was answered and not read yet.
func lineKept(t *testing.T, h House) {
	l := open(t, h)
	since := time.Unix(1_760_000_000, 0)
	var jobs []job.Job
	for n := 1; n <= 3; n++ {
		jobs = append(jobs, ticket(n, job.Queued))
	}
	Hand(t, l, jobs...)
	for i, j := range jobs {
		j.State = job.Waiting
		run := job.Run{Job: j, Call: &job.Call{Tool: "screen", Args: json.RawMessage(`{}`)}, InLine: i < 2, QueuedAt: since.Add(-time.Duration(i) * time.Second), AskID: "lock-" + j.ID}
		must(t, l.SaveStep(t.Context(), job.Step{Run: &run, Next: "read_lock", Parked: true, WakeAt: since, Open: &ask.Ask{ID: run.AskID, Kind: ask.KindLock, State: ask.StateOpen, JobID: j.ID}}))
	}
	_, err := l.AnswerAsk(t.Context(), "lock-j2", ask.Answer{Choice: ask.ChoiceWait, By: ask.ByPerson, At: since})
	must(t, err)
	h.Cut(t)
	l = open(t, h)
	states, err := l.RecoveryStates(t.Context())
	if err != nil || len(states) != 3 {
		t.Fatalf("%+v, %v", states, err)
	}
	for i, st := range states {
		if st.ID != jobs[i].ID || st.State != job.Waiting || st.Next != "read_lock" || st.Tool != "screen" || st.InLine != (i < 2) || st.AskID != "lock-"+st.ID ||
			st.Answered != (i == 1) || !st.WakeAt.Equal(since) || i < 2 && !st.QueuedAt.Equal(since.Add(-time.Duration(i)*time.Second)) {
			t.Errorf("%d: %+v", i, st)
		}
	}
	if n, err := l.LastNumber(t.Context()); err != nil || n != 3 {
		t.Errorf("the last number is %d, %v", n, err)
	}
}

// What a guest may have open is counted where its ticket is written: no two calls take one place.
func guestLimit(t *testing.T, h House) {
	l := open(t, h)
	g := guest.Guest{ID: "g", Name: "a program", Tools: []string{"calculator"}, Calls: 100, Created: time.Now()}
	must(t, l.AddGuest(t.Context(), g, []byte("key")))
	const most = 3
	var admitted atomic.Int64
	var group sync.WaitGroup
	for n := range 12 {
		group.Go(func() {
			j := ticket(n+1, job.Queued)
			j.Chat, j.Guest = g.Chat(), &job.Guest{ID: g.ID}
			_, err := l.AdmitCall(t.Context(), j, n%2 == 0, time.Unix(0, 0), nil, func(_ guest.Guest, used guest.Use, open int) error {
				if used.Calls != open {
					t.Errorf("%d calls, %d open", used.Calls, open)
				}
				if open >= most {
					return apperr.New(apperr.Canceled)
				}
				return nil
			})
			switch apperr.CodeOf(err) {
			case apperr.Canceled:
			case "":
				admitted.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	if jobs, err := l.ChatJobs(t.Context(), g.Chat(), 0); err != nil || len(jobs) != most || admitted.Load() != most {
		t.Errorf("%d were admitted, %d are there, %v", admitted.Load(), len(jobs), err)
	}
	must(t, l.RemoveGuest(t.Context(), g.ID))
	if _, err := l.GuestOf(t.Context(), []byte("key")); apperr.CodeOf(err) != apperr.GuestUnknown {
		t.Errorf("%v", err)
	}
}
