package builtin

import (
	"slices"
	"strings"

	"agentchat/backend/language/phrase"
	"agentchat/backend/lazyregexp"
)

// relation is how a clause follows the one before it.
type relation int

const (
	beside relation = iota // and: side by side
	after                  // then: once the one before is done
)

// clause is one stretch of a message that may hold a wish of its own: text[start:end].
type clause struct {
	start, end int
	rel        relation
	bare       bool // a noun before 랑, 하고, 와: it shares the predicate of the next clause
	sentence   bool // a new sentence begins here
}

var (
	sentenceEnd = lazyregexp.New(`[.!?;]+(?:\s|$)|\n`)
	orderedKO   = lazyregexp.New(`^(그\s?다음에?는?|그\s?담에?|다음에|다음으로|담에|그리고\s?나서|그러고\s?나서|그러고는|그런\s?다음에?|그런\s?뒤에?|그\s?후에?|그\s?뒤에?|이후에|끝나면|다\s?끝나면|끝나고|마치면|되면|다\s?되면|도착하면|나서|마지막으로|둘째로?|두번째로?|셋째로?|이어서|이어|다하면)$`)
	joinKO      = lazyregexp.New(`^(그리고|또|또한|및|동시에|아울러|게다가|그리구|글구|더불어|같이)$`)
	verbGo      = lazyregexp.New(`(됐고|됐구|됐으니|싫고|지겹고|주고|주구|주시고|틀고|틀구|켜고|켜구|키고|하고|하구|해놓고|놓고|안내하고|재생하고|찍고|깨우고|울리고|알리고|알려주고|맞추고|맞춰놓고|가고|끄고|부르고|보여주고|들려주고|계산하고|말하고|확인하고|보고|듣고|걸고|지우고|적고|찾고|고치고|바꾸고|열고|멈추고|넣고|올리고|줬다가|다가|면서|한다음|한다음에|한뒤|한뒤에|한후|한후에|고나서|나서|하고는|하시고|는데|은데|인데|한데|니까|으니|어서|해서|끝나면|끝나고|도착하면)$`)
	orderTail   = lazyregexp.New(`(한\s?다음에?|한\s?뒤에?|한\s?후에?|고\s?나서|고나면|은\s?다음에?|끝나면|끝나고|끝난\s?(다음|뒤|후)에?|도착하면|마치면|다가|준\s?(다음|뒤|후)에?|튼\s?(다음|뒤|후)에?|켠\s?(다음|뒤|후)에?|본\s?(다음|뒤|후)에?|들은\s?(다음|뒤|후)에?|간\s?(다음|뒤|후)에?|다\s?되면|지나면)$`)
	waits       = lazyregexp.New(`(있다가|이따가|기다렸다가|쉬었다가|시간\s?(뒤|후)에?)$`) // 5분 있다가 is a time
	endVerb     = lazyregexp.New(`^(끝나면|끝나고|마치면|되면|도착하면)$`)
	firstWord   = lazyregexp.New(`(?i)(^|\s)(먼저|우선|일단|첫째|첫번째로)(\s|$)|^\s*(?:please\s+|ok\s+|so\s+)?(first|firstly|start by)\b`)
	joinEN      = lazyregexp.New(`(?i)(?:,\s*|\s+)(and then|then|after that|afterwards|after which|followed by|and after that|and afterwards|and finally|finally|next|once that's done|when that's done|when it's done|when done|and when it's over|when it's over|when it ends|once it's finished|and once that's done|and when that's done|and also|and|also|plus|as well as|while|meanwhile|so|&|but)\s+`)
	afterEN     = lazyregexp.New(`(?i)^\s*(?:please\s+)?(?:after|once|when)\s+(.+?),\s*(.+)$`)
)

// split cuts a message into clauses at everything that may separate wishes. It cuts too much on purpose: what turns out not to hold a wish is
// joined again by the planner.
func split(text string) []clause {
	var out []clause
	from, begins := 0, true
	emit := func(start, end int) {
		if strings.TrimSpace(text[start:end]) == "" {
			return
		}
		n := len(out)
		if phrase.Korean(text[start:end]) {
			out = append(out, splitKorean(text, start, end)...)
		} else {
			out = append(out, splitEnglish(text, start, end)...)
		}
		if len(out) > n {
			out[n].sentence = begins
		}
	}
	for _, m := range sentenceEnd.FindAllStringIndex(text, -1) {
		if inQuotes(text, m[0]) || m[0] < from || abbreviation(text, m[0]) {
			continue
		}
		emit(from, m[1])
		from, begins = m[1], true
	}
	emit(from, len(text))
	if firstWord.MatchString(text) {
		for i := range out {
			out[i].rel = after
		}
	}
	if len(out) > 0 {
		out[0].rel = beside
	}
	return out
}

func inQuotes(text string, i int) bool { return strings.Count(text[:i], `"`)%2 == 1 }

func abbreviation(text string, i int) bool {
	low := strings.ToLower(text[:i])
	return slices.ContainsFunc([]string{"a.m", "p.m", " a", " p", "mr", "st", "dr"}, func(a string) bool { return text[i] == '.' && strings.HasSuffix(low, a) })
}

// koreanCutter walks one sentence and cuts it into clauses.
type koreanCutter struct {
	seg   string
	start int // of seg in the message
	ws    []phrase.Word
	from  int      // where the clause at hand begins
	rel   relation // of that clause to the one before
	out   []clause
}

// splitKorean cuts after commas, clause endings (틀고, 안내하고 나서), conjunctions (그리고, 그 다음에) and nouns joined by 랑, 하고, 와.
func splitKorean(text string, start, end int) []clause {
	p := koreanCutter{seg: text[start:end], start: start, ws: phrase.Words(text[start:end])}
	for i, w := range p.ws {
		if !inQuotes(p.seg, w.Start) {
			p.word(i, w.Text)
		}
	}
	p.cut(len(p.seg), false, beside)
	return p.out
}

// cut ends a clause before byte i; next is how the one that begins there follows.
func (p *koreanCutter) cut(i int, bare bool, next relation) {
	if strings.TrimSpace(strings.Trim(p.seg[p.from:i], " ,")) != "" {
		p.out = append(p.out, clause{start: p.start + p.from, end: p.start + i, rel: p.rel, bare: bare})
		p.rel = beside
	}
	p.from = i
	if next == after {
		p.rel = after
	}
}

// word cuts before or behind a word that parts clauses.
func (p *koreanCutter) word(i int, w string) {
	next, two := len(p.seg), w // where the next word begins; the word with the one before it
	if i+1 < len(p.ws) {
		next = p.ws[i+1].Start
	}
	if i > 0 {
		two = p.ws[i-1].Text + " " + w
	}
	switch at := p.ws[i].Start; {
	case orderedKO.MatchString(w):
		p.order(at, next, w)
	case orderedKO.MatchString(two): // the clause before ends before both words
		if p.ws[i-1].Start >= p.from {
			at = p.ws[i-1].Start
		}
		p.order(at, next, w)
	case joinKO.MatchString(w) && at > p.from:
		p.cut(at, w == "및" || bareBefore(p.ws, i), beside)
		p.from = next
	case next < len(p.seg) && p.behind(i, w, two, next):
	case strings.Contains(p.seg[p.ws[i].End:next], ","):
		p.cut(next, bareBefore(p.ws, i+1), beside)
	}
}

// order ends the clause before byte at; what begins at next is ordered after it.
func (p *koreanCutter) order(at, next int, w string) {
	if at > p.from && !endVerb.MatchString(w) { // in "영화 끝나면" the film only says when
		p.cut(at, false, after)
	}
	p.from, p.rel = next, after
}

// behind cuts behind a predicate that leads on (틀고, 안내하고 나서), or behind a noun that is joined with the next.
func (p *koreanCutter) behind(i int, w, two string, next int) bool {
	switch {
	case verbGo.MatchString(w) && !waits.MatchString(w) && !wishNext(p.ws, i):
		rel := beside
		if n := p.ws[i+1].Text; n == "나서" || n == "나면" || orderTail.MatchString(two) || orderTail.MatchString(w) {
			rel = after
		}
		p.cut(next, false, rel)
	case i > 0 && orderTail.MatchString(two) && !waits.MatchString(two):
		p.cut(next, false, after)
	case conjunctive(w):
		p.cut(next, true, beside)
	default:
		return false
	}
	return true
}

// bareBefore tells whether the word before ws[i] is a noun without a predicate, as in "노래, 영화 틀어줘".
func bareBefore(ws []phrase.Word, i int) bool {
	if i == 0 {
		return false
	}
	v := view{words: ws[:i]}
	return v.nounEnd()
}

// conjunctive tells a noun with 랑, 이랑, 하고, 와 or 과.
func conjunctive(w string) bool {
	stem, p := phrase.Stem(w)
	return stem != "" && (p == "랑" || p == "이랑" || p == "하고" || p == "와" || p == "과")
}

// wishNext keeps "보고 싶어" and "하고 있어" in one piece.
func wishNext(ws []phrase.Word, i int) bool {
	if i+1 >= len(ws) {
		return false
	}
	n := ws[i+1].Text
	return slices.ContainsFunc([]string{"싶", "있", "파", "픈", "와줘", "말고", "올게", "갈게", "봐", "말"}, func(p string) bool { return strings.HasPrefix(n, p) && !strings.HasPrefix(n, "있다가") })
}

// splitEnglish cuts at and, then, also, commas and their kin.
func splitEnglish(text string, start, end int) []clause {
	seg := text[start:end]
	if m := afterEN.FindStringSubmatchIndex(seg); m != nil {
		out := splitEnglish(text, start+m[2], start+m[3])
		rest := splitEnglish(text, start+m[4], start+m[5])
		if len(rest) > 0 {
			rest[0].rel = after
		}
		return append(out, rest...)
	}
	var out []clause
	from, rel := 0, beside
	joins := joinEN.FindAllStringSubmatchIndex(seg, -1)
	for _, m := range joins {
		if m[0] < from || inQuotes(seg, m[0]) {
			continue
		}
		word := strings.ToLower(seg[m[2]:m[3]])
		if (word == "so" || word == "next") && !asks(seg[m[1]:]) { // "so kind", "next Friday" join nothing
			continue
		}
		addCommas(seg, from, m[0], start, &out, &rel)
		rel = beside
		if strings.Contains(word, "then") || strings.Contains(word, "after") || strings.Contains(word, "when") || strings.Contains(word, "once") || word == "next" || strings.Contains(word, "finally") || word == "followed by" {
			rel = after
		}
		from = m[1]
	}
	addCommas(seg, from, len(seg), start, &out, &rel)
	return out
}

// asks tells whether English words begin like a request or a question.
func asks(s string) bool {
	ws := phrase.Words(strings.ToLower(s))
	return len(ws) > 0 && (imperEN[ws[0].Text] || questEN[ws[0].Text] || ws[0].Text == "please" || ws[0].Text == "let's")
}

func addCommas(seg string, from, to, start int, out *[]clause, rel *relation) {
	at := from
	for i := from; i < to; i++ {
		if seg[i] != ',' || inQuotes(seg, i) || i+1 < len(seg) && seg[i+1] >= '0' && seg[i+1] <= '9' {
			continue
		}
		if strings.Trim(seg[at:i], " ,") != "" {
			*out = append(*out, clause{start: start + at, end: start + i, rel: *rel})
			*rel = beside
		}
		at = i + 1
	}
	if strings.Trim(seg[at:to], " ,") != "" {
		*out = append(*out, clause{start: start + at, end: start + to, rel: *rel})
		*rel = beside
	}
}
