package tinygguf

import (
	"math/rand/v2"

	"agentchat/backend/testing/gguf"
)

// Sizes of an embedding model.
const (
	EmbeddingLength  = 64  // numbers of a vector
	EmbeddingContext = 512 // tokens a text may have; each character is one
	embeddingFFN     = 32
)

// The first tokens of an embedding model.
const (
	embedBegin = iota
	embedPad
	embedEnd
	embedUnknown
)

// Embedding makes the model file of an embedding model (BERT's architecture, one layer that changes nothing). The vector of a
// text is the mean of those of its characters, each a direction by lot: texts that share characters are near each other.
// Letters and digits of ASCII and all syllables of Hangul are known. The same seed makes the same file; another seed is a
// model whose vectors have nothing to do with the first one's.
func Embedding(seed uint64) []byte {
	texts, kinds := []string{"<s>", "<pad>", "</s>", "<unk>", "▁"}, []int32{gguf.Control, gguf.Control, gguf.Control, gguf.Unknown, gguf.Normal}
	know := func(from, to rune) {
		for r := from; r <= to; r++ {
			texts, kinds = append(texts, string(r)), append(kinds, gguf.Normal)
		}
	}
	know('0', '9')
	know('A', 'Z')
	know('a', 'z')
	know('가', '힣')
	dice := rand.New(rand.NewPCG(seed, 3)) //nolint:gosec // reproducible on purpose
	embed := newMatrix(len(texts), EmbeddingLength)
	for t := range texts {
		if kinds[t] != gguf.Normal || texts[t] == "▁" { // says nothing: even the mean of many is little
			continue
		}
		for k, side := range dice.Perm(EmbeddingLength) {
			embed.row(t)[k] = float32(2*(side%2) - 1) // as often up as down: a norm changes nothing
		}
	}

	f := &file{File: gguf.New("bert", "tiny embedding"), width: EmbeddingLength}
	f.numbers(
		"bert.block_count", 1, "bert.context_length", EmbeddingContext, "bert.embedding_length", EmbeddingLength,
		"bert.feed_forward_length", embeddingFFN, "bert.attention.head_count", 1, "bert.pooling_type", 1, // the mean
		"bert.vocab_size", len(texts), "tokenizer.ggml.token_type_count", 1, "tokenizer.ggml.bos_token_id", embedBegin,
		"tokenizer.ggml.eos_token_id", embedEnd, "tokenizer.ggml.unknown_token_id", embedUnknown,
		"tokenizer.ggml.padding_token_id", embedPad, "tokenizer.ggml.seperator_token_id", embedEnd, // the format spells it so
		"tokenizer.ggml.cls_token_id", embedBegin,
	)
	f.Float("bert.attention.layer_norm_epsilon", 1e-5)
	f.Flag("bert.attention.causal", false)
	f.Text("tokenizer.ggml.model", "t5")
	f.Text("tokenizer.ggml.pre", "default")
	f.Flag("tokenizer.ggml.add_bos_token", true)
	f.Flag("tokenizer.ggml.add_eos_token", true)
	f.Flag("tokenizer.ggml.add_space_prefix", true)
	f.Flag("tokenizer.ggml.remove_extra_whitespaces", true)
	f.Texts("tokenizer.ggml.tokens", texts)
	f.Ints("tokenizer.ggml.token_type", kinds)
	f.Floats("tokenizer.ggml.scores", make([]float32, len(texts)))

	f.matrix("token_embd.weight", embed)
	f.fill("token_types.weight", 0, EmbeddingLength)
	f.fill("position_embd.weight", 0, EmbeddingLength, EmbeddingContext)
	f.norm("token_embd_norm")
	for _, part := range []string{"attn_q", "attn_k", "attn_v", "attn_output"} {
		f.layer(part, EmbeddingLength, EmbeddingLength)
	}
	f.norm("blk.0.attn_output_norm")
	f.layer("ffn_up", EmbeddingLength, embeddingFFN)
	f.layer("ffn_down", embeddingFFN, EmbeddingLength)
	f.norm("blk.0.layer_output_norm")
	return f.Bytes()
}

// layer is a part of the only block that adds nothing.
func (f *file) layer(part string, from, to int) {
	f.matrix("blk.0."+part+".weight", newMatrix(to, from))
	f.fill("blk.0."+part+".bias", 0, to)
}

// norm is one that changes nothing but the length.
func (f *file) norm(name string) {
	f.fill(name+".weight", 1, f.width)
	f.fill(name+".bias", 0, f.width)
}
