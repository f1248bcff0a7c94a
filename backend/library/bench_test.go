package library_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/words"
	"agentchat/backend/library"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
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

// bareIndex is how many passages a second the engine's index alone takes, from terms that are made already, in transactions of
// as many passages: what an import cannot be quicker than.
func bareIndex(b *testing.B, e library.Entry) float64 {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+b.TempDir()+"/bare.db?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(b.Context(), `CREATE VIRTUAL TABLE bare USING fts5 (head, body, content = '', contentless_delete = 1, tokenize = 'ascii')`); err != nil {
		b.Fatal(err)
	}
	terms := make([]string, len(e.Passages))
	for i, p := range e.Passages {
		terms[i] = words.Terms(p.Text)
	}
	began := time.Now()
	for batch := range slices.Chunk(terms, 128) {
		tx, err := db.BeginTx(b.Context(), nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, t := range batch {
			if _, err := tx.ExecContext(b.Context(), `INSERT INTO bare (head, body) VALUES ('', ?)`, t); err != nil {
				b.Fatal(err)
			}
		}
		if err := tx.Commit(); err != nil {
			b.Fatal(err)
		}
	}
	return float64(len(terms)) / time.Since(began).Seconds()
}

// memory gives what lives in Go's memory and what the process holds of the machine's (0 where that is not told), in MB.
func memory() (heap, resident float64) {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	status, _ := os.ReadFile("/proc/self/status")
	if _, rest, ok := strings.Cut(string(status), "VmRSS:"); ok {
		_, _ = fmt.Sscan(rest, &resident)
	}
	return float64(m.HeapAlloc) / (1 << 20), resident / 1024
}

// BenchmarkLibrary fills a library of 100,000 passages, makes a vector of 384 numbers for each, and asks it without a pause: by
// words, by words and meaning, and the same while a document of 20,000 passages is put in. Memory is told with and without
// vectors.
func BenchmarkLibrary(b *testing.B) {
	const passages, perDocument = 100_000, 500
	ctx := b.Context()
	s, err := store.Open(ctx, ledgertest.In(b.TempDir()), time.Now)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	bus := event.NewBus(0, time.Now)
	defer bus.Close()
	l := library.New(library.Deps{
		Store: s, Publisher: bus, Lang: func() bilingual.Lang { return bilingual.KO }, Now: time.Now, NewID: func() string { return "" }, Log: zerolog.Nop(),
		Embedder: drawn{},
	})
	metrics := map[string]float64{} // b.Loop forgets what was reported before it
	report := func(value float64, unit string) { metrics[unit] = value }
	r := rand.New(rand.NewPCG(1, 2))
	vocabulary := vocabulary(r)
	z := rand.NewZipf(r, 1.1, 20, uint64(len(vocabulary)-1))
	bare := bareIndex(b, shelfOf(r, z, vocabulary, "bare", 10_000))
	filling := time.Duration(0)
	for d := range passages / perDocument {
		e := shelfOf(r, z, vocabulary, fmt.Sprint(d), perDocument)
		start := time.Now()
		if err := s.Shelve(ctx, e); err != nil {
			b.Fatal(err)
		}
		filling += time.Since(start)
	}
	report(passages/filling.Seconds(), "passages/s")
	report(passages/filling.Seconds()/bare, "×bare-index")
	ask := func(metric string, times int, more func() bool) {
		var took []time.Duration
		for len(took) < times || more() {
			q := vocabulary[r.IntN(len(stems))] + " " + vocabulary[r.IntN(2000)] + "은 " + vocabulary[r.IntN(len(vocabulary))] + "에서 어떻게 되나요?"
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
	began := time.Now()
	for more := true; more; {
		if more, err = s.TidyIndex(ctx); err != nil {
			b.Fatal(err)
		}
	}
	report(time.Since(began).Seconds(), "tidy-s")
	ask("lexical-", 200, func() bool { return false })
	heap, resident := memory()
	report(heap, "lexical-heap-MB")
	report(resident, "lexical-rss-MB")

	read := bus.SubscribeFrom(1)
	began = time.Now()
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
	heap, resident = memory()
	report(heap, "hybrid-heap-MB")
	report(resident, "hybrid-rss-MB")

	var filled atomic.Bool
	more := shelfOf(r, z, vocabulary, "more", 20_000)
	var took time.Duration // read once it is filled
	began = time.Now()
	go func() {
		defer filled.Store(true)
		if err := s.Shelve(ctx, more); err != nil {
			b.Error(err)
		}
		took = time.Since(began)
	}()
	ask("importing-", 20, func() bool { return !filled.Load() })
	report(20_000/took.Seconds(), "importing-passages/s")
	for unit, value := range metrics {
		b.ReportMetric(value, unit)
	}
}

// BenchmarkShelves is what a question by words takes in libraries of 5,000 and of 50,000 passages, and what of the ledger they take up for each
// passage. docs/scale.md has the figures; BenchmarkLibrary has those of more, with vectors.
func BenchmarkShelves(b *testing.B) {
	for _, passages := range []int{5_000, 50_000} {
		b.Run(fmt.Sprint(passages), func(b *testing.B) {
			ctx, dir := b.Context(), ledgertest.In(b.TempDir())
			s, err := store.Open(ctx, dir, time.Now)
			if err != nil {
				b.Fatal(err)
			}
			l := library.New(library.Deps{
				Store: s, Publisher: event.NewBus(0, time.Now), Lang: func() bilingual.Lang { return bilingual.KO }, Now: time.Now, NewID: func() string { return "" }, Log: zerolog.Nop(),
			})
			r := rand.New(rand.NewPCG(1, 2))
			vocabulary := vocabulary(r)
			z := rand.NewZipf(r, 1.1, 20, uint64(len(vocabulary)-1))
			text := 0
			for d := range passages / 500 {
				e := shelfOf(r, z, vocabulary, fmt.Sprint(d), 500)
				for _, p := range e.Passages {
					text += len(p.Text)
				}
				if err := s.Shelve(ctx, e); err != nil {
					b.Fatal(err)
				}
			}
			for more := true; more; {
				if more, err = s.TidyIndex(ctx); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				q := vocabulary[r.IntN(len(stems))] + " " + vocabulary[r.IntN(2000)] + "은 " + vocabulary[r.IntN(len(vocabulary))] + "에서 어떻게 되나요?"
				if _, err := l.Search(ctx, library.Query{Text: q}); err != nil {
					b.Fatal(err)
				}
			}
			if err := s.Close(); err != nil { // which puts all of it into the file
				b.Fatal(err)
			}
			info, err := os.Stat(s.Path())
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(info.Size())/float64(passages), "B/passage")
			b.ReportMetric(float64(info.Size())/float64(text), "×text")
		})
	}
}
