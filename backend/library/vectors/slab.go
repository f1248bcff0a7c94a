package vectors

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
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

// Remove takes the vectors of a document out.
func (s *Slab) Remove(document string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	gone, known := s.place[document]
	if !known {
		return
	}
	n, width := 0, blocks(s.dims)
	for i, of := range s.of {
		if of == gone {
			continue
		}
		copy(s.blocks[n*width:(n+1)*width], s.blocks[i*width:])
		s.small[n], s.ids[n], s.of[n] = s.small[i], s.ids[i], of
		n++
	}
	s.blocks, s.small, s.ids, s.of = s.blocks[:n*width], s.small[:n], s.ids[:n], s.of[:n]
	delete(s.place, document)
	s.documents[gone] = ""
}

// part is how many vectors are worth a goroutine of their own, and how many are looked at between two looks at ctx.
const part = 8192

// Nearest gives the most similar vectors of the documents that keep takes (nil: all), best first, at most that many. A
// vector of another length finds nothing. It ends early, with what was found, when ctx ends.
func (s *Slab) Nearest(ctx context.Context, v []float32, most int, keep func(document string) bool) ([]Near, Crowd) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if len(s.ids) == 0 || !Good(v, s.dims) || most <= 0 {
		return nil, Crowd{}
	}
	q, own := ask(v)
	takes := make([]bool, len(s.documents))
	for i, d := range s.documents {
		takes[i] = keep == nil || keep(d)
	}
	workers := min(runtime.GOMAXPROCS(0), (len(s.ids)+part-1)/part)
	found, tallies := make([][]Near, workers), make([]tally, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			found[w], tallies[w] = s.scan(ctx, q, own, len(s.ids)*w/workers, len(s.ids)*(w+1)/workers, most, takes)
		})
	}
	wg.Wait()
	all := slices.Concat(found...)
	slices.SortFunc(all, best)
	return all[:min(len(all), most)], crowd(tallies)
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

// scan is Nearest for the vectors from one place to another.
func (s *Slab) scan(ctx context.Context, q []query, own small, from, to, most int, takes []bool) (top []Near, all tally) {
	top = make([]Near, 0, 2*most)
	least := float32(-2)
	width := len(q)
	fixed := int64(zero)*int64(zero)*int64(width)*blockLen - int64(zero)*int64(own.sum)
	for i := from; i < to; i++ {
		if (i-from)%part == 0 && ctx.Err() != nil {
			break
		}
		if !takes[s.of[i]] {
			continue
		}
		n := dot(q, s.blocks[i*width:(i+1)*width]) - int64(zero)*int64(s.small[i].sum) + fixed
		cosine := float32(n) * own.factor * s.small[i].factor
		all.size, all.sum, all.squares = all.size+1, all.sum+float64(cosine), all.squares+float64(cosine)*float64(cosine)
		if cosine <= least {
			continue
		}
		if top = append(top, Near{s.ids[i], float64(cosine)}); len(top) == cap(top) {
			slices.SortFunc(top, best)
			top = top[:most]
			least = float32(top[most-1].Cosine)
		}
	}
	return top, all
}
