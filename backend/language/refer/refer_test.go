package refer_test

import (
	"testing"
	"time"

	"agentchat/backend/language/refer"
)

func TestRead(t *testing.T) {
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC) // a Monday
	by := func(d time.Duration) refer.Message { return refer.Message{Action: refer.Move, By: d} }
	for text, want := range map[string]refer.Message{
		"30분 미뤄줘": by(30 * time.Minute), "한 시간만 앞당겨 주세요": by(-time.Hour), "그거 한 시간 반 늦춰줘": by(90 * time.Minute), "하루 미뤄줘": by(24 * time.Hour),
		"15분만 더 뒤로 옮겨줄래?": by(15 * time.Minute), "10분 더": by(10 * time.Minute), "push it back an hour": by(time.Hour), "bring it forward 30 minutes": by(-30 * time.Minute),
		"make it half an hour earlier": by(-30 * time.Minute), "postpone that by two hours": by(2 * time.Hour), "15 minutes later": by(15 * time.Minute), "take 2 minutes off": by(-2 * time.Minute),
		"can you push it back a day please": by(24 * time.Hour), "2 more minutes": by(2 * time.Minute),
		"치과 2시간 당겨줘":                    {Action: refer.Move, Name: "치과", By: -2 * time.Hour},
		"push the dentist back an hour": {Action: refer.Move, Name: "dentist", By: time.Hour},
		"타이머 3분 늘려줘":                    {Action: refer.Move, Kind: refer.Timer, By: 3 * time.Minute},
		"내일로 미뤄줘":                       {Action: refer.Move, Date: "2026-11-24"},
		"그거 5시로 바꿔줘":                    {Action: refer.Move, Time: "17:00"},
		"move it to friday":             {Action: refer.Move, Date: "2026-11-27"},
		"make it 4":                     {Action: refer.Move, Time: "16:00", Near: true}, "change it to 9 please": {Action: refer.Move, Time: "09:00", Near: true},
		"no wait, undo that": {Action: refer.Undo}, "아냐 되돌려줘": {Action: refer.Undo}, "5시 말고 6시로 바꿔줘": {Action: refer.Move, Time: "18:00"},
		"두 번째 거 지워줘":                  {Action: refer.Remove, Place: 2},
		"마지막 거 취소해줘":                  {Action: refer.Cancel, Place: refer.Last},
		"다섯 번째 거 지워줘":                 {Action: refer.Remove, Place: 5},
		"2번 지워줘":                      {Action: refer.Remove, Place: 2},
		"delete the second one":       {Action: refer.Remove, Place: 2},
		"drop the last":               {Action: refer.Remove, Place: refer.Last},
		"첫 번째 거 꺼줘":                   {Action: refer.Stop, Place: 1},
		"첫 번째 거 30분 미뤄줘":              {Action: refer.Move, Place: 1, By: 30 * time.Minute},
		"move the second to tomorrow": {Action: refer.Move, Place: 2, Date: "2026-11-24"},
		"방금 거 취소해줘":                   {Action: refer.Cancel}, "되돌려줘": {Action: refer.Undo}, "undo that": {Action: refer.Undo}, "take that back": {Action: refer.Undo},
		"원래대로 해줘": {Action: refer.Undo}, "please undo the last change": {Action: refer.Undo},
	} {
		got, ok := refer.Read(text, now)
		got.Said = ""
		if !ok || got != want {
			t.Errorf("%q: %+v, %v; want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{
		"", "취소", "cancel", "30분 타이머", "엄마한테 만원 더 보내줘", "치과 4시로 옮겨줘", "알람 지워줘", "우유는 목록에서 빼줘", "노래 꺼줘", "move the dentist to 4 pm", "delete my shopping note",
		"cancel the dentist", "소리 줄여줘", "5분 뒤에 알려줘", "내일 3시 치과", "add milk to my list", "10에서 3을 빼줘", "더 크게", "what time is it?", "30분 뒤에 노래 틀어줘", "play one more song",
		"치과 30분 전에 알려줘", "그 노래 다시 틀어줘", "두 번째 노래 틀어줘", "파일 되돌려줘", "make it 40", "make 4",
	} {
		if got, ok := refer.Read(text, now); ok {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
