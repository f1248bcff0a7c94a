package tools

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/outbound"
	"agentchat/backend/toolbox"
)

// weather reads the forecast of a place for a day.
type weather struct{ deps Deps }

func (*weather) Spec() toolbox.Spec { return manual("weather") }

func (w *weather) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args struct {
		Place string `json:"place"`
		Day   string `json:"day"`
	}
	if err := call.Read(&args); err != nil {
		return toolbox.Result{}, err
	}
	place, err := w.deps.place(strings.TrimSpace(args.Place))
	if err != nil {
		return toolbox.Result{}, err
	}
	zone, err := time.LoadLocation(place.Zone)
	if err != nil {
		return toolbox.Result{}, apperr.Wrap(err, apperr.Internal)
	}
	here := w.deps.Now()
	today := here.In(zone)
	if args.Day == here.Format(time.DateOnly) {
		args.Day = "" // who asks about today means the place's, where it may be another day
	}
	day, err := dayOf(args.Day, today)
	if err != nil {
		return toolbox.Result{}, apperr.Wrap(err, apperr.InvalidArgs, "detail",
			bilingual.Say(call.Lang, "날짜는 오늘부터 7일 뒤까지 물어볼 수 있어요", "the day must be from today to seven days ahead"))
	}
	ctx, cancel := context.WithTimeout(ctx, forecastWithin)
	defer cancel()
	f, err := fetchForecast(ctx, w.deps.HTTP, w.deps.ForecastURL, place.Point, place.Zone)
	if err != nil {
		return toolbox.Result{}, forecastError(err, call.Lang)
	}
	i := slices.Index(f.Daily.Time, day)
	if i < 0 || f.Daily.Code[i] == nil || f.Daily.Max[i] == nil || f.Daily.Min[i] == nil {
		return toolbox.Result{}, forecastError(errors.New("the day is missing in the answer"), call.Lang)
	}
	report := dayReport{
		Place: place.Name(call.Lang), Day: day, Code: *f.Daily.Code[i], Max: *f.Daily.Max[i], Min: *f.Daily.Min[i],
		Source: "Open-Meteo.com",
	}
	if len(f.Daily.Rain) > i {
		report.Rain = f.Daily.Rain[i]
	}
	if day == today.Format(time.DateOnly) {
		report.Now = f.Current.Temperature
		if f.Current.Code != nil {
			report.Code = *f.Current.Code
		}
	}
	ko, en := sky(report.Code)
	report.Sky = bilingual.Say(call.Lang, ko, en)
	return toolbox.ResultOf(report, report.text(call.Lang, today))
}

func forecastError(err error, lang bilingual.Lang) error {
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case outbound.Refused(err):
		return apperr.From(err)
	case errors.Is(err, errUnreachable):
		return apperr.Wrap(err, apperr.Offline, "what", bilingual.Say(lang, "날씨 예보", "the forecast"))
	case errors.Is(err, context.DeadlineExceeded):
		return apperr.Wrap(err, apperr.Timeout)
	}
	return apperr.Wrap(err, apperr.ToolFailed, "tool", "weather", "detail", bilingual.Say(lang, "예보 서비스의 답을 읽을 수 없어요", "the forecast service gave no usable answer"))
}

// dayReport is the weather of one day. Temperatures are in °C, rain in percent; Now is set for today.
type dayReport struct {
	Place  string   `json:"place"`
	Day    string   `json:"day"`
	Sky    string   `json:"sky"`
	Code   int      `json:"code"`
	Min    float64  `json:"min"`
	Max    float64  `json:"max"`
	Now    *float64 `json:"now,omitempty"`
	Rain   *float64 `json:"rain,omitempty"`
	Source string   `json:"source"`
}

func (r dayReport) text(lang bilingual.Lang, today time.Time) string {
	degree := func(v float64) string { return strconv.Itoa(int(math.Round(v))) + "°C" }
	ko := fmt.Sprintf("%s %s 날씨: %s", r.Place, dayName(r.Day, today, bilingual.KO), r.Sky)
	en := fmt.Sprintf("%s, %s: %s", r.Place, dayName(r.Day, today, bilingual.EN), r.Sky)
	if r.Now != nil {
		ko, en = ko+", 지금 "+degree(*r.Now), en+", now "+degree(*r.Now)
	}
	ko += fmt.Sprintf(", 최저 %s / 최고 %s", degree(r.Min), degree(r.Max))
	en += fmt.Sprintf(", low %s / high %s", degree(r.Min), degree(r.Max))
	if r.Rain != nil {
		percent := strconv.Itoa(int(math.Round(*r.Rain))) + "%"
		ko, en = ko+", 강수 확률 "+percent, en+", chance of rain "+percent
	}
	return bilingual.Say(lang, ko+" (Open-Meteo)", en+" (Open-Meteo)")
}

var errBadDay = errors.New("not a day of the forecast")

// dayWords are days said by their distance from today.
var dayWords = map[string]int{
	"": 0, "오늘": 0, "지금": 0, "today": 0, "now": 0, "tonight": 0, "내일": 1, "tomorrow": 1, "모레": 2, "내일모레": 2, "day_after_tomorrow": 2, "글피": 3,
}

// dayOf turns a day of the forecast as arguments give it into a date of the place.
func dayOf(text string, today time.Time) (string, error) {
	ahead, err := daysAhead(text, today)
	if err != nil || ahead < 0 || ahead >= forecastDays {
		return "", errBadDay
	}
	return today.AddDate(0, 0, ahead).Format(time.DateOnly), nil
}

// daysAhead is how far a day is, as arguments give it: a date, a word, or a number of days ahead such as +2.
func daysAhead(text string, today time.Time) (int, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	ahead, said := dayWords[text]
	if number, ok := strings.CutPrefix(text, "+"); ok {
		n, err := strconv.Atoi(number)
		if err != nil {
			return 0, errBadDay
		}
		ahead, said = n, true
	}
	if !said {
		date, err := time.ParseInLocation(time.DateOnly, text, time.UTC)
		if err != nil {
			return 0, errBadDay
		}
		first, _ := time.ParseInLocation(time.DateOnly, today.Format(time.DateOnly), time.UTC)
		ahead = int(date.Sub(first) / (24 * time.Hour))
	}
	return ahead, nil
}

// dayName says a date as today, tomorrow or a day of the month.
func dayName(day string, today time.Time, lang bilingual.Lang) string {
	switch day {
	case today.Format(time.DateOnly):
		return bilingual.Say(lang, "오늘", "today")
	case today.AddDate(0, 0, 1).Format(time.DateOnly):
		return bilingual.Say(lang, "내일", "tomorrow")
	}
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return bilingual.Say(lang, fmt.Sprintf("%d월 %d일", date.Month(), date.Day()), date.Format("Monday, January 2"))
}
