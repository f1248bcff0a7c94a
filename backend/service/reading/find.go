// Package reading reads a service's values out of a message by grammar, and holds a model's reading of it against the
// message itself: a value counts only when it stands in the customer's own words.
package reading

import (
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"agentchat/backend/provider"
	"agentchat/backend/slot"
)

var (
	koTo   = regexp.MustCompile(`(\S+?)(한테|에게|께|앞으로)(?:는|도|만)?(?:\s|$|[,.!?])`)
	enTo   = regexp.MustCompile(`(?i)\bto\s+((?:my\s+)?[\p{L}'’-]+)`)
	enSend = regexp.MustCompile(`(?i)\b(?:send|pay|give|wire)\s+((?:my\s+)?[\p{L}'’-]+)\s+(?:[\d₩$]|some\b|a\b)|\band\s+((?:my\s+)?[\p{L}'’-]+)\s+\d`)
	clock  = regexp.MustCompile(`(오전|오후|아침|저녁|밤|낮)?\s*(\d{1,2}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열한|열두|열)\s*시(?:\s*(\d{1,2})\s*분|\s*(반))?|\b(\d{1,2}):(\d{2})\b\s*(am|pm)?|(?i)\b(\d{1,2})\s*(am|pm|o'clock)\b`)
)

// Find gives every value of a slot's type that the text holds, in order.
func Find(s provider.SlotCard, text string, now time.Time) []any {
	var found []any
	switch s.Type {
	case "money":
		for _, t := range split(text) {
			if n, ok := slot.Money(t); ok {
				found = append(found, n)
			}
		}
	case "number":
		if n, ok := slot.Number(text); ok {
			if v, err := json.Number(n).Int64(); err == nil {
				found = append(found, v)
			}
		}
	case "date":
		if d, ok := slot.Date(text, now); ok {
			found = append(found, d)
		}
	case "time":
		if t, ok := timeOfDay(text); ok {
			found = append(found, t)
		}
	case "name":
		for _, n := range names(text) {
			found = append(found, n.name)
		}
	case "enum":
		if v, ok := slot.Enum(text, property(s)); ok {
			found = append(found, v)
		}
	case "text":
		if v, ok := cued(s, text); ok {
			found = append(found, v)
		}
	}
	return found
}

func property(s provider.SlotCard) slot.Property {
	p := slot.Property{Name: s.Name, Kind: slot.KindEnum, Words: s.Values}
	for v := range s.Values {
		p.Enum = append(p.Enum, v)
	}
	return p
}

type named struct {
	name       string
	start, end int
}

// names are those somebody is sent something: 엄마한테, to mom.
func names(text string) []named {
	var list []named
	for _, m := range koTo.FindAllStringSubmatchIndex(text, -1) {
		list = append(list, named{strings.Trim(text[m[2]:m[3]], ",.!? "), m[0], m[5]})
	}
	if len(list) > 0 {
		return list
	}
	for _, m := range enTo.FindAllStringSubmatchIndex(text, -1) {
		list = append(list, named{strings.TrimSpace(text[m[2]:m[3]]), m[0], m[1]})
	}
	if len(list) > 0 {
		return list
	}
	for _, m := range enSend.FindAllStringSubmatchIndex(text, -1) {
		g := 2
		if m[2] < 0 {
			g = 4
		}
		list = append(list, named{strings.TrimSpace(text[m[g]:m[g+1]]), m[0], m[g+1]})
	}
	return list
}

// split cuts a text at those who are sent something.
func split(text string) []string {
	list := names(text)
	if len(list) < 2 {
		return []string{text}
	}
	var parts []string
	if strings.Contains(text[:list[0].end], "to ") && koTo.FindStringIndex(text) == nil {
		from := 0
		for _, n := range list { // the amount stands before: 10,000 won to mom
			parts = append(parts, text[from:n.start])
			from = n.end
		}
		return parts
	}
	for i, n := range list {
		to := len(text)
		if i+1 < len(list) {
			to = list[i+1].start
		}
		parts = append(parts, text[n.end:to])
	}
	return parts
}

var koHours = map[string]int{"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10, "열한": 11, "열두": 12}

// timeOfDay finds a time as 15:04. Without am or pm, one to seven o'clock are in the afternoon.
func timeOfDay(text string) (string, bool) {
	m := clock.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	hour, minute := 0, 0
	part := strings.ToLower(m[1] + m[7] + m[9])
	switch {
	case m[2] != "":
		if h, ok := koHours[m[2]]; ok {
			hour = h
		} else {
			hour = atoi(m[2])
		}
		minute = atoi(m[3])
		if m[4] != "" {
			minute = 30
		}
	case m[5] != "":
		hour, minute = atoi(m[5]), atoi(m[6])
		if part == "" {
			return clockText(hour, minute)
		}
	default:
		hour = atoi(m[8])
	}
	switch part {
	case "오후", "저녁", "밤", "낮", "pm":
		if hour < 12 {
			hour += 12
		}
	case "오전", "아침", "am":
		hour %= 12
	default:
		if hour >= 1 && hour <= 7 {
			hour += 12
		}
	}
	return clockText(hour, minute)
}

func clockText(hour, minute int) (string, bool) {
	if hour > 23 || minute > 59 {
		return "", false
	}
	return time.Date(2000, 1, 1, hour, minute, 0, 0, time.UTC).Format("15:04"), true
}

func atoi(s string) int {
	n := 0
	for _, r := range s {
		n = n*10 + int(r-'0')
	}
	return n
}

var quoted = regexp.MustCompile(`["“‘']([^"”’']{1,100})["”’']`)

// cued finds free words that are announced by one of the slot's cues or stand in quotes.
func cued(s provider.SlotCard, text string) (string, bool) {
	lower := strings.ToLower(text)
	for _, cue := range s.Cues {
		i := strings.Index(lower, strings.ToLower(cue))
		if i < 0 {
			continue
		}
		if m := quoted.FindStringSubmatch(text); m != nil {
			return strings.TrimSpace(m[1]), true
		}
		rest := strings.TrimLeft(text[i+len(cue):], " :은는에로을를")
		if v := strings.TrimSpace(tail.ReplaceAllString(rest, "")); v != "" {
			return v, true
		}
	}
	return "", false
}

// tail is what follows free words: the request itself.
var tail = regexp.MustCompile(`(?i)\s*((이?라고|으로|로|을|를)?\s*(추가|적어|넣어|써|등록|남겨|달아|해|지워|빼|삭제)\s?\S{0,3}\s?(줘|주세요|둬|놔|할래|부탁해)?|(to|on|from|off|in) (my |the )?(to-?do|todo)?\s?-?(list)?)[.!~ ]*$`)
