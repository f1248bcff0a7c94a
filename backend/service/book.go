package service

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// General is the intent of a message that is for no service.
const General = "GENERAL"

// Book holds the services of the shop. It is read once; safe for concurrent use.
type Book struct {
	list     []*Manifest
	source   map[string]Source
	problems []*Problem
	made     func() []provider.ServiceCard // the cards of list
}

// Info is a service as fronts list it. One whose manifest was refused has only its file as ID, and Error.
type Info struct {
	ID       string     `json:"id"`
	Title    string     `json:"title"`
	Intent   string     `json:"intent"`
	Slots    []SlotInfo `json:"slots"`
	Examples []string   `json:"examples"`
	Source   Source     `json:"source"`
	Error    string     `json:"error,omitempty"`
	File     string     `json:"file,omitempty"`
	Line     int        `json:"line,omitempty"`
}

// NewBook reads the services of the shop and those in the person's folder ("" for none), which must name tools that
// known knows. A bad manifest is left out and listed with what to fix; the shop opens all the same.
func NewBook(dir string, known func(tool string) bool) (*Book, error) {
	b := &Book{source: map[string]Source{}}
	b.made = sync.OnceValue(b.makeCards)
	own, err := carried()
	if err != nil {
		return nil, err
	}
	for _, r := range own {
		b.take(r, SourceBuiltin, known)
	}
	if dir == "" {
		return b, nil
	}
	names, texts, err := readAll(userFolder(dir), ".")
	if err != nil {
		b.problems = append(b.problems, &Problem{File: dir, What: bilingual.Text{
			KO: "서비스 폴더를 읽을 수 없어요: " + err.Error(), EN: "the folder of services cannot be read: " + err.Error(),
		}})
	}
	for i, name := range names {
		m, p := parse(name, texts[i])
		b.take(readManifest{name, m, p}, SourceUser, known)
	}
	return b, nil
}

// carried are the services that the program carries, read once in a process.
var carried = sync.OnceValues(func() (list []readManifest, err error) {
	names, texts, err := readAll(builtin, "services")
	for i, name := range names {
		m, p := parse(name, texts[i])
		list = append(list, readManifest{name, m, p})
	}
	return list, err
})

// readManifest is what became of a file: a manifest or a problem.
type readManifest struct {
	file     string
	manifest *Manifest
	problem  *Problem
}

// take adds a manifest, or what is wrong with it. The book completes a manifest of its own; what was read is shared.
func (b *Book) take(read readManifest, source Source, known func(string) bool) {
	p := read.problem
	if p == nil {
		m := *read.manifest
		p = b.add(read.file, &m, source, known)
	}
	if p != nil {
		b.problems = append(b.problems, p)
	}
}

func (b *Book) add(file string, m *Manifest, source Source, known func(string) bool) *Problem {
	wrong := func(ko, en string, args ...any) *Problem {
		return &Problem{File: file, What: bilingual.Text{KO: fmt.Sprintf(ko, args...), EN: fmt.Sprintf(en, args...)}}
	}
	for _, have := range b.list {
		if have.ID == m.ID {
			return wrong("id %q는 이미 다른 서비스가 쓰고 있어요.", "the id %q is taken by another service", m.ID)
		}
		if have.Intent == m.Intent {
			return wrong("intent %q는 이미 다른 서비스가 쓰고 있어요.", "the intent %q is taken by another service", m.Intent)
		}
	}
	tools := []string{m.Tool}
	for _, q := range m.Queries {
		if q.Tool != "" {
			tools = append(tools, q.Tool)
		}
	}
	for _, tool := range tools {
		if known != nil && !known(tool) {
			return wrong("공구 %q가 없어요.", "there is no tool %q", tool)
		}
	}
	b.list = append(b.list, m)
	b.source[m.ID] = source
	return nil
}

// Examine sets a check by the tools: while values are filled in, examine says by argument, in lang, which of them the tool would refuse. Call
// it before the book is used.
func (b *Book) Examine(examine func(tool string, args json.RawMessage, lang bilingual.Lang) map[string]string) {
	for _, m := range b.list {
		m.examine = examine
	}
}

// Names sets the look-up of record names: named gives what the records of a service are called that a name may mean, each name once, where key is the value that
// names its records. named must be quick and only read. Call it before the book is used.
func (b *Book) Names(named func(service, key, name string) []string) {
	for _, m := range b.list {
		m.named = named
	}
}

// Foretell has the tools say what there will be after a task that can be confirmed. It is called before the book is used.
func (b *Book) Foretell(foretell func(tool string, args json.RawMessage, lang bilingual.Lang) string) {
	for _, m := range b.list {
		m.foretell = foretell
	}
}

// Get gives a service by id.
func (b *Book) Get(id string) (*Manifest, bool) {
	for _, m := range b.list {
		if m.ID == id {
			return m, true
		}
	}
	return nil, false
}

// Lists gives the query of a service that shows its records.
func (b *Book) Lists(id string) (*Query, bool) {
	m, ok := b.Get(id)
	if !ok {
		return nil, false
	}
	at := slices.IndexFunc(m.Queries, func(q Query) bool { of, shows := q.Shows(); return shows && of == id })
	if at < 0 {
		return nil, false
	}
	return &m.Queries[at], true
}

// Query gives a query of a service.
func (b *Book) Query(id, query string) (*Query, bool) {
	m, ok := b.Get(id)
	if !ok {
		return nil, false
	}
	at := slices.IndexFunc(m.Queries, func(q Query) bool { return q.ID == query })
	if at < 0 {
		return nil, false
	}
	return &m.Queries[at], true
}

// ByIntent gives a service by its intent key.
func (b *Book) ByIntent(intent string) (*Manifest, bool) {
	for _, m := range b.list {
		if m.Intent == intent {
			return m, true
		}
	}
	return nil, false
}

// Problems are the manifests that were refused.
func (b *Book) Problems() []*Problem { return slices.Clone(b.problems) }

// List gives every service, and every manifest that was refused, for people.
func (b *Book) List(lang bilingual.Lang) []Info {
	list := make([]Info, 0, len(b.list)+len(b.problems))
	for _, m := range b.list {
		info := Info{ID: m.ID, Title: m.Title.In(lang), Intent: m.Intent, Examples: m.Examples.In(lang), Source: b.source[m.ID], Slots: []SlotInfo{}}
		for _, s := range m.Slots {
			info.Slots = append(info.Slots, SlotInfo{Name: s.Name, Title: s.Title.In(lang), Type: s.Type, Required: s.Required})
		}
		list = append(list, info)
	}
	for _, p := range b.problems {
		list = append(list, Info{
			ID: p.File, Title: p.File, Source: SourceUser, File: p.File, Line: p.Line, Error: p.Text(lang), Slots: []SlotInfo{}, Examples: []string{},
		})
	}
	return list
}

// SlotInfo is a slot as fronts list it.
type SlotInfo struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Type     SlotType `json:"type"`
	Required bool     `json:"required"`
}

// Cards are the services as requests show them. They do not differ by language, so that the block that every request
// begins with stays the same. They are made once; nobody may change them.
func (b *Book) Cards() []provider.ServiceCard { return b.made() }

func (b *Book) makeCards() []provider.ServiceCard {
	cards := make([]provider.ServiceCard, len(b.list))
	for i, m := range b.list {
		cards[i] = m.card()
	}
	slices.SortFunc(cards, func(a, b provider.ServiceCard) int { return strings.Compare(a.ID, b.ID) })
	return cards
}

func (m *Manifest) card() provider.ServiceCard {
	c := provider.ServiceCard{
		ID: m.ID, Intent: m.Intent, Title: m.Title.EN, Description: m.Description.EN + " " + m.Cards.Intent, Guide: m.Cards.Slot,
		Examples: m.Examples.All(), Match: m.Match.All(), Batch: m.batchMax(),
	}
	for i := range m.Slots {
		c.Slots = append(c.Slots, m.Slots[i].card())
	}
	return c
}
