package told

import (
	"slices"
	"strings"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
)

// Order gives what a message orders or asks behind what it only tells first: with a mark between them or, as people speak, without one (I just got
// home play some jazz, 회의 취소됐어 3시 회의 지워줘). It gives all of a message that tells nothing first, or whose order says nothing without what is
// told (the meeting was cancelled, delete it).
func Order(text string) string {
	whole := phrase.Normalize(text)
	begins := beginsEN
	if phrase.Korean(whole) {
		begins = beginsKO
	}
	ws := phrase.Words(whole)
	if at := begins(whole, ws); at > 0 && !leans(ws[at:]) {
		return whole[ws[at].Start:]
	}
	return text
}

// leans tells an order of which all that it does something with was said before: delete it, 또 틀어줘.
func leans(ws []phrase.Word) bool {
	if len(ws) > 1 && !phrase.Korean(ws[0].Text) {
		return !inverted[ws[0].Lower] && slot.Points(ws[1].Lower) || objects[ws[1].Lower] && len(ws) == 2
	}
	return !slices.ContainsFunc(ws[:len(ws)-1], func(w phrase.Word) bool {
		stem, _ := phrase.Stem(w.Lower)
		return !slot.FunctionWord(w.Lower) && !slot.FunctionWord(stem) && !slot.Points(stem)
	})
}

// Closed classes of English words about where an order begins.
var (
	led      = wordlist.Of("to not didn't don't doesn't did do does can can't could couldn't will won't would should might must may i we you they he she him them us him let made and or") // no order begins behind them
	lets     = wordlist.Of("let made make helped help had watched saw heard")                                                                                                              // who is let does something
	asked    = wordlist.Of("what how where when which who")
	inverted = wordlist.Of("is are was were will can could would do does did should")
	subjects = wordlist.Of("it i we he she there they")
	around   = wordlist.Of("on off up down out")
	pleases  = wordlist.Of("please can could would will let let's don't")
)

// lower are words in small letters.
func lower(ws []phrase.Word) []string {
	words := make([]string, len(ws))
	for i, w := range ws {
		words[i] = w.Lower
	}
	return words
}

// beginsEN is at which word an order or a question begins behind what an English text tells first; 0 where none does.
func beginsEN(text string, ws []phrase.Word) int {
	words := lower(ws)
	from := 0 // where the clause at hand begins
	for i := 1; i < len(ws)-1; i++ {
		gap := text[ws[i-1].End:ws[i].Start]
		marked := strings.ContainsAny(gap, clauseEnds)
		if quoted(words[from:i], gap) {
			continue
		}
		if (marked && commands(skip(words[i:], opens)) || spoken(words, from, i) && !costs(text[ws[i].Start:])) && recounts(words[from:i]) {
			return i
		}
		if marked {
			if !recounts(words[from:i]) && !continues(words[from:i]) {
				return 0
			}
			from = i
		}
	}
	return 0
}

// costs tells that an order moves money. Without a mark it may be what somebody else wants (she wrote to me send 10,000 won), which nothing tells from an order
// but its verb; so over money only what stands apart is one. A Korean ending is such a mark itself.
func costs(order string) bool {
	_, money := slot.Money(order)
	return money
}

// quoted tells that what comes behind a clause may be what somebody said: it says so itself, and has not ended (he said play it, she told me: wait, according to
// mom, …).
func quoted(words []string, gap string) bool {
	attributed := attributes(opening(words))
	if strings.ContainsAny(gap, clauseEnds) {
		last := len(words) - 1
		for last > 0 && objects[words[last]] {
			last--
		}
		return (attributed || saying[words[last]]) && !strings.ContainsAny(gap, ".!\n")
	}
	return attributed || slices.ContainsFunc(words, func(w string) bool { return saying[w] })
}

// attributes tells words that say of whom the rest is known: according to dad.
func attributes(words []string) bool {
	return len(words) > 2 && words[0] == "according" && words[1] == "to"
}

// quotesEN tells an English text that ends with what somebody else said, or that is known of somebody. What the customer said they may say again.
func quotesEN(text string) bool {
	text = phrase.Normalize(text)
	ws := phrase.Words(text)
	words := lower(ws)
	for i := range max(0, len(words)-1) {
		if asks(words[i:]) {
			return false
		}
	}
	if attributes(opening(words)) {
		return true
	}
	from := 0
	for i := 1; i < len(ws); i++ {
		gap := text[ws[i-1].End:ws[i].Start]
		if !strings.ContainsAny(gap, clauseEnds) {
			continue
		}
		if first := opening(words[from:i])[0]; !speaks[first] && !Imperatives[first] && quoted(words[from:i], gap) {
			return true
		}
		from = i
	}
	return false
}

// recounts tells a clause that tells, or whose subject is followed by what may be its predicate or a participle: an order behind it shows that it
// was the predicate.
func recounts(words []string) bool {
	words = opening(words)
	return narrates(words) || len(words) > 2 && decides[words[0]] && slices.ContainsFunc(words[2:], past)
}

// commands tells words behind a mark that begin with an order or a question.
func commands(words []string) bool {
	if len(words) < 2 {
		return false
	}
	first := words[0]
	known := subjects[first] || goesOn[first] || decides[first] || objects[first] || things[first] || joins[first] || adverbs[first] || past(first) || startsNumber(first) || strings.HasSuffix(first, "ly")
	return pleases[first] || Imperatives[first] || asks(words) || takes(words[1]) && !known
}

// asks tells words that begin with a question by their order: what time is it, is it cold.
func asks(words []string) bool {
	if asked[words[0]] {
		verb := slices.IndexFunc(words[1:min(len(words), 4)], func(w string) bool { return inverted[w] }) + 1
		return verb > 0 && verb+1 < len(words) && (subjects[words[verb+1]] || takes(words[verb+1]))
	}
	return inverted[words[0]] && subjects[words[1]]
}

// spoken tells whether an order or a question begins at a word of a clause with no mark before it. A verb that may be a noun, too, is an order if an object follows, or if it
// is not one of the words that an article begins.
func spoken(words []string, from, i int) bool {
	before := words[from:i]
	for len(before) > 1 && adverbs[before[len(before)-1]] {
		before = before[:len(before)-1]
	}
	if last := before[len(before)-1]; led[last] || perfect[last] {
		return false
	}
	if asks(words[i:]) {
		return true
	}
	next := words[i+1]
	if around[next] && i+2 < len(words) {
		next = words[i+2]
	}
	if !Imperatives[words[i]] || goesOn[next] || joins[next] || past(next) && !bases[next] {
		return false
	}
	if verb := slices.IndexFunc(before, func(w string) bool { return lets[w] }); verb >= 0 && verb+1 < len(before) && takes(before[verb+1]) {
		return false
	}
	return takes(next) || !slices.ContainsFunc(before[max(0, len(before)-3):], func(w string) bool { return decides[w] || startsNumber(w) })
}

// beginsKO is at which word more begins behind the last sentence of a Korean text that tells; 0 where none does.
func beginsKO(text string, ws []phrase.Word) int {
	i := behindEnd(ws)
	if i == 0 || ends(text[ws[i].Start:]) || quotedKO(ws[:i], text[ws[i].Start:]) {
		return 0
	}
	return i
}

// behindEnd is the word behind the last one that ends a sentence in the past; 0 where none does, or nothing follows.
func behindEnd(ws []phrase.Word) int {
	for i := len(ws) - 1; i > 0; i-- {
		if Ended(ws[i-1].Lower) {
			return i
		}
	}
	return 0
}

// quotedKO tells whether a Korean order over money stands behind words that somebody else said something: 아빠가 말했어 민수한테 만원 보내줘.
func quotedKO(before []phrase.Word, order string) bool {
	return costs(order) && saysKO.MatchString(before[len(before)-1].Lower) && !slices.ContainsFunc(before, func(w phrase.Word) bool { return ownKO[w.Lower] })
}

// beginsQuoteKO tells whether a Korean text ends with such an order.
func beginsQuoteKO(text string) bool {
	ws := phrase.Words(text)
	i := behindEnd(ws)
	return i > 0 && quotedKO(ws[:i], text[ws[i].Start:])
}

var (
	saysKO = lazyregexp.New(`^(?:말씀?|얘기|이야기|부탁|그러)(?:하|했|하셨|했었|셨)|^그랬|^그러셨`)
	ownKO  = wordlist.Of("내가 제가 나는 저는 난 전 우리가")
)
