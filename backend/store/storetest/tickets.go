package storetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
)

// firstDay is when the first of the jobs below was handed out; one follows the other after ten minutes.
var firstDay = time.Date(2026, 3, 1, 0, 0, 0, 0, time.Local)

// SomeJob is the n-th of many: every tenth goes on, every hundredth belongs to a standing order.
func SomeJob(n int) job.Job {
	state := []job.State{job.Waiting, job.Succeeded, job.Succeeded, job.Failed, job.Succeeded, job.Canceled, job.Succeeded, job.Succeeded, job.Succeeded, job.Succeeded}[n%10]
	j := job.Job{
		ID: fmt.Sprint("j", n), Number: int64(n), Chat: fmt.Sprint("chat", n%7), Title: fmt.Sprint("서울 날씨 ", n), Request: "서울 날씨 알려줘", Lang: bilingual.KO,
		State: state, Created: firstDay.Add(time.Duration(n) * 10 * time.Minute), Report: strings.Repeat("서울은 맑아요. ", 10),
		Todos: []job.Todo{
			{ID: "t1", Title: "날씨", Tool: "weather", Request: "서울 날씨", Args: json.RawMessage(`{"place":"서울"}`), State: job.TodoDone, Text: strings.Repeat("맑음 ", 40)},
			{ID: "t2", Title: "적기", Request: "적어줘", State: job.TodoDone, Used: []string{"note_add"}, Text: strings.Repeat("적었어요 ", 40)},
		},
	}
	if n%100 == 0 {
		j.Standing = &job.Standing{Order: "o1", Run: "run"}
	}
	if n%50 == 0 {
		j.Todos[1].Used = append(j.Todos[1].Used, "calculator")
	}
	if state.Ended() {
		j.Ended = j.Created.Add(time.Minute)
	}
	return j
}

// stock fills a ledger with the first n of them.
func stock(t testing.TB, l Ledger, n int) {
	t.Helper()
	jobs := make([]job.Job, n)
	for i := range jobs {
		jobs[i] = SomeJob(i + 1)
	}
	Hand(t, l, jobs...)
	for _, j := range jobs {
		if j.State.Ended() {
			must(t, l.SaveStep(t.Context(), job.Step{Run: &job.Run{Job: j}, Next: "end"}))
		}
	}
}

// Wanted are the filters that people use, each with a few jobs it must find among the first 300, the newest first.
var Wanted = map[string]struct {
	Filter job.TicketFilter
	Fits   func(n int, j job.Job) bool
}{
	"all":                {job.TicketFilter{}, func(int, job.Job) bool { return true }},
	"what waits":         {job.TicketFilter{State: job.Waiting}, func(_ int, j job.Job) bool { return j.State == job.Waiting }},
	"what failed":        {job.TicketFilter{State: job.Failed}, func(_ int, j job.Job) bool { return j.State == job.Failed }},
	"a chat":             {job.TicketFilter{Chat: "chat3"}, func(_ int, j job.Job) bool { return j.Chat == "chat3" }},
	"a standing order":   {job.TicketFilter{Standing: "o1"}, func(n int, _ job.Job) bool { return n%100 == 0 }},
	"a tool":             {job.TicketFilter{Tool: "calculator"}, func(n int, _ job.Job) bool { return n%50 == 0 }},
	"a part of a tool":   {job.TicketFilter{Tool: "calc"}, func(int, job.Job) bool { return false }},
	"a day":              {job.TicketFilter{From: "2026-03-02", To: "2026-03-02"}, func(n int, _ job.Job) bool { return n >= 144 && n < 288 }},
	"from a day on":      {job.TicketFilter{From: "2026-03-03"}, func(n int, _ job.Job) bool { return n >= 288 }},
	"words of the title": {job.TicketFilter{Words: " 12 날씨 "}, func(n int, _ job.Job) bool { return strings.Contains(fmt.Sprint(n), "12") }},
	"signs as they are":  {job.TicketFilter{Words: "_%"}, func(int, job.Job) bool { return false }},
	"several at once": {job.TicketFilter{State: job.Succeeded, Chat: "chat2", Words: "1"}, func(n int, j job.Job) bool {
		return j.State == job.Succeeded && n%7 == 2 && strings.Contains(fmt.Sprint(n), "1")
	}},
	"these":               {job.TicketFilter{IDs: []string{"j7", "j9", "gone"}}, func(n int, _ job.Job) bool { return n == 7 || n == 9 }},
	"these, in that chat": {job.TicketFilter{IDs: []string{"j7", "j9"}, Chat: "chat2"}, func(n int, _ job.Job) bool { return n == 9 }},
	"none of none":        {job.TicketFilter{IDs: []string{}}, func(int, job.Job) bool { return false }},
}

// What has ended leaves the board and stays in the ledger.
func endedJobs(t *testing.T, h House) {
	l := open(t, h)
	var jobs []job.Job
	for i := range 5 {
		jobs = append(jobs, job.Job{ID: fmt.Sprint("j", i), Number: int64(i + 1), Chat: "main", Title: "t", State: job.Queued})
	}
	Hand(t, l, jobs...)
	for i := range 3 {
		run := job.Run{Job: jobs[i]}
		run.Job.State, run.Job.Ended = job.Succeeded, time.Now().Add(time.Duration(i)*time.Second)
		if err := l.SaveStep(t.Context(), job.Step{Run: &run, Node: "done", Next: "end"}); err != nil {
			t.Fatal(err)
		}
	}
	count := func(keep int) int {
		list, err := l.Board(t.Context(), keep)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	if count(10) != 5 || count(1) != 3 {
		t.Errorf("kept %d and %d", count(10), count(1))
	}
	if err := l.ClearEnded(t.Context()); err != nil {
		t.Fatal(err)
	}
	if count(10) != 2 {
		t.Errorf("after clearing %d", count(10))
	}
	if _, err := l.LoadRun(t.Context(), "j0"); err != nil {
		t.Errorf("a cleared job is gone from the ledger: %v", err)
	}
	if n, err := l.LastNumber(t.Context()); err != nil || n != 5 {
		t.Errorf("last number %d, %v", n, err)
	}
	if live, err := l.RecoveryStates(t.Context()); err != nil || len(live) != 2 {
		t.Errorf("%d live, %v", len(live), err)
	}
}

// A filter finds what fits, all of it and nothing else, page after page.
func ticketPages(t *testing.T, h House) {
	const many = 300
	l := open(t, h)
	stock(t, l, many)
	for name, c := range Wanted {
		want := []int64{}
		for n := many; n > 0; n-- {
			if c.Fits(n, SomeJob(n)) {
				want = append(want, int64(n))
			}
		}
		have := []int64{}
		for before := int64(0); ; {
			page, err := l.Tickets(t.Context(), c.Filter, before, 7)
			if err != nil {
				t.Fatal(err)
			}
			for _, ticket := range page {
				have, before = append(have, ticket.Number), ticket.Number
			}
			if len(page) < 7 {
				break
			}
		}
		n, err := l.CountTickets(t.Context(), c.Filter)
		if err != nil || c.Filter.IDs == nil && n != len(want) || !slices.Equal(have, want) {
			t.Errorf("%s: %d, %v:\n%v\nwant\n%v", name, n, err, have, want)
		}
	}
	page, err := l.Tickets(t.Context(), job.TicketFilter{IDs: []string{"j100"}}, 0, 1)
	if err != nil || len(page) != 1 {
		t.Fatal(page, err)
	}
	have, want := page[0], SomeJob(100).Ticket()
	if fmt.Sprint(have) != fmt.Sprint(want) || have.Standing != "o1" || !slices.Equal(have.Tools, []string{"weather", "note_add", "calculator"}) {
		t.Errorf("%+v\nwant %+v", have, want)
	}
	if _, err := l.Tickets(t.Context(), job.TicketFilter{From: "yesterday"}, 0, 1); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Errorf("no day: %v", err)
	}
}

// A step of a job that goes on changes what the list shows of it, and its tools can be looked for at once.
func ticketFollows(t *testing.T, h House) {
	l := open(t, h)
	j := job.Job{ID: "j", Number: 1, Chat: "main", Title: "a job", State: job.Queued, Created: firstDay, Todos: []job.Todo{{ID: "t"}}}
	step := func(change func()) {
		t.Helper()
		change()
		if err := l.SaveStep(t.Context(), job.Step{Run: &job.Run{Job: j}, Next: "exec"}); err != nil {
			t.Fatal(err)
		}
	}
	Hand(t, l, j)
	for _, c := range []struct {
		change func()
		filter job.TicketFilter
	}{
		{func() {}, job.TicketFilter{State: job.Queued}},
		{func() { j.State, j.Todos[0].Tool = job.Running, "song" }, job.TicketFilter{State: job.Running, Tool: "song"}},
		{func() { j.Title = "another name" }, job.TicketFilter{Words: "another"}},
		{func() { j.State, j.Ended = job.Succeeded, firstDay }, job.TicketFilter{State: job.Succeeded, Tool: "song", Words: "name"}},
	} {
		if n, err := l.CountTickets(t.Context(), c.filter); err != nil || n != 0 && c.filter.State != job.Queued {
			t.Errorf("before: %+v, %d, %v", c.filter, n, err)
		}
		step(c.change)
		if n, err := l.CountTickets(t.Context(), c.filter); err != nil || n != 1 {
			t.Errorf("%+v: %d, %v", c.filter, n, err)
		}
	}
}

// What is no longer anybody's is in no list; what ended in a chat that was deleted comes back with it.
func ticketsDeleted(t *testing.T, h House) {
	l := open(t, h)
	stock(t, l, 14)
	if err := l.AddChat(t.Context(), "chat0", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := l.DeleteChat(t.Context(), "chat0"); err != nil {
		t.Fatal(err)
	}
	count := func() int {
		t.Helper()
		n, err := l.CountTickets(t.Context(), job.TicketFilter{})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := count(); n != 12 {
		t.Errorf("%d, want 12", n)
	}
	if _, err := l.RestoreChat(t.Context(), "chat0", time.Time{}); err != nil {
		t.Fatal(err)
	}
	if n := count(); n != 14 {
		t.Errorf("%d, want 14", n)
	}
}
