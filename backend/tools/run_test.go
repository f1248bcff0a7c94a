package tools

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// noon is a Wednesday in Seoul.
var noon = time.Date(2026, 3, 4, 12, 34, 56, 0, time.FixedZone("Asia/Seoul", 9*3600))

func at(now time.Time) func() time.Time { return func() time.Time { return now } }

// bench runs one tool and keeps what it said on the way.
type bench struct {
	mu    sync.Mutex
	lines []string
	media []event.Media
}

func (b *bench) call(lang bilingual.Lang, args any) toolbox.Call {
	raw, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	return toolbox.Call{
		JobID: "job-1", Chat: "main", Lang: lang, Args: raw,
		Log: func(_, line string) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.lines = append(b.lines, line)
		},
		Media: func(m event.Media) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.media = append(b.media, m)
		},
	}
}

// shown gives the media events so far, said the log.
func (b *bench) shown() []event.Media {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.media)
}

func (b *bench) said() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.lines)
}

func tool(t *testing.T, deps Deps, key string) toolbox.Tool {
	t.Helper()
	for _, tool := range All(deps) {
		if tool.Spec().Key == key {
			return tool
		}
	}
	t.Fatalf("no tool %s", key)
	return nil
}

type args map[string]any

// run runs a tool to its end and checks its data against its own result schema.
func run(t *testing.T, deps Deps, key string, lang bilingual.Lang, a args) (toolbox.Result, *bench, error) {
	t.Helper()
	b := &bench{}
	tool := tool(t, deps, key)
	got, err := tool.Run(context.Background(), b.call(lang, a))
	if err == nil && got.Park == nil {
		_, validate := resolve(t, tool.Spec().Result)
		var data any
		if err := json.Unmarshal(got.Data, &data); err != nil {
			t.Fatal(err)
		}
		if err := validate.Validate(data); err != nil {
			t.Errorf("%s brought %s: %v", key, got.Data, err)
		}
	}
	return got, b, err
}

func wantCode(t *testing.T, err error, code apperr.Code) {
	t.Helper()
	var e *apperr.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("error %v, want %s", err, code)
	}
	for _, lang := range []bilingual.Lang{bilingual.KO, bilingual.EN} {
		if text := e.Text(lang); strings.ContainsAny(text, "{}") {
			t.Errorf("%s: %q", lang, text)
		}
	}
}

func TestCalculator(t *testing.T) {
	for _, c := range []struct{ expression, ko, en string }{
		{"35000/7", "35000/7 = 5,000", "35000/7 = 5,000"},
		{"0.1+0.2", "0.1+0.2 = 0.3", "0.1+0.2 = 0.3"},
		{"10/3", "10/3 ≈ 3.33333333333333 (순환소수 3.(3))", "10/3 ≈ 3.33333333333333 (repeating 3.(3))"},
		{"sqrt(2)", "sqrt(2) ≈ 1.4142135623731", "sqrt(2) ≈ 1.4142135623731"},
	} {
		for lang, want := range map[bilingual.Lang]string{bilingual.KO: c.ko, bilingual.EN: c.en} {
			if got, _, err := run(t, Deps{}, "calculator", lang, args{"expression": c.expression}); err != nil || got.Text != want {
				t.Errorf("%s: %q, %v", c.expression, got.Text, err)
			}
		}
	}
	_, _, err := run(t, Deps{}, "calculator", bilingual.KO, args{"expression": "1/0"})
	wantCode(t, err, apperr.BadExpression)
	if says := apperr.From(err).Text(bilingual.KO); !strings.Contains(says, "0으로 나눌 수 없어요") {
		t.Errorf("says %q", says)
	}
}

func TestClock(t *testing.T) {
	deps := Deps{Now: at(noon)}
	for _, c := range []struct {
		place, day, ko, en string
	}{
		{"", "2026-06-12", "100일 뒤: 2026년 6월 12일 금요일", "Friday, June 12, 2026 (in 100 days)"},
		{"", "2026-02-22", "10일 전: 2026년 2월 22일 일요일", "Sunday, February 22, 2026 (10 days ago)"},
		{"", "tomorrow", "내일: 2026년 3월 5일 목요일", "Thursday, March 5, 2026 (tomorrow)"},
		{"", "today", "지금은 2026년 3월 4일 수요일 오후 12시 34분이에요.", "It is 12:34 PM on Wednesday, March 4, 2026."},
		{"New York", "", "뉴욕은 지금 2026년 3월 3일 화요일 오후 10시 34분이에요. 여기보다 14시간 늦어요.", "In New York it is 10:34 PM on Tuesday, March 3, 2026. That is 14 hours behind here."},
		{"파리", "", "파리는 지금 2026년 3월 4일 수요일 오전 4시 34분이에요. 여기보다 8시간 늦어요.", "In Paris it is 4:34 AM on Wednesday, March 4, 2026. That is 8 hours behind here."},
	} {
		a := args{}
		if c.place != "" {
			a["place"] = c.place
		}
		if c.day != "" {
			a["day"] = c.day
		}
		for lang, want := range map[bilingual.Lang]string{bilingual.KO: c.ko, bilingual.EN: c.en} {
			if got, _, err := run(t, deps, "clock", lang, a); err != nil || got.Text != want {
				t.Errorf("%s %s: %q, %v", c.place, lang, got.Text, err)
			}
		}
	}
	for _, c := range []struct {
		args   args
		ko, en string
	}{
		{args{"place": "도쿄", "than": "파리"}, "도쿄는 지금 2026년 3월 4일 수요일 오후 12시 34분이에요. 파리보다 8시간 빨라요.", "In Tokyo it is 12:34 PM on Wednesday, March 4, 2026. That is 8 hours ahead of Paris."},
		{args{"place": "도쿄", "than": "서울"}, "도쿄는 지금 2026년 3월 4일 수요일 오후 12시 34분이에요. 서울과 시각이 같아요.", "In Tokyo it is 12:34 PM on Wednesday, March 4, 2026. That is the same time as in Seoul."},
		{args{"place": "런던", "at": "15:00"}, "여기가 오후 3시면 런던은 2026년 3월 4일 수요일 오전 6시예요. 여기보다 9시간 늦어요.", "When it is 3:00 PM here, it is 6:00 AM on Wednesday, March 4, 2026 in London. That is 9 hours behind here."},
		{args{"place": "뉴욕", "than": "서울", "at": "09:00"}, "서울이 오전 9시면 뉴욕은 2026년 3월 3일 화요일 오후 7시예요. 서울보다 14시간 늦어요.", "When it is 9:00 AM in Seoul, it is 7:00 PM on Tuesday, March 3, 2026 in New York. That is 14 hours behind Seoul."},
	} {
		for lang, want := range map[bilingual.Lang]string{bilingual.KO: c.ko, bilingual.EN: c.en} {
			if got, _, err := run(t, deps, "clock", lang, c.args); err != nil || got.Text != want {
				t.Errorf("%v %s: %q, %v", c.args, lang, got.Text, err)
			}
		}
	}
	_, _, err := run(t, deps, "clock", bilingual.KO, args{"place": "어디에도 없는 곳"})
	wantCode(t, err, apperr.PlaceUnknown)
}

func TestTimerParksAndTells(t *testing.T) {
	for _, c := range []struct {
		args   args
		ko, en string
	}{
		{args{"seconds": 300, "message": "라면 확인"}, "5분이 지났어요: 라면 확인", "5 minutes have passed: 라면 확인"},
		{args{"seconds": 3600}, "1시간이 지났어요.", "1 hour has passed."},
		{args{"seconds": 5445}, "1시간 30분 45초가 지났어요.", "1 hour, 30 minutes, 45 seconds have passed."},
		{args{"seconds": 604800}, "7일이 지났어요.", "7 days have passed."},
	} {
		for lang, want := range map[bilingual.Lang]string{bilingual.KO: c.ko, bilingual.EN: c.en} {
			now := noon
			timer := tool(t, Deps{Now: func() time.Time { return now }}, "timer")
			b := &bench{}
			call := b.call(lang, c.args)
			first, err := timer.Run(t.Context(), call)
			due := noon.Add(time.Duration(c.args["seconds"].(int)) * time.Second)
			if err != nil || first.Park == nil || first.Park.UntilUnixMilli != due.UnixMilli() {
				t.Fatalf("first run: %+v, %v", first, err)
			}
			call.Resume = first.Park.Resume
			now = due.Add(-time.Second)
			if early, err := timer.Run(t.Context(), call); err != nil || early.Park == nil || early.Park.UntilUnixMilli != due.UnixMilli() {
				t.Errorf("woken early: %+v, %v", early, err)
			}
			now = due
			if done, err := timer.Run(t.Context(), call); err != nil || done.Park != nil || done.Text != want {
				t.Errorf("%v %s: %q, %v", c.args, lang, done.Text, err)
			}
			if len(b.said()) != 1 {
				t.Errorf("log %q", b.said())
			}
		}
	}
}
