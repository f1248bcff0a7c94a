package builtin

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/hangul"
	"agentchat/backend/language/slot"
)

// input is what a grammar reads for a parameter: with the names there are, where somebody keeps such things.
func (t *tool) input(p slot.Property, text string, now time.Time) slot.Input {
	in := slot.Input{Text: text, Now: now, Carrier: t.carrier}
	if _, kept := t.there[p.Names]; kept {
		in.Known = func(name string) bool { return t.there.Knows(p.Names, name) }
	}
	return in
}

// knows tells whether a value names something there is, or is no name.
func (t *tool) knows(p slot.Property, value any) bool {
	name, text := value.(string)
	return !text || t.there.Knows(p.Names, name)
}

// kindIn tells whether the view says what kind of thing is wanted of the tool, in a word for it.
func (t *tool) kindIn(v *view) bool {
	for i, a := range t.affinity {
		if a < 0.5 || senses[i].hint() {
			continue
		}
		for _, term := range senses[i].terms {
			if term.weight >= 0.8 && v.has(term) {
				return true
			}
		}
	}
	return v.marked(t.marks) > 0
}

// nameless tells a clause whose words of asking fit many things, and whose object is nothing the tool has: 세탁기 돌려줘 and 엄마 불러줘
// are no songs.
func (p *part) nameless() bool {
	return p.hit && !p.found.exact && p.found.tool.nameless(p.v, p.found.args)
}

// nameless tells whether a view with these arguments read in it names nothing that the tool has, nor the kind of it.
func (t *tool) nameless(v *view, args map[string]any) bool {
	if t.choice() != nil || t.kindIn(v) {
		return false
	}
	strange := false
	for _, p := range t.props {
		if t.there[p.Names] == nil {
			continue
		}
		value, said := args[p.Name]
		if said && t.knows(p, value) {
			return false
		}
		strange = strange || said || v.korean && p.Kind == slot.KindTitle && slot.Object(slot.Input{Text: v.text, Carrier: t.carrier})
	}
	return strange
}

// leave takes names out of a wish that nobody knows and that it can do without. What it cannot do without, what was quoted, and the
// only thing that says what is wanted stay, and are asked about.
func (w *wish) leave(p *part) {
	if w.tool.nameless(p.v, w.args) {
		return
	}
	quoted, _ := slot.Quoted(w.request)
	for _, prop := range w.tool.props {
		v, said := w.args[prop.Name]
		if !said || w.tool.knows(prop, v) || v == quoted || slices.Contains(w.tool.required, prop.Name) || slot.IsOrigin(prop.Name) {
			continue // from elsewhere the way is another
		}
		delete(w.args, prop.Name)
		w.left = append(w.left, stranger{fmt.Sprint(v), prop.Called})
	}
}

// stranger is a name that nobody knows, and what it would have been the name of.
type stranger struct {
	name   string
	called bilingual.Text
}

// without says which names were left out; "" for none.
func (s speaker) without(ws []wish) string {
	var said []string
	for _, w := range ws {
		for _, x := range w.left {
			said = append(said, s.in(
				fmt.Sprintf(" ‘%s 제가 아는 %s 아니어서 빼고 할게요.", hangul.With(x.name+"’", "은", "는"), hangul.With(x.called.KO, "이", "가")),
				fmt.Sprintf(" I know no %s called “%s”, so I leave that out.", x.called.EN, x.name)))
		}
	}
	return strings.Join(slices.Compact(said), "")
}

// strange says of a message that orders something of which nobody has a name what that name was, and which come nearest; "" where
// there is none.
func (m *message) strange(s speaker) string {
	for i := range m.parts {
		p := &m.parts[i]
		if p.narrated() || !p.nameless() || !p.grammatical() {
			continue
		}
		for _, prop := range p.found.tool.props {
			name, _ := p.found.args[prop.Name].(string)
			if name == "" || p.found.tool.knows(prop, name) {
				continue
			}
			said := s.in(fmt.Sprintf("‘%s 제가 아는 %s 아니어서 아무것도 시작하지 않았어요.", hangul.With(name+"’", "은", "는"), hangul.With(prop.Called.KO, "이", "가")),
				fmt.Sprintf("I know no %s called “%s”, so I started nothing.", prop.Called.EN, name))
			if near := p.found.tool.there[prop.Names].Near(name, s.lang); len(near) > 0 {
				said += s.in(" 비슷한 이름: ", " Nearest: ") + strings.Join(near, ", ")
			}
			return said
		}
	}
	return ""
}

// whichDay says that nobody knows the day to which a message counts (시험까지 며칠 남았어?); "" where it counts to none, or to one that is known.
func (m *message) whichDay(s speaker) string {
	what, counts := slot.Until(m.text)
	if !counts || len(m.wishes) != 1 {
		return ""
	}
	day := func(p slot.Property) bool { return p.Kind == slot.KindDate }
	w := m.wishes[0]
	if at := slices.IndexFunc(w.tool.props, day); at < 0 || w.args[w.tool.props[at].Name] != nil {
		return ""
	}
	return s.in(fmt.Sprintf("‘%s 언제인지 몰라요. 날짜로 물어봐 주세요. 예: 12월 25일까지 며칠 남았어?", hangul.With(what+"’", "은", "는")), fmt.Sprintf("I do not know when “%s” is. Ask with the date, for example: how many days until December 25?", what))
}

// once says of what shall be done again and again that it is done this one time; "" where nothing of that was said, or nothing started
// is done at a moment.
func (s speaker) once(m *message) string {
	again, ok := slot.Repetition(m.text)
	if !ok || !slices.ContainsFunc(m.wishes, func(w wish) bool { _, timed := w.tool.kind(slot.KindDuration); return timed || w.delay != nil }) {
		return ""
	}
	return s.in(fmt.Sprintf(" ‘%s 아직 정할 수 없어서 이번 한 번만 할게요.", hangul.With(again+"’", "은", "는")), fmt.Sprintf(" I cannot repeat it yet (“%s”), so this is for one time.", again))
}
