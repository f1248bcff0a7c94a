package interpreter

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/provider"
)

// Cache keeps what a model answered (seed 004: enable_cache), by a key that says request and model. Safe for concurrent use.
type Cache interface {
	// Answer is the answer under a key, and whether there is one.
	Answer(ctx context.Context, key string) (provider.Reply, bool)
	// Keep keeps an answer. It may forget it at any time.
	Keep(ctx context.Context, key string, reply provider.Reply)
}

// Recall says which requests count as the same when an answer may be given again. The day is part of every request, the time
// of the day is not.
type Recall int

// How an answer may be given again.
const (
	RecallNever Recall = iota // what is asked wants an answer of its own each time
	RecallWhole               // the same words in the same conversation
	RecallAlone               // the same words, whatever was said before: the request stands by itself
)

// cacheKey names a request and the model that it goes to; "" when its answer is not to be kept.
func (i *Interpreter) cacheKey(p provider.Provider, b Brief, l provider.Request) string {
	if b.Recall == RecallNever || i.deps.Cache == nil {
		return ""
	}
	w, _ := i.window(p, l.Role, l.ModelOf(p.Name()))
	if w.Model == "" { // the built-in interpreter has none and needs no help
		return ""
	}
	strip(&l) // which of the outside tools stand there is of no matter to an answer that is kept
	y, m, d := l.Now.Date()
	l.Now = time.Date(y, m, d, 0, 0, 0, 0, l.Now.Location())
	if b.Recall == RecallAlone {
		l.Summary, l.Facts, l.State.Facts, l.Transcript = "", nil, nil, nil
	}
	whole, err := json.Marshal(struct {
		Provider, Model string
		Prompt          provider.Prompt
	}{p.Name(), w.Model, i.adapter.NormalizePrompt(l)})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(whole)
	return hex.EncodeToString(sum[:])
}

// recall answers a request with what is kept for it, and says whether that could be used. The request is kept as an exchange
// like any other, and told as one that took no time.
func (i *Interpreter) recall(ctx context.Context, p provider.Provider, key string, req provider.Request, s *stream, read func(Exchange) error) bool {
	if key == "" {
		return false
	}
	reply, ok := i.deps.Cache.Answer(ctx, key)
	if !ok {
		return false
	}
	reply.Recalled = true
	reply.TokensIn, reply.TokensCached, reply.TokensOut, reply.FirstToken, reply.Elapsed = 0, 0, 0, 0, 0
	x := Exchange{Request: req, Prompt: i.adapter.NormalizePrompt(req), Provider: p.Name(), Reply: reply, Attempt: 1, At: time.Now()}
	if read(x) != nil {
		return false // it was good once; what is asked of answers may have become more
	}
	label := labels[req.Role].In(req.Lang)
	i.tell(req, event.AgentStart{Agent: string(req.Role), Label: label})
	s.receive(provider.Delta{Text: reply.Text})
	i.tell(req, event.AgentDone{Agent: string(req.Role), Label: label, Success: true})
	i.keep(x)
	return true
}

// remember keeps an answer that could be used. One of another model than the key says, and one that was cut, are not kept.
func (i *Interpreter) remember(ctx context.Context, p provider.Provider, key string, x Exchange) {
	if key == "" || x.Reply.DoneReason == cutShortReason || x.Provider != p.Name() {
		return
	}
	if w, _ := i.window(p, x.Request.Role, x.Request.ModelOf(p.Name())); x.Reply.Model == w.Model {
		i.deps.Cache.Keep(ctx, key, x.Reply)
	}
}
