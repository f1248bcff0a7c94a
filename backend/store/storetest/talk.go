package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/manager"
	"agentchat/backend/memory"
	"agentchat/backend/service"
)

// A turn that nobody wrote is opened once, and the words of a customer are stored once with their turn.
func turnOnce(t *testing.T, h House) {
	l := open(t, h)
	turn := Say(t, l, "main", "1", "hello")
	if _, err := l.AddTurn(t.Context(), turn, event.ChatMessage{ID: "1", Role: event.RoleCustomer, Text: "again"}, ""); err == nil {
		t.Error("a message was stored twice")
	}
	for i := range 3 {
		if i == 2 {
			h.Cut(t)
			l = open(t, h)
		}
		if added, err := l.AddResume(t.Context(), manager.Turn{ID: "outcome", Chat: "main"}); err != nil || added != (i == 0) {
			t.Errorf("%d: %t, %v", i, added, err)
		}
	}
	pending, err := l.PendingTurns(t.Context())
	if err != nil || len(pending) != 2 || pending[0].Turn.ID != "1" || pending[0].Turn.Text != "hello" || pending[1].Turn.ID != "outcome" {
		t.Fatalf("%+v, %v", pending, err)
	}
	must(t, Reply(l, turn, "hi"))
	if err := Reply(l, turn, "hi"); !errors.Is(err, manager.ErrTurnOver) {
		t.Errorf("a reply after its end: %v", err)
	}
	if texts := Texts(t, reopen(t, h, l), "main"); !slices.Equal(texts, []string{"hello", "hi"}) {
		t.Errorf("it says %v", texts)
	}
}

// A chat is read backwards, page after page, each message once.
func historyPages(t *testing.T, h House) {
	l := open(t, h)
	for i := range 25 {
		Say(t, l, "main", fmt.Sprint("m", i), fmt.Sprint("text ", i))
		Say(t, l, "other", fmt.Sprint("o", i), "elsewhere")
	}
	var seen []string
	before := ""
	for pages := 0; ; pages++ {
		page, err := l.History(t.Context(), "main", before, 10)
		if err != nil || pages > 3 {
			t.Fatalf("page %d: %v", pages, err)
		}
		if len(page) == 0 {
			break
		}
		ids := make([]string, len(page))
		for i, m := range page {
			ids[i] = m.ID
		}
		seen = append(ids, seen...)
		before = page[0].ID
	}
	if len(seen) != 25 || seen[0] != "m0" || seen[24] != "m24" || !slices.IsSortedFunc(seen, byNumber) {
		t.Errorf("read back as %v", seen)
	}
	if page, err := l.History(t.Context(), "main", "no such message", 10); err != nil || len(page) != 0 {
		t.Errorf("before an unknown message: %v, %v", page, err)
	}
	if err := l.HideMessage(t.Context(), "m24", true); err != nil {
		t.Fatal(err)
	}
	if page, _ := l.History(t.Context(), "main", "", 1); page[0].ID != "m23" {
		t.Errorf("a hidden message shows: %v", page)
	}
	if err := l.HideMessage(t.Context(), "m24", false); err != nil {
		t.Fatal(err)
	}
	if page, _ := l.History(t.Context(), "main", "", 1); page[0].ID != "m24" {
		t.Errorf("it did not come back: %v", page)
	}
	if err := l.HideMessage(t.Context(), "nothing", true); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("%v", err)
	}
}

func byNumber(a, b string) int {
	var x, y int
	_, _ = fmt.Sscanf(a, "m%d", &x)
	_, _ = fmt.Sscanf(b, "m%d", &y)
	return x - y
}

// The list of chats: those of the customer, the last to be spoken in first.
func chats(t *testing.T, h House) {
	l := open(t, h)
	if err := l.AddChat(t.Context(), "main", ""); err != nil {
		t.Fatal(err)
	}
	Say(t, l, "main", "1", "the first message")
	Say(t, l, "job:7", "2", "to a job")
	Say(t, l, "second", "3", "second chat")
	chats, err := l.Chats(t.Context())
	if err != nil || len(chats) != 2 || chats[0].ID != "second" || chats[1].Title != "the first message" {
		t.Fatalf("%+v, %v", chats, err)
	}
	Say(t, l, "main", "4", "a later message")
	if chats, _ = l.Chats(t.Context()); chats[0].ID != "main" || chats[0].Title != "the first message" {
		t.Errorf("%+v", chats)
	}
	if err := l.RenameChat(t.Context(), "main", "renamed"); err != nil {
		t.Fatal(err)
	}
	if _, err := l.DeleteChat(t.Context(), "second"); err != nil {
		t.Fatal(err)
	}
	if chats, _ = l.Chats(t.Context()); len(chats) != 1 || chats[0].Title != "renamed" {
		t.Errorf("%+v", chats)
	}
	_, again := l.DeleteChat(t.Context(), "second")
	_, nothing := l.DeleteChat(t.Context(), "nothing")
	for _, err := range []error{again, l.RenameChat(t.Context(), "second", "x"), nothing} {
		if apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("a chat that is gone: %v", err)
		}
	}
	Say(t, l, "second", "5", "back again")
	if msgs, _ := l.History(t.Context(), "second", "", 10); len(msgs) != 1 || msgs[0].Text != "back again" {
		t.Errorf("a deleted chat came back with %+v", msgs)
	}
}

// Whatever comes late for a chat that was deleted is not written: a step of its turn, a turn that would tell an outcome, a
// session at the counter, what a job reports, what it was about to do, and what memory would keep.
func deletedChat(t *testing.T, h House) {
	l, ctx := open(t, h), t.Context()
	if err := Reply(l, Say(t, l, "main", "1", "노래 틀어줘"), "틀게요", job.Job{ID: "j", Number: 1, Chat: "main", Title: "노래", State: job.Queued}); err != nil {
		t.Fatal(err)
	}
	Say(t, l, "job:j", "2", "노래를 크게")
	late := Say(t, l, "main", "3", "노래 하나 더")
	cut, err := l.DeleteChat(ctx, "main")
	if err != nil || !slices.Equal(cut.Turns, []string{"2", "3"}) || !slices.Equal(cut.Jobs, []string{"j"}) {
		t.Fatalf("%+v, %v", cut, err)
	}
	step := manager.TurnStep{Turn: &late, Next: "save", Jobs: []job.Job{{ID: "k", Number: 2, Chat: "main"}}, Counter: &service.Counter{{ID: "3"}}}
	if err := l.SaveTurn(ctx, step); !errors.Is(err, manager.ErrTurnOver) {
		t.Errorf("a step: %v", err)
	}
	if err := Reply(l, late, "늦은 노래"); !errors.Is(err, manager.ErrTurnOver) {
		t.Errorf("a reply: %v", err)
	}
	if added, err := l.AddResume(ctx, manager.Turn{ID: "outcome-j", Chat: "main"}); added || err != nil {
		t.Errorf("an outcome: %v, %v", added, err)
	}
	run := job.Run{Job: job.Job{ID: "j", Number: 1, Chat: "main", Title: "노래", State: job.Running}}
	effect := job.Effect{ID: "e", JobID: "j", Authorization: job.AuthorizedByPolicy}
	if err := l.SaveStep(ctx, job.Step{Run: &run, Intent: &effect}); apperr.CodeOf(err) != apperr.Canceled {
		t.Errorf("an intent: %v", err)
	}
	report := event.ChatMessage{ID: "r", Role: event.RoleJob, Text: "노래가 끝났어요"}
	if err := l.SaveStep(ctx, job.Step{Run: &run, Message: &report}); err != nil {
		t.Errorf("a report: %v", err)
	}
	if _, err := l.Recall(ctx, "main", nil); err != nil {
		t.Fatal(err)
	}
	if made, err := l.Compact(ctx, memory.Compaction{Chat: "main", Summary: "노래"}); made || err != nil {
		t.Errorf("a summary: %v, %v", made, err)
	}

	if list := append(Texts(t, l, "main"), Texts(t, l, "job:j")...); len(list) != 0 {
		t.Errorf("it says %v", list)
	}
	if open, err := l.Counters(ctx); err != nil || len(open) != 0 {
		t.Errorf("the counter has %+v, %v", open, err)
	}
	if pending, err := l.PendingTurns(ctx); err != nil || len(pending) != 0 {
		t.Errorf("%+v would go on, %v", pending, err)
	}
	if st, err := l.RecoveryStates(ctx); err != nil || len(st) != 1 || st[0].Off != job.Disowned {
		t.Errorf("%+v, %v", st, err)
	}
	if jobs, err := l.ChatJobs(ctx, "main", 0); err != nil || len(jobs) != 0 {
		t.Errorf("a plan is told of %+v, %v", jobs, err)
	}

	// A new message begins the chat anew, and what came late stays out of it.
	Say(t, l, "main", "4", "안녕")
	if err := Reply(l, late, "늦은 노래"); !errors.Is(err, manager.ErrTurnOver) {
		t.Errorf("a reply: %v", err)
	}
	if err := l.SaveStep(ctx, job.Step{Run: &run, Message: &report}); err != nil {
		t.Errorf("a report: %v", err)
	}
	if list := Texts(t, l, "main"); !slices.Equal(list, []string{"안녕"}) {
		t.Errorf("it says %v", list)
	}
}

// A request that another takes the place of goes with all that came of it and after it; what was said before stays, with
// replies that came later.
func requestReplaced(t *testing.T, h House) {
	l, ctx := open(t, h), t.Context()
	one, two := Say(t, l, "main", "1", "one"), Say(t, l, "main", "2", "two")
	must(t, Reply(l, one, "re one", job.Job{ID: "a", Number: 1, Turn: "1", Chat: "main", State: job.Queued}))
	must(t, Reply(l, two, "re two",
		job.Job{ID: "b", Number: 2, Turn: "2", Chat: "main", State: job.Queued},
		job.Job{ID: "c", Number: 3, Turn: "2", Chat: "main", State: job.Queued, Counter: true}))
	three := Say(t, l, "main", "3", "three")
	Say(t, l, "second", "4", "elsewhere")

	turn := manager.Turn{ID: "5", Chat: "main", Text: "2"}
	msg := event.ChatMessage{ID: "5", Role: event.RoleCustomer, Text: "2"}
	for _, no := range []string{"re-2", "4", "nobody"} {
		if _, err := l.AddTurnInstead(ctx, turn, msg, manager.Place{Request: no, Title: "2"}); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("in the place of %s: %v", no, err)
		}
	}
	if list := Texts(t, l, "main"); len(list) != 5 {
		t.Errorf("what was refused took something: %v", list)
	}
	cut, err := l.AddTurnInstead(ctx, turn, msg, manager.Place{Request: "2", Was: "two", Title: "2"})
	must(t, err)
	if !slices.Equal(cut.Messages, []string{"2", "re-2", "3"}) || !slices.Equal(cut.Turns, []string{"3"}) || !slices.Equal(cut.Jobs, []string{"b"}) || cut.Title != "" {
		t.Errorf("%+v", cut)
	}
	if list := Texts(t, l, "main"); !slices.Equal(list, []string{"one", "re one", "2"}) {
		t.Errorf("it says %v", list)
	}
	if err := Reply(l, three, "late"); !errors.Is(err, manager.ErrTurnOver) {
		t.Errorf("a reply to what is gone: %v", err)
	}
	off := map[string]job.CalledOff{}
	st, err := l.RecoveryStates(ctx)
	must(t, err)
	for _, one := range st {
		off[one.ID] = one.Off
	}
	if off["a"] != job.NotCalledOff || off["b"] != job.Disowned || off["c"] != job.NotCalledOff {
		t.Errorf("%v", off)
	}
	cut, err = l.AddTurnInstead(ctx, manager.Turn{ID: "6", Chat: "main"}, event.ChatMessage{ID: "6", Role: event.RoleCustomer, Text: "1"}, manager.Place{Request: "1", Was: "one", Title: "1"})
	must(t, err)
	if chats, err := l.Chats(ctx); err != nil || cut.Title != "1" || chats[0].Title != "1" {
		t.Errorf("the title %q, %+v, %v", cut.Title, chats, err)
	}
	cut, err = l.AddTurnInstead(ctx, manager.Turn{ID: "7", Chat: "main"}, event.ChatMessage{ID: "7", Role: event.RoleCustomer, Text: "0"}, manager.Place{Request: "6", Was: "nothing", Title: "0"})
	must(t, err)
	if cut.Jobs == nil || len(cut.Jobs) > 0 {
		t.Errorf("fronts are told of the tickets %#v instead of an empty list", cut.Jobs)
	}
}

// A summary that holds what is gone is not told any more: the chat is read from its beginning.
func summaryGone(t *testing.T, h House) {
	l, ctx := open(t, h), t.Context()
	for n := range 4 {
		if err := Reply(l, Say(t, l, "main", fmt.Sprint(n), fmt.Sprint("ask ", n)), fmt.Sprint("answer ", n)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := l.Recall(ctx, "main", nil)
	if err != nil || len(r.Lines) != 8 {
		t.Fatalf("%+v, %v", r, err)
	}
	if made, err := l.Compact(ctx, memory.Compaction{Chat: "main", Summary: "they asked", Turns: 2, To: r.Lines[3].N, Version: r.Version}); err != nil || !made {
		t.Fatalf("%v, %v", made, err)
	}
	for _, c := range []struct {
		request, summary string
		lines            int
	}{{"2", "they asked", 0}, {"1", "", 2}} {
		id := "instead of " + c.request
		if _, err := l.AddTurnInstead(ctx, manager.Turn{ID: id, Chat: "main"}, event.ChatMessage{ID: id, Role: event.RoleCustomer, Text: id}, manager.Place{Request: c.request, Title: id}); err != nil {
			t.Fatal(err)
		}
		if r, err := l.Recall(ctx, "main", nil); err != nil || r.Summary != c.summary || len(r.Lines) != c.lines {
			t.Errorf("%s: %q and %d lines, %v", id, r.Summary, len(r.Lines), err)
		}
	}
}
