package phrase_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"agentchat/backend/language/phrase"
)

func TestNormalize(t *testing.T) {
	for in, want := range map[string]string{
		"노래 틀어줘ㅋㅋㅋ~~~":      "노래 틀어줘",
		"“River”를   틀어줘!!!": "\"River\"를 틀어줘!",
		"３만５천 ÷ ７":          "3만5천 / 7",
		"\u1102\u1169래":     "노래",
		"a\u200bb\ufeffc":   "abc",
		"노래\xff 틀어":         "노래 틀어",
		"  two \t spaces  ": "two spaces",
		"🎵 노래 🎵":            "노래",
	} {
		if got := phrase.Normalize(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if n := utf8.RuneCountInString(phrase.Normalize(strings.Repeat("가나 ", 1<<18))); n > phrase.MaxRunes {
		t.Errorf("%d runes", n)
	}
}

func TestStem(t *testing.T) {
	for in, want := range map[string]string{
		"서울역까지": "서울역 까지", "부산은": "부산 은", "상하이": "상하이 ", "종로": "종로 ", "종로로": "종로 로", "제주도": "제주도 ", "아리랑": "아리랑 ", "노래도": "노래 도",
		"서울로": "서울 로", "강남역으로": "강남역 으로", "하노이": "하노이 ", "가나": "가나 ", "집에": "집 에", "바다": "바다 ", "부산에는": "부산 에는", "": " ",
	} {
		stem, particle := phrase.Stem(in)
		if got := stem + " " + particle; got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestRespace(t *testing.T) {
	for in, want := range map[string]string{
		"부산날씨알려줘": "부산 날씨 알려줘", "서울역까지길안내해줘": "서울역까지 길 안내 해줘", "노래방으로 안내해줘": "노래방으로 안내 해줘", "노래틀어줘": "노래 틀어줘", "play a song": "play a song",
		`"벚꽃엔딩틀어줘"`: `"벚꽃엔딩틀어줘"`, "영화관 가자": "영화관 가자",
	} {
		got := phrase.Respace(in)
		if got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
		if again := phrase.Respace(got); again != got {
			t.Errorf("%q changes again: %q", got, again)
		}
	}
}

func TestLikeness(t *testing.T) {
	if d := phrase.Distance(phrase.Jamo("날시"), phrase.Jamo("날씨"), 2); d != 0 {
		t.Errorf("tense consonants fold: %d", d)
	}
	if d := phrase.Distance([]rune("movei"), []rune("movie"), 2); d != 1 {
		t.Errorf("neighbours exchanged are one slip: %d", d)
	}
	if d := phrase.Distance([]rune("weather"), []rune("song"), 2); d != 3 {
		t.Errorf("beyond the limit: %d", d)
	}
	a, b := phrase.Grams("노래 틀어줘"), phrase.Grams("노래틀어줘")
	if got := phrase.Alike(a, b); got != 1 {
		t.Errorf("spaces do not matter: %v", got)
	}
	if got := phrase.Alike(a, phrase.Grams("weather")); got != 0 {
		t.Errorf("nothing in common: %v", got)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "노래 틀어줘", "\xff", "\"", "가\u0301나", "까지까지까지", "play 3.5 a.m."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := phrase.Normalize(s)
		if !utf8.ValidString(n) || utf8.RuneCountInString(n) > phrase.MaxRunes {
			t.Errorf("%q: %q", s, n)
		}
		r := phrase.Respace(n)
		if strings.ReplaceAll(r, " ", "") != strings.ReplaceAll(n, " ", "") {
			t.Errorf("respacing %q changed more than spaces: %q", n, r)
		}
		for _, w := range phrase.Words(n) {
			if n[w.Start:w.End] != w.Text {
				t.Errorf("%q: offsets of %q", n, w.Text)
			}
			stem, particle := phrase.Stem(w.Text)
			if stem+particle != w.Text {
				t.Errorf("%q: %q + %q", w.Text, stem, particle)
			}
		}
	})
}

func TestPlain(t *testing.T) {
	for said, plain := range map[string]string{
		"회의실 내일 열시로 잡아줄 수 있어?": "회의실 내일 열시로 잡아줘", "대회의실 잡아주실 수 있나요": "대회의실 잡아줘", "엄마한테 만원 보내 줄수 없을까요": "엄마한테 만원 보내 줘",
		"줄 수 있는 사람이 없어": "줄 수 있는 사람이 없어", "내일 갈 수 있어?": "내일 갈 수 있어?", "회의실은 내일 빌려줄 수 없어.": "회의실은 내일 빌려줄 수 없어.", "내가 알려줄 수 있어": "내가 알려줄 수 있어", "회의실 잡아줘": "회의실 잡아줘",
	} {
		if got := phrase.Plain(said); got != plain {
			t.Errorf("%q: %q, want %q", said, got, plain)
		}
	}
}
