package slot

import (
	"strings"

	"agentchat/backend/lazyregexp"
)

// partHours are the hours that the parts of the day stand for, where no hour is said.
var partHours = map[string]int{
	"아침": 8, "오전": 9, "점심": 12, "낮": 12, "오후": 14, "저녁": 18, "밤": 21, "새벽": 5,
	"morning": 8, "noon": 12, "afternoon": 14, "evening": 18, "night": 21,
}

// behindDay is a part of the day right behind a day. Without a particle a word that also names a meal is none: 내일 저녁 약속.
var behindDay = lazyregexp.New(`^(?:\s+(?:in the )?(morning|afternoon|evening|night)\b|\s*(오전|오후|새벽)(?:에|쯤에?)?(?:\s|$)|\s*(아침|점심|낮|저녁|밤)(?:에|쯤에?)(?:\s|$))`)

// DayPart reads the part of the day that a text of small letters begins with, behind a day: the hour it stands for, and where it ends.
func DayPart(text string) (hour, end int, ok bool) {
	m := behindDay.FindStringIndex(text)
	if m == nil {
		return 0, 0, false
	}
	hour, ok = partHours[halfIn(text[:m[1]])]
	return hour, len(strings.TrimRight(text[:m[1]], " ")), ok
}

var partWords = lazyregexp.New(`오후|저녁|밤|점심|낮|오전|아침|새벽|morning|afternoon|evening|night|noon`)

func halfIn(text string) string { return partWords.FindString(text) }
