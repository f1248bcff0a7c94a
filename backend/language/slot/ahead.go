package slot

import (
	"strings"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/lazyregexp"
)

// Ahead is how long before something, with the bytes it stands on: 30분 전에, an hour before.
type Ahead struct {
	Start, End int
	Minutes    int64
}

const (
	minutesOfHour = 60
	minutesOfDay  = 24 * minutesOfHour
	// maxAhead is how many minutes before something words may name: a year.
	maxAhead = 366 * minutesOfDay
)

// The groups: 1 count 2 unit 3 half, 4 minutes more, 5 days by name; 6 count 7 unit.
var aheads = lazyregexp.New(`(?:(` + koCount + `|반)\s?(분|시간|일|주일|주)(?:\s?(반)|\s(` + koNumber + `)\s?분)?|(하루|이틀|사흘|나흘|닷새|열흘|보름|일주일|이주일))\s?(?:전|미리)(?:쯤)?(?:에|부터)?(?:$|[\s,.!?])` +
	`|\b(half an|the|` + enCount + `|fifteen|twenty|forty|forty-five)[\s-](min|minute|hour|hr|day|week)s? (?:before(?:hand)?|ahead|prior|in advance)\b(?: (?:of|to)\b)?`)

var enMore = map[string]int64{"the": 1, "fifteen": 15, "twenty": 20, "forty": 40, "forty-five": 45}

// Aheads finds how long before something words name, in a text of small letters. A time of day (3시 30분 전) is none.
func Aheads(text string) (list []Ahead) {
	for _, m := range aheads.FindAllStringSubmatchIndex(text, -1) {
		g := spanned(text, m)
		if hangulSyllable(before(text, m[0])) && !dative(text[:m[0]]) || strings.HasSuffix(strings.TrimRight(text[:m[0]], " "), "시") && g[2] == "분" {
			continue
		}
		n := int64(0)
		switch {
		case g[5] != "":
			n = int64(nativeDays[g[5]]) * minutesOfDay
		case g[1] == "반":
			n = minutesIn(g[2]) / 2
		case g[1] != "":
			n = int64(koreanCount(g[1])) * minutesIn(g[2])
			if g[3] != "" {
				n += minutesIn(g[2]) / 2
			}
			n += int64(sinoNumber(g[4]))
		case g[6] == "half an":
			n = minutesIn(g[7]) / 2
		default:
			n = int64(englishCount(g[6])) * minutesIn(g[7])
			if more := enMore[g[6]]; more > 0 {
				n = more * minutesIn(g[7])
			}
		}
		if n > 0 && n <= maxAhead {
			list = append(list, Ahead{m[0], m[0] + len(strings.TrimRight(text[m[0]:m[1]], " ,.!?")), n})
		}
	}
	return list
}

func minutesIn(unit string) int64 {
	switch unit {
	case "시간", "hour", "hr":
		return minutesOfHour
	case "일", "day":
		return minutesOfDay
	case "주", "주일", "week":
		return 7 * minutesOfDay
	}
	return 1
}

// SayAhead says how long before something minutes are: 1시간 30분 전, 1 hour 30 minutes before.
func SayAhead(minutes int64, lang bilingual.Lang) string {
	var parts []string
	for _, u := range []struct {
		minutes int64
		ko, en  string
	}{{minutesOfDay, "일", " day"}, {minutesOfHour, "시간", " hour"}, {1, "분", " minute"}} {
		if n := minutes / u.minutes; n > 0 {
			many := ""
			if n > 1 {
				many = "s"
			}
			parts = append(parts, bilingual.Say(lang, "%d"+u.ko, "%d"+u.en+many, n))
			minutes -= n * u.minutes
		}
	}
	return strings.Join(parts, " ") + bilingual.Say(lang, " 전", " before")
}
