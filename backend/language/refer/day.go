package refer

import (
	"strings"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/lazyregexp"
)

// thatDay is a day that was spoken of before.
var thatDay = lazyregexp.New(`(?i)(^|[\s,])(?:(?:on )?(?:that|the) same day|(?:on )?that day|그\s?날)((?:에는|에도|에|은|도)?(?:[\s,.!?]|$))`)

// ThatDay tells whether a message points at a day that was spoken of.
func ThatDay(text string) bool { return thatDay.MatchString(text) }

// SpellDay puts a day, as 2006-01-02, in the place of the words that point at it.
func SpellDay(text, day string, now time.Time) string {
	lang, on := bilingual.KO, ""
	if !phrase.Korean(text) {
		lang, on = bilingual.EN, "on "
	}
	said := on + slot.SayDay(day, lang)
	if at, err := time.ParseInLocation(time.DateOnly, day, now.Location()); err == nil && (at.Before(now.AddDate(0, 0, -1)) || at.After(now.AddDate(1, 0, -1))) {
		said = on + day
	}
	at := thatDay.FindStringSubmatchIndex(text)
	if at == nil {
		return text
	}
	return strings.TrimSpace(text[:at[3]] + said + text[at[4]:])
}

// Undoes tells whether a message takes back what was done, and no wish of its own: no wait, undo that.
func Undoes(text string, now time.Time) bool {
	m, ok := Read(text, now)
	return ok && m.Action == Undo
}
