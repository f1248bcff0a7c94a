package shop

import (
	"context"
	"strings"
	"time"
	"unicode"

	"agentchat/backend/interpreter"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/memory"
	"agentchat/backend/titles"
)

// openTitles makes what names chats that nobody named.
func (s *Shop) openTitles(now func() time.Time) {
	s.titles = titles.New(titles.Deps{
		Store: s.store, Publisher: s.Bus, Now: now, Log: s.Log.Component("titles"),
		Telling: func(do func() error) error { return s.manager.Telling(do) },
		Model: func(ctx context.Context, chat, request string) (string, error) {
			lang := s.Config.Get().Lang
			if strings.ContainsFunc(request, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) {
				lang = bilingual.KO
			}
			return s.interp.Title(ctx, func() interpreter.Brief {
				return interpreter.Brief{Chat: chat, Lang: lang, Now: s.now(), Background: s.memory.Background(ctx, chat)}
			})
		},
	})
}

// remembering is the memory, which says when a turn is over.
type remembering struct {
	*memory.Memory
	over func()
}

// Turn implements manager.Memory.
func (r remembering) Turn(chat string) func() {
	done := r.Memory.Turn(chat)
	return func() { done(); r.over() }
}
