package interpreter

import (
	"slices"
	"strings"
	"unicode"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/lazyregexp"
)

// A model may answer a Korean customer in Chinese or English, or slip Chinese words into Korean. Names, titles, code,
// addresses, numbers and whatever stands in quotation marks or brackets may be in any language, and so may the words that
// the customer or a tool used; what is left is weighed sentence by sentence.

// How much of a wrong language it takes. Counts are letters; a syllable of Hangul says as much as two Latin letters.
const (
	fewLatin = 10 // less than so many Latin letters in sentences are no answer in English
	fewWords = 3
	fewHan   = 4 // less than so many letters of a foreign script are a name
)

// wishes tell requests whose answers are rightly in another language.
var wishes = lazyregexp.New(`(?i)번역|통역|영작|영어|영문|한국어|한글|한자|일본어|중국어|스페인어|프랑스어|독일어|러시아어|베트남어|외국어|발음|` +
	`코드|스크립트|명령어|정규식|함수|translat|\b(?:korean|english|japanese|chinese|spanish|french|german|russian|hangul|code|script|command|regex|sql|json|html|python)\b`)

// aside finds what may be in any language.
var aside = lazyregexp.New("(?s:```.*?(?:```|$))|`[^`\n]*`|" + `(?i:\b(?:https?://|www\.)\S+)|\S+@\S+\.\w+|` +
	`"[^"\n]{1,200}"|“[^”\n]{1,200}”|‘[^’\n]{1,200}’|「[^」\n]{1,200}」|『[^』\n]{1,200}』|《[^》\n]{1,200}》|〈[^〉\n]{1,200}〉|` +
	`<[^>\n]{1,200}>|\([^)\n]{1,200}\)|\[[^\]\n]{1,200}\]|（[^）\n]{1,200}）`)

// quoted is aside for the straight single quote, which is an apostrophe behind a letter.
var quoted = lazyregexp.New(`(^|[^\pL\pN])'[^'\n]{1,120}'`)

// sentence words are those that names and titles seldom have in small letters.
var sentenceWords = map[string]bool{
	"i": true, "i'm": true, "i'll": true, "you": true, "your": true, "is": true, "are": true, "was": true, "will": true, "can": true,
	"it's": true, "have": true, "has": true, "please": true, "would": true, "could": true, "that": true, "this": true, "here": true,
}

// foreignScripts are the scripts that are neither Hangul nor Latin and make words. Greek letters are formulas.
var foreignScripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Cyrillic, unicode.Arabic, unicode.Hebrew, unicode.Thai, unicode.Devanagari,
}

// letters counts what a text is written in.
type letters struct{ hangul, latin, foreign int }

func lettersOf(text string) (n letters) {
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Hangul, r):
			n.hangul++
		case unicode.Is(unicode.Latin, r):
			n.latin++
		case unicode.In(r, foreignScripts...):
			n.foreign++
		}
	}
	return n
}

// wrongLanguage says what is wrong with the language of a text for the customer of a brief; nil: nothing.
func wrongLanguage(b Brief, text string) error {
	said := b.Request
	if b.Todo != nil {
		said += "\n" + b.Todo.Request
	}
	recent := b.Background.Transcript
	for _, turn := range recent[max(0, len(recent)-4):] {
		if turn.Speaker == "customer" {
			said += "\n" + turn.Text
		}
	}
	if n := lettersOf(b.Request); wishes.MatchString(said) || n.foreign > n.hangul && n.foreign > n.latin {
		return nil
	}
	for _, r := range b.Results {
		said += "\n" + r.Title + "\n" + r.Text
	}
	text = bare(text, said)
	if b.Lang == bilingual.KO {
		return notKorean(text)
	}
	return notEnglish(text)
}

// bare takes out of a text what may be in any language.
func bare(text, said string) string {
	text = aside.ReplaceAllString(text, " ")
	text = quoted.ReplaceAllString(text, "$1 ")
	known := map[string]bool{}
	foreign := func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }
	for word := range strings.FieldsFuncSeq(strings.ToLower(said), foreign) {
		known[word] = true
	}
	var b strings.Builder
	for len(text) > 0 {
		end := strings.IndexFunc(text, foreign)
		switch {
		case end < 0:
			end = len(text)
		case end == 0:
			end = len(text) - len(strings.TrimLeftFunc(text, foreign))
		}
		if word := text[:end]; !known[strings.ToLower(word)] {
			b.WriteString(word)
		}
		text = text[end:]
	}
	return b.String()
}

func sentences(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\n.!?;。！？", r) })
}

func notKorean(text string) error {
	korean, english, all := 0, 0, letters{}
	for _, s := range sentences(text) {
		n := lettersOf(s)
		all = letters{all.hangul + n.hangul, all.latin + n.latin, all.foreign + n.foreign}
		switch {
		case n.hangul > 0 && (4*n.hangul >= n.latin || predicate(s)):
			korean += 2 * n.hangul
		case n.latin > 0 && !title(s):
			english += n.latin
		}
	}
	words := len(strings.FieldsFunc(text, func(r rune) bool { return !unicode.Is(unicode.Latin, r) && r != '\'' }))
	switch {
	case all.foreign >= fewHan && all.foreign > all.hangul, english >= fewLatin && words >= fewWords && english > korean:
		return errNotKO
	case all.foreign >= fewHan && 10*all.foreign >= all.hangul+all.foreign:
		return errHanLeaks
	}
	return nil
}

func notEnglish(text string) error {
	latin, other := 0, 0
	for _, s := range sentences(text) {
		n := lettersOf(s)
		latin += n.latin
		if n.latin > 0 || n.hangul > 12 || n.foreign > 6 || predicate(s) { // a short line of its own may be a title
			other += n.hangul + n.foreign
		}
	}
	if other >= fewHan && 2*other > latin {
		return errNotEN
	}
	return nil
}

// predicate tells whether a sentence ends as Korean sentences do and names do not.
func predicate(s string) bool {
	s = strings.TrimRightFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.ContainsFunc([]string{"요", "다", "까", "죠", "네", "니", "세", "자", "군", "음", "함", "됨", "임"}, func(ending string) bool { return strings.HasSuffix(s, ending) })
}

// title tells whether a line in Latin letters is a name: every longer word begins with a capital.
func title(s string) bool {
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' })
	if len(words) > 10 {
		return false
	}
	for i, word := range words {
		if i > 0 && sentenceWords[word] {
			return false
		}
		if first := []rune(word)[0]; len(word) >= 4 && unicode.IsLower(first) {
			return false
		}
	}
	return true
}
