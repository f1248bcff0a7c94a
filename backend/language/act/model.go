package act

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"agentchat/backend/language/bilingual"
)

//go:embed acts.tsv
var actList string

//go:embed weights.bin
var packed []byte

var acts, titles = readActs(actList)

// readActs reads a line for each act: its key, what people call it in Korean and in English, and what belongs to it.
func readActs(text string) (list []Act, titles map[Act]bilingual.Text) {
	titles = map[Act]bilingual.Text{}
	for line := range strings.Lines(text) {
		if parts := strings.Split(strings.TrimSpace(line), "\t"); len(parts) == 4 {
			list = append(list, Act(parts[0]))
			titles[Act(parts[0])] = bilingual.Of(parts[1], parts[2])
		}
	}
	return list, titles
}

// Title is what people call the act: what is done, or talked about.
func (a Act) Title() bilingual.Text { return titles[a] }

// weights are a model's parameters.
type weights struct {
	trust
	layer
	sum uint64 // of the sentences of our own that it was learned from, as features; see Sum
}

// layer is what the words say. Every feature that is known has a place in a small space, a sentence is where its features are in the mean,
// and each act makes a score of that. What is learned of one feature so holds for those beside it.
type layer struct {
	row  []int32   // by feature: which numbers of in are its, -1 for none
	in   []int8    // width numbers a row, in units
	unit []float32 // what a number of in is, by where it stands in its row
	out  []float32 // by act: what each number counts for it, and what it has anyway
}

// model is read when the first message comes, so that a start does not pay for it.
var model = sync.OnceValue(func() *weights {
	if len(packed) == 0 { // before anything was learned, as cmd/learn begins
		return &weights{layer: layer{row: slices.Repeat([]int32{-1}, space), unit: make([]float32, width), out: make([]float32, len(acts)*(width+1))}}
	}
	m, err := unpack(bytes.NewReader(packed))
	if err != nil {
		panic(fmt.Sprintf("act: the weights cannot be read, run `make learn`: %v", err)) // they are part of the program
	}
	return m
})

// scores are what the features of a text say for every act.
func (l *layer) scores(fs []uint32) []float64 {
	var sums [width]int
	known := 0
	for _, f := range fs {
		if row := int(l.row[f]); row >= 0 {
			known++
			for d, v := range l.in[row*width : (row+1)*width] {
				sums[d] += int(v)
			}
		}
	}
	var at [width]float64
	for d, sum := range sums {
		at[d] = float64(sum) * float64(l.unit[d]) * weight(known)
	}
	scores := make([]float64, len(acts))
	for c := range scores {
		out := l.out[c*(width+1) : (c+1)*(width+1)]
		scores[c] = float64(out[width])
		for d, x := range at {
			scores[c] += x * float64(out[d])
		}
	}
	return scores
}

// header is what a file of weights begins with.
type header struct {
	Magic   [4]byte
	Classes uint32
	Space   uint32
	Width   uint32
	Rows    uint32
	Sum     uint64
}

var magic = [4]byte{'a', 'c', 't', '6'}

// errForeign: weights of another list of acts, or no weights at all.
var errForeign = errors.New("they are not of this list of acts")

// pack writes a model: a head, which features are known, and the numbers.
func (m *weights) pack(w io.Writer) error {
	z, err := gzip.NewWriterLevel(w, gzip.HuffmanOnly) // no run of bytes comes again
	if err != nil {
		return err
	}
	head := header{magic, uint32(len(acts)), space, width, uint32(len(m.in) / width), m.sum}
	if err := binary.Write(z, binary.LittleEndian, head); err != nil {
		return err
	}
	known := make([]uint8, space/8)
	for f, row := range m.row {
		if row >= 0 {
			known[f/8] |= 1 << (f % 8)
		}
	}
	tags := slices.Sorted(maps.Keys(m.tags))
	parts := []any{known, paired(m.in), m.unit, m.out, m.words, uint32(len(tags))}
	for _, tag := range tags {
		unit, levels := leveled(m.tags[tag])
		parts = append(parts, uint8(len(tag)), []byte(tag), unit, levels)
	}
	for _, part := range parts {
		if err := binary.Write(z, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	return z.Close()
}

// paired puts two levels into a byte each: of bytes, what occurs often can be written in few bits, of levels alone hardly.
func paired(levels []int8) []uint8 {
	pairs := make([]uint8, len(levels)/2)
	for i := range pairs {
		pairs[i] = uint8(levels[2*i]+8)<<4 | uint8(levels[2*i+1]+8)
	}
	return pairs
}

func unpaired(pairs []uint8) []int8 {
	levels := make([]int8, 0, 2*len(pairs))
	for _, p := range pairs {
		levels = append(levels, int8(p>>4)-8, int8(p&15)-8)
	}
	return levels
}

// leveled gives numbers as levels, of which the farthest from nought is the highest there is, and what a level is.
func leveled(values []float32) (unit float32, levels []int8) {
	for _, v := range values {
		unit = max(unit, float32(math.Abs(float64(v)))/math.MaxInt8)
	}
	levels = make([]int8, len(values))
	for i, v := range values {
		if unit > 0 {
			levels[i] = int8(math.Round(float64(v / unit)))
		}
	}
	return unit, levels
}

// unpack reads what pack wrote.
func unpack(r io.Reader) (*weights, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	var head header
	if err := binary.Read(z, binary.LittleEndian, &head); err != nil {
		return nil, err
	}
	if head.Magic != magic || head.Classes != uint32(len(acts)) || head.Space != space || head.Width != width || head.Rows > space {
		return nil, errForeign
	}
	m := &weights{sum: head.Sum}
	m.row, m.unit, m.out = make([]int32, space), make([]float32, width), make([]float32, len(acts)*(width+1))
	known, pairs := make([]uint8, space/8), make([]uint8, head.Rows*width/2)
	var tags uint32
	for _, part := range []any{known, pairs, m.unit, m.out, &m.words, &tags} {
		if err := binary.Read(z, binary.LittleEndian, part); err != nil {
			return nil, err
		}
	}
	m.in = unpaired(pairs)
	rows := int32(0)
	for f := range m.row {
		m.row[f] = -1
		if known[f/8]>>(f%8)&1 == 1 {
			m.row[f] = rows
			rows++
		}
	}
	if rows != int32(head.Rows) {
		return nil, errForeign
	}
	m.tags = map[string][]float32{}
	for range tags {
		var length uint8
		if err := binary.Read(z, binary.LittleEndian, &length); err != nil {
			return nil, err
		}
		var unit float32
		tag, levels, values := make([]byte, length), make([]int8, len(acts)), make([]float32, len(acts))
		for _, part := range []any{tag, &unit, levels} {
			if err := binary.Read(z, binary.LittleEndian, part); err != nil {
				return nil, err
			}
		}
		for i, level := range levels {
			values[i] = float32(level) * unit
		}
		m.tags[string(tag)] = values
	}
	return m, nil
}
