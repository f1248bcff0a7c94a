package verdict

import (
	"regexp"

	"agentchat/backend/language/wordlist"
)

// TakeBack is a pattern of the words that take back what was said before them, in small letters: 3만원, 아니 5만원으로.
const TakeBack = `(?:아니야|아니다|(?:아[ ,]*)?(?:말을\s)?잘못\s?말[했씀]\S*|아니요|아니|아냐|아뇨|아참|앗|잠깐만|잠깐|정정|no wait|wait no|no,? sorry|my mistake|i misspoke|i meant|no|wait|actually|i mean|scratch that|sorry|make (?:it|that))`

var (
	takesBack = regexp.MustCompile(`(?i)^\s*(?:참|` + TakeBack + `)(?:[^a-z]|$)`)
	changes   = regexp.MustCompile(`(?i)말고|대신|바꿔|바꿀|바꾸|변경|수정|고쳐|\b(?:change|instead|rather|replace|use|make (?:it|that))\b`)
	toDo      = regexp.MustCompile(`\S로 해`) // 5로 해줘
)

// Changes tells whether words say that something shall be otherwise: 말고, 바꿔줘, instead.
func Changes(text string) bool { return changes.MatchString(text) }

// Corrects tells whether a message takes something back or changes it.
func Corrects(text string) bool { return TakesBack(text) || Changes(text) }

// TakesBack tells whether a message begins by taking back what was said before it: 아니, no wait.
func TakesBack(text string) bool { return takesBack.MatchString(text) }

// Insists tells whether a sentence that is no question says how something should be instead: 아니 두 개만, 5로 해줘, use the other one.
func Insists(text string) bool {
	words := wordlist.Words(text)
	return !Asks(text) && len(words) > 1 && (no[words[0]] || Changes(text) || toDo.MatchString(text))
}

// withdrawal begins what takes a whole wish back, behind it.
var withdrawal = regexp.MustCompile(`(?i)(?:[,.;!~…]\s*|\s-\s*|\s)((?:(?:아|어|음|oh)\s)?(?:아니야|아니다|아니|아냐)(?:[\s,].*)?)$|(?:[,.;!~…]|\s-)\s*((?:(?:아|어|음|oh)\s)?(?:됐어|됐다|됐고|관두|no|never|actually|forget|scratch|don't)(?:[\s,].*|\S{0,2})?)$`)

// Withdraws tells whether a message says something and takes it back at its end: 노래 틀어, 아니 됐어; play a song, no, forget it.
func Withdraws(text string) bool {
	for at := 0; ; {
		m := withdrawal.FindStringSubmatchIndex(text[at:])
		if m == nil {
			return false
		}
		begins := at + max(m[2], m[4])
		head, tail := text[:begins], text[begins:]
		if len(wordlist.Words(head)) > 0 && Of(head, Own{}, nil) == None && Of(tail, Own{}, nil) == Cancel {
			return true
		}
		at = begins // the mark before it stands in what was looked at
	}
}
