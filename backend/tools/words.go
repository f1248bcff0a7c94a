package tools

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"agentchat/backend/apperr"
)

// span says a length of time in its units, from days to seconds: "1시간 5분", "1 hour, 5 minutes".
func span(d time.Duration, lang apperr.Lang) string {
	units := []struct {
		length time.Duration
		ko, en string
	}{{24 * time.Hour, "일", "day"}, {time.Hour, "시간", "hour"}, {time.Minute, "분", "minute"}, {time.Second, "초", "second"}}
	var parts []string
	d = d.Round(time.Second)
	for _, u := range units {
		n := d / u.length
		d -= n * u.length
		switch {
		case n == 0:
		case lang == apperr.KO:
			parts = append(parts, fmt.Sprintf("%d%s", n, u.ko))
		case n == 1:
			parts = append(parts, "1 "+u.en)
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", n, u.en))
		}
	}
	if lang == apperr.KO {
		if len(parts) == 0 {
			return "0초"
		}
		return strings.Join(parts, " ")
	}
	if len(parts) == 0 {
		return "0 seconds"
	}
	return strings.Join(parts, ", ")
}

// subject puts 이 or 가 behind a word, object 을 or 를, topic 은 or 는, by how its last letter is said.
func subject(word string) string { return word + particle(word, "이", "가") }
func object(word string) string  { return word + particle(word, "을", "를") }
func topic(word string) string   { return word + particle(word, "은", "는") }
func particle(word, closed, open string) string {
	if closes(word) {
		return closed
	}
	return open
}

// closes says whether a word ends in a consonant when said in Korean. Quotes at the end and what stands in parentheses
// are not said.
func closes(word string) bool {
	word = strings.TrimRight(word, "’”'\"")
	if i := strings.LastIndex(word, " ("); i > 0 && strings.HasSuffix(word, ")") {
		word = word[:i]
	}
	last, _ := utf8.DecodeLastRuneInString(word)
	const firstSyllable, lastSyllable, finals = 0xAC00, 0xD7A3, 28
	if last >= firstSyllable && last <= lastSyllable {
		return (last-firstSyllable)%finals != 0
	}
	return strings.ContainsRune("013678LMNRlmnr", last) // 영 일 삼 육 칠 팔, 엘 엠 엔 알
}

// kilometres says a distance: metres below one kilometre, one decimal below a hundred.
func kilometres(km float64) string {
	switch {
	case km < 1:
		return strconv.Itoa(int(km*1000+0.5)) + " m"
	case km < 100:
		return strconv.FormatFloat(km, 'f', 1, 64) + " km"
	}
	return strconv.Itoa(int(km+0.5)) + " km"
}
