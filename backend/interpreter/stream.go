package interpreter

import (
	"context"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// streamEvery is how often what a model writes is told: a fast model must not flood the event stream.
const streamEvery = 33 * time.Millisecond

// maxReasoning bounds the reasoning that is shown and kept with an answer, in characters.
const maxReasoning = 20000

// stream tells the customer what a model writes while it writes: its words as chat.token, its thoughts as thinking. Pieces
// that come close together are told together. Nothing is told any more once the answer is stopped or over. Safe for
// concurrent use.
type stream struct {
	ctx  context.Context //nolint:containedctx // that of the one answer the stream is of
	pub  event.Publisher
	role provider.Role
	lang bilingual.Lang
	chat string
	job  string
	id   string // of the message that follows, or of the todo; "": the words are for nobody's eyes

	mu    sync.Mutex
	reply replyReader
	// solution is that of a solver, whose answer may come in JSON or as it is.
	solution solutionReader
	words    strings.Builder // not told yet
	thought  strings.Builder // not told yet
	thinks   int             // characters of thought told
	told     struct{ words, thought strings.Builder }
	shown    bool // words of this attempt were told
	void     bool // the next words begin the message anew
	last     time.Time
	worked   time.Time // when it was last told how far the model is
	timer    *time.Timer
	over     bool
}

func (i *Interpreter) newStream(ctx context.Context, b Brief, role provider.Role) *stream {
	return &stream{ctx: ctx, pub: i.deps.Publisher, role: role, lang: b.Lang, chat: b.Chat, job: b.Job, id: b.Message, void: b.Again}
}

// observe takes the next piece of a reply.
func (s *stream) receive(d provider.Delta) {
	if s == nil || s.id == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	if d.Void {
		s.again()
	}
	if left := maxReasoning - s.thinks; d.Thinking != "" && left > 0 {
		text := clip(provider.Plain(d.Thinking), left)
		s.thinks += utf8.RuneCountInString(text)
		s.thought.WriteString(text)
	}
	switch s.role { //nolint:exhaustive // the words of the other roles are for the shop
	case provider.RolePlanner:
		s.words.WriteString(provider.Plain(s.reply.add(d.Text)))
	case provider.RoleSolver:
		s.words.WriteString(provider.Plain(s.solution.add(d.Text)))
	case provider.RoleReporter, provider.RoleResponder, provider.RolePrompt:
		s.words.WriteString(provider.Plain(d.Text))
	}
	s.soon()
}

// anew begins another attempt: the words of the last one are void.
func (s *stream) anew() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.again()
}

func (s *stream) again() {
	s.void = s.void || s.shown
	s.shown = false
	s.reply, s.solution = replyReader{}, solutionReader{}
	s.words.Reset()
}

// soon tells what there is, at once or when it is time. Called with s.mu held.
func (s *stream) soon() {
	if s.words.Len() == 0 && s.thought.Len() == 0 || s.timer != nil {
		return
	}
	wait := streamEvery - time.Since(s.last)
	if wait <= 0 {
		s.tell()
		return
	}
	s.timer = time.AfterFunc(wait, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.timer = nil
		s.tell()
	})
}

// tell publishes what there is. Called with s.mu held.
func (s *stream) tell() {
	if s.over || s.ctx.Err() != nil {
		return
	}
	var events []event.Event
	if s.thought.Len() > 0 {
		events = append(events, event.Of(s.chat, s.job, event.Thinking{
			Step: "generating", Text: s.thought.String(), Data: map[string]any{"id": s.id},
		}))
		s.told.thought.WriteString(s.thought.String())
		s.thought.Reset()
	}
	words := s.words.String()
	if !s.shown { // white space before the first word goes nowhere
		words = strings.TrimLeft(words, " \n\t")
	}
	s.words.Reset()
	if words != "" {
		events = append(events, event.Of(s.chat, s.job, event.ChatToken{ID: s.id, Delta: words, Reset: s.void}))
		if s.void {
			s.told.words.Reset()
		}
		s.told.words.WriteString(words)
		s.shown, s.void = true, false
	}
	s.pub.Publish(events...)
	s.last = time.Now()
}

// close tells the rest, unless the answer was stopped, and ends the stream.
func (s *stream) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	s.tell()
	s.over = true
}

// Interrupted is an answer that was stopped while it was written. Told is what the customer had been told of it by then.
type Interrupted struct {
	Told Words
	Err  error
}

// Error says why it was stopped.
func (e *Interrupted) Error() string { return e.Err.Error() }

// Unwrap gives why it was stopped.
func (e *Interrupted) Unwrap() error { return e.Err }

// interrupted ends the stream of an answer that was stopped. Words that were to be begun anew do not count.
func (s *stream) interrupted(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	e := &Interrupted{Err: err, Told: Words{Reasoning: strings.TrimSpace(s.told.thought.String())}}
	if s.shown {
		e.Told.Text = strings.TrimSpace(s.told.words.String())
	}
	return e
}

// thoughts is the reasoning that is kept with an answer.
func thoughts(r provider.Reply) string {
	return strings.TrimSpace(clip(provider.Plain(strings.ToValidUTF8(r.Thinking, "\uFFFD")), maxReasoning))
}

// clip gives the first characters of a text, most of them.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for i := range text {
		if most == 0 {
			return text[:i]
		}
		most--
	}
	return text
}
