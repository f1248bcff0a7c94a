package builtin

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/names"
	"agentchat/backend/provider"
)

// Stretch is an argument of a tool that a message means. Where the message says it, it stands at Start to End, in bytes of the message; End is
// 0 where it does not.
type Stretch struct {
	Tool, Arg  string
	Called     bilingual.Text
	Start, End int
}

// Stretches are the arguments of the tools that a message means, said in it or not. Safe for concurrent use.
func (p *Provider) Stretches(cards []provider.ToolCard, text string, now time.Time) (list []Stretch) {
	c := p.catalogs.of(cards, p.Names)
	wishes := c.read(text, now).wishes
	if w, ok := c.verbatim(text, now); ok {
		wishes = []wish{w}
	}
	for _, w := range wishes {
		from := max(strings.Index(text, w.request), 0)
		for _, prop := range w.tool.props {
			s := Stretch{Tool: w.tool.card.Key, Arg: prop.Name, Called: prop.Called}
			if prop.Kind == slot.KindDuration {
				s.Called = lengthOfTime // whatever unit it is counted in
			}
			if v, said := w.args[prop.Name]; said {
				if start, end, ok := w.tool.stretch(prop, text[from:], v, now); ok {
					s.Start, s.End = from+start, from+end
				}
			}
			list = append(list, s)
		}
	}
	return list
}

// lengthOfTime is what people call an argument that is one.
var lengthOfTime = bilingual.Of("시간", "time")

// stretch finds the shortest words of a text that say a value: the value itself, or what the parameter's grammar reads as it.
func (t *tool) stretch(p slot.Property, text string, value any, now time.Time) (start, end int, ok bool) {
	if s, is := value.(string); is && s != "" {
		if i := strings.Index(text, s); i >= 0 {
			return i, i + len(s), true
		}
	}
	if slices.Contains(freely, p.Kind) {
		return 0, 0, false // what says it is written otherwise
	}
	words := phrase.Words(text)
	at := make([][2]int, 0, len(words)) // where the words stand in the text
	for i := 0; len(at) < len(words); {
		word := words[len(at)].Text
		k := strings.Index(text[i:], word)
		if k < 0 {
			return 0, 0, false // spelled otherwise there
		}
		at = append(at, [2]int{i + k, i + k + len(word)})
		i += k + len(word)
	}
	for i := range at {
		for j := i; j < min(len(at), i+mostWords); j++ {
			stem, _ := phrase.Stem(words[j].Text)
			for _, to := range []int{at[j][0] + len(stem), at[j][1]} {
				if to > at[j][1] || to == at[j][0] || ok && to-at[i][0] >= end-start {
					continue
				}
				read, reads := slot.Fill(p, t.input(p, text[at[i][0]:to], now))
				if reads && fmt.Sprint(read) == fmt.Sprint(value) {
					start, end, ok = at[i][0], to, true
				}
			}
		}
	}
	return start, end, ok
}

// mostWords is how many words say one value at most.
const mostWords = 8

// freely are the kinds of values that may be any words: what the grammar does not find is taken as it is.
var freely = []string{slot.KindText, slot.KindSaid, slot.KindQuery, slot.KindWords, slot.KindNamed, slot.KindLink, slot.KindTitle}

// Take reads words as the value of a tool's argument, as an answer to what asks for it is read, and gives the words that say it; or the
// sentence that asks again. A tool or an argument that is not there takes any words. Safe for concurrent use.
func (p *Provider) Take(cards []provider.ToolCard, key, arg, text string, now time.Time, lang bilingual.Lang) (words, again string) {
	text = strings.TrimSpace(text)
	t, prop, ok := p.argument(cards, key, arg)
	if !ok {
		return text, ""
	}
	value, read := slot.Fill(prop, t.input(prop, phrase.Normalize(text), now))
	read = read && fits(prop, value)
	switch {
	case !read && t.there[prop.Names] != nil && t.there.Knows(prop.Names, text):
		return text, ""
	case !read && slices.Contains(freely, prop.Kind):
		value = text
	case !read:
		return "", speaker{lang: lang}.ask(t, arg)
	}
	if name, is := value.(string); is && !t.there.Knows(prop.Names, name) {
		return "", names.Unknown{Param: arg, Value: shorten(name, 80), Called: prop.Called, Near: t.there[prop.Names].Near(name, lang)}.Question(lang)
	}
	if start, end, found := t.stretch(prop, text, value, now); found {
		return text[start:end], ""
	}
	return text, ""
}

// Ask is the sentence that asks for a tool's argument; "" for one that is not there.
func (p *Provider) Ask(cards []provider.ToolCard, key, arg string, lang bilingual.Lang) string {
	t, _, ok := p.argument(cards, key, arg)
	if !ok {
		return ""
	}
	return speaker{lang: lang}.ask(t, arg)
}

func (p *Provider) argument(cards []provider.ToolCard, key, arg string) (t *tool, prop slot.Property, ok bool) {
	if t = p.catalogs.of(cards, p.Names).byKey[key]; t == nil {
		return nil, prop, false
	}
	i := slices.IndexFunc(t.props, func(p slot.Property) bool { return p.Name == arg })
	if i < 0 {
		return t, prop, false
	}
	return t, t.props[i], true
}
