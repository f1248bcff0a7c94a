package models

import (
	"slices"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider/ollama"
)

// suggestion is a model of Ollama's library that is worth trying. bytes is what the library lists, rounded as it does
// there; token is how many bytes of memory a token of context takes (16-bit keys and values of the layers that see the
// whole context).
type suggestion struct {
	name, title string
	bytes       int64
	token       int64
	embedding   bool
	note        bilingual.Text
}

const (
	mb = 1_000_000
	gb = 1_000_000_000
)

// suggestions are small models that read and write Korean, the smallest first, then those that make vectors.
var suggestions = []suggestion{
	{name: "gemma3:1b", title: "Gemma 3 1B", bytes: 815 * mb, token: 4 << 10, note: bilingual.Of(
		"가장 가벼워요. 짧은 말은 알아듣지만 복잡한 부탁은 놓칠 수 있어요.",
		"The lightest. It follows short requests and may miss complicated ones.",
	)},
	{name: "qwen3:1.7b", title: "Qwen3 1.7B", bytes: 1400 * mb, token: 112 << 10, note: bilingual.Of(
		"작은 컴퓨터에서 공구를 고르는 일에 알맞아요. 한국어는 조금 서툴러요.",
		"Good at choosing tools on a small computer. Its Korean is a little stiff.",
	)},
	{name: "exaone3.5:2.4b", title: "EXAONE 3.5 2.4B", bytes: 1600 * mb, token: 75 << 10, note: bilingual.Of(
		"크기에 비해 한국어가 자연스러워요. 비상업적 용도로만 쓸 수 있는 라이선스예요.",
		"Natural Korean for its size. Its licence allows non-commercial use only.",
	)},
	{name: "qwen3:4b-instruct", title: "Qwen3 4B Instruct", bytes: 2500 * mb, token: 144 << 10, note: bilingual.Of(
		"처음 쓰기에 좋아요. 계획과 공구 고르기를 잘하고 한국어도 괜찮아요.",
		"A good first choice: plans well, chooses tools well, decent Korean.",
	)},
	{name: "gemma3:4b", title: "Gemma 3 4B", bytes: 3300 * mb, token: 20 << 10, note: bilingual.Of(
		"글이 자연스러워요. 긴 대화에도 메모리를 적게 써요.",
		"Writes naturally, and long conversations take little memory.",
	)},
	{name: "exaone3.5:7.8b", title: "EXAONE 3.5 7.8B", bytes: 4800 * mb, token: 128 << 10, note: bilingual.Of(
		"한국어를 가장 잘해요. 메모리가 넉넉해야 하고, 비상업적 용도로만 쓸 수 있어요.",
		"The best Korean here. It needs plenty of memory; non-commercial use only.",
	)},
	{name: "qwen3:8b", title: "Qwen3 8B", bytes: 5200 * mb, token: 144 << 10, note: bilingual.Of(
		"복잡한 부탁을 잘 나눠요. 메모리가 넉넉해야 해요.",
		"Splits complicated requests well. It needs plenty of memory.",
	)},
	{name: "embeddinggemma", title: "EmbeddingGemma 300M", bytes: 622 * mb, embedding: true, note: bilingual.Of(
		"문서를 찾을 때 쓰는 가벼운 임베딩 모델이에요. 여러 언어를 알아요.",
		"A light embedding model for finding documents, in many languages.",
	)},
	{name: "bge-m3", title: "BGE-M3", bytes: 1200 * mb, embedding: true, note: bilingual.Of(
		"한국어 문서를 잘 찾는 임베딩 모델이에요.",
		"An embedding model that finds Korean documents well.",
	)},
}

// working is the memory that a model's computations take besides its weights and its context.
const working = 400 * mb

// memory is about how many bytes a model takes once loaded for numCtx tokens.
func (s suggestion) memory(numCtx int) int64 { return s.bytes + s.token*int64(numCtx) + working }

// Recommend lists the models worth trying, for numCtx tokens on a computer with that memory; installed says which are
// there already.
func Recommend(numCtx int, ram RAM, installed []string) []Recommended {
	list := make([]Recommended, len(suggestions))
	for i, s := range suggestions {
		need := s.memory(numCtx)
		list[i] = Recommended{
			Name: s.name, Title: s.title, Bytes: s.bytes, Memory: need, Fits: ram.Fits(need), Embedding: s.embedding, Note: s.note,
			Installed: slices.ContainsFunc(installed, func(name string) bool { return ollama.SameModel(name, s.name) }),
		}
	}
	return list
}

// Needs is how many bytes a recommended model takes to download, 0 for any other.
func Needs(model string) int64 {
	for _, s := range suggestions {
		if ollama.SameModel(s.name, model) {
			return s.bytes
		}
	}
	return 0
}

// Fits tells whether a model of that size can run beside the system and the programs a person has open, which need a
// quarter of the memory, or one and a half gigabytes where that is more. True when either is unknown.
func (r RAM) Fits(memory int64) bool {
	return r.Total == 0 || memory == 0 || memory <= r.Total-max(r.Total/4, 3*gb/2)
}
