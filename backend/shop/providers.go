package shop

import (
	"context"
	"errors"
	"time"

	"agentchat/backend/config"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
	"agentchat/backend/provider/failover"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/provider/openai"
	"agentchat/backend/secret"
)

// firstLook bounds how long opening the shop waits for the wanted interpreter; after it the built-in one begins.
const firstLook = 300 * time.Millisecond

// openAIKey is the name of the OpenAI-compatible service's key.
const openAIKey = "openai"

// openProviders makes the interpreters there are and puts one on duty. A provider given in the options is the only one.
func (s *Shop) openProviders(ctx context.Context, o Options) {
	get := s.Config.Get
	lang := func() bilingual.Lang { return get().Lang }
	local, remote := s.openModels(o)
	s.closing = append(s.closing, func() error { return errors.Join(local.Close(), remote.Close()) })
	s.phrasebook = builtin.New()
	s.phrasebook.Names = s.names
	if o.Provider != nil {
		s.failover = failover.New(s.Bus, lang, o.Provider)
		return
	}
	s.failover = failover.New(s.Bus, lang, s.phrasebook, local, remote)
	s.failover.Follow(s.library.LookAgain)
	s.openFleet(ctx)
	s.chooseServers()
	s.startLoop(ctx, s.failover.Loop)
	s.closing = append(s.closing, func() error { s.models.engine.Stop(); return nil })
	s.models.engine.Start(ctx)
	if chosen := get().Provider; chosen != failover.Auto && chosen != "builtin" {
		first, done := context.WithTimeout(ctx, firstLook)
		s.failover.Look(first)
		done()
	}
}

// openModels makes the providers that speak with model services. They follow the settings at every call.
func (s *Shop) openModels(o Options) (*ollama.Provider, *openai.Provider) {
	get := s.Config.Get
	s.models.keys = secret.New(secret.Options{
		Dir: get().DataDir, Ring: o.Ring, Environ: o.Config.Env,
		Variables: map[string][]string{openAIKey: {config.EnvOpenAIKey, "OPENAI_API_KEY"}, searchKey: {"BRAVE_API_KEY"}},
	})
	model := func() string { return get().Model }
	embed := func() string { return get().EmbedModel }
	parallel := func() int { return get().Parallel }
	s.openEngine(o)
	s.models.ollama = ollama.New(ollama.Options{
		Line: s.line, Host: s.ollamaHost, Usual: s.usualOllama(), Model: model, EmbedModel: embed, Parallel: parallel, Cards: s.cardsOf(ollama.Name), Timeouts: s.modelLimits,
		LookPath: s.lookPath(o.LookPath), NumCtx: func() int { return get().NumCtx }, KeepAlive: func() time.Duration { return get().KeepAlive }, Seen: s.seenModels, Native: s.callStyle,
	})
	s.models.openai = openai.New(openai.Options{
		Base: func() string { return get().OpenAIBase }, Key: s.openAIKey, Model: model, EmbedModel: embed, Parallel: parallel, Cards: s.cardsOf(openai.Name),
		Timeouts: s.modelLimits, Native: s.callStyle, Line: s.line,
	})
	s.models.pulls = s.newPullQueue()
	return s.models.ollama, s.models.openai
}

// modelLimits are the deadlines of the calls to models.
func (s *Shop) modelLimits() (connect, first, gap time.Duration) {
	t := s.Config.Get().ModelTimeouts
	return t.Connect, t.First, t.Gap
}

// callStyle is how solvers call tools; "": as suits the server.
func (s *Shop) callStyle() provider.CallStyle {
	if calls := s.Config.Get().SolveCalls; calls != "auto" {
		return provider.CallStyle(calls)
	}
	return ""
}

// openAIKey is the key that goes with every call; without one the service says what it thinks of that.
func (s *Shop) openAIKey(ctx context.Context) string { return s.keyOf(ctx, openAIKey) }

// keyOf is a key of the cupboard; "" where there is none, or none can be had.
func (s *Shop) keyOf(ctx context.Context, name string) string {
	key, err := s.models.keys.Get(ctx, name)
	if err != nil && ctx.Err() == nil {
		log := s.Log.Component("models")
		log.Warn().Err(err).Msg("the key cannot be read")
	}
	return key
}
