package library_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
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

// BenchmarkLibrary fills a library of 100,000 passages and asks it.
func BenchmarkLibrary(b *testing.B) {
	const passages, perDocument = 100_000, 500
	ctx := context.Background()
	s, err := store.Open(ctx, b.TempDir(), time.Now)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	bus := event.NewBus(0, time.Now)
	defer bus.Close()
	l := library.New(library.Deps{
		Store: s, Publisher: bus, Lang: func() apperr.Lang { return apperr.KO }, Now: time.Now, NewID: func() string { return "" }, Log: zerolog.Nop(),
	})
	r := rand.New(rand.NewPCG(1, 2))
	words := vocabulary(r)
	z := rand.NewZipf(r, 1.1, 20, uint64(len(words)-1))
	began, filling := time.Now(), time.Duration(0)
	for d := range passages / perDocument {
		e := library.Entry{Document: library.Document{ID: fmt.Sprint(d), Title: fmt.Sprint("문서 ", d), Hash: fmt.Sprint(d), Kind: library.KindMine, Added: began}}
		at := 0
		for n := range perDocument {
			text := madeText(r, z, words)
			e.Articles = append(e.Articles, library.Article{Document: e.Document.ID, N: n, Number: fmt.Sprint(n + 1), Title: stems[n%len(stems)], Page: 1, Start: at, End: at + len(text)})
			e.Passages = append(e.Passages, library.Passage{Document: e.Document.ID, Article: n, Page: 1, Start: at, Text: text})
			at += len(text)
		}
		start := time.Now()
		if err := s.Shelve(ctx, e); err != nil {
			b.Fatal(err)
		}
		filling += time.Since(start)
	}
	var times []time.Duration
	for b.Loop() {
		q := words[r.IntN(len(stems))] + " " + words[r.IntN(2000)] + "은 " + words[r.IntN(len(words))] + "에서 어떻게 되나요?"
		began := time.Now()
		if _, err := l.Search(ctx, library.Query{Text: q}); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	b.ReportMetric(passages/filling.Seconds(), "passages/s")
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "heap-MB")
}
