package tinygguf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// matrix is row-major: rows outputs of cols inputs.
type matrix struct {
	rows, cols int
	data       []float32
}

func newMatrix(rows, cols int) matrix { return matrix{rows, cols, make([]float32, rows*cols)} }

func (m matrix) row(i int) []float32 { return m.data[i*m.cols : (i+1)*m.cols] }

// block is one layer with one attention head.
type block struct{ q, k, v, o, gate, up, down matrix }

func newBlock(width, head, ffn int) block {
	return block{
		q: newMatrix(head, width), k: newMatrix(head, width), v: newMatrix(head, width), o: newMatrix(width, head),
		gate: newMatrix(ffn, width), up: newMatrix(ffn, width), down: newMatrix(width, ffn),
	}
}

// file is a GGUF file (version 3) while it is written.
type file struct {
	width          int
	keys           bytes.Buffer
	infos          bytes.Buffer
	data           bytes.Buffer
	nKeys, nTensor uint64
}

// Types of values and tensors, as the format numbers them.
const (
	typeU32, typeI32, typeF32, typeBool, typeString, typeArray = 4, 5, 6, 7, 8, 9
	tensorF32, tensorF16                                       = 0, 1
	alignment                                                  = 32
)

func newFile(v *vocabulary, width, blocks, head, ffn int, ropeBase float32) *file {
	f := &file{width: width}
	f.text("general.architecture", "llama")
	f.text("general.name", "tiny")
	f.numbers(
		"llama.block_count", blocks, "llama.context_length", ContextLength, "llama.embedding_length", width,
		"llama.feed_forward_length", ffn, "llama.attention.head_count", 1, "llama.attention.head_count_kv", 1,
		"llama.attention.key_length", head, "llama.attention.value_length", head, "llama.rope.dimension_count", head,
		"llama.vocab_size", len(v.texts), "tokenizer.ggml.bos_token_id", bos, "tokenizer.ggml.eos_token_id", eos,
	)
	f.key("llama.attention.layer_norm_rms_epsilon", typeF32)
	put(&f.keys, float32(1e-5))
	f.key("llama.rope.freq_base", typeF32)
	put(&f.keys, ropeBase)
	f.text("tokenizer.ggml.model", "gpt2")
	f.text("tokenizer.ggml.pre", "default")
	f.flag("tokenizer.ggml.add_bos_token", false)
	f.texts("tokenizer.ggml.tokens", v.texts)
	merges := v.merges
	if len(merges) == 0 {
		merges = []string{v.alias[254] + " " + v.alias[255]} // one that never applies: none is an error
	}
	f.texts("tokenizer.ggml.merges", merges)
	f.array("tokenizer.ggml.token_type", typeI32, len(v.kinds), v.kinds)
	return f
}

// numbers writes pairs of a key and a number that is not negative.
func (f *file) numbers(pairs ...any) {
	for i := 0; i+1 < len(pairs); i += 2 {
		key, _ := pairs[i].(string)
		n, _ := pairs[i+1].(int)
		f.key(key, typeU32)
		put(&f.keys, uint32(n)) //nolint:gosec // small and not negative
	}
}

// put writes a fixed-size value. A buffer takes everything.
func put(b *bytes.Buffer, v any) { _ = binary.Write(b, binary.LittleEndian, v) }

func str(b *bytes.Buffer, text string) {
	put(b, uint64(len(text)))
	b.WriteString(text)
}

func (f *file) key(name string, kind uint32) {
	str(&f.keys, name)
	put(&f.keys, kind)
	f.nKeys++
}

func (f *file) text(name, value string) {
	f.key(name, typeString)
	str(&f.keys, value)
}

func (f *file) texts(name string, values []string) {
	f.key(name, typeArray)
	put(&f.keys, uint32(typeString))
	put(&f.keys, uint64(len(values)))
	for _, v := range values {
		str(&f.keys, v)
	}
}

func (f *file) flag(name string, on bool) {
	f.key(name, typeBool)
	put(&f.keys, on)
}

// array writes n values of one kind; values is a slice of them.
func (f *file) array(name string, kind uint32, n int, values any) {
	f.key(name, typeArray)
	put(&f.keys, kind)
	put(&f.keys, uint64(n)) //nolint:gosec // not negative
	put(&f.keys, values)
}

func (f *file) tensor(name string, kind uint32, dims ...int) {
	str(&f.infos, name)
	put(&f.infos, uint32(len(dims))) //nolint:gosec // one or two
	for _, d := range dims {
		put(&f.infos, uint64(d)) //nolint:gosec // not negative
	}
	put(&f.infos, kind)
	pad(&f.data)
	put(&f.infos, uint64(f.data.Len())) //nolint:gosec // not negative
	f.nTensor++
}

func (f *file) matrix(name string, m matrix) {
	f.tensor(name, tensorF16, m.cols, m.rows)
	for _, x := range m.data {
		put16(&f.data, x)
	}
}

func (f *file) ones(name string, n int) { f.fill(name, 1, n) }

// fill is a tensor whose numbers are all the same.
func (f *file) fill(name string, x float32, dims ...int) {
	f.tensor(name, tensorF32, dims...)
	n := 1
	for _, d := range dims {
		n *= d
	}
	for range n {
		put(&f.data, x)
	}
}

func (f *file) block(i int, b block) {
	name := func(part string) string { return fmt.Sprintf("blk.%d.%s.weight", i, part) }
	f.ones(name("attn_norm"), f.width)
	f.matrix(name("attn_q"), b.q)
	f.matrix(name("attn_k"), b.k)
	f.matrix(name("attn_v"), b.v)
	f.matrix(name("attn_output"), b.o)
	f.ones(name("ffn_norm"), f.width)
	f.matrix(name("ffn_gate"), b.gate)
	f.matrix(name("ffn_up"), b.up)
	f.matrix(name("ffn_down"), b.down)
}

func (f *file) bytes() []byte {
	var all bytes.Buffer
	all.WriteString("GGUF")
	put(&all, uint32(3))
	put(&all, f.nTensor)
	put(&all, f.nKeys)
	all.Write(f.keys.Bytes())
	all.Write(f.infos.Bytes())
	pad(&all)
	pad(&f.data)
	all.Write(f.data.Bytes())
	return all.Bytes()
}

func pad(b *bytes.Buffer) {
	for b.Len()%alignment != 0 {
		b.WriteByte(0)
	}
}

// put16 writes a number with 16 bits. What is too small for them is 0; nothing here is too large.
func put16(b *bytes.Buffer, x float32) {
	bits := math.Float32bits(x)
	sign := uint16(bits >> 16 & 0x8000)
	exp := int(bits>>23&0xff) - 127 + 15
	half := sign
	if x != 0 && exp > 0 {
		// Rounding may carry into the exponent, which is what it should do.
		half |= uint16(exp<<10) + uint16((bits>>13)&0x3ff) + uint16(bits>>12&1) //nolint:gosec // masked
	}
	put(b, half)
}
