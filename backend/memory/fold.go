package memory

import (
	"context"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/interpreter"
	"agentchat/backend/provider"
)

// How long a summary may take that a letter waits for, and how long the clerk lets a chat be whose summary failed: twice
// as long every time, up to most.
const (
	patience  = 45 * time.Second
	restFirst = time.Minute
	restMost  = 30 * time.Minute
)

// cutTries is how often a cut is begun anew because the record changed meanwhile.
const cutTries = 3

// rests remembers which chats' summaries failed. Its zero value is ready.
type rests struct {
	mu    sync.Mutex
	chats map[string]rest
}

type rest struct {
	until time.Time
	next  time.Duration
}

func (r *rests) resting(chat string, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return now.Before(r.chats[chat].until)
}

func (r *rests) failed(chat string, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.chats == nil {
		r.chats = map[string]rest{}
	}
	span := max(r.chats[chat].next, restFirst)
	r.chats[chat] = rest{until: now.Add(span), next: min(2*span, restMost)}
}

func (r *rests) worked(chat string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.chats, chat)
}

// tidyUp is the clerk's work: when more than mostTurns stand raw, all but the newest rawTurns go into the summary. A
// summary that cannot be written leaves them as they are for another time.
func (m *Memory) tidyUp(ctx context.Context, chat string) {
	if m.rests.resting(chat, m.deps.Now()) {
		return
	}
	r, facts, err := m.look(ctx, chat)
	if err != nil || turns(r.Lines) <= mostTurns {
		return
	}
	lang := language(r.Lines, m.deps.Lang())
	pen := m.deps.Pen(chat, lang)
	fold, keep := split(r.Lines, rawTurns)
	summary, err := m.fold(ctx, pen, r, facts, fold)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		m.rests.failed(chat, m.deps.Now())
		m.deps.Log.Warn().Err(err).Str("chat", chat).Msg("the conversation could not be summed up; its turns stay as they are")
	default:
		m.rests.worked(chat)
		if _, err := m.cut(ctx, r, facts, summary, fold); err != nil && ctx.Err() == nil {
			m.deps.Log.Warn().Err(err).Str("chat", chat).Int("kept", len(keep)).Msg("a summary could not be kept")
		}
	}
}

// Compact makes one cut for a letter that does not fit: as many of the newest turns stay as fit, at least the last one. It
// gives what letters of the chat now begin with, and whether a cut was made: none is when the record fits already, or
// when there is nothing left to sum up. What no model sums up in time the built-in summary does. Errors: storage errors.
func (m *Memory) Compact(ctx context.Context, chat string, pen interpreter.Pen) (b interpreter.Background, made bool, err error) {
	for range cutTries {
		r, facts, err := m.look(ctx, chat)
		if err != nil {
			return b, false, err
		}
		b = r.background(facts)
		if pen.Fits == nil || pen.Fits(b) {
			return b, false, nil
		}
		fold, keep := split(r.Lines, m.fitting(r, facts, pen))
		if len(fold) == 0 {
			return b, false, nil
		}
		soon, cancel := context.WithTimeout(ctx, patience)
		summary, err := m.fold(soon, pen, r, facts, fold)
		cancel()
		if err != nil {
			if ctx.Err() != nil {
				return b, false, ctx.Err()
			}
			m.deps.Log.Warn().Err(err).Str("chat", chat).Msg("summed up without a model")
			summary = m.plain(ctx, r, fold)
		}
		next := r
		next.Summary, next.Lines, next.Facts = summary, keep, choose(facts)
		made, err := m.cut(ctx, r, facts, summary, fold)
		if err != nil { // the letter goes all the same; the cut is made again for the next
			m.deps.Log.Warn().Err(err).Str("chat", chat).Msg("a cut could not be kept")
			return next.background(facts), true, nil
		}
		if made {
			return next.background(facts), true, nil
		}
	}
	return b, false, nil
}

// fitting is how many of the newest turns may stay beside a summary of full length, at least one.
func (m *Memory) fitting(r Record, facts []Fact, pen interpreter.Pen) int {
	next := r
	next.Facts, next.Summary = choose(facts), strings.Repeat("요", MaxSummary)
	for n := min(rawTurns, turns(r.Lines)); n > 1; n-- {
		if _, next.Lines = split(r.Lines, n); pen.Fits(next.background(facts)) {
			return n
		}
	}
	return 1
}

// split parts lines into those to sum up and the newest n turns.
func split(lines []Line, n int) (fold, keep []Line) {
	at := tail(lines, n)
	return lines[:at:at], lines[at:]
}

// cut moves folded lines into the summary, unless the record changed meanwhile.
func (m *Memory) cut(ctx context.Context, r Record, facts []Fact, summary string, fold []Line) (bool, error) {
	made, err := m.deps.Store.Cut(ctx, Cut{
		Chat: r.Chat, Version: r.Version, Summary: summary, Turns: r.Turns + turns(fold), To: fold[len(fold)-1].N, Facts: choose(facts),
	})
	if made {
		m.changed(r.Chat)
	}
	return made, err
}

// fold makes one summary of a record's summary and lines, in as many letters as it takes for the summarizer to read them.
func (m *Memory) fold(ctx context.Context, pen interpreter.Pen, r Record, facts []Fact, lines []Line) (string, error) {
	b := r.background(facts)
	b.Fresh = nil
	for len(lines) > 0 {
		n := len(lines)
		for b.Transcript = told(lines); n > 1 && !pen.CanFold(b); b.Transcript = told(lines[:n]) {
			n = (n + 1) / 2
		}
		summary, err := pen.Fold(ctx, b)
		if err != nil {
			return "", err
		}
		if summary = clip(summary); summary == "" {
			return "", apperr.New(apperr.ModelBadOutput)
		}
		b.Summary, lines = summary, lines[n:]
	}
	return b.Summary, nil
}

// plain sums up without a model: the customer's own words, shortened, the newest kept.
func (m *Memory) plain(ctx context.Context, r Record, lines []Line) string {
	reply, err := m.deps.Plain.Chat(context.WithoutCancel(ctx), provider.Letter{
		Role: provider.RoleSummarizer, Chat: r.Chat, Lang: language(lines, m.deps.Lang()), Summary: r.Summary, Transcript: told(lines), Now: m.deps.Now(),
	}, nil)
	if err != nil {
		m.deps.Log.Error().Err(err).Str("chat", r.Chat).Msg("not even the built-in summary could be made; the old one stays")
		return r.Summary
	}
	return clip(reply.Text)
}

func clip(summary string) string {
	summary = strings.TrimSpace(summary)
	if utf8.RuneCountInString(summary) <= MaxSummary {
		return summary
	}
	return strings.TrimSpace(string([]rune(summary)[:MaxSummary-1])) + cutMarker
}

// language is that of the customer's newest words, by their letters.
func language(lines []Line, fallback apperr.Lang) apperr.Lang {
	for i := len(lines) - 1; i >= 0; i-- {
		if lines[i].Speaker != "customer" {
			continue
		}
		for _, r := range lines[i].Text {
			if unicode.Is(unicode.Hangul, r) {
				return apperr.KO
			}
		}
		if strings.IndexFunc(lines[i].Text, func(r rune) bool { return unicode.Is(unicode.Latin, r) }) >= 0 {
			return apperr.EN
		}
	}
	return fallback
}
