package shop_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/shop"
)

// How a message was read is told in words, with what came of it, and the requests that were written for it name it.
func TestHowMessagesWereReadIsTold(t *testing.T) {
	g := visitIn(t, t.TempDir(), &till{}, nil)
	sung := g.tell("노래 틀어줘")
	asked := g.tell("something upbeat please")
	if len(labels(asked)) == 0 {
		t.Fatalf("nothing is asked: %q", asked.Message)
	}
	greeted := g.tell("안녕")
	sent := g.tell("엄마한테 만원 보내줘")
	chosen := g.press(asked.UIHint.Buttons[0].ID)
	v, err := g.Readings(context.Background(), "", 10)
	if err != nil || len(v.Readings) != 5 {
		t.Fatalf("%d readings, %v", len(v.Readings), err)
	}
	for i, want := range []struct {
		turn    string
		outcome shop.ReadingOutcome
		title   string
	}{
		{chosen.MessageID, shop.ReadingChosen, "Song"},
		{sent.MessageID, shop.ReadingTaken, "이체"},
		{greeted.MessageID, shop.ReadingIdle, ""},
		{asked.MessageID, shop.ReadingAsked, ""},
		{sung.MessageID, shop.ReadingTaken, "노래"},
	} {
		row := v.Readings[i]
		if row.ID != want.turn || row.Outcome != want.outcome || !strings.Contains(row.Title, want.title) || (row.Title == "") != (want.title == "") {
			t.Errorf("%q: %+v, want %+v", row.Text, row, want)
		}
	}
	if of := v.Readings[0].Of; of != asked.MessageID {
		t.Errorf("the choice is of %q", of)
	}
	if first := v.Readings[4].Guesses[0]; !slices.Equal(first.Tags, []string{"orders:music.play"}) || !slices.Equal(first.Why, []string{"‘노래 틀기’의 이름을 들어 시켜요"}) {
		t.Errorf("the song: %+v", first)
	}
	if len(v.Reliability) == 0 {
		t.Error("nothing says how far readings are to be believed")
	}
	letters, err := g.LetterRows(context.Background(), "", "", 10)
	if err != nil || !slices.ContainsFunc(letters, func(l shop.LetterRow) bool { return l.Turn == greeted.MessageID }) {
		t.Errorf("no letter is of the greeting: %+v, %v", letters, err)
	}
}

// Whatever the rooms say of a message is told in both languages, and in words.
func TestEvidenceIsToldInWords(t *testing.T) {
	g := visitIn(t, t.TempDir(), &till{}, nil)
	for _, text := range []string{
		"노래 틀어줘", "노래 틀어주면 좋겠다", "노래 틀지 마", "노래 어때?", "노래", "노래 꺼줘", "3만5천 나누기 7은?", "5km는 몇 마일이야?", "엄마한테 만원 보내줘",
		"엄마한테 만원 보내려다 말았어", "엄마가 만원 보냈다고 했어", "이번 달에 얼마 썼어?", "돈 좀 부쳐", "제5조 내용이 뭐야?", "계약서에 뭐라고 써 있어?", "what's the weather in Busan?",
		"내일 3시 치과", "transfer 10000 won to mom", "I live in Busan", "5분 뒤에 알려줘",
	} {
		for _, tags := range g.Reading(context.Background(), text).Evidence {
			for _, tag := range tags {
				if said := shop.Why(tag); said.In(bilingual.KO) == "" || said.In(bilingual.EN) == "" || strings.Contains(said.EN, "%s") {
					t.Errorf("%q: %q is told as %+v", text, tag, said)
				}
			}
		}
	}
}
