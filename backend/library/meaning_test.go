package library_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/words"
	"agentchat/backend/library"
)

// hashed is an embedder whose vectors are bags of pairs of syllables, a direction for each, in which words of like meaning are one. It does
// what it is told to: fail, wait, or make bad vectors.
type hashed struct {
	dims int
	like map[string]string // a word and the one it counts as

	mu      sync.Mutex
	name    string
	err     error
	bad     map[string][]float32 // by a piece of the text
	gate    chan struct{}        // when set, what is not urgent waits for it
	made    int
	known   map[uint64][]float32 // directions by seed
	longest int                  // texts longer than that are refused; 0: none is
	own     func(text string) []float32
}

func (h *hashed) Model(context.Context) (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.name == "" {
		return "", apperr.New(apperr.NoEmbedder)
	}
	return h.name, nil
}

func (h *hashed) Embed(ctx context.Context, model string, texts []string, urgent bool) ([][]float32, error) {
	h.mu.Lock()
	gate, err, name := h.gate, h.err, h.name
	h.mu.Unlock()
	if gate != nil && !urgent {
		select {
		case <-gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	switch {
	case err != nil:
		return nil, err
	case model != name:
		return nil, apperr.New(apperr.ModelMissing, "model", model)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([][]float32, len(texts))
	for i, t := range texts {
		if h.longest > 0 && len([]rune(t)) > h.longest {
			return nil, apperr.New(apperr.ContextOverflow)
		}
		all[i] = h.vector(model, t)
		for piece, v := range h.bad {
			if strings.Contains(t, piece) {
				all[i] = v
			}
		}
	}
	if !urgent {
		h.made += len(texts)
	}
	return all, nil
}

func (h *hashed) vector(model, text string) []float32 {
	if h.own != nil {
		return h.own(text)
	}
	for word, as := range h.like {
		text = strings.ReplaceAll(text, word, as)
	}
	v := make([]float32, h.dims)
	for _, w := range words.Of(text) {
		for t := range words.Each(words.Stem(w)) {
			f := fnv.New64a()
			_, _ = fmt.Fprint(f, model, t)
			for i, x := range h.direction(f.Sum64()) {
				v[i] += x
			}
		}
	}
	v[0] += 0.01 // a text without words has a vector too
	return v
}

// direction is that of a term.
func (h *hashed) direction(seed uint64) []float32 {
	if v := h.known[seed]; len(v) == h.dims {
		return v
	}
	r, v := rand.New(rand.NewPCG(seed, 1)), make([]float32, h.dims)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	if h.known == nil {
		h.known = map[uint64][]float32{}
	}
	h.known[seed] = v
	return v
}

func (h *hashed) set(change func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change()
}

// openWith opens a library whose passages get vectors.
func openWith(t *testing.T, h *hashed) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir(), embedder: h}
	d.open()
	t.Cleanup(d.close)
	return d
}

// untilVectors reads events until the vectors are as they should be.
func (d *desk) untilVectors(right func(event.LibraryVectors) bool) event.LibraryVectors {
	d.t.Helper()
	for {
		if v := d.Vectors(); right(v) {
			return v
		}
		if _, err := d.read.Next(d.t.Context(), 1); err != nil {
			d.t.Fatal(err)
		}
	}
}

func ready(n int) func(event.LibraryVectors) bool {
	return func(v event.LibraryVectors) bool {
		return v.State == string(library.VectorsReady) && v.Done >= n && v.Done == v.Total
	}
}

// shelve puts a document of articles in, one passage each.
func (d *desk) shelve(id string, articles ...string) {
	d.t.Helper()
	e := library.Entry{Document: library.Document{ID: id, Title: id, Hash: id, Kind: library.KindMine}}
	at := 0
	for i, a := range articles {
		e.Articles = append(e.Articles, library.Article{Document: id, N: i, Number: fmt.Sprint(i + 1), Page: 1, Start: at, End: at + len(a)})
		e.Passages = append(e.Passages, library.Passage{Document: id, Article: i, Page: 1, Start: at, Text: a})
		at += len(a)
	}
	if err := d.store.Shelve(d.t.Context(), e); err != nil {
		d.t.Fatal(err)
	}
	d.LookAgain()
}

func (d *desk) search(text string) library.Result {
	d.t.Helper()
	r, err := d.Search(d.t.Context(), library.Query{Text: text})
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

// crowdOf makes a crowd of passages that say nothing.
func crowdOf(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%c%c%c 항목은 %c%c 부서가 %d번째로 맡는다.", 0xAC00+i*37, 0xB000+i*53, 0xB800+i*11, 0xC000+i*29, 0xC400+i*41, i)
	}
	return list
}

// A passage that has no word in common with the question is found by its meaning, and without a model it is not.
func TestFoundByMeaning(t *testing.T) {
	h := &hashed{dims: 256, name: "one", like: map[string]string{"급료": "임금", "녹봉": "임금"}}
	d := openWith(t, h)
	d.shelve("계약", append(crowdOf(60), "임금 지급은 매월 말일로 한다.")...)
	d.untilVectors(ready(61))
	r := d.search("녹봉 언제?")
	if r.Mode != library.ModeHybrid || len(r.Hits) == 0 || !strings.Contains(r.Hits[0].Passage.Text, "임금") || r.Hits[0].Strength < 0.25 {
		t.Errorf("%+v", r)
	}
	if r := d.search("오늘 점심 뭐 먹지?"); len(r.Hits) > 0 && r.Hits[0].Strength >= 0.25 {
		t.Errorf("a question about nothing found %+v", r.Hits[0])
	}
	h.set(func() { h.name = "" })
	d.LookAgain()
	d.untilVectors(func(v event.LibraryVectors) bool { return v.State == string(library.VectorsOff) && v.Problem != "" })
	if r := d.search("녹봉 언제?"); r.Mode != library.ModeLexical || len(r.Hits) != 0 {
		t.Errorf("without a model: %+v", r)
	}
}

// What is embedded is searched while the rest is not, questions do not wait, and what was made is not made again.
func TestVectorsComeInTheBackground(t *testing.T) {
	h := &hashed{dims: 128, name: "one", gate: make(chan struct{}), like: map[string]string{"녹봉": "임금"}}
	d := openWith(t, h)
	d.shelve("계약", append([]string{"임금 지급은 매월 말일로 한다."}, crowdOf(99)...)...)
	for range 4 { // four calls of the model: 64 passages
		h.gate <- struct{}{}
	}
	v := d.untilVectors(func(v event.LibraryVectors) bool { return v.Done >= 48 })
	if v.State != string(library.VectorsEmbedding) || v.Total != 100+standardPassages(t, d) {
		t.Errorf("half way: %+v", v)
	}
	if r := d.search("녹봉 언제?"); r.Mode != library.ModeHybrid {
		t.Errorf("half way: %+v", r)
	}
	d.close()
	made := func() (n int) { h.set(func() { n = h.made }); return n }
	before := made()
	h.set(func() { close(h.gate) })
	d.open()
	v = d.untilVectors(ready(100))
	if all := made(); all > v.Total+16 || all < v.Total || before == 0 {
		t.Errorf("%d vectors made of %d passages, %d before the restart", all, v.Total, before)
	}
	if err := d.Remove(t.Context(), "계약"); err != nil {
		t.Fatal(err)
	}
	if r := d.search("녹봉 언제?"); len(r.Hits) != 0 || d.Vectors().Done != v.Total-100 {
		t.Errorf("what was taken out is found: %+v, %+v", r, d.Vectors())
	}
}

func standardPassages(t *testing.T, d *desk) (n int) {
	t.Helper()
	list, err := d.Documents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range list {
		if x.Kind == library.KindStandard {
			n += x.Passages
		}
	}
	return n
}

// Another model makes all vectors anew; vectors of one are never compared with those of another, even when they are as long.
func TestAnotherModel(t *testing.T) {
	h := &hashed{dims: 128, name: "one", like: map[string]string{"녹봉": "임금"}}
	d := openWith(t, h)
	d.shelve("계약", append(crowdOf(60), "임금 지급은 매월 말일로 한다.")...)
	d.untilVectors(ready(61))
	h.set(func() { h.name = "two" })
	d.LookAgain()
	d.untilVectors(func(v event.LibraryVectors) bool { return v.Model == "two" && ready(61)(v) })
	if r := d.search("녹봉 언제?"); r.Mode != library.ModeHybrid || len(r.Hits) == 0 || !strings.Contains(r.Hits[0].Passage.Text, "임금") {
		t.Errorf("%+v", r)
	}
	// The same name gives vectors of another length: it is another model, and all are made anew once.
	h.set(func() { h.dims = 96 })
	d.shelve("둘째", "보증금은 천만 원으로 한다.")
	v := d.untilVectors(func(v event.LibraryVectors) bool { return ready(62)(v) })
	if r := d.search("녹봉 언제?"); v.Refused != 0 || r.Mode != library.ModeHybrid || len(r.Hits) == 0 {
		t.Errorf("%+v, %+v", v, r)
	}
}

// Vectors that cannot be compared are refused, once each, and harm no other.
func TestBadVectorsAreRefused(t *testing.T) {
	nan := float32(math.NaN())
	h := &hashed{dims: 64, name: "one", bad: map[string][]float32{"첫째": {nan}, "둘째": make([]float32, 64), "셋째": {1, 2, 3}, "넷째": nil}}
	h.bad["첫째"] = append(make([]float32, 63), nan)
	d := openWith(t, h)
	d.shelve("계약", append([]string{"보통 조항이다.", "첫째 조항이다.", "둘째 조항이다.", "셋째 조항이다.", "넷째 조항이다."}, crowdOf(55)...)...)
	if v := d.untilVectors(ready(60)); v.Refused != 4 {
		t.Errorf("%+v", v)
	}
	made := h.made
	d.LookAgain()
	d.shelve("더", "더 넣은 조항이다.")
	d.untilVectors(ready(61))
	if h.made != made+1 {
		t.Errorf("%d vectors made for one passage", h.made-made)
	}
	if r := d.search("셋째 조항"); len(r.Hits) == 0 || !strings.Contains(r.Hits[0].Passage.Text, "셋째") {
		t.Errorf("a passage without a vector is not found by its words: %+v", r)
	}
}

// A passage that is too long for the model gets the vector of its beginning.
func TestTooLongForTheModel(t *testing.T) {
	h := &hashed{dims: 64, name: "one", longest: 100}
	d := openWith(t, h)
	d.shelve("계약", "짧은 조항이다.", strings.Repeat("긴 조항이다. ", 60))
	if v := d.untilVectors(ready(2)); v.Refused != 0 {
		t.Errorf("%+v", v)
	}
}

// A model that fails is waited for; meanwhile words find.
func TestTheModelFails(t *testing.T) {
	h := &hashed{dims: 64, name: "one", err: apperr.Wrap(errors.New("down"), apperr.ProviderUnreachable, "provider", "ollama")}
	d := openWith(t, h)
	d.shelve("계약", "임금은 300만원으로 한다.")
	v := d.untilVectors(func(v event.LibraryVectors) bool { return v.State == string(library.VectorsWaiting) })
	if v.Problem == "" {
		t.Errorf("%+v", v)
	}
	if r := d.search("임금이 얼마야?"); r.Mode != library.ModeLexical || len(r.Hits) != 1 {
		t.Errorf("%+v", r)
	}
	h.set(func() { h.err = nil })
	d.LookAgain()
	d.untilVectors(ready(1))
	h.set(func() { h.err = apperr.New(apperr.ModelTimeout) })
	if r := d.search("임금이 얼마야?"); r.Mode != library.ModeLexical || len(r.Hits) != 1 {
		t.Errorf("a question whose vector was not made: %+v", r)
	}
}

// A model that was taught to tell questions from passages by what they begin with gets them so.
func TestTextsBeginAsTheModelWasTaught(t *testing.T) {
	h := &hashed{dims: 16, name: "real/multilingual-e5-small:latest"}
	var mu sync.Mutex
	var seen []string
	h.own = func(text string) []float32 {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, text)
		return h.direction(1)
	}
	d := openWith(t, h)
	d.shelve("계약", "임금은 매월 낸다")
	d.untilVectors(ready(1))
	if _, err := d.Search(t.Context(), library.Query{Text: "임금은 언제?"}); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(seen) != 2 || !strings.HasPrefix(seen[0], "passage: 계약") || seen[1] != "query: 임금은 언제?" {
		t.Errorf("%q", seen)
	}
}
