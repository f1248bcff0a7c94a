// Package vectors finds the vectors nearest to another one, by looking at every one of them. They lie in memory as one flat
// slab of seven bits a number, four numbers a word: one multiplication of two words gives the sum of four products, which
// is what makes looking at all of them cheap without anything but Go.
package vectors

import "math"

// Good tells whether a vector can be compared with others: it has that many numbers (0: any), each finite, and not all zero.
func Good(v []float32, dims int) bool {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return len(v) > 0 && (dims == 0 || len(v) == dims) && sum > 1e-20 && !math.IsInf(sum, 0) && !math.IsNaN(sum)
}

// Cosine compares two vectors of one length exactly: 1 for the same direction, 0 for nothing in common.
func Cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i, x := range a {
		y := b[i]
		ab += float64(x) * float64(y)
		aa += float64(x) * float64(x)
		bb += float64(y) * float64(y)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// Numbers lie in 16-bit lanes as 1 to 127, zero being 64. Of two words whose lanes run against each other the highest lane
// of the product is the sum of the four products: each is at most 127², four of them fit a lane, and no lower lane carries.
const (
	lanes  = 4
	bits   = 64 / lanes
	zero   = 64
	steps  = 63
	topBit = 64 - bits
)

// code is a vector made small. factor brings what its steps make to length 1; sum is that of all lanes.
type code struct {
	words  []uint64
	factor float32
	sum    int32
}

func words(dims int) int { return (dims + lanes - 1) / lanes }

// encode makes a vector small. against says that the lanes run the other way, as in what others are compared with.
func encode(v []float32, against bool) code {
	most, length := 0.0, int64(0)
	for _, x := range v {
		most = max(most, math.Abs(float64(x)))
	}
	c := code{words: make([]uint64, words(len(v)))}
	for i := range lanes * len(c.words) {
		n := uint64(zero)
		if i < len(v) {
			step := int64(math.Round(float64(v[i]) / most * steps))
			n = uint64(zero + step) //nolint:gosec // 1 to 127
			length += step * step
		}
		lane := i % lanes
		if against {
			lane = lanes - 1 - lane
		}
		c.words[i/lanes] |= n << (bits * lane)
		c.sum += int32(n)
	}
	c.factor = float32(1 / math.Sqrt(float64(length))) // not 0: one number is the largest
	return c
}

// dot is the sum of the products of all lanes. a's lanes run against b's.
func dot(a, b []uint64) int64 {
	var s0, s1, s2, s3 uint64
	b = b[:len(a)]
	for len(a) >= 4 {
		x, y := a[:4:4], b[:4:4]
		s0 += x[0] * y[0] >> topBit
		s1 += x[1] * y[1] >> topBit
		s2 += x[2] * y[2] >> topBit
		s3 += x[3] * y[3] >> topBit
		a, b = a[4:], b[4:]
	}
	for i, x := range a {
		s0 += x * b[i] >> topBit
	}
	return int64(s0 + s1 + s2 + s3)
}
