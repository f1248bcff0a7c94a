package ground

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var clockPattern = regexp.MustCompile(`(오전|오후|아침|저녁|밤|낮|새벽)?\s*(\d{1,2}|열한|열두|열|한|두|세|네|다섯|여섯|일곱|여덟|아홉)\s?시(?:\s*(\d{1,2})\s?분|\s*(반))?|\b(\d{1,2}):(\d{2})\b(?:\s?(am|pm|a\.m\.?|p\.m\.?))?|\b(\d{1,2})\s?(am\b|pm\b|a\.m\.?|p\.m\.?|o'?clock\b)|(정오|자정|\bnoon\b|\bmidnight\b)`)

var koreanHours = map[string]int{"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10, "열한": 11, "열두": 12}

// clocks finds times of day. Without a half of the day, one to seven o'clock are in the afternoon.
func (p *parsed) clocks() {
	s := p.open()
	for _, m := range clockPattern.FindAllStringSubmatchIndex(s, -1) {
		g := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return s[m[2*i]:m[2*i+1]]
		}
		from := m[0] + len(s[m[0]:m[1]]) - len(strings.TrimLeft(s[m[0]:m[1]], " "))
		if strings.HasPrefix(s[m[1]:], "간") || g(1) == "" && g(2) != "" && hangul(lastRune(s[:from])) {
			continue // 세 시간, 다시
		}
		if v, ok := timeOfDay(g); ok {
			p.add(item{Finding: Finding{Kind: Time, Value: v}, from: from, to: m[1]})
		}
	}
}

func timeOfDay(g func(int) string) (string, bool) {
	hour, minute, part := 0, 0, strings.ReplaceAll(g(1)+g(7)+g(9), ".", "")
	switch {
	case g(10) == "정오", g(10) == "noon":
		return "12:00", true
	case g(10) != "":
		return "00:00", true
	case g(2) != "":
		hour = koreanHours[g(2)]
		if hour == 0 {
			hour = digits(g(2))
		}
		minute = digits(g(3))
		if g(4) != "" {
			minute = 30
		}
	case g(5) != "":
		hour, minute = digits(g(5)), digits(g(6))
		if part == "" {
			return clockText(hour, minute)
		}
	default:
		hour = digits(g(8))
	}
	switch part {
	case "오후", "저녁", "낮", "pm":
		if hour < 12 && (part != "낮" || hour < 6) {
			hour += 12
		}
	case "밤":
		if hour == 12 {
			hour = 0
		} else if hour >= 6 && hour < 12 {
			hour += 12
		}
	case "오전", "아침", "새벽", "am":
		if hour == 12 {
			hour = 0
		}
	default:
		if hour >= 1 && hour <= 7 {
			hour += 12
		}
	}
	return clockText(hour, minute)
}

func clockText(hour, minute int) (string, bool) {
	return fmt.Sprintf("%02d:%02d", hour, minute), hour < 24 && minute < 60
}

func digits(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
