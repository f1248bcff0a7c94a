package verdict

import (
	"regexp"

	"agentchat/backend/language/wordlist"
)

// TakeBack is a pattern of the words that take back what was said before them, in small letters: 3만원, 아니 5만원으로.
const TakeBack = `(?:아니야|아니다|아니요|아니|아냐|아뇨|아참|앗|잠깐만|잠깐|정정|no wait|wait no|no,? sorry|no|wait|actually|i mean|scratch that|sorry|make (?:it|that))`

var (
	takesBack = regexp.MustCompile(`(?i)^\s*(?:참|` + TakeBack + `)(?:[^a-z]|$)`)
	changes   = regexp.MustCompile(`(?i)말고|대신|바꿔|바꿀|바꾸|변경|수정|고쳐|\b(?:change|instead|rather|replace|use|make (?:it|that))\b`)
	toDo      = regexp.MustCompile(`\S로 해`) // 5로 해줘
)

// Changes tells whether words say that something shall be otherwise: 말고, 바꿔줘, instead.
func Changes(text string) bool { return changes.MatchString(text) }

// Corrects tells whether a message takes something back or changes it.
func Corrects(text string) bool { return takesBack.MatchString(text) || Changes(text) }

// Insists tells whether a sentence that is no question says how something should be instead: 아니 두 개만, 5로 해줘, use the other one.
func Insists(text string) bool {
	words := wordlist.Words(text)
	return !Asks(text) && len(words) > 1 && (no[words[0]] || Changes(text) || toDo.MatchString(text))
}
