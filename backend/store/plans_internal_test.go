package store

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
)

// grows are the tables that grow with use, and what queries call them.
var grows = regexp.MustCompile(`^SCAN (jobs|j|messages|m|job_log|l|passages|p|shelf_files|s)$`)

// What runs at a start, after each turn, and when somebody looks at a chat, a version or the logs goes through no table that grows. The
// statements are those that really ran; whatever they should have found by an index they would find by going through all, only later and later.
func TestNothingGoesThroughATableThatGrows(t *testing.T) {
	s := openWith(t, t.TempDir(), known(t))
	stock(t, s, 20)
	ctx := t.Context()
	turn := manager.Turn{ID: "t1", Chat: "main", Text: "우유 사기", Lang: bilingual.KO}
	if _, err := s.AddTurn(ctx, turn, event.ChatMessage{ID: "t1", Role: event.RoleCustomer, Text: "우유 사기", Time: "2026-01-01T00:00:00Z"}, "우유"); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveTurn(ctx, manager.TurnStep{Turn: &turn, Node: "jobs", Next: "end", Done: true}); err != nil {
		t.Fatal(err)
	}
	if due, err := s.Untitled(ctx, 3, 20); err != nil || len(due) != 1 || len(due[0].Requests) != 1 {
		t.Fatalf("%+v, %v", due, err)
	}
	for what, do := range map[string]func() error{
		"a start":        func() error { _, err := s.RecoveryStates(ctx); return err },
		"its turns":      func() error { _, err := s.PendingTurns(ctx); return err },
		"shelves":        func() error { return s.TidyShelves(ctx) },
		"chats":          func() error { _, err := s.Chats(ctx); return err },
		"a chat":         func() error { _, err := s.History(ctx, "main", "", 50); return err },
		"some chats":     func() error { _, err := s.Newest(ctx, []string{"main"}, 10); return err },
		"the board":      func() error { _, err := s.Board(ctx, 200); return err },
		"ended jobs":     func() error { _, err := s.EndedJobs(ctx, "main", time.Unix(0, 0), 10); return err },
		"versions":       func() error { _, err := s.Versions(ctx, "t1"); return err },
		"jobs with":      func() error { _, err := s.JobsWith(ctx, "song", []string{"a"}); return err },
		"jobs of a chat": func() error { _, err := s.JobsOf(ctx, "main"); return err },
		"all logs":       func() error { _, err := s.JobLog(ctx, "", 100); return err },
	} {
		if err := do(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	queries := []string{jobsOnRecordAgain} // needs a version that is not shown
	for q := range s.read.stmts {
		queries = append(queries, q)
	}
	for q := range s.stmts {
		queries = append(queries, q)
	}
	for _, q := range queries {
		var plan []string
		for n := range 10 { // what is bound does not matter, how much is
			rows, err := s.conn.QueryContext(ctx, "EXPLAIN QUERY PLAN "+q, make([]any, n)...)
			if err != nil {
				continue
			}
			if err := each(rows, err, func(r row) error {
				var id, parent, unused int
				var step string
				err := r.Scan(&id, &parent, &unused, &step)
				plan = append(plan, step)
				return err
			}); err == nil && len(plan) > 0 {
				break
			}
		}
		for _, step := range plan {
			if table := grows.FindStringSubmatch(step); table != nil && !slices.Contains(plan, "CO-ROUTINE "+table[1]) {
				t.Errorf("%s\n%s", q, strings.Join(plan, "\n"))
				break
			}
		}
	}
}

// Which jobs have a tool is told by a column; what the jobs themselves say is the same.
func TestJobsWithATool(t *testing.T) {
	s := openWith(t, t.TempDir(), known(t))
	stock(t, s, 20)
	page, err := s.Tickets(t.Context(), job.TicketFilter{}, 0, 20)
	if err != nil || len(page) == 0 || len(page[0].Tools) == 0 {
		t.Fatalf("%+v, %v", page, err)
	}
	tool, ids, want := page[0].Tools[0], []string{"gone"}, map[string]bool{}
	for _, j := range page {
		ids = append(ids, j.ID)
		if slices.Contains(j.Tools, tool) {
			want[j.ID] = true
		}
	}
	if with, err := s.JobsWith(t.Context(), tool, ids); err != nil || !maps.Equal(with, want) {
		t.Errorf("%v, %v, want %v", with, err, want)
	}
	if with, err := s.JobsWith(t.Context(), tool[1:], ids); err != nil || len(with) > 0 {
		t.Errorf("a part of its name: %v, %v", with, err)
	}
}
