package act

import (
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// Example is a sentence to learn from: it wants one of the acts. Where a source does not tell them apart, there are several.
type Example struct {
	Text  string
	Acts  []Act
	Scale float64 // how much it counts, 1 for one like any other
}

// Learned is a model that was learned here, as it is and not yet made small.
type Learned struct {
	table [][]float32 // by feature, by class; nil where nothing was learned
	trust trust
}

// Learn fits a model: the probability of the acts that an example may want is made as large as can be. The same examples in the
// same order give the same model.
func Learn(examples []Example) *Learned {
	const epochs, rate, decay = 9, 0.9, 2e-6
	l := &Learned{table: make([][]float32, space), trust: trust{words: 1}}
	squares := make([][]float32, space)
	read := make([][]uint32, len(examples))
	var wg sync.WaitGroup
	for part := range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := part; i < len(examples); i += runtime.GOMAXPROCS(0) {
				read[i] = features(examples[i].Text)
			}
		})
	}
	wg.Wait()
	wanted := make([][]int, len(examples))
	for i, e := range examples {
		wanted[i] = places(e.Acts)
	}
	order := make([]int, len(examples))
	for i := range order {
		order[i] = i
	}
	random := rand.New(rand.NewPCG(20, 26))
	scores := make([]float64, len(acts))
	for range epochs {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, at := range order {
			if len(wanted[at]) == 0 {
				continue
			}
			fs := read[at]
			l.scores(fs, scores)
			softmax(scores)
			gradient(scores, wanted[at])
			x := weight(len(fs)) * examples[at].Scale
			for _, f := range fs {
				if l.table[f] == nil {
					l.table[f], squares[f] = make([]float32, len(acts)), make([]float32, len(acts))
				}
				climb(l.table[f], squares[f], scores, x, rate, decay)
			}
		}
	}
	return l
}

func (l *Learned) scores(fs []uint32, out []float64) {
	clear(out)
	x := weight(len(fs))
	for _, f := range fs {
		for c, w := range l.table[f] {
			out[c] += float64(w) * x
		}
	}
}

// Scores are what the words say for every act, before anything else is weighed.
func (l *Learned) Scores(text string) []float64 {
	scores := make([]float64, len(acts))
	l.scores(features(text), scores)
	return scores
}

// Witnessed is an example with what its words say to a model that did not learn from it, and with what rooms make of it.
type Witnessed struct {
	Acts     []Act
	Scores   []float64
	Evidence []string
}

// Believe learns how far to believe the rooms beside the words, and how far the words: a model is too sure of the sentences that
// it learned from, so what they say must come from one that did not.
func (l *Learned) Believe(seen []Witnessed) {
	const epochs, rate, decay = 12, 0.1, 1e-5
	l.trust = trust{words: 0.7, tags: map[string][]float32{}}
	squares, wordSquare := map[string][]float32{}, 0.0
	order := make([]int, len(seen))
	for i := range order {
		order[i] = i
	}
	random := rand.New(rand.NewPCG(20, 26))
	scores := make([]float64, len(acts))
	for range epochs {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, at := range order {
			w := seen[at]
			copy(scores, w.Scores)
			l.trust.add(scores, w.Evidence)
			softmax(scores)
			gradient(scores, places(w.Acts))
			slope := 0.0
			for c, g := range scores {
				slope += g * w.Scores[c]
			}
			wordSquare += slope * slope
			l.trust.words += rate * slope / math.Sqrt(wordSquare+1e-6)
			for _, tag := range w.Evidence {
				if l.trust.tags[tag] == nil {
					l.trust.tags[tag], squares[tag] = make([]float32, len(acts)), make([]float32, len(acts))
				}
				climb(l.trust.tags[tag], squares[tag], scores, 1, rate, decay)
			}
		}
	}
}

// Weigh guesses from what words say and what the rooms make of it. It changes scores.
func (l *Learned) Weigh(scores []float64, evidence []string) Guesses {
	return l.trust.weigh(scores, evidence)
}

// places are where acts stand among the classes.
func places(wanted []Act) (list []int) {
	for _, a := range wanted {
		if at := slices.Index(acts, a); at >= 0 {
			list = append(list, at)
		}
	}
	return list
}

// gradient turns probabilities into the direction in which the wanted acts become more probable: what they lack together is shared
// among them as they stand.
func gradient(p []float64, wanted []int) {
	together := 0.0
	for _, c := range wanted {
		together += p[c]
	}
	for i := range p {
		p[i] = -p[i]
	}
	for _, c := range wanted {
		p[c] -= p[c] / math.Max(together, 1e-9)
	}
}

// climb takes a step along a gradient, the shorter the more was stepped before (AdaGrad).
func climb(w, squares []float32, gradient []float64, x, rate, decay float64) {
	for c, g := range gradient {
		if g < 1e-4 && g > -1e-4 {
			continue
		}
		step := g*x - decay*float64(w[c])
		squares[c] += float32(step * step)
		w[c] += float32(rate * step / math.Sqrt(float64(squares[c])+1e-6))
	}
}

// Save writes the model small: the weights that matter most, each in eight bits. sum is that of the sentences it was learned from.
func (l *Learned) Save(w io.Writer, keep int, sum uint64) error {
	var sizes []float32
	for _, row := range l.table {
		for _, v := range row {
			if v != 0 {
				sizes = append(sizes, float32(math.Abs(float64(v))))
			}
		}
	}
	slices.SortFunc(sizes, func(a, b float32) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	least, most := float32(0), float32(1)
	if len(sizes) > 0 {
		least = sizes[min(keep, len(sizes)-1)]
		most = sizes[len(sizes)/20000]
	}
	m := &weights{from: make([]uint32, space+1), scale: float64(most) / 127, trust: l.trust, sum: sum}
	for f, row := range l.table {
		for c, v := range row {
			if q := math.Round(float64(v) / m.scale); float32(math.Abs(float64(v))) > least && q != 0 {
				m.class, m.value = append(m.class, uint8(c)), append(m.value, int8(min(max(q, -127), 127)))
			}
		}
		m.from[f+1] = uint32(len(m.class))
	}
	return m.pack(w)
}

// Sum tells one list of sentences, as they are read, from another: it changes when a sentence does, or how sentences are read. By it
// a test sees weights that are not of today's sentences.
func Sum(examples []Example) uint64 {
	h := fnv.New64a()
	for _, e := range examples {
		_, _ = fmt.Fprintln(h, e.Acts, features(e.Text)) // never fails
	}
	return h.Sum64()
}

// Held tells a sentence that is kept for measuring: every n-th, by its hash, so that who learns and who measures agree.
func Held(text string, n int) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text)) // never fails
	return int(h.Sum32()%uint32(n)) == 0
}
