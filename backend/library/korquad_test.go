package library_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"agentchat/backend/event"
	"agentchat/backend/library"
)

var korquad = flag.String("korquad", "", "KorQuAD_v1.0_dev.json, see make eval-search")

// leastMRR is what finding by words may not fall below on the whole set, and mostLost what vectors of an embedder that is no
// good may take off it on the half that nothing was chosen on.
const (
	leastMRR = 0.945
	mostLost = 0.0005
)

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
	d.shelveKorquad(titles, paragraphs)
	t.Logf("%d paragraphs, %d questions", len(paragraphs), len(questions))
	lexical := report(t, "the library", questions, func(q string) ([]int, error) {
		r, err := d.Search(t.Context(), library.Query{Text: q})
		return documentsOf(r), err
	})
	times := make([]time.Duration, 0, 500) // of one question after the other: what a person waits
	for _, q := range questions[:min(cap(times), len(questions))] {
		began := time.Now()
		if _, err := d.Search(t.Context(), library.Query{Text: q.text}); err != nil {
			t.Fatal(err)
		}
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	t.Logf("a query: p50 %.1f ms, p95 %.1f ms", ms(times[len(times)/2]), ms(times[len(times)*95/100]))
	report(t, "words between spaces", questions, plain(paragraphs, strings.Fields))
	report(t, "triples of letters", questions, plain(paragraphs, trigrams))
	if lexical.all < leastMRR {
		t.Errorf("MRR@10 %.4f is less than %.3f", lexical.all, leastMRR)
	}
	for _, e := range embedders(h, paragraphs, questions) {
		h.set(func() { h.name, h.own = e.name, e.vector })
		d.LookAgain()
		d.untilVectors(func(v event.LibraryVectors) bool { return v.Model == e.name && ready(len(paragraphs))(v) })
		hybrid := report(t, "with "+e.name, questions, func(q string) ([]int, error) {
			r, err := d.Search(t.Context(), library.Query{Text: q})
			return documentsOf(r), errors.Join(err, mustBe(r, library.ModeHybrid))
		})
		t.Logf("%-28s against words alone: %+.4f, held out %+.4f", "", hybrid.all-lexical.all, hybrid.heldOut-lexical.heldOut)
		if lost := lexical.heldOut - hybrid.heldOut; lost > mostLost {
			t.Errorf("with %s MRR@10 falls by %.4f on the half that is held out", e.name, lost)
		}
	}
}

// shelveKorquad puts every paragraph in as a document of its own.
func (d *desk) shelveKorquad(titles, paragraphs []string) {
	d.t.Helper()
	for i, p := range paragraphs {
		id := fmt.Sprint(i)
		err := d.store.Shelve(d.t.Context(), library.Entry{
			Document: library.Document{ID: id, Title: titles[i], Hash: id, Kind: library.KindMine, Added: time.Now()},
			Passages: []library.Passage{{Document: id, Article: -1, Page: 1, Text: p}},
		})
		if err != nil {
			d.t.Fatal(err)
		}
	}
	for more := true; more; { // as after an import
		var err error
		if more, err = d.store.TidyIndex(d.t.Context()); err != nil {
			d.t.Fatal(err)
		}
	}
}

// embedder is one that the set is asked with. vector nil: the bag of pairs of syllables.
type embedder struct {
	name   string
	vector func(text string) []float32
}

// embedders are one that sees what words show and weighs it worse, sure of itself; one that knows nothing; and one that knows
// what answers a question, not at all clearly, and errs where words do not: no such model is at hand, so this one is told.
func embedders(h *hashed, paragraphs []string, questions []question) []embedder {
	drawn := func(text string) []float32 {
		f := fnv.New64a()
		_, _ = f.Write([]byte(text))
		return h.direction(f.Sum64())
	}
	asked := map[string]string{}
	for _, q := range questions {
		asked[q.text] = paragraphs[q.of]
	}
	return []embedder{
		{name: "pairs of syllables"},
		{name: "vectors drawn by lot", vector: drawn},
		{name: "a fair model, made up", vector: func(text string) []float32 {
			answer, isQuestion := asked[text]
			if !isQuestion {
				_, paragraph, _ := strings.Cut(text, "\n") // behind the titles
				return drawn(paragraph)
			}
			v, noise := slices.Clone(drawn(answer)), drawn("noise "+text)
			for i := range v {
				v[i] += 5 * noise[i]
			}
			return v
		}},
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
	for i, d := range set.Data {
		if i%*every != 0 {
			continue
		}
		for _, p := range d.Paragraphs {
			for _, q := range p.Qas {
				questions = append(questions, question{q.Question, len(paragraphs)})
			}
			titles, paragraphs = append(titles, ""), append(paragraphs, p.Context) // the title is no part of the task
		}
	}
	return titles, paragraphs, questions, nil
}

// score is a mean reciprocal rank at 10, of all questions and of the half that nothing was chosen on.
type score struct{ all, heldOut float64 }

// report prints the mean reciprocal rank at 10 and the share of questions answered first, for the half of the questions that
// the parameters were chosen on, for the other half, and for all.
func report(t *testing.T, name string, questions []question, rank func(string) ([]int, error)) score {
	t.Helper()
	var sum, first, count [2]float64
	ranked := make([][]int, len(questions))
	every := (len(questions) + 9) / 10
	var done atomic.Int64
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, q := range questions {
		work.Go(func() error {
			ids, err := rank(q.text)
			if err != nil {
				return fmt.Errorf("%s: %w", q.text, err)
			}
			ranked[i] = ids
			if n := int(done.Add(1)); n%every == 0 {
				t.Logf("%-28s %d of %d", name, n, len(questions))
			}
			return nil
		})
	}
	if err := work.Wait(); err != nil {
		t.Fatal(err)
	}
	for i, q := range questions {
		ids := ranked[i]
		half := i % 2
		count[half]++
		if at := slices.Index(ids[:min(len(ids), 10)], q.of); at >= 0 {
			sum[half] += 1 / float64(at+1)
			if at == 0 {
				first[half]++
			}
		}
	}
	m := score{(sum[0] + sum[1]) / (count[0] + count[1]), sum[1] / count[1]}
	t.Logf("%-28s MRR@10 %.4f (chosen on %.4f, held out %.4f), first %.1f %%", name, m.all, sum[0]/count[0], m.heldOut, 100*(first[0]+first[1])/(count[0]+count[1]))
	return m
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
