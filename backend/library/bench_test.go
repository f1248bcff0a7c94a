package library_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/library"
	"agentchat/backend/store"
)

// stems are words of contracts; made texts have their mixture of common and rare ones.
var stems = strings.Fields(`계약 기간 임금 해지 손해 배상 비밀 유지 보증금 반환 임대 임차 주택 수선 의무 갱신 차임 용역 대금 지급 검사 하자 보수 지식 재산권 변경 지체 상금 분쟁 해결
	근로 시간 휴게 휴일 휴가 퇴직 급여 사회 보험 목적 정의 통지 양도 금지 준거 관할 서면 합의 동의 청구 이행 위반 책임 면책 불가항력 자료 개인 정보 보호 감독 보고 승인 교육 안전`)

// vocabulary is 20,000 made words; texts use them as languages do (Zipf): few are in most passages, most in few.
func vocabulary(r *rand.Rand) []string {
	list := make([]string, 20_000)
	for i := range list {
		for range 2 + r.IntN(2) {
			list[i] += string(rune(0xAC00 + 28*r.IntN(399) + r.IntN(28)))
		}
	}
	return append(slices.Clone(stems), list...)
}

func madeText(r *rand.Rand, z *rand.Zipf, words []string) string {
	var b strings.Builder
	for b.Len() < 900 {
		b.WriteString(words[z.Uint64()] + [...]string{"은 ", "을 ", "의 ", "에 ", " ", "하고 ", "한다. "}[r.IntN(7)])
	}
	return b.String()
}

// drawn is an embedder that answers at once, with directions drawn by lot: what it costs to find by them is what counts.
type drawn struct{}

func (drawn) Model(context.Context) (string, error) { return "drawn", nil }

func (drawn) Embed(_ context.Context, _ string, texts []string, _ bool) ([][]float32, error) {
	all := make([][]float32, len(texts))
	for i, t := range texts {
		r := rand.New(rand.NewPCG(uint64(len(t)), uint64(t[len(t)/2])))
		all[i] = make([]float32, 384)
		for k := range all[i] {
			all[i][k] = r.Float32() - 0.5
		}
	}
	return all, nil
}

// shelfOf is a made document.
func shelfOf(r *rand.Rand, z *rand.Zipf, words []string, id string, passages int) library.Entry {
	e := library.Entry{Document: library.Document{ID: id, Title: "문서 " + id, Hash: id, Kind: library.KindMine, Added: time.Now()}}
	at := 0
	for n := range passages {
		text := madeText(r, z, words)
		e.Articles = append(e.Articles, library.Article{Document: id, N: n, Number: fmt.Sprint(n + 1), Title: stems[n%len(stems)], Page: 1, Start: at, End: at + len(text)})
		e.Passages = append(e.Passages, library.Passage{Document: id, Article: n, Page: 1, Start: at, Text: text})
		at += len(text)
	}
	return e
}

// BenchmarkLibrary fills a library of 100,000 passages, makes a vector of 384 numbers for each, and asks it: by words and
// meaning, and the same while another document is put in.
func BenchmarkLibrary(b *testing.B) {
	const passages, perDocument = 100_000, 500
	ctx := b.Context()
	s, err := store.Open(ctx, b.TempDir(), time.Now)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	bus := event.NewBus(0, time.Now)
	defer bus.Close()
	l := library.New(library.Deps{
		Store: s, Publisher: bus, Lang: func() apperr.Lang { return apperr.KO }, Now: time.Now, NewID: func() string { return "" }, Log: zerolog.Nop(),
		Embedder: drawn{},
	})
	metrics := map[string]float64{} // b.Loop forgets what was reported before it
	report := func(value float64, unit string) { metrics[unit] = value }
	r := rand.New(rand.NewPCG(1, 2))
	words := vocabulary(r)
	z := rand.NewZipf(r, 1.1, 20, uint64(len(words)-1))
	filling := time.Duration(0)
	for d := range passages / perDocument {
		e := shelfOf(r, z, words, fmt.Sprint(d), perDocument)
		start := time.Now()
		if err := s.Shelve(ctx, e); err != nil {
			b.Fatal(err)
		}
		filling += time.Since(start)
	}
	report(passages/filling.Seconds(), "passages/s")
	ask := func(metric string, times int, more func() bool) {
		var took []time.Duration
		for len(took) < times || more() {
			q := words[r.IntN(len(stems))] + " " + words[r.IntN(2000)] + "은 " + words[r.IntN(len(words))] + "에서 어떻게 되나요?"
			began := time.Now()
			if _, err := l.Search(ctx, library.Query{Text: q}); err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(began))
		}
		slices.Sort(took)
		report(ms(took[len(took)/2]), metric+"p50-ms")
		report(ms(took[len(took)*95/100]), metric+"p95-ms")
	}
	ask("lexical-", 200, func() bool { return false })

	read := bus.SubscribeFrom(1)
	began := time.Now()
	if err := l.Start(ctx); err != nil {
		b.Fatal(err)
	}
	defer l.Stop()
	for v := l.Vectors(); v.State != string(library.VectorsReady); v = l.Vectors() {
		if _, err := read.Next(ctx, 1); err != nil {
			b.Fatal(err)
		}
	}
	report(passages/time.Since(began).Seconds(), "vectors/s")
	ask("hybrid-", 200, b.Loop)

	var filled atomic.Bool
	more := shelfOf(r, z, words, "more", 10_000)
	go func() {
		defer filled.Store(true)
		if err := s.Shelve(ctx, more); err != nil {
			b.Error(err)
		}
	}()
	ask("importing-", 20, func() bool { return !filled.Load() })
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	report(float64(m.HeapAlloc)/(1<<20), "heap-MB")
	for unit, value := range metrics {
		b.ReportMetric(value, unit)
	}
}
