// Package told knows clauses that only tell what somebody does or did: their predicate is in the past, or their subject is somebody who is
// not spoken to. They hold the words of a request (mom sent me 10,000 won, 엄마가 만원 보냈어) and ask for nothing.
package told

import (
	"slices"
	"strings"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
)

var anybody = wordlist.Of("누가 누군가 누구든")

// Message tells whether a whole message only tells. One that asks something does not, nor does one in which an order follows what is told.
func Message(text string) bool {
	if Offers(text) {
		return true
	}
	if strings.ContainsAny(text, "?？") {
		return false
	}
	if phrase.Korean(text) {
		return ends(text) && !Asks(text) || heardOf.MatchString(text) || elsewhere(text) || beginsQuoteKO(text)
	}
	return english(text) || quotesEN(text)
}

// Clause tells whether one clause tells what was or what somebody does, whether or not a mark makes a question of it.
func Clause(text string) bool {
	if phrase.Korean(text) {
		return Past(text) || Offers(text)
	}
	return english(text)
}

// Offers tells Korean words by which somebody offers to do something for who is spoken to (내가 불러줄게, 틀어드릴까요?): they ask for nothing. Who will
// ask a favour (부탁드릴게요) does.
func Offers(text string) bool {
	ws := phrase.Words(text)
	if len(ws) == 0 {
		return false
	}
	last := strings.TrimSuffix(ws[len(ws)-1].Lower, "요")
	return !strings.HasPrefix(last, "부탁") && slices.ContainsFunc(offers, func(end string) bool { return strings.HasSuffix(last, end) })
}

// offers are how such words end.
var offers = []string{"줄게", "줄께", "줄까", "드릴게", "드릴께", "드릴까"}

// ends tells whether a Korean message ends with a predicate in the past.
func ends(text string) bool {
	ws := phrase.Words(text)
	if len(ws) == 0 {
		return false
	}
	after, past := tense([]rune(ws[len(ws)-1].Lower))
	return past && len(after) > 0 || experienced(ws)
}

// Asks tells a Korean sentence in the past that asks by its words, with a mark or without one: 며칠 남았어, 누가 이겼지.
func Asks(text string) bool {
	ws := phrase.Words(text)
	return len(ws) > 1 && ends(text) && asking.MatchString(ws[len(ws)-1].Lower) && slices.ContainsFunc(ws[:len(ws)-1], func(w phrase.Word) bool { return interrogative.MatchString(w.Lower) })
}

var (
	asking        = lazyregexp.New(`(?:[어지나]|니|냐|습니까|는가)요?$|죠$`)
	interrogative = lazyregexp.New(`^(?:뭐|뭘|뭔|무엇|무슨|언제|어디|누구|누가|왜|어떻게|어떤|어느|얼마|몇|며칠)`)
)

// experienced tells that the last words say that somebody did something once, or never: 태워먹은 적 있어, 가 본 적이 없다.
func experienced(ws []phrase.Word) bool {
	if len(ws) < 3 {
		return false
	}
	did, once, last := []rune(ws[len(ws)-3].Lower), ws[len(ws)-2].Lower, ws[len(ws)-1].Lower
	return phrase.Final(did[len(did)-1]) == phrase.FinalNieun && slices.Contains([]string{"적", "적이", "적도", "적은"}, once) &&
		(strings.HasPrefix(last, "있") || strings.HasPrefix(last, "없"))
}

// finite are the last syllables of a past that ends a sentence: 봤어, 봤다, 봤거든. What goes on to something else ends with another (봤던, 보고).
const finite = "어다네지요죠대음든"

// Ended tells a Korean word that ends a sentence in the past: 샀어, 했다, 끝냈어요.
func Ended(word string) bool {
	after, past := tense([]rune(word))
	return past && len(after) > 0 && strings.ContainsRune(finite, after[len(after)-1])
}

// heardOf is what somebody else is said to say is right, or has to be, or is wished for: 보내면 된대, 보내야 한대요.
var heardOf = lazyregexp.New(`[면야도고]\s?(?:안\s?)?(?:된|한|싶|좋|괜찮)대요?[.!~ ]*$`)

// elsewhere tells a Korean wish that somebody, whoever, did something: 누가 나한테 만원 좀 보내줬으면.
func elsewhere(text string) bool {
	ws := phrase.Words(text)
	return len(ws) > 1 && anybody[ws[0].Lower] && slices.ContainsFunc(ws[1:], func(w phrase.Word) bool { return strings.HasSuffix(w.Lower, "줬으면") })
}

// Past tells a Korean clause whose last predicate, or the one just before its last syllables, is in the past: 봤어, 들었는데, 재밌었다.
func Past(text string) bool {
	ws, left := phrase.Words(text), lastSyllables
	if experienced(ws) {
		return true
	}
	for i := len(ws) - 1; i >= 0 && left > 0; i-- {
		word := []rune(ws[i].Lower)
		if after, past := tense(word); past && len(after) < left && (i > 0 || len(after)+1 < len(word)) {
			return true
		}
		left -= len(word)
	}
	return false
}

const lastSyllables = 5

// tense gives what follows the last syllable of a word that puts it into the past. 있 and 겠 do not, nor does what wishes (줬으면) or says which thing
// is meant (봤던); 됐 alone declines.
func tense(word []rune) (after []rune, past bool) {
	for i, r := range slices.Backward(word) {
		if phrase.Final(r) == phrase.FinalSsSiot && r != '있' && r != '겠' && (r != '됐' || i > 0) {
			after = word[i+1:]
			return after, len(after) == 0 || !strings.ContainsRune("면던", after[len(after)-1])
		}
	}
	return nil, false
}
