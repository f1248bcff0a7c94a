package shop_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/shop"
)

func (o *orderer) keeps(name, text string, was map[string]string) shop.FavouriteView {
	o.t.Helper()
	f, err := o.KeepFavourite(context.Background(), "", name, text, was)
	if err != nil {
		o.t.Fatal(err)
	}
	return f
}

// said are the messages of the main chat, the customer's with a > before them.
func (o *orderer) said() (list []string) {
	o.t.Helper()
	if err := o.WaitIdle(context.Background()); err != nil {
		o.t.Fatal(err)
	}
	msgs, err := o.History(context.Background(), "main", "", 100)
	if err != nil {
		o.t.Fatal(err)
	}
	for _, m := range msgs {
		switch m.Role {
		case event.RoleCustomer:
			list = append(list, "> "+m.Text)
		case event.RoleShop:
			list = append(list, m.Text)
		case event.RoleJob, event.RoleImportedAsk, event.RoleImportedReply:
		}
	}
	return list
}

func (o *orderer) heard(want ...string) {
	o.t.Helper()
	got := o.said()
	if len(got) > len(want) {
		got = got[len(got)-len(want):]
	}
	for i := range want {
		if i >= len(got) || strings.HasPrefix(want[i], ">") && got[i] != want[i] || !strings.Contains(got[i], want[i]) {
			o.t.Fatalf("the chat says\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
	}
}

// What a text says that tools and services take as arguments can be a blank.
func TestWhatCanBeABlank(t *testing.T) {
	o := order(t, "ko")
	for text, want := range map[string]string{
		"내일 부산 날씨 알려줘":                          "날=내일 곳=부산",
		"서울역에서 강남역까지 가는 길 알려줘":                  "출발지=서울역 목적지=강남역",
		"용걸이한테 5만원 보내줘":                         "받는 분=용걸이 금액=5만원",
		"5분 뒤에 물 끄라고 알려줘":                       "시간=5분",
		"메모해줘: 우유 사기":                           "글=우유 사기",
		"What's the weather in Busan tomorrow?": "곳=Busan 날=tomorrow",
		"set a timer for 10 minutes":            "시간=10 minutes",
		"안녕하세요":                                 "",
	} {
		var got []string
		for _, a := range o.FavouriteArguments(t.Context(), text) {
			got = append(got, a.Name+"="+a.Text)
			if runes := []rune(text); string(runes[a.Start:a.End]) != a.Text { // none of them is outside the basic plane
				t.Errorf("%s: %q does not stand at %d to %d", text, a.Text, a.Start, a.End)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestAFavouriteIsAnOrdinaryMessage(t *testing.T) {
	o := order(t, "ko")
	o.keeps("아침 날씨", "서울 날씨 알려줘", nil)
	o.says("/아침  날씨", "서울 날씨를 알아볼게요")
	o.heard("> 서울 날씨 알려줘", "알아볼게요")
	o.says("/아침날씨")
	o.heard("> /아침날씨", "") // nothing is called so
	o.says("매일 8시에 /아침 날씨", "**매일 오전 8시** — 서울 날씨 알려줘")
	o.says("아니", "두지 않았어요")
	if orders := o.orders(); len(orders) != 0 {
		t.Errorf("%v was kept", orders)
	}
	o.keeps("보내기", "용걸이한테 5만원 보내줘", nil)
	o.says("/보내기", "용걸이에게 5만원을 이체할까요?") // money asks, as always
}

func TestBlanksAreAskedByTheToolsOwnQuestions(t *testing.T) {
	o := order(t, "ko")
	o.keeps("날씨", "{어디} 날씨 알려줘", map[string]string{"어디": "서울"})
	o.keeps("보내기", "{누구}한테 {얼마} 보내줘", map[string]string{"누구": "엄마", "얼마": "5만원"})
	o.keeps("나중에", "{언제} 뒤에 불 끄라고 알려줘", map[string]string{"언제": "5분"})

	o.says("/날씨", "어느 곳인지 알려 주세요.")
	o.says("ㅁㄴㅇㄹ", "어느 곳인지 알려 주세요.")
	o.says("헐헐헐", "어느 곳")
	o.tell("부산이요", "")
	o.heard("> 부산이요", "> 부산 날씨 알려줘", "부산 날씨를 알아볼게요")

	o.says("/보내기", "누구에게 보내드릴까요?")
	o.says("엄마", "얼마를 보내드릴까요?")
	o.says("많이", "얼마를 보내드릴까요?")
	o.tell("5만원", "")
	o.heard("> 5만원", "> 엄마한테 5만원 보내줘", "엄마에게 5만원을 이체할까요?")
	o.says("취소")

	o.says("/보내기 엄마, 3만원", "엄마에게 3만원을 이체할까요?")
	o.says("취소")
	o.says("/나중에 푸름", "얼마 뒤에 알려드릴까요?")
	o.tell("10분", "")
	o.heard("> 10분", "> 10분 뒤에 불 끄라고 알려줘", "10분 타이머를 시작할게요")

	o.says("매일 8시에 /날씨 부산", "**매일 오전 8시** — 부산 날씨 알려줘") // what stands behind the name fills the blank, wherever the name stands
	o.says("아니", "두지 않았어요")
	o.tell("매일 8시에 /날씨", "")
	o.tell("제주도", "")
	o.heard("> 매일 8시에 제주도 날씨 알려줘", "**매일 오전 8시** — 제주도 날씨 알려줘")
}

func TestAFavouriteIsLeft(t *testing.T) {
	o := order(t, "ko")
	o.keeps("날씨", "{어디} 날씨 알려줘", map[string]string{"어디": "서울"})
	asked := o.says("/날씨", "어느 곳인지")
	if len(asked.UIHint.Buttons) != 1 {
		t.Fatalf("%v", asked.UIHint.Buttons)
	}
	o.tell("", asked.UIHint.Buttons[0].ID)
	o.heard("> 취소", "그만둘게요")
	o.says("/날씨", "어느 곳인지")
	o.says("취소", "그만둘게요")
	o.says("부산") // nothing is asked any more
	o.heard("> 부산", "")
	o.says("{어디} 날씨 알려줘", "어느 곳인지")           // as it stands in the chat
	o.says("3만5천 나누기 7", "단골 ‘날씨’ 주문은 그만둘게요") // something else, which is done
	o.says("부산")
	o.heard("> 부산", "")
}

// The values that were given are in the ledger: a question is answered after the next start.
func TestABlankIsAskedAcrossARestart(t *testing.T) {
	o := order(t, "en")
	o.keeps("send", "Send {amount} to {whom}", map[string]string{"amount": "50,000 won", "whom": "Mom"})
	o.says("/send", "How much")
	o.says("30,000 won", "?")
	o.leave()
	o.open(t)
	o.tell("Mom", "")
	o.heard("> Mom", "> Send 30,000 won to Mom", "Mom")
}

func TestWordsMadeOfAFavourite(t *testing.T) {
	o := order(t, "ko")
	f := o.keeps("날씨", "{언제} {어디} 날씨 알려줘", map[string]string{"언제": "내일", "어디": "서울"})
	for words, want := range map[string]string{
		"내일 부산 날씨 알려줘":    "> 내일 부산 날씨 알려줘",
		"내일 {어디} 날씨 알려줘":  "어느 곳인지",
		"{언제} 부산 날씨 알려줘":  "언제인가요?",
		"내일 대구 날씨 좀 알려줘":  "> 내일 대구 날씨 좀 알려줘",
		"지금 {어디} 날씨 말해 줘": "어느 곳인지",
		"":                "언제인가요?",
	} {
		if _, err := o.RunFavourite(t.Context(), "", f.ID, words); err != nil {
			t.Fatal(err)
		}
		if got := o.said(); !slices.ContainsFunc(got[len(got)-2:], func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("%q: %q, want %q", words, got[len(got)-2:], want)
		}
	}
	if _, err := o.RunFavourite(t.Context(), "job:x", f.ID, ""); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Errorf("%v", err)
	}
	if _, err := o.ScheduleFavourite(t.Context(), "", f.ID, "나중에 한번"); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Errorf("%v", err)
	}
}

func TestKeepingFavourites(t *testing.T) {
	o := order(t, "ko")
	f := o.keeps("/아침  날씨 ", "서울 날씨 알려줘", nil)
	if f.Name != "아침 날씨" || f.Plain != "서울 날씨 알려줘" {
		t.Errorf("%+v", f)
	}
	for _, c := range []struct {
		id, name, text string
		code           apperr.Code
	}{
		{"", "아침 날씨", "부산 날씨", apperr.FavouriteTaken},
		{"", " / ", "부산 날씨", apperr.InvalidArgs},
		{"", strings.Repeat("가", 41), "부산 날씨", apperr.InvalidArgs},
		{"", "빈 것", "  ", apperr.InvalidArgs},
		{"", "긴 것", strings.Repeat("가", 2001), apperr.InvalidArgs},
		{"", "깨진 것", "{곳 날씨", apperr.BlankUnreadable},
		{"none", "없는 것", "날씨", apperr.NotFound},
	} {
		if _, err := o.KeepFavourite(t.Context(), c.id, c.name, c.text, nil); apperr.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %s", c.name, err, c.code)
		}
	}
	// The blank keeps whose argument it is when the words around it change.
	f, err := o.KeepFavourite(t.Context(), f.ID, "날씨", "{곳} 날씨 좀 알려줘", map[string]string{"곳": "서울"})
	if err != nil || len(f.Blanks) != 1 || f.Blanks[0].Asks != "어느 곳인지 알려 주세요." || f.Plain != "" {
		t.Fatalf("%+v, %v", f, err)
	}
	o.says("/날씨 대구", "대구 날씨를 알아볼게요")
	if err := o.DeleteFavourite(t.Context(), f.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := o.RunFavourite(t.Context(), "", f.ID, ""); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("%v", err)
	}
	o.keeps("날씨", "부산 날씨 알려줘", nil)
	if err := o.RestoreFavourite(t.Context(), f.ID); apperr.CodeOf(err) != apperr.FavouriteTaken {
		t.Errorf("%v", err)
	}
	all, err := o.Favourites(t.Context())
	if err != nil || len(all.Favourites) != 1 || len(all.Trash) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	if err := o.DeleteFavourite(t.Context(), all.Favourites[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := o.RestoreFavourite(t.Context(), f.ID); err != nil {
		t.Fatal(err)
	}
	hits, err := o.Search(t.Context(), shop.SearchQuery{Text: "날씨 좀"})
	if err != nil || !slices.ContainsFunc(hits, func(h shop.SearchHit) bool { return h.Kind == "favourite" && h.ID == f.ID }) {
		t.Errorf("%v, %v", hits, err)
	}
}
