package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/manager"
	"agentchat/backend/policy"
	"agentchat/backend/service"
)

// Whoever reads or writes at the same time gets what it asked for.
func crowd(t *testing.T, h House) {
	l := open(t, h)
	Hand(t, l, job.Job{ID: "j", Number: 1, Chat: "main", Title: "t", State: job.Queued})
	var group sync.WaitGroup
	for w := range 4 {
		group.Go(func() {
			for i := range 50 {
				Say(t, l, fmt.Sprint("chat", w), fmt.Sprint(w, "-", i), "text")
				run := job.Run{Job: job.Job{ID: "j", Number: 1, Chat: "main", State: job.Running}}
				if err := l.SaveStep(t.Context(), job.Step{Run: &run, Node: "n", Next: "n", Sync: i%10 == 0}); err != nil {
					t.Error(err)
				}
			}
		})
		group.Go(func() {
			for range 50 {
				if _, err := l.History(t.Context(), "chat0", "", 100); err != nil {
					t.Error(err)
				}
				if _, err := l.LoadRun(t.Context(), "j"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	for w := range 4 {
		if msgs, err := l.History(t.Context(), fmt.Sprint("chat", w), "", 1000); err != nil || len(msgs) != 50 {
			t.Errorf("chat %d has %d messages, %v", w, len(msgs), err)
		}
	}
}

// A caller that gave up before its write began writes nothing; one that gave up in the middle has written all.
func gaveUp(t *testing.T, h House) {
	l := open(t, h)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	turn := manager.Turn{ID: "1", Chat: "main"}
	if _, err := l.AddTurn(ctx, turn, event.ChatMessage{ID: "1"}, "t"); apperr.CodeOf(err) != apperr.Canceled {
		t.Errorf("%v", err)
	}
	if msgs, _ := l.History(t.Context(), "main", "", 10); len(msgs) != 0 {
		t.Errorf("%v", msgs)
	}
}

// After its end everything is an error that can be told, and closing twice is fine.
func closed(t *testing.T, h House) {
	l := open(t, h)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
	if err := l.AddChat(t.Context(), "x", "x"); apperr.CodeOf(err) != apperr.StorageFailed {
		t.Errorf("write: %v", err)
	}
	if _, err := l.Chats(t.Context()); apperr.CodeOf(err) != apperr.StorageFailed {
		t.Errorf("read: %v", err)
	}
}

// Of those who want the same thing at the same moment one gets it, and it is written once however often that is tried.
func recordOnce(t *testing.T, h House) {
	l := open(t, h)
	booking := func(id string) service.Record {
		return service.Record{ID: id, Service: "hall", Chat: "main", Values: json.RawMessage(`{"day":"2026-03-01"}`), Unique: "2026-03-01", Due: time.Unix(1_772_000_000, 0)}
	}
	got := make(chan string, 8)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			id := fmt.Sprint("r", i)
			switch err := l.AddRecord(t.Context(), booking(id)); apperr.CodeOf(err) {
			case "":
				got <- id
			case apperr.AlreadyTaken:
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	if len(got) != 1 {
		t.Fatalf("%d have it", len(got))
	}
	id := <-got
	h.Cut(t)
	l = open(t, h)
	must(t, l.AddRecord(t.Context(), booking(id))) // its step runs again
	if list, err := l.ListRecords(t.Context(), "hall", 10); err != nil || len(list) != 1 || list[0].ID != id {
		t.Fatalf("%+v, %v", list, err)
	}
	must(t, l.CancelRecord(t.Context(), "hall", "todo", json.RawMessage(`{"day":"2026-03-01"}`)))
	if done, err := l.CanceledBy(t.Context(), "todo"); err != nil || !done {
		t.Errorf("a second run would do it again: %t, %v", done, err)
	}
	if err := l.CancelRecord(t.Context(), "hall", "other", json.RawMessage(`{"day":"2026-03-01"}`)); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("it is canceled twice: %v", err)
	}
	must(t, l.AddRecord(t.Context(), booking("later")))
}

// Several records are written, and taken away, all or none.
func recordsTogether(t *testing.T, h House) {
	l := open(t, h)
	of := func(id, what string) service.Record {
		return service.Record{ID: id, Service: "list", Chat: "main", Values: json.RawMessage(`{"what":"` + what + `"}`)}
	}
	left := func(want string) {
		t.Helper()
		list, err := l.ListRecords(t.Context(), "list", 10)
		got := ""
		for _, r := range list {
			got += r.ID + " "
		}
		if err != nil || got != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	taken := of("taken", "milk")
	taken.Unique = "milk"
	must(t, l.AddRecord(t.Context(), taken))
	again := of("again", "milk")
	again.Unique = "milk"
	if err := l.AddRecord(t.Context(), of("bread", "bread"), again); apperr.CodeOf(err) != apperr.AlreadyTaken {
		t.Errorf("%v", err)
	}
	left("taken ")
	for range 2 { // its step runs again
		must(t, l.AddRecord(t.Context(), of("a", "eggs"), of("b", "eggs"), of("c", "tofu")))
	}
	left("taken a b c ")
	eggs, tofu, none := json.RawMessage(`{"what":"eggs"}`), json.RawMessage(`{"what":"tofu"}`), json.RawMessage(`{"what":"none"}`)
	if err := l.CancelRecord(t.Context(), "list", "todo", eggs, none); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("%v", err)
	}
	left("taken a b c ")
	for range 2 {
		must(t, l.CancelRecord(t.Context(), "list", "todo", eggs, eggs, tofu))
	}
	left("taken ")
	must(t, l.AddRecord(t.Context(), of("alone", "tea"), service.Record{ID: "more", Service: "list", Values: json.RawMessage(`{"list":"shopping","what":"tea"}`)}))
	must(t, l.CancelRecord(t.Context(), "list", "other", json.RawMessage(`{"what":"tea"}`)))
	left("taken more ")
}

// Cut off while many write, it has every step that was acknowledged, and of the others each whole or not at all; who tries again what
// was not acknowledged does nothing twice.
func cutUnderCrowd(t *testing.T, h House) {
	const writers = 4
	l := h.Open(t)
	var jobs []job.Job
	for n := 1; n <= writers; n++ {
		jobs = append(jobs, ticket(n, job.Running))
	}
	Hand(t, l, jobs...)
	Say(t, l, "main", "m", "begin")
	step := func(w, i int) job.Step {
		j := jobs[w]
		j.Title = fmt.Sprintf("%d-%d", w, i)
		return use(j, j.Title)
	}
	var taken [writers]int // how many steps of each were acknowledged
	var all atomic.Int64
	enough := make(chan struct{})
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for l.SaveStep(context.Background(), step(w, taken[w])) == nil {
				taken[w]++
				if all.Add(1) == 10*writers {
					close(enough)
				}
			}
		})
	}
	over := make(chan struct{})
	go func() { group.Wait(); close(over) }()
	select {
	case <-enough:
	case <-over:
		t.Error("nobody could write any more, although nothing was cut off yet")
	}
	h.Cut(t)
	<-over

	l = open(t, h)
	there := func() (counts [writers]int) {
		t.Helper()
		entries, err := l.Audit(t.Context(), policy.Filter{}, 0, 0)
		must(t, err)
		texts := Texts(t, l, "main")[1:]
		if len(texts) != len(entries) {
			t.Fatalf("%d messages, %d entries", len(texts), len(entries))
		}
		slices.Reverse(entries)
		for i, e := range entries {
			if texts[i] != e.ID {
				t.Fatalf("%s was said where %s was written", texts[i], e.ID)
			}
		}
		for w, j := range jobs {
			log, err := l.JobLog(t.Context(), j.ID, 1<<10)
			must(t, err)
			for i, line := range log {
				if line.Line != step(w, i).Intent.ID {
					t.Fatalf("line %d of writer %d is %q", i, w, line.Line)
				}
			}
			counts[w] = len(log)
			if rec, err := l.LoadRun(t.Context(), j.ID); err != nil || rec.Run.Job.Title != step(w, len(log)-1).Intent.ID {
				t.Fatalf("writer %d: %q after %d lines, %v", w, rec.Run.Job.Title, len(log), err)
			}
		}
		if all := counts[0] + counts[1] + counts[2] + counts[3]; all != len(entries) {
			t.Fatalf("%d lines, %d entries", all, len(entries))
		}
		return counts
	}
	for w, n := range there() {
		if n < taken[w] || n > taken[w]+1 {
			t.Errorf("writer %d: %d were acknowledged, %d are there", w, taken[w], n)
		}
		if err := l.SaveStep(t.Context(), step(w, taken[w])); (err == nil) == (n > taken[w]) {
			t.Errorf("writer %d tries again what is there %d times: %v", w, n-taken[w], err)
		}
	}
	for w, n := range there() {
		if n != taken[w]+1 {
			t.Errorf("writer %d: %d after one more than %d", w, n, taken[w])
		}
	}
}

// Who reads a log on from the last number it has seen gets every entry once and in order, while many write and across a cut. A number that is
// given out before the one below it can be seen would be missed for good.
func readsOn(t *testing.T, h House) {
	const writers, each = 4, 20
	l := h.Open(t)
	j := ticket(1, job.Running)
	Hand(t, l, j)
	last, seen := int64(0), []string{}
	read := func() {
		var fresh []policy.Entry
		for before := int64(0); ; {
			page, err := l.Audit(context.Background(), policy.Filter{}, before, 3)
			if err != nil || before > 0 && len(page) > 0 && page[0].N >= before {
				t.Errorf("before %d: %+v, %v", before, page, err)
				return
			}
			for _, e := range page {
				if e.N > last {
					fresh, before = append(fresh, e), e.N
				}
			}
			if len(page) == 0 || page[len(page)-1].N <= last {
				break
			}
		}
		for _, e := range slices.Backward(fresh) {
			last, seen = e.N, append(seen, e.ID)
		}
	}
	for round := range 2 {
		wrote := make(chan struct{}, 1)
		var group sync.WaitGroup
		for w := range writers {
			group.Go(func() {
				for i := range each {
					step := job.Step{Run: &job.Run{Job: j}, Audit: []policy.Entry{{ID: fmt.Sprint(round, w, "-", i), Args: json.RawMessage(`{}`)}}}
					if err := l.SaveStep(context.Background(), step); err != nil {
						t.Error(err)
					}
					background.Wake(wrote)
				}
			})
		}
		over := make(chan struct{})
		go func() {
			defer close(over)
			for range wrote {
				read()
			}
		}()
		group.Wait()
		close(wrote)
		<-over
		h.Cut(t)
		l = h.Open(t)
	}
	read()
	must(t, l.Close())
	slices.Sort(seen)
	if n := len(slices.Compact(slices.Clone(seen))); len(seen) != n || n != 2*writers*each {
		t.Errorf("%d entries were read, %d of them different, of %d", len(seen), n, 2*writers*each)
	}
}
