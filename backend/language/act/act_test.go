package act

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ours are the sentences of our own, in the order of the files.
func ours(t *testing.T) (list []Example) {
	t.Helper()
	files, err := filepath.Glob("sentences/*.tsv")
	if err != nil || len(files) == 0 {
		t.Fatalf("no sentences (%v)", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			a, said, ok := strings.Cut(strings.TrimSpace(line), "\t")
			if !ok {
				t.Fatalf("%s: %q", name, line)
			}
			list = append(list, Example{Text: said, Acts: []Act{Act(a)}, Scale: 1})
		}
	}
	return list
}

func TestTheWeightsAreOfTodaysSentences(t *testing.T) {
	if model().sum != Sum(ours(t)) {
		t.Error("the sentences, or how they are read, have changed since the weights were learned: make learn")
	}
}

func TestEveryActHasSentencesInBothLanguages(t *testing.T) {
	type count struct{ ko, en int }
	n := map[Act]count{}
	for _, e := range ours(t) {
		c := n[e.Acts[0]]
		if strings.ContainsFunc(e.Text, func(r rune) bool { return r >= 0xAC00 && r <= 0xD7A3 }) {
			c.ko++
		} else {
			c.en++
		}
		n[e.Acts[0]] = c
	}
	for _, a := range Acts() {
		if c := n[a]; c.ko < 30 || c.en < 30 {
			t.Errorf("%s: %d Korean and %d English sentences; 30 of each are the least to learn from", a, c.ko, c.en)
		}
		delete(n, a)
	}
	for a := range n {
		t.Errorf("%s is no act", a)
	}
}

// What a reading says adds up, and evidence weighs: the same words mean the documents when one holds them.
func TestAReadingIsAProbability(t *testing.T) {
	for _, text := range []string{"", "노래 틀어줘", "임대차 기간은 최소 몇 년이야?", "what is the weather in busan", strings.Repeat("가나다 ", 500), "\xff\x00"} {
		sum := 0.0
		before := 1.0
		for _, g := range Read(text) {
			sum += g.P
			if g.P > before || g.P < 0 {
				t.Errorf("%q: %v is out of order", text, g)
			}
			before = g.P
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%q adds up to %f", text, sum)
		}
	}
	const question = "오스카가 주로 잡아먹는 물고기는?"
	if held, not := Read(question, "mood:question", "held:9").Of(DocumentAsk), Read(question, "mood:question", "held:none").Of(DocumentAsk); held < not+0.2 {
		t.Errorf("%q: %.2f where a document holds it, %.2f where none does", question, held, not)
	}
}

// What is learned is what was shown: a model of two acts tells them apart, and is the same when it is written and read.
func TestLearning(t *testing.T) {
	var shown []Example
	for _, text := range []string{"노래 틀어줘", "음악 들려줘", "play a song", "put on some music"} {
		shown = append(shown, Example{Text: text, Acts: []Act{"music.play"}, Scale: 1})
	}
	for _, text := range []string{"날씨 알려줘", "오늘 날씨 어때", "비 와?", "how is the weather", "will it rain"} {
		shown = append(shown, Example{Text: text, Acts: []Act{"weather.ask"}, Scale: 1})
	}
	learned := Learn(shown)
	var file bytes.Buffer
	if err := learned.Save(&file, 7); err != nil {
		t.Fatal(err)
	}
	kept, err := unpack(&file)
	if err != nil || kept.sum != 7 {
		t.Fatalf("sum %d: %v", kept.sum, err)
	}
	for text, want := range map[string]Act{"신나는 음악 틀어줘": "music.play", "내일 날씨 어때": "weather.ask", "play music": "music.play", "is it going to rain": "weather.ask"} {
		if got := learned.Weigh(learned.Scores(text), nil)[0].Act; got != want {
			t.Errorf("%q is read as %s, want %s", text, got, want)
		}
		if got := kept.weigh(kept.scores(features(text)), nil)[0].Act; got != want {
			t.Errorf("%q is read as %s with what was written, want %s", text, got, want)
		}
	}
	if _, err := unpack(strings.NewReader("no weights")); err == nil {
		t.Error("what is no file of weights was read")
	}
}
