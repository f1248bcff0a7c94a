package told

import (
	"strings"
	"unicode/utf8"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
)

// Conditions are the bytes of what says under which condition, or upon what, something is to be done: 월급 들어오면, if it rains. What only asks
// politely (괜찮으면, if you don't mind) is no condition, nor is what the main verb asks for itself (보내주면 좋겠어).
func Conditions(text string) [][2]int {
	ws := phrase.Words(text)
	if phrase.Korean(text) {
		return conditionsKO(text, ws)
	}
	return conditionsEN(text, ws)
}

func conditionsEN(text string, ws []phrase.Word) (spans [][2]int) {
	words := lower(ws)
	for from := 0; from < len(ws); from++ {
		if !provided[words[from]] {
			continue
		}
		to := from + 1
		for to < len(ws) && !strings.ContainsAny(text[ws[to-1].End:ws[to].Start], clauseEnds) && (to < from+3 || to+1 == len(ws) || !spoken(words, from, to)) {
			to++
		}
		if said := text[ws[from].Start:ws[to-1].End]; to > from+2 && !politeEN.MatchString(said) {
			spans = append(spans, [2]int{ws[from].Start, ws[to-1].End})
		}
		from = to - 1
	}
	return spans
}

func conditionsKO(text string, ws []phrase.Word) (spans [][2]int) {
	from := 0 // the first word that may belong to the condition
	for i, w := range ws[:max(0, len(ws)-1)] {
		switch {
		case depends(w.Lower) && !politeKO.MatchString(w.Lower) && !mainKO.MatchString(ws[i+1].Lower):
			spans = append(spans, [2]int{ws[max(from, i-2)].Start, w.End})
			from = i + 1
		case receives.MatchString(w.Lower) || strings.ContainsAny(text[w.End:ws[i+1].Start], clauseEnds):
			from = i + 1
		}
	}
	return spans
}

// depends tells a Korean predicate that says on what condition. One syllable before the ending is a verb only if it says so by itself: 오면, and no 화면.
func depends(word string) bool {
	stem, ends := strings.CutSuffix(word, "면")
	last, _ := utf8.DecodeLastRuneInString(stem)
	if final := phrase.Final(last); !ends || final > 0 && final != phrase.FinalRieul {
		return false
	}
	return utf8.RuneCountInString(stem) > 1 || shortVerbs[stem]
}

var (
	provided = wordlist.Of("if when once unless whenever")
	politeEN = lazyregexp.New(`(?i)^(?:if|when|whenever) (?:you|possible|(?:it|that|this)(?:'s| is) (?:ok|okay|possible|fine|all right|alright|not|no)\b)`)

	shortVerbs = wordlist.Of("오 가 되 하 나 자 차 사 주 보 크 쓰 타 살 팔 울 열 놀 알 들 늘 줄")
	politeKO   = lazyregexp.New(`^(?:괜찮|가능하|되|된다|필요하|원하)(?:으시|시)?으?면$`)
	mainKO     = lazyregexp.New(`^(?:좋|고맙|고마|감사|되|돼|된|될|됩|안|어떨|어때|하는)`)
	receives   = lazyregexp.New(`(?:한테|에게|께|한태)(?:는|도|만|서)?$`)
)
