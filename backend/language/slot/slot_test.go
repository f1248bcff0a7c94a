package slot_test

import (
	"slices"
	"testing"
	"time"

	"agentchat/backend/language/slot"
)

// now is a Saturday afternoon.
var now = time.Date(2026, 11, 21, 14, 10, 0, 0, time.FixedZone("KST", 9*3600))

type table map[string]string

func (tb table) run(t *testing.T, grammar func(string) (string, bool)) {
	t.Helper()
	for text, want := range tb {
		got, ok := grammar(text)
		if !ok {
			got = ""
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestExpression(t *testing.T) {
	table{
		"3만5천 나누기 7은?":                 "35000 / 7",
		"010-1234-5678":                "",
		"전화는 010-1234-5678이야":          "",
		"0.5 더하기 0":                    "0.5 + 0",
		"twelve times 3":               "12 * 3",
		"천 더하기 이백":                     "1000 + 200",
		"15% of 200":                   "15 / 100 * 200",
		"200의 15%는 얼마야":                "200 * 15 / 100",
		"루트 2":                         "sqrt(2)",
		"3의 제곱":                        "3 ^ 2",
		"2의 10제곱 계산해줘":                 "2 ^ 10",
		"9의 제곱근":                       "sqrt(9)",
		"square root of 144":           "sqrt(144)",
		"3에 4를 더하면?":                   "3 + 4",
		"3에 4를 더하고 2를 곱하면":             "(3 + 4) * 2",
		"100을 7로 나누면 얼마야":              "100 / 7",
		"5랑 3 더해줘":                     "5 + 3",
		"만원에서 삼천원 빼면?":                 "10000 - 3000",
		"add 3 and 4":                  "3 + 4",
		"subtract 5 from 12":           "12 - 5",
		"divide 100 by 4":              "100 / 4",
		"multiply 6 by 7 please":       "6 * 7",
		"sum of 3 and 4":               "3 + 4",
		"(3+4)*2":                      "(3 + 4) * 2",
		"2+3*4 계산":                     "2 + 3 * 4",
		"12 x 12":                      "12 * 12",
		"3+-4":                         "3 + (-4)",
		"2^8":                          "2 ^ 8",
		"what's 1,200 divided by 3":    "1200 / 3",
		"five squared":                 "5 ^ 2",
		"two to the power of ten":      "2 ^ 10",
		"half of 90":                   "90 / 2",
		"3과 4의 합은?":                    "3 + 4",
		"백이십 곱하기 삼":                    "120 * 3",
		"스물다섯 더하기 서른":                  "25 + 30",
		"삼십 빼기 일곱":                     "30 - 7",
		"1.5 곱하기 4":                    "1.5 * 4",
		"아니 5 더하기 4로":                  "5 + 4",
		"3만원의 20퍼센트":                   "30000 * 20 / 100",
		"how much is 20 percent of 80": "20 / 100 * 80",
		"what's 7 + 8?":                "7 + 8",
		"what's 18% tip on 45 dollars": "18 / 100 * 45",
		"4만5천원 셋이서 나누면 얼마야":            "45000 / 3",
		"12만원에서 15퍼센트 할인하면 얼마야":       "120000 - 120000 * 15 / 100",
		"만원을 둘이서 나누면":                 "10000 / 2",
		"split 84 dollars three ways": "84 / 3",
		"45나누기9":                      "45 / 9",
		"여덟곱하기구":                      "8 * 9",
		"이백오십 나누기 오":                  "250 / 5",
		"돈이 없어서 슬프다":                  "",
		"5분 뒤에 알려줘":                   "",
		"노래 두 곡 틀어줘":                  "",
		"2026-12-01":                  "",
		"i love 2 songs":              "",
	}.run(t, slot.Expression)
}

func TestDuration(t *testing.T) {
	for text, want := range map[string]int64{
		"5분 뒤에":                      300,
		"한 시간 반":                     5400,
		"in 20 minutes":              1200,
		"half an hour":               1800,
		"1시간 30분 후":                  5400,
		"삼십초만":                       30,
		"십분 뒤에 깨워줘":                  600,
		"30초 타이머":                    30,
		"set a timer for 90 seconds": 90,
		"an hour and a half":         5400,
		"1h30m":                      5400,
		"twenty-five minutes":        1500,
		"두시간 뒤":                      7200,
		"반시간 뒤에":                     1800,
		"three and a half hours":     12600,
		"3시에":                        50 * 60,
		"오후 7시 반에":                   5*3600 + 20*60,
		"at 7:30 pm":                 5*3600 + 20*60,
		"내일 아침 7시에":                  16*3600 + 50*60,
		"10분 30초":                    630,
		"5m timer":                   300,
		"a quarter of an hour":       0,
		"노래 틀어줘":                     0,
	} {
		got, ok := slot.Duration(text, now)
		if text == "a quarter of an hour" {
			want = 900
		}
		if ok != (want > 0) || got != want {
			t.Errorf("%q: got %d %v, want %d", text, got, ok, want)
		}
	}
}

func TestDate(t *testing.T) {
	table{
		"내일":                 "2026-11-22",
		"모레 날씨":              "2026-11-23",
		"다음 주 금요일":           "2026-11-27",
		"이번주 일요일":            "2026-11-22",
		"3월 5일":              "2027-03-05",
		"2026-12-01":         "2026-12-01",
		"tomorrow":           "2026-11-22",
		"on Friday":          "2026-11-27",
		"December 25th":      "2026-12-25",
		"3일 뒤":               "2026-11-24",
		"오늘":                 "2026-11-21",
		"the 5th of may":     "2027-05-05",
		"주말 날씨":              "2026-11-21",
		"부산 날씨":              "",
		"day after tomorrow": "2026-11-23",
	}.run(t, func(s string) (string, bool) { return slot.Date(s, now) })
}

func TestMoney(t *testing.T) {
	for text, want := range map[string]int64{
		"만 오천원": 15000, "3만5천원": 35000, "이십만 원": 200000, "백만원": 1000000, "1,200원": 1200, "1.5만": 15000,
		"마이너스 천원": -1000, "$20": 0, "엄마한테 만원 보내줘": 10000, "용걸이한테 5만원 보내줘": 50000, "삼만 오천 원": 35000, "3만 5천": 35000,
		"오만원": 50000, "천원": 1000, "일억 이천만원": 120000000, "twenty dollars": 0, "5천": 5000, "엄마한테 보내줘": 0, "이만원": 20000, "만이천원": 12000,
	} {
		got, ok := slot.Money(text)
		if ok != (want != 0) || got != want {
			t.Errorf("%q: got %d %v, want %d", text, got, ok, want)
		}
	}
}

func carrier(w string) bool {
	switch w {
	case "네비", "길", "안내", "켜줘", "노래", "영화", "틀어줘", "날씨", "weather", "song", "play", "movie", "목적지", "navigate", "navigation", "음악", "길안내":
		return true
	}
	return false
}

func TestPlace(t *testing.T) {
	table{
		"서울역까지 길 안내해줘":                            "서울역",
		"목적지 A로 네비 켜줘":                            "A",
		"부산 날씨":                                   "부산",
		"how's the weather in Busan":              "Busan",
		"to the airport":                          "airport",
		"부산 해운대까지 안내해줘":                           "부산 해운대",
		"크리스마스까지 며칠 남았어?":                         "",
		"서울역에서 강남역까지 가는 길":                        "강남역",
		"내일 제주도 날씨 어때?":                           "제주도",
		"take me to Seoul Station please":         "Seoul Station",
		"종로로 가자":                                  "종로",
		"상하이 날씨 알려줘":                              "상하이",
		"what's the weather in New York tomorrow": "New York",
		"네비 켜줘":                                   "",
		"서울역까지길안내해줘":                              "서울역",
		"강남역으로가자":                                 "강남역",
		"집으로 안내해줘":                                "집",
		"take me home":                            "home",
		"how do i get to the airport from here":   "airport",
		"Busan weather tomorrow":                  "Busan",
		"오늘 날씨 어때":                                "",
		"what's the weather like today":           "",
		"will it rain in Tokyo on Friday?":        "Tokyo",
		"부산은?":                                    "부산",
		"부산으로":                                    "부산",
		"김포공항 가야 하는데 길 좀":                         "김포공항",
		"i want to go to Busan station":           "Busan station",
	}.run(t, func(s string) (string, bool) { return slot.Place(slot.Input{Text: s, Carrier: carrier}) })
}

func TestOrigin(t *testing.T) {
	table{
		"서울역에서 강남역까지 안내해줘": "서울역", "from Seoul to Busan": "Seoul", "강남역까지 가자": "", "여기서 강남역까지": "",
	}.run(t, slot.Origin)
}

func TestTitle(t *testing.T) {
	table{
		"아리랑 틀어줘": "아리랑", `play "River"`: "River", "노래 아무거나 틀어줘": "", "노래 틀어줘": "", "play some music": "", "play Dynamite by BTS": "Dynamite",
		"영화 겨울왕국 보여줘": "겨울왕국", "'벚꽃 엔딩' 틀어줘": "벚꽃 엔딩", "벚꽃 엔딩 들려줘": "벚꽃 엔딩", "신나는 노래 틀어줘": "", "play the movie Frozen": "Frozen",
		"could you play a song for me": "", "put on Bohemian Rhapsody please": "Bohemian Rhapsody", "노래 하나만 불러줘": "", "노래 2곡 틀어줘": "", "노래 두 곡 틀어줘": "", "세곡 틀어줘": "", "500일의 썸머 틀어줘": "500일의 썸머", "let it be 틀어줘": "let it be",
	}.run(t, func(s string) (string, bool) { return slot.Title(slot.Input{Text: s, Carrier: carrier}) })
}

// What is there goes before what the grammar alone would take.
func TestNamesThatAreKnown(t *testing.T) {
	there := func(names ...string) func(string) bool {
		return func(name string) bool { return slices.Contains(names, name) }
	}
	for text, want := range map[string]string{
		"허리 아픈 날 부산 날씨": "부산", "서울 강수량 알려줘": "서울", "강수량 알려줘": "강수량", "weather report for Busan": "Busan", "Busan report weather": "Busan",
	} {
		if got, _ := slot.Place(slot.Input{Text: text, Carrier: carrier, Known: there("부산", "서울", "Busan")}); got != want {
			t.Errorf("%q: the place is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"뽀로로 틀어줘": "뽀로로", "엄마가 좋아하는 아리랑 틀어줘": "아리랑", "은하철도 틀어줘": "은하철도", "작은 소리로 노래 틀어줘": ""} {
		if got, _ := slot.Title(slot.Input{Text: text, Carrier: carrier, Known: there("뽀로로", "아리랑", "은하철도", "작은")}); got != want {
			t.Errorf("%q: the title is %q, want %q", text, got, want)
		}
	}
}

func TestMessage(t *testing.T) {
	table{
		"5분 뒤에 라면 확인하라고 알려줘": "라면 확인", "remind me to call mom in 20 minutes": "call mom", "10분 뒤에 약 먹으라고 알려줘": "약 먹기", "5분 뒤에 알려줘": "",
		"30분 후에 회의 있다고 알려줘": "회의", "remind me in 20 minutes to check the oven": "check the oven", "set a timer for 5 minutes": "",
		"3분 타이머": "", "1시간 있다가 약 먹을 시간이라고 해줘": "약 먹을 시간", "20분 뒤에 빨래 돌리라고 말해줘": "빨래 돌리기", "wake me up in an hour": "", "오후 3시에 회의 알림 해줘": "회의",
	}.run(t, slot.Message)
}

func TestNumberAndEnum(t *testing.T) {
	table{"서른둘": "32", "three point five": "3.5", "두 개": "2", "a hundred and five": "105", "삼백이십": "320", "이거": ""}.run(t, slot.Number)
	p := slot.Property{Enum: []string{"low", "high"}, Words: map[string][]string{"low": {"작게", "조용히"}, "high": {"크게"}}}
	table{"소리 크게": "high", "조용히 해": "low", "turn it low": "low", "보통": ""}.run(t, func(s string) (string, bool) { return slot.Enum(s, p) })
}
