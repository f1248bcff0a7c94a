package refer_test

import (
	"testing"
	"time"

	"agentchat/backend/language/refer"
)

func TestReadSequel(t *testing.T) {
	more := func(name string) refer.Sequel { return refer.Sequel{Step: refer.More, Name: name} }
	plain := func(name string) refer.Sequel { return refer.Sequel{Step: refer.More, Name: name, Plain: true} }
	added := func(name string) refer.Sequel { return refer.Sequel{Step: refer.More, Name: name, Added: true} }
	led := func(name string) refer.Sequel { return refer.Sequel{Step: refer.More, Name: name, Led: true} }
	done := func(name string) refer.Sequel { return refer.Sequel{Step: refer.Done, Name: name} }
	clears := func(list string) refer.Sequel { return refer.Sequel{Step: refer.Clear, List: list} }
	for text, want := range map[string]refer.Sequel{
		"하나 더, 식빵": plain("식빵"), "한 개 더 식빵": plain("식빵"), "one more, Bread": plain("Bread"), "oh, one more thing: bread": plain("bread"),
		"빵도": more("빵"), "빵도요": more("빵"), "그리고 빵도": more("빵"), "and bread too": more("bread"), "bread as well please": more("bread"), "some bread too": more("bread"), "빵 하나 더": more("빵"),
		"빵도 추가해줘": added("빵"), "also add bread": added("bread"), "add bread too": added("bread"), "put bread on it": added("bread"), "빵 넣어줘": added("빵"),
		"and bread": led("bread"), "plus some cheese": led("cheese"), "또 청소": led("청소"),
		"우유는 샀어": done("우유"), "책도 읽었어": done("책"), "우유 벌써 샀어요": done("우유"), "은행 다녀왔어": done("은행"), "빨래 다 했다": done("빨래"), "보고서 끝냈습니다": done("보고서"),
		"I got the milk already": done("milk"), "I've bought milk": done("milk"), "bought the eggs": done("eggs"), "the jam is done": done("jam"), "done with the rent": done("rent"), "I called mom": done("mom"),
		"다 지워줘": clears(""), "전부 다 빼줘": clears(""), "목록 비워줘": clears(""), "장보기 목록 비워줘": clears("장보기"), "장보기 목록 다 지워줘": clears("장보기"),
		"clear it": clears(""), "clear the list": clears(""), "delete them all": clears(""), "take everything off": clears(""), "empty my shopping list": clears("shopping"), "remove everything from my list": clears(""),
	} {
		if got, ok := refer.ReadSequel(text); !ok || got != want {
			t.Errorf("%q: %+v, %v; want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{
		"", "응", "네", "yes", "취소", "never mind", "빵도?", "나도", "저도요", "그것도", "오늘도", "아직도", "하나 더", "one more song", "노래 틀어줘", "우유 안 샀어", "아직 못 샀어", "샀어", "I didn't get the milk",
		"지워줘", "두부는 빼줘", "delete it", "take the tofu off", "and you", "me too", "thanks too", "and that's all", "and thanks", "thanks", "add bread to my shopping list", "할 일에 빵도 추가해줘", "what's left", "우유 있어",
	} {
		if got, ok := refer.ReadSequel(text); ok {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestTheDayThatWasSpokenOf(t *testing.T) {
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"그날 7시에 저녁":                  "12월 4일 7시에 저녁",
		"그날에도 비 와?":                  "12월 4일에도 비 와?",
		"저녁은 그 날은 안 돼":               "저녁은 12월 4일은 안 돼",
		"add dinner at 7 that day":   "add dinner at 7 on December 4",
		"On the same day, call mom":  "on December 4, call mom",
		"and lunch on that day too":  "and lunch on December 4 too",
		"that was a day to remember": "that was a day to remember",
	} {
		if got := refer.SpellDay(text, "2026-12-04", now); got != want || refer.ThatDay(text) != (want != text) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := refer.SpellDay("that day", "2026-03-01", now); got != "on 2026-03-01" {
		t.Error(got)
	}
}
