package ground

import (
	"slices"
	"strings"

	"agentchat/backend/language/wordlist"
)

var (
	sendVerbs  = wordlist.Of("send pay give wire transfer remit venmo owe")
	possessive = wordlist.Of("my our")
	determiner = wordlist.Of("the a an")
)

// markedEnglish reads to mom, send mom 10,000 won, and dad 50,000 won, not mom.
func (p *parsed) markedEnglish() {
	for i := range p.tokens {
		switch w := p.word(i); {
		case w == "to", w == "for" && p.payee(i+1):
			if b, ok := p.english(i + 1); ok {
				p.listEnglish(b + 1)
			}
		case sendVerbs[w], w == "and", w == "then":
			p.sentTo(w, i+1)
		case (w == "not" || w == "of") && (w == "not" || p.word(i-1) == "instead"):
			if a, b, ok := p.englishName(i + 1); ok && (p.anyName() || w == "not" && p.insteadOf(i, b)) {
				p.name(a, b, p.englishEnd(b), false)
			}
		case w == "but":
			p.lastName(i + 1)
		case w == "make" && p.word(i+1) == "it":
			p.lastName(i + 2)
		}
	}
}

// insteadOf reads the name that a message says instead of the one in i+1..last, and that is all it says: not Minsu, mom; mom, not Minsu.
func (p *parsed) insteadOf(i, last int) bool {
	comma, from, end := last+1, last+2, len(p.tokens)
	if i > 0 {
		comma, from, end = i-1, 0, i-1
	}
	if comma < 0 || comma >= len(p.tokens) || p.tokens[comma].text != "," {
		return false
	}
	a, b, ok := p.englishName(from)
	if !ok || b+1 != end || !p.endsAt(max(last, b)+1) {
		return false
	}
	p.name(a, b, p.englishEnd(b), false)
	return true
}

// sentTo reads the name behind a verb of sending, or behind and or then, where it is one only when money follows: and mom 50,000 won.
func (p *parsed) sentTo(w string, i int) {
	a, b, ok := p.englishName(i)
	if !ok {
		return
	}
	money := b+1 < len(p.tokens) && p.tokens[b+1].found == Money
	if money || sendVerbs[w] && (p.nameEnds(b+1) || p.word(b+1) == "and") {
		p.name(a, b, p.englishEnd(b), false)
		p.listEnglish(b + 1)
	}
}

// lastName reads a name that nothing follows: but dad, make it dad.
func (p *parsed) lastName(i int) {
	if a, b, ok := p.englishName(i); ok && p.endsAt(b+1) {
		p.name(a, b, p.englishEnd(b), false)
	}
}

// nameEnds tells whether what stands at token i is no more of a name.
func (p *parsed) nameEnds(i int) bool {
	if p.endsAt(i) || p.tokens[i].found == Date {
		return true
	}
	w := p.word(i)
	return w == "some" || w == "money" || w == "back"
}

func (p *parsed) anyName() bool {
	return slices.ContainsFunc(p.items, func(it item) bool { return it.Kind == Name })
}

// payee tells whether for is followed by a relation: 50,000 won for mom.
func (p *parsed) payee(i int) bool {
	if possessive[p.word(i)] {
		i++
	}
	return relations[p.word(i)]
}

// english adds the name that begins at token i and gives its last token.
func (p *parsed) english(i int) (int, bool) {
	a, b, ok := p.englishName(i)
	if !ok {
		return 0, false
	}
	p.name(a, b, p.englishEnd(b), false)
	return b, true
}

// listEnglish adds the names that follow with and or a comma: to mom, dad and Minsu.
func (p *parsed) listEnglish(i int) {
	for i < len(p.tokens) {
		if t := p.tokens[i]; t.text != "," && t.text != "and" && t.text != "&" {
			return
		}
		k := i + 1
		if p.word(k) == "and" || p.word(k) == "to" {
			k++
		}
		if p.word(k) == "to" {
			k++
		}
		a, b, ok := p.englishName(k)
		if !ok || sendVerbs[p.word(a)] || b+1 < len(p.tokens) && p.tokens[b+1].found == Money && p.tokens[i].text != "," && !p.eachAfter(b+1) {
			return
		}
		p.name(a, b, p.englishEnd(b), false)
		i = b + 1
	}
}

func (p *parsed) eachAfter(i int) bool { return p.word(i+1) == "each" || p.word(i+1) == "apiece" }

// englishName finds the words of a name from token i on: up to three, none of them a word of the request.
func (p *parsed) englishName(i int) (a, b int, ok bool) {
	if possessive[p.word(i)] || determiner[p.word(i)] {
		i++
	}
	a = i
	for b = i; b < i+3 && b < len(p.tokens); b++ {
		w := strings.TrimSuffix(p.word(b), "'s")
		if w == "" || englishStop[w] || nobody[w] || purposes[w] || p.tokens[b].found != "" || b > i && !p.tokens[b].spaced {
			break
		}
		if r := lastRune(w); !latin(r) && !hangul(r) || hangul(r) && (!p.bareName(w) || particled(w)) || sendVerbs[w] {
			break
		}
	}
	return a, b - 1, b > a
}

// englishEnd is where the name's last word ends, without 's.
func (p *parsed) englishEnd(b int) int {
	t := p.tokens[b]
	return t.from + len(strings.TrimSuffix(t.text, "'s"))
}
