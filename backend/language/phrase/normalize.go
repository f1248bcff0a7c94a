// Package phrase is what the built-in interpreter knows about written words before it knows what they mean: one spelling
// for one text, words and their particles, Hangul letters, and how alike two spellings are. Every function is pure.
package phrase

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxRunes is how much of a text is read. A longer request is cut: no wish needs more, and the work stays bounded.
const MaxRunes = 2000

// Normalize gives the one spelling that everything else works on: valid UTF-8 in NFC, plain quotes, dashes and spaces, full-width
// forms folded, invisible characters, laughter (ㅋㅋ, ㅠㅠ) and drawn-out marks (~~, !!!) gone, at most MaxRunes long.
// Letter case is kept, because titles and names need it.
func Normalize(s string) string {
	if cut := MaxRunes * utf8.UTFMax; len(s) > cut {
		s = s[:cut]
	}
	s = norm.NFC.String(strings.ToValidUTF8(s, " "))
	var b strings.Builder
	b.Grow(len(s))
	last := ' '
	n := 0
	for _, r := range s {
		r = fold(r)
		if r == -1 || noise(r) && last == ' ' {
			continue
		}
		if noise(r) {
			r = ' '
		}
		if r == ' ' && last == ' ' || r == last && strings.ContainsRune("!?,", r) {
			continue
		}
		b.WriteRune(r)
		last = r
		if n++; n >= MaxRunes {
			break
		}
	}
	return strings.TrimSpace(b.String())
}

// fold maps a rune to the plain one it stands for; -1 drops it.
func fold(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		if r == '\n' || r == '\r' {
			return '\n'
		}
		return ' '
	case r >= 0xFF01 && r <= 0xFF5E: // full-width ASCII
		return r - 0xFEE0
	case strings.ContainsRune("“”„«»「」『』《》〈〉", r):
		return '"'
	case strings.ContainsRune("‘’`´", r):
		return '\''
	case strings.ContainsRune("–—−‐‑", r):
		return '-'
	case r == '×' || r == '✕' || r == '∗':
		return '*'
	case r == '÷':
		return '/'
	case r == '…':
		return ','
	case r == 'ː' || r == '、':
		return ','
	case r == '。':
		return '.'
	case r == '\u3000':
		return ' '
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Mn, r), r == utf8.RuneError, unicode.IsControl(r):
		return -1
	}
	return r
}

// noise tells laughter, tears, drawn-out marks and pictures: they carry a mood, never a wish. ㄱㄱ ("go go") is kept.
func noise(r rune) bool {
	switch r {
	case 'ㅋ', 'ㅎ', 'ㅠ', 'ㅜ', 'ㅡ', '~', '^', '♪', '♬', '♡', '♥', '·', '♩', '♫':
		return r != '^'
	}
	return r > 0x1F000 || unicode.Is(unicode.So, r) && r != '°'
}

// Hangul tells whether r is a Korean syllable.
func Hangul(r rune) bool { return r >= 0xAC00 && r <= 0xD7A3 }

// Korean tells whether s is mostly Korean: among its letters, at least a third are Hangul.
func Korean(s string) bool {
	ko, all := 0, 0
	for _, r := range s {
		if Hangul(r) || r >= 0x3131 && r <= 0x318E {
			ko += 2 // a syllable says as much as two Latin letters
			all += 2
		} else if unicode.IsLetter(r) {
			all++
		}
	}
	return all > 0 && ko*3 >= all
}

// Final gives the final consonant of a Hangul syllable as its index 0–27; 0 is none, 8 is ㄹ, 20 is ㅆ. -1 for other runes.
func Final(r rune) int {
	if !Hangul(r) {
		return -1
	}
	return int(r-0xAC00) % 28
}

// The finals that grammar asks for.
const (
	FinalNieun  = 4
	FinalRieul  = 8
	FinalMieum  = 16
	FinalBieup  = 17
	FinalSsSiot = 20
)

// Jamo spells Hangul letter by letter, with vowels people confuse (ㅐ/ㅔ, ㅚ/ㅙ/ㅞ) and tense consonants folded together, so that
// a typing slip is one step away. Other runes stay.
func Jamo(s string) []rune {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		if !Hangul(r) {
			out = append(out, unicode.ToLower(r))
			continue
		}
		i := int(r - 0xAC00)
		out = append(out, foldLead[i/588], 0x1161+foldVowel[i%588/28])
		if f := i % 28; f > 0 {
			out = append(out, 0x11A7+rune(f))
		}
	}
	return out
}

var (
	//            ㄱ ㄲ ㄴ ㄷ ㄸ ㄹ ㅁ ㅂ ㅃ ㅅ ㅆ ㅇ ㅈ ㅉ ㅊ ㅋ ㅌ ㅍ ㅎ
	foldLead = [19]rune{
		0x1100, 0x1100, 0x1102, 0x1103, 0x1103, 0x1105, 0x1106, 0x1107, 0x1107, 0x1109, 0x1109, 0x110B, 0x110C,
		0x110C, 0x110E, 0x110F, 0x1110, 0x1111, 0x1112,
	}
	//            ㅏ ㅐ ㅑ ㅒ ㅓ ㅔ ㅕ ㅖ ㅗ ㅘ ㅙ ㅚ ㅛ ㅜ ㅝ ㅞ ㅟ ㅠ ㅡ ㅢ ㅣ
	foldVowel = [21]rune{0, 1, 2, 3, 4, 1, 6, 3, 8, 9, 10, 10, 12, 13, 14, 10, 16, 17, 18, 20, 20}
)

// Distance is the number of single-letter slips (add, drop, swap, neighbours exchanged) between a and b, or limit+1 when there
// are more than limit.
func Distance(a, b []rune, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		best := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
			best = min(best, cur[j])
		}
		if best > limit {
			return limit + 1
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
