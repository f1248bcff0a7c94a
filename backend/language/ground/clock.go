package ground

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/slot"
	"agentchat/backend/lazyregexp"
)

// clocks finds times of day. Without a half of the day, one to seven o'clock are in the afternoon. A bare number behind "at" is one where
// no slot could take it for an amount or a place.
func (p *parsed) clocks() {
	loose := len(p.slots.of(Money))+len(p.slots.of(Number))+len(p.slots.of(Name))+len(p.slots.of(Enum)) == 0
	all := slot.Clocks(p.open(), loose)
	for i, c := range all {
		if i > 0 && spans.MatchString(p.s[all[i-1].End:c.Start]) {
			continue // where what begins at the one before it ends: 두 시부터 네 시까지
		}
		hour := c.Hour
		if hour == 24 && strings.HasPrefix(p.s[c.Start:], "24") {
			continue // 24시 is no time of the day that is meant
		}
		if !c.Sure && !c.Digits && c.Within(1, 7) {
			hour += 12
		}
		p.add(item{Finding: Finding{Kind: Time, Value: fmt.Sprintf("%02d:%02d", hour%24, c.Minute)}, from: c.Start, to: c.End})
	}
}

// spans is what stands between the beginning and the end of a time.
var spans = lazyregexp.New(`^\s*(?:부터|에서|~|-|–|to|till|until)\s*$`)

// dayParts finds the part of the day that is said with a day, where no hour is said at all: tomorrow evening, 금요일 오후에.
func (p *parsed) dayParts() {
	times := p.slots.of(Time)
	if len(times) == 0 || slices.ContainsFunc(times, func(s Slot) bool { return s.Exact }) || slices.ContainsFunc(p.items, func(it item) bool { return it.Kind == Time }) {
		return
	}
	for _, day := range p.items {
		if day.Kind != Date {
			continue
		}
		today := day.Value == p.request.Now.Format(time.DateOnly)
		hour, end, ok := slot.DayPart(p.s[day.to:], today && !day.weekly, p.request.Now)
		if !ok {
			continue
		}
		if today && day.weekly && p.request.Now.Hour() >= hour {
			p.aWeekOn(day)
		}
		p.add(item{Finding: Finding{Kind: Time, Value: fmt.Sprintf("%02d:00", hour)}, from: day.to, to: day.to + end})
		return
	}
}

// aWeekOn has a day of the week that is today mean the next one: Friday morning, said on a Friday evening.
func (p *parsed) aWeekOn(day item) {
	now := p.request.Now
	next := time.Date(now.Year(), now.Month(), now.Day()+7, 12, 0, 0, 0, now.Location()).Format(time.DateOnly)
	for i, it := range p.items {
		if it.Kind == Date && it.from == day.from {
			p.items[i].Value = next
		}
	}
}

// hourAhead is where free words begin behind a time of day that stands before them, or a part of a day behind the day: 오후 3시에 병원 가기.
func hourAhead(s string, behindDay bool) int {
	lead := len(s) - len(strings.TrimPrefix(s, "at "))
	end := 0
	if clocks := slot.Clocks(s[lead:], false); len(clocks) > 0 && clocks[0].Start == 0 {
		end = clocks[0].End
	} else if _, part, ok := slot.DayPart(" "+s[lead:], false, time.Time{}); ok && behindDay {
		end = part - 1
	} else {
		return 0
	}
	rest := s[lead+end:]
	for _, particle := range []string{"에", "까지"} {
		rest = strings.TrimPrefix(rest, particle)
	}
	if trimmed := strings.TrimLeft(rest, " "); trimmed != "" && len(trimmed) < len(rest) {
		return len(s) - len(trimmed)
	}
	return 0
}
