package shelf_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/text/unicode/norm"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
	"agentchat/backend/library/extract"
	"agentchat/backend/shelf"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
	"agentchat/backend/watch"
)

// house is shelves over a real ledger, a real library, a real disk and the system's own word of what happens on it.
type house struct {
	*shelf.Book

	t       testing.TB
	dir     string
	folder  string // the one that is followed
	store   *store.Store
	library *library.Library
	watch   *watch.Folders
	bus     *event.Bus
	heard   *event.Reader
	ids     atomic.Int64
	reads   atomic.Int64 // files of which text was made
	before  func(ctx context.Context, path string)
}

func open(t testing.TB) *house {
	t.Helper()
	h := &house{t: t, dir: t.TempDir(), folder: filepath.Join(t.TempDir(), "계약서")}
	if err := os.Mkdir(h.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	h.open()
	t.Cleanup(h.close)
	return h
}

func (h *house) open() {
	h.t.Helper()
	ctx := h.t.Context()
	var err error
	if h.store, err = store.Open(ctx, ledgertest.In(h.dir), time.Now); err != nil {
		h.t.Fatal(err)
	}
	h.bus = event.NewBus(0, time.Now)
	h.heard = h.bus.SubscribeFrom(1)
	x := extract.New(extract.Limits{}, "")
	read := func(ctx context.Context, path string) (extract.Text, error) {
		h.reads.Add(1)
		if h.before != nil {
			h.before(ctx, path)
		}
		if filepath.Ext(path) == ".png" {
			return extract.Text{Format: "png", Pages: []string{"그림 속의 글"}}, nil
		}
		return x.Read(ctx, path)
	}
	newID := func() string { return fmt.Sprintf("id%d-%d", time.Now().UnixNano(), h.ids.Add(1)) }
	lang := func() bilingual.Lang { return bilingual.KO }
	h.library = library.New(library.Deps{
		Store: h.store, Publisher: h.bus, Lang: lang, Now: time.Now, NewID: newID, Log: zerolog.Nop(), Recognise: read,
		Extract: func(ctx context.Context, path string) (extract.Text, error) {
			if filepath.Ext(path) == ".png" {
				return extract.Text{}, extract.ErrPictures
			}
			return read(ctx, path)
		},
	})
	h.watch = watch.New(watch.Deps{Look: func(ctx context.Context, folder string, late bool) ([]string, bool, error) {
		return h.Look(ctx, folder, late)
	}, Log: zerolog.Nop()})
	h.Book = shelf.New(shelf.Deps{
		Store: h.store, Library: h.library, Watch: h.watch, Publisher: h.bus, Own: []string{h.dir}, Copies: filepath.Join(h.dir, "reading"),
		Knows: extract.Known, Lang: lang, Now: time.Now, NewID: newID, Log: zerolog.Nop(),
	})
	for _, start := range []func(context.Context) error{h.library.Start, h.Start, h.watch.Start} {
		if err := start(ctx); err != nil {
			h.t.Fatal(err)
		}
	}
}

func (h *house) close() {
	h.watch.Stop()
	h.Stop()
	h.library.Stop()
	h.bus.Close()
	if err := h.store.Close(); err != nil {
		h.t.Error(err)
	}
}

// put writes a file of the folder, as long ago as a file must be to count as whole.
func (h *house) put(name, text string) {
	h.t.Helper()
	path := filepath.Join(h.folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
	h.age(path)
}

func (h *house) age(path string) {
	h.t.Helper()
	old := time.Now().Add(-time.Hour - time.Duration(h.ids.Add(1))*time.Second)
	if err := os.Chtimes(path, old, old); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) remove(name string) {
	h.t.Helper()
	if err := os.RemoveAll(filepath.Join(h.folder, filepath.FromSlash(name))); err != nil {
		h.t.Fatal(err)
	}
}

// add has the folder followed.
func (h *house) add(rule shelf.Rule) string {
	h.t.Helper()
	v, err := h.Add(h.t.Context(), h.folder, "", rule)
	if err != nil {
		h.t.Fatal(err)
	}
	return v.ID
}

// until reads events until a shelf is so.
func (h *house) until(is func(event.LibraryShelf) bool) event.LibraryShelf {
	h.t.Helper()
	ctx, stop := context.WithTimeout(h.t.Context(), 2*time.Minute+time.Duration(*many)*100*time.Millisecond)
	defer stop()
	var last event.LibraryShelf
	for {
		batch, err := h.heard.Next(ctx, 1)
		if err != nil {
			h.t.Fatalf("%v; the last of it: %+v", err, last)
		}
		for _, e := range batch {
			if e.Kind != event.KindLibraryShelf {
				continue
			}
			var v event.LibraryShelf
			if err := json.Unmarshal(e.Data, &v); err != nil {
				h.t.Fatal(err)
			}
			if last = v; is(v) {
				return v
			}
		}
	}
}

// rests tells whether nothing is under way.
func rests(v event.LibraryShelf) bool {
	return !v.Looking && v.Waiting == 0 && v.Reading == "" && v.Looked != ""
}

func (h *house) read(n int) event.LibraryShelf {
	h.t.Helper()
	return h.until(func(v event.LibraryShelf) bool { return rests(v) && v.Read == n })
}

// files are the files of a shelf with their states.
func (h *house) files(id string) (list []string) {
	h.t.Helper()
	files, err := h.Files(h.t.Context(), id, shelf.Query{})
	if err != nil {
		h.t.Fatal(err)
	}
	for _, f := range files {
		list = append(list, f.Path+" "+string(f.State))
	}
	return list
}

// titles are the documents of a shelf.
func (h *house) titles(id string) (list []string) {
	h.t.Helper()
	documents, err := h.library.In(h.t.Context(), event.ShelfPlace(id))
	if err != nil {
		h.t.Fatal(err)
	}
	for _, d := range documents {
		list = append(list, d.Title)
	}
	return list
}

func (h *house) same(what string, have, want []string) {
	h.t.Helper()
	if !slices.Equal(have, want) {
		h.t.Errorf("%s: %q, want %q", what, have, want)
	}
}

// What is there is read, what comes later too, also in folders that come; other formats are counted, hidden and half files are not there.
func TestAShelfFollowsItsFolder(t *testing.T) {
	h := open(t)
	h.put("임대차.txt", "제1조(목적) 이 계약은 임대차를 정한다.")
	h.put("용역/용역.md", "# 용역 계약\n대금은 300만원이다.")
	h.put("사진.raw", "x")
	h.put(".숨은.txt", "비밀")
	h.put("받는중.txt.part", "반")
	id := h.add("")
	v := h.read(2)
	if v.Other != 1 || v.Title != "계약서" || v.Rule != "ask" || v.Files != 2 {
		t.Errorf("%+v", v)
	}
	h.put("새 폴더/근로.txt", "근로 시간은 8시간이다.")
	h.read(3)
	h.same("files", h.files(id), []string{"새 폴더/근로.txt read", "용역/용역.md read", "임대차.txt read"})
	found, err := h.library.Search(t.Context(), library.Query{Text: "근로 시간", Document: event.ShelfPlace(id)})
	if err != nil || len(found.Hits) == 0 || found.Hits[0].Document.Title != "근로" {
		t.Errorf("%+v, %v", found, err)
	}

	h.put("임대차.txt", "제1조(목적) 이 계약은 전세를 정한다.")
	h.until(func(v event.LibraryShelf) bool { return rests(v) && v.Found == 1 && h.reads.Load() == 4 })
	found, err = h.library.Search(t.Context(), library.Query{Text: "임대차 전세", Document: event.ShelfPlace(id)})
	if err != nil || len(found.Hits) == 0 || !strings.Contains(found.Hits[0].Passage.Text, "전세") {
		t.Errorf("%+v, %v", found, err)
	}
	if n := len(h.titles(id)); n != 3 {
		t.Errorf("%d documents: what was changed is there twice, or not at all", n)
	}
}

// By the rule “ask” what is gone stays until somebody says, and only what was shown then goes; what comes back as it was is not read again.
func TestWhatIsGoneIsAskedAbout(t *testing.T) {
	h := open(t)
	for n := range 4 {
		h.put(fmt.Sprintf("%d.txt", n), fmt.Sprintf("글 %d", n))
	}
	id := h.add(shelf.RuleAsk)
	h.read(4)
	aside := filepath.Join(t.TempDir(), "0.txt")
	if err := os.Rename(filepath.Join(h.folder, "0.txt"), aside); err != nil {
		t.Fatal(err)
	}
	h.remove("1.txt")
	v := h.until(func(v event.LibraryShelf) bool { return rests(v) && v.Gone == 2 })
	if v.Mark == "" || v.Emptied {
		t.Errorf("%+v", v)
	}
	h.same("documents", h.titles(id), []string{"0", "1", "2", "3"})
	h.remove("2.txt")
	later := h.until(func(v event.LibraryShelf) bool { return rests(v) && v.Gone == 3 })
	if err := os.Rename(aside, filepath.Join(h.folder, "0.txt")); err != nil {
		t.Fatal(err)
	}
	h.until(func(v event.LibraryShelf) bool { return rests(v) && v.Gone == 2 && v.Read == 2 })
	if n := h.reads.Load(); n != 4 {
		t.Errorf("%d files were read", n)
	}
	if _, err := h.Settle(t.Context(), id, v.Mark, "", true); err != nil {
		t.Fatal(err)
	}
	h.same("documents", h.titles(id), []string{"0", "2", "3"})
	if _, err := h.Settle(t.Context(), id, later.Mark, "2.txt", false); err != nil {
		t.Fatal(err)
	}
	h.same("files", h.files(id), []string{"0.txt read", "2.txt kept", "3.txt read"})
}

// A file that only goes elsewhere, or by another name, is not read again, and its document goes by the new one.
func TestWhatMovedIsNotReadAgain(t *testing.T) {
	for _, rule := range []shelf.Rule{shelf.RuleAsk, shelf.RuleDrop, shelf.RuleKeep} {
		h := open(t)
		h.put("가.txt", "하나뿐인 내용")
		h.put("나.txt", "다른 내용")
		id := h.add(rule)
		h.read(2)
		if err := os.MkdirAll(filepath.Join(h.folder, "옮긴 곳"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(h.folder, "가.txt"), filepath.Join(h.folder, "옮긴 곳", "임대차계약.txt")); err != nil {
			t.Fatal(err)
		}
		h.until(func(v event.LibraryShelf) bool {
			return rests(v) && v.Read == 2 && v.Gone+v.Kept == 0 && v.Files == 2 && slices.Contains(h.files(id), "옮긴 곳/임대차계약.txt read")
		})
		h.same("files", h.files(id), []string{"나.txt read", "옮긴 곳/임대차계약.txt read"})
		if n := h.reads.Load(); n != 2 {
			t.Errorf("%d files were read", n)
		}
		found, err := h.library.Search(t.Context(), library.Query{Text: "임대차계약"})
		if err != nil || len(found.Hits) == 0 || found.Hits[0].Document.Path != filepath.Join(h.folder, "옮긴 곳", "임대차계약.txt") {
			t.Errorf("by its new name: %+v, %v", found, err)
		}
	}
}

// Names as macOS writes them are the same names: what comes back from there is not read again, and is not there twice.
func TestNamesInEveryForm(t *testing.T) {
	h := open(t)
	h.put(norm.NFD.String("한글 폴더/임대차 계약서.txt"), "제1조")
	id := h.add("")
	h.read(1)
	h.same("files", h.files(id), []string{norm.NFC.String("한글 폴더/임대차 계약서.txt") + " read"})
	h.same("documents", h.titles(id), []string{norm.NFC.String("임대차 계약서")})
	for _, step := range []string{"한글 폴더", "한글 폴더/임대차 계약서.txt"} {
		dir, base := filepath.Split(filepath.Join(h.folder, step))
		if err := os.Rename(filepath.Join(dir, norm.NFD.String(base)), filepath.Join(dir, norm.NFC.String(base))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.Rescan(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	h.until(func(v event.LibraryShelf) bool { return rests(v) && v.Found == 0 && v.Hashed == 0 })
	h.same("files", h.files(id), []string{norm.NFC.String("한글 폴더/임대차 계약서.txt") + " read"})
	if n := h.reads.Load(); n != 1 {
		t.Errorf("%d files were read", n)
	}
}

// A disk that is away takes nothing with it, whatever the rule; when it is there again all is as it was, and it is watched again.
func TestADiskThatIsAway(t *testing.T) {
	for _, empty := range []bool{false, true} {
		h := open(t)
		for n := range 3 {
			h.put(fmt.Sprintf("%d.txt", n), fmt.Sprintf("글 %d", n))
		}
		id := h.add(shelf.RuleDrop)
		h.read(3)
		away := h.folder + " away"
		if err := os.Rename(h.folder, away); err != nil {
			t.Fatal(err)
		}
		if empty { // the place where a disk was mounted stays
			if err := os.Mkdir(h.folder, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		h.watch.Again(h.folder)
		// Who looks between the going and the empty place finds a problem first.
		v := h.until(func(v event.LibraryShelf) bool { return !v.Looking && v.Emptied == empty && (empty || v.Problem != "") })
		if len(h.titles(id)) != 3 {
			t.Errorf("away, empty %v: %+v", empty, v)
		}
		if empty {
			if err := os.Remove(h.folder); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Rename(away, h.folder); err != nil {
			t.Fatal(err)
		}
		h.watch.Again(h.folder)
		h.until(func(v event.LibraryShelf) bool { return rests(v) && v.Read == 3 && v.Problem == "" && v.Gone == 0 })
		h.put("새것.txt", "새 글")
		h.read(4)
		if n := h.reads.Load(); n != 4 {
			t.Errorf("%d files were read", n)
		}
	}
}

// By the rule “drop” what is gone goes at once, unless so much goes that it may be an accident; by “keep” it stays.
func TestByRule(t *testing.T) {
	h := open(t)
	for n := range 30 {
		h.put(fmt.Sprintf("%02d.txt", n), fmt.Sprintf("글 %d", n))
	}
	id := h.add(shelf.RuleDrop)
	h.read(30)
	h.remove("00.txt")
	h.until(func(v event.LibraryShelf) bool { return rests(v) && v.Files == 29 })
	for n := 1; n < 20; n++ {
		h.remove(fmt.Sprintf("%02d.txt", n))
	}
	v := h.until(func(v event.LibraryShelf) bool { return rests(v) && v.Gone == 19 })
	if len(h.titles(id)) != 29 || v.Mark == "" {
		t.Errorf("%+v", v)
	}
	if _, err := h.Change(t.Context(), id, "", shelf.RuleKeep, ""); err != nil {
		t.Fatal(err)
	}
	h.until(func(v event.LibraryShelf) bool { return rests(v) && v.Kept == 19 })
	if len(h.titles(id)) != 29 {
		t.Error("what is kept went")
	}
}
