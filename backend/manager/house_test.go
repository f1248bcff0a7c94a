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

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
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
	voice  *jobtest.Voice
	memory *memory.Memory
	book   *book
	limits interpreter.Timeouts
}

// book is the manager's store, which can be told to fail.
type book struct {
	manager.Store
	mu     sync.Mutex
	refuse func(step manager.TurnStep) error
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

func (b *book) set(refuse func(step manager.TurnStep) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refuse = refuse
}

func openHouse(t *testing.T) *house {
	t.Helper()
	h := &house{voice: &jobtest.Voice{}, limits: interpreter.Timeouts{First: time.Minute, Gap: time.Minute}}
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
	cards := func(apperr.Lang) (list []provider.ToolCard) {
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
	h.memory = memory.New(memory.Deps{
		Store: h.Store, Pen: interp.Pen, Plain: builtin.New(), Publisher: h.Floor,
		Lang: func() apperr.Lang { return apperr.KO }, Now: time.Now, NewID: h.ID, Log: zerolog.Nop(),
	})
	var err error
	h.Manager, err = manager.New(manager.Deps{
		Store: h.book, Memory: h.memory, Planner: interp, Jobs: h.Jobs, Desk: h.Desk, Publisher: h.Floor,
		Lang: func() apperr.Lang { return apperr.KO }, Now: time.Now, NewID: h.ID, Log: zerolog.Nop(),
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
	msg, err := h.OnUserInput(context.Background(), chat, text, action)
	if err != nil {
		h.T.Fatal(err)
	}
	return msg.ID
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
	h.voice.Say = func(context.Context, provider.Letter, func(provider.Delta)) (string, error) {
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
