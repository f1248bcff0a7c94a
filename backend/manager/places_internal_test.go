package manager

import (
	"slices"
	"testing"
)

// A shelf is named by the words before the word for it, the longest name there is; other words that end so are none.
func TestShelfNamed(t *testing.T) {
	knows := func(name string) bool {
		return slices.Contains([]string{"계약서", "용역 계약서", "contracts", "lease contracts", "보고서"}, name)
	}
	for _, c := range []struct {
		text, name, rest string
		known            bool
	}{
		{"계약서 서가에서 해지 조항 찾아줘", "계약서", "해지 조항 찾아줘", true},
		{"용역 계약서 서가에서 대금은 언제 줘야 해?", "용역 계약서", "대금은 언제 줘야 해?", true},
		{"그럼 계약서 서가의 보증금은 얼마야?", "계약서", "그럼 보증금은 얼마야?", true},
		{"‘계약서’ 서가에서 보증금은?", "계약서", "보증금은?", true},
		{"계약서서가에서 보증금은?", "계약서", "보증금은?", true},
		{"in the contracts shelf what is the deposit?", "contracts", "what is the deposit?", true},
		{"In my lease contracts shelf, what is the deposit?", "lease contracts", "what is the deposit?", true},
		{"what is the deposit in the contracts shelf?", "contracts", "what is the deposit?", true},
		{"영수증 서가에서 합계 알려줘", "영수증", "합계 알려줘", false},
		{"in the recipes shelf what needs eggs?", "recipes", "what needs eggs?", false},
		{"보고서가 어디 있어?", "", "", false},
		{"도서가에서 만나자", "", "", false},
		{"서가에서 책 냄새가 나", "", "", false},
		{"우리 집 거실 낡은 나무 서가에서 나는 냄새가 좋아", "", "", false},
		{"put the book on the shelf", "", "", false},
		{"I saw it on the top shelf of the shop", "", "", false},
		{"On the top shelf there is a cup", "", "", false},
		{"내일 날씨 알려줘", "", "", false},
	} {
		name, rest, known := shelfNamed(c.text, knows)
		if name != c.name || known != c.known || rest != c.rest {
			t.Errorf("%q: %q, %q, %v", c.text, name, rest, known)
		}
	}
}

func FuzzShelfNamed(f *testing.F) {
	f.Add("계약서 서가에서 해지 조항")
	f.Add("in the contracts shelf, what")
	f.Fuzz(func(t *testing.T, text string) {
		name, rest, known := shelfNamed(text, func(n string) bool { return n == "계약서" })
		if known && name != "계약서" || name == "" && rest != "" {
			t.Errorf("%q: %q, %q, %v", text, name, rest, known)
		}
	})
}
