package tools

import (
	"context"
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // zones also where the system has none (Windows)

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/hangul"
	"agentchat/backend/toolbox"
)

// clock tells the time and the date, here or somewhere else.
type clock struct{ deps Deps }

func (*clock) Spec() toolbox.Spec { return manual("clock") }

func (c *clock) Run(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args struct {
		Place string `json:"place"`
		Day   string `json:"day"`
	}
	if err := call.Read(&args); err != nil {
		return toolbox.Result{}, err
	}
	now := c.deps.Now()
	where, zone := "", now.Location().String()
	if name := strings.TrimSpace(args.Place); name != "" {
		place, err := c.deps.place(name)
		if err != nil {
			return toolbox.Result{}, err
		}
		location, err := time.LoadLocation(place.Zone)
		if err != nil {
			return toolbox.Result{}, apperr.Wrap(err, apperr.Internal)
		}
		now, where, zone = now.In(location), place.Name(call.Lang), place.Zone
	}
	ahead, err := daysAhead(args.Day, now)
	if err != nil {
		return toolbox.Result{}, apperr.Wrap(err, apperr.InvalidArgs, "detail", bilingual.Say(call.Lang, "날짜를 알 수 없어요", "the day is not a date"))
	}
	if ahead != 0 {
		return calendarDay(ahead, now, zone, call.Lang)
	}
	text := bilingual.Say(call.Lang, "지금은 "+koreanTime(now)+"이에요.", "It is "+englishTime(now)+".")
	if where != "" {
		text = bilingual.Say(call.Lang, hangul.With(where, "은", "는")+" 지금 "+koreanTime(now)+"이에요.", "In "+where+" it is "+englishTime(now)+".")
	}
	return toolbox.ResultOf(struct {
		Time  string `json:"time"`
		Zone  string `json:"zone"`
		Place string `json:"place,omitempty"`
	}{now.Format(time.RFC3339), zone, where}, text)
}

// calendarDay tells the date of another day than today.
func calendarDay(ahead int, now time.Time, zone string, lang bilingual.Lang) (toolbox.Result, error) {
	day := time.Date(now.Year(), now.Month(), now.Day()+ahead, 0, 0, 0, 0, now.Location())
	far, how := fmt.Sprintf("%d일 뒤", ahead), fmt.Sprintf("in %d days", ahead)
	switch {
	case ahead == 1:
		far, how = "내일", "tomorrow"
	case ahead == -1:
		far, how = "어제", "yesterday"
	case ahead < 0:
		far, how = fmt.Sprintf("%d일 전", -ahead), fmt.Sprintf("%d days ago", -ahead)
	}
	return toolbox.ResultOf(struct {
		Time string `json:"time"`
		Zone string `json:"zone"`
		Days int    `json:"days"`
	}{day.Format(time.RFC3339), zone, ahead}, bilingual.Say(lang, far+": "+koreanDate(day), day.Format("Monday, January 2, 2006")+" ("+how+")"))
}

func koreanDate(t time.Time) string {
	days := [...]string{"일", "월", "화", "수", "목", "금", "토"}
	return fmt.Sprintf("%d년 %d월 %d일 %s요일", t.Year(), t.Month(), t.Day(), days[t.Weekday()])
}

func koreanTime(t time.Time) string {
	half, hour := "오전", t.Hour()
	if hour >= 12 {
		half, hour = "오후", hour-12
	}
	if hour == 0 {
		hour = 12
	}
	return fmt.Sprintf("%s %s %d시 %d분", koreanDate(t), half, hour, t.Minute())
}

func englishTime(t time.Time) string { return t.Format("3:04 PM on Monday, January 2, 2006") }
