package shop_test

import (
	"strings"
	"testing"
	"unicode"
)

// What tells no language is answered in the language of the window.
func TestTheReplyIsInTheCustomersLanguage(t *testing.T) {
	for _, c := range []struct {
		lang, text string
		korean     bool
	}{
		{"ko", "asdfasdf", true},
		{"ko", "Zxcv qwer", true},
		{"ko", "hello there, how are you", false},
		{"ko", "what can you do?", false},
		{"ko", "뭘 할 수 있어?", true},
		{"en", "asdfasdf", false},
		{"en", "asdfasdf 안녕", true},
	} {
		t.Run(c.lang+" "+c.text, func(t *testing.T) {
			t.Parallel()
			shop := enterAs(t, t.TempDir(), nil, "AGENTCHAT_LANG="+c.lang)
			reply := shop.answered(c.text).Text
			if got := strings.ContainsFunc(reply, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }); got != c.korean {
				t.Errorf("%q is answered with %q", c.text, reply)
			}
			if strings.Contains(reply, "….") {
				t.Errorf("cut off in the middle: %q", reply)
			}
		})
	}
}
