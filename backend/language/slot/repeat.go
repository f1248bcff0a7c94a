package slot

import "agentchat/backend/lazyregexp"

var repeats = lazyregexp.New(`(?i)(?:^|[\s,])(매\s?(?:일|주|달|월|년|해|분기|시간)(?:\s?(?:월|화|수|목|금|토|일)요일)?|격(?:주|월|일)(?:로|마다)?` +
	`|(?:(?:` + koCount + `)\s?(?:분|시간|일|주일?|달|개월|년)|날|주|달|해|평일|주말|아침|저녁|밤|(?:월|화|수|목|금|토|일)요일)마다` +
	`|every (?:(?:single|other|second|` + enCount + `) )?(?:minute|hour|day|week|weekday|weekend|month|quarter|year|morning|afternoon|evening|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?` +
	`|(?:on )?(?:weekdays|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days)|hourly|daily|weekly|biweekly|monthly|yearly|annually)(?:마다|에)?(?:[\s,.!?]|$)`)

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
