package slot_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"agentchat/backend/language/hangul"
	"agentchat/backend/language/slot"
)

// amounts writes what was found: 10000, 5 USD, 30000? for digits alone.
func amounts(text string) string {
	var list []string
	for _, a := range slot.Amounts(text) {
		s := fmt.Sprint(a.Value)
		if a.Currency != "KRW" {
			s += " " + a.Currency
		}
		if a.Bare {
			s += "?"
		}
		list = append(list, s)
	}
	return strings.Join(list, ", ")
}

func TestAmounts(t *testing.T) {
	for want, texts := range map[string][]string{
		"10000":     {"만원", "만 원", "만원만", "1만", "10,000원", "10k won", "ten thousand won", "₩10,000", "₩ 10000", "KRW 10,000", "10000krw", "일만원", "만원이요", "만원씩", "만원정도?", "만원짜리"},
		"15000":     {"만 오천원", "만오천 원", "1만5천원", "1.5만", "1.5만원", "만 5천", "만오천", "15천원", "fifteen thousand won", "만 5천원", "1만 5,000원", "만 오 천 원"},
		"35000":     {"3만5천원", "3만 5천원", "3 만 5 천 원", "삼만오천원", "삼만 오천", "35,000 won", "thirty-five thousand won", "３５，０００원"},
		"50000":     {"5만", "5 만", "５만", "오만원", "오만 원", "5만원으로", "엄마5만원", "엄마한테 오만 보내줘", "fifty thousand won", "50 thousand won"},
		"200000":    {"이십만 원", "20만", "이십만", "two hundred thousand won"},
		"1000000":   {"백만원", "100만원", "백만 원", "a million won", "1 million won", "1,000,000원"},
		"1200":      {"1,200원", "천이백원", "천 이백 원", "1천2백원", "1200원", "one thousand two hundred won"},
		"1000":      {"천원", "천 원", "1천원", "1000원"},
		"2000":      {"2천", "2천원", "이천원", "이천 보내줘"},
		"5000":      {"오천 원", "오천원", "5천이요", "5천", "5천이에요"},
		"150000":    {"십오만원", "15만", "십오만"},
		"3200000":   {"삼백이십만원", "320만원", "3백20만원", "3.2백만원"},
		"120000000": {"1억 2천만원", "일억 이천만 원", "1억2천만원", "1.2억", "1억 2,000만원"},
		"25000000":  {"2.5천만원", "2천5백만원", "이천오백만원"},
		"123456":    {"12만3,456원", "123,456원", "십이만삼천사백오십육원", "12만 3,456원", "a hundred and twenty-three thousand four hundred and fifty-six won"},
		"-1000":     {"마이너스 천원", "-1000원", "-1,000원", "−1000원", "minus 1000 won", "마이너스천원", "- 1000원", "-₩1,000"},
		"0":         {"0원", "0 won"},
		"30000?":    {"30000", "30,000", "30000?", "엄마한테 30000 보내줘", "send 30000 to mom"},
		"30000":     {"30000원", "3만원", "3만원정도?", "3만", "30k", "thirty thousand", "엄마 - 3만원", "엄마-3만원", "3만 천천히 보내줘", "3만 3월 5일", "3만원~~~"},
		"5 USD":     {"$5", "5달러", "5 dollars", "USD 5", "5불", "five dollars", "5 bucks"},
		"50000 JPY": {"5만 엔", "5만엔", "¥50,000"},
		"100 EUR":   {"100유로", "€100", "100 euros"},
		"30000, 50000": {
			"3만원에서 5만원 사이", "3만원 5만원", "3만, 5만", "3만원~5만원", "엄마 3만 아빠 5만", "3만원 아니면 5만원",
		},
		"50000, 30000":    {"5만원 말고 3만원", "5만 3만", "send 50,000 won and 30,000 won"},
		"999999999999999": {"999조9999억9999만9999원", "999,999,999,999,999원"},
		"": {
			"영원", "영원히", "만나", "만나자", "천천히", "백화점", "이백씨", "이백 씨", "오만하다", "구만리", "천만에요", "천만다행", "오만가지", "3만가지", "만원버스", "만원 버스", "공원", "구원", "일원", "이원", "사원", "병원", "회원", "이만", "이만 갈게", "만", "천", "백",
			"억", "조", "하나만 원해", "나만 원하는", "이천에서", "사천 맛집", "구천을 떠도는", "3만 명", "3천 개", "만 번", "2천년", "2026년", "몇 만원", "몇만원", "수만원", "3만원의 절반", "5만원 이상", "3만여원", "3만5", "삼만오", "3만 500", "3만12345원", "1,20원",
			"12000,500원", "3~5만원", "3-5만원", "이 만원", "사 만원", "1 000 won", "3.5원", "1.23456만원", "007원", "계좌번호 123456", "비밀번호 1234", "010-1234-5678", "110-2000", "20261201", "2026-12-01", "12:30", "100%", "3/5", "99", "3", "삼일오", "오구만", "1000조원",
			"99999999999999999999원", "1000조", "원희", "백원장님", "강만원씨", "5천명", "1.5", "v1000", "#1234", "thousand", "the one", "wonder", "k", "one two three won", "$", "마이너스",
		},
	} {
		for _, text := range texts {
			if got := amounts(text); got != want {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		}
	}
}

func TestWon(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0원", 1: "1원", 1000: "1,000원", 1200: "1,200원", 10000: "1만원", 15000: "1만5천원", 30000: "3만원", 50000: "5만원", 60000: "6만원", 123456: "12만3,456원",
		100000: "10만원", 1000000: "100만원", 25000000: "2,500만원", 20000000: "2천만원", 120000000: "1억2천만원", -1000: "-1,000원", 10500: "1만500원", slot.MaxWon: "999조9,999억9,999만9,999원",
	} {
		if got := slot.Won(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
	if got := hangul.With(slot.Won(30000), "을", "를"); got != "3만원을" {
		t.Errorf("with its particle: %s", got)
	}
}

// anyAmount draws amounts of every size, round ones as often as crooked ones.
func anyAmount(t *rapid.T) int64 {
	n := rapid.Int64Range(0, slot.MaxWon).Draw(t, "n")
	for range rapid.IntRange(0, 15).Draw(t, "size") {
		n /= 10
	}
	for range rapid.IntRange(0, 8).Draw(t, "zeros") {
		if n <= slot.MaxWon/10 && n%10 != 0 {
			n *= 10
		}
	}
	return n
}

func TestWonReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyAmount(t)
		if rapid.Bool().Draw(t, "minus") {
			n = -n
		}
		if got, ok := slot.Money(slot.Won(n)); !ok || got != n {
			t.Fatalf("%s is %d, read as %d %v", slot.Won(n), n, got, ok)
		}
	})
}

// spell writes n as people do: Hangul numerals or digits before each unit, with spaces where they may be.
func spell(n int64, syllables bool, space string) string {
	if n == 0 {
		return "0"
	}
	var groups []string
	for _, unit := range []struct {
		size int64
		name string
	}{{1e12, "조"}, {1e8, "억"}, {1e4, "만"}, {1, ""}} {
		g := n / unit.size
		n %= unit.size
		if g == 0 {
			continue
		}
		s := fmt.Sprint(g)
		if syllables {
			s = sino(g)
			if s == "일" && unit.name == "만" && len(groups) == 0 {
				s = "" // 만, not 일만
			}
		}
		groups = append(groups, s+unit.name)
	}
	return strings.Join(groups, space)
}

func sino(n int64) string {
	var b strings.Builder
	for _, u := range []struct {
		size int64
		name string
	}{{1000, "천"}, {100, "백"}, {10, "십"}, {1, ""}} {
		d := n / u.size
		n %= u.size
		if d == 0 {
			continue
		}
		if d > 1 || u.size == 1 {
			b.WriteString(string([]rune("영일이삼사오육칠팔구")[d]))
		}
		b.WriteString(u.name)
	}
	return b.String()
}

func TestSpellingsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyAmount(t)
		syllables := rapid.Bool().Draw(t, "hangul") && n >= 10
		space := rapid.SampledFrom([]string{"", " "}).Draw(t, "space")
		spellings := []string{spell(n, syllables, space), fmt.Sprint(n), slot.Commas(n), strings.TrimSuffix(slot.Won(n), "원")}
		text := rapid.SampledFrom(spellings).Draw(t, "spelling") + rapid.SampledFrom([]string{"원", " 원"}).Draw(t, "unit")
		around := rapid.SampledFrom([]string{"%s", "엄마한테 %s 보내줘", "%s만 부쳐줘", "음 %s이요", "%s, 엄마한테", "\u200b%s"}).Draw(t, "around")
		if rapid.Bool().Draw(t, "wide") {
			text = strings.Map(func(r rune) rune {
				if r >= '0' && r <= '9' {
					return r - '0' + '０'
				}
				return r
			}, text)
		}
		text = fmt.Sprintf(around, text)
		list := slot.Amounts(text)
		if len(list) != 1 || list[0].Value != n || list[0].Currency != "KRW" {
			t.Fatalf("%q is %d, read as %+v", text, n, list)
		}
	})
}

func FuzzAmounts(f *testing.F) {
	fuzz(f, func(t *testing.T, text string) {
		end := 0
		for _, a := range slot.Amounts(text) {
			if a.Start < end || a.End <= a.Start || a.End > len(text) {
				t.Fatalf("%q: place %d to %d behind %d", text, a.Start, a.End, end)
			}
			end = a.End
			part := text[a.Start:a.End]
			if a.Value < -slot.MaxWon || a.Value > slot.MaxWon {
				t.Errorf("%q: %d", text, a.Value)
			}
			if low := slot.Read(part).Text; a.Value < 0 && !strings.ContainsAny(low, "-") && !strings.Contains(low, "마이너스") && !strings.Contains(low, "minus") && !strings.Contains(low, "negative") {
				t.Errorf("%q: %d has no sign", part, a.Value)
			}
		}
	})
}

func FuzzRead(f *testing.F) {
	fuzz(f, func(t *testing.T, text string) {
		r := slot.Read(text)
		if !utf8.ValidString(r.Text) {
			t.Errorf("%q: %q", text, r.Text)
		}
		end := 0
		for i, c := range r.Text {
			from, to := r.Span(i, i+utf8.RuneLen(c))
			if from < 0 || to <= from || to > len(text) || to < end {
				t.Fatalf("%q: %q stands at %d to %d behind %d", text, c, from, to, end)
			}
			end = from
		}
	})
}
