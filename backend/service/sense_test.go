package service_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/service"
)

func book(t *testing.T) *service.Book {
	t.Helper()
	b, err := service.NewBook("", nil)
	if err != nil {
		t.Fatal(err)
	}
	if p := b.Problems(); len(p) > 0 {
		t.Fatal(p[0])
	}
	return b
}

// What asks for a tool, or for nothing, does not go to the counter.
func TestRequestsForToolsAreNotForTheCounter(t *testing.T) {
	b := book(t)
	files, err := filepath.Glob("../provider/builtin/testdata/*.tsv")
	if err != nil || len(files) == 0 {
		t.Fatalf("no requests: %v", err)
	}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			text, _, ok := strings.Cut(line, "\t")
			if !ok || strings.HasPrefix(text, "#") {
				continue
			}
			if m, _ := b.Meant(text, nil); m != nil {
				t.Errorf("%q goes to %s", text, m.ID)
			}
			if _, m, _ := b.Asked(text, nil); m != nil {
				t.Errorf("%q asks %s", text, m.ID)
			}
		}
	}
}

func TestWhatIsForTheCounter(t *testing.T) {
	b := book(t)
	for id, list := range map[string][]string{
		"transfer": {
			"엄마한테 1만원 보내줘", "엄마한테 보내줘", "엄마한테 만원, 용걸이한테 5만원 보내줘", "엄마한테 만원 용걸이한테 5만원", "엄마한테 만원, 용걸이한테 보내줘",
			"민수에게 3만원 이체해줘", "민수에게 3만원 이체해 주세요", "송금하고 싶어", "이체할래", "돈 보내줘", "김철수님께 20만 원 송금 부탁해", "아빠한테 용돈으로 5만원 쏴줘",
			"만원만 엄마한테 보내줄래?", "엄마한테 1만원 보내 줄 수 있어?", "할머니께 십만원 보내드려", "엄마 1만원 보내줘", "동생한테 돈 좀 부쳐줘", "내일 엄마한테 3만원 이체해줘",
			"send 10,000 won to mom", "Please send mom 10,000 won", "transfer 30000 to Minsu", "I want to send money", "can you wire 50,000 won to Yonggeol?", "pay Minsu 20,000 won", "I'd like to make a transfer",
			"send money to mom", "send 10,000 won to mom and 50,000 won to Yonggeol",
		},
		"room":          {"회의실 예약하고 싶어", "내일 오후 3시에 대회의실 예약해줘", "소회의실 잡아줘", "book a meeting room", "reserve the large room for tomorrow at 3 pm"},
		"reminder":      {"할 일에 우유 사기 추가해줘", "할 일 추가해줘", "add buy milk to my to-do list"},
		"reminder_done": {"할 일에서 우유 사기 지워줘", "remove buy milk from my to-do list"},
	} {
		for _, text := range list {
			if m, _ := b.Meant(text, nil); m == nil || m.ID != id {
				t.Errorf("%q is not for %s (%v)", text, id, m)
			}
		}
	}
	for _, text := range []string{
		"총 얼마 보냈어?", "엄마한테 보낸 돈이 얼마야?", "친구한테 노래 불러줘", "돈이 없어서 슬퍼", "엄마가 만원 보내줬어", "어제 엄마한테 만원 보냈어", "엄마한테 만원 받았어", "이 노래 친구한테 보내고 싶다",
		"만원으로 뭐 살 수 있어?", "이체 수수료가 얼마야?", "회의실이 너무 추워", "오늘 할 일이 많다", "엄마한테 보내지 마", "엄마한테 만원 보내지 마", "how much did I send?", "I sent mom 10,000 won yesterday", "don't send money to mom", "what is a wire transfer?",
	} {
		if m, _ := b.Meant(text, nil); m != nil {
			t.Errorf("%q goes to %s", text, m.ID)
		}
	}
}

// A service has words of its own for yes and no; those of another mean nothing to it.
func TestSaidToAService(t *testing.T) {
	b := book(t)
	transfer, _ := b.Get("transfer")
	room, _ := b.Get("room")
	now := service.Open("now", transfer, "ko")
	later := service.Open("later", transfer, "ko")
	later.Slots["date"] = "2026-12-01"
	for _, c := range []struct {
		m    *service.Manifest
		s    service.Session
		text string
		want service.Verb
	}{
		{transfer, now, "보내줘", service.VerbConfirm},
		{transfer, now, "응 그냥 보내", service.VerbConfirm},
		{transfer, now, "지금 바로 보내줘", service.VerbConfirm},
		{transfer, later, "지금 바로 보내줘", service.VerbNone},
		{transfer, now, "ㅇㅇ보내", service.VerbConfirm},
		{transfer, now, "그래 그거 맞아 보내", service.VerbConfirm},
		{transfer, now, "나머지는 다 취소", service.VerbCancelAll},
		{transfer, now, "안보내", service.VerbCancel},
		{transfer, now, "좋아해", service.VerbNone},
		{transfer, now, "아니보내", service.VerbNone},
		{transfer, now, "다 보내줘", service.VerbNone},
		{transfer, now, "보내줘?", service.VerbNone},
		{transfer, now, "아 그냥 안 보낼래", service.VerbCancel},
		{transfer, now, "보내지 마", service.VerbCancel},
		{transfer, now, "이체 취소해줘", service.VerbCancel},
		{transfer, now, "don't send it", service.VerbCancel},
		{transfer, now, "send it", service.VerbConfirm},
		{transfer, now, "엄마한테 보내줘", service.VerbNone},
		{transfer, now, "안 보내줘도 돼", service.VerbNone},
		{room, now, "보내줘", service.VerbNone},
		{room, now, "송금해줘", service.VerbNone},
	} {
		if got := c.m.VerbOf(c.s, c.text); got != c.want {
			t.Errorf("%s: %q is %q, want %q", c.m.ID, c.text, got, c.want)
		}
	}
}

func TestSaid(t *testing.T) {
	for verb, list := range map[service.Verb][]string{
		service.VerbConfirm:   {"확인", "네", "응", "ㅇㅇ", "좋아", "yes", "ok", "네!", "그래 보내줘", "네, 진행해 주세요", "Yes, please.", "ok go ahead", "네 좋아요"},
		service.VerbCancel:    {"취소", "아니", "no", "아니요", "취소해줘", "아니 취소", "No thanks", "cancel it", "never mind"},
		service.VerbSkip:      {"건너뛰기", "다음", "이건 건너뛰어", "skip this one", "next"},
		service.VerbCancelAll: {"모두 취소", "다 취소해줘", "전부 취소", "cancel all", "cancel everything"},
		service.VerbNone: {
			"아니 5만원으로", "네?", "확인이 뭐야?", "네 아니요", "좋아하는 노래", "안 좋아", "다", "모두", "", "!!", "다 보내줘", "모두 확인", "보내줘", "yes or no", "확인하지 마", "네 5만원", "no problem", "ok?", "please",
		},
	} {
		for _, text := range list {
			if got := service.VerbOf(text); got != verb {
				t.Errorf("%q is %q, want %q", text, got, verb)
			}
		}
	}
}

// An order that says all that its service needs is told from one that only sounds like it.
func TestAnOrderThatSaysAll(t *testing.T) {
	b := book(t)
	for text, want := range map[string]bool{
		"엄마한테 만원 보내줘": true, "send uncle 30k": true, "can you pay Minsu 20,000 won?": true,
		"돈 보내줘": false, "엄마한테 보내줘": false, "send money to mom": false, "send mom a postcard": false, "mom sent me 10,000 won": false,
	} {
		if got := slices.Contains(b.Evidence(text), "whole:money.send"); got != want {
			t.Errorf("%q says all: %v", text, got)
		}
	}
}
