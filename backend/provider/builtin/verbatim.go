package builtin

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
	"agentchat/backend/provider"
)

// Some tools take words of the customer's as they are: a note, what to look for, what to copy. What such words say must not be
// read as a wish, so these tools are not recognised by their words but by the whole form of the request. The forms are those of
// the manual's examples, with the values left open: 메모해줘: □, 내 메모에서 □ 찾아줘, change my □ note to □.

// form is one example of a tool that takes words, as a pattern with the values open.
type form struct {
	tool  *tool
	re    *regexp.Regexp
	names []string       // the parameter of each group
	fixed map[string]any // what the example says besides
	colon bool           // the last value stands behind a colon and is everything there
	front bool           // the form begins with a value
	back  bool           // it ends with one
	hold  int            // how many requests of it are not open
	named bool           // they name the thing: 메모해줘, not only 적어줘
}

// The pieces forms are made of.
const (
	formLeadKO = `^(?:(?:혹시|저기|그럼|그리고|이제|좀|나|내|제|우리|저|그|이)\s+)*`
	formLeadEN = `(?i)^(?:(?:please|hey|ok|okay|now|just|kindly|and|then|also|can you|could you|would you|will you|can u|i want you to|i'd like you to|let's)\s+)*`
	endsKO     = `\s?(?:줘|줘요|주세요|주실래요|주시겠어요|줄래|줄래요|줄\s?수\s?있어|줄\s?수\s?있어요|줄\s?수\s?있을까|줘라|주라|주고|주시고|준\s?다음에?|봐|봐줘|봐\s줘|보고|놔|놔줘|놓고|둬|둬줘|두고|드려|라|요|부탁해|부탁해요|부탁드려요)?(?:\s?부탁\S*)?`
	endsEN     = `(?:\s+(?:please|for me|thanks|thank you|now))*`
	closing    = `\s*[.!?,]*\s*$`
	article    = `(?:(?:my|the|a|an|that|this)\s+)?`
)

// leading are the words before a Korean form that say nothing.
var leading = wordlist.Of("혹시 저기 그럼 그리고 이제 좀 나 내 제 우리 저 그 이")

// linkWords is what an address looks like, with or without its scheme.
const linkWords = `((?i:https?://[^\s"'<>]+|(?:[a-z0-9-]+\.)+[a-z]{2,12}(?:[/?#][^\s"'<>]*)?))`

var linked = lazyregexp.New(linkWords)

// requestEnd is how an example ends that asks; what is left is the stem of the verb.
var requestEnd = lazyregexp.New(`\s?(?:주세요|해줘|줘)$`)

// andForms are the stems of verbs before 고: 메모하고, 지우고.
var andForms = map[string]string{
	"해": "하고|하구|해서|한\\s?다음에?|하면서", "지워": "지우고", "적어": "적고", "찾아": "찾고", "고쳐": "고치고", "바꿔": "바꾸고", "넣어": "넣고", "버려": "버리고", "없애": "없애고", "열어": "열고", "붙여": "붙이고", "보여": "보이고",
}

var (
	particleOf = map[string]string{"에서": `(?:에서|에|중에서|중에)`, "에": `(?:에|에다|에다가)`, "을": `[을를]?`, "를": `[을를]?`, "은": `[은는]?`, "는": `[은는]?`, "라고": `(?:이라고|라고)`, "이라고": `(?:이라고|라고)`, "로": `(?:으로|로)`, "으로": `(?:으로|로)`, "도": `도?`}
	hollow     = wordlist.Of("내 제 나의 저 그 이 그거 그걸 이거 이걸 모든 전체 다 전부 모두 최근 새 좀 적어둔 적어 둔 저장된 저장해 있는 무슨 어떤 한 오늘 my all the a an some any new it that this these those everything every of me recent saved old")
	quotes     = "\"'“”‘’"
)

// shape makes the forms of all tools that take words, and of those that are talked about in the same words and take none:
// 메모 목록 보여줘 is not a search for 목록.
func (c *catalog) shape() {
	near := map[int]bool{}
	for _, t := range c.tools {
		if len(t.open()) > 0 {
			c.forms = append(c.forms, t.forms()...)
			for i, a := range t.affinity {
				if a >= 0.5 && !senses[i].hint() {
					near[i] = true
				}
			}
		}
	}
	for _, t := range c.tools {
		if len(t.props) > 0 {
			continue
		}
		for i, a := range t.affinity {
			if a >= 0.5 && near[i] {
				c.forms = append(c.forms, t.forms()...)
				break
			}
		}
	}
}

// verbatimKinds are the kinds of parameters that take words as they are.
var verbatimKinds = map[string]bool{slot.KindWords: true, slot.KindLink: true, slot.KindNamed: true}

// formOnly tells a tool that is meant only by a request that has the form of one of its examples: what it takes is named in
// all kinds of talk.
func (t *tool) formOnly() bool {
	return slices.ContainsFunc(t.props, func(p slot.Property) bool {
		return p.Kind == slot.KindLink || p.Kind == slot.KindNamed || p.Kind == slot.KindTable
	})
}

// open are the parameters that take words.
func (t *tool) open() map[string]bool {
	open := map[string]bool{}
	for _, p := range t.props {
		if verbatimKinds[p.Kind] {
			open[p.Name] = true
		}
	}
	return open
}

// outline is a form by itself, and the senses whose words it says.
type outline struct {
	form
	says []int
}

// outlines makes the patterns of a tool's examples.
func outlines(t *tool, open map[string]bool) (list []outline) {
	for _, e := range t.card.Examples {
		if f, ok := outlineOf(t, e, open); ok {
			list = append(list, f)
		}
	}
	return list
}

// forms are the tool's outlines as its catalogue has them.
func (t *tool) forms() []form {
	list := make([]form, len(t.outlines))
	for i, s := range t.outlines {
		list[i] = s.form
		list[i].tool = t
		list[i].named = slices.ContainsFunc(s.says, func(sense int) bool { return t.affinity[sense] >= 0.5 })
	}
	return list
}

// hole marks where a value stood.
const hole = '□'

func outlineOf(t *tool, e provider.Example, open map[string]bool) (outline, bool) {
	f := outline{form: form{tool: t, fixed: map[string]any{}}}
	text, ok := f.holes(e, open)
	if !ok || len(f.names) == 0 && len(open) > 0 {
		return f, false
	}
	text = strings.NewReplacer("'□'", "□", `"□"`, "□").Replace(strings.TrimRight(text, "?!. "))
	for lead := true; lead; {
		first, rest, _ := strings.Cut(text, " ")
		if lead = leading[first] && rest != ""; lead {
			text = rest
		}
	}
	head, tail, colon := strings.Cut(text, ": "+string(hole))
	if f.colon = colon && tail == ""; f.colon {
		text = head
	}
	f.front, f.back = strings.HasPrefix(text, string(hole)), !f.colon && strings.HasSuffix(text, string(hole))
	for _, r := range text {
		if unicode.IsLetter(r) && r != hole {
			f.hold++
		}
	}
	said := newView(strings.ReplaceAll(text, string(hole), " "))
	for i := range senses {
		if said.strength(&senses[i]) >= 0.9 {
			f.says = append(f.says, i)
		}
	}
	re, err := regexp.Compile(f.pattern(text))
	f.re = re
	return f, err == nil
}

// holes marks where the open values of an example stand in its text, and keeps the others as fixed; false when one is not found.
func (f *form) holes(e provider.Example, open map[string]bool) (text string, ok bool) {
	text = phrase.Normalize(e.Text)
	places := map[string]int{}
	names := slices.SortedFunc(maps.Keys(e.Args), func(a, b string) int { // a longer value may hold a shorter one
		return len(fmt.Sprint(e.Args[b])) - len(fmt.Sprint(e.Args[a]))
	})
	for _, name := range names {
		s, isText := e.Args[name].(string)
		if !isText || !open[name] {
			f.fixed[name] = e.Args[name]
			continue
		}
		at := strings.LastIndex(text, s)
		if at < 0 {
			return "", false
		}
		text = text[:at] + string(hole) + strings.Repeat("\x00", len(s)-utf8.RuneLen(hole)) + text[at+len(s):]
		places[name] = at
		f.names = append(f.names, name)
	}
	slices.SortFunc(f.names, func(a, b string) int { return places[a] - places[b] })
	return strings.ReplaceAll(text, "\x00", ""), true
}

// pattern is the expression that a form's text becomes.
func (f *form) pattern(text string) string {
	body, lead := english(text), formLeadEN
	if phrase.Korean(strings.ReplaceAll(text, string(hole), "")) {
		body, lead = korean(text), formLeadKO
	}
	if f.colon {
		body += `\s*[:：]\s*((?s).+)$`
	} else {
		body += closing
	}
	if slices.ContainsFunc(f.tool.props, func(p slot.Property) bool { return p.Kind == slot.KindLink }) {
		body = strings.NewReplacer("(.+?)", linkWords, "((?s).+)", linkWords).Replace(body)
	}
	return lead + body
}

// korean writes the words of a form: particles and spaces may differ, and so may how politely it asks.
func korean(text string) string {
	stem := requestEnd.ReplaceAllString(text, "")
	asks := stem != text
	if asks && strings.HasSuffix(text, "해줘") {
		stem += "해"
	}
	ws := strings.Fields(stem)
	var b strings.Builder
	for i, w := range ws {
		last := i == len(ws)-1
		if i > 0 {
			b.WriteString(`\s*(?:좀\s+|다시\s+)?`)
		}
		if rest, ok := strings.CutPrefix(w, string(hole)); ok {
			b.WriteString(`["']?(.+?)["']?`)
			if p := particleOf[rest]; p != "" {
				b.WriteString(`\s?` + p)
			} else if rest == "" && !last {
				b.WriteString(`(?:을|를)?`)
			} else {
				b.WriteString(regexp.QuoteMeta(rest))
			}
			continue
		}
		if last && asks {
			b.WriteString(verb(w))
			break
		}
		noun, p := phrase.Stem(w)
		b.WriteString(regexp.QuoteMeta(noun))
		switch {
		case particleOf[p] != "":
			b.WriteString(particleOf[p])
		case p != "":
			b.WriteString(regexp.QuoteMeta(p))
		case !last:
			b.WriteString(`(?:들)?[을를은는도만]?`)
		}
	}
	if asks {
		b.WriteString(endsKO)
	}
	return b.String()
}

// verb is the last word of a Korean form in the ways it may go on.
func verb(w string) string {
	for stem, ands := range andForms {
		if rest, ok := strings.CutSuffix(w, stem); ok {
			if rest != "" {
				rest = regexp.QuoteMeta(rest) + `[을를]?\s?`
			}
			return rest + "(?:" + regexp.QuoteMeta(stem) + "|" + ands + ")"
		}
	}
	return regexp.QuoteMeta(w)
}

// english writes the words of a form: articles may differ.
func english(text string) string {
	var b strings.Builder
	first := true
	for w := range strings.FieldsSeq(text) {
		if wordIs(w, "my", "the", "a", "an") {
			continue
		}
		if !first {
			b.WriteString(`\s+`)
		}
		first = false
		if w == string(hole) {
			b.WriteString(article + `["']?(.+?)["']?`)
			continue
		}
		b.WriteString(article + regexp.QuoteMeta(w))
	}
	return b.String() + endsEN
}

func wordIs(w string, list ...string) bool { return slices.Contains(list, strings.ToLower(w)) }

// take matches a text against a form and gives the arguments.
func (f *form) take(text string) (map[string]any, bool) {
	m := f.re.FindStringSubmatch(text)
	if m == nil {
		return nil, false
	}
	args := map[string]any{}
	maps.Copy(args, f.fixed)
	for i, name := range f.names {
		v := strings.TrimSpace(m[i+1])
		if bare := strings.Trim(v, quotes); bare != "" && (len(v)-len(bare) >= 2 || !strings.ContainsAny(bare, quotes)) {
			v = strings.TrimSpace(bare)
		}
		if v == "" || empty(v) {
			return nil, false
		}
		args[name] = v
	}
	return args, true
}

// empty tells words that name nothing: all, my, 내.
func empty(v string) bool {
	return !slices.ContainsFunc(phrase.Words(v), func(w phrase.Word) bool { return !hollow[w.Lower] })
}

// form finds the form that a text has: the one that leaves least open.
func (c *catalog) form(text string, colon bool) (found, *form, bool) {
	var best *form
	var args map[string]any
	for i := range c.forms {
		f := &c.forms[i]
		if f.colon != colon || best != nil && f.hold <= best.hold {
			continue
		}
		if got, ok := f.take(text); ok {
			best, args = f, got
		}
	}
	if best == nil {
		return found{}, nil, false
	}
	return found{tool: best.tool, score: 2, noun: true, args: args, exact: true}, best, true
}

// colonAt finds the first colon that something is dictated behind; a time of day or an address has none.
var colonAt = lazyregexp.New(`[:：]\s+|：|[가-힣A-Za-z]:(?:[^/\s])`)

// goesOn matches where dictated words end, because the next sentence says what else to do.
var goesOn = lazyregexp.New(`(?i)[.!?\n]\s*(?:그리고|그\s?다음에?|그런\s?다음에?|이어서|and then|then|and also|also|and)\s+`)

// dictated is a message whose end is taken as it is: what stands before the last clause, the call, and what is to be read
// after it.
type dictated struct {
	before, after string
	wish          wish
}

// dictation finds what is dictated behind a colon.
func (c *catalog) dictation(raw string) (d dictated, ok bool) {
	at := colonAt.FindStringIndex(raw)
	if at == nil || len(c.forms) == 0 || at[0] > 200 {
		return d, false
	}
	i := at[0] + strings.IndexAny(raw[at[0]:at[1]], ":：")
	start := 0
	if cs := split(raw[:i]); len(cs) > 0 {
		start = cs[len(cs)-1].start
	}
	words := raw[i:]
	if end := goesOn.FindStringIndex(words); end != nil {
		words, d.after = words[:end[0]], words[end[1]:]
	}
	clause := phrase.Respace(phrase.Normalize(raw[start:i]))
	f, _, ok := c.form(clause+words, true)
	if !ok {
		f, ok = c.dictates(clause, words)
	}
	d.before = raw[:start]
	d.wish = wish{tool: f.tool, args: f.args, request: strings.TrimSpace(raw[start:i] + words), count: 1}
	return d, ok
}

// unmarked finds what is dictated to a tool without a colon: 메모해줘 우유 사기.
func (c *catalog) unmarked(raw string, t *tool) (f found, ok bool) {
	for _, w := range phrase.Words(raw) {
		rest := strings.TrimSpace(raw[w.End:])
		if slot.NamesNothing(rest) {
			return f, false
		}
		clause := phrase.Respace(phrase.Normalize(raw[:w.End]))
		if f, as, fits := c.form(clause+": "+rest, true); fits && as.named && f.tool == t {
			return f, true
		}
	}
	return f, false
}

// dictates reads words behind a colon for a tool that is asked for before it in other words than the manual's, and that takes
// nothing but words: 메모 하나 남겨줘: □.
func (c *catalog) dictates(clause, dictated string) (found, bool) {
	v := newView(clause)
	f, hit := c.match(v, time.Time{})
	if act := v.act(); !hit || !f.noun || act != actRequest && act != actFragment || len(f.tool.required) != 1 {
		return found{}, false
	}
	for _, p := range f.tool.props {
		value := strings.TrimSpace(strings.TrimLeft(dictated, ":："))
		if p.Name == f.tool.required[0] && p.Kind == slot.KindWords && value != "" {
			f.args, f.exact = map[string]any{p.Name: value}, true
			return f, true
		}
	}
	return found{}, false
}

// asWritten finds a value in the customer's own spelling: the reader changes spaces and quotes.
func asWritten(value, raw string) string {
	if strings.Contains(raw, value) {
		return value
	}
	bare := func(s string) (out []rune, at []int) {
		for i, r := range s {
			if !unicode.IsSpace(r) {
				out, at = append(out, unicode.ToLower(r)), append(at, i)
			}
		}
		return out, append(at, len(s))
	}
	want, _ := bare(value)
	have, at := bare(raw)
	for i := 0; len(want) > 0 && i+len(want) <= len(have); i++ {
		if slices.Equal(have[i:i+len(want)], want) {
			return strings.TrimSpace(raw[at[i]:at[i+len(want)]])
		}
	}
	return value
}

// verbatim puts the forms' values into the customer's own spelling.
func (m *message) verbatim(raw string) {
	for i := range m.wishes {
		w := &m.wishes[i]
		for _, p := range w.tool.props {
			if s, ok := w.args[p.Name].(string); ok && verbatimKinds[p.Kind] {
				w.args[p.Name] = asWritten(s, raw)
			}
		}
	}
}

// stretch lets an open end of a form reach over clauses that hold no wish of their own: 은행 가고 우유 사기 메모해줘.
func (m *message) stretch(c *catalog) {
	for i := 0; i < len(m.parts); i++ {
		p := &m.parts[i]
		if p.form == nil {
			continue
		}
		from, to := i, i+1
		for p.form.front && from > 0 && !m.parts[from].sentence && !m.parts[from-1].hit && m.parts[from-1].act != actNegative {
			from--
		}
		for p.form.back && to < len(m.parts) && !m.parts[to].sentence && !m.parts[to].hit {
			to++
		}
		if from == i && to == i+1 {
			continue
		}
		q := *p
		q.v, q.start, q.end, q.sentence = newView(m.text[m.parts[from].start:m.parts[to-1].end]), m.parts[from].start, m.parts[to-1].end, m.parts[from].sentence
		if f, same, ok := c.form(q.v.text, false); ok && same.tool == p.form.tool {
			q.found, q.form = f, same
			m.parts = append(append(m.parts[:from:from], q), m.parts[to:]...)
			i = from
		}
	}
}
