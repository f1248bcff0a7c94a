package memory_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/memory"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
)

// room is a memory over a real ledger. Its scripted summaries say how many lines they stand for, and fail the test when
// they are given other lines than those that come next.
type room struct {
	*memory.Memory
	t     testing.TB
	dir   string
	store *store.Store
	bus   *event.Bus
	now   time.Time
	ids   int
	told  []provider.Turn // every line of chat main in the order requests carry it

	mu     sync.Mutex
	refuse error                       // what the summarizer answers instead
	before func(context.Context) error // runs inside a summary
	folds  int
}

func enter(t testing.TB) *room {
	t.Helper()
	r := &room{t: t, dir: t.TempDir(), now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.Local)}
	r.open()
	t.Cleanup(r.close)
	return r
}

func (r *room) open() {
	r.t.Helper()
	var err error
	r.store, err = store.Open(context.Background(), ledgertest.In(r.dir), r.clock)
	r.must(err)
	r.bus = event.NewBus(0, r.clock)
	r.Memory = memory.New(memory.Deps{
		Store: r.store, Summarizer: func(string, bilingual.Lang) interpreter.Summarizer { return r.pen(nil) }, Plain: plain{builtin.New(), r},
		Publisher: r.bus, Lang: func() bilingual.Lang { return bilingual.KO }, Now: r.clock, NewID: r.id, Log: zerolog.Nop(),
	})
}

func (r *room) close() {
	r.Stop()
	r.bus.Close()
	r.must(r.store.Close())
}

func (r *room) restart() { r.close(); r.open() }

func (r *room) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *room) clock() time.Time { r.mu.Lock(); defer r.mu.Unlock(); return r.now }

func (r *room) pass(d time.Duration) { r.mu.Lock(); defer r.mu.Unlock(); r.now = r.now.Add(d) }

func (r *room) id() string { r.ids++; return fmt.Sprintf("id%d", r.ids) }

func (r *room) fail(err error) { r.mu.Lock(); defer r.mu.Unlock(); r.refuse = err }

var errModel = errors.New("no model today")

// pen writes scripted summaries; fits says which backgrounds a request has room for.
func (r *room) pen(fits func(interpreter.Background) bool) interpreter.Summarizer {
	return interpreter.Summarizer{
		Fits:       fits,
		CanCompact: func(b interpreter.Background) bool { return len(b.Transcript) <= 6 },
		Compact: func(ctx context.Context, b interpreter.Background) (string, error) {
			r.mu.Lock()
			refuse, before := r.refuse, r.before
			r.folds++
			r.mu.Unlock()
			if before != nil {
				if err := before(ctx); err != nil {
					return "", err
				}
			}
			if refuse != nil {
				return "", refuse
			}
			return r.sum(b.Summary, b.Transcript), nil
		},
	}
}

// sum is the scripted summary: how many lines it stands for.
func (r *room) sum(summary string, lines []provider.Turn) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	from := covered(summary)
	for n, l := range lines {
		if from+n >= len(r.told) || r.told[from+n] != l {
			r.t.Errorf("line %d to sum up is %+v", from+n, l)
		}
	}
	return fmt.Sprintf("요약 %d", from+len(lines))
}

// covered is how many lines a scripted summary stands for.
func covered(summary string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(summary, "요약 "))
	if err != nil {
		return 0
	}
	return n
}

// plain is the summary without a model, scripted too.
type plain struct {
	*builtin.Provider
	r *room
}

func (p plain) Chat(_ context.Context, l provider.Request, _ func(provider.Delta)) (provider.Reply, error) {
	return provider.Reply{Text: p.r.sum(l.Summary, l.Transcript)}, nil
}

// begin stores a customer's message and opens its turn.
func (r *room) begin(chat, text string) manager.Turn {
	r.t.Helper()
	turn := manager.Turn{ID: r.id(), Chat: chat, Text: text, Lang: bilingual.KO}
	_, err := r.store.AddTurn(context.Background(), turn, event.ChatMessage{ID: turn.ID, Role: event.RoleCustomer, Text: text}, "t")
	r.must(err)
	return turn
}

// end stores the shop's answer and closes the turn.
func (r *room) end(turn manager.Turn, answer string) {
	r.t.Helper()
	step := manager.TurnStep{Turn: &turn, Node: "save", Next: "end", Done: true, Message: &event.ChatMessage{ID: r.id(), Role: event.RoleShop, Text: answer}}
	r.must(r.store.SaveTurn(context.Background(), step))
	if turn.Chat == "main" {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.told = append(r.told, provider.Turn{Speaker: "customer", Text: turn.Text}, provider.Turn{Speaker: "shop", Text: answer})
	}
}

// turn is one whole turn of a chat, as the manager frames it; it gives what its request began with.
func (r *room) turn(chat, text string) interpreter.Background {
	r.t.Helper()
	done := r.Turn(chat)
	t := r.begin(chat, text)
	b := r.Background(context.Background(), chat)
	r.end(t, "답: "+text)
	done()
	return b
}

func (r *room) turns(n int) {
	r.t.Helper()
	for i := range n {
		r.turn("main", fmt.Sprintf("말 %d", len(r.told)+i))
	}
}

func (r *room) idle() {
	r.t.Helper()
	r.must(r.WaitIdle(context.Background()))
}

func (r *room) view(chat string) memory.View {
	r.t.Helper()
	v, err := r.View(context.Background(), chat)
	r.must(err)
	return v
}

// whole fails the test unless a background is summary and tail without a gap, and gives how many lines are summed up.
func (r *room) whole(b interpreter.Background) int {
	r.t.Helper()
	from := covered(b.Summary)
	if from+len(b.Transcript) != len(r.told) {
		r.t.Fatalf("%d lines summed up and %d raw are not %d: %q", from, len(b.Transcript), len(r.told), b.Summary)
	}
	for n, l := range b.Transcript {
		if r.told[from+n] != l {
			r.t.Fatalf("line %d is %+v, want %+v", from+n, l, r.told[from+n])
		}
	}
	return from
}
