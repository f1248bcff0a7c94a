package brief_test

import (
	"testing"

	"agentchat/backend/brief"
)

func TestShortenedByWholeCharacters(t *testing.T) {
	for _, c := range []struct{ text, first, cut, fit string }{
		{"", "", "", ""},
		{"가나다", "가나다", "가나다", "가나다"},
		{"가나다라", "가나다", "가나다…", "가나…"},
		{"abcdef", "abc", "abc…", "ab…"},
	} {
		if first, cut, fit := brief.First(c.text, 3), brief.Cut(c.text, 3), brief.Fit(c.text, 3); first != c.first || cut != c.cut || fit != c.fit {
			t.Errorf("%q: %q, %q, %q", c.text, first, cut, fit)
		}
	}
}
