package slot_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"agentchat/backend/language/slot"
)

// seeds are sentences near the borders of the grammars.
var seeds = []string{
	"", "3만5천 나누기 7은?", "twelve times 3", "15% of 200", "루트 2", "((1+2", "1+2)))", "1 + ", "- - -", "한 시간 반", "half an hour", "오후 7시 반에", "at 25:99", "99999999999999999999시간",
	"서울역까지 가자", "to the to the to the", `play "River`, "'", "다음 주 금요일", "2026-13-45", "2월 29일", "만 오천원", "$", "조조조", "억억만만", "이이이", "\xff\xfe", "가\u0301", "remind me to", "5분 뒤에 라고 알려줘", "제목이 인 노래", "a hundred and and", "add 1-to-1 with harriet at 2", "add one-to-one with Harriet at 2", "two point", "%%%", "1e309",
}

func fuzz(f *testing.F, check func(t *testing.T, text string)) {
	f.Helper()
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { check(t, text) })
}

func valid(t *testing.T, text, got string, ok bool) {
	t.Helper()
	if ok && (got == "" || !utf8.ValidString(got)) || !ok && got != "" {
		t.Errorf("%q: %q, %v", text, got, ok)
	}
}

func FuzzNumber(f *testing.F) {
	fuzz(f, func(t *testing.T, text string) {
		got, ok := slot.Number(text)
		valid(t, text, got, ok)
		if ok && !json.Valid([]byte(got)) {
			t.Errorf("%q: %q is no JSON number", text, got)
		}
	})
}

func FuzzExpression(f *testing.F) {
	fuzz(f, func(t *testing.T, text string) {
		got, ok := slot.Expression(text)
		valid(t, text, got, ok)
		if strings.Trim(strings.ReplaceAll(got, "sqrt", ""), "0123456789.+-*/%^() ") != "" || strings.Count(got, "(") != strings.Count(got, ")") {
			t.Errorf("%q: %q is no formula", text, got)
		}
	})
}

func FuzzDuration(f *testing.F) {
	fuzz(f, func(t *testing.T, text string) {
		if n, ok := slot.Duration(text, now); ok && n <= 0 || !ok && n != 0 {
			t.Errorf("%q: %d, %v", text, n, ok)
		}
	})
}

func FuzzDate(f *testing.F) {
	fuzz(f, func(t *testing.T, text string) {
		got, ok := slot.Date(text, now)
		valid(t, text, got, ok)
		if ok && len(got) != len("2006-01-02") {
			t.Errorf("%q: %q", text, got)
		}
	})
}

func FuzzMoney(f *testing.F) {
	fuzz(f, func(_ *testing.T, text string) { slot.Money(text) })
}

// short knows every short name.
func short(name string) bool { return len(name) < 8 }

func FuzzSpans(f *testing.F) {
	fuzz(f, func(t *testing.T, text string) {
		place, ok := slot.Place(slot.Input{Text: text, Carrier: carrier, Known: short})
		valid(t, text, place, ok)
		from, ok := slot.Origin(text)
		valid(t, text, from, ok)
		title, ok := slot.Title(slot.Input{Text: text, Carrier: carrier, Known: short})
		valid(t, text, title, ok)
		message, ok := slot.Message(text)
		valid(t, text, message, ok)
	})
}

func FuzzEnum(f *testing.F) {
	p := slot.Property{Enum: []string{"low", "high"}, Words: map[string][]string{"low": {"작게"}}}
	fuzz(f, func(t *testing.T, text string) {
		if got, ok := slot.Enum(text, p); ok && got != "low" && got != "high" {
			t.Errorf("%q: %q", text, got)
		}
	})
}
