package service_test

import (
	"testing"
	"time"

	"agentchat/backend/service"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.Local)

func TestBookOpens(t *testing.T) {
	b, err := service.NewBook("", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"엄마한테 1만원 보내줘", "엄마한테 보내줘", "엄마한테 만원, 용걸이한테 5만원 보내줘", "엄마한테 만원 용걸이한테 5만원", "엄마한테 만원, 용걸이한테 보내줘", "send 10,000 won to mom", "send 10,000 won to mom and 50,000 won to Yonggeol", "send money to mom", "send it to mom"} {
		m, _ := b.Meant(text, nil)
		if m == nil || m.ID != "transfer" {
			t.Errorf("%q means %v", text, m)
			continue
		}
		s := service.Open("t1", m, "ko")
		h := m.Ground(s, m.Reads(s, text, noon), text, true, noon)
		s, out, err := m.Apply(s, h, "2026-11-20")
		t.Logf("%q → %+v %v %s %v", text, h, s.Stage, out.Message, err)
	}
	for _, text := range []string{"노래 불러줘", "목적지 A로 네비 켜줘", "총 얼마 보냈어?", "엄마한테 보낸 돈이 얼마야?", "친구한테 노래 불러줘", "오늘 날씨 어때?", "돈 얘기는 재미없어"} {
		if m, _ := b.Meant(text, nil); m != nil {
			t.Errorf("%q means %v", text, m.ID)
		}
		if m := b.Suspect(text); m != nil {
			t.Logf("%q suspect %v", text, m.ID)
		}
	}
}
