package ground

import (
	"sort"
	"strings"

	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
)

var (
	clauseWords = wordlist.Of("그리고 그담에 그다음에 그다음 또 또한 다음은 마지막으로 and then plus also")
	// verbEnd is a predicate that another clause follows.
	verbEnd   = lazyregexp.New(`(?:보내고|보내주고|부치고|이체하고|송금하고|입금하고|쏘고|주고|드리고|해주고|보낸|부친|하고나서|보내)$|(?:보내줘|해줘|부쳐줘|쏴줘|주세요|할게|보낼게)$`)
	eachAfter = lazyregexp.New(`^\s?(?:씩|각각|각자|each\b|apiece\b|per person\b)`)
	eachFirst = lazyregexp.New(`(?:각각|각자|각|\beach)\s*$`)
	inTotal   = lazyregexp.New(`(?:총|합쳐서?|합해서?|합계|도합|\ba total of|\bin total)\s*$`)
	totalNext = lazyregexp.New(`^\s?(?:을\s)?(?:나눠|반씩|in total|total|altogether|between)`)
)

// bounds are the places where one clause ends and the next begins, in order.
func (p *parsed) bounds() []int {
	var out []int
	for i, t := range p.tokens {
		switch {
		case t.kind == punctuation && strings.Contains(",;\n!?", t.text), t.kind == punctuation && t.text == "." && !abbreviation[p.word(i-1)]:
			out = append(out, t.to)
		case t.kind != word:
		case clauseWords[t.text]:
			out = append(out, t.from)
		case verbEnd.MatchString(t.text):
			out = append(out, t.to)
		}
	}
	return out
}

var abbreviation = wordlist.Of("mr mrs ms dr st prof")

// Clauses cuts words where something that is said to be done ends, also in the middle of a sentence (보내고 …), and gives them in order
// as they were said.
func Clauses(words string) (list []string) {
	p := parse(nil, Request{Words: words})
	from := 0
	for _, to := range append(p.bounds(), len(p.s)) {
		start, end := p.reading.Span(from, to)
		if clause := strings.Trim(words[start:end], " ,\n"); clause != "" {
			list = append(list, clause)
		}
		from = max(from, to)
	}
	return list
}

// clauseOf is the number of the clause a place lies in.
func clauseOf(bounds []int, at int) int { return sort.SearchInts(bounds, at+1) }

// clauses numbers the clauses and reads what stands around amounts.
func (p *parsed) clauses() {
	bounds := p.bounds()
	for i := range p.items {
		it := &p.items[i]
		it.clause = clauseOf(bounds, it.from)
		if it.Kind == Money {
			lead := strings.ToValidUTF8(p.s[max(0, it.from-24):it.from], "")
			it.each = eachAfter.MatchString(p.around(it.to, 24)) || eachFirst.MatchString(lead)
			it.total = inTotal.MatchString(lead) || totalNext.MatchString(p.around(it.to, 24))
		}
	}
}

// weed drops numbers without a unit where amounts with one are spoken of: they are a code, a year, a house.
func (p *parsed) weed() {
	units, named, any := map[int]bool{}, map[int]bool{}, false
	for _, it := range p.items {
		switch {
		case it.Kind == Money && !it.bare:
			units[it.clause], any = true, true
		case it.Kind == Name:
			named[it.clause] = true
		}
	}
	kept := p.items[:0]
	for _, it := range p.items {
		if it.Kind == Money && it.bare && (units[it.clause] || any && !named[it.clause]) {
			continue
		}
		kept = append(kept, it)
	}
	p.items = kept
}
