package interpreter

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/words"
	"agentchat/backend/provider"
)

// Outside servers may bring any number of tools, and every request carries the catalogue. So a request for a model that reads
// only so much has all of the shop's own tools, and of the others those that the conversation called for, within a share of
// the room. What a chat was shown once stays until the room is needed for another: the first block of its requests, which a
// model keeps ready, changes only when a message calls for a tool that is not there.

// shelf is a catalogue made ready to choose from. It never changes.
type shelf struct {
	all     []provider.ToolCard // as it came
	own     []provider.ToolCard
	outside []outsider
	byKey   map[string]int     // into outside
	weights map[string]float64 // how much a word tells between outside tools
	cost    int                // all of outside
}

// outsider is one outside tool. cost is in tokens, as estimated without knowing the model: the same in every run.
type outsider struct {
	card  provider.ToolCard
	words map[string]bool
	cost  int
}

// shelves are the catalogues by language, and what was chosen of them. Safe for concurrent use.
type shelves struct {
	mu     sync.Mutex
	ready  map[bilingual.Lang]*shelf
	chosen map[choiceKey][]string // keys of outside tools, the one called for last at the end
	rooms  map[roomKey]space
}

// roomKey is a catalogue, and a model that reads so much of it.
type roomKey struct {
	shelf  *shelf
	model  string
	tokens int
}

// space is how many tokens outside tools may take. It is measured anew once: when a server has counted for the model.
type space struct {
	tokens  int
	counted bool
}

// choiceKey is a chat, and how much the models read that its requests go to: requests that share a first block share a choice.
type choiceKey struct {
	chat string
	room int
}

// shelf gives the catalogue made ready, the same one as long as the catalogue is the same.
func (i *Interpreter) shelf(lang bilingual.Lang) *shelf {
	all := i.deps.Tools(lang)
	i.shelves.mu.Lock()
	defer i.shelves.mu.Unlock()
	if s := i.shelves.ready[lang]; s != nil && len(s.all) == len(all) && (len(all) == 0 || &s.all[0] == &all[0]) {
		return s
	}
	if i.shelves.ready == nil {
		i.shelves.ready, i.shelves.chosen = map[bilingual.Lang]*shelf{}, map[choiceKey][]string{}
	}
	i.shelves.rooms = map[roomKey]space{}
	s := i.newShelf(all)
	i.shelves.ready[lang] = s
	return s
}

func (i *Interpreter) newShelf(all []provider.ToolCard) *shelf {
	s := &shelf{all: all, own: all, byKey: map[string]int{}, weights: map[string]float64{}}
	if !slices.ContainsFunc(all, func(c provider.ToolCard) bool { return c.Outside }) {
		return s
	}
	s.own = nil
	bulk := func(l provider.Request) int { return int(extentOf(i.adapter.NormalizePrompt(l))[inSystem]) }
	empty := bulk(provider.Request{})
	for _, card := range all {
		if !card.Outside {
			s.own = append(s.own, card)
			continue
		}
		o := outsider{card: card, words: wordsOf(card.Key + " " + card.Description), cost: bulk(provider.Request{Tools: []provider.ToolCard{card}}) - empty}
		for w := range o.words {
			s.weights[w]++
		}
		s.byKey[card.Key] = len(s.outside)
		s.outside = append(s.outside, o)
		s.cost += o.cost
	}
	for w, tools := range s.weights { // a word that all of them have says nothing
		s.weights[w] = math.Log(float64(len(s.outside)) / tools)
	}
	return s
}

func wordsOf(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range words.Question(text) {
		for term := range words.Each(w) {
			set[term] = true
		}
	}
	return set
}

// Outside tools have a third of what is left beside the shop's own: the conversation and the request have the rest. Of their
// share a third goes to the keys of those that are not shown.
const (
	outsideShare = 3
	keysShare    = 3
)

// stock is the part of the catalogue that a request shows: its tools, and the keys of more.
func (i *Interpreter) stock(p provider.Provider, b Brief, role provider.Role) (tools []provider.ToolCard, more []string) {
	if toolless(role) {
		return nil, nil
	}
	s := i.shelf(b.Lang)
	w, model := i.window(p, role, "")
	if len(s.outside) == 0 || w.Tokens <= 0 {
		return s.all, nil
	}
	room := i.space(s, w, model)
	if s.cost <= room {
		return s.all, nil
	}
	shown := i.choose(s, b, role, choiceKey{b.Chat, w.Tokens}, room-room/keysShare)
	tools = slices.Clone(s.own)
	for _, key := range shown {
		tools = append(tools, s.outside[s.byKey[key]].card)
	}
	slices.SortFunc(tools, func(a, b provider.ToolCard) int { return strings.Compare(a.Key, b.Key) })
	return tools, s.keys(room / keysShare)
}

// space is how many tokens outside tools may take of what a model reads.
func (i *Interpreter) space(s *shelf, w Window, model string) int {
	key, counted := roomKey{s, model, w.Tokens}, i.ledger.meter.known(model)
	i.shelves.mu.Lock()
	defer i.shelves.mu.Unlock()
	if had, ok := i.shelves.rooms[key]; ok && had.counted == counted {
		return had.tokens
	}
	beside := provider.Request{Role: provider.RolePlanner, Tools: s.own, Services: i.services(), Schema: provider.PlanSchema}
	room := max(i.room(w, provider.RolePlanner)-i.size(model, beside).high, 0) / outsideShare
	i.shelves.rooms[key] = space{room, counted}
	return room
}

// request writes a brief down for a role.
func (i *Interpreter) request(b Brief, role provider.Role, schema []byte) provider.Request {
	return i.requestFor(i.deps.Provider(), b, role, schema)
}

// requestFor is request for a certain provider.
func (i *Interpreter) requestFor(p provider.Provider, b Brief, role provider.Role, schema []byte) provider.Request {
	tools, more := i.stock(p, b, role)
	req := b.request(i.deps.NewID(), role, tools, schema)
	req.More = more
	return req
}

// mostShown is how many tools a request says everything of.
const mostShown = 4

// shown are the tools that a request may mean: the one that a step has; else those that the readings of its words find, and of the
// outside ones those that are nearest to the words. They do not depend on the rounds of a solver, which stand behind them.
func (i *Interpreter) shown(ctx context.Context, b Brief, role provider.Role, p provider.Provider) (keys []string) {
	_, byCode := p.(provider.Phrasebook) // it reads no cards
	switch {
	case byCode || role != provider.RolePlanner && role != provider.RoleSolver && role != provider.RoleToolChooser:
		return nil
	case b.Todo != nil && b.Todo.Tool != "":
		return []string{b.Todo.Tool}
	}
	text := b.Request
	if b.Todo != nil && b.Todo.Request != "" {
		text = b.Todo.Request
	}
	if keys = b.Candidates; keys == nil && i.deps.Candidates != nil {
		keys = i.deps.Candidates(ctx, text, b.Now, b.Lang)
	}
	keys = append(slices.Clip(keys), i.shelf(b.Lang).nearest(text, math.MaxInt)...)
	return slices.Clip(keys[:min(len(keys), mostShown)])
}

// choose gives the outside tools that a chat's requests show, after the words of this one.
func (i *Interpreter) choose(s *shelf, b Brief, role provider.Role, key choiceKey, room int) []string {
	i.shelves.mu.Lock()
	defer i.shelves.mu.Unlock()
	had, known := i.shelves.chosen[key]
	shown := slices.DeleteFunc(slices.Clone(had), func(key string) bool { _, there := s.byKey[key]; return !there })
	if !known { // of what was said before the program began, or before there were so many tools
		for _, t := range b.Background.Transcript {
			if t.Speaker == "customer" {
				shown = s.call(shown, s.nearest(t.Text, room), room)
			}
		}
	}
	if role == provider.RolePlanner || role == provider.RoleSolver || role == provider.RoleToolChooser {
		shown = s.call(shown, s.nearest(b.Request, room), room)
	}
	shown = s.call(shown, needed(b.Todo, b.Rounds), room)
	i.shelves.chosen[key] = shown
	return slices.Clone(shown)
}

// needed are the tools that a request is about, or whose use it tells of, the one at hand first.
func needed(todo *provider.TodoCard, rounds []provider.Round) (keys []string) {
	if todo != nil && todo.Tool != "" {
		keys = append(keys, todo.Tool)
	}
	for _, r := range slices.Backward(rounds) {
		for _, c := range r.Calls {
			keys = append(keys, c.Tool)
		}
	}
	return keys
}

// call puts the tools called for behind the others, the first of them last, and takes away from the front what there is no
// room for. The one called for first stays, whatever it costs.
func (s *shelf) call(shown, called []string, room int) []string {
	for _, key := range slices.Backward(called) {
		if _, there := s.byKey[key]; there {
			shown = append(slices.DeleteFunc(shown, func(other string) bool { return other == key }), key)
		}
	}
	cost := 0
	for n, key := range slices.Backward(shown) {
		if cost += s.outside[s.byKey[key]].cost; cost > room && n < len(shown)-1 {
			return shown[n+1:]
		}
	}
	return shown
}

// nearest are the tools whose words say about as much of a text as those of the nearest do, as many as have room.
func (s *shelf) nearest(text string, room int) (keys []string) {
	said := wordsOf(text)
	type near struct {
		at    int
		score float64
	}
	var list []near
	best := 0.0
	for at, o := range s.outside {
		score := 0.0
		for w := range said {
			if o.words[w] {
				score += s.weights[w]
			}
		}
		if score > 0 {
			list, best = append(list, near{at, score}), max(best, score)
		}
	}
	slices.SortStableFunc(list, func(a, b near) int { return cmp.Compare(b.score, a.score) }) // else by key, as they came
	for _, n := range list {
		if room -= s.outside[n.at].cost; n.score < best/2 || room < 0 {
			break
		}
		keys = append(keys, s.outside[n.at].card.Key)
	}
	return keys
}

// keys are those of all outside tools or, where so many have no room, of some of every server. They are the same in all requests,
// whatever is shown of the tools.
func (s *shelf) keys(room int) (list []string) {
	servers := map[string][]string{}
	for _, o := range s.outside {
		server, _, _ := strings.Cut(o.card.Key, "__")
		servers[server] = append(servers[server], o.card.Key)
	}
	names := make([]string, 0, len(servers))
	for server := range servers {
		names = append(names, server)
	}
	slices.Sort(names)
	for n := 0; len(list) < len(s.outside); n++ {
		for _, server := range names {
			if n >= len(servers[server]) {
				continue
			}
			if room -= (len(servers[server][n])+1)/2 + 1; room < 0 { // two characters a token: keys are no words
				slices.Sort(list)
				return list
			}
			list = append(list, servers[server][n])
		}
	}
	slices.Sort(list)
	return list
}

// strip takes out of a request that has no room what it can do without: outside tools that it is not about. It tells whether
// there were any.
func strip(l *provider.Request) bool {
	keep := needed(l.State.Todo, l.Rounds)
	tools := slices.DeleteFunc(slices.Clone(l.Tools), func(c provider.ToolCard) bool { return c.Outside && !slices.Contains(keep, c.Key) })
	some := len(tools) < len(l.Tools) || len(l.More) > 0
	l.Tools, l.More = tools, nil
	return some
}
