package words

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/lazyregexp"
)

// endings are what may follow the stem of a Korean verb in a question, one after the other (올-렸-을-까), as letters: a final consonant and the
// first letter of a syllable are different letters here.
var endings = lazyregexp.New(norm.NFD.String(`(으면|면|고|지|어|아|여|야|서|도|는|은|을|음|기|게|려고|려|데|니까|니|나|요|다|라|죠|자|더|든|까|습니|대|래|냐)$|`) + "[\u11ab\u11af\u11b7\u11b8\u11bb]$")

// finals are the letters that an ending puts under the last syllable of a stem: none, ㄴ, ㄹ, ㅁ, ㅂ, ㅆ.
var finals = []string{"", "\u11ab", "\u11af", "\u11b7", "\u11b8", "\u11bb"}

// leastStem is how many syllables a stem has at least: shorter ones begin too many words.
const leastStem = 2

// Inflected gives other shapes in which documents may write a Korean verb of a question, none when the word has no stem of two
// syllables and more: 올릴 is 올리, 올린, 올려 … there.
func Inflected(word string) (shapes []string) {
	if !Korean(word) {
		return nil
	}
	stem := norm.NFD.String(word)
	for {
		shorter := endings.ReplaceAllString(stem, "")
		if shorter == stem || utf8.RuneCountInString(norm.NFC.String(shorter)) < leastStem {
			break
		}
		stem = shorter
	}
	if utf8.RuneCountInString(norm.NFC.String(stem)) < leastStem {
		return nil
	}
	stems := []string{stem}
	switch last, size := utf8.DecodeLastRuneInString(stem); last {
	case '\u1175', '\u1167': // 리 and 려
		short := stem[:len(stem)-size]
		stems = []string{short + "\u1175", short + "\u1167"}
	}
	for _, s := range stems {
		last, _ := utf8.DecodeLastRuneInString(s)
		if last >= '\u11a8' { // there is a letter under it already
			shapes = append(shapes, norm.NFC.String(s))
			continue
		}
		for _, f := range finals {
			if shape := norm.NFC.String(s + f); !strings.HasPrefix(shape, word) {
				shapes = append(shapes, shape)
			}
		}
	}
	return shapes
}
