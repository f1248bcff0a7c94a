package wire

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// A service may cut its answer in the middle of a character, so that one JSON line ends with the first bytes of a
// Hangul syllable and the next begins with the rest. A JSON decoder would turn both into U+FFFD. Therefore bytes that
// are no UTF-8 travel through the decoder as characters of a private area (escape), and become bytes again behind it,
// where they are joined (joiner).
const stowed = 0x10FF00 // byte 0xNN travels as U+10FFNN; only 0x80 to 0xFF ever do

// escape is a transformer that stows invalid bytes.
type escape struct{ transform.NopResetter }

func (escape) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		if c := src[nSrc]; c < utf8.RuneSelf {
			if nDst == len(dst) {
				return nDst, nSrc, transform.ErrShortDst
			}
			dst[nDst] = c
			nDst++
			nSrc++
			continue
		}
		rest := src[nSrc:]
		if !atEOF && !utf8.FullRune(rest) {
			return nDst, nSrc, transform.ErrShortSrc
		}
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 {
			r = stowed + rune(rest[0])
		}
		if nDst+utf8.RuneLen(r) > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc += size
	}
	return nDst, nSrc, nil
}

// joiner brings stowed bytes back and puts characters that were cut together again. Its zero value is ready.
type joiner struct{ tail []byte }

// add gives what is whole so far; bytes that can never become a character are U+FFFD.
func (j *joiner) add(piece string) string {
	if len(j.tail) == 0 && !strings.Contains(piece, "\U0010FF80"[:2]) {
		return piece
	}
	raw := j.tail
	for _, r := range piece {
		if r >= stowed+utf8.RuneSelf && r <= stowed+0xFF {
			raw = append(raw, byte(r-stowed))
		} else {
			raw = utf8.AppendRune(raw, r)
		}
	}
	whole := len(raw)
	for i := len(raw) - 1; i >= 0 && i >= len(raw)-utf8.UTFMax; i-- {
		if utf8.RuneStart(raw[i]) {
			if !utf8.FullRune(raw[i:]) {
				whole = i
			}
			break
		}
	}
	text := strings.ToValidUTF8(string(raw[:whole]), "\uFFFD")
	j.tail = append([]byte(nil), raw[whole:]...)
	return text
}

// rest gives what was left of a character whose end never came.
func (j *joiner) rest() string {
	if len(j.tail) == 0 {
		return ""
	}
	j.tail = nil
	return "\uFFFD"
}
