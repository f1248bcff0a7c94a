package act

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
)

// mostSupport is how many words and tags are named that speak for an act.
const mostSupport = 3

// Support names what speaks most for an act: words of the text, without which its score would be lower, and tags of the evidence.
// Either list may be empty.
func Support(text string, a Act, evidence ...string) (words, tags []string) {
	m, class := model(), slices.Index(acts, a)
	if class < 0 {
		return nil, nil
	}
	// An act gains by a word what it gains over the mean of all acts: so do the probabilities.
	over := func(text string) float64 {
		scores, mean := m.scores(features(text)), 0.0
		for _, s := range scores {
			mean += s / float64(len(scores))
		}
		return scores[class] - mean
	}
	all := strings.Fields(text)
	whole := over(text)
	gains := map[string]float64{}
	for i, w := range all[:min(len(all), 40)] {
		if gain := whole - over(strings.Join(slices.Concat(all[:i], all[i+1:]), " ")); gain > 0 && len(all) > 1 {
			gains[w] = max(gains[w], gain)
		}
	}
	weights := map[string]float64{}
	for _, tag := range evidence {
		if row := m.tags[tag]; row != nil && row[class] > 0 {
			weights[tag] = float64(row[class])
		}
	}
	return most(gains, 0.05*max(whole, 0)), most(weights, 0.1)
}

// most gives the keys of the largest values above a least one, the largest first.
func most(of map[string]float64, least float64) []string {
	keys := []string{}
	for k, v := range of {
		if v > least {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(cmp.Compare(of[b], of[a]), strings.Compare(a, b)) })
	return keys[:min(len(keys), mostSupport)]
}

// Reliability says of N readings whose probability was about Said in how large a part they were right.
type Reliability struct {
	N     int     `json:"n"`
	Said  float64 `json:"said"`
	Right float64 `json:"right"`
}

//go:embed reliability.tsv
var reliability string

// Reliable is how often readings were right, by tenths of their probability where there are any, on sentences that the weights were not learned from.
func Reliable() (list []Reliability) {
	for line := range strings.Lines(reliability) {
		var r Reliability
		if _, err := fmt.Sscanf(line, "%d\t%f\t%f", &r.N, &r.Said, &r.Right); err == nil {
			list = append(list, r)
		}
	}
	return list
}

// From is the probability from which readings are right in so large a part, by what Reliable says: between its points on the line from one to the next.
func From(right float64) float64 {
	before := Reliability{}
	for _, r := range Reliable() {
		if r.Right >= right {
			return before.Said + (r.Said-before.Said)*(right-before.Right)/(r.Right-before.Right)
		}
		before = r
	}
	return 1
}

// WriteReliability writes what Reliable reads.
func WriteReliability(w io.Writer, list []Reliability) error {
	for _, r := range list {
		if _, err := fmt.Fprintf(w, "%d\t%.3f\t%.3f\n", r.N, r.Said, r.Right); err != nil {
			return err
		}
	}
	return nil
}
