package library_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentchat/backend/library"
)

var korquad = flag.String("korquad", "", "KorQuAD_v1.0_dev.json, see make eval-search")

// leastMRR is what finding may not fall below on the whole set.
const leastMRR = 0.945

// question is one question and the index of the paragraph it was asked about.
type question struct {
	text string
	of   int
}

// TestKorQuAD measures how well the library finds the paragraph that answers a question, on the public Korean question set
// KorQuAD 1.0, beside two plain baselines: words between spaces, and triples of letters.
func TestKorQuAD(t *testing.T) {
	if *korquad == "" {
		t.Skip("make eval-search KORQUAD=path of KorQuAD_v1.0_dev.json")
	}
	titles, paragraphs, questions, err := korquadSet(*korquad)
	if err != nil {
		t.Fatal(err)
	}
	h := &hashed{dims: 384}
	d := openWith(t, h)
	for i, p := range paragraphs {
		id := fmt.Sprint(i)
		err := d.store.Shelve(t.Context(), library.Entry{
			Document: library.Document{ID: id, Title: titles[i], Hash: id, Kind: library.KindMine, Added: time.Now()},
			Passages: []library.Passage{{Document: id, Article: -1, Page: 1, Text: p}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d paragraphs, %d questions", len(paragraphs), len(questions))
	var times []time.Duration
	mean := report(t, "the library", questions, func(q string) ([]int, error) {
		began := time.Now()
		r, err := d.Search(t.Context(), library.Query{Text: q})
		times = append(times, time.Since(began))
		return documentsOf(r), err
	})
	slices.Sort(times)
	h.set(func() { h.name = "pairs of syllables" })
	d.LookAgain()
	d.untilVectors(ready(len(paragraphs)))
	hybrid := report(t, "with vectors, untaught", questions, func(q string) ([]int, error) {
		r, err := d.Search(t.Context(), library.Query{Text: q})
		return documentsOf(r), errors.Join(err, mustBe(r, library.ModeHybrid))
	})
	t.Logf("a query: p50 %.1f ms, p95 %.1f ms", ms(times[len(times)/2]), ms(times[len(times)*95/100]))
	report(t, "words between spaces", questions, plain(paragraphs, strings.Fields))
	report(t, "triples of letters", questions, plain(paragraphs, trigrams))
	t.Logf("hybrid against lexical: %+.4f", hybrid-mean)
	if mean < leastMRR {
		t.Errorf("MRR@10 %.4f is less than %.3f", mean, leastMRR)
	}
}

func documentsOf(r library.Result) []int {
	ids := make([]int, len(r.Hits))
	for i, h := range r.Hits {
		if n, err := strconv.Atoi(h.Document.ID); err == nil {
			ids[i] = n
		} else {
			ids[i] = -1 // a standard contract
		}
	}
	return ids
}

func mustBe(r library.Result, mode library.Mode) error {
	if r.Mode != mode {
		return fmt.Errorf("searched %s, not %s", r.Mode, mode)
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// korquadSet gives the paragraphs with the titles of their articles, and the questions.
func korquadSet(path string) (titles, paragraphs []string, questions []question, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, nil, err
	}
	var set struct {
		Data []struct {
			Title      string `json:"title"`
			Paragraphs []struct {
				Context string `json:"context"`
				Qas     []struct {
					Question string `json:"question"`
				} `json:"qas"`
			} `json:"paragraphs"`
		} `json:"data"`
	}
	if err := json.Unmarshal(raw, &set); err != nil {
		return nil, nil, nil, err
	}
	for _, d := range set.Data {
		for _, p := range d.Paragraphs {
			for _, q := range p.Qas {
				questions = append(questions, question{q.Question, len(paragraphs)})
			}
			titles, paragraphs = append(titles, ""), append(paragraphs, p.Context) // the title is no part of the task
		}
	}
	return titles, paragraphs, questions, nil
}

// report prints the mean reciprocal rank at 10 and the share of questions answered first, for the half of the questions that
// the parameters were chosen on, for the other half, and for all.
func report(t *testing.T, name string, questions []question, rank func(string) ([]int, error)) float64 {
	t.Helper()
	var sum, first, count [2]float64
	for i, q := range questions {
		ids, err := rank(q.text)
		if err != nil {
			t.Fatalf("%s: %v", q.text, err)
		}
		half := i % 2
		count[half]++
		if at := slices.Index(ids[:min(len(ids), 10)], q.of); at >= 0 {
			sum[half] += 1 / float64(at+1)
			if at == 0 {
				first[half]++
			}
		}
	}
	mean := (sum[0] + sum[1]) / (count[0] + count[1])
	t.Logf("%-22s MRR@10 %.4f (chosen on %.4f, held out %.4f), first %.1f %%", name, mean, sum[0]/count[0], sum[1]/count[1], 100*(first[0]+first[1])/(count[0]+count[1]))
	return mean
}

func trigrams(text string) []string {
	var out []string
	for w := range strings.FieldsSeq(text) {
		r := []rune(w)
		for i := 0; i+3 <= len(r); i++ {
			out = append(out, string(r[i:i+3]))
		}
	}
	return out
}

// plain is BM25 with the usual parameters (k1 1.2, b 0.75) over the terms that cut makes.
func plain(paragraphs []string, cut func(string) []string) func(string) ([]int, error) {
	counts := make([]map[string]float64, len(paragraphs))
	lengths := make([]float64, len(paragraphs))
	holding := map[string]float64{}
	total := 0.0
	for i, p := range paragraphs {
		counts[i] = map[string]float64{}
		for _, t := range cut(strings.ToLower(p)) {
			if counts[i][t] == 0 {
				holding[t]++
			}
			counts[i][t]++
			lengths[i]++
		}
		total += lengths[i]
	}
	n := float64(len(paragraphs))
	return func(q string) ([]int, error) {
		terms := cut(strings.ToLower(q))
		score := make([]float64, len(paragraphs))
		order := make([]int, len(paragraphs))
		for i := range paragraphs {
			order[i] = i
			for _, t := range terms {
				if tf := counts[i][t]; tf > 0 {
					score[i] += math.Log(1+(n-holding[t]+0.5)/(holding[t]+0.5)) * tf * 2.2 / (tf + 1.2*(0.25+0.75*lengths[i]*n/total))
				}
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
		return order[:10], nil
	}
}
