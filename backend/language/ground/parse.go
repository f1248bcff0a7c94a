package ground

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/language/slot"
	"agentchat/backend/lazyregexp"
)

// item is a finding while the words are being parsed. Its place is in the reading; only Find gives it in bytes of the words.
type item struct {
	Finding
	from, to int
	clause   int
	bare     bool // a number without a unit
	weak     bool // a name that only its place makes one
	each     bool // an amount for everybody: 만원씩
	total    bool // an amount for all together: 총 3만원
	weekly   bool // a day of the week, of no week that is said
}

// parsed are the words of a request and everything found in them.
type parsed struct {
	slots    Slots
	request  Request
	reading  slot.Reading
	s        string // the reading's text
	mark     []Kind // what each byte was found to be
	tokens   []token
	items    []item
	findings []Finding
}

// parse finds the values of every slot. What one grammar took is hidden from those after it: free words first, because
// nothing may be read out of them.
func parse(slots Slots, r Request) *parsed {
	if len(r.Words) > MaxWords {
		return &parsed{slots: slots, request: r}
	}
	p := &parsed{slots: slots, request: r, reading: slot.Read(r.Words)}
	p.s = p.reading.Text
	p.mark = make([]Kind, len(p.s))
	p.texts()
	p.aheads()
	p.amounts()
	early := len(slots.of(Date)) == 0
	if early { // a day that no slot takes may be a word of an enumeration: 오늘 얼마 썼어?
		p.enums()
	}
	p.days()
	p.clocks()
	p.dayParts()
	if !early {
		p.enums()
	}
	p.rest()
	p.tokens = tokenize(p.s, p.mark)
	p.numbers()
	p.names()
	sort.SliceStable(p.items, func(i, j int) bool { return p.items[i].from < p.items[j].from })
	p.clauses()
	p.weed()
	p.corrections()
	for _, it := range p.items {
		f := it.Finding
		f.Start, f.End = p.reading.Span(it.from, it.to)
		p.findings = append(p.findings, f)
	}
	return p
}

// of gives the slots of a kind.
func (s Slots) of(k Kind) []Slot {
	var out []Slot
	for _, sl := range s {
		if sl.Kind == k {
			out = append(out, sl)
		}
	}
	return out
}

// add keeps a finding for every slot of its kind and hides its words from later grammars.
func (p *parsed) add(it item) {
	for i := it.from; i < it.to; i++ {
		p.mark[i] = it.Kind
	}
	if it.Slot != "" {
		p.items = append(p.items, it)
		return
	}
	for _, sl := range p.slots.of(it.Kind) {
		it.Slot = sl.Name
		p.items = append(p.items, it)
	}
}

// original is a part of the words as they were written, in one line.
func (p *parsed) original(from, to int) string {
	start, end := p.reading.Span(from, to)
	return strings.Join(strings.Fields(norm.NFC.String(strings.ToValidUTF8(p.request.Words[start:end], ""))), " ")
}

// open is the text with what was found blotted out, byte for byte.
func (p *parsed) open() string {
	b := []byte(p.s)
	for i, k := range p.mark {
		if k != "" {
			b[i] = ';'
		}
	}
	return string(b)
}

func (p *parsed) amounts() {
	for _, a := range slot.Amounts(p.open()) {
		it := item{Finding: Finding{Kind: Money}, from: a.Start, to: a.End, bare: a.Bare}
		if a.Currency == "KRW" {
			it.Value = a.Value
		} else {
			it.Problem = Foreign
		}
		p.add(it)
	}
}

// aheads finds how long before something words name. No day and no time of day is read out of them.
func (p *parsed) aheads() {
	if len(p.slots.of(Ahead)) == 0 {
		return
	}
	for _, a := range slot.Aheads(p.open()) {
		p.add(item{Finding: Finding{Kind: Ahead, Value: a.Minutes}, from: a.Start, to: a.End})
	}
}

func (p *parsed) days() {
	for _, d := range slot.Days(p.open(), p.request.Now) {
		it := item{Finding: Finding{Kind: Date}, from: d.Start, to: d.End, weekly: d.Weekly}
		if d.Impossible {
			it.Problem = Impossible
		} else {
			it.Value = d.Date
		}
		p.add(it)
	}
	for _, m := range thatDay.FindAllStringSubmatchIndex(p.open(), -1) {
		p.add(item{Finding: Finding{Kind: Date, Problem: Unsaid}, from: m[2], to: m[3]})
	}
}

// thatDay is a day that was spoken of before.
var thatDay = lazyregexp.New(`(?:^|[\s,])((?:that|the) same day|that day|그\s?날)(?:$|에|은|도|[\s,.!])`)

// enums finds the words of an enumeration's values, the longest first.
func (p *parsed) enums() {
	for _, sl := range p.slots.of(Enum) {
		type form struct{ word, value string }
		var forms []form
		for value, words := range sl.Values {
			for _, w := range append([]string{value}, words...) {
				if w = slot.Read(w).Text; w != "" {
					forms = append(forms, form{w, value})
				}
			}
		}
		sort.Slice(forms, func(i, j int) bool {
			if len(forms[i].word) != len(forms[j].word) {
				return len(forms[i].word) > len(forms[j].word)
			}
			return forms[i].word+forms[i].value < forms[j].word+forms[j].value
		})
		for _, f := range forms {
			for at := 0; ; {
				i := strings.Index(p.s[at:], f.word)
				if i < 0 {
					break
				}
				i += at
				at = i + len(f.word)
				if slices.ContainsFunc(p.mark[i:at], func(k Kind) bool { return k != "" }) || latinInside(p.s, i, at) {
					continue
				}
				p.add(item{Finding: Finding{Slot: sl.Name, Kind: Enum, Value: f.value}, from: i, to: at})
			}
		}
	}
}

// latinInside tells a word of Latin letters that only begins or ends inside another.
func latinInside(s string, i, j int) bool {
	first, _ := utf8.DecodeRuneInString(s[i:])
	last, _ := utf8.DecodeLastRuneInString(s[:j])
	prev, _ := utf8.DecodeLastRuneInString(s[:i])
	next, _ := utf8.DecodeRuneInString(s[j:])
	return latin(first) && latin(prev) || latin(last) && latin(next) || hangul(first) && hangul(prev)
}

func latin(r rune) bool { return r >= 'a' && r <= 'z' || r >= 0xC0 && r < 0x250 }

func (p *parsed) numbers() {
	if len(p.slots.of(Number)) == 0 {
		return
	}
	for _, t := range p.tokens {
		if t.kind != word {
			continue
		}
		if n, ok := slot.Number(t.text); ok {
			if v, ok := whole(n); ok {
				p.add(item{Finding: Finding{Kind: Number, Value: v}, from: t.from, to: t.to})
			}
		}
	}
}

// token is a word, a mark, or a value that was found.
type token struct {
	kind     tokenKind
	found    Kind // of a value
	text     string
	from, to int
	spaced   bool // a space stands before it
}

type tokenKind int

const (
	word tokenKind = iota
	punctuation
	value
)

func tokenize(s string, mark []Kind) []token {
	var out []token
	spaced := false
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		j := i + n
		switch {
		case mark[i] != "":
			for j < len(s) && mark[j] == mark[i] {
				j++
			}
			out = append(out, token{kind: value, found: mark[i], text: s[i:j], from: i, to: j, spaced: spaced})
		case r == ' ':
			spaced = true
			i = j
			continue
		case letter(r):
			for j < len(s) && mark[j] == "" {
				r, n := utf8.DecodeRuneInString(s[j:])
				next, _ := utf8.DecodeRuneInString(s[j+n:])
				if !letter(r) && (r != '\'' && r != '-' || !letter(next)) {
					break
				}
				j += n
			}
			out = append(out, token{kind: word, text: s[i:j], from: i, to: j, spaced: spaced})
		default:
			out = append(out, token{kind: punctuation, text: s[i:j], from: i, to: j, spaced: spaced})
		}
		spaced = false
		i = j
	}
	return out
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
