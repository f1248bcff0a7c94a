package tinygguf

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"agentchat/backend/testing/gguf"
)

// maxMerges bounds what a model learns to read.
const maxMerges = 4000

// words are the parts of a text within which a server merges, nearly as it cuts them itself: what is cut elsewhere here
// is only read in more tokens there.
var words = regexp.MustCompile(`[\p{P}$+<=>^~|]+| ?\p{L}+| ?\p{N}+`)

// pair is two neighbouring tokens.
type pair struct{ left, right string }

// learn makes the vocabulary read texts like these in about as few tokens as a real model's: byte-pair encoding. It gives
// the merges in the order of their rank.
func (v *vocabulary) learn(texts []string) (merges []string) {
	spelled := map[string][]string{} // a word as its tokens
	times := map[string]int{}
	for _, text := range texts {
		for _, word := range words.FindAllString(text, -1) {
			if times[word]++; spelled[word] == nil {
				for i := range len(word) {
					spelled[word] = append(spelled[word], v.alias[word[i]])
				}
			}
		}
	}
	for len(merges) < maxMerges {
		counts := map[pair]int{}
		for word, tokens := range spelled {
			for i := 1; i < len(tokens); i++ {
				counts[pair{tokens[i-1], tokens[i]}] += times[word]
			}
		}
		best, most := pair{}, 1
		for p, n := range counts {
			if n > most || n == most && most > 1 && before(p, best) {
				best, most = p, n
			}
		}
		if most < 2 {
			break
		}
		merges = append(merges, best.left+" "+best.right)
		if whole := best.left + best.right; !v.used[whole] { // two ways may lead to the same token
			v.append(whole, gguf.Normal)
		}
		for word, tokens := range spelled {
			spelled[word] = joined(tokens, best)
		}
	}
	return merges
}

func before(a, b pair) bool {
	return cmp.Or(strings.Compare(a.left, b.left), strings.Compare(a.right, b.right)) < 0
}

func joined(tokens []string, p pair) []string {
	for i := 1; i < len(tokens); i++ {
		if tokens[i-1] == p.left && tokens[i] == p.right {
			tokens[i-1] = p.left + p.right
			tokens = slices.Delete(tokens, i, i+1)
		}
	}
	return tokens
}
