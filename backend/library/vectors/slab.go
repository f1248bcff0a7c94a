package vectors

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Vector is one vector of a passage, and the document the passage stands in.
type Vector struct {
	ID       int64
	Document string
	Numbers  []float32
}

// Near is a vector that was found. Cosine is off by about a thousandth: what must be exact is weighed again.
type Near struct {
	ID     int64
	Cosine float64
}

// Crowd says how similar all vectors that were looked at are: what stands out of it is near, whatever a model's cosines are
// like.
type Crowd struct {
	Size      int
	Mean      float64
	Deviation float64
}

// Slab holds vectors of one length. Its zero value is empty and takes any length first. Safe for concurrent use.
type Slab struct {
	mu        sync.RWMutex
	dims      int
	blocks    []block
	small     []small
	ids       []int64
	of        []int32 // the place of the vector's document in documents
	documents []string
	place     map[string]int32
}

// Dims is how many numbers a vector has, 0 while there is none.
func (s *Slab) Dims() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.dims
}

// Len is how many vectors there are.
func (s *Slab) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.ids)
}

// Add puts vectors in; those that cannot be compared with the others are left out. A passage must be added only once.
func (s *Slab) Add(list []Vector) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range list {
		if !Good(v.Numbers, s.dims) {
			continue
		}
		if s.place == nil {
			s.place = map[string]int32{}
		}
		n, known := s.place[v.Document]
		if !known {
			n = int32(len(s.documents)) //nolint:gosec // a library of two thousand million documents is none
			s.place[v.Document] = n
			s.documents = append(s.documents, v.Document)
		}
		var c small
		s.blocks, c = encode(s.blocks, v.Numbers)
		s.dims = len(v.Numbers)
		s.small, s.ids, s.of = append(s.small, c), append(s.ids, v.ID), append(s.of, n)
	}
}

// Remove takes the vectors of documents out.
func (s *Slab) Remove(documents ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	gone := map[int32]bool{}
	for _, d := range documents {
		if place, known := s.place[d]; known {
			gone[place] = true
			delete(s.place, d)
			s.documents[place] = ""
		}
	}
	if len(gone) == 0 {
		return
	}
	n, width := 0, blocks(s.dims)
	for i, of := range s.of {
		if gone[of] {
			continue
		}
		copy(s.blocks[n*width:(n+1)*width], s.blocks[i*width:])
		s.small[n], s.ids[n], s.of[n] = s.small[i], s.ids[i], of
		n++
	}
	s.blocks, s.small, s.ids, s.of = s.blocks[:n*width], s.small[:n], s.ids[:n], s.of[:n]
}

// part is how many vectors are looked at in one piece of the work.
const part = 8192

// Nearest gives the most similar vectors of the documents that keep takes (nil: all), best first, at most that many. A
// vector of another length finds nothing. It ends early, with what was found, when ctx ends.
func (s *Slab) Nearest(ctx context.Context, v []float32, most int, keep func(document string) bool) ([]Near, Crowd) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if len(s.ids) == 0 || !Good(v, s.dims) || most <= 0 {
		return nil, Crowd{}
	}
	w := walk{s: s, most: most, takes: make([]bool, len(s.documents))}
	w.query, w.own = ask(v)
	w.least.Store(math.Float64bits(-2))
	for i, d := range s.documents {
		w.takes[i] = keep == nil || keep(d)
	}
	pieces := (len(s.ids) + part - 1) / part
	found, tallies := make([][]Near, pieces), make([]tally, pieces)
	together(pieces, func(i int) {
		if ctx.Err() == nil {
			found[i], tallies[i] = w.scan(i*part, min((i+1)*part, len(s.ids)))
		}
	})
	all := slices.Concat(found...)
	slices.SortFunc(all, best)
	return all[:min(len(all), most)], crowd(tallies)
}

// together does n pieces of work, each once, with the help of other cores. On a busy machine it does not wait for help that
// has not come: it does the work itself.
func together(n int, do func(piece int)) {
	var next, over atomic.Int64
	done := make(chan struct{})
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			if do(i); int(over.Add(1)) == n {
				close(done)
			}
		}
	}
	for range min(runtime.GOMAXPROCS(0), n) - 1 {
		go work()
	}
	work()
	<-done
}

// tally counts similarities and adds them and their squares up.
type tally struct {
	size         int
	sum, squares float64
}

func crowd(list []tally) (c Crowd) {
	var all tally
	for _, t := range list {
		all.size, all.sum, all.squares = all.size+t.size, all.sum+t.sum, all.squares+t.squares
	}
	if c.Size = all.size; c.Size > 0 {
		c.Mean = all.sum / float64(c.Size)
		c.Deviation = math.Sqrt(max(all.squares/float64(c.Size)-c.Mean*c.Mean, 0))
	}
	return c
}

func best(a, b Near) int {
	return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.ID, b.ID))
}

// walk is one look at all vectors.
type walk struct {
	s     *Slab
	query []query
	own   small
	most  int
	takes []bool        // by the place of a document
	least atomic.Uint64 // what is less is not among the best, as the bits of a float64; it only rises
}

// scan is Nearest for the vectors from one place to another.
func (w *walk) scan(from, to int) (top []Near, all tally) {
	s := w.s
	top = make([]Near, 0, 2*w.most)
	least := float32(math.Float64frombits(w.least.Load()))
	width := len(w.query)
	fixed := int64(zero)*int64(zero)*int64(width)*blockLen - int64(zero)*int64(w.own.sum)
	for i := from; i < to; i++ {
		if !w.takes[s.of[i]] {
			continue
		}
		n := dot(w.query, s.blocks[i*width:(i+1)*width]) - int64(zero)*int64(s.small[i].sum) + fixed
		cosine := float32(n) * w.own.factor * s.small[i].factor
		all.size, all.sum, all.squares = all.size+1, all.sum+float64(cosine), all.squares+float64(cosine)*float64(cosine)
		if cosine < least {
			continue
		}
		if top = append(top, Near{s.ids[i], float64(cosine)}); len(top) == cap(top) {
			slices.SortFunc(top, best)
			top = top[:w.most]
			least = w.raise(top[w.most-1].Cosine)
		}
	}
	return top, all
}

// raise says that so many are at least that near, and gives the most that anybody has said.
func (w *walk) raise(cosine float64) float32 {
	for {
		bits := w.least.Load()
		if had := math.Float64frombits(bits); had >= cosine {
			return float32(had)
		}
		if w.least.CompareAndSwap(bits, math.Float64bits(cosine)) {
			return float32(cosine)
		}
	}
}
