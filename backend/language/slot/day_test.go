package slot_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agentchat/backend/language/slot"
)

// days writes what was found; a day that does not exist is "impossible".
func days(text string, now time.Time) string {
	var list []string
	for _, d := range slot.Days(text, now) {
		if d.Impossible {
			list = append(list, "impossible")
		} else {
			list = append(list, d.Date)
		}
	}
	return strings.Join(list, ", ")
}

func TestDays(t *testing.T) {
	for want, texts := range map[string][]string{
		"2026-11-21": {"오늘", "today", "금일", "주말", "토요일", "11월 21일", "21일에"},
		"2026-11-22": {"내일", "tomorrow", "명일", "내일까지", "하루 뒤", "in 1 day", "1일 후", "낼", "엄마한테내일", "22일에", "22일", "일요일"},
		"2026-11-23": {"모레", "내일모레", "내일 모레", "이틀 뒤", "day after tomorrow"},
		"2026-11-24": {"글피", "사흘 뒤", "3일 뒤", "3일 후에", "in 3 days", "3 days from now", "삼일 뒤", "in three days"},
		"2026-11-20": {"어제", "yesterday", "이번 주 금요일"},
		"2026-11-27": {"금요일", "다음 주 금요일", "다음주 금요일", "next Friday", "Friday", "on Friday", "차주 금요일", "치과 금요일로 바꿔줘"},
		"2026-11-28": {"일주일 뒤", "1주 후", "in a week", "a week from now", "일주일 후에", "7일 뒤", "다음 주 토요일"},
		"2026-12-01": {"2026-12-01", "2026.12.1", "2026/12/1", "2026. 12. 1.", "12월 1일", "12/1", "Dec 1", "december 1st", "1 December 2026", "1st of December", "열흘 뒤", "십이월 일일", "2026년 12월 1일", "26년 12월 1일", "다음 달 1일", "담달 1일", "12월1일에", "the 1st of next month"},
		"2026-12-05": {"다음 달 5일", "the 5th of next month", "다음 달 오일", "5일에", "14일 뒤", "보름 전 말고 5일에"},
		"2026-11-30": {"이번 달 말일", "월말", "이번 달 말", "end of month", "end of the month", "말일에", "11월 말"},
		"2026-12-31": {"다음 달 말일", "end of next month", "12월 말일", "올해 12월 31일"},
		"2027-03-05": {"3월 5일", "3/5", "March 5", "5 March", "삼월 오일", "March 5th, 2027", "27년 3월 5일", "내년 3월 5일"},
		"2026-12-25": {"크리스마스", "올해 크리스마스까지", "성탄절에", "Christmas", "christmas day", "Xmas 2026"},
		"2026-12-24": {"크리스마스 이브에", "Christmas Eve"},
		"2027-02-07": {"설날", "내년 설날은", "2027년 구정", "lunar new year"},
		"2027-09-15": {"추석", "내년 추석에"}, "2026-09-25": {"올해 추석"}, "2027-05-13": {"부처님오신날"},
		"2026-11-26": {"추수감사절", "thanksgiving"}, "2027-05-09": {"Mother's Day"}, "2027-03-28": {"easter"}, "2027-05-05": {"어린이날"}, "2027-05-15": {"스승의날"},
		"2026-12-21": {"한 달 뒤", "1개월 후", "in a month", "in one month"},
		"2027-06-10": {"유월 십일", "6월 10일"},
		"2027-10-31": {"시월 삼십일일"},
		"2028-02-29": {"2028년 2월 29일", "2028-02-29"},
		"2027-02-28": {"2월 말일", "2월 28일"},
		"impossible": {"2월 30일", "2월 29일", "4월 31일", "13월 1일", "2026-02-30", "2026-13-01", "2/30", "Feb 30", "31 April", "0월 0일", "이번 달 31일", "2027-02-29", "0일 뒤"},
		"2026-11-22, 2026-11-23": {
			"내일 말고 모레", "tomorrow or the day after tomorrow",
		},
		"": {"", "크리스마스트리", "설날음식", "추석빔", "국내일정", "안내일까", "3일 동안", "3일간", "3일 만에", "3일 전", "1.5만", "엄마", "3만원", "may I", "그제서야", "다음 달", "3시 5분", "1000/2000", "010-1234-5678"},
	} {
		for _, text := range texts {
			if got := days(text, now); got != want {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		}
	}
}

// A day may be counted from another that is named with it, and be named by its place in a month.
func TestDaysFromDays(t *testing.T) {
	for want, texts := range map[string][]string{ // it is Saturday, 21 November 2026
		"2027-03-01":             {"오늘부터 100일 뒤가 며칠이야", "오늘로부터 100일 후는?", "100 days from today"},
		"2026-12-13":             {"내일부터 3주 뒤는 며칠이야", "내일부터 삼 주 후", "3 weeks from tomorrow", "three weeks after tomorrow"},
		"2027-04-04":             {"12월 25일부터 100일 뒤는 언제야", "크리스마스에서 100일 지나면", "100 days after december 25", "what's the date 100 days after Christmas?"},
		"2027-04-03":             {"5월 3일에서 30일 전은 며칠", "30 days before May 3"},
		"2026-12-24":             {"the day before christmas", "크리스마스부터 하루 전"},
		"2026-12-26":             {"the day after christmas"},
		"2027-02-28":             {"1월 31일부터 한 달 뒤", "a month after january 31"},
		"2026-12-07":             {"12월 첫째 주 월요일 3시 회의", "다음 달 첫째 월요일", "12월의 첫 번째 월요일", "the first monday of december", "first Monday in December 2026"},
		"2026-12-25":             {"12월 마지막 금요일", "다음 달 넷째 주 금요일", "last friday of next month", "the 4th friday of december"},
		"2027-10-01":             {"10월 첫째 금요일", "first friday of october"},
		"2026-11-06":             {"이번 달 첫째 주 금요일", "the first friday of this month"},
		"impossible":             {"12월 다섯째 월요일", "13월 첫째 월요일", "the fifth monday of december"},
		"2026-11-22":             {"내일부터 3일 동안", "내일부터 사흘간"},
		"2026-11-22, 2026-11-24": {"내일까지, 3일 뒤 말고", "tomorrow or in 3 days"},
	} {
		for _, text := range texts {
			if got := days(text, now); got != want {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		}
	}
}

// The customer's zone and the turns of years and leap years.
func TestDaysAtTheTurn(t *testing.T) {
	seoul := time.FixedZone("KST", 9*3600)
	for _, c := range []struct {
		now        time.Time
		text, want string
	}{
		{time.Date(2026, 12, 31, 23, 59, 59, 0, seoul), "내일", "2027-01-01"},
		{time.Date(2026, 12, 31, 15, 30, 0, 0, time.UTC).In(seoul), "오늘", "2027-01-01"},
		{time.Date(2026, 12, 31, 15, 30, 0, 0, time.UTC), "오늘", "2026-12-31"},
		{time.Date(2026, 12, 28, 9, 0, 0, 0, seoul), "다음 주 금요일", "2027-01-08"},
		{time.Date(2028, 2, 28, 9, 0, 0, 0, seoul), "내일", "2028-02-29"},
		{time.Date(2028, 2, 1, 9, 0, 0, 0, seoul), "2월 29일", "2028-02-29"},
		{time.Date(2028, 3, 1, 9, 0, 0, 0, seoul), "2월 29일", "impossible"},
		{time.Date(2027, 1, 31, 9, 0, 0, 0, seoul), "한 달 뒤", "2027-02-28"},
		{time.Date(2026, 12, 15, 9, 0, 0, 0, seoul), "다음 달 5일", "2027-01-05"},
		{time.Date(2026, 11, 27, 9, 0, 0, 0, seoul), "금요일", "2026-11-27"},
		{time.Date(2026, 12, 31, 9, 0, 0, 0, seoul), "12월 31일", "2026-12-31"},
		{time.Date(2027, 1, 1, 9, 0, 0, 0, seoul), "12월 31일", "2027-12-31"},
	} {
		if got := days(c.text, c.now); got != c.want {
			t.Errorf("%s on %s: got %s, want %s", c.text, c.now.Format(time.DateTime), got, c.want)
		}
	}
}

// Every day there is reads back from every way to write it, whatever the day it is read on.
func TestDaysReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		today := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, rapid.IntRange(0, 20000).Draw(t, "today"))
		day := today.AddDate(0, 0, rapid.IntRange(0, 364).Draw(t, "ahead"))
		layouts := []string{"2006-01-02", "2006.1.2", "2006년 1월 2일", "1월 2일", "1/2", "January 2", "2 January 2006", "Jan 2, 2006"}
		text := day.Format(rapid.SampledFrom(layouts).Draw(t, "layout"))
		if got := days("엄마한테 "+text+" 보내줘", today); got != day.Format(time.DateOnly) {
			t.Fatalf("%q on %s: got %q", text, today.Format(time.DateOnly), got)
		}
	})
}

func FuzzDays(f *testing.F) {
	fuzz(f, func(t *testing.T, text string) {
		end := 0
		for _, d := range slot.Days(text, now) {
			if d.Start < end || d.End <= d.Start || d.End > len(text) {
				t.Fatalf("%q: place %d to %d behind %d", text, d.Start, d.End, end)
			}
			end = d.End
			if _, err := time.Parse(time.DateOnly, d.Date); (err != nil) != d.Impossible {
				t.Errorf("%q: %+v", text, d)
			}
		}
	})
}
