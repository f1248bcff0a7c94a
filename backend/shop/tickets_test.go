package shop_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/shop"
)

func (c *customer) tickets(f job.TicketFilter) shop.TicketPage {
	c.t.Helper()
	page, err := c.Tickets(c.t.Context(), f, 0, 0)
	if err != nil {
		c.t.Fatal(err)
	}
	return page
}

// repeats says what a job came of once more, and gives the job that came of it then.
func (c *customer) repeats(id string, sure bool) string {
	c.t.Helper()
	a, err := c.SayAgain(c.t.Context(), id, sure)
	if err != nil || a.Message == nil || len(a.Did) > 0 {
		c.t.Fatalf("%+v, %v", a, err)
	}
	d := until(c, "the turn is done", func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == a.Message.ID })
	if len(d.Jobs) != 1 {
		c.t.Fatalf("it became %v", d.Jobs)
	}
	return d.Jobs[0]
}

// What only looked or stayed in the shop is said again at once; what wrote a file is looked at before, and asks again.
func TestAJobIsDoneAgain(t *testing.T) {
	c, docs := withFolder(t, true)
	path := filepath.Join(docs, "회의.txt")
	kept(t, path, "하나\n")
	unit := c.job("5킬로미터는 몇 미터야?")
	c.state(unit, "succeeded")
	again := c.repeats(unit, false)
	c.state(again, "succeeded")
	if again == unit {
		t.Error("it is the same job")
	}

	write := c.job("회의.txt에 '둘' 추가해줘")
	c.answer(write, ask.ChoiceApprove, "")
	c.state(write, "succeeded")
	before := c.tickets(job.TicketFilter{}).Total
	a, err := c.SayAgain(t.Context(), write, false)
	if err != nil || a.Message != nil || len(a.Did) != 1 || !strings.Contains(a.Did[0], "회의.txt") {
		t.Fatalf("%+v, %v", a, err)
	}
	if err := c.WaitIdle(t.Context()); err != nil || c.tickets(job.TicketFilter{}).Total != before {
		t.Errorf("it was said before anybody was sure: %v", err)
	}
	second := c.repeats(write, true)
	q := c.question(second)
	if q.Tool != "file_write" {
		t.Errorf("it does not ask: %+v", q)
	}
	reads(t, path, "하나\n둘\n")
	c.answer(second, ask.ChoiceApprove, "")
	c.state(second, "succeeded")
	reads(t, path, "하나\n둘\n둘\n")

	page := c.tickets(job.TicketFilter{Tool: "file_write"})
	if len(page.Tickets) != 2 || page.Tickets[0].ID != second || page.Tickets[1].ID != write || page.Total != 2 || page.Next != 0 {
		t.Errorf("%+v", page)
	}
	if _, err := c.SayAgain(t.Context(), "no such job", true); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("%v", err)
	}
	if err := c.DeleteChat(t.Context(), "main"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.SayAgain(t.Context(), unit, true); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("its message is gone: %v", err)
	}
	if n := c.tickets(job.TicketFilter{}).Total; n != 0 {
		t.Errorf("%d jobs of a chat that is gone", n)
	}
}

// What was confirmed at the counter is asked for again by the words that began it, not by the yes; and that asks again.
func TestATransferIsAskedForAgain(t *testing.T) {
	g := bankGuest(t, t.TempDir())
	g.tell("엄마한테 만원 보내줘")
	g.tell("확인")
	page := g.customer.tickets(job.TicketFilter{Tool: "transfer", State: job.Succeeded})
	if len(page.Tickets) != 1 {
		t.Fatalf("%+v", page)
	}
	a, err := g.SayAgain(t.Context(), page.Tickets[0].ID, false)
	if err != nil || a.Message != nil || len(a.Did) != 1 {
		t.Fatalf("%+v, %v", a, err)
	}
	if a, err = g.SayAgain(t.Context(), page.Tickets[0].ID, true); err != nil || a.Message == nil || a.Message.Text != "엄마한테 만원 보내줘" {
		t.Fatalf("%+v, %v", a, err)
	}
	d := until(g.customer, "the turn is done", func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == a.Message.ID })
	if d.NextAction != event.NextConfirm || len(d.Jobs) > 0 {
		t.Errorf("it is not asked about: %+v", d)
	}
}

// The list is walked by its cursor, and a file holds what the filter wants.
func TestTicketsInPagesAndInAFile(t *testing.T) {
	c := enter(t, t.TempDir())
	for _, text := range []string{"12 곱하기 3은?", "5킬로미터는 몇 미터야?", "7 곱하기 8은?"} {
		c.state(c.job(text), "succeeded")
	}
	first, err := c.Tickets(t.Context(), job.TicketFilter{Tool: "calculator"}, 0, 1)
	if err != nil || len(first.Tickets) != 1 || first.Total != 2 || first.Next == 0 {
		t.Fatalf("%+v, %v", first, err)
	}
	rest, err := c.Tickets(t.Context(), job.TicketFilter{Tool: "calculator"}, first.Next, 1)
	if err != nil || len(rest.Tickets) != 1 || rest.Next != 0 || rest.Tickets[0].Number >= first.Tickets[0].Number {
		t.Fatalf("%+v, %v", rest, err)
	}

	dir := t.TempDir()
	for name, format := range map[string]string{"jobs.csv": "", "jobs.json": "", "jobs.txt": "csv"} {
		if n, err := c.ExportTickets(t.Context(), filepath.Join(dir, name), format, job.TicketFilter{Tool: "calculator"}); err != nil || n != 2 {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
	for path, format := range map[string]string{"": "csv", filepath.Join(dir, "x"): "", filepath.Join(dir, "y"): "xlsx"} {
		if _, err := c.ExportTickets(t.Context(), path, format, job.TicketFilter{}); apperr.CodeOf(err) != apperr.InvalidArgs {
			t.Errorf("%q, %q: %v", path, format, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "jobs.json"))
	var list []job.Ticket
	if err != nil || json.Unmarshal(text, &list) != nil || len(list) != 2 || list[0].ID != first.Tickets[0].ID || list[1].Text == "" {
		t.Errorf("%s, %v", text, err)
	}
	sheet, err := os.Open(filepath.Join(dir, "jobs.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sheet.Close() }()
	rows, err := csv.NewReader(sheet).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][1] != first.Tickets[0].Title || rows[1][5] != "calculator" {
		t.Errorf("%q, %v", rows, err)
	}
	if n, err := c.ExportTickets(t.Context(), filepath.Join(dir, "none.json"), "", job.TicketFilter{Words: "nothing"}); err != nil || n != 0 {
		t.Errorf("%d, %v", n, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "none.json")); err != nil || string(text) != "[]\n" {
		t.Errorf("%q, %v", text, err)
	}
}
