package library_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
	"agentchat/backend/library/extract"
)

// Files and folders that come together are one import; what cannot be read stands in it with its reason.
func TestSeveralPathsAreOneImport(t *testing.T) {
	d := open(t)
	folder := d.put(map[string]string{"1.txt": "첫째 글", "2.md": "둘째 글", "옛 문서.hwp": "x", "옛 문서.doc": "x"})
	gone, empty := filepath.Join(folder, "없는 문서.pdf"), t.TempDir()
	i, err := d.ImportAll(t.Context(), []string{
		folder, filepath.Join(folder, "1.txt"), filepath.Join(folder, "옛 문서.hwp"), filepath.Join(folder, "옛 문서.doc"), gone, "", empty,
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	v := d.until(i.ID, "done")
	if v.Added != 2 || v.Duplicates != 0 || v.Total != 6 || v.Done != 6 || len(v.Problems) != 4 {
		t.Fatalf("%+v", v)
	}
	for n, want := range []string{"망가졌거나", "DOCX로 저장", "그 자리에 없어요", "읽을 수 있는 파일이 없어요"} {
		if !strings.Contains(v.Problems[n].Message, want) {
			t.Errorf("%+v, want %s", v.Problems[n], want)
		}
	}
}

// No path, and an empty one, never mean the folder the program runs in.
func TestNoPathMeansNothing(t *testing.T) {
	d := open(t)
	for _, paths := range [][]string{nil, {""}, {" ", "\n"}} {
		if i, err := d.ImportAll(t.Context(), paths, library.KindMine); apperr.CodeOf(err) != apperr.InvalidArgs {
			t.Errorf("%q: %+v, %v", paths, i, err)
		}
	}
	if _, err := d.Import(t.Context(), filepath.Join(t.TempDir(), "없다.txt"), ""); apperr.CodeOf(err) != apperr.DocumentRefused {
		t.Error(err)
	}
	if list, err := d.Imports(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// A file nobody may read, or that went meanwhile, is refused in the person's language.
func TestAFileThatCannotBeOpened(t *testing.T) {
	d := open(t)
	folder := d.put(map[string]string{"가.txt": "글", "나.txt": "글"})
	if err := os.Chmod(filepath.Join(folder, "가.txt"), 0); err != nil {
		t.Fatal(err)
	}
	i, err := d.ImportAll(t.Context(), []string{filepath.Join(folder, "가.txt"), os.DevNull}, "")
	if err != nil {
		t.Fatal(err)
	}
	v := d.until(i.ID, "done")
	if root := os.Geteuid() == 0; len(v.Problems) != 2 && !root || !strings.Contains(v.Problems[len(v.Problems)-1].Message, "읽을 수 없는 형식") {
		t.Errorf("%+v", v)
	}
	for _, p := range v.Problems {
		if strings.Contains(p.Message, "permission") || strings.Contains(p.Message, "regular") {
			t.Errorf("%+v", p)
		}
	}
}

// A document can change sides, and is searched and listed on its new one; what came with the program cannot.
func TestADocumentIsMarked(t *testing.T) {
	d := open(t)
	d.add(library.KindMine, map[string]string{"임대차.txt": "제1조(차임) 차임은 월 50만원으로 한다.\n"})
	docs, err := d.Documents(t.Context())
	if err != nil || len(docs) != 1 {
		t.Fatalf("%+v, %v", docs, err)
	}
	id := docs[0].ID
	for _, kind := range []library.Kind{library.KindStandard, library.KindMine, library.KindMine} {
		if err := d.Mark(t.Context(), id, kind); err != nil {
			t.Fatal(err)
		}
		for _, k := range []library.Kind{library.KindMine, library.KindStandard} {
			r, err := d.Search(t.Context(), library.Query{Text: "차임이 얼마야?", Kind: k})
			if err != nil || (len(r.Hits) == 1) != (k == kind) {
				t.Errorf("marked %s, looked for %s: %+v, %v", kind, k, r.Hits, err)
			}
		}
	}
	if err := d.Mark(t.Context(), id, "theirs"); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Error(err)
	}
	if err := d.Mark(t.Context(), "none", library.KindMine); apperr.CodeOf(err) != apperr.NotFound {
		t.Error(err)
	}
	if err := d.ShelveStandards(t.Context()); err != nil {
		t.Fatal(err)
	}
	docs, err = d.Documents(t.Context())
	if err != nil || len(docs) < 2 {
		t.Fatalf("%+v, %v", docs, err)
	}
	if err := d.Mark(t.Context(), docs[len(docs)-1].ID, library.KindMine); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Error(err)
	}
}

// Pictures take long to read, so nobody's texts wait for them; what of them could not be read is said, and kept.
func TestPicturesHoldNoTextUp(t *testing.T) {
	d := open(t)
	look, seen := make(chan struct{}), make(chan string, 3)
	d.pictures = func(ctx context.Context, path string) (extract.Text, error) {
		seen <- filepath.Base(path)
		select {
		case <-look:
			return extract.Text{Format: "png", Pages: []string{"영수증 " + filepath.Base(path), ""}, Gaps: []extract.Gap{{Page: 2, Why: bilingual.Of("흐려요", "it is faint")}}}, nil
		case <-ctx.Done():
			return extract.Text{}, ctx.Err()
		}
	}
	first, err := d.Import(t.Context(), d.put(map[string]string{"1.png": "x", "2.txt": "첫째 글"}), "")
	if err != nil {
		t.Fatal(err)
	}
	if name := <-seen; name != "1.png" {
		t.Fatal(name)
	}
	if v := d.add("", map[string]string{"3.txt": "둘째 글"}); v.Added != 1 { // while the picture is looked at
		t.Fatalf("%+v", v)
	}
	second, err := d.Import(t.Context(), d.put(map[string]string{"4.png": "y"}), "")
	if err != nil {
		t.Fatal(err)
	}
	close(look)
	v := d.until(first.ID, "done")
	if v.Added != 2 || len(v.Problems) != 0 || len(v.Notes) != 1 || !strings.Contains(v.Notes[0].Message, "1.png") || !strings.Contains(v.Notes[0].Message, "2쪽: 흐려요") {
		t.Errorf("%+v", v)
	}
	d.until(second.ID, "done")
	kept, err := d.Imports(t.Context())
	if err != nil || len(kept) != 3 || len(library.ViewOf(kept[0], bilingual.KO).Notes) != 1 {
		t.Errorf("as they are kept: %+v, %v", kept, err)
	}
	// Called off, and ended with the program: what was not looked at goes, or is taken up again.
	look = make(chan struct{})
	third, err := d.Import(t.Context(), d.put(map[string]string{"5.png": "z"}), "")
	if err != nil {
		t.Fatal(err)
	}
	for name := ""; name != "5.png"; name = <-seen { // it comes after those before
		t.Log(name)
	}
	if err := d.CancelImport(third.ID); err != nil {
		t.Fatal(err)
	}
	if v := d.until(third.ID, "canceled"); v.Added != 0 {
		t.Errorf("%+v", v)
	}
	fourth, err := d.ResumeImport(t.Context(), third.ID)
	if err != nil || <-seen != "5.png" {
		t.Fatal(err)
	}
	d.close()
	close(look)
	d.open()
	d.until(fourth.ID, "done")
}

// A source of a table names its rows, and the sheet they stand on.
func TestATableNamesItsRows(t *testing.T) {
	d := open(t)
	if v := d.add("", map[string]string{"매출.csv": "지점,매출\n서울,1200\n부산,900\n"}); v.Added != 1 {
		t.Fatalf("%+v", v)
	}
	r, err := d.Search(t.Context(), library.Query{Text: "부산 매출"})
	if err != nil || len(r.Hits) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	h := r.Hits[0]
	if h.Article == nil || h.Article.Label() != "A1:B3" || library.UnitOf(h.Document) != "sheet" || !strings.Contains(h.Passage.Text, "[3] 지점: 부산 | 매출: 900") {
		t.Errorf("%+v", h)
	}
	if it := (library.Item{Page: 2, Unit: "slide"}); it.Place() != bilingual.Of("슬라이드 2", "slide 2") {
		t.Error(it.Place())
	}
}
