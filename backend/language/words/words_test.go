package words

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

func TestTerms(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		"계약 기간은":                "계약 약 기간 간은 은",
		"집":                     "집",
		"제5조(Lease TERM)":       "제 5 조 lease term",
		"ＬＥＡＳＥ ㈜ ①":             "lease 주 1",
		"\u1100\u1161나 다\u0301": "가나 나 다 \u0301", // parts become a syllable; a mark stands alone
		"  ,. ":                 "",
	} {
		if got := Terms(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The quick look at a text finds the words that the whole look finds.
func FuzzOf(f *testing.F) {
	for _, seed := range []string{"계약 기간은 1년", "ＬＥＡＳＥ ㈜", "가\u11a8", "naïve e\u0301", "\xff가", "İ ſ K"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "")
		if got, want := Of(text), Of(norm.NFKC.String(text)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if plain(text) && !norm.NFKC.IsNormalString(text) {
			t.Errorf("%q is not in NFKC", text)
		}
	})
}
