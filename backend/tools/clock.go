package tools

import (
	"cmp"
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
		Than  string `json:"than"`
		At    string `json:"at"`
	}
	if err := call.Read(&args); err != nil {
		return toolbox.Result{}, err
	}
	here, err := c.in(args.Than, call.Lang)
	if err != nil {
		return toolbox.Result{}, err
	}
	there := here
	if args.Place != "" {
		if there, err = c.in(args.Place, call.Lang); err != nil {
			return toolbox.Result{}, err
		}
	}
	if args.At != "" {
		at, err := time.ParseInLocation(time.DateOnly+" 15:04", here.now.Format(time.DateOnly)+" "+args.At, here.now.Location())
		if err != nil {
			return toolbox.Result{}, apperr.Wrap(err, apperr.InvalidArgs, "detail", args.At)
		}
		here.now, there.now = at, at.In(there.now.Location())
	}
	ahead, err := daysAhead(args.Day, there.now)
	if err != nil {
		return toolbox.Result{}, apperr.Wrap(err, apperr.InvalidArgs, "detail", bilingual.Say(call.Lang, "날짜를 알 수 없어요", "the day is not a date"))
	}
	if ahead != 0 {
		return calendarDay(ahead, there.now, there.zone, call.Lang)
	}
	text := bilingual.Say(call.Lang, "지금은 "+hangul.With(koreanTime(there.now), "이에요.", "예요."), "It is "+englishTime(there.now)+".")
	switch {
	case args.At != "":
		text = bilingual.Say(call.Lang, here.said("여기", "이", "가")+" "+hangul.With(bilingual.Clock(here.now, bilingual.KO), "이면 ", "면 ")+there.said("여기", "은", "는")+" "+hangul.With(koreanTime(there.now), "이에요.", "예요."),
			"When it is "+bilingual.Clock(here.now, bilingual.EN)+" "+here.englishIn()+", it is "+englishTime(there.now)+" "+there.englishIn()+".")
	case there.name != "":
		text = bilingual.Say(call.Lang, hangul.With(there.name, "은", "는")+" 지금 "+hangul.With(koreanTime(there.now), "이에요.", "예요."), "In "+there.name+" it is "+englishTime(there.now)+".")
	}
	apart := there.ahead(here)
	if there.name != "" && (apart != 0 || args.Than != "") {
		text += " " + there.apart(here, call.Lang)
	}
	return toolbox.ResultOf(struct {
		Time  string `json:"time"`
		Zone  string `json:"zone"`
		Place string `json:"place,omitempty"`
		Ahead int    `json:"ahead,omitempty"` // minutes, of the other place
	}{there.now.Format(time.RFC3339), there.zone, there.name, int(apart / time.Minute)}, text)
}

// wall is the clock on the wall of a place; without a name it is here.
type wall struct {
	name, zone string
	now        time.Time
}

func (c *clock) in(name string, lang bilingual.Lang) (wall, error) {
	now := c.deps.Now()
	if name = strings.TrimSpace(name); name == "" {
		return wall{zone: now.Location().String(), now: now}, nil
	}
	place, err := c.deps.place(name)
	if err != nil {
		return wall{}, err
	}
	location, err := time.LoadLocation(place.Zone)
	if err != nil {
		return wall{}, apperr.Wrap(err, apperr.Internal)
	}
	return wall{place.Name(lang), place.Zone, now.In(location)}, nil
}

// ahead is how much a clock is ahead of another.
func (w wall) ahead(other wall) time.Duration {
	_, own := w.now.Zone()
	_, theirs := w.now.In(other.now.Location()).Zone()
	return time.Duration(own-theirs) * time.Second
}

// said is the place with its particle.
func (w wall) said(here, after, afterVowel string) string {
	return hangul.With(cmp.Or(w.name, here), after, afterVowel)
}

func (w wall) englishIn() string {
	if w.name == "" {
		return "here"
	}
	return "in " + w.name
}

// apart says how far two clocks are apart.
func (w wall) apart(other wall, lang bilingual.Lang) string {
	by, ko, en := w.ahead(other), "빨라요", "ahead of"
	if by == 0 {
		return bilingual.Say(lang, other.said("여기", "과", "와")+" 시각이 같아요.", "That is the same time as "+other.englishIn()+".")
	}
	if by < 0 {
		by, ko, en = -by, "늦어요", "behind"
	}
	return bilingual.Say(lang, cmp.Or(other.name, "여기")+"보다 "+span(by, bilingual.KO)+" "+ko+".", "That is "+span(by, bilingual.EN)+" "+en+" "+cmp.Or(other.name, "here")+".")
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
	return koreanDate(t) + " " + bilingual.Clock(t, bilingual.KO)
}

func englishTime(t time.Time) string {
	return bilingual.Clock(t, bilingual.EN) + t.Format(" on Monday, January 2, 2006")
}
