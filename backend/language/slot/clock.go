package slot

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"

	"agentchat/backend/lazyregexp"
)

// Clock is a time of day that words name, with the bytes it stands on. Hour goes to 24, which is the midnight a day ends with.
type Clock struct {
	Start, End   int
	Hour, Minute int
	Named        int  // the hour that is named, as far as it is another: a quarter to eight names eight; 0: Hour
	Sure         bool // the words tell which half of the day; otherwise an hour up to 12 may be in either
	Digits       bool // written as 7:30
}

const (
	koHour   = `(\d{1,2}|이?십[일이삼사오육칠팔구]?|열한|열두|열|한|두|세|네|다섯|여섯|일곱|여덟|아홉)`
	koMinute = `(\d{1,2}|[이삼사오]?십[일이삼사오육칠팔구]?|[일이삼사오육칠팔구])`
	enHour   = `(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`
	enHalf   = `(am\b|pm\b|a\.m\.?|p\.m\.?)`
)

// The groups: 1 half 2 hour 3 minute 4 반, 5 hour 6 minute 7 half, 8 hour 9 half or o'clock 10 half, 11 name, 12 hour 13 minute.
var clocks = lazyregexp.New(`(?:(오전|오후|아침|점심|저녁|밤|낮|새벽)에?\s*)?` + koHour + `\s?시(?:\s*` + koMinute + `\s?분|\s*(반))?` +
	`|\b(\d{1,2}):(\d{2})\b(?:\s?` + enHalf + `)?` +
	`|\b(?:at )?` + enHour + `\s?(?:` + enHalf + `|o'?clock\b(?:\s` + enHalf + `)?)` +
	`|(정오|자정|\bnoon\b|\bmidnight\b)` +
	`|\bat ` + enHour + `(?:\s(\d{2}|fifteen|thirty|forty))?(?:$|[?.!, ](?:$|\D))`)

// Minutes said before their hour, as English does: half past six, a quarter to seven, at ten to five. Bare numbers could count things or name a range
// (for 10 after 2 pm, at 2 to 4 pm): those are the steps of a clock's face in words, or are called minutes. The groups: 1 minutes 2 past or to
// 3 hour 4 half.
var reckoned = lazyregexp.New(`\b(?:a )?(half|quarter|five|ten|twenty[ -]five|twenty|(?:\d{1,2}|five|ten|fifteen|twenty|twenty[ -]five) minutes) (past|after|to|till) ` + enHour + `\b(?:\s?` + enHalf + `)?`)

// steps are the minutes that are said without a word for them.
var steps = map[string]int{"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty five": 25, "twenty-five": 25}

// reckonedClocks finds the times that are said by the minutes past an hour or to it.
func reckonedClocks(text string) (out []Clock) {
	for _, m := range reckoned.FindAllStringSubmatchIndex(text, -1) {
		said, past := text[m[2]:m[3]], text[m[4]] != 't'
		minutes, step := steps[strings.TrimSuffix(said, " minutes")]
		if !step {
			minutes = englishCount(strings.TrimSuffix(said, " minutes"))
		}
		step = step && !strings.HasSuffix(said, " minutes")
		numbered := step && said != "half" && said != "quarter"
		switch {
		case said == "half" && !past, minutes <= 0 || minutes > 59:
			continue
		case numbered && text[m[4]:m[5]] != "past" && !strings.HasSuffix(text[:m[0]], "at "): // five to ten of them, ten after lunch
			continue
		}
		c := Clock{Start: m[0], End: m[1], Hour: englishCount(text[m[6]:m[7]])}
		if m[8] >= 0 {
			c.inHalf(text[m[8]:m[9]])
		}
		c.halfBehind(text)
		if c.Hour > 24 {
			continue
		}
		if c.Sure = c.Sure || c.Hour > 12; past {
			c.Minute = minutes
		} else if c.Named, c.Hour, c.Minute = c.Hour, c.Hour-1, 60-minutes; c.Hour < 0 {
			c.Named, c.Hour = 24, 23
		} else if c.Hour == 0 && !c.Sure {
			c.Hour = 12 // ten to one, of either half
		}
		out = append(out, c)
	}
	return out
}

// Within tells whether the hour that is named lies between two, the ends with them.
func (c Clock) Within(from, to int) bool {
	named := cmp.Or(c.Named, c.Hour)
	return named >= from && named <= to && c.Hour < 12
}

// Clocks finds the times of day in a text of small letters. Hours said with nothing but "at" count only where loose is set: an
// amount or a place may be meant.
func Clocks(text string, loose bool) []Clock {
	out := reckonedClocks(text)
	said := out
	for _, m := range clocks.FindAllStringSubmatchIndex(text, -1) {
		g := spanned(text, m)
		c := Clock{Start: m[1] - len(strings.TrimPrefix(g[0], "at ")), End: m[1]}
		if m[24] >= 0 {
			c.End = max(m[25], m[27]) // what follows was only looked at
		}
		if slices.ContainsFunc(said, func(r Clock) bool { return c.Start < r.End && r.Start < c.End }) {
			continue
		}
		if !c.read(g, text, loose) || c.Hour > 24 || c.Minute > 59 {
			continue
		}
		if part := g[1] + g[7] + g[9] + g[10]; part != "" {
			c.inHalf(part)
		}
		c.halfBehind(text)
		c.Sure = c.Sure || c.Hour > 12
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Clock) int { return a.Start - b.Start })
	return out
}

// read takes hour and minute from the groups of clocks; false when they name none.
func (c *Clock) read(g []string, text string, loose bool) bool {
	switch {
	case g[11] != "":
		c.Hour, c.Sure = 12, true
		if g[11] == "자정" || g[11] == "midnight" {
			c.Hour = 24
		}
	case g[2] != "":
		if strings.HasPrefix(text[c.End:], "간") || g[1] == "" && !isDigit(rune(g[2][0])) && unicode.Is(unicode.Hangul, before(text, c.Start)) {
			return false // 세 시간, 다시
		}
		if c.Hour = koreanHours[g[2]]; c.Hour == 0 {
			c.Hour = sinoNumber(g[2])
		}
		c.Minute = sinoNumber(g[3])
		if g[4] != "" {
			c.Minute = 30
		}
	case g[5] != "":
		c.Hour, c.Minute, c.Digits = number(g[5]), number(g[6]), true
	case g[8] != "":
		c.Hour = englishCount(g[8])
	default:
		c.Hour, c.Minute = englishCount(g[12]), englishCount(g[13])
		return loose
	}
	return true
}

var koreanHours = map[string]int{"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10, "열한": 11, "열두": 12}

// inHalf tells which half of the day an hour is in. 밤 goes on after midnight, 낮 begins before noon.
func (c *Clock) inHalf(part string) {
	c.Sure = true
	switch {
	case part[0] == 'p', part[0] == 'e', part[0] == 't', part == "afternoon":
		part = "오후"
	case part[0] == 'a', part[0] == 'm':
		part = "오전"
	case part == "night":
		part = "밤"
	}
	switch part {
	case "오전", "아침", "새벽":
		c.Hour %= 12
	case "밤":
		if c.Hour >= 6 && c.Hour <= 12 {
			c.Hour += 12
		}
	default:
		if c.Hour < 12 && (part != "낮" && part != "점심" || c.Hour < 6) {
			c.Hour += 12
		}
	}
}

// halfBehind reads the half of the day that is said behind an hour: at 3 in the afternoon.
func (c *Clock) halfBehind(text string) {
	if m := behindClock.FindStringIndex(text[c.End:]); m != nil && !c.Sure && c.Hour <= 12 {
		said := text[c.End : c.End+m[1]]
		c.inHalf(said[strings.LastIndexByte(said, ' ')+1:])
		c.End += m[1]
	}
}

var behindClock = lazyregexp.New(`^ (?:in the (?:morning|afternoon|evening)|at night)\b`)

// halves are words that tell the half of the day for an hour said elsewhere in the sentence: 내일 저녁에 회의, 7시.
var halves = lazyregexp.New(`오후|저녁|밤|낮|p\.m|tonight|evening|afternoon|오전|아침|새벽|a\.m|morning`)

// clockTime finds a time of day and gives its next occurrence after now, on the day the text names if it names one.
func clockTime(text string, now time.Time) (time.Time, bool) {
	found := Clocks(text, true)
	if len(found) == 0 {
		return time.Time{}, false
	}
	c := found[0]
	if part := halves.FindString(text); !c.Sure && part != "" {
		c.inHalf(part)
	}
	day := now
	date, named := Date(text, now)
	if named {
		if d, err := time.ParseInLocation(time.DateOnly, date, now.Location()); err == nil {
			day = d
		}
	}
	at := time.Date(day.Year(), day.Month(), day.Day(), c.Hour, c.Minute, 0, 0, now.Location())
	if !at.After(now) && !c.Sure && c.Hour < 12 && at.Add(12*time.Hour).After(now) && !named {
		return at.Add(12 * time.Hour), true // "3시에" at two in the afternoon is this afternoon
	}
	for i := 0; !at.After(now) && i < 2; i++ {
		at = at.AddDate(0, 0, 1)
	}
	return at, at.After(now)
}
