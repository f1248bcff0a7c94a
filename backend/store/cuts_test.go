package store_test

import (
	"slices"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/job"
	"agentchat/backend/manager"
	"agentchat/backend/store"
	"agentchat/backend/store/storetest"
)

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
	must(storetest.Reply(s, say(t, s, "main", "1", "one"), "re one",
		job.Job{ID: "a", Number: 1, Chat: "main", Title: "ended", State: job.Queued}, job.Job{ID: "b", Number: 2, Chat: "main", Title: "under way", State: job.Queued}))
	must(storetest.Reply(s, say(t, s, "job:a", "2", "louder"), "re louder"))
	must(s.SaveStep(ctx, job.Step{Run: &job.Run{Job: job.Job{ID: "a", Number: 1, Chat: "main", Title: "ended", State: job.Succeeded, Ended: now}}}))
	must(storetest.Reply(s, say(t, s, "main", "3", "hidden"), "re hidden"))
	must(s.HideMessage(ctx, "3", true))
	say(t, s, "main", "4", "not answered")
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
	if jobs, err := s.Board(ctx, 10); err != nil || len(jobs) != 1 || jobs[0].ID != "b" { // which is being stopped
		t.Errorf("tickets of a chat that is gone: %+v, %v", jobs, err)
	}
	now = now.Add(while - time.Hour)
	if title, err := s.RestoreChat(ctx, "main", now.Add(-while)); err != nil || title != "one" {
		t.Fatalf("%q, %v", title, err)
	}
	back(0)
	if list := storetest.Texts(t, s, "main"); !slices.Equal(list, []string{"one", "re one", "re hidden", "not answered"}) {
		t.Errorf("it says %v", list)
	}
	if list := storetest.Texts(t, s, "job:a"); !slices.Equal(list, []string{"louder", "re louder"}) {
		t.Errorf("the ticket says %v", list)
	}
	if jobs, err := s.Board(ctx, 10); err != nil || len(jobs) != 2 || jobs[0].ID != "a" {
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
	say(t, s, "main", "5", "hello again") // it is opened anew, and what it had said can be taken back all the same
	if list := back(1); list[0].ID != "main" {
		t.Errorf("%+v", list)
	}
	_, err = s.RestoreChat(ctx, "main", now.Add(-while))
	must(err)
	if list := storetest.Texts(t, s, "main"); len(list) != 5 {
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
