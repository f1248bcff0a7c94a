package memory

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/interpreter"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// How long a summary may take that a request waits for, and how long the compactor lets a chat be whose summary failed: twice
// as long every time, up to most.
const (
	summaryTimeout = 45 * time.Second
	backoffFirst   = time.Minute
	backoffMost    = 30 * time.Minute
)

// compactTries is how often a compaction is begun anew because the record changed meanwhile.
const compactTries = 3

// backoffs remembers which chats' summaries failed, and says when one is to be tried again. Its zero value is ready.
type backoffs struct {
	mu     sync.Mutex
	chats  map[string]*backoff
	closed bool
}

type backoff struct {
	until time.Time
	span  time.Duration
	timer *time.Timer // nil once it has rung
}

func (r *backoffs) waits(chat string, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := r.chats[chat]
	return last != nil && last.timer != nil && now.Before(last.until)
}

// failed lets a chat be for a while. again is called when that is over, on another goroutine, unless something ended it before.
func (r *backoffs) failed(chat string, now time.Time, again func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	span := backoffFirst
	if last := r.end(chat); last != nil {
		span = min(2*last.span, backoffMost)
	}
	if r.chats == nil {
		r.chats = map[string]*backoff{}
	}
	next := &backoff{until: now.Add(span), span: span}
	r.chats[chat] = next
	next.timer = time.AfterFunc(span, func() {
		r.mu.Lock()
		over := r.chats[chat] == next
		next.timer = nil
		r.mu.Unlock()
		if over {
			again()
		}
	})
}

// worked forgets what failed before.
func (r *backoffs) worked(chat string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.end(chat)
}

// close ends all of them; nothing is tried again.
func (r *backoffs) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for chat := range r.chats {
		r.end(chat)
	}
}

// end takes a chat's backoff off the list and gives it, nil for none. Called with r.mu held.
func (r *backoffs) end(chat string) *backoff {
	last := r.chats[chat]
	if last != nil && last.timer != nil {
		last.timer.Stop()
	}
	delete(r.chats, chat)
	return last
}

// tidyUp is the compactor's work: when more than mostTurns stand raw, all but the newest rawTurns go into the summary. A
// summary that cannot be written leaves them as they are until the chat has rested.
func (m *Memory) tidyUp(ctx context.Context, chat string) {
	if m.backoffs.waits(chat, m.deps.Now()) {
		return
	}
	r, facts, err := m.look(ctx, chat)
	if err != nil {
		return
	}
	if turns(r.Lines) <= mostTurns { // a request may have compacted it, or the chat is gone
		m.backoffs.worked(chat)
		return
	}
	lang := language(r.Lines, m.deps.Lang())
	by := m.deps.Summarizer(chat, lang)
	fold, keep := split(r.Lines, rawTurns)
	summary, err := m.compact(ctx, by, r, facts, fold)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		m.backoffs.failed(chat, m.deps.Now(), func() { m.compactor.remind(chat) })
		m.deps.Log.Warn().Err(err).Str("chat", chat).Msg("the conversation could not be summed up; its turns stay as they are")
	default:
		m.backoffs.worked(chat)
		if _, err := m.compactOnce(ctx, r, facts, summary, fold); err != nil && ctx.Err() == nil {
			m.deps.Log.Warn().Err(err).Str("chat", chat).Int("kept", len(keep)).Msg("a summary could not be kept")
		}
	}
}

// Compact makes one compaction for a request that does not fit: as many of the newest turns stay as fit, at least the last one. It
// gives what requests of the chat now begin with, and whether one was made: none is when the record fits already, or
// when there is nothing left to sum up. What no model sums up in time the built-in summary does. Errors: storage errors.
func (m *Memory) Compact(ctx context.Context, chat string, by interpreter.Summarizer) (b interpreter.Background, made bool, err error) {
	for range compactTries {
		r, facts, err := m.look(ctx, chat)
		if err != nil {
			return b, false, err
		}
		b = r.background(facts)
		if by.Fits == nil || by.Fits(b) {
			return b, false, nil
		}
		fold, keep := split(r.Lines, m.fitting(r, facts, by))
		if len(fold) == 0 {
			return b, false, nil
		}
		soon, cancel := context.WithTimeout(ctx, summaryTimeout)
		summary, err := m.compact(soon, by, r, facts, fold)
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
		made, err := m.compactOnce(ctx, r, facts, summary, fold)
		if err != nil { // the request goes all the same; the compaction is made again for the next
			m.deps.Log.Warn().Err(err).Str("chat", chat).Msg("a compaction could not be kept")
			return next.background(facts), true, nil
		}
		if made {
			return next.background(facts), true, nil
		}
	}
	return b, false, nil
}

// fitting is how many of the newest turns may stay beside a summary of full length, at least one.
func (m *Memory) fitting(r Record, facts []Fact, by interpreter.Summarizer) int {
	next := r
	next.Facts, next.Summary = choose(facts), strings.Repeat("요", MaxSummary)
	for n := min(rawTurns, turns(r.Lines)); n > 1; n-- {
		if _, next.Lines = split(r.Lines, n); by.Fits(next.background(facts)) {
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

// compactOnce moves folded lines into the summary, unless the record changed meanwhile.
func (m *Memory) compactOnce(ctx context.Context, r Record, facts []Fact, summary string, fold []Line) (bool, error) {
	made, err := m.deps.Store.Compact(ctx, Compaction{
		Chat: r.Chat, Version: r.Version, Summary: summary, Turns: r.Turns + turns(fold), To: fold[len(fold)-1].N, Facts: choose(facts),
	})
	if made {
		m.changed(r.Chat)
		if m.deps.Compacted != nil {
			m.deps.Compacted(r.Chat)
		}
	}
	return made, err
}

// compact makes one summary of a record's summary and lines, in as many requests as it takes for the summarizer to read them.
func (m *Memory) compact(ctx context.Context, by interpreter.Summarizer, r Record, facts []Fact, lines []Line) (string, error) {
	b := r.background(facts)
	b.Fresh = nil
	for len(lines) > 0 {
		n := len(lines)
		for b.Transcript = told(lines); n > 1 && !by.CanCompact(b); b.Transcript = told(lines[:n]) {
			n = (n + 1) / 2
		}
		summary, err := by.Compact(ctx, b)
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
	reply, err := m.deps.Plain.Chat(context.WithoutCancel(ctx), provider.Request{
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

// language is that of the customer's newest words, by their requests.
func language(lines []Line, fallback bilingual.Lang) bilingual.Lang {
	for _, line := range slices.Backward(lines) {
		if line.Speaker != "customer" {
			continue
		}
		for _, r := range line.Text {
			if unicode.Is(unicode.Hangul, r) {
				return bilingual.KO
			}
		}
		if strings.IndexFunc(line.Text, func(r rune) bool { return unicode.Is(unicode.Latin, r) }) >= 0 {
			return bilingual.EN
		}
	}
	return fallback
}
