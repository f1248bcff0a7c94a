package memory

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
)

// Source says where a fact comes from. Nothing else is a source: not a model's words, not a tool's or a document's text.
type Source string

// The sources of facts.
const (
	SourceCustomer Source = "customer" // said in a chat, in so many words
	SourceLedger   Source = "ledger"   // an executed service, worded by code
	SourceJob      Source = "job"      // an executed job, worded by code
	SourcePerson   Source = "person"   // written or changed on the memory page
)

// Fact is one thing the shop remembers, whichever chat it comes from. Text is as it was said.
type Fact struct {
	ID      string
	Text    string
	Topic   string // what only one fact can be about, such as "name"; "": anything
	Source  Source
	Chat    string
	Ref     string // the message, job or ledger entry it comes from
	Project string // whose chats alone are told of it; "": all are
	Learned time.Time
}

// Bounds of facts. A request carries the newest of what people said and of what the shop did, so many of each.
const (
	maxFact   = 300 // characters of one fact
	maxTold   = 24  // what people said
	maxDone   = 16  // what the shop did
	maxFresh  = 12  // learned since the last compaction
	keepDone  = 500 // what the shop did, remembered at all
	cutMarker = "…"
)

// line is the fact as requests carry it: where it comes from, since when, and what it says.
func (f Fact) line() string {
	return "[" + string(f.Source) + " " + f.Learned.In(time.Local).Format(time.DateOnly) + "] " + f.Text
}

func (f Fact) done() bool { return f.Source == SourceLedger || f.Source == SourceJob }

// Event is something that really happened, for Learn. Ref names it: the same event teaches only once.
type Event struct {
	Source Source // SourceLedger or SourceJob
	Chat   string
	Ref    string
	Text   string // one sentence of code's own, with date, names and amounts
	At     time.Time
}

// Learn remembers what a service or a job has really done. It is called after the effect is committed, and may be called
// again for the same event. Errors: invalid_args, storage errors.
func (m *Memory) Learn(ctx context.Context, e Event) error {
	if e.Source != SourceLedger && e.Source != SourceJob || e.Ref == "" {
		return apperr.New(apperr.InvalidArgs, "detail", "source, ref")
	}
	at := e.At
	if at.IsZero() {
		at = m.deps.Now()
	}
	_, err := m.remember(ctx, Fact{
		ID: string(e.Source) + ":" + e.Ref, Text: e.Text, Source: e.Source, Chat: e.Chat, Ref: e.Ref, Learned: at,
	})
	return err
}

// AddFact remembers what a person wrote on the memory page. Errors: invalid_args, storage errors.
func (m *Memory) AddFact(ctx context.Context, text string) (FactView, error) {
	f := Fact{ID: m.deps.NewID(), Text: text, Source: SourcePerson, Learned: m.deps.Now()}
	f, err := m.remember(ctx, f)
	return f.view(), err
}

// AddProjectFact remembers what a person wrote for the chats of a project, and for no others. Errors: invalid_args, storage errors.
func (m *Memory) AddProjectFact(ctx context.Context, project, text string) (FactView, error) {
	f := Fact{ID: m.deps.NewID(), Text: text, Source: SourcePerson, Project: project, Learned: m.deps.Now()}
	f, err := m.remember(ctx, f)
	return f.view(), err
}

// EditFact gives a fact other words; it is a person's from then on. Errors: not_found, invalid_args, storage errors.
func (m *Memory) EditFact(ctx context.Context, id, text string) error {
	text, err := tidy(text)
	if err != nil {
		return err
	}
	if err := m.deps.Store.EditFact(ctx, id, text); err != nil {
		return err
	}
	m.changed("")
	return nil
}

// ForgetFact forgets a fact at once and for good: no letter carries it any more, nor the lines of its chat that say it.
// Errors: not_found, storage errors.
func (m *Memory) ForgetFact(ctx context.Context, id string) error {
	facts, err := m.deps.Store.Facts(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(facts, func(f Fact) bool { return f.ID == id })
	if i < 0 {
		return apperr.New(apperr.NotFound, "what", "fact", "id", id)
	}
	f := facts[i]
	if err := m.deps.Store.DropFact(ctx, id); err != nil {
		return err
	}
	if f.Chat != "" && f.Source == SourceCustomer {
		if err := m.unsay(ctx, f); err != nil {
			return err
		}
	}
	m.changed(f.Chat)
	return nil
}

// unsay takes what taught a fact out of its chat's requests: the lines that say it, and the summary's lines that do.
func (m *Memory) unsay(ctx context.Context, f Fact) error {
	r, err := m.recall(ctx, f.Chat)
	if err != nil {
		return err
	}
	said := []string{f.Ref}
	for _, l := range r.Lines {
		if strings.Contains(l.Text, f.Text) {
			said = append(said, l.Message)
		}
	}
	if err := m.deps.Store.Mute(ctx, said); err != nil {
		return err
	}
	if !strings.Contains(r.Summary, f.Text) {
		return nil
	}
	lines := slices.DeleteFunc(strings.Split(r.Summary, "\n"), func(line string) bool { return strings.Contains(line, f.Text) })
	return m.deps.Store.SetSummary(ctx, f.Chat, strings.Join(lines, "\n"))
}

// remember stores a fact, unless the same was said before.
func (m *Memory) remember(ctx context.Context, f Fact) (Fact, error) {
	text, err := tidy(f.Text)
	if err != nil {
		return f, err
	}
	f.Text = text
	m.learning.Lock()
	defer m.learning.Unlock()
	if !f.done() {
		known, err := m.deps.Store.Facts(ctx)
		if err != nil {
			return f, err
		}
		if i := slices.IndexFunc(known, func(k Fact) bool { return !k.done() && k.Text == f.Text && k.Project == f.Project }); i >= 0 {
			return known[i], nil
		}
	}
	added, err := m.deps.Store.AddFact(ctx, f, keepDone)
	if added {
		m.changed(f.Chat)
	}
	return f, err
}

func tidy(text string) (string, error) {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if text == "" {
		return "", apperr.New(apperr.InvalidArgs, "detail", "1…300")
	}
	if utf8.RuneCountInString(text) > maxFact {
		text = string([]rune(text)[:maxFact-1]) + cutMarker
	}
	return text, nil
}

// choose picks the facts that requests carry from the next compaction on, oldest first.
func choose(facts []Fact) (ids []string) {
	told, done := maxTold, maxDone
	for _, f := range slices.Backward(facts) {
		room := &told
		if f.done() {
			room = &done
		}
		if *room > 0 {
			*room--
			ids = append(ids, f.ID)
		}
	}
	slices.Reverse(ids)
	return ids
}

// carried splits facts into the lines a record carries since its last compaction, in their order, and the newest learned since.
func (r Record) carried(facts []Fact) (old, fresh []string) {
	at := make(map[string]int, len(facts))
	for i, f := range facts {
		at[f.ID] = i
	}
	last := -1
	for _, id := range r.Facts {
		if i, known := at[id]; known {
			old, last = append(old, facts[i].line()), max(last, i)
		}
	}
	for i, f := range facts {
		// What is older was passed over at the compaction, unless the chat came into its project since.
		if (i > last || f.Project != "") && !slices.Contains(r.Facts, f.ID) {
			fresh = append(fresh, f.line())
		}
	}
	return old, fresh[max(len(fresh)-maxFresh, 0):]
}

func (m *Memory) changed(chat string) {
	m.deps.Publisher.Publish(event.Of(chat, "", event.MemoryChanged{Chat: chat}))
}
