package builtin

import (
	"encoding/json"
	"hash/maphash"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"agentchat/backend/language/act"
	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/names"
	"agentchat/backend/provider"
)

// catalog is a set of tool cards, read once: which senses each tool serves, what its parameters are, how its examples sound.
type catalog struct {
	tools []*tool
	byKey map[string]*tool
	forms []form // of the tools that take words as they are
	last  atomic.Pointer[understood]
}

// tool is one compiled card.
type tool struct {
	card     provider.ToolCard
	props    []slot.Property // in the order of the schema's text
	required []string
	affinity []float64 // by sense: how far the sense means this tool, 0 to 1
	carriers map[string]bool
	examples []example
	marks    map[string]bool // words of its examples that no other tool's have; only for tools no sense of the lexicon covers
	answers  bool            // people ask it questions: it tells something and ends
	asked    map[any]bool    // the values of its choice that people only ask for
	bare     bool            // examples name a title without saying what kind of thing it is
	doing    []string        // the words for what it does with a file or a folder; such a tool is found by deeds alone
	acts     []act.Act       // what a message may want that it does; none for tools that only their examples describe
	plays    bool            // it keeps going once started, and another can be wanted beside it
	there    names.Rooms     // the names there are
	outlines []outline       // its examples as forms
}

type example struct {
	text  string // normalised, lower case
	grams []uint64
}

// catalogs remembers compiled catalogues by their content, the newest few.
type catalogs struct {
	mu    sync.Mutex
	known map[uint64]*catalog
	order []uint64
}

const maxCatalogs = 8

// of compiles the cards or finds them compiled. Safe for concurrent use.
func (c *catalogs) of(cards []provider.ToolCard, there names.Rooms) *catalog {
	key := fingerprint(cards)
	c.mu.Lock()
	defer c.mu.Unlock()
	if cat, ok := c.known[key]; ok {
		return cat
	}
	cat := compile(cards, there)
	if c.known == nil {
		c.known = map[uint64]*catalog{}
	}
	if len(c.order) == maxCatalogs {
		delete(c.known, c.order[0])
		c.order = c.order[1:]
	}
	c.known[key], c.order = cat, append(c.order, key)
	return cat
}

var seed = maphash.MakeSeed()

func fingerprint(cards []provider.ToolCard) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	add := func(s string) {
		_, _ = h.WriteString(s) // never fails
		_ = h.WriteByte(0)
	}
	for _, card := range cards {
		add(card.Key)
		add(card.Title)
		add(card.Description)
		_, _ = h.Write(card.Params)
		add(strconv.FormatBool(card.Long))
		for _, e := range card.Examples {
			add(e.Text)
		}
	}
	return h.Sum64()
}

func compile(cards []provider.ToolCard, there names.Rooms) *catalog {
	cat := &catalog{byKey: map[string]*tool{}}
	raw := make([][]float64, 0, len(cards))
	for _, card := range cards {
		if card.Key == "" || cat.byKey[card.Key] != nil {
			continue
		}
		read := cardsRead.of(card)
		t := read.tool
		t.card, t.there, t.carriers, t.affinity = card, there, maps.Clone(t.carriers), make([]float64, len(senses))
		raw = append(raw, read.studied)
		cat.tools = append(cat.tools, &t)
		cat.byKey[card.Key] = &t
	}
	for s := range senses {
		top := 0.0
		for i := range raw {
			top = max(top, raw[i][s])
		}
		for i, t := range cat.tools {
			if share := raw[i][s] / max(top, 0.01); top >= 0.08 && share >= 0.34 {
				t.affinity[s] = share
				if senses[s].hint() {
					t.affinity[s] = 1 // 틀어줘, play: every tool that is asked for so may be meant
				}
			}
		}
	}
	cat.distinguish()
	for _, t := range cat.tools {
		t.ownWords()
	}
	cat.shape()
	return cat
}

// distinguish finds the words that tell tools outside the lexicon: those that stand in no other tool's examples.
func (c *catalog) distinguish() {
	in := map[string]int{}
	for _, t := range c.tools {
		if len(t.doing) > 0 || t.choice() != nil {
			continue
		}
		for w := range t.carriers {
			in[w]++
		}
	}
	for _, t := range c.tools {
		known := len(t.doing) > 0 || t.choice() != nil
		for i, a := range t.affinity {
			known = known || a >= 0.5 && !senses[i].hint()
		}
		if known {
			continue
		}
		t.marks = map[string]bool{}
		for w := range t.carriers {
			if in[w] == 1 && !slot.FunctionWord(w) && len(w) > 2 {
				t.marks[w] = true
			}
		}
	}
}

// study reads the card's examples, title and description, and gives how much each sense speaks in them.
func (t *tool) study() []float64 {
	raw := make([]float64, len(senses))
	questions, bare := 0, 0
	t.asked = map[any]bool{}
	choice := t.choice()
	for _, e := range t.card.Examples {
		masked := mask(e)
		v := newView(phrase.Respace(masked))
		for i := range senses {
			raw[i] += v.strength(&senses[i]) / float64(len(t.card.Examples))
		}
		if len(e.Args) > 0 && !v.namesKind() {
			bare++
		}
		if v.question || v.act() == actQuestion {
			questions++
			if choice != nil {
				t.asked[e.Args[choice.Name]] = true
			}
		}
		low := strings.ToLower(v.text)
		t.examples = append(t.examples, example{strings.ToLower(phrase.Normalize(e.Text)), phrase.Grams(low)})
		for _, w := range phrase.Words(low) {
			stem, _ := phrase.Stem(w.Text)
			t.carriers[w.Text], t.carriers[stem] = true, true
		}
	}
	name := newView(phrase.Respace(phrase.Normalize(t.card.Title + ". " + strings.ReplaceAll(t.card.Key, "_", " "))))
	about := newView(phrase.Respace(phrase.Normalize(t.card.Description)))
	for i := range senses {
		raw[i] += 0.5*name.strength(&senses[i]) + 0.05*about.strength(&senses[i])
	}
	t.answers = !t.card.Long && questions*6 > len(t.card.Examples)
	t.bare = bare > 0
	t.plays = t.card.Long && len(t.required) == 0
	return raw
}

// namesKind tells whether a noun of some sense stands in the view.
func (v *view) namesKind() bool {
	for i := range senses {
		if senses[i].name != "play" && v.strength(&senses[i]) >= 0.6 {
			return true
		}
	}
	return false
}

// ownWords adds the nouns of the tool's own senses to the words that only carry the wish.
func (t *tool) ownWords() {
	for i, a := range t.affinity {
		if a < 0.5 {
			continue
		}
		for _, term := range senses[i].terms {
			if term.weight >= 0.4 && (term.korean || !strings.Contains(term.form, " ")) {
				t.carriers[term.form] = true
			}
		}
	}
}

// carrier tells the words that are never part of an argument of this tool.
func (t *tool) carrier(w string) bool { return t.carriers[w] }

// mask takes the argument values out of an example, so that only the words of asking are left.
func mask(e provider.Example) string {
	text := phrase.Normalize(e.Text)
	values := make([]string, 0, len(e.Args))
	for _, v := range e.Args {
		if s, ok := v.(string); ok && s != "" {
			values = append(values, s)
		}
	}
	sort.Slice(values, func(i, j int) bool { return len(values[i]) > len(values[j]) })
	for _, s := range values {
		text = strings.ReplaceAll(text, s, "□")
	}
	return text
}

// properties reads the parameters a grammar can fill, in the order they are written, and which are required.
func properties(schema json.RawMessage) ([]slot.Property, []string) {
	var s struct {
		Properties map[string]slot.Property `json:"properties"`
		Required   []string                 `json:"required"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return nil, nil
	}
	props := make([]slot.Property, 0, len(s.Properties))
	for name, p := range s.Properties {
		p.Name = name
		if p.Kind == "" && len(p.Enum) > 0 {
			p.Kind = slot.KindEnum
		}
		p.Prepare()
		props = append(props, p)
	}
	at := func(p slot.Property) int { return strings.Index(string(schema), `"`+p.Name+`"`) }
	sort.Slice(props, func(i, j int) bool {
		a, b := at(props[i]), at(props[j])
		if a != b {
			return a < b
		}
		return props[i].Name < props[j].Name
	})
	return props, s.Required
}

// kind tells whether the tool has a parameter of the grammar, and whether it must be given.
func (t *tool) kind(kind string) (has, must bool) {
	for _, p := range t.props {
		if p.Kind == kind {
			has = true
			must = must || slices.Contains(t.required, p.Name)
		}
	}
	return has, must
}
