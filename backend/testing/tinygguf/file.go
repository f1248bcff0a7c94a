package tinygguf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"agentchat/backend/testing/gguf"
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

// file is a model file while it is written.
type file struct {
	*gguf.File
	width int
}

// llama is the usual architecture; windowed one most of whose blocks see only the last tokens.
const (
	llama    = "llama"
	windowed = "gemma3"
)

func newFile(architecture string, v *vocabulary, width, blocks, head, ffn int, ropeBase float32) *file {
	f := &file{File: gguf.New(architecture, "tiny"), width: width}
	f.numbers(
		architecture+".block_count", blocks, architecture+".context_length", ContextLength, architecture+".embedding_length", width,
		architecture+".feed_forward_length", ffn, architecture+".attention.head_count", 1, architecture+".attention.head_count_kv", 1,
		architecture+".attention.key_length", head, architecture+".attention.value_length", head, architecture+".rope.dimension_count", head,
		architecture+".vocab_size", len(v.texts), "tokenizer.ggml.bos_token_id", bos, "tokenizer.ggml.eos_token_id", eos,
	)
	f.Float(architecture+".attention.layer_norm_rms_epsilon", 1e-5)
	f.Float(architecture+".rope.freq_base", ropeBase)
	f.Text("tokenizer.ggml.model", "gpt2")
	f.Text("tokenizer.ggml.pre", "default")
	f.Flag("tokenizer.ggml.add_bos_token", false)
	f.Texts("tokenizer.ggml.tokens", v.texts)
	merges := v.merges
	if len(merges) == 0 {
		merges = []string{v.alias[254] + " " + v.alias[255]} // one that never applies: none is an error
	}
	f.Texts("tokenizer.ggml.merges", merges)
	f.Ints("tokenizer.ggml.token_type", v.kinds)
	return f
}

// numbers writes pairs of a key and a number that is not negative.
func (f *file) numbers(pairs ...any) {
	for i := 0; i+1 < len(pairs); i += 2 {
		key, _ := pairs[i].(string)
		n, _ := pairs[i+1].(int)
		f.Number(key, n)
	}
}

func (f *file) matrix(name string, m matrix) {
	var b bytes.Buffer
	for _, x := range m.data {
		put16(&b, x)
	}
	f.Tensor(name, gguf.F16, b.Bytes(), m.cols, m.rows)
}

func (f *file) ones(name string, n int) { f.fill(name, 1, n) }

// fill is a tensor whose numbers are all the same.
func (f *file) fill(name string, x float32, dims ...int) {
	n := 1
	for _, d := range dims {
		n *= d
	}
	var b []byte
	for range n {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	f.Tensor(name, gguf.F32, b, dims...)
}

func (f *file) block(architecture string, i int, b block) {
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
	if architecture == windowed {
		f.ones(name("attn_q_norm"), b.q.rows)
		f.ones(name("attn_k_norm"), b.k.rows)
		f.ones(name("post_attention_norm"), f.width)
		f.ones(name("post_ffw_norm"), f.width)
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
	b.Write(binary.LittleEndian.AppendUint16(nil, half))
}
