package tinygguf

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestTheSameScriptsMakeTheSameFile(t *testing.T) {
	scripts := []Script{
		{Say: "네, 알겠어요."},
		{Role: "role: planner", After: "request:\n안녕?", Say: `{"route":"answer","reply":"네, 알겠어요."}`},
		{After: "request:\n안녕?", Say: "끝이 없어요. ", Endless: true},
	}
	one, two := Scripted(scripts), Scripted(scripts)
	if !bytes.Equal(one, two) || !bytes.HasPrefix(one, []byte("GGUF\x03\x00\x00\x00")) || len(one) > 2<<20 {
		t.Errorf("%d and %d bytes, beginning %q", len(one), len(two), one[:8])
	}
	if bytes.Equal(Random(1), Random(2)) || !bytes.Equal(Random(1), Random(1)) {
		t.Error("the seed does not decide")
	}
	if e := Embedding(1); !bytes.Equal(e, Embedding(1)) || bytes.Equal(e, Embedding(2)) || len(e) > 3<<20 {
		t.Errorf("an embedding model of %d bytes that another seed makes too, or the same does not", len(e))
	}
	if bytes.Equal(Windowed(1), Windowed(2)) || !bytes.Equal(Windowed(1), Windowed(1)) {
		t.Error("the seed does not decide where there is a window")
	}
	fond := []string{"song", `"`}
	if bytes.Equal(Babbling(1, fond), Random(1)) || !bytes.Equal(Babbling(1, fond, "노래 song"), Babbling(1, fond, "노래 song")) {
		t.Error("the words do not decide")
	}
}

// Pieces make up the text again, and none stands twice: a token knows only one that follows.
func TestPieces(t *testing.T) {
	v := newVocabulary()
	seen := map[int]bool{}
	for _, text := range []string{"하하하하하하하하하하하하!", "하하하하하하하하하하하하?", strings.Repeat("가나다", 50), `{"a":{"a":{"a":1}}}`} {
		var written strings.Builder
		for _, id := range v.pieces(text) {
			if seen[id] {
				t.Errorf("%q stands twice", v.texts[id])
			}
			seen[id] = true
			written.WriteString(v.texts[id])
		}
		if written.String() != v.write(text) {
			t.Errorf("%q became %q", text, written.String())
		}
	}
}

// What a vocabulary learned makes up every token it has, each once, and shortens what it learned from.
func TestLearning(t *testing.T) {
	text := strings.Repeat(`{"route":"jobs","reply":"노래를 틀게요."} 노래를 틀어 주세요. `, 3)
	v := newVocabulary(text)
	seen := map[string]bool{}
	for _, written := range v.texts {
		if seen[written] {
			t.Errorf("%q stands twice", written)
		}
		seen[written] = true
	}
	for _, m := range v.merges {
		left, right, _ := strings.Cut(m, " ")
		if !seen[left] || !seen[right] || !seen[left+right] {
			t.Errorf("%q makes up nothing", m)
		}
	}
	if whole := v.write(" 틀어"); !seen[whole] {
		t.Errorf("%q is no token after %d merges", whole, len(v.merges))
	}
	if other := newVocabulary(text); !slices.Equal(other.merges, v.merges) {
		t.Error("learned otherwise from the same")
	}
}

func TestCodesHaveNothingInCommon(t *testing.T) {
	for i := range codeDims {
		for k := range i {
			dot := float32(0)
			for at, x := range walsh(i) {
				dot += x * walsh(k)[at]
			}
			if dot != 0 {
				t.Fatalf("codes %d and %d: %v", i, k, dot)
			}
			if k == 8 {
				break
			}
		}
	}
}

func TestNumbersOf16Bits(t *testing.T) {
	for x, want := range map[float32]uint16{0: 0, 1: 0x3c00, -2: 0xc000, 0.5: 0x3800, 1e-9: 0, 65504: 0x7bff, 1.0009765: 0x3c01, float32(math.Pi): 0x4248} {
		var b bytes.Buffer
		put16(&b, x)
		if got := uint16(b.Bytes()[0]) | uint16(b.Bytes()[1])<<8; got != want {
			t.Errorf("%v is %#x, want %#x", x, got, want)
		}
	}
}

func TestTooManyScriptsArePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it went on")
		}
	}()
	Scripted(slices.Repeat([]Script{{Say: "}"}}, 2))
}
