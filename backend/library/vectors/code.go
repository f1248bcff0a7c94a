// Package vectors finds the vectors nearest to another one, by looking at every one of them. They lie in memory as one flat
// slab of a byte a number: one multiplication of two words gives the sum of four products, which is what makes looking at
// all of them cheap without anything but Go.
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

// Numbers lie in bytes as 1 to 127, zero being 64. To be multiplied, the even and the odd bytes of a word are taken apart into
// two words of 16-bit lanes. Of two words whose lanes run against each other the highest lane of the product is the sum of
// the four products: each is at most 127², four of them fit a lane, and no lower lane carries.
const (
	lanes  = 4
	bits   = 64 / lanes
	packed = 2 * lanes // numbers of a word
	zero   = 64
	steps  = 63
	topBit = 64 - bits
	even   = 0x00ff00ff00ff00ff
)

// block is 32 numbers of a vector, query those of the vector that others are compared with: of each word the even numbers,
// then the odd ones, the lanes against those of a block. Blocks have a length that is known, which halves the time.
type (
	block [4]uint64
	query [8]uint64
)

const blockLen = 4 * packed

func blocks(dims int) int { return (dims + blockLen - 1) / blockLen }

// small is what is kept of a vector beside its blocks. factor brings what its steps make to length 1; sum is that of all
// numbers as they lie.
type small struct {
	factor float32
	sum    int32
}

// shrink gives each number of a vector as it lies, zeros after the last of them, to set.
func shrink(v []float32, set func(i int, n uint64)) (s small) {
	most, length := 0.0, int64(0)
	for _, x := range v {
		most = max(most, math.Abs(float64(x)))
	}
	for i := range blockLen * blocks(len(v)) {
		n := uint64(zero)
		if i < len(v) {
			step := int64(math.Round(float64(v[i]) / most * steps))
			n = uint64(zero + step) //nolint:gosec // 1 to 127
			length += step * step
		}
		set(i, n)
		s.sum += int32(n)
	}
	s.factor = float32(1 / math.Sqrt(float64(length))) // not 0: one number is the largest
	return s
}

// encode adds the blocks of a vector to all.
func encode(all []block, v []float32) ([]block, small) {
	at := len(all)
	all = append(all, make([]block, blocks(len(v)))...)
	s := shrink(v, func(i int, n uint64) {
		all[at+i/blockLen][i%blockLen/packed] |= n << (8 * (i % packed))
	})
	return all, s
}

// ask makes a vector ready to be compared with others.
func ask(v []float32) ([]query, small) {
	q := make([]query, blocks(len(v)))
	s := shrink(v, func(i int, n uint64) {
		word, lane := i%blockLen/packed, i%packed/2
		q[i/blockLen][2*word+i%2] |= n << (bits * (lanes - 1 - lane))
	})
	return q, s
}

// dot is the sum of the products of all numbers.
func dot(q []query, v []block) int64 {
	var s0, s1, s2, s3 uint64
	v = v[:len(q)]
	for i := range q {
		x, y := &q[i], &v[i]
		s0 += x[0] * (y[0] & even) >> topBit
		s1 += x[1] * (y[0] >> 8 & even) >> topBit
		s2 += x[2] * (y[1] & even) >> topBit
		s3 += x[3] * (y[1] >> 8 & even) >> topBit
		s0 += x[4] * (y[2] & even) >> topBit
		s1 += x[5] * (y[2] >> 8 & even) >> topBit
		s2 += x[6] * (y[3] & even) >> topBit
		s3 += x[7] * (y[3] >> 8 & even) >> topBit
	}
	return int64(s0 + s1 + s2 + s3)
}
