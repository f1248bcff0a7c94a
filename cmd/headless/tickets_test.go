package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/job"
	"agentchat/backend/shop"
)

// All jobs as the headless front lists them, over a restart: narrowed, page after page, in a file, and said again.
func TestAllJobsAreListed(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir)
	first := s.wish("12 곱하기 3은?")
	s.becomes(first, string(job.Succeeded))
	s.becomes(s.wish("5킬로미터는 몇 미터야?"), string(job.Succeeded))
	s.quit()

	s = start(t, dir)
	list := func(fields map[string]any) (page shop.TicketPage) {
		t.Helper()
		s.must("tickets", fields, &page)
		return page
	}
	page := list(map[string]any{"limit": 1})
	if len(page.Tickets) != 1 || page.Total != 2 || page.Next != page.Tickets[0].Number {
		t.Fatalf("%+v", page)
	}
	if page = list(map[string]any{"limit": 1, "cursor": page.Next}); len(page.Tickets) != 1 || page.Tickets[0].ID != first || page.Next != 0 {
		t.Errorf("%+v", page)
	}
	if page = list(map[string]any{"filter": map[string]any{"tool": "calculator", "state": "succeeded"}}); page.Total != 1 || page.Tickets[0].ID != first {
		t.Errorf("%+v", page)
	}
	for code, filter := range map[apperr.Code]map[string]any{apperr.BadCommand: {"colour": "red"}, apperr.InvalidArgs: {"from": "soon"}} {
		if a := s.do("tickets", map[string]any{"filter": filter}); a.OK || a.Error.Code != string(code) {
			t.Errorf("%v: %+v", filter, a)
		}
	}
	path := filepath.Join(dir, "jobs.json")
	s.must("tickets_export", map[string]any{"path": path, "filter": map[string]any{"words": "12 계산"}}, nil)
	var rows []job.Ticket
	if text, err := os.ReadFile(path); err != nil || json.Unmarshal(text, &rows) != nil || len(rows) != 1 {
		t.Errorf("%s, %v", text, err)
	}
	if a := s.do("again", nil); a.OK {
		t.Error("no job was named, and one was done again")
	}
	s.must("again", map[string]any{"job": first}, nil)
	s.must("wait", map[string]any{"until": "idle"}, nil)
	if page = list(map[string]any{"filter": map[string]any{"tool": "calculator"}}); page.Total != 2 {
		t.Errorf("%+v", page)
	}
	s.quit()
}
