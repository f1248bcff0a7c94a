package verdict_test

import (
	"testing"

	"agentchat/backend/language/verdict"
)

// One word means the same to whatever waits for it.
func TestAWholeMessageDecides(t *testing.T) {
	for text, want := range map[string]struct {
		counter                           verdict.Verdict
		waits, cancels, stopsOther, stops bool
	}{
		"네":                {counter: verdict.Confirm},
		"취소해 주세요":          {counter: verdict.Cancel, cancels: true, stops: true},
		"never mind":       {counter: verdict.Cancel, cancels: true, stops: true},
		"그만":               {counter: verdict.Cancel, stops: true},
		"꺼줘":               {stops: true}, // the music, not what is on show
		"기다릴게요":            {waits: true},
		"I'll wait.":       {waits: true},
		"stop the other":   {stopsOther: true},
		"취소?":              {},
		"취소하는 방법 알려줘":      {},
		"다음에 할게":           {counter: verdict.Cancel},
		"건너뛰기":             {counter: verdict.Skip},
		"아니 그건 취소해":        {counter: verdict.Cancel},
		"그거는 취소":           {counter: verdict.Cancel},
		"이건 됐어":            {counter: verdict.Cancel},
		"그건 내일 취소해":        {},
		"나머지는 취소":          {counter: verdict.CancelAll},
		"나머지는 보내":          {},
		"wait and then go": {},
	} {
		got := want
		got.counter = verdict.Of(text, verdict.Own{}, nil)
		got.waits, got.cancels, got.stopsOther, got.stops = verdict.Waits(text), verdict.Cancels(text), verdict.StopsOther(text), verdict.Stops(text)
		if got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

func TestWhatWasTakenWrongly(t *testing.T) {
	for text, want := range map[string]bool{
		"그게 아니라": true, "아니 그게 아니고!": true, "그런 말이 아니야": true, "잘못 알아들었어": true, "That's not what I meant.": true, "no, you got that wrong": true,
		"그게 아니라 영화": false, "아니": false, "그게 아니야?": false, "그건 내가 한 말이 아니야": false, "that's not what I meant to buy": false, "": false,
	} {
		if got := verdict.Misread(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestWhatShallBeOtherwise(t *testing.T) {
	for text, want := range map[string]struct{ corrects, insists bool }{
		"아니 두 개만":            {true, true},
		"아니":                 {true, false},
		"5로 해줘":              {false, true},
		"use the other one":  {true, true},
		"5만원 말고 3만원":         {true, true},
		"잠깐, 3만원":            {true, false},
		"no, make it 30,000": {true, true},
		"nobody knows":       {false, false},
		"바꿔 줄까?":             {true, false},
		"그대로 두세요":            {false, false},
	} {
		got := want
		got.corrects, got.insists = verdict.Corrects(text), verdict.Insists(text)
		if got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}
