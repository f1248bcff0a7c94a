// Package memory is what the shop remembers: of each chat the newest turns word for word and a running summary of those
// before, and of all chats the facts people told it and what it did.
//
// What requests begin with changes only by a compaction: a summary of the older turns takes their place, the newest stay. Between
// two compactions lines are only added at the end, so that a local model has to read only what is new.
package memory

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// How much stands word for word (seed 002): beyond mostTurns a summary is made of all but the newest rawTurns.
const (
	mostTurns = 8
	rawTurns  = 4
)

// MaxSummary is how many characters a summary has at most.
const MaxSummary = 1200

// maxWritten is how many characters a person may write as a summary.
const maxWritten = 4000

// Deps are the parts a Memory works with. All are required except Gauge, Compacted and Log.
type Deps struct {
	Store      Store
	Summarizer func(chat string, lang bilingual.Lang) interpreter.Summarizer // summaries nobody waits for
	Plain      provider.Provider                                             // sums up without a model, always
	Gauge      func(chat string, lang bilingual.Lang, b interpreter.Background) interpreter.Gauge
	Compacted  func(chat string) // told when requests of a chat begin with something else; must not wait
	Publisher  event.Publisher
	Lang       func() bilingual.Lang
	Now        func() time.Time
	NewID      func() string
	Log        zerolog.Logger
}

// Memory is the shop's memory. Safe for concurrent use.
type Memory struct {
	deps      Deps
	learning  sync.Mutex // one fact at a time, so that none is learned twice
	compactor compactor
	backoffs  backoffs
}

// New makes a memory and the compactor that writes its summaries; Stop ends it.
func New(deps Deps) *Memory {
	m := &Memory{deps: deps}
	m.compactor.open(m.tidyUp)
	return m
}

// Stop ends the compactor's work; what it has not finished is taken up another time. Stopping twice is fine.
func (m *Memory) Stop() {
	m.backoffs.close()
	m.compactor.close()
}

// Turn says that a turn of a chat begins; done that it is over. While any turn is under way no summary is written that
// nobody waits for, so that none holds up the model.
func (m *Memory) Turn(chat string) (done func()) {
	m.compactor.turnBegins()
	return func() { m.compactor.turnEnds(chat) }
}

// WaitIdle returns when the compactor has nothing to do, or with the context's error.
func (m *Memory) WaitIdle(ctx context.Context) error { return m.compactor.wait(ctx) }

// Background is what a request about a chat begins with. A store that fails costs the request its memory, not its answer.
func (m *Memory) Background(ctx context.Context, chat string) interpreter.Background {
	r, facts, err := m.look(ctx, chat)
	if err != nil && ctx.Err() == nil {
		m.deps.Log.Warn().Err(err).Str("chat", chat).Msg("memory could not be read whole; the letter goes with what there is")
	}
	return r.background(facts)
}

// look gives a chat's record and all facts; what could be read even if something could not.
func (m *Memory) look(ctx context.Context, chat string) (Record, []Fact, error) {
	facts, err := m.deps.Store.Facts(ctx)
	if err != nil {
		return Record{Chat: chat}, nil, err
	}
	r, err := m.deps.Store.Recall(ctx, chat, func(project string) []string { return choose(of(facts, project)) })
	return r, of(facts, r.Project), err
}

// of are the facts that chats of a project are told: the shop's own and the project's.
func of(facts []Fact, project string) []Fact {
	return slices.DeleteFunc(slices.Clone(facts), func(f Fact) bool { return f.Project != "" && f.Project != project })
}

func (m *Memory) recall(ctx context.Context, chat string) (Record, error) {
	r, _, err := m.look(ctx, chat)
	return r, err
}

// background is the record as requests carry it.
func (r Record) background(facts []Fact) interpreter.Background {
	b := interpreter.Background{Summary: r.Summary, Transcript: told(r.Lines), Instructions: r.Instructions, Model: r.Model}
	b.Facts, b.Fresh = r.carried(facts)
	return b
}

func told(lines []Line) []provider.Turn {
	list := make([]provider.Turn, len(lines))
	for i, l := range lines {
		list[i] = provider.Turn{Speaker: l.Speaker, Text: l.Text}
	}
	return list
}

// turns counts the turns of lines: each begins with what the customer says.
func turns(lines []Line) (n int) {
	for _, l := range lines {
		if l.Speaker == "customer" {
			n++
		}
	}
	return n
}

// tail is where the newest n turns begin.
func tail(lines []Line, n int) int {
	for i, line := range slices.Backward(lines) {
		if line.Speaker == "customer" {
			if n--; n == 0 {
				return i
			}
		}
	}
	return 0
}

// EditSummary replaces the summary of a chat by a person's words. Errors: invalid_args, storage errors.
func (m *Memory) EditSummary(ctx context.Context, chat, text string) error {
	text = strings.TrimSpace(strings.ToValidUTF8(text, ""))
	if utf8.RuneCountInString(text) > maxWritten {
		return apperr.New(apperr.InvalidArgs, "detail", "0…4000")
	}
	if err := m.deps.Store.SetSummary(ctx, chat, text); err != nil {
		return err
	}
	m.changed(chat)
	return nil
}

// ForgetChat drops the summary of a chat; its requests begin anew. The messages stay to be seen. Errors: storage errors.
func (m *Memory) ForgetChat(ctx context.Context, chat string) error {
	_, facts, err := m.look(ctx, chat)
	if err != nil {
		return err
	}
	if err := m.deps.Store.ForgetChat(ctx, chat, choose(facts)); err != nil {
		return err
	}
	m.changed(chat)
	return nil
}
