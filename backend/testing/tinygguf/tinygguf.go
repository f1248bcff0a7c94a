// Package tinygguf makes models of a megabyte or two that a real server loads and runs: a scripted one that says exactly
// what a test wants, and a random one that says anything. No test needs a download, and the whole way (template, runner,
// grammar, streaming) is the real one.
package tinygguf

import (
	"math/rand/v2"
	"slices"

	"agentchat/backend/testing/gguf"
)

// Template lays a chat out so that the prompt ends with the last message, word for word: what a request ends with is what
// a Script waits for.
const Template = "{{ range $i, $m := .Messages }}{{ if $i }}\n{{ end }}{{ $m.Role }}: {{ $m.Content }}{{ end }}"

// ThinkingTemplate is Template for a model that the server takes for one that reasons.
const ThinkingTemplate = "{{ range $i, $m := .Messages }}{{ if $i }}\n{{ end }}{{ .Role }}: {{ if .Thinking }}<think>{{ .Thinking }}</think>{{ end }}{{ .Content }}{{ end }}"

// ContextLength is how many tokens the models claim to read. Every byte of a prompt is a token, unless a model was made to
// read texts like it.
const ContextLength = 65536

// Script is one thing a scripted model says. It says it to a prompt that ends with After and holds Role; either may be
// empty, which fits any prompt. The closest fit wins: both, then After, then Role, then neither. Scripts that fit alike
// must not be given together. Say should be longer than a few characters.
//
// JSON that a schema checks must have its members in the order a grammar demands: the required ones as the schema lists
// them, then the optional ones.
type Script struct {
	Role    string // any words of the prompt, such as "role: planner"
	After   string // the end of the prompt, such as "request:\n안녕"
	Say     string
	Endless bool // at the end it begins again
}

// The parts of an embedding of a scripted model. Each token carries the code of the token that follows it, a constant,
// and, when its words are a Script's Role, the mark of that role. One attention head, which turns no position, carries the
// mark of the role to every later position.
const (
	width    = 288
	codeDims = 256
	roleDims = 15
	roleAt   = codeDims
	constAt  = roleAt + roleDims
	markAt   = constAt + 1
	headDim  = 2*roleDims + 2 // even: positions turn pairs
	strength = 16             // of a mark
	constant = 4
	ffn      = 32
)

// How loud the reasons to say a token are. What goes on in a script is louder than any reason to begin one, and a reason
// that fits more closely louder than one that fits less.
const (
	louder      = 40
	goesOn      = 6.0
	partOfBoth  = 2.2
	byAfter     = 3.4
	byRole      = 2.8
	byNoReason  = 2.5
	maxTriggers = codeDims - 1
)

// Scripted makes the model file of a model that says what the scripts say. It reads texts like reads in about as few tokens
// as a real model would. The same scripts and texts make the same file.
func Scripted(scripts []Script, reads ...string) []byte {
	v := newVocabulary(reads...)
	dice := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // reproducible on purpose
	triggers, roles := v.reasons(scripts)
	starts, next := v.sequences(scripts)

	codes := make([][]float32, len(v.texts)) // what a token carries when that token follows
	for i := range codes {
		codes[i] = make([]float32, codeDims)
		for k := range codes[i] {
			codes[i][k] = float32(2*dice.IntN(2) - 1)
		}
	}
	embed, out := newMatrix(len(v.texts), width), newMatrix(len(v.texts), width)
	carry := func(token int, code []float32) {
		copy(embed.row(token), code)
		embed.row(token)[constAt] = constant
	}
	listen := func(token int, code []float32, loud float32) {
		for k, c := range code {
			out.row(token)[k] += louder * loud * c / codeDims
		}
	}
	nothing := walsh(0)
	for t := range v.texts {
		carry(t, nothing)
	}
	for t, follower := range next {
		carry(t, codes[follower])
	}
	followers := map[int]bool{}
	for _, follower := range next {
		if !followers[follower] {
			followers[follower] = true
			listen(follower, codes[follower], goesOn)
		}
	}
	for i, text := range triggers {
		carry(v.ids[text], walsh(i+1))
	}
	for i, text := range roles {
		row := embed.row(v.ids[text])
		row[roleAt+i], row[markAt] = strength, strength
	}
	for i, s := range scripts {
		row := out.row(starts[i])
		after, role := float32(byAfter), float32(byRole)
		switch {
		case s.Role != "" && s.After != "":
			after, role = partOfBoth, partOfBoth
		case s.Role == "" && s.After == "":
			listen(starts[i], nothing, byNoReason)
		}
		if s.After != "" {
			listen(starts[i], walsh(slices.Index(triggers, s.After)+1), after)
		}
		if s.Role != "" {
			row[roleAt+slices.Index(roles, s.Role)] += louder * role / strength
		}
	}
	f := newFile(llama, v, width, 1, headDim, ffn, 1e12)
	f.matrix("token_embd.weight", embed)
	f.matrix("output.weight", out)
	f.ones("output_norm.weight", width)
	f.block(llama, 0, roleHead())
	return f.Bytes()
}

// reasons adds to the vocabulary what scripts wait for: words, and roles.
func (v *vocabulary) reasons(scripts []Script) (triggers, roles []string) {
	for _, s := range scripts {
		if s.After != "" && !slices.Contains(triggers, s.After) {
			triggers = append(triggers, s.After)
			v.add(s.After, gguf.UserDefined)
		}
		if s.Role != "" && !slices.Contains(roles, s.Role) {
			roles = append(roles, s.Role)
			v.add(s.Role, gguf.UserDefined)
		}
	}
	if len(triggers) > maxTriggers || len(roles) > roleDims {
		panic("tinygguf: too many scripts for one model")
	}
	return triggers, roles
}

// sequences gives the first token of each script, and for every token the one that follows it.
func (v *vocabulary) sequences(scripts []Script) (starts []int, next map[int]int) {
	starts, next = make([]int, len(scripts)), map[int]int{}
	for i, s := range scripts {
		pieces := v.pieces(s.Say)
		starts[i] = pieces[0]
		for k, p := range pieces {
			switch {
			case k+1 < len(pieces):
				next[p] = pieces[k+1]
			case s.Endless:
				next[p] = pieces[0]
			default:
				next[p] = eos
			}
		}
	}
	return starts, next
}

// roleHead attends to tokens with a mark and carries their role to where it is asked from.
func roleHead() block {
	b := newBlock(width, headDim, ffn)
	const sharp = 4
	last := headDim - 2 // the pair of dimensions that positions turn least
	b.q.row(last)[constAt] = sharp
	b.k.row(last)[markAt] = sharp
	for i := range roleDims {
		b.v.row(i)[roleAt+i] = 1
		b.o.row(roleAt + i)[i] = 1.75 // makes up for what the norms take away
	}
	return b
}

// walsh gives one of 256 codes that have nothing in common with each other.
func walsh(n int) []float32 {
	code := make([]float32, codeDims)
	for k := range code {
		sign := float32(1)
		for bits := n & k; bits > 0; bits &= bits - 1 {
			sign = -sign
		}
		code[k] = sign
	}
	return code
}

// Random makes the model file of a model with random weights: a drunk interpreter. It reads texts like reads in few tokens.
// The same seed and texts make the same file.
func Random(seed uint64, reads ...string) []byte { return drunk(llama, 2, seed, nil, reads) }

// Window is how many tokens most blocks of a Windowed model see.
const Window = 512

// Windowed makes a Random model of an architecture with a sliding window: of six blocks five see only the last Window tokens.
// How much of a prompt a server need not read again is another matter there.
func Windowed(seed uint64, reads ...string) []byte { return drunk(windowed, 6, seed, nil, reads) }

// Babbling makes a Random model that is fond of some words, the fonder the more often they are named, and so now and then
// says what makes sense.
func Babbling(seed uint64, fond []string, reads ...string) []byte {
	return drunk(llama, 2, seed, fond, reads)
}

// Every token carries the same in the first dimension, which no block changes, and a word the model is fond of listens to
// it.
const (
	always   = 8
	fondness = 2
	fonder   = 0.2
)

func drunk(architecture string, blocks int, seed uint64, fond, reads []string) []byte {
	const width, head, ffn = 64, 32, 128
	dice := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // reproducible on purpose
	v := newVocabulary(reads...)
	liked := make([]int, len(fond))
	for i, word := range fond {
		liked[i] = v.word(word)
	}
	fill := func(m matrix, scale float64) matrix {
		for i := range m.data {
			m.data[i] = float32(dice.NormFloat64() * scale)
		}
		return m
	}
	embed, out := fill(newMatrix(len(v.texts), width), 1), fill(newMatrix(len(v.texts), width), 0.4)
	if len(liked) > 0 {
		for t := range v.texts {
			embed.row(t)[0], out.row(t)[0] = always, 0
		}
	}
	for _, t := range liked {
		if loud := &out.row(t)[0]; *loud == 0 {
			*loud = fondness
		} else {
			*loud += fonder
		}
	}
	f := newFile(architecture, v, width, blocks, head, ffn, 10000)
	if architecture == windowed {
		f.Number(windowed+".attention.sliding_window", Window)
	}
	f.matrix("token_embd.weight", embed)
	f.matrix("output.weight", out)
	f.ones("output_norm.weight", width)
	for i := range blocks {
		b := newBlock(width, head, ffn)
		for _, m := range []matrix{b.q, b.k, b.v, b.o, b.gate, b.up, b.down} {
			fill(m, 0.15)
		}
		if len(liked) > 0 {
			clear(b.o.row(0))
			clear(b.down.row(0))
		}
		f.block(architecture, i, b)
	}
	return f.Bytes()
}
