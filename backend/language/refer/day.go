package refer

import (
	"strings"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/lazyregexp"
)

// thatDay is a day that was spoken of before, or the one beside it. In English that one ends a clause: the day after tomorrow is another.
var thatDay = lazyregexp.New(`(?i)(^|[\s,])(?:(?:(?:on )?(?:that|the) same day|(?:on )?that day|그\s?날|그\s?(?:다음|전)\s?날)((?:에는|에도|에|은|도)?(?:[\s,.!?]|$))` +
	`|(?:on )?the day (?:after|before)(?: that)?(\s?(?:[,.!?]|$)))`)

var (
	dayAfter  = lazyregexp.New(`(?i)day after|다음\s?날`)
	dayBefore = lazyregexp.New(`(?i)day before|전\s?날`)
)

// ThatDay tells whether a message points at a day that was spoken of.
func ThatDay(text string) bool { return thatDay.MatchString(text) }

// SpellDay puts a day, as 2006-01-02, in the place of the words that point at it.
func SpellDay(text, day string, now time.Time) string {
	spot := thatDay.FindStringSubmatchIndex(text)
	if spot == nil {
		return text
	}
	end := max(spot[4], spot[6])
	if at, err := time.Parse(time.DateOnly, day); err == nil {
		switch pointed := text[spot[3]:end]; {
		case dayAfter.MatchString(pointed):
			day = at.AddDate(0, 0, 1).Format(time.DateOnly)
		case dayBefore.MatchString(pointed):
			day = at.AddDate(0, 0, -1).Format(time.DateOnly)
		}
	}
	lang, on := bilingual.KO, ""
	if !phrase.Korean(text) {
		lang, on = bilingual.EN, "on "
	}
	said := on + slot.SayDay(day, lang)
	if at, err := time.ParseInLocation(time.DateOnly, day, now.Location()); err == nil && (at.Before(now.AddDate(0, 0, -1)) || at.After(now.AddDate(1, 0, -1))) {
		said = on + day
	}
	return strings.TrimSpace(text[:spot[3]] + said + text[end:])
}

// Undoes tells whether a message takes back what was done, and no wish of its own: no wait, undo that.
func Undoes(text string, now time.Time) bool {
	m, ok := Read(text, now)
	return ok && m.Action == Undo
}
