package ground_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/language/ground"
)

// What names several things is cut into them, and what only looks so stays whole.
func TestThings(t *testing.T) {
	for words, want := range map[string]string{ // apart: between commas
		"우유, 계란, 두부":                              "우유|계란|두부",
		"우유, 계란이랑 두부":                             "우유|계란|두부",
		"딸기, 고기, 사과":                              "딸기|고기|사과",
		"빨래하기, 은행 가기, 약 사기":                       "빨래하기|은행 가기|약 사기",
		"엄마한테 전화, 빨래, 청소":                         "엄마한테 전화|빨래|청소",
		"milk, eggs and tofu":                     "milk|eggs|tofu",
		"milk, eggs, and a tofu":                  "milk|eggs|tofu",
		"1,000 cups, 2 forks":                     "1,000 cups|2 forks",
		"call mom, pay rent and water the plants": "call mom|pay rent|water the plants",
		"call mom, buy milk and eggs":             "call mom|buy milk and eggs",
		"우유, 계란, 두부 사기":                           "", // bought all
		"call mom, dad and sue":                   "",
		"lunch with Tom, Dick and Harry":          "",
		"우유":                                      "",
		"우유,":                                     "",
		"1,000 cups":                              "",
		"사과 1,000개":                               "",
	} {
		if got := strings.Join(ground.Things(words, false), "|"); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
	for words, want := range map[string]string{ // on a list, which what joins them is enough for
		"우유랑 계란이랑 두부": "우유|계란|두부", "우유하고 계란": "우유|계란", "우유와 빵과 치즈": "우유|빵|치즈", "우유 및 계란": "우유|계란", "우유 그리고 계란": "우유|계란",
		"milk and eggs": "milk|eggs", "salt & pepper": "salt|pepper", "a loaf of bread and milk": "loaf of bread|milk",
		"치과 가고 약 사기": "", "우유랑 계란 사기": "", "엄마랑 아빠한테 전화하기": "", "피부과 약": "", "치과": "", "사과": "", "빵 우유 버터": "",
		"call mom and dad": "", "call mom and pay rent": "", "dinner with Tom and Jerry": "", "mom and dad's anniversary": "", "water the plants and the lawn": "",
	} {
		if got := strings.Join(ground.Things(words, true), "|"); got != want {
			t.Errorf("on a list, %q: %q, want %q", words, got, want)
		}
		if got := ground.Things(words, false); got != nil {
			t.Errorf("on no list, %q: %q", words, got)
		}
	}
}

// Several things are one value, line by line; an appointment is one, and so is what stands in quotes.
func TestSeveralThingsAreRead(t *testing.T) {
	frame := []string{"할 일", "목록", "리스트", "캘린더", "list", "calendar", "add", "put", "take off", "write down", "take"}
	slots := ground.Slots{
		{Name: "what", Kind: ground.Text, Frame: frame, Cues: []string{"할 일에", "할 일 목록에"}, Several: true},
		{Name: "list", Kind: ground.Text, Holds: "what"},
		{Name: "date", Kind: ground.Date},
		{Name: "time", Kind: ground.Time},
	}
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for words, want := range map[string][2]string{
		"장보기에 우유랑 계란 넣어줘":                       {"우유\n계란", "장보기"},
		"우유, 빵 할 일에 적어줘":                        {"우유\n빵"},
		"우유랑 계란 장보기 목록에 넣어줘":                    {"우유\n계란", "장보기"},
		"할 일에 우유, 계란 추가해줘":                      {"우유\n계란"},
		"할 일 목록에 우유도 넣어줘":                       {"우유"},
		"할 일에 약 사기 추가해줘, 고마워":                   {"약 사기"},
		"할 일에 엄마랑 영화 추가해줘":                      {"엄마랑 영화"},
		"금요일 7시에 엄마, 아빠랑 저녁 추가해줘":               {"엄마, 아빠랑 저녁"},
		"add milk and eggs to my shopping list": {"milk\neggs", "shopping"},
		"add lunch and a nap to my calendar":    {"lunch and a nap"},
		`put "eggs, milk" on my list`:           {"eggs, milk"},
		"take the tofu off":                     {"tofu"},
		"write the tofu down please":            {"tofu"},
		"also add milk too":                     {"milk"},
		"add a":                                 {""},
		"할 일 추가해줘":                              {""},
		"take something off my list":            {""},
		"one more thing, milk":                  {"milk"},
		"그리고 하나 더, 우유 추가해줘":                     {"우유"},
	} {
		for i, name := range []string{"what", "list"} {
			got := ""
			if all := slots.Find(name, ground.Request{Words: words, Now: now}); len(all) > 0 {
				got, _ = all[0].Value.(string)
			}
			if got != want[i] {
				t.Errorf("%q: %s %q, want %q", words, name, got, want[i])
			}
		}
	}
	if _, ok := slots.Check("what", ground.Request{Words: "add milk, eggs to my list", Now: now}, "milk, eggs"); !ok {
		t.Error("a model names them otherwise")
	}
}

// A day that was spoken of is found, and nobody knows which it is; with a day beside it that is the one.
func TestADayThatIsNotSaid(t *testing.T) {
	slots := ground.Slots{{Name: "date", Kind: ground.Date}}
	for _, words := range []string{"그날 5시에 치과", "dinner at 7 that day", "on the same day"} {
		found := slots.Find("date", ground.Request{Words: words, Now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)})
		if !slices.ContainsFunc(found, func(f ground.Finding) bool { return f.Problem == ground.Unsaid && !f.Counts() }) {
			t.Errorf("%q: %+v", words, found)
		}
	}
	if found := slots.Find("date", ground.Request{Words: "그날그날 적기", Now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}); len(found) > 0 {
		t.Errorf("%+v", found)
	}
}
