package slot

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Reading is a text as the exact grammars read it: NFC, full-width forms folded, lower case, invisible characters gone,
// laughter and pictures as spaces. Unlike the phrasebook's spelling it is never cut, and it remembers which bytes of the
// original each of its bytes stands for. It never changes; safe for concurrent use.
type Reading struct {
	Text     string // what the grammars walk
	from, to []int  // for each byte of Text: where its character begins and ends in the original
}

// Read makes a reading. It takes time and space linear in the text.
func Read(text string) Reading {
	var b strings.Builder
	b.Grow(len(text))
	r := Reading{from: make([]int, 0, len(text)), to: make([]int, 0, len(text))}
	var it norm.Iter
	it.InitString(norm.NFC, text)
	for !it.Done() {
		start := it.Pos()
		segment := string(it.Next())
		for _, c := range segment {
			c = plainRune(c)
			if c < 0 {
				continue
			}
			n, _ := b.WriteRune(c)
			for range n {
				r.from, r.to = append(r.from, start), append(r.to, it.Pos())
			}
		}
	}
	r.Text = b.String()
	return r
}

// Span gives the bytes of the original that Text[i:j] stands for.
func (r Reading) Span(i, j int) (start, end int) {
	if i >= j || i < 0 || j > len(r.Text) {
		return 0, 0
	}
	return r.from[i], r.to[j-1]
}

// plainRune folds a rune to the plain one it stands for; -1 drops it.
func plainRune(r rune) rune {
	switch {
	case r == '\n', r == '\r', r == '\u2028', r == '\u2029':
		return '\n'
	case unicode.IsSpace(r):
		return ' '
	case r >= 0xFF01 && r <= 0xFF5E: // full-width ASCII
		return unicode.ToLower(r - 0xFEE0)
	case r == '￦':
		return '₩'
	case r == '￥':
		return '¥'
	case strings.ContainsRune("“”„«»「」『』《》〈〉＂", r):
		return '"'
	case strings.ContainsRune("‘’`´", r):
		return '\''
	case strings.ContainsRune("–—−‐‑‒―", r):
		return '-'
	case strings.ContainsRune("〜～∼", r):
		return '~'
	case strings.ContainsRune("、，…·", r):
		return ','
	case r == '。':
		return '.'
	case strings.ContainsRune("ㅋㅎㅠㅜㅡ♪♬♡♥♩♫", r):
		return ' '
	case r == utf8.RuneError, unicode.Is(unicode.Cf, r), unicode.Is(unicode.Mn, r), unicode.IsControl(r):
		return -1
	case r > 0x1F000, unicode.Is(unicode.So, r) && r != '°':
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return ' '
	}
	return unicode.ToLower(r)
}

// before and after give the runes around a byte offset; 0 at the borders.
func before(s string, i int) rune {
	if i <= 0 {
		return 0
	}
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return r
}

func after(s string, i int) rune {
	if i >= len(s) {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return r
}

func skipBlank(s string, i int) int {
	for i < len(s) && s[i] == ' ' {
		i++
	}
	return i
}
