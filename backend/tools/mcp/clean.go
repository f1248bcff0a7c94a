package mcp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/brief"
)

// clean makes a name that fits into a tool's key: small letters, digits and single underscores.
func clean(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(name) {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('_')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}

func startsWithLetter(s string) bool { return s != "" && s[0] >= 'a' && s[0] <= 'z' }

// invisible tells whether a character shows nothing: what a model reads and a person does not see.
func invisible(r rune) bool {
	return r == utf8.RuneError || unicode.Is(unicode.C, r) || r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF ||
		r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0xFFA0
}

// plain gives a stranger's text without control and invisible characters, on one line and bounded.
func plain(text string, most int) string {
	return brief.Cut(strings.Join(strings.Fields(visible(text)), " "), most)
}

// visible takes control and invisible characters out, but for line breaks and tabs.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r' || invisible(r):
			return -1
		}
		return r
	}, text)
}
