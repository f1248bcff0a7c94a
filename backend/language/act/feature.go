package act

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/language/phrase"
)

// space is how many features there are: every one has a place by its hash.
const space = 1 << 19

// kinds of features, so that the same letters in another place are another feature.
const (
	kindLetters = iota // letters anywhere
	kindWord
	kindPair
	kindLast  // letters of the last word, where Korean says what is done with the rest
	kindFirst // the first word
	kindForm  // marks and length
	kindOpen  // the first two words, the first three
	kindApart // how two words begin that stand near each other, in their order
	kindPlea  // letters of the word before the last
)

// features are the places of what stands in a text, each once. Korean syllables are taken apart, so that an ending is the same
// feature behind every stem.
func features(text string) []uint32 {
	f := collector{seen: map[uint32]bool{}}
	text = strings.ToLower(phrase.Normalize(text))
	f.form(text)
	var before string
	words := strings.FieldsFunc(digits(text), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r) && r != '\'' && r != '%' && r != '+'
	})
	for i, w := range words {
		f.add(kindWord, w)
		f.add(kindPair, before+" "+w)
		before = w
		letters := []rune("^" + norm.NFD.String(w) + "$")
		f.grams(kindLetters, letters, 2, 6)
		if i == len(words)-1 {
			f.add(kindPair, w+" .")
			f.grams(kindLast, letters, 2, 5)
		}
		switch i {
		case 0:
			f.add(kindFirst, w)
		case 1, 2:
			f.add(kindOpen, strings.Join(words[:i+1], " "))
		}
		if i == len(words)-2 {
			f.grams(kindPlea, letters, 3, 5)
		}
		for _, earlier := range words[max(0, i-near):i] {
			f.add(kindApart, beginning(earlier)+"~"+beginning(w))
		}
	}
	return f.list
}

// near is how many words apart two may stand to be seen together.
const near = 5

// beginning is how a word begins: what its endings and particles leave alone, mostly.
func beginning(w string) string {
	letters := []rune(w)
	most := 5
	if len(letters) > 0 && unicode.Is(unicode.Hangul, letters[0]) {
		most = 2
	}
	return string(letters[:min(len(letters), most)])
}

// weight is the value of each feature of a text that has n of them: a long text is not surer than a short one.
func weight(n int) float64 { return 1 / math.Sqrt(float64(max(n, 1))) }

type collector struct {
	seen map[uint32]bool
	list []uint32
}

func (f *collector) add(kind uint32, s string) {
	h := uint32(2166136261) ^ kind*0x9e3779b9
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	f.put(h % space)
}

func (f *collector) put(at uint32) {
	if !f.seen[at] {
		f.seen[at] = true
		f.list = append(f.list, at)
	}
}

// grams adds all runs of from to to letters.
func (f *collector) grams(kind uint32, letters []rune, from, to int) {
	s := string(letters)
	starts := make([]int, 0, len(letters)+1)
	for i := range s {
		starts = append(starts, i)
	}
	starts = append(starts, len(s))
	for i := range letters {
		for n := from; n <= to && i+n < len(starts); n++ {
			f.add(kind, s[starts[i]:starts[i+n]])
		}
	}
}

// form adds what is seen before a word is read.
func (f *collector) form(text string) {
	f.add(kindForm, "always")
	if strings.ContainsAny(text, "?") {
		f.add(kindForm, "?")
	}
	if strings.ContainsAny(text, `"'`) {
		f.add(kindForm, "quote")
	}
	if strings.ContainsFunc(text, unicode.IsDigit) {
		f.add(kindForm, "digit")
	}
	length := 0
	for n := utf8.RuneCountInString(text); n > 2; n /= 2 {
		length++
	}
	f.add(kindForm, strings.Repeat("+", length))
}

// digits writes every number as one of as many noughts, so that 7시 and 8시 are one feature.
func digits(w string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return '0'
		}
		return r
	}, w)
}
