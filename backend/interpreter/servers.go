package interpreter

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// Server is a provider that may answer a request. Those of a lower tier are asked as long as one of them is well; within a tier a request goes
// where it is expected to be over first, and to the first of them unless another is notably quicker.
type Server struct {
	provider.Provider
	Tier int
}

// What is believed of a server's speed before it was measured, in tokens a second, and of an answer's length, in tokens.
const (
	believedReads  = 300
	believedWrites = 20
	believedAnswer = 120
)

// lengths are how long the answers of each role are, in tokens. The zero value is ready; safe for concurrent use.
type lengths struct {
	mu   sync.Mutex
	long map[provider.Role]float64
}

func (l *lengths) learn(role provider.Role, tokens int) {
	if tokens <= 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.long == nil {
		l.long = map[provider.Role]float64{}
	}
	before, known := l.long[role]
	if !known {
		before = float64(tokens)
	}
	l.long[role] = newestWeigh*float64(tokens) + (1-newestWeigh)*before
}

func (l *lengths) of(role provider.Role) float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if long, ok := l.long[role]; ok {
		return long
	}
	return believedAnswer
}

// measured gives what was measured of a server before the program began; nil: nobody knows.
func (i *Interpreter) measured(server, model string) func() Speed {
	if i.deps.Speeds == nil {
		return nil
	}
	return func() Speed { return i.deps.Speeds(server, model) }
}

// serversFor are those that may answer a request of a role, the preferred first, at least one. A model that is wanted of one of them puts that
// one before all others.
func (i *Interpreter) serversFor(role provider.Role, model string) (list []Server) {
	if i.deps.Servers != nil {
		list = i.deps.Servers(role)
	}
	if len(list) == 0 {
		return []Server{{Provider: i.deps.Provider()}}
	}
	for n, s := range list {
		if (provider.Request{Model: model}).ModelOf(s.Name()) != "" {
			list = slices.Concat([]Server{{Provider: s.Provider, Tier: -1}}, list[:n], list[n+1:])
			break
		}
	}
	slices.SortStableFunc(list, func(a, b Server) int { return a.Tier - b.Tier })
	return list
}

// lanes are the servers for calls that may go to any.
func (i *Interpreter) lanes() []lane {
	list := i.serversFor("", "")
	lanes := make([]lane, len(list))
	for n, s := range list {
		lanes[n] = lane{name: s.Name(), limit: s.Parallel(), tier: s.Tier}
	}
	return lanes
}

// named is the server of a name; the one on duty where there is none any more.
func (i *Interpreter) named(role provider.Role, name string) provider.Provider {
	for _, s := range i.serversFor(role, "") {
		if s.Name() == name {
			return s.Provider
		}
	}
	return i.deps.Provider()
}

// placing finds a server for a request, and another one each time that one cannot answer.
type placing struct {
	i     *Interpreter
	req   provider.Request
	sees  map[string]bool // by server, of a request with pictures that somebody looks at; nil: it does not matter
	tried []string

	mu     sync.Mutex
	prompt *provider.Prompt
	takes  map[string]time.Duration
}

func (i *Interpreter) place(ctx context.Context, req provider.Request) *placing {
	p := &placing{i: i, req: req, takes: map[string]time.Duration{}}
	if len(req.Pictures) == 0 {
		return p
	}
	for _, s := range i.serversFor(req.Role, req.Model) {
		if seer, ok := s.Provider.(provider.Seer); ok && seer.Sees(ctx) {
			if p.sees == nil {
				p.sees = map[string]bool{}
			}
			p.sees[s.Name()] = true
		}
	}
	return p
}

// left are those that may be asked yet. Whoever answered in the chat last stands first in its tier: it has read what was said there.
func (p *placing) left() []Server {
	list := slices.DeleteFunc(p.i.serversFor(p.req.Role, p.req.Model), func(s Server) bool {
		return slices.Contains(p.tried, s.Name()) || p.sees != nil && !p.sees[s.Name()]
	})
	last := p.i.paces.lastIn(p.req.Chat)
	slices.SortStableFunc(list, func(a, b Server) int {
		switch {
		case a.Tier != b.Tier:
			return a.Tier - b.Tier
		case a.Name() == last:
			return -1
		case b.Name() == last:
			return 1
		}
		return 0
	})
	return list
}

// lanes are the servers that may be asked yet, with how long the request is expected to take there. They are asked for with the queue's lock
// held, and again whenever something changes.
func (p *placing) lanes() []lane {
	list := p.left()
	if len(list) == 0 { // the last one went while the request stood in line
		on := p.i.deps.Provider()
		return []lane{{name: on.Name(), limit: on.Parallel()}}
	}
	lanes := make([]lane, len(list))
	for n, s := range list {
		lanes[n] = lane{name: s.Name(), limit: s.Parallel(), tier: s.Tier}
		if len(list) > 1 {
			lanes[n].takes = p.takesAt(s)
		}
	}
	return lanes
}

// takesAt is how long a server is expected to take: to read what it has not read yet, and to write an answer as long as they usually are.
func (p *placing) takesAt(s Server) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if took, known := p.takes[s.Name()]; known {
		return took
	}
	if p.prompt == nil {
		prompt := p.i.adapter.NormalizePrompt(p.req)
		p.prompt = &prompt
	}
	_, key := p.i.paceKey(s.Provider, p.req)
	speed := p.i.paces.speedOf(key, nil)
	if speed.Reads == 0 {
		speed.Reads = believedReads
	}
	if speed.Writes == 0 {
		speed.Writes = believedWrites
	}
	reads := float64(p.i.ledger.meter.estimate(key, p.i.paces.unread(key, p.req.Chat, *p.prompt)).likely) / speed.Reads
	p.takes[s.Name()] = time.Duration((reads + p.i.lengths.of(p.req.Role)/speed.Writes) * float64(time.Second))
	return p.takes[s.Name()]
}

// nearest is the server that a request would go to if nobody else wanted any.
func (i *Interpreter) nearest(ctx context.Context, req provider.Request) provider.Provider {
	idle := slots{now: time.Now(), free: map[string][]time.Duration{}}
	best, _ := idle.choose(i.place(ctx, req).lanes(), 1)
	return i.named(req.Role, best.name)
}

// elsewhere tells whether another server may answer where this one did not: it was not there, it hung, or nothing may go out to it. A reply is
// read only when it is whole, so nothing came of the one that broke off.
func elsewhere(err error) bool {
	code := apperr.CodeOf(err)
	return absent(err) || code == apperr.ModelTimeout || code == apperr.NothingLeaves
}

// movedOn says to people that a request went on with another server.
var movedOn = bilingual.Of("%s 서버가 끝까지 답하지 못했어요. %s 서버가 이어서 답해요.", "The server %s could not answer to the end. %s goes on.")

// moved tells that a request went on elsewhere. What was told of the answer that broke off is void.
func (i *Interpreter) moved(req provider.Request, from, to string, why error) {
	if req.ModelOf(from) != "" {
		i.away.is(req.Chat, from)
	}
	i.deps.Publisher.Publish(event.Of(req.Chat, req.Job, event.RequestMoved{
		Agent: string(req.Role), From: from, To: to, Code: string(apperr.CodeOf(why)), Text: bilingual.Say(req.Lang, movedOn.KO, movedOn.EN, from, to),
	}))
}

// mostAway bounds in how many chats it is known that the server of their model is away.
const mostAway = 4096

// away are the servers that chats were told of, by chat, because another one answers there. The zero value is ready; safe for concurrent use.
type away struct {
	mu   sync.Mutex
	told map[string]string
}

// is notes that the server of a chat's model is away, "" that it is not, and says whether that is news.
func (a *away) is(chat, server string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.told[chat] == server {
		return false
	}
	if server == "" {
		delete(a.told, chat)
		return true
	}
	if a.told == nil || len(a.told) >= mostAway {
		a.told = map[string]string{}
	}
	a.told[chat] = server
	return true
}

// stoodIn says to people that the model they chose is not the one that answers.
var stoodIn = bilingual.Of("고른 모델이 있는 %s 서버에 지금 물을 수 없어요. %s 서버가 대신 답해요.", "The server %s, which has the chosen model, cannot be asked now. %s answers in its place.")

// standsIn tells a chat, once as long as that is so, that a server answers there in the place of the one whose model is wanted. Where no model
// server is left, that is told of all chats.
func (i *Interpreter) standsIn(b Brief, role provider.Role, at provider.Provider) {
	wanted, _, named := strings.Cut(b.Background.Model, "/")
	if b.Chat == "" || i.deps.Servers == nil || i.deps.Standby != nil && at.Name() == i.deps.Standby.Name() {
		return
	}
	if !named || wanted == at.Name() {
		wanted = ""
	}
	if !i.away.is(b.Chat, wanted) || wanted == "" {
		return
	}
	i.deps.Publisher.Publish(event.Of(b.Chat, b.Job, event.RequestMoved{
		Agent: string(role), From: wanted, To: at.Name(), Code: string(apperr.ProviderUnreachable), Text: bilingual.Say(b.Lang, stoodIn.KO, stoodIn.EN, wanted, at.Name()),
	}))
}
