package tools

import (
	"context"
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // zones also where the system has none (Windows)

	"agentchat/backend/apperr"
	"agentchat/backend/hangul"
	"agentchat/backend/toolbox"
)

// clock tells the time and the date, here or somewhere else.
type clock struct{ deps Deps }

func (*clock) Spec() toolbox.Spec { return manual("clock") }

func (c *clock) Run(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args struct {
		Place string `json:"place"`
	}
	if err := readArgs(call, &args); err != nil {
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
	text := say(call.Lang, "지금은 "+koreanTime(now)+"이에요.", "It is "+englishTime(now)+".")
	if where != "" {
		text = say(call.Lang, hangul.With(where, "은", "는")+" 지금 "+koreanTime(now)+"이에요.", "In "+where+" it is "+englishTime(now)+".")
	}
	return result(struct {
		Time  string `json:"time"`
		Zone  string `json:"zone"`
		Place string `json:"place,omitempty"`
	}{now.Format(time.RFC3339), zone, where}, text)
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
