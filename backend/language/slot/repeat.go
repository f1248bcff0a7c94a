package slot

import "agentchat/backend/lazyregexp"

var repeats = lazyregexp.New(`(?i)(?:^|\s)(매\s?(?:일|주|달|월|년|해)|(?:날|주|달|해)마다|every (?:single )?(?:day|week|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|daily|weekly|monthly|yearly)(?:마다|에)?(?:[\s,.!]|$)`)

// Repetitions are the bytes of what says that something happens again and again: 매달, 월요일마다, every day.
func Repetitions(text string) (spans [][2]int) {
	for _, m := range repeats.FindAllStringSubmatchIndex(text, -1) {
		spans = append(spans, [2]int{m[2], m[3]})
	}
	return spans
}

// Repetition is the first of them, as the text has it.
func Repetition(text string) (said string, ok bool) {
	for _, m := range Repetitions(text) {
		return text[m[0]:m[1]], true
	}
	return "", false
}
