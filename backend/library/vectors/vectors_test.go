package vectors_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"agentchat/backend/library/vectors"
)

func random(r *rand.Rand, dims int) []float32 {
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// What the slab says is what exact arithmetic says, for any length and whatever the scale.
func TestNearestIsWhatExactArithmeticSays(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, dims := range []int{1, 3, 4, 17, 384, 1024} {
		var s vectors.Slab
		var all []vectors.Vector
		for i := range 20_000 / dims * 8 {
			v := random(r, dims)
			for k := range v {
				v[k] *= float32(math.Exp(r.NormFloat64() * float64(i%2)))
			}
			all = append(all, vectors.Vector{ID: int64(i + 1), Document: fmt.Sprint(i % 7), Numbers: v})
		}
		s.Add(all)
		q := random(r, dims)
		list, crowd := s.Nearest(t.Context(), q, 50, nil)
		if crowd.Size != len(all) || dims > 4 && math.Abs(crowd.Mean) > 0.1 {
			t.Errorf("the crowd: %+v", crowd)
		}
		for _, n := range list {
			if exact := vectors.Cosine(q, all[n.ID-1].Numbers); math.Abs(exact-n.Cosine) > 0.012 {
				t.Errorf("%d numbers, vector %d: %.5f, exactly %.5f", dims, n.ID, n.Cosine, exact)
			}
		}
		best := slices.MaxFunc(all, func(a, b vectors.Vector) int {
			if vectors.Cosine(q, a.Numbers) < vectors.Cosine(q, b.Numbers) {
				return -1
			}
			return 1
		})
		if !slices.ContainsFunc(list, func(n vectors.Near) bool { return n.ID == best.ID }) && dims > 1 {
			t.Errorf("%d numbers: the nearest, %d, is not among %v", dims, best.ID, list)
		}
	}
}

func TestDocumentsComeAndGo(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var s vectors.Slab
	if got, _ := s.Nearest(t.Context(), []float32{1}, 3, nil); got != nil {
		t.Errorf("an empty slab found %v", got)
	}
	own := map[int64]string{}
	for i := range 300 {
		d := fmt.Sprint(i % 3)
		own[int64(i)] = d
		s.Add([]vectors.Vector{{ID: int64(i), Document: d, Numbers: random(r, 10)}})
	}
	q := random(r, 10)
	second, _ := s.Nearest(t.Context(), q, 20, func(d string) bool { return d == "2" })
	for _, n := range second {
		if own[n.ID] != "2" {
			t.Errorf("%d is of document %s", n.ID, own[n.ID])
		}
	}
	before, _ := s.Nearest(t.Context(), q, 300, nil)
	s.Remove("1")
	s.Remove("1")
	s.Remove("nobody")
	want := slices.DeleteFunc(before, func(n vectors.Near) bool { return own[n.ID] == "1" })
	if got, _ := s.Nearest(t.Context(), q, 300, nil); !slices.Equal(got, want) || s.Len() != 200 {
		t.Errorf("%d are left, %d found, want %d", s.Len(), len(got), len(want))
	}
	s.Add([]vectors.Vector{{ID: 900, Document: "1", Numbers: q}})
	if got, _ := s.Nearest(t.Context(), q, 1, nil); len(got) != 1 || got[0].ID != 900 {
		t.Errorf("a document that came back: %v", got)
	}
}

func TestBadVectorsStayOut(t *testing.T) {
	var s vectors.Slab
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	s.Add([]vectors.Vector{{ID: 1, Numbers: []float32{1, 2, 3}}})
	for i, bad := range [][]float32{nil, {1, 2}, {1, 2, 3, 4}, {0, 0, 0}, {nan, 1, 1}, {1, inf, 1}} {
		if s.Add([]vectors.Vector{{ID: int64(i + 2), Numbers: bad}}); s.Len() != 1 {
			t.Fatalf("%v came in", bad)
		}
		if got, _ := s.Nearest(t.Context(), bad, 5, nil); got != nil {
			t.Errorf("%v found %v", bad, got)
		}
	}
}

// lost is how far a vector can turn when each number is off by half a step.
func lost(v []float32) float64 {
	most, length := 0.0, 0.0
	for _, x := range v {
		most = max(most, math.Abs(float64(x)))
		length += float64(x) * float64(x)
	}
	return 2 * math.Sqrt(float64(len(v))) * most / 126 / math.Sqrt(length)
}

func FuzzNearest(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 250})
	f.Fuzz(func(t *testing.T, raw []byte) {
		half := len(raw) / 2
		a, b := make([]float32, half), make([]float32, half)
		for i := range half {
			a[i], b[i] = float32(int8(raw[i])), float32(int8(raw[half+i]))
		}
		var s vectors.Slab
		s.Add([]vectors.Vector{{ID: 1, Numbers: a}})
		found, _ := s.Nearest(t.Context(), b, 1, nil)
		for _, n := range found {
			exact, most := vectors.Cosine(a, b), lost(a)+lost(b)+lost(a)*lost(b)
			if math.Abs(exact-n.Cosine) > most+1e-5 || math.Abs(n.Cosine) > 1+1e-5 {
				t.Errorf("%v and %v: %.4f, exactly %.4f", a, b, n.Cosine, exact)
			}
		}
	})
}

// BenchmarkNearest looks at 100,000 vectors of 384 numbers.
func BenchmarkNearest(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	var s vectors.Slab
	for i := range 100_000 {
		s.Add([]vectors.Vector{{ID: int64(i), Document: "one", Numbers: random(r, 384)}})
	}
	q := random(r, 384)
	for b.Loop() {
		s.Nearest(b.Context(), q, 100, nil)
	}
}
