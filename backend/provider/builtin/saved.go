package builtin

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/language/words"
	"agentchat/backend/lazyregexp"
	"agentchat/backend/provider"
)

// What a file is made of is a reading of its own. 이거 PDF로 저장해줘 means what was answered last; 서울 날씨를 PDF로 저장해줘 names what the file is to
// hold, and where nobody has answered that yet, it is found out first.

// made is the property of a tool that says which result it works on; nil: it works on none.
func (t *tool) made() *slot.Property {
	if i := slices.IndexFunc(t.props, func(p slot.Property) bool { return p.Of == slot.OfResult }); i >= 0 {
		return &t.props[i]
	}
	return nil
}

// object is what the words of a wish say that it is to be made of, without those that ask for the wish itself; "" for what is at hand.
func (w *wish) object() string {
	paths := slot.ReadPaths(w.request)
	text := calledAs.ReplaceAllString(strings.TrimSpace(paths.Plain), " ")
	all := phrase.Words(text)
	own := make([]bool, len(all))
	for i, word := range all {
		stem, _ := phrase.Stem(word.Lower)
		own[i] = w.tool.carrier(word.Lower) || w.tool.carrier(stem) || slot.Points(word.Lower) || slot.Points(stem) || slices.ContainsFunc(w.tool.doing, func(verb string) bool {
			return strings.HasPrefix(word.Lower, verb) && phrase.Korean(verb) || word.Lower == verb
		})
		for _, p := range w.tool.props {
			own[i] = own[i] || p.Kind == slot.KindEnum && chooses(p, word.Lower)
		}
	}
	from, to := 0, len(all)
	loose := func(i int) bool {
		stem, _ := phrase.Stem(all[i].Lower)
		return own[i] || slot.FunctionWord(all[i].Lower) || loosely[all[i].Lower] || loosely[stem]
	}
	for from < to && loose(from) {
		from++
	}
	for to > from && loose(to-1) {
		to--
	}
	if from == to {
		return ""
	}
	for i := from; i < to; i++ { // what stands behind the first of the tool's own words is said of the file
		if own[i] && to-from > 1 && i > from {
			to = i
		}
	}
	said := strings.TrimSpace(text[all[from].Start:all[to-1].End])
	if len(words.Matter(said)) == 0 {
		return ""
	}
	return said
}

// chooses tells whether a word makes one of a choice, whatever it ends in: 답을, 표로.
func chooses(p slot.Property, word string) bool {
	for _, list := range p.Words {
		for _, w := range list {
			rest, begins := strings.CutPrefix(word, strings.ToLower(w))
			if begins && (rest == "" || phrase.Korean(w) && utf8.RuneCountInString(rest) <= 2) {
				return true
			}
		}
	}
	return false
}

// loosely are words that say how much of it, or where it goes, and nothing of what it is.
var loosely = wordlist.Of("전체 전부 모두 폴더 폴더에 whole entire full complete our folder")

// calledAs names the file: 여행이라는 이름으로, called trip.
var calledAs = lazyregexp.New(`(?i)\S+(?:라는|이라는|란|이란)\s(?:이름|제목)(?:으로|의)?|\b(?:called|named|titled)\s+\S+`)

// atHand tells whether the last talk was about an object: what it names was asked or answered there. What only made files is passed over.
func (c *catalog) atHand(object string, req provider.Request) bool {
	var said strings.Builder
	asked := 0
	for _, turn := range slices.Backward(req.Transcript) {
		if said.WriteString(" " + turn.Text); turn.Speaker != "customer" {
			continue
		}
		asked++
		if m := c.understand(turn.Text, req.Now); asked < mostSaves && len(m.wishes) == 1 && m.wishes[0].tool.made() != nil {
			said.Reset()
			continue
		}
		break
	}
	there := words.Matter(said.String())
	return !slices.ContainsFunc(words.Matter(object), func(w string) bool { return !slices.Contains(there, w) })
}

// mostSaves is how many turns that only made files of an answer are passed over to come to it.
const mostSaves = 4

// Saved gives what a message wants to have made a file of, where it names that, and with which tool; "" where it does not, or wants
// something else. Safe for concurrent use.
func (p *Provider) Saved(cards []provider.ToolCard, text string, now time.Time) (object, tool string) {
	w, object := p.catalogs.of(cards, p.Names).saved(text, now)
	if object == "" {
		return "", ""
	}
	return object, w.tool.card.Key
}

// saved is the one wish of a message that works on a result, and what that is to be; "" where it names nothing. A table from which that is to be
// taken is no name of the file.
func (c *catalog) saved(text string, now time.Time) (w wish, object string) {
	file, named := slot.TableFile(text)
	rest := phrase.Normalize(text)
	if from := fromTable(rest, file); named && from != nil {
		rest = strings.TrimSpace(rest[:from[0]] + " " + rest[from[1]:])
	} else if named {
		return w, ""
	}
	m := c.read(rest, now)
	if len(m.wishes) != 1 || m.wishes[0].tool.made() == nil {
		return w, ""
	}
	w = m.wishes[0]
	switch object = w.object(); {
	case object == "" || !named:
		return w, object
	case phrase.Korean(object):
		return w, file + "에서 " + object
	}
	return w, object + " in " + file
}

// fromTable is where a text takes something from a table; nil where it does not.
func fromTable(text, file string) []int {
	at := strings.Index(text, file)
	if file == "" || at < 0 {
		return nil
	}
	end := at + len(file)
	if m := fromKO.FindStringIndex(text[end:]); m != nil {
		return []int{at, end + m[1]}
	}
	if m := fromEN.FindStringIndex(text[:at]); m != nil {
		return []int{m[0], end}
	}
	return nil
}

var (
	fromKO = lazyregexp.New(`^["']?(?:에서|의)\s`)
	fromEN = lazyregexp.New(`(?i)\s(?:in|from|of)\s["']?$`)
)

// saves puts before a wish that works on a result what brings it, where the message names something that nobody has answered. ok is false
// where nothing is known that would.
func (c *catalog) saves(m *message, req provider.Request) (object string, ok bool) {
	if len(m.wishes) != 1 || m.wishes[0].tool.made() == nil {
		return "", true
	}
	w := m.wishes[0]
	if object = w.object(); object == "" || c.atHand(object, req) {
		return "", true
	}
	asks := object + " 알려줘"
	if !phrase.Korean(object) {
		asks = "show me " + object
	}
	first := c.understand(asks, req.Now)
	if len(first.wishes) != 1 || len(first.stops) > 0 {
		return object, false
	}
	brings := first.wishes[0]
	if t := brings.tool; t.card.Long || t.plays || t.made() != nil || len(t.missing(brings.args)) > 0 {
		return object, false
	}
	brings.request, w.rel = object, after
	m.wishes = []wish{brings, w}
	return object, true
}

// unsaved says that it is not known what to make a file of.
func (s speaker) unsaved(object string) string {
	return s.in("‘"+object+"’에 대한 답이 아직 없어서 파일로 만들 수 없어요. 먼저 물어보시면 그 답을 저장할게요. 마지막 답을 저장하려면 “이거 저장해줘”라고 말씀해 주세요.",
		"There is no answer about “"+object+"” yet that a file could be made of. Ask for it first, and I will save that. To save the last answer, say “save this”.")
}
