package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/manager"
	"agentchat/backend/memory"
	"agentchat/backend/service"
	"agentchat/backend/store"
)

// ask opens a turn of a chat; reply ends it with an answer and tickets.
func request(t testing.TB, s *store.Store, chat, id, text string) manager.Turn {
	t.Helper()
	turn := manager.Turn{ID: id, Chat: chat, Text: text}
	if _, err := s.AddTurn(context.Background(), turn, event.ChatMessage{ID: id, Role: event.RoleCustomer, Text: text}, text); err != nil {
		t.Fatal(err)
	}
	return turn
}

func reply(t testing.TB, s *store.Store, turn manager.Turn, text string, jobs ...job.Job) error {
	t.Helper()
	msg := event.ChatMessage{ID: "re-" + turn.ID, Role: event.RoleShop, Text: text, Turn: turn.ID}
	return s.SaveTurn(context.Background(), manager.TurnStep{Turn: &turn, Next: "end", Done: true, Jobs: jobs, Message: &msg})
}

func texts(t testing.TB, s *store.Store, chat string) (list []string) {
	t.Helper()
	msgs, err := s.History(context.Background(), chat, "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range msgs {
		list = append(list, m.Text)
	}
	return list
}

// Whatever comes late for a chat that was deleted is not written: a step of its turn, a turn that would tell an outcome, a
// session at the counter, what a job reports, what it was about to do, and what memory would keep.
func TestNothingIsWrittenForADeletedChat(t *testing.T) {
	s, ctx := open(t, t.TempDir()), t.Context()
	if err := reply(t, s, request(t, s, "main", "1", "노래 틀어줘"), "틀게요", job.Job{ID: "j", Number: 1, Chat: "main", Title: "노래", State: job.Queued}); err != nil {
		t.Fatal(err)
	}
	request(t, s, "job:j", "2", "노래를 크게")
	late := request(t, s, "main", "3", "노래 하나 더")
	cut, err := s.DeleteChat(ctx, "main")
	if err != nil || !slices.Equal(cut.Turns, []string{"2", "3"}) || !slices.Equal(cut.Jobs, []string{"j"}) {
		t.Fatalf("%+v, %v", cut, err)
	}
	step := manager.TurnStep{Turn: &late, Next: "save", Jobs: []job.Job{{ID: "k", Number: 2, Chat: "main"}}, Counter: &service.Counter{{ID: "3"}}}
	if err := s.SaveTurn(ctx, step); !errors.Is(err, manager.ErrTurnOver) {
		t.Errorf("a step: %v", err)
	}
	if err := reply(t, s, late, "늦은 노래"); !errors.Is(err, manager.ErrTurnOver) {
		t.Errorf("a reply: %v", err)
	}
	if added, err := s.AddResume(ctx, manager.Turn{ID: "outcome-j", Chat: "main"}); added || err != nil {
		t.Errorf("an outcome: %v, %v", added, err)
	}
	run := job.Run{Job: job.Job{ID: "j", Number: 1, Chat: "main", Title: "노래", State: job.Running}}
	effect := job.Effect{ID: "e", JobID: "j", Authorization: job.AuthorizedByPolicy}
	if err := s.SaveStep(ctx, job.Step{Run: &run, Intent: &effect}); apperr.CodeOf(err) != apperr.Canceled {
		t.Errorf("an intent: %v", err)
	}
	report := event.ChatMessage{ID: "r", Role: event.RoleJob, Text: "노래가 끝났어요"}
	if err := s.SaveStep(ctx, job.Step{Run: &run, Message: &report}); err != nil {
		t.Errorf("a report: %v", err)
	}
	if _, err := s.Recall(ctx, "main", nil); err != nil {
		t.Fatal(err)
	}
	if made, err := s.Compact(ctx, memory.Compaction{Chat: "main", Summary: "노래"}); made || err != nil {
		t.Errorf("a summary: %v, %v", made, err)
	}

	if list := append(texts(t, s, "main"), texts(t, s, "job:j")...); len(list) != 0 {
		t.Errorf("it says %v", list)
	}
	if hits, err := s.Search(ctx, store.Quest{Text: "노래", Limit: 10}); err != nil || len(hits) != 0 {
		t.Errorf("it is found: %+v, %v", hits, err)
	}
	if open, err := s.Counters(ctx); err != nil || len(open) != 0 {
		t.Errorf("the counter has %+v, %v", open, err)
	}
	if pending, err := s.PendingTurns(ctx); err != nil || len(pending) != 0 {
		t.Errorf("%+v would go on, %v", pending, err)
	}
	if st, err := s.RecoveryStates(ctx); err != nil || len(st) != 1 || st[0].Off != job.Disowned {
		t.Errorf("%+v, %v", st, err)
	}
	if jobs, err := s.ChatJobs(ctx, "main", 0); err != nil || len(jobs) != 0 {
		t.Errorf("a plan is told of %+v, %v", jobs, err)
	}

	// A new message begins the chat anew, and what came late stays out of it.
	request(t, s, "main", "4", "안녕")
	if err := reply(t, s, late, "늦은 노래"); !errors.Is(err, manager.ErrTurnOver) {
		t.Errorf("a reply: %v", err)
	}
	if err := s.SaveStep(ctx, job.Step{Run: &run, Message: &report}); err != nil {
		t.Errorf("a report: %v", err)
	}
	if list := texts(t, s, "main"); !slices.Equal(list, []string{"안녕"}) {
		t.Errorf("it says %v", list)
	}
}

// A chat that was deleted comes back with what was said in it and with the tickets that had ended, for a while: what had been
// hidden before stays hidden, what was called off stays so, and after that while nothing is left to come back.
func TestADeletedChatIsTakenBack(t *testing.T) {
	dir, ctx, now := t.TempDir(), t.Context(), time.Now()
	s, err := store.Open(ctx, dir, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(reply(t, s, request(t, s, "main", "1", "one"), "re one",
		job.Job{ID: "a", Number: 1, Chat: "main", Title: "ended", State: job.Queued}, job.Job{ID: "b", Number: 2, Chat: "main", Title: "under way", State: job.Queued}))
	must(reply(t, s, request(t, s, "job:a", "2", "louder"), "re louder"))
	must(s.SaveStep(ctx, job.Step{Run: &job.Run{Job: job.Job{ID: "a", Number: 1, Chat: "main", Title: "ended", State: job.Succeeded, Ended: now}}}))
	must(reply(t, s, request(t, s, "main", "3", "hidden"), "re hidden"))
	must(s.HideMessage(ctx, "3", true))
	request(t, s, "main", "4", "not answered")
	const while = 30 * 24 * time.Hour
	back := func(n int) []manager.DeletedChat {
		t.Helper()
		list, err := s.DeletedChats(ctx, now.Add(-while))
		if err != nil || len(list) != n {
			t.Fatalf("%+v, %v", list, err)
		}
		return list
	}
	if _, err := s.RestoreChat(ctx, "main", now.Add(-while)); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("a chat that is there: %v", err)
	}
	_, err = s.DeleteChat(ctx, "main")
	must(err)
	if list := back(1); list[0].ID != "main" || list[0].Title != "one" || !list[0].Deleted.Equal(now.Truncate(time.Microsecond)) {
		t.Errorf("%+v", list)
	}
	if jobs, err := s.Jobs(ctx, 10); err != nil || len(jobs) != 1 || jobs[0].ID != "b" { // which is being stopped
		t.Errorf("tickets of a chat that is gone: %+v, %v", jobs, err)
	}
	now = now.Add(while - time.Hour)
	if title, err := s.RestoreChat(ctx, "main", now.Add(-while)); err != nil || title != "one" {
		t.Fatalf("%q, %v", title, err)
	}
	back(0)
	if list := texts(t, s, "main"); !slices.Equal(list, []string{"one", "re one", "re hidden", "not answered"}) {
		t.Errorf("it says %v", list)
	}
	if list := texts(t, s, "job:a"); !slices.Equal(list, []string{"louder", "re louder"}) {
		t.Errorf("the ticket says %v", list)
	}
	if jobs, err := s.Jobs(ctx, 10); err != nil || len(jobs) != 2 || jobs[0].ID != "a" {
		t.Errorf("tickets: %+v, %v", jobs, err)
	}
	if pending, err := s.PendingTurns(ctx); err != nil || len(pending) != 0 {
		t.Errorf("%+v would go on, %v", pending, err)
	}
	if st, err := s.RecoveryStates(ctx); err != nil || len(st) != 1 || st[0].ID != "b" || st[0].Off != job.Disowned {
		t.Errorf("%+v, %v", st, err)
	}
	// It remembers anew what was said.
	r, err := s.Recall(ctx, "main", nil)
	if err != nil || len(r.Lines) == 0 {
		t.Errorf("%+v, %v", r, err)
	}

	_, err = s.DeleteChat(ctx, "main")
	must(err)
	request(t, s, "main", "5", "hello again") // it is opened anew, and what it had said can be taken back all the same
	if list := back(1); list[0].ID != "main" {
		t.Errorf("%+v", list)
	}
	_, err = s.RestoreChat(ctx, "main", now.Add(-while))
	must(err)
	if list := texts(t, s, "main"); len(list) != 5 {
		t.Errorf("it says %v", list)
	}

	_, err = s.DeleteChat(ctx, "main")
	must(err)
	keep := store.Keep{Jobs: 100, Records: time.Hour * 24 * 365, Cleared: time.Hour * 24 * 365, Batch: 2, Chats: while}
	now = now.Add(while - time.Minute)
	if gone, err := s.Prune(ctx, keep); gone != 0 || err != nil {
		t.Errorf("%d rows went too early, %v", gone, err)
	}
	now = now.Add(2 * time.Minute)
	back(0)
	if _, err := s.RestoreChat(ctx, "main", now.Add(-while)); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("after its time: %v", err)
	}
	if gone, err := s.Prune(ctx, keep); gone != 7 || err != nil {
		t.Errorf("%d rows went, %v", gone, err)
	}
}

// A request that another takes the place of goes with all that came of it and after it; what was said before stays, with
// replies that came later.
func TestARequestIsReplaced(t *testing.T) {
	s, ctx := open(t, t.TempDir()), t.Context()
	one, two := request(t, s, "main", "1", "one"), request(t, s, "main", "2", "two")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(reply(t, s, one, "re one", job.Job{ID: "a", Number: 1, Turn: "1", Chat: "main", State: job.Queued}))
	must(reply(t, s, two, "re two",
		job.Job{ID: "b", Number: 2, Turn: "2", Chat: "main", State: job.Queued},
		job.Job{ID: "c", Number: 3, Turn: "2", Chat: "main", State: job.Queued, Counter: true}))
	three := request(t, s, "main", "3", "three")
	request(t, s, "second", "4", "elsewhere")

	turn := manager.Turn{ID: "5", Chat: "main", Text: "2"}
	msg := event.ChatMessage{ID: "5", Role: event.RoleCustomer, Text: "2"}
	for _, no := range []string{"re-2", "4", "nobody"} {
		if _, err := s.AddTurnInstead(ctx, turn, msg, manager.Place{Request: no, Title: "2"}); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("in the place of %s: %v", no, err)
		}
	}
	if list := texts(t, s, "main"); len(list) != 5 {
		t.Errorf("what was refused took something: %v", list)
	}
	cut, err := s.AddTurnInstead(ctx, turn, msg, manager.Place{Request: "2", Was: "two", Title: "2"})
	must(err)
	if !slices.Equal(cut.Messages, []string{"2", "re-2", "3"}) || !slices.Equal(cut.Turns, []string{"3"}) || !slices.Equal(cut.Jobs, []string{"b"}) || cut.Title != "" {
		t.Errorf("%+v", cut)
	}
	if list := texts(t, s, "main"); !slices.Equal(list, []string{"one", "re one", "2"}) {
		t.Errorf("it says %v", list)
	}
	if err := reply(t, s, three, "late"); !errors.Is(err, manager.ErrTurnOver) {
		t.Errorf("a reply to what is gone: %v", err)
	}
	off := map[string]job.CalledOff{}
	st, err := s.RecoveryStates(ctx)
	must(err)
	for _, one := range st {
		off[one.ID] = one.Off
	}
	if off["a"] != job.NotCalledOff || off["b"] != job.Disowned || off["c"] != job.NotCalledOff {
		t.Errorf("%v", off)
	}
	cut, err = s.AddTurnInstead(ctx, manager.Turn{ID: "6", Chat: "main"}, event.ChatMessage{ID: "6", Role: event.RoleCustomer, Text: "1"}, manager.Place{Request: "1", Was: "one", Title: "1"})
	must(err)
	if chats, err := s.Chats(ctx); err != nil || cut.Title != "1" || chats[0].Title != "1" {
		t.Errorf("the title %q, %+v, %v", cut.Title, chats, err)
	}
	cut, err = s.AddTurnInstead(ctx, manager.Turn{ID: "7", Chat: "main"}, event.ChatMessage{ID: "7", Role: event.RoleCustomer, Text: "0"}, manager.Place{Request: "6", Was: "nothing", Title: "0"})
	must(err)
	if cut.Jobs == nil || len(cut.Jobs) > 0 {
		t.Errorf("fronts are told of the tickets %#v instead of an empty list", cut.Jobs)
	}
}

// A summary that holds what is gone is not told any more: the chat is read from its beginning.
func TestASummaryOfWhatIsGone(t *testing.T) {
	s, ctx := open(t, t.TempDir()), t.Context()
	for n := range 4 {
		if err := reply(t, s, request(t, s, "main", fmt.Sprint(n), fmt.Sprint("ask ", n)), fmt.Sprint("answer ", n)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := s.Recall(ctx, "main", nil)
	if err != nil || len(r.Lines) != 8 {
		t.Fatalf("%+v, %v", r, err)
	}
	if made, err := s.Compact(ctx, memory.Compaction{Chat: "main", Summary: "they asked", Turns: 2, To: r.Lines[3].N, Version: r.Version}); err != nil || !made {
		t.Fatalf("%v, %v", made, err)
	}
	for _, c := range []struct {
		request, summary string
		lines            int
	}{{"2", "they asked", 0}, {"1", "", 2}} {
		id := "instead of " + c.request
		if _, err := s.AddTurnInstead(ctx, manager.Turn{ID: id, Chat: "main"}, event.ChatMessage{ID: id, Role: event.RoleCustomer, Text: id}, manager.Place{Request: c.request, Title: id}); err != nil {
			t.Fatal(err)
		}
		if r, err := s.Recall(ctx, "main", nil); err != nil || r.Summary != c.summary || len(r.Lines) != c.lines {
			t.Errorf("%s: %q and %d lines, %v", id, r.Summary, len(r.Lines), err)
		}
	}
}
