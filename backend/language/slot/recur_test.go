package slot_test

import (
	"testing"
	"time"

	"agentchat/backend/language/slot"
)

func TestRecurrences(t *testing.T) {
	now := time.Date(2026, 11, 23, 13, 20, 0, 0, time.UTC) // a Monday
	for text, want := range map[string]struct{ rule, rest string }{
		"매일 아침 8시에 서울 날씨 알려줘":                                           {"FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0", "서울 날씨 알려줘"},
		"매일 아침 서울 날씨 알려줘":                                               {"FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0", "서울 날씨 알려줘"},
		"평일 9시마다 메모 읽어줘":                                                {"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "메모 읽어줘"},
		"9시마다 메모 읽어줘":                                                   {"FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "메모 읽어줘"},
		"매달 25일에 용걸이한테 5만원 보내줘":                                         {"FREQ=MONTHLY;BYMONTHDAY=25;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "용걸이한테 5만원 보내줘"},
		"매달 31일 9시에 잔액 알려줘":                                             {"FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "잔액 알려줘"},
		"매월 말일 오후 6시 30분에 잔액 알려줘":                                       {"FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=18;BYMINUTE=30;BYSECOND=0", "잔액 알려줘"},
		"두 시간마다 서울 날씨 알려줘, 오늘만":                                         {"FREQ=HOURLY;INTERVAL=2;UNTIL=20261123T235959", "서울 날씨 알려줘"},
		"30분마다 서울 날씨 알려줘":                                               {"FREQ=MINUTELY;INTERVAL=30", "서울 날씨 알려줘"},
		"매주 월, 수, 금요일 저녁 7시에 노래 틀어줘":                                    {"FREQ=WEEKLY;BYDAY=MO,WE,FR;BYHOUR=19;BYMINUTE=0;BYSECOND=0", "노래 틀어줘"},
		"월수금마다 7시에 노래 틀어줘":                                              {"FREQ=WEEKLY;BYDAY=MO,WE,FR;BYHOUR=7;BYMINUTE=0;BYSECOND=0", "노래 틀어줘"},
		"격주 화요일 10시에 메모 읽어줘":                                            {"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;BYHOUR=10;BYMINUTE=0;BYSECOND=0", "메모 읽어줘"},
		"사흘마다 아침 7시에 날씨 알려줘":                                            {"FREQ=DAILY;INTERVAL=3;BYHOUR=7;BYMINUTE=0;BYSECOND=0", "날씨 알려줘"},
		"매일 8시와 20시에 날씨 알려줘":                                            {"FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0;BYSECOND=0", "날씨 알려줘"},
		"매일 9시에 날씨 알려줘, 12월 3일까지":                                       {"FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0;UNTIL=20261203T235959", "날씨 알려줘"},
		"매일 9시에 날씨 알려줘 세 번만":                                            {"FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0;COUNT=3", "날씨 알려줘"},
		"일주일 동안 매일 9시에 날씨 알려줘":                                          {"FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0;UNTIL=20261129T235959", "날씨 알려줘"},
		"매년 2월 29일 9시에 메모 읽어줘":                                          {"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "메모 읽어줘"},
		"매일 8시에 '매주 9시 회의' 메모해줘":                                        {"FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0", "'매주 9시 회의' 메모해줘"},
		"every Monday at 10 tell me the weather":                        {"FREQ=WEEKLY;BYDAY=MO;BYHOUR=10;BYMINUTE=0;BYSECOND=0", "tell me the weather"},
		"Every morning at 7:30, tell me the weather in Seoul":           {"FREQ=DAILY;BYHOUR=7;BYMINUTE=30;BYSECOND=0", "tell me the weather in Seoul"},
		"play a song every evening":                                     {"FREQ=DAILY;BYHOUR=18;BYMINUTE=0;BYSECOND=0", "play a song"},
		"On the 25th of every month at 9am send 50,000 won to Yonggeol": {"FREQ=MONTHLY;BYMONTHDAY=25;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "send 50,000 won to Yonggeol"},
		"tell me the weather every 2 hours, today only":                 {"FREQ=HOURLY;INTERVAL=2;UNTIL=20261123T235959", "tell me the weather"},
		"tell me the weather on weekdays at 8 pm until December 3":      {"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=20;BYMINUTE=0;BYSECOND=0;UNTIL=20261203T235959", "tell me the weather"},
		"every other day at 6 tell me the weather":                      {"FREQ=DAILY;INTERVAL=2;BYHOUR=6;BYMINUTE=0;BYSECOND=0", "tell me the weather"},
		"tell me the weather daily at 9":                                {"FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "tell me the weather"},
		"every Tuesday and Thursday at noon read my notes":              {"FREQ=WEEKLY;BYDAY=TU,TH;BYHOUR=12;BYMINUTE=0;BYSECOND=0", "read my notes"},
		"every other Tuesday until March read my notes":                 {"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;BYHOUR=9;BYMINUTE=0;BYSECOND=0;UNTIL=20270228T235959", "read my notes"},
		"read my notes every Tuesday through March":                     {"FREQ=WEEKLY;BYDAY=TU;BYHOUR=9;BYMINUTE=0;BYSECOND=0;UNTIL=20270331T235959", "read my notes"},
		"every Tuesday until the end of March 2028 read my notes":       {"FREQ=WEEKLY;BYDAY=TU;BYHOUR=9;BYMINUTE=0;BYSECOND=0;UNTIL=20280331T235959", "read my notes"},
		"every Tuesday until next year read my notes":                   {"FREQ=WEEKLY;BYDAY=TU;BYHOUR=9;BYMINUTE=0;BYSECOND=0;UNTIL=20261231T235959", "read my notes"},
		"every Tuesday until the end of the month read my notes":        {"FREQ=WEEKLY;BYDAY=TU;BYHOUR=9;BYMINUTE=0;BYSECOND=0;UNTIL=20261130T235959", "read my notes"},
		"3월까지 매주 화요일 9시에 메모 읽어줘":                                        {"FREQ=WEEKLY;BYDAY=TU;BYHOUR=9;BYMINUTE=0;BYSECOND=0;UNTIL=20270331T235959", "메모 읽어줘"},
		"매주 화요일 9시에 메모 읽어줘, 내년 3월까지":                                    {"FREQ=WEEKLY;BYDAY=TU;BYHOUR=9;BYMINUTE=0;BYSECOND=0;UNTIL=20270331T235959", "메모 읽어줘"},
		"매주 화요일 9시에 메모 읽어줘 연말까지":                                        {"FREQ=WEEKLY;BYDAY=TU;BYHOUR=9;BYMINUTE=0;BYSECOND=0;UNTIL=20261231T235959", "메모 읽어줘"},
		"다음 주까지 매일 9시에 메모 읽어줘":                                          {"FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0;UNTIL=20261206T235959", "메모 읽어줘"},
		"매일 9시에 메모 읽어줘, 다섯 번":                                           {"FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0;COUNT=5", "메모 읽어줘"},
		"매달 31일 8시와 20시에 잔액 알려줘":                                        {"FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-2,-1;BYHOUR=8,20;BYMINUTE=0;BYSECOND=0", "잔액 알려줘"},
		"두 달마다 31일에 잔액 알려줘":                                             {"FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=28,29,30,31;BYSETPOS=-1;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "잔액 알려줘"},
		"every 2 months on the 15th at 9 tell me my balance":            {"FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=15;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "tell me my balance"},
		"월말마다 잔액 알려줘":                                                   {"FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "잔액 알려줘"},
		"매주말 9시에 메모 읽어줘":                                                {"FREQ=WEEKLY;BYDAY=SA,SU;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "메모 읽어줘"},
		"분기마다 잔액 알려줘":                                                   {"FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=23;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "잔액 알려줘"},
		"평일만으로 바꿔줘":                                                     {"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "바꿔줘"},
		"매주 화요일로 바꿔줘":                                                   {"FREQ=WEEKLY;BYDAY=TU;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "바꿔줘"},
		"once a week read my notes":                                     {"FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "read my notes"},
	} {
		r := slot.Recur(text, now)
		if !r.Repeats() {
			t.Errorf("%q repeats nothing: %+v", text, r)
			continue
		}
		if got := r.Rule(now); got != want.rule {
			t.Errorf("%q\n got %s\nwant %s", text, got, want.rule)
		}
		if got := r.Rest(text); got != want.rest {
			t.Errorf("%q leaves %q, want %q", text, got, want.rest)
		}
	}
	for _, text := range []string{
		"내일 8시에 날씨 알려줘", "월요일에 회의", "매일유업에 만원 보내줘", "show me the daily news", "'매일 8시' 메모해줘", "매달 32일에 만원 보내줘",
		"I wake up at 7 on Monday", "주말에 뭐 할까",
	} {
		if r := slot.Recur(text, now); r.Repeats() {
			t.Errorf("%q repeats %+v", text, r)
		}
	}
	if r := slot.Recur("아침 날씨 7시 반으로 바꿔줘", now); r.Repeats() || len(r.Hours) != 1 || r.Hours[0] != 7 || r.Minute != 30 {
		t.Errorf("half past seven is %+v", r)
	}
}
