package shelf_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
	"agentchat/backend/shelf"
)

// A file that is written to while it is read is read once it is whole: never half of the one and half of the other.
func TestAFileThatChangesWhileItIsRead(t *testing.T) {
	h := open(t)
	h.put("글.txt", "처음 글")
	var once sync.Once
	h.before = func(context.Context, string) { once.Do(func() { h.put("글.txt", "나중 글이에요") }) }
	id := h.add("")
	h.until(func(v event.LibraryShelf) bool { return rests(v) && v.Read == 1 && h.reads.Load() == 2 })
	documents, err := h.library.In(t.Context(), event.ShelfPlace(id))
	if err != nil || len(documents) != 1 {
		t.Fatalf("%+v, %v", documents, err)
	}
	_, passages, err := h.library.Pages(t.Context(), documents[0].ID, 0, 0)
	if err != nil || len(passages) != 1 || strings.TrimSpace(passages[0].Text) != "나중 글이에요" {
		t.Errorf("%+v, %v", passages, err)
	}
	if all, err := h.library.Documents(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	if left, err := os.ReadDir(filepath.Join(h.dir, "reading", "texts")); err != nil || len(left) > 0 {
		t.Errorf("what was copied to be read stays: %v, %v", left, err)
	}
}

// What somebody still writes to waits, and is read when it is closed.
func TestAFileThatIsStillWritten(t *testing.T) {
	h := open(t)
	h.put("글.txt", "반")
	f, err := os.OpenFile(filepath.Join(h.folder, "글.txt"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	h.add("")
	h.until(func(v event.LibraryShelf) bool { return v.Waiting == 1 && !v.Looking && v.Looked != "" })
	if _, err := f.WriteString(" 그리고 반"); err != nil {
		t.Fatal(err)
	}
	h.age(f.Name()) // before it is closed: one that changes after that is another to read
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	h.read(1)
	if n := h.reads.Load(); n != 1 {
		t.Errorf("%d files were read", n)
	}
}

// What cannot be read says why, in both languages, and is read once it can be; the version before stays meanwhile.
func TestWhatIsRefused(t *testing.T) {
	h := open(t)
	h.put("망가진.hwp", "x")
	h.put("글.txt", "읽을 수 있는 글")
	id := h.add("")
	v := h.until(func(v event.LibraryShelf) bool { return rests(v) && v.Read == 1 && v.Refused == 1 })
	files, err := h.Files(t.Context(), id, shelf.Query{State: shelf.Refused})
	if err != nil || len(files) != 1 || files[0].Failure == nil || !strings.Contains(files[0].Failure.Text(bilingual.KO), "망가진.hwp") || strings.Contains(files[0].Failure.Text(bilingual.EN), h.dir) {
		t.Fatalf("%+v, %v", files, err)
	}
	reads := h.reads.Load()
	if _, err := h.Rescan(t.Context(), id); err != nil { // by a person's wish it is tried again, and nothing else is
		t.Fatal(err)
	}
	v = h.until(func(v event.LibraryShelf) bool { return rests(v) && v.Refused == 1 && h.reads.Load() == reads+1 })
	if v.Hashed != 1 {
		t.Errorf("%+v", v)
	}
	h.put("글.txt", strings.Repeat("\x00\x01", 50))
	h.until(func(v event.LibraryShelf) bool { return rests(v) && v.Refused == 2 })
	h.same("the version before", h.titles(id), []string{"글"})
	h.put("글.txt", "다시 읽을 수 있는 글")
	h.until(func(v event.LibraryShelf) bool { return rests(v) && v.Refused == 1 && v.Read == 1 })
	h.same("the version now", h.titles(id), []string{"글"})
}

// A folder inside that may not be looked into takes nothing with it, and it is said; a file that may not be opened is refused, and read
// once it may be.
func TestPermissions(t *testing.T) {
	h := open(t)
	h.put("안/글.txt", "안의 글")
	h.put("밖.txt", "밖의 글")
	id := h.add(shelf.RuleDrop)
	h.read(2)
	dir, file := filepath.Join(h.folder, "안"), filepath.Join(h.folder, "밖.txt")
	h.put("밖.txt", "밖의 다른 글")
	for path, mode := range map[string]os.FileMode{dir: 0, file: 0} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(path, 0o700) })
	}
	if os.Geteuid() == 0 {
		t.Log("root may read everything: only that nothing is lost is seen here")
	} else {
		v := h.until(func(v event.LibraryShelf) bool { return !v.Looking && v.Refused == 1 && v.Read == 1 && v.Problem != "" })
		if !strings.Contains(v.Problem, "안") {
			t.Errorf("%+v", v)
		}
	}
	for _, path := range []string{dir, file} {
		if err := os.Chmod(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	h.watch.Again(h.folder)
	h.until(func(v event.LibraryShelf) bool {
		return rests(v) && v.Read == 2 && v.Problem == "" && h.reads.Load() == 3
	})
	h.same("documents", h.titles(id), []string{"글", "밖"})
}

// A link leads nowhere, whether it stands for a file or for a folder, and the shop's own folder is no shelf.
func TestNothingOutsideIsRead(t *testing.T) {
	h := open(t)
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "비밀.txt"), []byte("비밀번호"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"파일.txt": filepath.Join(outside, "비밀.txt"), "폴더": outside} {
		if err := os.Symlink(to, filepath.Join(h.folder, link)); err != nil {
			t.Fatal(err)
		}
	}
	h.put("글.txt", "글")
	id := h.add("")
	h.read(1)
	h.same("files", h.files(id), []string{"글.txt read"})

	// Links that take the place of a file and of a folder between a look and the reading: while the first of three files is read.
	h.before = func(_ context.Context, path string) {
		if filepath.Base(path) != "가.txt" {
			return
		}
		h.remove("나.txt")
		h.remove("다")
		for link, to := range map[string]string{"나.txt": filepath.Join(outside, "비밀.txt"), "다": outside} {
			if err := os.Symlink(to, filepath.Join(h.folder, link)); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := h.Change(t.Context(), id, "", "", shelf.Stopped); err != nil { // so that one look finds all three
		t.Fatal(err)
	}
	h.put("가.txt", "가")
	h.put("나.txt", "나")
	h.put("다/비밀.txt", "다")
	if _, err := h.Change(t.Context(), id, "", "", shelf.Following); err != nil {
		t.Fatal(err)
	}
	h.until(func(v event.LibraryShelf) bool { return v.Files == 4 })
	h.until(func(v event.LibraryShelf) bool { return rests(v) && v.Files == 2 && v.Read == 2 })
	h.same("files after the links", h.files(id), []string{"가.txt read", "글.txt read"})
	if n := h.reads.Load(); n != 2 {
		t.Errorf("%d files were read", n)
	}
	for _, path := range []string{h.dir, filepath.Join(h.dir, "reading"), "/", "/etc", filepath.Join(outside, "없음"), filepath.Join(outside, "비밀.txt"), "계약서", filepath.Join(h.folder, "폴더", "..", ".."), filepath.Dir(h.folder)} {
		if _, err := h.Add(t.Context(), path, "", ""); apperr.CodeOf(err) != apperr.ShelfRefused {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A shelf is taken away with its documents, or without; what is there for another reason stays in any case.
func TestAShelfIsTakenAway(t *testing.T) {
	for _, documents := range []bool{true, false} {
		h := open(t)
		for n := range 50 {
			h.put(fmt.Sprintf("%02d.txt", n), fmt.Sprintf("글 %d", n))
		}
		own := filepath.Join(t.TempDir(), "내 것.txt")
		if err := os.WriteFile(own, []byte("글 7"), 0o600); err != nil {
			t.Fatal(err)
		}
		id := h.add("")
		h.read(50)
		i, err := h.library.Import(t.Context(), own, library.KindMine)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.library.Await(t.Context(), library.Reading{Import: i.ID}); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Change(t.Context(), id, "", "", shelf.Stopped); err != nil {
			t.Fatal(err)
		}
		h.remove("49.txt")
		if err := h.Remove(t.Context(), id, documents); err != nil {
			t.Fatal(err)
		}
		h.until(func(v event.LibraryShelf) bool { return v.Removed })
		list, err := h.library.Own(t.Context())
		want := 50
		if documents {
			want = 1
		}
		all, err2 := h.library.Documents(t.Context())
		if err != nil || err2 != nil || len(list) != want || len(all) != want {
			t.Errorf("with documents %v: %d of its own, %d in all, %v, %v", documents, len(list), len(all), err, err2)
		}
		if left, err := h.store.Shelves(t.Context()); err != nil || len(left) != 0 {
			t.Errorf("%+v, %v", left, err)
		}
	}
}

// What a person takes out of the library stays out, until its file changes or they want it back.
func TestWhatIsLeftOut(t *testing.T) {
	h := open(t)
	h.put("가.txt", "글 하나")
	h.put("나.txt", "글 둘")
	id := h.add("")
	h.read(2)
	files, err := h.Files(t.Context(), id, shelf.Query{Text: "가"})
	if err != nil || len(files) != 1 {
		t.Fatalf("%+v, %v", files, err)
	}
	if err := h.library.Remove(t.Context(), files[0].Document); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Rescan(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	h.until(func(v event.LibraryShelf) bool { return rests(v) && v.LeftOut == 1 && v.Read == 1 })
	if err := h.Reread(t.Context(), id, "가.txt"); err != nil {
		t.Fatal(err)
	}
	h.read(2)
}

// Pictures are read after all else, in a lane of their own.
func TestPicturesComeLast(t *testing.T) {
	h := open(t)
	h.put("가.png", "그림")
	h.put("나.txt", "글")
	id := h.add("")
	h.read(2)
	h.same("files", h.files(id), []string{"가.png read", "나.txt read"})
}

// Names: no two are alike, and a shelf is found by what it is called, whatever its spaces and case.
func TestNamesOfShelves(t *testing.T) {
	h := open(t)
	id := h.add("")
	h.until(rests)
	if _, err := h.Change(t.Context(), id, "Lease Contracts", "", ""); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"lease contracts": true, "LeaseContracts": true, "contracts": false, "": false} {
		if h.Titles().Knows(name) != want {
			t.Errorf("%q is known: %v", name, !want)
		}
	}
	h.same("near", h.Titles().Near("contract", bilingual.EN), []string{"Lease Contracts"})
	other := t.TempDir()
	if _, err := h.Add(t.Context(), other, "lease  contracts", ""); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Error(err)
	}
	for _, title := range []string{strings.Repeat("가", 61), "a\x00b"} {
		if _, err := h.Change(t.Context(), id, title, "", ""); apperr.CodeOf(err) != apperr.InvalidArgs {
			t.Errorf("%q: %v", title, err)
		}
	}
	if _, err := h.Change(t.Context(), id, "", "never", ""); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Error(err)
	}
}

// The end of the program in the middle loses nothing and doubles nothing: what was half done is done whole, and nothing is read twice.
func TestTheEndInTheMiddle(t *testing.T) {
	h := open(t)
	const all = 40
	for n := range all {
		h.put(fmt.Sprintf("%02d.txt", n), fmt.Sprintf("글 %d", n))
	}
	stop := make(chan struct{})
	var once sync.Once
	h.before = func(ctx context.Context, _ string) {
		if h.reads.Load() == all/2 {
			once.Do(func() { close(stop); <-ctx.Done() }) // nothing more is read before the end
		}
	}
	id := h.add("")
	<-stop
	h.close()
	before := h.reads.Load()
	h.open()
	h.read(all)
	if n := h.reads.Load(); before >= all || n > all+1 {
		t.Errorf("%d read before the end, %d in all", before, n)
	}
	if list := h.titles(id); len(list) != all {
		t.Errorf("%d documents", len(list))
	}
}
