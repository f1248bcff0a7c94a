package interpreter

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/lazyregexp"
	"agentchat/backend/provider"
)

// Window is how much a model reads: so many tokens for a request and its answer together. 0: no limit is known or needed.
type Window struct {
	Model  string
	Tokens int
}

// Budget keeps requests within what a model can read. The zero value keeps none.
type Budget struct {
	// Window says how much a model of a provider reads; "": the one that it uses for the role.
	Window func(p provider.Provider, role provider.Role, model string) Window
	// Reserve is how many tokens the answer of a role may take.
	Reserve func(role provider.Role) int
	// Compact makes one compaction of a chat's memory so that write.Fits, as far as it goes. It gives what requests now begin with, and
	// whether one was made. nil: nothing can be compacted.
	Compact func(ctx context.Context, chat string, write Summarizer) (b Background, made bool, err error)
	Log     zerolog.Logger
}

// Summarizer is what a summary is written with.
type Summarizer struct {
	Fits       func(Background) bool                                   // the request at hand would fit with this background; nil: any does
	CanCompact func(Background) bool                                   // a summarizer can read this summary and these lines
	Compact    func(ctx context.Context, b Background) (string, error) // makes one summary of them
}

// Summarizer gives what a summary of a chat is written with while nobody waits for it: its requests stand last in line.
func (i *Interpreter) Summarizer(chat string, lang bilingual.Lang) Summarizer {
	return Summarizer{
		CanCompact: func(b Background) bool { return i.canCompact(i.deps.Provider(), i.compactRequest(chat, lang, b)) },
		Compact: func(ctx context.Context, b Background) (string, error) {
			return i.Summarize(ctx, Brief{Chat: chat, Lang: lang, Now: time.Now(), Request: compactMessage.In(lang), Background: b})
		},
	}
}

// compactMessage asks for a summary.
var compactMessage = bilingual.Of(
	"지금까지의 대화를 이전 요약과 합쳐 1200자 안으로 요약해 주세요. 이름, 금액, 날짜, 아직 끝나지 않은 부탁을 빼놓지 마세요.",
	"Sum up the conversation so far together with the old summary in at most 1200 characters. Leave out no name, amount, date or request that is still open.",
)

func (i *Interpreter) compactRequest(chat string, lang bilingual.Lang, b Background) provider.Request {
	brief := Brief{Chat: chat, Lang: lang, Now: time.Now(), Request: compactMessage.In(lang), Background: b}
	return i.request(brief, provider.RoleSummarizer, nil)
}

// ledger is what the budget remembers: how models count, how much they turned out to read, and what was last counted.
type ledger struct {
	meter meter

	mu     sync.Mutex
	caps   map[Window]int    // windows that a server said to be smaller than they were taken for
	counts map[string]tally  // by chat, the last request that a server counted
	alarms map[string]*Alarm // by model
}

type tally struct{ estimated, server int }

// window is how much the provider's model reads, by settings and by what its server said.
func (i *Interpreter) window(p provider.Provider, role provider.Role, model string) (w Window, key string) {
	if i.deps.Budget.Window == nil {
		return Window{}, ""
	}
	w = i.deps.Budget.Window(p, role, model)
	key = p.Name() + " " + w.Model
	i.ledger.mu.Lock()
	defer i.ledger.mu.Unlock()
	if most, ok := i.ledger.caps[Window{key, w.Tokens}]; ok {
		w.Tokens = most
	}
	return w, key
}

// room is how many tokens a request of the role may have in a window: the answer needs some of it, at most a quarter.
func (i *Interpreter) room(w Window, role provider.Role) int {
	reserve := 0
	if i.deps.Budget.Reserve != nil {
		reserve = i.deps.Budget.Reserve(role)
	}
	return w.Tokens - min(max(reserve, 0), w.Tokens/4)
}

func (i *Interpreter) size(key string, l provider.Request) tokens {
	return i.ledger.meter.estimate(key, extentOf(i.adapter.NormalizePrompt(l)))
}

func (i *Interpreter) canCompact(p provider.Provider, l provider.Request) bool {
	w, key := i.window(p, l.Role, l.ModelOf(p.Name()))
	return w.Tokens <= 0 || i.size(key, l).high <= i.room(w, l.Role)
}

// pictureTokens is about how many tokens a model makes of a picture: from 256 (gemma3) to some 2,000.
const pictureTokens = 1200

// fitted sends a request that fits the provider's model: it is compacted before, and once more if the server knows better.
// What was really sent stands in request afterwards.
func (i *Interpreter) fitted(ctx context.Context, p provider.Provider, req *provider.Request, s *stream) (provider.Reply, error) {
	w, key := i.window(p, req.Role, req.ModelOf(p.Name()))
	if w.Tokens <= 0 || req.Sent != nil {
		return i.call(ctx, p, *req, s)
	}
	shown := len(req.Pictures) * pictureTokens
	if err := i.fit(ctx, p, req, key, i.room(w, req.Role)-shown, w.Tokens*15/16-shown); err != nil {
		return provider.Reply{}, err
	}
	reply, err := i.call(ctx, p, *req, s)
	if apperr.CodeOf(err) == apperr.ContextOverflow && ctx.Err() == nil {
		sent := i.size(key, *req)
		i.learnLimit(key, w.Model, i.deps.Budget.Window(p, req.Role, req.ModelOf(p.Name())), *req, err)
		w, _ = i.window(p, req.Role, req.ModelOf(p.Name()))
		room := min(i.room(w, req.Role), sent.high*9/10)
		if long := i.fit(ctx, p, req, key, room, room); long != nil {
			return reply, long
		}
		reply, err = i.call(ctx, p, *req, s)
	}
	if err == nil && shown == 0 { // what a picture takes says nothing of words
		i.recordUsage(p, key, w.Model, *req, reply)
	}
	return reply, err
}

// The words in which servers say how long a request was and how long it may be.
var (
	saysSent = lazyregexp.New(`request \((\d+) tokens\)|requested (\d+) tokens`)
	saysMost = lazyregexp.New(`context size \((\d+) tokens\)|maximum context length is (\d+) tokens|n_ctx["': =]+(\d+)`)
)

func figure(words *lazyregexp.Regexp, text string) int {
	for _, group := range words.FindStringSubmatch(text)[min(1, len(words.FindStringSubmatch(text))):] {
		if n, err := strconv.Atoi(group); err == nil {
			return n
		}
	}
	return 0
}

// learnLimit learns from a server that turned a request down as too long.
func (i *Interpreter) learnLimit(key, model string, set Window, req provider.Request, err error) {
	words := ""
	for cause := err; cause != nil; cause = errors.Unwrap(cause) {
		words = cause.Error()
	}
	sent, most := figure(saysSent, words), figure(saysMost, words)
	if sent > 0 {
		i.ledger.meter.learn(key, extentOf(i.adapter.NormalizePrompt(req)), sent)
	}
	if most > 0 && most < set.Tokens {
		i.ledger.mu.Lock()
		if i.ledger.caps == nil {
			i.ledger.caps = map[Window]int{}
		}
		i.ledger.caps[Window{key, set.Tokens}] = most
		i.ledger.mu.Unlock()
	}
	i.deps.Budget.Log.Warn().Str("model", model).Int("sent", sent).Int("window", most).Msg("the server turned a letter down as too long; compacting once")
}

// recordUsage compares what the server read with what it was sent: much less means that it silently cut the request.
func (i *Interpreter) recordUsage(p provider.Provider, key, model string, req provider.Request, reply provider.Reply) {
	if reply.TokensIn <= 0 {
		return
	}
	x := extentOf(i.adapter.NormalizePrompt(req))
	sent := i.ledger.meter.estimate(key, x)
	short := reply.TokensIn < sent.low
	if !short {
		i.ledger.meter.learn(key, x, reply.TokensIn)
	}
	i.ledger.mu.Lock()
	if i.ledger.counts == nil {
		i.ledger.counts, i.ledger.alarms = map[string]tally{}, map[string]*Alarm{}
	}
	i.ledger.counts[req.Chat] = tally{estimated: sent.likely, server: reply.TokensIn}
	before := i.ledger.alarms[key]
	if short {
		i.ledger.alarms[key] = &Alarm{
			Provider: p.Name(), Model: model, Sent: sent.likely, Read: reply.TokensIn, Time: event.Stamp(time.Now()),
		}
	} else {
		delete(i.ledger.alarms, key)
	}
	i.ledger.mu.Unlock()
	if !short {
		return
	}
	e := apperr.New(apperr.ContextTruncated, "provider", p.Name(), "model", model, "sent", sent.likely, "read", reply.TokensIn)
	i.deps.Budget.Log.Warn().Err(e).Str("letter", req.ID).Int("low", sent.low).Msg("the server read less than it was sent")
	if before == nil {
		i.deps.Publisher.Publish(event.Of(req.Chat, req.Job, event.Error{
			Code: string(e.Code), Message: e.Text(req.Lang), Fields: e.Fields,
		}))
	}
}

// announce tells the chat what was done to its request.
func (i *Interpreter) announce(l provider.Request, words bilingual.Text, before, after tokens) {
	i.deps.Budget.Log.Info().Str("chat", l.Chat).Str("job", l.Job).Str("role", string(l.Role)).
		Int("before", before.likely).Int("after", after.likely).Msg(strings.ToLower(words.EN))
	i.deps.Publisher.Publish(event.Of(l.Chat, l.Job, event.Thinking{
		Step: "context", Text: words.In(l.Lang), Data: map[string]any{"before": before.likely, "after": after.likely},
	}))
}
