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

// weights are a model's parameters, kept by feature: those of feature f are class[from[f]:from[f+1]].
type weights struct {
	trust
	from  []uint32
	class []uint8
	value []int8
	scale float64 // of a value of 1
	sum   uint64  // of the sentences of our own that it was learned from, as features; see Sum
}

// model is read when the first message comes, so that a start does not pay for it.
var model = sync.OnceValue(func() *weights {
	if len(packed) == 0 { // before anything was learned, as cmd/learn begins
		return &weights{from: make([]uint32, space+1)}
	}
	m, err := unpack(bytes.NewReader(packed))
	if err != nil {
		panic(fmt.Sprintf("act: the weights cannot be read, run `make learn`: %v", err)) // they are part of the program
	}
	return m
})

// scores sums the weights of features for every class.
func (m *weights) scores(fs []uint32) []float64 {
	sums := make([]int, len(acts))
	for _, f := range fs {
		for i := m.from[f]; i < m.from[f+1]; i++ {
			sums[m.class[i]] += int(m.value[i])
		}
	}
	out, unit := make([]float64, len(acts)), m.scale*weight(len(fs))
	for i, s := range sums {
		out[i] = float64(s) * unit
	}
	return out
}

// header is what a file of weights begins with.
type header struct {
	Magic   [4]byte
	Classes uint32
	Space   uint32
	Size    uint32
	Scale   float64
	Sum     uint64
}

var magic = [4]byte{'a', 'c', 't', '3'}

// errForeign: weights of another list of acts, or no weights at all.
var errForeign = errors.New("they are not of this list of acts")

// pack writes a model: a head, and for every feature how many weights it has, their classes and values.
func (m *weights) pack(w io.Writer) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	head := header{magic, uint32(len(acts)), space, uint32(len(m.class)), m.scale, m.sum}
	if err := binary.Write(z, binary.LittleEndian, head); err != nil {
		return err
	}
	counts := make([]uint8, space)
	for f := range counts {
		counts[f] = uint8(m.from[f+1] - m.from[f])
	}
	tags := slices.Sorted(maps.Keys(m.tags))
	parts := []any{counts, m.class, m.value, m.words, uint32(len(tags))}
	for _, tag := range tags {
		parts = append(parts, uint8(len(tag)), []byte(tag), m.tags[tag])
	}
	for _, part := range parts {
		if err := binary.Write(z, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	return z.Close()
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
	if head.Magic != magic || head.Classes != uint32(len(acts)) || head.Space != space || head.Size > space*uint32(len(acts)) {
		return nil, errForeign
	}
	m := &weights{from: make([]uint32, space+1), class: make([]uint8, head.Size), value: make([]int8, head.Size), scale: head.Scale, sum: head.Sum}
	counts := make([]uint8, space)
	var tags uint32
	for _, part := range []any{counts, m.class, m.value, &m.words, &tags} {
		if err := binary.Read(z, binary.LittleEndian, part); err != nil {
			return nil, err
		}
	}
	m.tags = map[string][]float32{}
	for range tags {
		var length uint8
		if err := binary.Read(z, binary.LittleEndian, &length); err != nil {
			return nil, err
		}
		tag, values := make([]byte, length), make([]float32, len(acts))
		for _, part := range []any{tag, values} {
			if err := binary.Read(z, binary.LittleEndian, part); err != nil {
				return nil, err
			}
		}
		m.tags[string(tag)] = values
	}
	for f, n := range counts {
		m.from[f+1] = m.from[f] + uint32(n)
	}
	if m.from[space] != head.Size {
		return nil, errForeign
	}
	for _, c := range m.class {
		if int(c) >= len(acts) {
			return nil, errForeign
		}
	}
	return m, nil
}
