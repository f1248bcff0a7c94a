package library_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/library"
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
	for n, want := range []string{"HWPX로 저장", "DOCX로 저장", "그 자리에 없어요", "읽을 수 있는 파일이 없어요"} {
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
