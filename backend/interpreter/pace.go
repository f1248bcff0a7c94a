package interpreter

import (
	"math"
	"strings"
	"sync"
	"time"

	"agentchat/backend/provider"
)

// What a model has read it keeps, for the next request that begins alike. So how long a request takes is told by what is new in it,
// and by how fast the model read before.

const (
	mostKept    = 4  // requests that a model is taken to keep, however many it answers at once
	leastPaced  = 64 // tokens; reading fewer says nothing about how fast a model reads
	newestWeigh = 0.5
	// leastWritten is how many tokens an answer must have to say how fast a model writes.
	leastWritten = 8
)

// Speed is how fast a server reads and writes with a model, in tokens a second, as measured over so many requests; 0: not known yet.
type Speed struct {
	Reads    float64 `json:"reads"`
	Writes   float64 `json:"writes"`
	Requests int     `json:"requests"`
}

// paces know of each model what it read last and how fast. The zero value knows nothing; safe for concurrent use.
type paces struct {
	mu     sync.Mutex
	models map[string]*pace  // by the ledger's keys
	last   map[string]string // by chat, the server that answered last
}

type pace struct {
	kept  []provider.Prompt // newest first
	speed float64           // tokens a second; 0: not known yet
	wrote float64           // the same of what it writes
	asked int               // requests that were measured
	homes homes
}

// of gives the pace of a model. Called with p.mu held.
func (p *paces) of(model string) *pace {
	if p.models[model] == nil {
		if p.models == nil {
			p.models = map[string]*pace{}
		}
		p.models[model] = &pace{}
	}
	return p.models[model]
}

// fresh is what a model has to read of a prompt, and how fast it reads; 0: nobody knows.
func (p *paces) fresh(model string, prompt provider.Prompt) (rest extent, speed float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.of(model)
	rest = extentOf(prompt)
	for _, known := range m.kept {
		if x := extentOf(behind(prompt, known)); dot(x, believed) < dot(rest, believed) {
			rest = x
		}
	}
	return rest, m.speed
}

// read notes that a model has read a prompt. tokens and took say how many of it were new, and how long it took; 0: that says nothing.
func (p *paces) read(model string, prompt provider.Prompt, most, tokens int, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.of(model)
	m.kept = append([]provider.Prompt{prompt}, m.kept[:min(len(m.kept), min(max(most, 1), mostKept)-1)]...)
	if tokens < leastPaced || took <= 0 {
		return
	}
	speed := float64(tokens) / took.Seconds()
	if m.speed > 0 {
		speed = newestWeigh*speed + (1-newestWeigh)*m.speed
	}
	m.speed = speed
}

// wrote notes how fast a model wrote so many tokens, and gives what is known of it now; false: that says nothing.
func (p *paces) wrote(model string, tokens int, took time.Duration) (s Speed, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.of(model)
	if tokens < leastWritten || took <= 0 {
		return s, false
	}
	speed := float64(tokens) / took.Seconds()
	if m.wrote > 0 {
		speed = newestWeigh*speed + (1-newestWeigh)*m.wrote
	}
	m.wrote = speed
	m.asked++
	return Speed{m.speed, m.wrote, m.asked}, true
}

// speedOf is how fast a model is. load gives what was measured before the program began; it is asked once.
func (p *paces) speedOf(model string, load func() Speed) Speed {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.models[model] == nil && load != nil {
		s, m := load(), p.of(model)
		m.speed, m.wrote, m.asked = s.Reads, s.Writes, s.Requests
	}
	m := p.of(model)
	return Speed{m.speed, m.wrote, m.asked}
}

// forget says that a model keeps nothing any more: it was sent out of memory.
func (p *paces) forget(is func(model string) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for name, m := range p.models {
		if is(name) {
			m.kept, m.homes = nil, homes{}
		}
	}
}

// behind is what of a prompt stands behind all that another one begins with, too.
func behind(p, known provider.Prompt) provider.Prompt {
	if len(p.Tools) != len(known.Tools) || len(p.Tools) > 0 && &p.Tools[0] != &known.Tools[0] {
		return p // they stand in front of everything
	}
	rest := provider.Prompt{System: uncommon(p.System, known.System), Messages: p.Messages}
	for i := 0; rest.System == "" && i < len(known.Messages) && len(rest.Messages) > 0; i++ {
		m := rest.Messages[0]
		if m.Role != known.Messages[i].Role || len(m.Calls)+len(known.Messages[i].Calls) > 0 {
			break
		}
		text := uncommon(m.Text, known.Messages[i].Text)
		if text != "" {
			rest.Messages = append([]provider.PromptMessage{{Role: m.Role, Text: text}}, rest.Messages[1:]...)
			break
		}
		rest.Messages = rest.Messages[1:]
	}
	return rest
}

// uncommon is what of a text is not the beginning of another.
func uncommon(text, other string) string {
	if strings.HasPrefix(other, text) {
		return ""
	}
	n := 0
	for n < len(text) && n < len(other) && text[n] == other[n] {
		n++
	}
	return strings.ToValidUTF8(text[n:], "")
}

// toRead is what the provider's model has to read of a request before it answers, in tokens, and how long that takes it; 0: nobody
// knows how long.
func (i *Interpreter) toRead(p provider.Provider, req provider.Request) (tokens int, takes time.Duration) {
	_, key := i.paceKey(p, req)
	rest, speed := i.paces.fresh(key, i.adapter.NormalizePrompt(req))
	tokens = i.ledger.meter.estimate(key, rest).likely
	if speed > 0 {
		takes = time.Duration(math.Ceil(float64(tokens)/speed)) * time.Second
	}
	return tokens, takes
}

func (i *Interpreter) paceKey(p provider.Provider, req provider.Request) (w Window, key string) {
	if w, key = i.window(p, req.Role, req.ModelOf(p.Name())); key == "" {
		key = p.Name()
	}
	i.paces.speedOf(key, i.measured(p.Name(), w.Model))
	return w, key
}

// hasRead notes that a request was read, by the server's own figures where it has any. A model that was loaded for it says nothing of
// how fast it reads, and has nothing of what it read before.
func (i *Interpreter) hasRead(p provider.Provider, req provider.Request, reply provider.Reply, loaded bool) {
	w, key := i.paceKey(p, req)
	prompt := i.adapter.NormalizePrompt(req)
	fresh := reply.TokensIn - reply.TokensCached
	if reply.TokensCached == 0 && reply.TokensIn > 0 { // it may have kept something and not said so
		rest, _ := i.paces.fresh(key, prompt)
		fresh = min(fresh, i.ledger.meter.estimate(key, rest).likely)
	}
	took := reply.FirstToken
	if loaded {
		i.paces.forget(func(model string) bool { return model == key })
		took = 0
	}
	i.lengths.learn(req.Role, reply.TokensOut)
	i.paces.answered(req.Chat, p.Name())
	i.paces.settle(key, req.Chat, prompt, reply.TokensIn, reply.TokensCached)
	i.paces.read(key, prompt, p.Parallel(), fresh, took)
	if s, ok := i.paces.wrote(key, reply.TokensOut-1, reply.Elapsed-reply.FirstToken); ok && i.deps.Measured != nil {
		i.deps.Measured(p.Name(), w.Model, s)
	}
}

// Unloaded says that a model of the provider of that name is not in memory any more, and so keeps nothing of what it read.
func (i *Interpreter) Unloaded(name, model string) {
	latest, _ := strings.CutSuffix(model, ":latest")
	i.paces.forget(func(key string) bool { return key == name+" "+model || key == name+" "+latest })
}
