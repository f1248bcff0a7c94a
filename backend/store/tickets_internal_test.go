package store

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

// someJob is the n-th of many: every tenth goes on, every hundredth belongs to a standing order.
func someJob(n int) job.Job {
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

// stock fills a ledger with jobs, as they are written.
func stock(t testing.TB, s *Store, n int) {
	t.Helper()
	if err := s.tx(t.Context(), false, func(w *work) error {
		for i := 1; i <= n; i++ {
			j := someJob(i)
			if err := w.addJob(j); err != nil {
				return err
			}
			if !j.State.Ended() {
				continue
			}
			data, err := json.Marshal(job.Run{Job: j})
			if err != nil {
				return err
			}
			if err := w.saveRun(job.Step{Run: &job.Run{Job: j}, Next: "end"}, string(data), 0); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// wanted are the filters that people use, each with a few jobs it must find among the first 300, the newest first.
var wanted = map[string]struct {
	filter job.TicketFilter
	fits   func(n int, j job.Job) bool
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

// A filter finds what fits, all of it and nothing else, page after page.
func TestTickets(t *testing.T) {
	const many = 300
	s := openWith(t, t.TempDir(), known(t))
	stock(t, s, many)
	for name, c := range wanted {
		want := []int64{}
		for n := many; n > 0; n-- {
			if c.fits(n, someJob(n)) {
				want = append(want, int64(n))
			}
		}
		have := []int64{}
		for before := int64(0); ; {
			page, err := s.Tickets(t.Context(), c.filter, before, 7)
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
		n, err := s.CountTickets(t.Context(), c.filter)
		if err != nil || c.filter.IDs == nil && n != len(want) || !slices.Equal(have, want) {
			t.Errorf("%s: %d, %v:\n%v\nwant\n%v", name, n, err, have, want)
		}
	}
	page, err := s.Tickets(t.Context(), job.TicketFilter{IDs: []string{"j100"}}, 0, 1)
	if err != nil || len(page) != 1 {
		t.Fatal(page, err)
	}
	have, want := page[0], someJob(100).Ticket()
	if fmt.Sprint(have) != fmt.Sprint(want) || have.Standing != "o1" || !slices.Equal(have.Tools, []string{"weather", "note_add", "calculator"}) {
		t.Errorf("%+v\nwant %+v", have, want)
	}
	if _, err := s.Tickets(t.Context(), job.TicketFilter{From: "yesterday"}, 0, 1); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Errorf("no day: %v", err)
	}
}

// What is no longer anybody's is in no list; what ended in a chat that was deleted comes back with it.
func TestTicketsOfDeletedChats(t *testing.T) {
	s := openWith(t, t.TempDir(), known(t))
	stock(t, s, 14)
	if err := s.AddChat(t.Context(), "chat0", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.DeleteChat(t.Context(), "chat0"); err != nil {
		t.Fatal(err)
	}
	count := func() int {
		t.Helper()
		n, err := s.CountTickets(t.Context(), job.TicketFilter{})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := count(); n != 12 {
		t.Errorf("%d, want 12", n)
	}
	if _, err := s.RestoreChat(t.Context(), "chat0", time.Time{}); err != nil {
		t.Fatal(err)
	}
	if n := count(); n != 14 {
		t.Errorf("%d, want 14", n)
	}
}

// A step of a job that goes on changes what the list shows of it, and its tools can be looked for at once.
func TestATicketFollowsItsJob(t *testing.T) {
	s := openWith(t, t.TempDir(), known(t))
	j := job.Job{ID: "j", Number: 1, Chat: "main", Title: "a job", State: job.Queued, Created: firstDay, Todos: []job.Todo{{ID: "t"}}}
	step := func(change func()) {
		t.Helper()
		change()
		if err := s.SaveStep(t.Context(), job.Step{Run: &job.Run{Job: j}, Next: "exec"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.tx(t.Context(), false, func(w *work) error { return w.addJob(j) }); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change func()
		filter job.TicketFilter
	}{
		{func() {}, job.TicketFilter{State: job.Queued}},
		{func() { j.State, j.Todos[0].Tool = job.Running, "song" }, job.TicketFilter{State: job.Running, Tool: "song"}},
		{func() { j.Title = "another name" }, job.TicketFilter{Words: "another"}},
		{func() { j.State, j.Ended = job.Succeeded, firstDay }, job.TicketFilter{State: job.Succeeded, Tool: "song", Words: "name"}},
	} {
		if n, err := s.CountTickets(t.Context(), c.filter); err != nil || n != 0 && c.filter.State != job.Queued {
			t.Errorf("before: %+v, %d, %v", c.filter, n, err)
		}
		step(c.change)
		if n, err := s.CountTickets(t.Context(), c.filter); err != nil || n != 1 {
			t.Errorf("%+v: %d, %v", c.filter, n, err)
		}
	}
}

// No filter looks through the jobs themselves, and none has to sort what it found.
func TestTicketsAreFoundByTheirIndex(t *testing.T) {
	s := openWith(t, t.TempDir(), known(t))
	stock(t, s, 200)
	for name, c := range wanted {
		q, err := ticketsOf(c.filter, 100)
		if err != nil {
			t.Fatal(err)
		}
		query, args := q.numbers(10)
		rows, err := s.conn.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
		if err != nil {
			t.Fatal(err)
		}
		var plan []string
		if err := each(rows, err, func(r row) error {
			var id, parent, free int
			var step string
			err := r.Scan(&id, &parent, &free, &step)
			plan = append(plan, step)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(plan, "\n")
		t.Logf("%s:\n%s", name, text)
		if strings.Contains(text, "SCAN jobs") || c.filter.IDs == nil && strings.Contains(text, "TEMP B-TREE") {
			t.Errorf("%s:\n%s", name, text)
		}
		if over := c.filter.State == "" || c.filter.State.Ended(); c.filter.IDs == nil && over != strings.Contains(text, "SEARCH jobs USING COVERING INDEX jobs_list (number<?)") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// A ledger from before the list has the columns of its jobs filled, as far as their records can be read.
func TestALedgerFromBeforeTheTicketList(t *testing.T) {
	dir, list := t.TempDir(), known(t)
	before := slices.IndexFunc(list, func(m migration) bool { return strings.Contains(m.sql, "INDEX jobs_list") })
	old := openWith(t, dir, list[:before])
	if _, err := old.conn.ExecContext(t.Context(), `INSERT INTO jobs (number, id, chat, title, state, data, created, ended) VALUES
		(1,'a','main','a','succeeded','{"job":{"standing":{"order":"o1","run":"r"},"todos":[{"tool":"song","used":["nav","song"]},{"tool":"song"},{}]}}',1,2),
		(2,'torn','main','b','failed','{"job":',1,2), (3,'none','main','c','running','{"job":{"todos":null}}',1,0)`); err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	s := openWith(t, dir, list)
	for want, f := range map[int]job.TicketFilter{3: {}, 1: {Standing: "o1", Tool: "nav"}, 0: {Tool: "o1"}} {
		if n, err := s.CountTickets(t.Context(), f); err != nil || n != want {
			t.Errorf("%+v: %d, %v, want %d", f, n, err, want)
		}
	}
	if n, err := s.CountTickets(t.Context(), job.TicketFilter{Tool: "song"}); err != nil || n != 1 {
		t.Errorf("a tool: %d, %v", n, err)
	}
}

// BenchmarkTickets is the first page of the list of all jobs, and how many there are, with as many jobs as the housekeeping keeps.
func BenchmarkTickets(b *testing.B) {
	s, err := open(b.Context(), b.TempDir(), time.Now, must(b))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	stock(b, s, 20000)
	for name, f := range map[string]job.TicketFilter{
		"all": {}, "failed": {State: job.Failed}, "chat": {Chat: "chat3"}, "order": {Standing: "o1"}, "tool": {Tool: "calculator"}, "oldest_day": {From: "2026-03-01", To: "2026-03-01"},
		"words": {Words: "날씨 1999"}, "nothing": {Words: "nowhere"}, "running": {State: job.Running},
	} {
		b.Run("page/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Tickets(b.Context(), f, 0, 100); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("count/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.CountTickets(b.Context(), f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func must(b *testing.B) []migration {
	b.Helper()
	list, err := loadMigrations()
	if err != nil {
		b.Fatal(err)
	}
	return list
}
