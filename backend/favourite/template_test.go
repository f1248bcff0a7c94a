package favourite_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/favourite"
)

func TestBlanksOfATemplate(t *testing.T) {
	for text, want := range map[string]string{
		"서울 날씨 알려줘":                 "",
		"{장소} 날씨 알려줘":               "장소",
		"{출발}에서 { 도착 }까지, 다시 {출발}로": "출발 도착",
		"{{장소}} {말}":                "말",
		"{{{말}}}":                   "말",
		"{받는 분}에게 {금-액_2}":          "받는 분|금-액_2",
	} {
		parsed, err := favourite.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		sep := " "
		if strings.Contains(want, "|") {
			sep = "|"
		}
		if got := strings.Join(parsed.Blanks(), sep); got != want {
			t.Errorf("%s has the blanks %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{
		"{", "}", "{}", "{ }", "{장소", "장소}", "{{장소}", "{장{소}}", "{a\nb}", "{a/b}", "{" + strings.Repeat("가", 21) + "}",
		"{1}{2}{3}{4}{5}{6}{7}{8}{9}", "{\xff}",
	} {
		if parsed, err := favourite.Parse(text); apperr.CodeOf(err) != apperr.BlankUnreadable {
			t.Errorf("%q was read as %q, %v", text, parsed.Blanks(), err)
		}
	}
}

func TestWordsOfATemplate(t *testing.T) {
	parsed, err := favourite.Parse("{{여기}} {곳}의 {것}, {곳}")
	if err != nil {
		t.Fatal(err)
	}
	text, at := parsed.With(map[string]string{"곳": "서울"})
	if text != "{여기} 서울의 {것}, 서울" || text[at["곳"][0]:at["곳"][1]] != "서울" || text[at["것"][0]:at["것"][1]] != "{것}" {
		t.Errorf("%q, %v", text, at)
	}
	for said, want := range map[string]map[string]string{
		"{여기} 서울의 날씨, 서울":   {"곳": "서울", "것": "날씨"},
		"{여기} {곳}의 날씨, {곳}": {"것": "날씨"},
		"{여기} 서울의 날씨, 부산":   nil, // two things in one blank
		"서울의 날씨":            nil,
	} {
		if values, ok := parsed.Match(said); ok != (want != nil) || !maps.Equal(values, want) {
			t.Errorf("%q says %v, %v", said, values, ok)
		}
	}
}

func FuzzTemplate(f *testing.F) {
	for _, text := range []string{"{장소} 날씨", "{{x}} {y}", "{", "}}", "{a}{a}", "{{{a}}}", "{a{b}c}", "\x00{\xff}", strings.Repeat("{", 300), "{é}{é}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := favourite.Parse(text)
		if err != nil {
			if apperr.CodeOf(err) != apperr.BlankUnreadable {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		names := parsed.Blanks()
		again, err := favourite.Parse(parsed.String())
		if err != nil || !slices.Equal(again.Blanks(), names) || again.String() != parsed.String() {
			t.Fatalf("%q is written as %q: %q, %v", text, parsed.String(), again.Blanks(), err)
		}
		values := map[string]string{}
		for _, name := range names {
			values[name] = "<" + strings.Repeat("v", len(values)+1) + ">"
		}
		said, at := parsed.With(values)
		for _, name := range names {
			if said[at[name][0]:at[name][1]] != values[name] {
				t.Fatalf("%q: %q does not stand in %q", text, name, said)
			}
		}
		if !utf8.ValidString(said) || strings.ContainsAny(text, "<>") || strings.Contains(said, "><") {
			return // nothing parts one blank from the next
		}
		if got, ok := parsed.Match(said); len(names) > 0 && (!ok || !maps.Equal(got, values)) {
			t.Fatalf("%q: %q says %v, want %v", text, said, got, values)
		}
	})
}
