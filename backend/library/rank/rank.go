// Package rank orders passages by how well they answer a question. The full-text index proposes candidates; here they are
// weighed again: BM25 over pairs of syllables and, beside it, over whole words found inside longer ones, with parameters for
// short passages.
package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"agentchat/backend/language/words"
)

// The parameters. K1 is lower than the usual 1.2 because a passage is short: a term said twice says little more than one
// said once. They were chosen on one half of a public Korean question set and confirmed on the other half.
const (
	k1         = 0.6
	lengthBias = 0.4
	wordWeight = 0.5 // of a whole word beside its pairs
	restWeight = 0.3 // of what stands around the words that matter: particles, question words
	headWeight = 0.6 // of a word in the heading of a passage's article
)

// Stats are what the whole library says of terms.
type Stats struct {
	Passages  int
	MeanTerms float64 // terms of a passage, on average
	Holding   map[string]int
}

// most is in how many passages a word can stand.
func (s Stats) most(w word) int {
	n := s.Passages
	for _, t := range w.terms {
		n = min(n, s.Holding[t])
	}
	return n
}

func (s Stats) idf(term string) float64 {
	n, d := float64(s.Passages), float64(s.Holding[term])
	return math.Log(1 + (n-d+0.5)/(d+0.5))
}

// Passage is a candidate. Head is the title of its document and article, Body its own words.
type Passage struct{ Head, Body string }

// Question is a question made ready.
type Question struct {
	words [][]word       // each as it was said, and after that what documents write for it
	rest  []string       // terms of the whole question
	place map[string]int // of each term of words and rest, where its count stands
}

type word struct {
	text  string
	terms []string
	shape bool // another shape of the first: looked for where that stands nowhere
}

// In is the question as it is put to a library: a word that stands there as it was said is looked for in no other shape.
func (q Question) In(s Stats) Question {
	all := make([][]word, len(q.words))
	for i, ways := range q.words {
		if all[i] = ways; s.most(ways[0]) > 0 {
			all[i] = slices.DeleteFunc(slices.Clone(ways), func(w word) bool { return w.shape })
		}
	}
	q.words = all
	return q
}

// Ask makes a question ready.
func Ask(text string) Question {
	q := Question{}
	for _, w := range words.Question(text) {
		ways := []word{{text: w, terms: words.TermsOf(w)}}
		for _, other := range words.Written(w) {
			ways = append(ways, word{text: other, terms: words.TermsOf(other)})
		}
		for _, shape := range words.Inflected(w) {
			ways = append(ways, word{text: shape, terms: words.TermsOf(shape), shape: true})
		}
		q.words = append(q.words, ways)
	}
	seen := map[string]bool{}
	for _, w := range words.Of(text) {
		for _, t := range words.TermsOf(w) {
			if !seen[t] {
				seen[t] = true
				q.rest = append(q.rest, t)
			}
		}
	}
	q.place = map[string]int{}
	for i, t := range q.Terms() {
		q.place[t] = i
	}
	return q
}

// common is in how many passages a word may stand to be looked up by itself: a word that stands in more finds too many to
// weigh, and says little.
const common = 3000

// Match is the question in the index's query language, "" when there is nothing to look for. Of words that stand all over a
// large library only the two rarest are looked up; all of them are weighed.
func (q Question) Match(s Stats) string {
	type rated struct {
		text string
		most int // passages it can stand in
	}
	var list []rated
	for _, ways := range q.words {
		for _, w := range ways {
			if most := s.most(w); most > 0 {
				list = append(list, rated{w.text, most})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b rated) int { return cmp.Compare(a.most, b.most) })
	phrases := make([]string, 0, len(list))
	for i, w := range list {
		if i < 2 || w.most <= common {
			phrases = append(phrases, words.Phrase(w.text))
		}
	}
	return strings.Join(phrases, " OR ")
}

// Broad is the question in the index's query language where Match finds too little: any part of its words, of 점심시간 the 시간, too. Parts
// that stand all over the library are left out.
func (q Question) Broad(s Stats) string {
	var phrases []string
	for _, t := range q.Terms() {
		if n := s.Holding[t]; n > 0 && n <= common {
			phrases = append(phrases, words.Phrase(t))
		}
	}
	return strings.Join(phrases, " OR ")
}

// Terms are the terms whose frequencies Score wants to know.
func (q Question) Terms() []string {
	all := slices.Clone(q.rest)
	for _, ways := range q.words {
		for _, w := range ways {
			all = append(all, w.terms...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Score weighs one passage; more is better, 0 is nothing in common.
func (q Question) Score(p Passage, s Stats) float64 {
	body := words.Of(p.Body)
	times := make([]float64, len(q.place))
	total := 0.0
	for _, w := range body {
		for t := range words.Each(w) {
			if i, asked := q.place[t]; asked {
				times[i]++
			}
			total++
		}
	}
	count := func(term string) float64 { return times[q.place[term]] }
	norm := k1 * (1 - lengthBias + lengthBias*total/max(s.MeanTerms, 1))
	weigh := func(n float64) float64 { return n * (k1 + 1) / (n + norm) }
	head := words.Of(p.Head)
	value := func(w word) (v float64) {
		rarest := 0.0
		for _, t := range w.terms {
			idf := s.idf(t)
			v += idf * weigh(count(t)) / math.Sqrt(float64(len(w.terms)))
			rarest = max(rarest, idf)
		}
		v += wordWeight * rarest * weigh(within(w.text, body))
		if within(w.text, head) > 0 {
			v += headWeight * rarest
		}
		return v
	}
	score := 0.0
	for _, ways := range q.words {
		most := 0.0
		for _, w := range ways {
			most = max(most, value(w))
		}
		score += most
	}
	if score == 0 {
		return 0
	}
	for _, t := range q.rest {
		score += restWeight * s.idf(t) * weigh(count(t))
	}
	return score
}

// Best is the most a passage could score: everything that matters, said often. It tells a good find from a poor one. A word that
// stands nowhere, while what documents write for it does, could score no more than that.
func (q Question) Best(s Stats) float64 {
	value := func(w word) (v float64) {
		rarest := 0.0
		for _, t := range w.terms {
			v += s.idf(t) * (k1 + 1) / math.Sqrt(float64(len(w.terms)))
			rarest = max(rarest, s.idf(t))
		}
		return v + wordWeight*rarest*(k1+1)
	}
	best := 0.0
	for _, ways := range q.words {
		most := 0.0
		for _, w := range ways {
			if s.most(w) > 0 {
				most = max(most, value(w))
			}
		}
		if most == 0 {
			most = value(ways[0])
		}
		best += most
	}
	return best
}

// within counts the words that hold a word.
func within(word string, all []string) (n float64) {
	for _, w := range all {
		if strings.Contains(w, word) {
			n++
		}
	}
	return n
}
