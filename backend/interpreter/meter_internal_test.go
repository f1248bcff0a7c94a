package interpreter

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"agentchat/backend/provider"
)

// tokenizer is a make-believe one: so many tokens a syllable, a byte, another character and a message.
type tokenizer struct{ hangul, ascii, other, message float64 }

// tokenizers are like those of models people use, and three that are like none.
var tokenizers = map[string]tokenizer{
	"llama 3":     {0.78, 0.27, 0.9, 5},
	"qwen 2.5":    {0.95, 0.28, 0.8, 5},
	"exaone":      {0.52, 0.29, 0.9, 6},
	"bytes":       {3, 1, 3, 10},
	"four bytes":  {0.75, 0.25, 0.75, 2},
	"old korean":  {2.3, 0.31, 1.5, 8},
	"long pieces": {0.42, 0.2, 0.5, 3},
}

// counts is what the tokenizer makes of a prompt. Texts differ, so the figure does too; the system block never does.
func (t tokenizer) counts(p provider.Prompt, dice *rand.Rand) int {
	weigh := func(text string) float64 {
		var x extent
		x.add(text)
		return t.hangul*x[inHangul] + t.ascii*x[inASCII] + t.other*x[inOther]
	}
	sum := weigh(p.System) + t.message
	for _, m := range p.Messages {
		sum += weigh(m.Text)*(0.94+0.12*dice.Float64()) + t.message
	}
	return int(sum)
}

// conversation gives the prompts of a chat that grows, with a cut now and then.
func conversation(turns int, dice *rand.Rand) (list []provider.Prompt) {
	system := strings.Repeat(`- nav: Starts guidance to a place. args {"type":"object","properties":{"destination":{"type":"string"}}} / 길 안내를 시작해요.`+"\n", 60)
	words := []string{"노래 하나 틀어 주세요", "play a song please", "내일 서울 날씨 어때요?", "3만5천 나누기 7은?", "엄마한테 1만원 보내 줘 🙂", `{"route":"jobs","reply":"네"}`}
	var lines []provider.PromptMessage
	for n := range turns {
		for range 2 {
			lines = append(lines, provider.PromptMessage{Role: "user", Text: strings.Repeat(words[dice.IntN(len(words))]+" ", 1+dice.IntN(8))})
		}
		if n%12 == 11 {
			lines = lines[len(lines)-8:]
		}
		last := provider.PromptMessage{Role: "user", Text: "role: planner\nlanguage: ko\ntime: 2026-11-21 12:00\nrequest:\n" + words[dice.IntN(len(words))]}
		list = append(list, provider.Prompt{System: system, Messages: append(append([]provider.PromptMessage{}, lines...), last)})
	}
	return list
}

// Whatever the tokenizer: no figure of an honest server is ever implausible, and after a few requests the estimate is near.
func TestHonestServersAreBelieved(t *testing.T) {
	for name, tokenizer := range tokenizers {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(20) {
				dice := rand.New(rand.NewPCG(seed, 7))
				var m meter
				for n, p := range conversation(60, dice) {
					x, counted := extentOf(p), tokenizer.counts(p, dice)
					have := m.estimate("model", x)
					if counted < have.low {
						t.Fatalf("seed %d, letter %d: %d tokens are taken for too few; expected %+v", seed, n, counted, have)
					}
					if off := math.Abs(float64(have.likely-counted)) / float64(counted); n > 8 && off > 0.12 {
						t.Fatalf("seed %d, letter %d: %d tokens, expected %+v", seed, n, counted, have)
					}
					m.learn("model", x, counted)
				}
			}
		})
	}
}

// What a server cut silently is found out: at the latest when a third is missing.
func TestSilentCutsAreFoundOut(t *testing.T) {
	for name, tokenizer := range tokenizers {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(20) {
				dice := rand.New(rand.NewPCG(seed, 7))
				var m meter
				most, found := 0, false
				for n, p := range conversation(60, dice) {
					x, counted := extentOf(p), tokenizer.counts(p, dice)
					if n == 3 {
						most = counted // from here on the server reads no more than this
					}
					read := counted
					if n >= 3 {
						read = min(counted, most)
					}
					if read < m.estimate("model", x).low {
						found = true
						break
					}
					if read < counted*2/3 {
						t.Fatalf("seed %d, letter %d: %d of %d tokens were read and nobody noticed: %+v", seed, n, read, counted, m.estimate("model", x))
					}
					m.learn("model", x, read)
				}
				if !found {
					t.Fatalf("seed %d: never noticed", seed)
				}
			}
		})
	}
}

// A model nobody has met is not trusted to be cheap: the conservative figure covers the tokenizers of today.
func TestTheFirstEstimateIsCareful(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 7))
	p := conversation(6, dice)[5]
	var m meter
	have := m.estimate("new", extentOf(p))
	for _, name := range []string{"llama 3", "qwen 2.5", "exaone", "four bytes"} {
		if counted := tokenizers[name].counts(p, dice); counted > have.high {
			t.Errorf("%s: %d tokens, at most %d expected", name, counted, have.high)
		}
	}
	if have.low >= have.likely || have.likely >= have.high || have.low > have.likely*3/4 {
		t.Errorf("the bounds are not wide: %+v", have)
	}
	if m.known("new") || m.known("other") {
		t.Error("it is taken for known")
	}
}

func TestModelsAreLearnedApart(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 7))
	var m meter
	for _, p := range conversation(20, dice) {
		for _, name := range []string{"bytes", "exaone"} {
			m.learn(name, extentOf(p), tokenizers[name].counts(p, dice))
		}
	}
	p := conversation(20, dice)[19]
	for _, name := range []string{"bytes", "exaone"} {
		if have, counted := m.estimate(name, extentOf(p)).likely, tokenizers[name].counts(p, dice); math.Abs(float64(have-counted)) > 0.12*float64(counted) {
			t.Errorf("%s: %d tokens, expected %d", name, counted, have)
		}
	}
}

func TestAnEmptyPrompt(t *testing.T) {
	var m meter
	have := m.estimate("", extentOf(provider.Prompt{}))
	if have.low < 0 || have.likely < have.low || have.high < have.likely {
		t.Errorf("%+v", have)
	}
}
