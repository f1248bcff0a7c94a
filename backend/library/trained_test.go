package library_test

import (
	"bufio"
	"cmp"
	"context"
	"flag"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/library"
	"agentchat/backend/library/vectors"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/testing/realollama"
)

var (
	trainedDir = flag.String("models", "", "folder of trained models, see make eval-models")
	statute    = flag.String("statute", "", "a document, see make eval-models")
	every      = flag.Int("every", 1, "take every n-th article of KorQuAD")
	asked      = flag.String("asked", "", "questions about it: a line has one and words of the passage that answers it")
)

const trainedName = "multilingual-e5-small"

// trained is an embedder that is a real model on a real server. It makes the vector of a text once.
type trained struct {
	model string
	by    *ollama.Provider

	mu   sync.Mutex
	made map[string][]float32
	took time.Duration
	urge []time.Duration // how long questions took
}

func (e *trained) Model(context.Context) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.model == "" {
		return "", apperr.New(apperr.NoEmbedder)
	}
	return e.model, nil
}

func (e *trained) Embed(ctx context.Context, _ string, texts []string, urgent bool) ([][]float32, error) {
	all, wanted := make([][]float32, len(texts)), []string{}
	e.mu.Lock()
	for _, t := range texts {
		if e.made[t] == nil {
			wanted = append(wanted, t)
		}
	}
	e.mu.Unlock()
	if len(wanted) > 0 {
		began := time.Now()
		list, err := e.by.EmbedWith(ctx, trainedName, wanted)
		if err != nil {
			return nil, err
		}
		e.mu.Lock()
		for i, t := range wanted {
			e.made[t] = list[i]
		}
		if urgent {
			e.urge = append(e.urge, time.Since(began))
		} else {
			e.took += time.Since(began)
		}
		e.mu.Unlock()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, t := range texts {
		all[i] = e.made[t]
	}
	return all, nil
}

// TestTrainedEmbedder measures what a real embedding model adds to words: on KorQuAD, and on questions that people without the
// law's words ask about a statute.
func TestTrainedEmbedder(t *testing.T) {
	if *trainedDir == "" {
		t.Skip("make eval-models")
	}
	server := realollama.Start(t)
	server.CreateTrained(t, trainedName, *trainedDir)
	p := ollama.New(ollama.Options{
		Host: func() string { return server.Addr }, NumCtx: func() int { return 512 },
		Timeouts: func() (connect, first, gap time.Duration) { return 10 * time.Second, 5 * time.Minute, time.Minute },
	})
	t.Cleanup(func() { _ = p.Close() })
	e := &trained{by: p, made: map[string][]float32{}}
	for _, set := range []struct {
		name string
		open func(t *testing.T, d *desk) exam
	}{
		{"the standard contracts", standardsExam},
		{"a statute", statuteExam},
		{"KorQuAD", korquadExam},
	} {
		t.Run(set.name, func(t *testing.T) { e.examine(t, set.open) })
	}
}

// exam is a set of questions. which tells what question, by its of, a passage answers; -1: not this one.
type exam struct {
	questions []question
	which     func(asked, passage string) int
}

// examine measures words alone, vectors alone and both, with the model's own ways and without.
func (e *trained) examine(t *testing.T, open func(*testing.T, *desk) exam) {
	d := &desk{t: t, dir: t.TempDir(), embedder: e}
	e.model = ""
	d.open()
	t.Cleanup(d.close)
	x := open(t, d)
	search := func(q string) (ids []int, err error) {
		r, err := d.Search(t.Context(), library.Query{Text: q})
		for _, h := range r.Hits {
			ids = append(ids, x.which(q, h.Passage.Text))
		}
		return ids, err
	}
	passages, err := d.store.Unembedded(t.Context(), "nobody", 0, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d passages, %d questions", len(passages), len(x.questions))
	report(t, "words", x.questions, search)
	for _, own := range []bool{false, true} {
		name, question, keptWith := "any model", "", ""
		if own {
			name, question, keptWith = trainedName, "query: ", "\tpassage: "
		}
		e.mu.Lock()
		e.model = "real/" + name
		e.mu.Unlock()
		e.know(t, question, x.questions)
		began, took := len(e.made), e.took
		d.LookAgain()
		d.untilVectors(func(v event.LibraryVectors) bool { return v.Model == e.model && ready(len(passages))(v) })
		t.Logf("as %s: %d vectors of passages in %.1f s", name, len(e.made)-began, (e.took - took).Seconds())
		report(t, "words and vectors, as "+name, x.questions, search)
		kept, err := d.store.Vectors(t.Context(), e.model+keptWith, 0, 1_000_000)
		if err != nil {
			t.Fatal(err)
		}
		vectorOf := map[int64][]float32{} // none of what the model could not take
		for _, v := range kept {
			vectorOf[v.ID] = v.Numbers
		}
		report(t, "vectors alone, as "+name, x.questions, func(q string) ([]int, error) {
			asked, err := e.Embed(t.Context(), "", []string{question + q}, true)
			if err != nil {
				return nil, err
			}
			near := make([]float64, len(passages))
			order := make([]int, len(passages))
			for i, p := range passages {
				order[i] = i
				near[i] = -1
				if v := vectorOf[p.Passage.ID]; len(v) == len(asked[0]) {
					near[i] = vectors.Cosine(asked[0], v)
				}
			}
			slices.SortFunc(order, func(a, b int) int { return cmp.Compare(near[b], near[a]) })
			ids := make([]int, 10)
			for i := range ids {
				ids[i] = x.which(q, passages[order[i]].Passage.Text)
			}
			return ids, nil
		})
	}
	slices.Sort(e.urge)
	if n := len(e.urge); n > 0 {
		t.Logf("a question's vector: p50 %.0f ms, p95 %.0f ms", ms(e.urge[n/2]), ms(e.urge[n*95/100]))
	}
}

// know makes the vectors of all questions, of some one by one, which is what a person waits for.
func (e *trained) know(t *testing.T, begins string, questions []question) {
	t.Helper()
	texts := make([]string, len(questions))
	for i, q := range questions {
		texts[i] = begins + q.text
	}
	for i := 0; i < len(texts); {
		n := 1
		if i >= 20 {
			n = min(64, len(texts)-i)
		}
		if _, err := e.Embed(t.Context(), "", texts[i:i+n], n == 1); err != nil {
			t.Fatal(err)
		}
		i += n
	}
}

func korquadExam(t *testing.T, d *desk) exam {
	if *korquad == "" {
		t.Skip("KORQUAD=path of KorQuAD_v1.0_dev.json")
	}
	titles, paragraphs, questions, err := korquadSet(*korquad)
	if err != nil {
		t.Fatal(err)
	}
	d.shelveKorquad(titles, paragraphs)
	at := map[string]int{}
	for i, p := range paragraphs {
		at[p] = i
	}
	return exam{questions, func(_, passage string) int {
		if i, there := at[passage]; there {
			return i
		}
		return -1
	}}
}

func standardsExam(t *testing.T, d *desk) exam {
	if err := d.ShelveStandards(t.Context()); err != nil {
		t.Fatal(err)
	}
	return askedExam(t, "testdata/standards_questions.tsv")
}

func statuteExam(t *testing.T, d *desk) exam {
	if *statute == "" || *asked == "" {
		t.Skip("DOCUMENT=file ASKED=file of questions about it")
	}
	i, err := d.Import(t.Context(), *statute, "")
	if err != nil {
		t.Fatal(err)
	}
	d.until(i.ID, "done")
	return askedExam(t, *asked)
}

// askedExam reads questions with words of the passage that answers each.
func askedExam(t *testing.T, path string) exam {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var x exam
	words := map[string]string{}
	of := map[string]int{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		q, answer, two := strings.Cut(lines.Text(), "\t")
		if !two || strings.HasPrefix(q, "#") {
			continue
		}
		of[q], words[q] = len(x.questions), answer
		x.questions = append(x.questions, question{q, len(x.questions)})
	}
	x.which = func(asked, passage string) int {
		if strings.Contains(passage, words[asked]) {
			return of[asked]
		}
		return -1
	}
	return x
}
