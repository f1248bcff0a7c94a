package slot

import (
	"strings"
	"time"

	"agentchat/backend/lazyregexp"
)

// partHours are the hours that the parts of the day stand for, where no hour is said.
var partHours = map[string]int{
	"아침": 8, "오전": 9, "점심": 12, "낮": 12, "오후": 14, "저녁": 18, "밤": 21, "새벽": 5,
	"morning": 8, "noon": 12, "afternoon": 14, "evening": 18, "night": 21,
}

// behindDay is a part of the day right behind a day that says when: with a particle, or where nothing follows that it could be a part of. 오후 반차 and
// saturday night football are things.
var behindDay = lazyregexp.New(`^(?:\s+(?:in the )?(morning|afternoon|evening|night)(?:\s*$|\s*[,.!?]|\s+(?:to|at|on|in|for|with|by|and|then)\b)|\s*(오전|오후|새벽|아침|점심|낮|저녁|밤)(?:쯤?에|쯤|\s*$)(?:\s|$))`)

// DayPart reads the part of the day that a text of small letters begins with, behind a day: the hour it stands for, and where it ends. What of the part
// is over by now, of a day that is today, is left out: then it stands for the next full hour, and for none where that is no part of it.
func DayPart(text string, today bool, now time.Time) (hour, end int, ok bool) {
	m := behindDay.FindStringSubmatchIndex(text)
	if m == nil {
		return 0, 0, false
	}
	word := m[2:4]
	if m[2] < 0 {
		word = m[4:6]
	}
	hour = partHours[text[word[0]:word[1]]]
	end = word[1]
	for _, particle := range []string{"쯤", "에"} {
		if strings.HasPrefix(text[end:], particle) {
			end += len(particle)
		}
	}
	if today && now.Hour() >= hour {
		if now.Hour()+1 >= hour+partLength {
			return 0, 0, false
		}
		hour = now.Hour() + 1
	}
	return hour, end, true
}

// partLength is how many hours a part of the day lasts.
const partLength = 4

var partWords = lazyregexp.New(`오후|저녁|밤|점심|낮|오전|아침|새벽|morning|afternoon|evening|night|noon`)

func halfIn(text string) string { return partWords.FindString(text) }
