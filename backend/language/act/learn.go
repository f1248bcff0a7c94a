package act

import (
	"cmp"
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

// Learned is a model that was learned here.
type Learned struct {
	words *layer
	trust trust
}

// How a model of the words is learned. Chosen on sentences by hands that nothing was learned from.
const (
	width   = 32     // of the space that features have places in
	largest = 77_000 // features are known: those that occur most often
	levels  = 4      // of a number of a place, on either side of nought
	epochs  = 16
	again   = 4   // rounds that only learn what acts make of places, for these as they are kept
	dropout = 0.7 // of a sentence's features are left out by chance each time, so that none is relied on alone
	stepIn  = 0.3 // the longest step of a place
	stepOut = 0.1 // the longest step of what an act makes of places
	begin   = 0.3 // the numbers begin by chance, and no farther than this from nought
)

// Learn fits a model: the probability of the acts that an example may want is made as large as can be. The same examples in the
// same order give the same model. It is what Save writes, no finer, so that what is found out about it holds for what is shipped.
func Learn(examples []Example) *Learned {
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
	n := newNet(read)
	for i, e := range examples {
		read[i] = n.known(read[i])
		n.wanted = append(n.wanted, places(e.Acts))
		n.order = append(n.order, i)
	}
	n.learn(examples, read, epochs)
	return &Learned{words: n.small(examples, read), trust: trust{words: 1}}
}

// learn goes through the examples so many times, and keeps the mean of the second half of that: by then the numbers only swing about it.
func (n *net) learn(examples []Example, read [][]uint32, rounds int) {
	sums := make([]float64, len(n.in)+len(n.out))
	for round := range rounds {
		n.round(examples, read)
		if round < rounds/2 {
			continue
		}
		for i, v := range n.in {
			sums[i] += float64(v)
		}
		for i, v := range n.out {
			sums[len(n.in)+i] += float64(v)
		}
	}
	for i, v := range sums {
		if v /= float64(rounds - rounds/2); i < len(n.in) {
			n.in[i] = float32(v)
		} else {
			n.out[i-len(n.in)] = float32(v)
		}
	}
}

// net is a model of the words while it is learned.
type net struct {
	row          []int32   // by feature: which places are its, -1 for none
	in, inSquare []float32 // by row, the places of the features
	out, square  []float32 // by act, what it makes of each number of a place, and how much it has anyway
	order        []int
	wanted       [][]int
	random       *rand.Rand
	settled      bool // the places stay where they are
}

// newNet knows the features that occur most often in what was read.
func newNet(read [][]uint32) *net {
	count, seen := make([]int, space), []int{}
	for _, fs := range read {
		for _, f := range fs {
			if count[f]++; count[f] == 1 {
				seen = append(seen, int(f))
			}
		}
	}
	slices.SortFunc(seen, func(a, b int) int { return cmp.Or(count[b]-count[a], a-b) })
	seen = seen[:min(len(seen), largest)]
	slices.Sort(seen)
	n := &net{row: slices.Repeat([]int32{-1}, space), random: rand.New(rand.NewPCG(20, 26))}
	for i, f := range seen {
		n.row[f] = int32(i)
	}
	n.in, n.out = make([]float32, len(seen)*width), make([]float32, len(acts)*(width+1))
	n.inSquare, n.square = make([]float32, len(n.in)), make([]float32, len(n.out))
	for _, list := range [][]float32{n.in, n.out} {
		for i := range list {
			list[i] = float32((n.random.Float64()*2 - 1) * begin)
		}
	}
	return n
}

// known are the rows of features.
func (n *net) known(fs []uint32) []uint32 {
	rows := make([]uint32, 0, len(fs))
	for _, f := range fs {
		if n.row[f] >= 0 {
			rows = append(rows, uint32(n.row[f]))
		}
	}
	return rows
}

// round learns from every example once, in an order of chance.
func (n *net) round(examples []Example, read [][]uint32) {
	n.random.Shuffle(len(n.order), func(i, j int) { n.order[i], n.order[j] = n.order[j], n.order[i] })
	scores, kept := make([]float64, len(acts)), []uint32{}
	var at, slope [width]float32
	for _, i := range n.order {
		if len(n.wanted[i]) == 0 {
			continue
		}
		kept = kept[:0]
		for _, row := range read[i] {
			if n.random.Float64() >= dropout {
				kept = append(kept, row)
			}
		}
		share := float32(weight(len(kept)))
		clear(at[:])
		for _, row := range kept {
			for d, v := range n.in[row*width : (row+1)*width] {
				at[d] += v
			}
		}
		for d := range at {
			at[d] *= share
		}
		for c := range scores {
			scores[c] = 0
			for d, v := range n.out[c*(width+1) : (c+1)*(width+1)] {
				if d == width {
					scores[c] += float64(v)
				} else {
					scores[c] += float64(v * at[d])
				}
			}
		}
		softmax(scores)
		gradient(scores, n.wanted[i])
		clear(slope[:])
		for c, g := range scores {
			if g < 1e-4 && g > -1e-4 {
				continue
			}
			g := float32(g * examples[i].Scale)
			out, square := n.out[c*(width+1):(c+1)*(width+1)], n.square[c*(width+1):(c+1)*(width+1)]
			for d := range width {
				slope[d] += g * out[d] * share
				step(&out[d], &square[d], g*at[d], stepOut)
			}
			step(&out[width], &square[width], g, stepOut)
		}
		if n.settled {
			continue
		}
		for _, row := range kept {
			in, square := n.in[row*width:(row+1)*width], n.inSquare[row*width:(row+1)*width]
			for d, g := range slope {
				step(&in[d], &square[d], g, stepIn)
			}
		}
	}
}

// step goes along a slope, the shorter the more was stepped before (AdaGrad).
func step(at, square *float32, slope, rate float32) {
	*square += slope * slope
	*at += rate * slope / float32(math.Sqrt(float64(*square)+1e-6))
}

// small is the model as it is kept: of the places' numbers only the level, in units of what is usual. What acts make of places is learned again
// for these, so that it makes up for what they lost.
func (n *net) small(examples []Example, read [][]uint32) *layer {
	l := &layer{row: n.row, in: make([]int8, len(n.in)), unit: make([]float32, width)}
	for d := range width {
		sum := 0.0
		for i := d; i < len(n.in); i += width {
			sum += float64(n.in[i]) * float64(n.in[i])
		}
		unit := max(3*math.Sqrt(sum/max(float64(len(n.in)/width), 1))/levels, 1e-9)
		l.unit[d] = float32(unit)
		for i := d; i < len(n.in); i += width {
			l.in[i] = int8(min(max(math.Round(float64(n.in[i])/unit), -levels), levels))
			n.in[i] = float32(l.in[i]) * l.unit[d]
		}
	}
	n.settled = true
	clear(n.square)
	n.learn(examples, read, again)
	l.out = n.out
	return l
}

// Scores are what the words say for every act, before anything else is weighed.
func (l *Learned) Scores(text string) []float64 {
	return l.words.scores(features(text))
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

// Save writes the model. sum is that of the sentences it was learned from.
func (l *Learned) Save(w io.Writer, sum uint64) error {
	return (&weights{layer: *l.words, trust: l.trust, sum: sum}).pack(w)
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
