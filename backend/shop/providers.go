package shop

import (
	"context"
	"errors"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/provider/builtin"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/provider/openai"
)

// firstLook bounds how long opening the shop waits for the wanted interpreter; after it the built-in one begins.
const firstLook = 300 * time.Millisecond

// openProviders makes the interpreters there are and puts one on duty. A provider given in the options is the only one.
func (s *Shop) openProviders(o Options) {
	get := s.Config.Get
	lang := func() apperr.Lang { return get().Lang }
	if o.Provider != nil {
		s.duty = newDuty(s.Bus, lang, o.Provider)
		return
	}
	model := func() string { return get().Model }
	limits := func() (connect, first, gap time.Duration) {
		t := get().ModelTimeouts
		return t.Connect, t.First, t.Gap
	}
	local := ollama.New(ollama.Options{Host: func() string { return get().OllamaHost }, Model: model, Timeouts: limits})
	remote := openai.New(openai.Options{Base: func() string { return get().OpenAIBase }, Model: model, Timeouts: limits})
	s.closing = append(s.closing, func() error { return errors.Join(local.Close(), remote.Close()) })
	s.duty = newDuty(s.Bus, lang, builtin.New(), local, remote)
	s.duty.choose(get().Provider)
	ctx, cancel := context.WithCancel(context.Background())
	looking := make(chan struct{})
	go func() { defer close(looking); s.duty.run(ctx) }()
	s.closing = append(s.closing, func() error { cancel(); <-looking; return nil })
	if chosen := get().Provider; chosen != auto && chosen != "builtin" {
		first, done := context.WithTimeout(ctx, firstLook)
		s.duty.look(first)
		done()
	}
}
