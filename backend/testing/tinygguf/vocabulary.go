package tinygguf

import (
	"slices"
	"strings"

	"agentchat/backend/testing/gguf"
)

// The first tokens.
const (
	bos = iota
	eos
	firstByte
)

// vocabulary is a byte-level one: every byte of a prompt is a token of its own unless merges join them, and other longer
// tokens are found in a prompt only when they are user-defined.
type vocabulary struct {
	texts  []string // as the file writes them
	kinds  []int32
	merges []string
	ids    map[string]int // by the text a person would write
	used   map[string]bool
	alias  [256]string
}

// newVocabulary makes a vocabulary that reads texts like the given ones in few tokens.
func newVocabulary(reads ...string) *vocabulary {
	v := &vocabulary{ids: map[string]int{}, used: map[string]bool{}}
	// GPT-2 writes bytes that are no printable character as characters from U+0100 on.
	shift := rune(0)
	for b := range 256 {
		r := rune(b)
		if b < '!' || b > '~' && b < 0xA1 || b == 0xAD {
			r = 256 + shift
			shift++
		}
		v.alias[b] = string(r)
	}
	v.add("<|begin|>", gguf.Control)
	v.add("<|end|>", gguf.Control)
	for b := range 256 {
		v.append(v.alias[b], gguf.Normal)
	}
	v.merges = v.learn(reads)
	return v
}

func (v *vocabulary) append(written string, kind int32) int {
	if v.used[written] {
		panic("tinygguf: the same token twice: " + written)
	}
	v.used[written] = true
	v.texts, v.kinds = append(v.texts, written), append(v.kinds, kind)
	return len(v.texts) - 1
}

func (v *vocabulary) add(text string, kind int32) {
	written := text
	if kind == gguf.Normal {
		written = v.write(text)
	}
	v.ids[text] = v.append(written, kind)
}

// word gives the token that is the text, a new one if there is none.
func (v *vocabulary) word(text string) int {
	if id := slices.Index(v.texts, v.write(text)); id >= 0 {
		return id
	}
	return v.append(v.write(text), gguf.Normal)
}

func (v *vocabulary) write(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteString(v.alias[text[i]])
	}
	return b.String()
}

// pieces makes new tokens that together are the text. No token stands twice, because a token knows only one that follows.
func (v *vocabulary) pieces(text string) []int {
	const usual = 3 // characters
	runes := []rune(text)
	var cuts []string
	for len(runes) > 0 {
		n := min(usual, len(runes))
		for n < len(runes) && v.used[v.write(string(runes[:n]))] {
			n++
		}
		cut := string(runes[:n])
		runes = runes[n:]
		for v.used[v.write(cut)] { // the end of the text: join it with what stood before
			if len(cuts) == 0 {
				panic("tinygguf: too short to be told from another script: " + text)
			}
			cut = cuts[len(cuts)-1] + cut
			cuts = cuts[:len(cuts)-1]
		}
		v.used[v.write(cut)] = true
		cuts = append(cuts, cut)
	}
	ids := make([]int, len(cuts))
	for i, cut := range cuts {
		delete(v.used, v.write(cut))
		ids[i] = v.append(v.write(cut), gguf.Normal)
	}
	return ids
}
