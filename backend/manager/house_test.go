package manager_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/event"
	"agentchat/backend/favourite"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/memory"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
	"agentchat/backend/toolbox"
)

// house is a shop floor with its general manager and the real interpreter, whose provider is scripted.
type house struct {
	*jobtest.Floor
	*manager.Manager
	voice  *jobtest.ScriptedModel
	memory *memory.Memory
	book   *book
	limits interpreter.Timeouts

	librarian  manager.Librarian // nil: there is no library
	favourites *favourite.Book   // over the ledger of now
}

// book is the manager's store, which can be told to fail.
type book struct {
	manager.Store
	mu      sync.Mutex
	refuse  func(step manager.TurnStep) error
	later   error                   // what befalls the word that a task's outcome is to be told
	unread  error                   // what befalls who reads the record of a job
	stuck   bool                    // nothing can be taken away either
	cutting func() error            // asked before a request is put in the place of another; may be nil
	stored  func(turn manager.Turn) // told of a message that is stored, before its teller knows; may be nil
}

func (b *book) AddTurn(ctx context.Context, turn manager.Turn, msg event.ChatMessage, title string) (bool, error) {
	created, err := b.Store.AddTurn(ctx, turn, msg, title)
	if b.stored != nil {
		b.stored(turn)
	}
	return created, err
}

func (b *book) AddTurnInstead(ctx context.Context, turn manager.Turn, msg event.ChatMessage, in manager.Place) (manager.Cut, error) {
	if b.cutting != nil {
		if err := b.cutting(); err != nil {
			return manager.Cut{}, err
		}
	}
	return b.Store.AddTurnInstead(ctx, turn, msg, in)
}

func (b *book) AddResume(ctx context.Context, turn manager.Turn) (bool, error) {
	b.mu.Lock()
	later := b.later
	b.mu.Unlock()
	if later != nil {
		return false, later
	}
	return b.Store.AddResume(ctx, turn)
}

func (b *book) LoadRun(ctx context.Context, id string) (job.Record, error) {
	if b.unread != nil {
		return job.Record{}, b.unread
	}
	return b.Store.LoadRun(ctx, id)
}

func (b *book) Distrust() error {
	if b.stuck {
		return errDisk
	}
	return b.Store.Distrust()
}

func (b *book) SaveTurn(ctx context.Context, step manager.TurnStep) error {
	b.mu.Lock()
	refuse := b.refuse
	b.mu.Unlock()
	if refuse != nil {
		if err := refuse(step); err != nil {
			return err
		}
	}
	return b.Store.SaveTurn(ctx, step)
}

// delays says what befalls the word that a task's outcome is to be told; nil: nothing.
func (b *book) delays(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.later = err
}

func (b *book) set(refuse func(step manager.TurnStep) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refuse = refuse
}

func openHouse(t *testing.T) *house {
	t.Helper()
	h := &house{voice: &jobtest.ScriptedModel{}, limits: interpreter.Timeouts{First: time.Minute, Gap: time.Minute}}
	h.Floor = jobtest.Open(t,
		jobtest.Player("nav", toolbox.MonitorBox, 1, time.Hour), jobtest.Player("movie", toolbox.MonitorBox, 1, time.Hour),
		jobtest.Player("song", toolbox.SongPool, 2, time.Hour), jobtest.NewTool("quick"), jobtest.Approved("pay", toolbox.ConfirmAlways))
	h.Start(4)
	h.hire()
	t.Cleanup(func() { h.Manager.Stop(); h.memory.Stop() })
	return h
}

// hire makes the manager and lets it take up what is unfinished.
func (h *house) hire() {
	h.T.Helper()
	cards := func(bilingual.Lang) (list []provider.ToolCard) {
		for _, s := range h.Box.Specs() {
			list = append(list, provider.ToolCard{Key: s.Key, Params: s.Params})
		}
		return list
	}
	interp := interpreter.New(interpreter.Deps{
		Provider: func() provider.Provider { return h.voice }, Tools: cards,
		Timeouts: func() interpreter.Timeouts { return h.limits }, Publisher: h.Floor, NewID: h.ID,
	})
	h.book = &book{Store: h.Store}
	h.favourites = favourite.New(favourite.Deps{Store: h.Store, Rooms: places{}, Publisher: h.Floor, Now: time.Now, NewID: h.ID})
	h.memory = memory.New(memory.Deps{
		Store: h.Store, Summarizer: interp.Summarizer, Plain: builtin.New(), Publisher: h.Floor,
		Lang: func() bilingual.Lang { return bilingual.KO }, Now: time.Now, NewID: h.ID, Log: zerolog.Nop(),
	})
	var err error
	h.Manager, err = manager.New(manager.Deps{
		Store: h.book, Memory: h.memory, Planner: interp, Jobs: h.Jobs, Desk: h.Desk, Publisher: h.Floor, Library: h.librarian, Favourites: h.favourites,
		Lang: func() bilingual.Lang { return bilingual.KO }, Now: time.Now, NewID: h.ID, Log: zerolog.Nop(),
	})
	if err != nil {
		h.T.Fatal(err)
	}
	if err := h.Manager.Start(context.Background()); err != nil {
		h.T.Fatal(err)
	}
	h.Settle()
}

// restart closes the house and opens it again on the same folder.
func (h *house) restart() {
	h.T.Helper()
	h.Manager.Stop()
	h.memory.Stop()
	h.Reopen(4)
	h.hire()
}

// Start is ambiguous between the two; the floor's is meant.
func (h *house) Start(workers int) { h.Floor.Start(workers) }

// send says something and does not wait.
func (h *house) send(chat, text, action string) string {
	h.T.Helper()
	msg, err := h.OnUserInput(context.Background(), chat, text, action, h.onShow(chat))
	if err != nil {
		h.T.Fatal(err)
	}
	return msg.ID
}

// onShow is what a window would show to confirm.
func (h *house) onShow(chat string) (mark string) {
	h.T.Helper()
	views, err := h.Sessions(context.Background())
	if err != nil {
		h.T.Fatal(err)
	}
	for _, v := range views {
		if v.Chat == chat {
			mark = v.Mark
		}
	}
	return mark
}

// say says something, waits until nothing moves, and gives the end of that turn.
func (h *house) say(chat, text string) event.TurnDone { return h.do(chat, text, "") }

func (h *house) press(chat, action string) event.TurnDone { return h.do(chat, "", action) }

func (h *house) do(chat, text, action string) event.TurnDone {
	h.T.Helper()
	id := h.send(chat, text, action)
	h.Settle()
	return h.turn(id)
}

// turn gives the one turn.done of a message.
func (h *house) turn(id string) event.TurnDone {
	h.T.Helper()
	found := slices.DeleteFunc(jobtest.Payloads[event.TurnDone](h.Floor, ""), func(d event.TurnDone) bool { return d.MessageID != id })
	if len(found) != 1 {
		h.T.Fatalf("%d ends of one turn, want one: %+v", len(found), found)
	}
	return found[0]
}

// plans makes the provider answer every plan this way.
func (h *house) plans(p provider.Plan) {
	h.voice.Say = func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
		return jobtest.PlanJSON(p), nil
	}
}

func jobsPlan(tools ...string) provider.Plan {
	p := provider.Plan{Route: provider.RouteJobs, Reply: "ok"}
	for _, tool := range tools {
		p.Jobs = append(p.Jobs, provider.JobPlan{Title: "the " + tool, Todos: []provider.TodoPlan{
			{Title: tool, Tool: tool, Request: tool, Args: json.RawMessage(`{"n":1}`)},
		}})
	}
	return p
}

func (h *house) history(chat string) (lines []string) {
	h.T.Helper()
	msgs, err := h.Store.History(context.Background(), chat, "", 1000)
	if err != nil {
		h.T.Fatal(err)
	}
	for _, m := range msgs {
		lines = append(lines, string(m.Role)+": "+m.Text)
	}
	return lines
}

// live gives the jobs of all chats that have not ended.
func (h *house) live() []job.Job {
	h.T.Helper()
	jobs, err := h.Store.ChatJobs(context.Background(), "", 1000)
	if err != nil {
		h.T.Fatal(err)
	}
	return jobs
}

var errDisk = errors.New("disk")
