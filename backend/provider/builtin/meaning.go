package builtin

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/act"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/provider"
)

// Meaning is a tool that a message may mean, and what would be done with it.
type Meaning struct {
	Tool  string
	Acts  []act.Act // what a message may want that it does
	Value string    // what was read for it, as people say it; empty: nothing
	P     float64

	Ordered bool // a clause orders it
	Spoken  bool // a clause names it and orders nothing
}

// Meanings are the tools that a message with these guesses may mean, one for every act: where several do the same, the one that the
// phrasebook reads in the message, or whose arguments it finds. One that is less probable than least is only among them when the
// phrasebook reads it. Safe for concurrent use.
func (p *Provider) Meanings(cards []provider.ToolCard, text string, now time.Time, lang bilingual.Lang, g act.Guesses, least float64) (list []Meaning) {
	c := p.catalogs.of(cards, p.Names)
	read := c.read(text, now)
	type candidate struct {
		wish
		named   bool
		missing int
	}
	var all []candidate
	asked, _, _, _ := c.tables() // has a room of its own
	for _, t := range c.tools {
		if len(t.acts) == 0 || t == asked || t.wants(g) < least && !read.names(t) {
			continue
		}
		w, named := c.meant(t, read, text, now)
		if !named && t.nameless(newView(text), w.args) {
			continue
		}
		missing := len(t.missing(w.args))
		if missing > 0 && (t.literal() || len(t.doing) > 0) {
			continue // an address or a file that nobody named is not asked for
		}
		all = append(all, candidate{w, named, missing})
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		switch {
		case a.named != b.named:
			return cmp.Compare(truth(b.named), truth(a.named))
		case a.missing != b.missing:
			return cmp.Compare(a.missing, b.missing)
		}
		return cmp.Compare(len(b.args), len(a.args))
	})
	var taken []act.Act
	for _, x := range all {
		if !slices.ContainsFunc(x.tool.acts, func(a act.Act) bool { return slices.Contains(taken, a) }) {
			taken = append(taken, x.tool.acts...)
			value, _ := speaker{lang: lang}.mainValue(x.wish)
			list = append(list, Meaning{Tool: x.tool.card.Key, Acts: x.tool.acts, Value: value, P: x.tool.wants(g), Ordered: x.named, Spoken: !x.named && read.speaks(x.tool)})
		}
	}
	return list
}

// names tells whether one of the wishes is for a tool.
func (m *message) names(t *tool) bool {
	return slices.ContainsFunc(m.wishes, func(w wish) bool { return w.tool == t })
}

// speaks tells whether a clause names a tool and asks for nothing: it forbids it, or tells of what was or is to be some other day.
func (m *message) speaks(t *tool) bool {
	return slices.ContainsFunc(m.parts, func(p part) bool {
		return p.hit && p.found.tool == t && (p.narrated() || p.act == actNegative)
	})
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// meant is the wish that a message is for a tool: the one that is read in it, else the whole of it, with what is found for the tool.
func (c *catalog) meant(t *tool, read *message, text string, now time.Time) (w wish, named bool) {
	if at := slices.IndexFunc(read.wishes, func(w wish) bool { return w.tool == t }); at >= 0 {
		w, named = read.wishes[at], true
	} else {
		w = wish{tool: t, args: t.fill(phrase.Respace(phrase.Normalize(text)), now), request: strings.TrimSpace(text), count: 1}
	}
	for _, p := range t.props {
		if address := linked.FindString(text); address != "" && p.Kind == slot.KindLink && w.args[p.Name] == nil {
			w.args = maps.Clone(w.args)
			w.args[p.Name] = address // named in all kinds of talk, but this is for the tool
		}
	}
	return w, named
}

// planMeant plans a message for the tool of which somebody said that it is meant.
func (c *catalog) planMeant(t *tool, req provider.Request) provider.Plan {
	w, _ := c.meant(t, c.read(req.Message, req.Now), req.Message, req.Now)
	if m, ok := c.tableAsked(req); ok && len(m.wishes) == 1 && m.wishes[0].tool == t {
		w = m.wishes[0]
	}
	if len(req.State.Given) > 0 {
		w.args = decoded(req.State.Given)
	}
	say := speaker{req.Lang, req.Now}
	jobs := (&message{wishes: []wish{w}}).jobs(say)
	return provider.Plan{Route: provider.RouteJobs, Reply: say.starting(jobs, c), Jobs: jobs}
}

// decoded are arguments as a wish has them: whole numbers are whole.
func decoded(raw json.RawMessage) (args map[string]any) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if dec.Decode(&args) != nil {
		return map[string]any{}
	}
	for name, v := range args {
		if n, ok := v.(json.Number); ok {
			if whole, err := n.Int64(); err == nil {
				args[name] = whole
			}
		}
	}
	return args
}
