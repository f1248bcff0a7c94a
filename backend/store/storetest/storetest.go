// Package storetest is what a ledger must do, whatever engine keeps it: a suite that knows it only by the interfaces of those who use it. The
// tests of backend/store run it for SQLite; docs/scale.md says when there would be another.
//
// What belongs to one engine is not in it: its file, its migrations, backups, damage, the index that search uses.
package storetest

import (
	"context"
	"fmt"
	"io"
	"testing"

	"agentchat/backend/ask"
	"agentchat/backend/bank"
	"agentchat/backend/event"
	"agentchat/backend/guest"
	"agentchat/backend/job"
	"agentchat/backend/manager"
	"agentchat/backend/memory"
	"agentchat/backend/policy"
	"agentchat/backend/service"
)

// Ledger is what work, questions, money and talk need of a ledger.
type Ledger interface {
	job.Store
	ask.Store
	manager.Store
	policy.Store
	guest.Store
	bank.Store
	service.Records
	memory.Store
	pages
	io.Closer
}

// pages is what the shop itself shows of it.
type pages interface {
	AddChat(ctx context.Context, id, title string) error
	RenameChat(ctx context.Context, id, title string) error
	HideMessage(ctx context.Context, id string, hidden bool) error
	Chats(ctx context.Context) ([]manager.Chat, error)
	Board(ctx context.Context, keep int) ([]job.View, error)
	ClearEnded(ctx context.Context) error
	AddLog(ctx context.Context, lines []event.JobLog) error
	JobLog(ctx context.Context, id string, limit int) ([]job.LogLine, error)
	Tickets(ctx context.Context, f job.TicketFilter, before int64, limit int) ([]job.Ticket, error)
	CountTickets(ctx context.Context, f job.TicketFilter) (int, error)
}

// House is where one ledger is kept.
type House interface {
	// Open opens it, made when there is none. It is not open already.
	Open(t testing.TB) Ledger
	// Cut ends the open one as the end of its process does, in the middle of whatever it is doing: what it has acknowledged is kept, what
	// it was asked and has not acknowledged is done whole or not at all.
	Cut(t testing.TB)
}

// Run runs the suite. house makes a house of its own for each test, with nothing in it.
func Run(t *testing.T, house func(testing.TB) House) {
	for _, c := range []struct {
		name string
		test func(*testing.T, House)
	}{
		{"a step is whole or nothing", stepWhole},
		{"an effect needs its warrant", effectWarrant},
		{"a use is written once", useOnce},
		{"an answer is taken once", answerOnce},
		{"a line is kept", lineKept},
		{"a guest's limit holds in a crowd", guestLimit},
		{"ended jobs leave the board", endedJobs},
		{"tickets are found, page after page", ticketPages},
		{"a ticket follows its job", ticketFollows},
		{"tickets of deleted chats", ticketsDeleted},
		{"history in pages", historyPages},
		{"chats", chats},
		{"a turn is opened once", turnOnce},
		{"nothing is written for a deleted chat", deletedChat},
		{"a request is replaced", requestReplaced},
		{"a summary of what is gone", summaryGone},
		{"a change of the books is whole or nothing", booksWhole},
		{"what is settled stays settled", booksSettled},
		{"looking at the books", booksLooked},
		{"books in a crowd", booksCrowd},
		{"telling a chat", booksTell},
		{"a record is written once", recordOnce},
		{"records are written together", recordsTogether},
		{"readers and writers at once", crowd},
		{"a caller that gave up", gaveUp},
		{"cut off under a crowd", cutUnderCrowd},
		{"who reads on misses nothing", readsOn},
		{"after its end", closed},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, house(t)) })
	}
}

// open opens the ledger of a house until the test is over or closes it.
func open(t *testing.T, h House) Ledger {
	t.Helper()
	l := h.Open(t)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// reopen gives the ledger as the next start of the program finds it.
func reopen(t *testing.T, h House, l Ledger) Ledger {
	t.Helper()
	must(t, l.Close())
	return open(t, h)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Say stores a customer's message with its turn.
func Say(t testing.TB, l manager.Store, chat, id, text string) manager.Turn {
	t.Helper()
	turn := manager.Turn{ID: id, Chat: chat, Text: text}
	_, err := l.AddTurn(context.Background(), turn, event.ChatMessage{ID: id, Role: event.RoleCustomer, Text: text}, text)
	must(t, err)
	return turn
}

// Reply ends a turn with an answer and tickets.
func Reply(l manager.Store, turn manager.Turn, text string, jobs ...job.Job) error {
	msg := event.ChatMessage{ID: "re-" + turn.ID, Role: event.RoleShop, Text: text, Turn: turn.ID}
	return l.SaveTurn(context.Background(), manager.TurnStep{Turn: &turn, Next: "end", Done: true, Jobs: jobs, Message: &msg})
}

// Hand stores jobs as a turn does.
func Hand(t testing.TB, l manager.Store, jobs ...job.Job) {
	t.Helper()
	turn := manager.Turn{ID: "turn", Chat: "main"}
	_, err := l.AddResume(context.Background(), turn)
	must(t, err)
	must(t, l.SaveTurn(context.Background(), manager.TurnStep{Turn: &turn, Node: "jobs", Next: "save", Jobs: jobs}))
}

// Texts gives what a chat says.
func Texts(t testing.TB, l manager.Store, chat string) (list []string) {
	t.Helper()
	msgs, err := l.History(context.Background(), chat, "", 1000)
	must(t, err)
	for _, m := range msgs {
		list = append(list, m.Text)
	}
	return list
}

// ticket is a job that has just been handed out.
func ticket(n int, state job.State) job.Job {
	return job.Job{ID: fmt.Sprint("j", n), Number: int64(n), Chat: "main", Title: "t", State: state}
}
