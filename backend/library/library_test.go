package library_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
	"agentchat/backend/library/extract"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
)

// desk is a library over a real ledger.
type desk struct {
	*library.Library
	t     *testing.T
	dir   string
	store *store.Store
	bus   *event.Bus
	read  *event.Reader
	ids   atomic.Int64
	// slow, when set, is called before a file is read.
	slow     func(ctx context.Context, path string)
	pictures func(ctx context.Context, path string) (extract.Text, error) // reads what ends in .png
	embedder library.Embedder
}

func open(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir()}
	d.open()
	t.Cleanup(d.close)
	return d
}

func (d *desk) open() {
	d.t.Helper()
	var err error
	if d.store, err = store.Open(d.t.Context(), ledgertest.In(d.dir), time.Now); err != nil {
		d.t.Fatal(err)
	}
	d.bus = event.NewBus(0, time.Now)
	d.read = d.bus.SubscribeFrom(1)
	x := extract.New(extract.Limits{}, "")
	d.Library = library.New(library.Deps{
		Store: d.store, Publisher: d.bus, Embedder: d.embedder, Lang: func() bilingual.Lang { return bilingual.KO }, Now: time.Now, Log: zerolog.Nop(),
		NewID: func() string { return fmt.Sprintf("%s-%d", filepath.Base(d.t.TempDir()), d.ids.Add(1)) },
		Extract: func(ctx context.Context, path string) (extract.Text, error) {
			if d.slow != nil {
				d.slow(ctx, path)
			}
			if ctx.Err() != nil {
				return extract.Text{}, ctx.Err()
			}
			if filepath.Ext(path) == ".png" {
				return extract.Text{}, extract.ErrPictures
			}
			return x.Read(ctx, path)
		},
		Recognise: func(ctx context.Context, path string) (extract.Text, error) { return d.pictures(ctx, path) },
	})
	if err := d.Start(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) close() {
	d.Stop()
	d.bus.Close()
	if err := d.store.Close(); err != nil {
		d.t.Error(err)
	}
}

// put writes files into a folder of their own and gives its path.
func (d *desk) put(files map[string]string) string {
	d.t.Helper()
	dir := d.t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			d.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			d.t.Fatal(err)
		}
	}
	return dir
}

// until reads events until an import has a state.
func (d *desk) until(id, state string) event.LibraryImport {
	d.t.Helper()
	for {
		batch, err := d.read.Next(d.t.Context(), 100)
		if err != nil {
			d.t.Fatal(err)
		}
		for _, e := range batch {
			var v event.LibraryImport
			if e.Kind == event.KindLibraryImport && json.Unmarshal(e.Data, &v) == nil && v.ID == id && v.State == state {
				return v
			}
		}
	}
}

func (d *desk) add(kind library.Kind, files map[string]string) event.LibraryImport {
	d.t.Helper()
	i, err := d.Import(d.t.Context(), d.put(files), kind)
	if err != nil {
		d.t.Fatal(err)
	}
	return d.until(i.ID, "done")
}

const contract = `표준근로계약서

제1장 총칙
제1조(목적) 이 계약은 갑과 을의 근로조건을 정함을 목적으로 한다.
제2조(계약기간)
① 계약기간은 2026년 3월 1일부터 2027년 2월 28일까지로 한다.
② 기간이 끝나기 30일 전까지 알리지 않으면 1년 연장된다.
제3조(임금) 월급은 300만원으로 하고 매월 25일에 지급한다.
제3조의2(상여금) 상여금은 연 200%로 한다.
제4조 삭제 <2026.1.1.>
부칙
제1조(시행일) 이 계약은 서명한 날부터 시행한다.
`

func TestImportSearchAndRemove(t *testing.T) {
	d := open(t)
	v := d.add(library.KindMine, map[string]string{
		"계약.txt": contract, "복사본.md": contract, "메모.md": "# 점심\n오늘은 김치찌개를 먹었다.\n", "빈.txt": "", "그림.gif": "x", ".숨김.txt": "비밀",
	})
	if v.Added != 2 || v.Duplicates != 1 || v.Total != 4 || v.Done != 4 || len(v.Problems) != 1 || v.Problems[0].Code != string(apperr.DocumentRefused) || !strings.Contains(v.Problems[0].Message, "빈 파일") {
		t.Fatalf("%+v", v)
	}
	kept, err := d.Imports(t.Context())
	if err != nil || len(kept) != 1 || fmt.Sprint(library.ViewOf(kept[0], bilingual.KO).Problems) != fmt.Sprint(v.Problems) {
		t.Errorf("as it is kept: %+v, %v, want %+v", kept, err, v.Problems)
	}
	docs, err := d.Documents(t.Context())
	if err != nil || len(docs) != 2 {
		t.Fatalf("%+v, %v", docs, err)
	}
	for question, want := range map[string]string{
		"계약 기간은 언제까지야?": "계약기간", "월급이 얼마야?": "임금", "상여금": "상여금", "김치찌개": "점심", "점심에 뭐 먹었지?": "점심",
	} {
		r, err := d.Search(t.Context(), library.Query{Text: question})
		if err != nil || r.Mode != library.ModeLexical || len(r.Hits) == 0 || r.Hits[0].Article == nil || r.Hits[0].Article.Title != want {
			t.Errorf("%s: %+v, %v", question, r, err)
			continue
		}
		h := r.Hits[0]
		_, p, err := d.Pages(t.Context(), h.Document.ID, h.Passage.Start, h.Passage.Start+len(h.Passage.Text))
		if err != nil || len(p) != 1 || p[0].Text != h.Passage.Text {
			t.Errorf("%s: its offsets give %+v, %v", question, p, err)
		}
	}
	if r, err := d.Search(t.Context(), library.Query{Text: "우주선 발사"}); err != nil || len(r.Hits) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := d.Search(t.Context(), library.Query{Text: "계약기간", Kind: library.KindStandard}); err != nil || len(r.Hits) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := d.Search(t.Context(), library.Query{Text: " "}); apperr.CodeOf(err) != apperr.EmptyMessage {
		t.Error(err)
	}
	for _, doc := range docs {
		if err := d.Remove(t.Context(), doc.ID); err != nil {
			t.Fatal(err)
		}
	}
	if r, err := d.Search(t.Context(), library.Query{Text: "계약기간"}); err != nil || len(r.Hits) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if err := d.Remove(t.Context(), docs[0].ID); apperr.CodeOf(err) != apperr.NotFound {
		t.Error(err)
	}
	if _, n, total, err := d.store.Frequencies(t.Context(), nil); n != 0 || total != 0 || err != nil {
		t.Errorf("%d passages of %d terms are left, %v", n, total, err)
	}
	if v := d.add(library.KindMine, map[string]string{"계약.txt": contract}); v.Added != 1 {
		t.Errorf("%+v", v)
	}
}

func TestArticles(t *testing.T) {
	d := open(t)
	d.add(library.KindMine, map[string]string{"계약.txt": contract})
	d.add(library.KindStandard, map[string]string{"표준.txt": "표준계약서\n제2조(계약기간) 계약기간은 1년으로 한다.\n제3조(임금) 매월 지급한다.\n"})
	for number, want := range map[string]string{
		"제2조": "계약기간 계약기간", "3의2": "상여금", "제3조의2": "상여금", "1": "목적 시행일", "제 4 조": "삭제", "9": "", "없음": "",
	} {
		found, err := d.ArticleByNumber(t.Context(), library.Number(number), "", "")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found {
			if got = append(got, f.Article.Title); f.Article.Deleted {
				got[len(got)-1] = "삭제"
			}
			if !strings.HasPrefix(f.Text, "제"+strings.SplitN(f.Article.Number, "의", 2)[0]+"조") {
				t.Errorf("%s: %q", number, f.Text)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", number, got, want)
		}
	}
	for title, want := range map[string]string{"계약 기간": "계약기간", "급여와 임금": "임금", "상여금은": "상여금", "비밀유지": ""} {
		found, err := d.ArticleByTitle(t.Context(), title, library.KindMine, "", 1)
		if err != nil || len(found) > 1 || (len(found) == 1) != (want != "") || want != "" && found[0].Article.Title != want {
			t.Errorf("%s: %+v, %v", title, found, err)
		}
	}
}

// An import that the end of the program interrupts goes on at the next start, and finished files are not done again.
func TestAnImportGoesOnAfterARestart(t *testing.T) {
	d := open(t)
	reached, release := make(chan string, 10), make(chan struct{})
	d.slow = func(ctx context.Context, path string) {
		reached <- filepath.Base(path)
		if strings.HasSuffix(path, "2.txt") {
			select {
			case <-ctx.Done():
			case <-release:
			}
		}
	}
	i, err := d.Import(t.Context(), d.put(map[string]string{"1.txt": "첫째 글", "2.txt": "둘째 글", "3.txt": "셋째 글"}), "")
	if err != nil {
		t.Fatal(err)
	}
	for name := range reached {
		if name == "2.txt" {
			break
		}
	}
	d.close()
	close(release)
	d.open()
	v := d.until(i.ID, "done")
	if v.Added != 3 || v.Duplicates != 0 || len(v.Problems) != 0 {
		t.Errorf("%+v", v)
	}
	close(reached)
	var again []string
	for name := range reached {
		again = append(again, name)
	}
	if fmt.Sprint(again) != "[2.txt 3.txt]" {
		t.Errorf("read again: %v", again)
	}
}

func TestAnImportIsCanceled(t *testing.T) {
	d := open(t)
	reached := make(chan struct{}, 3)
	d.slow = func(ctx context.Context, path string) {
		if strings.HasSuffix(path, "2.txt") {
			reached <- struct{}{}
			<-ctx.Done()
		}
	}
	i, err := d.Import(t.Context(), d.put(map[string]string{"1.txt": "첫째 글", "2.txt": "둘째 글", "3.txt": "셋째 글"}), "")
	if err != nil {
		t.Fatal(err)
	}
	<-reached
	if err := d.CancelImport(i.ID); err != nil {
		t.Fatal(err)
	}
	if v := d.until(i.ID, "canceled"); v.Added != 1 || v.Done != 3 || len(v.Problems) != 0 {
		t.Errorf("%+v", v)
	}
	if err := d.CancelImport(i.ID); apperr.CodeOf(err) != apperr.NotFound {
		t.Error(err)
	}
	if docs, err := d.Documents(t.Context()); err != nil || len(docs) != 1 {
		t.Errorf("%+v, %v", docs, err)
	}
	// Going on puts in what was left out, once, and only where something was.
	d.slow = func(context.Context, string) {}
	if _, err := d.ResumeImport(t.Context(), i.ID); err != nil {
		t.Fatal(err)
	}
	if v := d.until(i.ID, "done"); v.Added != 3 || v.Done != 3 || v.Duplicates != 0 || len(v.Problems) != 0 {
		t.Errorf("after going on: %+v", v)
	}
	if _, err := d.ResumeImport(t.Context(), i.ID); apperr.CodeOf(err) != apperr.NotFound {
		t.Error(err)
	}
}

// What is being put in is not found yet, takes no other's place, and is in nobody's way.
func TestSearchWhileADocumentComes(t *testing.T) {
	d := open(t)
	d.shelve("계약", "임금은 300만원으로 한다.")
	_, before, _, err := d.store.Frequencies(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	e := library.Entry{Document: library.Document{ID: "more", Title: "more", Hash: "more", Kind: library.KindMine}}
	for i := range 20_000 {
		e.Passages = append(e.Passages, library.Passage{Document: "more", Article: -1, Page: 1, Start: i, Text: "임금 임금 임금"})
	}
	half, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- d.store.Shelve(half, e) }()
	for now := before; now < before+100; { // more than are proposed
		if _, now, _, err = d.store.Frequencies(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatalf("the document is there: %v", err)
	}
	if r := d.search("임금이 얼마야?"); len(r.Hits) != 1 || r.Hits[0].Document.ID != "계약" {
		t.Errorf("%+v", r)
	}
}

// A question in the words that people use finds what documents write in others.
func TestQuestionsInOtherWords(t *testing.T) {
	d := open(t)
	if err := d.ShelveStandards(t.Context()); err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{
		"집주인이 재계약을 거절할 수 있어?":           "계약의 갱신",
		"세입자가 월세를 밀리면 어떻게 돼?":           "계약의 해지",
		"복비는 누가 내?":                     "중개보수",
		"집주인은 전세금을 언제 돌려줘?":             "보증금의 반환",
		"what does the landlord repair": "수선의무",
	} {
		hits, err := d.Glance(t.Context(), question, 1)
		if err != nil || len(hits) == 0 || !strings.Contains(hits[0].Article.Title, want) {
			t.Errorf("%q: %+v, %v", question, hits, err)
		}
	}
}

// Of questions in the words of people who never read a contract, most are answered by the passage that is found first, by words alone.
func TestEverydayQuestions(t *testing.T) {
	d := open(t)
	x := standardsExam(t, d)
	first, among := 0, 0
	for _, q := range x.questions {
		hits, err := d.Glance(t.Context(), q.text, 3)
		if err != nil {
			t.Fatal(err)
		}
		for i, h := range hits {
			if x.which(q.text, h.Passage.Text) == q.of {
				among++
				if i == 0 {
					first++
				}
				break
			}
		}
	}
	t.Logf("of %d questions %d have their passage first, %d among the first three", len(x.questions), first, among)
	if first < 28 || among < 31 {
		t.Errorf("%d first and %d among three of %d, less than 28 and 31", first, among, len(x.questions))
	}
}
