package interpreter

import (
	"time"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// slow is how long a model may be silent before it is told what it does: most answers begin before, and are seen then.
const slow = 2 * time.Second

// workEvery is how often it is told how much a model has written that is not to be seen.
const workEvery = time.Second

var (
	readsFor = bilingual.Of("%s: %d토큰을 읽고 있어요, 약 %d초", "%s: reading %d tokens, about %d s")
	reads    = bilingual.Of("%s: %d토큰을 읽고 있어요", "%s: reading %d tokens")
	writes   = bilingual.Of("%s: %d토큰을 썼어요", "%s: %d tokens written")
)

// reading tells what a slow model reads before it answers, and how long that takes it in all; 0: nobody knows.
func (s *stream) reading(tokens int, takes time.Duration) {
	if s == nil || tokens == 0 {
		return
	}
	seconds := int(takes.Seconds())
	if seconds == 0 {
		s.work(event.ModelWork{Read: tokens}, reads, tokens)
		return
	}
	s.work(event.ModelWork{Read: tokens, Seconds: seconds}, readsFor, tokens, seconds)
}

// wrote tells how much a slow model has written, as long as nothing of it is to be seen.
func (s *stream) wrote(pieces int) {
	if s != nil && !s.seen() {
		s.work(event.ModelWork{Wrote: pieces}, writes, pieces)
	}
}

// seen tells whether the customer sees something of the answer grow.
func (s *stream) seen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown || s.id != "" && s.thinks > 0
}

func (s *stream) work(w event.ModelWork, words bilingual.Text, figures ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.ctx.Err() != nil || time.Since(s.worked) < workEvery {
		return
	}
	s.worked = time.Now()
	step := "generating"
	if s.role == provider.RolePlanner {
		step = "planning"
	}
	text := bilingual.Say(s.lang, words.KO, words.EN, append([]any{labels[s.role].In(s.lang)}, figures...)...)
	s.pub.Publish(event.Of(s.chat, s.job, event.Thinking{Step: step, Text: text, Work: &w}))
}
