package folders_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/folders"
)

// real is a temporary folder without links in its path.
func real(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func folder(t testing.TB, name string) string {
	t.Helper()
	dir := filepath.Join(real(t), name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func book(list ...folders.Folder) *folders.Book {
	return folders.NewBook(folders.Deps{List: func() []folders.Folder { return list }, Home: "/nowhere"})
}

func wants(t *testing.T, err error, code apperr.Code) {
	t.Helper()
	if apperr.CodeOf(err) != code {
		t.Errorf("error %v, want %s", err, code)
	}
}

func TestWhatMayNotBeOpened(t *testing.T) {
	home, data := real(t), real(t)
	put(t, filepath.Join(home, "a.txt"), "x")
	for _, sub := range []string{".ssh", "문서", "문서/일", "사진", "AppData/Roaming"} {
		if err := os.MkdirAll(filepath.Join(home, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(data, "logs"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc", filepath.Join(home, "settings")); err != nil {
		t.Fatal(err)
	}
	b := folders.NewBook(folders.Deps{
		List: func() []folders.Folder { return []folders.Folder{{Path: filepath.Join(home, "문서")}} }, Own: []string{data}, Home: home,
	})
	for _, path := range []string{
		"", "문서", "/", home, filepath.Dir(home), "~", data, filepath.Join(data, "logs"), filepath.Dir(data), "/proc", "/proc/self", "/etc", "/etc/ssh", "/dev", "/usr/share", "/run",
		filepath.Join(home, ".ssh"), filepath.Join(home, "settings"), filepath.Join(home, "a.txt"), filepath.Join(home, "gone"), filepath.Join(home, "AppData", "Roaming"),
		filepath.Join(home, "문서", "일"), // it overlaps with one that is open
	} {
		if got, err := b.Check(path); apperr.CodeOf(err) != apperr.FolderRefused {
			t.Errorf("%q may be opened as %q (%v)", path, got, err)
		}
	}
	for _, path := range []string{"~/사진", filepath.Join(home, "사진") + "/", filepath.Join(home, "문서")} {
		if _, err := b.Check(path); err != nil {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestTheSettingIsReadStrictly(t *testing.T) {
	for text, ok := range map[string]bool{
		`[]`: true, ``: true, `[{"path":"/a"}]`: true, `[{"path":"~/a/../b","write":true}]`: true,
		`{}`: false, `[{"path":"a"}]`: false, `[{"path":"/a"},{"path":"/a/"}]`: false, `[{"path":"/a","wirte":true}]`: false,
		`[{"path":"/a","path":"/b"}]`: false, "[{\"path\":\"/a\\u0000\"}]": false, `[{"path":"/a"}] x`: false,
	} {
		list, err := folders.Parse([]byte(text), "/home/me")
		if (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
		if again, err := folders.Parse([]byte(folders.Encode(list)), ""); err != nil || len(again) != len(list) {
			t.Errorf("%s comes back as %v, %v", text, again, err)
		}
	}
}

func TestPathsAsPeopleWriteThem(t *testing.T) {
	docs, work := folder(t, "문서"), folder(t, "Work")
	put(t, filepath.Join(docs, "메모.txt"), "1")
	put(t, filepath.Join(docs, "일", "회의.txt"), "2")
	put(t, filepath.Join(work, "Plan.md"), "3")
	put(t, filepath.Join(work, "both.txt"), "4")
	put(t, filepath.Join(docs, "both.txt"), "5")
	put(t, filepath.Join(docs, norm.NFD.String("사진첩.txt")), "6") // as an archive from a Mac has it
	put(t, filepath.Join(docs, norm.NFD.String("여름")+"휴가", "a.txt"), "7")
	b := book(folders.Folder{Path: docs}, folders.Folder{Path: work, Write: true})
	for said, want := range map[string]string{
		"문서/메모.txt": "문서/메모.txt", "메모.txt": "문서/메모.txt", " 문서 / 메모.txt ": "문서/메모.txt", "문서 폴더/메모.txt": "문서/메모.txt", `문서\일\회의.txt`: "문서/일/회의.txt",
		"/문서/메모.txt": "문서/메모.txt", "회의.txt": "문서/일/회의.txt", "일/회의.txt": "문서/일/회의.txt", "work/Plan.md": "Work/Plan.md", "./문서/./메모.txt": "문서/메모.txt",
		filepath.Join(docs, "메모.txt"): "문서/메모.txt", norm.NFD.String("문서/메모.txt"): "문서/메모.txt", "문서/사진첩.txt": "문서/사진첩.txt", norm.NFD.String("사진첩.txt"): "문서/사진첩.txt",
		"문서/여름휴가/a.txt": "문서/여름휴가/a.txt", "plan.md": "Work/Plan.md",
	} {
		at, err := b.Find(t.Context(), said, folders.File)
		if err != nil {
			t.Errorf("%q: %v", said, err)
			continue
		}
		if at.Path != want {
			t.Errorf("%q leads to %q, not %q", said, at.Path, want)
		}
		if _, err := at.Read(10); err != nil {
			t.Errorf("%q: %v", said, err)
		}
		at.Close()
	}
	for said, code := range map[string]apperr.Code{
		"both.txt": apperr.FileUnclear, "없는.txt": apperr.FileMissing, "문서/없는.txt": apperr.FileMissing, "문서/일": apperr.FileRefused, "문서": apperr.FileRefused,
		"../메모.txt": apperr.PathOutside, "문서/../../etc/passwd": apperr.PathOutside, "/etc/passwd": apperr.PathOutside, "~/x": apperr.PathOutside, `C:\x\..\y`: apperr.PathOutside,
		docs + "/../Work/Plan.md": apperr.PathOutside, "문서/.env": apperr.FileRefused, "문서/.ssh/id_rsa": apperr.FileRefused, "문서/id_rsa": apperr.FileRefused, "문서/Server.PEM": apperr.FileRefused,
		"문서/a\x00b": apperr.FileRefused, "문서/a\nb": apperr.FileRefused, "문서/" + strings.Repeat("a/", 40) + "b": apperr.FileRefused, "문서/\xff": apperr.FileRefused,
		"문서/메모.txt/x": apperr.FileRefused,
	} {
		_, err := b.Find(t.Context(), said, folders.File)
		wants(t, err, code)
	}
	_, err := book().Find(t.Context(), "메모.txt", folders.File)
	wants(t, err, apperr.NoFolder)
}

func TestWhereANewFileGoes(t *testing.T) {
	docs, work, more := folder(t, "문서"), folder(t, "Work"), folder(t, "More")
	put(t, filepath.Join(docs, "a.txt"), "1")
	find := func(b *folders.Book, said string, need folders.Need) (string, error) {
		at, err := b.Find(t.Context(), said, need)
		if err != nil {
			return "", err
		}
		defer at.Close()
		if at.Info != nil {
			return "an old " + at.Path, at.Writable()
		}
		return at.Path, at.Writable()
	}
	one := book(folders.Folder{Path: docs}, folders.Folder{Path: work, Write: true})
	if got, err := find(one, "새.txt", folders.Free); got != "Work/새.txt" || err != nil {
		t.Errorf("it goes to %q, %v", got, err)
	}
	if got, err := find(one, "a.txt", folders.New); got != "" || err == nil {
		t.Errorf("there is one already: %q, %v", got, err)
	}
	_, err := find(one, "문서/새.txt", folders.Free)
	wants(t, err, apperr.FolderReadOnly)
	_, err = find(book(folders.Folder{Path: docs}), "새.txt", folders.Free)
	wants(t, err, apperr.FolderReadOnly)
	_, err = find(book(folders.Folder{Path: more, Write: true}, folders.Folder{Path: work, Write: true}), "새.txt", folders.Free)
	wants(t, err, apperr.FileUnclear)
	_, err = find(one, "Work/없는/새.txt", folders.Free)
	wants(t, err, apperr.FileMissing)
}

func TestNamesAndProblems(t *testing.T) {
	a, b := folder(t, "문서"), folder(t, "문서")
	gone := filepath.Join(real(t), "gone")
	places := book(folders.Folder{Path: a}, folders.Folder{Path: b}, folders.Folder{Path: gone}).Places(t.Context())
	if places[0].Name != "문서 ("+filepath.Base(filepath.Dir(a))+")" || places[2].Name != "gone" || places[2].Problem == nil || places[0].Problem != nil {
		t.Errorf("the places are %+v", places)
	}
	link := filepath.Join(real(t), "link")
	if err := os.Symlink(a, link); err != nil {
		t.Fatal(err)
	}
	if p := book(folders.Folder{Path: link}).Places(t.Context())[0]; p.Problem == nil {
		t.Error("a folder that has become a link can be used")
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	docs, out := folder(t, "문서"), real(t)
	put(t, filepath.Join(out, "secret.txt"), "secret")
	put(t, filepath.Join(docs, ".hidden", "key.txt"), "secret")
	put(t, filepath.Join(docs, "real", "a.txt"), "open")
	for name, to := range map[string]string{"out": out, "file.txt": filepath.Join(out, "secret.txt"), "in": ".hidden", "rel.txt": ".hidden/key.txt", "self": "."} {
		if err := os.Symlink(to, filepath.Join(docs, name)); err != nil {
			t.Fatal(err)
		}
	}
	b := book(folders.Folder{Path: docs, Write: true})
	for _, said := range []string{"문서/out/secret.txt", "문서/file.txt", "문서/in/key.txt", "문서/rel.txt", "문서/self/real/a.txt", "file.txt"} {
		for _, need := range []folders.Need{folders.File, folders.Any, folders.Free} {
			at, err := b.Find(t.Context(), said, need)
			if err == nil {
				at.Close()
			}
			if apperr.CodeOf(err) != apperr.FileRefused {
				t.Errorf("%q: %v", said, err)
			}
		}
	}
	var seen []string
	whole, err := b.Walk(t.Context(), nil, func(e folders.Entry) bool { seen = append(seen, e.Path); return true })
	if got := strings.Join(seen, " "); err != nil || !whole || got != "문서/real 문서/real/a.txt" {
		t.Errorf("the walk saw %s (%v, %v)", got, whole, err)
	}
}

// While a directory and a file are swapped for links to what nobody opened, again and again, nothing of it is ever read,
// written or found.
func TestSwappedWhileItIsRead(t *testing.T) {
	docs, out := folder(t, "문서"), real(t)
	put(t, filepath.Join(out, "a.txt"), "secret")
	put(t, filepath.Join(docs, "dir", "a.txt"), "open")
	put(t, filepath.Join(docs, "a.txt"), "open")
	b := book(folders.Folder{Path: docs, Write: true})
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	swap := func(name, to string) {
		defer wg.Done()
		path, aside := filepath.Join(docs, name), filepath.Join(docs, name+" aside")
		for ctx.Err() == nil {
			_ = os.Rename(path, aside)
			_ = os.Symlink(to, path)
			_ = os.Remove(path)
			_ = os.Rename(aside, path)
		}
	}
	wg.Add(2)
	go swap("dir", out)
	go swap("a.txt", filepath.Join(out, "a.txt"))
	read, wrote := 0, 0
	for i := range 1500 {
		said := []string{"문서/dir/a.txt", "문서/a.txt"}[i%2]
		at, err := b.Find(t.Context(), said, folders.Free)
		if err != nil || at.Info == nil {
			at.Close()
			continue
		}
		raw, err := at.Read(100)
		if err == nil {
			read++
			if string(raw) != "open" {
				t.Fatalf("%s: read %q", said, raw)
			}
			if at.Write(raw, raw) == nil {
				wrote++
			}
		}
		at.Close()
		_, _ = b.Walk(t.Context(), nil, func(e folders.Entry) bool {
			if raw, err := e.Read(100); err == nil && string(raw) == "secret" {
				t.Errorf("%s: the walk read it", e.Path)
			}
			return true
		})
	}
	stop()
	wg.Wait()
	if raw, err := os.ReadFile(filepath.Join(out, "a.txt")); err != nil || string(raw) != "secret" {
		t.Errorf("outside: %q, %v", raw, err)
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) != 1 {
		t.Errorf("outside: %v, %v", entries, err)
	}
	if read == 0 || wrote == 0 {
		t.Errorf("%d reads, %d writes: the race showed nothing", read, wrote)
	}
	t.Logf("%d reads and %d writes between the swaps", read, wrote)
}

func TestWriting(t *testing.T) {
	docs := folder(t, "문서")
	file := filepath.Join(docs, "a.txt")
	put(t, file, "one")
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(docs, "locked.txt"), "one")
	if err := os.Chmod(filepath.Join(docs, "locked.txt"), 0o444); err != nil {
		t.Fatal(err)
	}
	b := book(folders.Folder{Path: docs, Write: true})
	find := func(said string) *folders.At {
		t.Helper()
		at, err := b.Find(t.Context(), said, folders.Free)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(at.Close)
		return at
	}
	at := find("a.txt")
	if err := at.Write([]byte("one"), []byte("two")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if raw, _ := os.ReadFile(file); err != nil || string(raw) != "two" || info.Mode().Perm() != 0o640 {
		t.Errorf("it holds %q with %v", raw, info.Mode())
	}
	wants(t, find("a.txt").Write([]byte("one"), []byte("three")), apperr.Changed)
	wants(t, at.Write([]byte("two"), []byte("three")), apperr.Changed) // it is another file by now
	wants(t, find("locked.txt").Write([]byte("one"), []byte("two")), apperr.FileRefused)
	fresh, late := find("new.txt"), find("new.txt")
	if err := fresh.Write(nil, []byte("x")); err != nil {
		t.Fatal(err)
	}
	wants(t, late.Write(nil, []byte("y")), apperr.Changed)
	entries, err := os.ReadDir(docs)
	if err != nil || len(entries) != 3 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	ro, err := book(folders.Folder{Path: docs}).Find(t.Context(), "a.txt", folders.Free)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ro.Close)
	wants(t, ro.Write([]byte("two"), []byte("three")), apperr.FolderReadOnly)
}

func TestAWalkHasItsBounds(t *testing.T) {
	docs := folder(t, "문서")
	deep := docs
	for range 15 {
		deep = filepath.Join(deep, "d")
		put(t, filepath.Join(deep, "a.txt"), "x")
	}
	b, n := book(folders.Folder{Path: docs}), 0
	whole, err := b.Walk(t.Context(), nil, func(folders.Entry) bool { n++; return true })
	if err != nil || n != 23 { // twelve folders and their files: the thirteenth is not entered
		t.Errorf("%d seen, %v", n, err)
	}
	if whole {
		t.Error("a walk that did not see everything says it did")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Walk(ctx, nil, func(folders.Entry) bool { return true }); !errors.Is(err, context.Canceled) {
		t.Errorf("a walk that was canceled ends with %v", err)
	}
}

// Whatever is said, what is found lies inside the folder and is no hidden thing and no link.
func FuzzPaths(f *testing.F) {
	docs, out := folder(f, "문서"), real(f)
	put(f, filepath.Join(out, "secret.txt"), "secret")
	for _, name := range []string{"메모.txt", "일/a.txt", ".env", ".ssh/id_rsa", "일/.git/config", "key.pem", "secret.txt/.x"} {
		put(f, filepath.Join(docs, name), "open")
	}
	_ = os.Symlink(out, filepath.Join(docs, "out"))
	_ = os.Symlink("../..", filepath.Join(docs, "일", "up"))
	for _, s := range []string{"문서/메모.txt", "../x", "문서/out/secret.txt", `문서\..\..`, docs + "/일/a.txt", "~/x", "문서/일/up/x", ".env", "문서/ .env", "문서/．．/x", "문서//일///a.txt", "/proc/self/environ", "문서/메모.txt\x00", "C:a", "문서:메모.txt", "문서/key.pem ", "NUL", "문서/일/."} {
		f.Add(s)
	}
	b := book(folders.Folder{Path: docs, Write: true})
	f.Fuzz(func(t *testing.T, said string) {
		for _, need := range []folders.Need{folders.File, folders.Dir, folders.Any, folders.Free, folders.New} {
			at, err := b.Find(t.Context(), said, need)
			if err != nil {
				if apperr.CodeOf(err) == apperr.Internal {
					t.Fatalf("%q: %v", said, err)
				}
				continue
			}
			path, err := filepath.Rel(docs, at.Full)
			if err != nil || !filepath.IsLocal(path) {
				t.Errorf("%q leads to %s", said, at.Full)
			}
			for step := range strings.SplitSeq(path, "/") {
				if path != "." && folders.Hidden(step) {
					t.Errorf("%q leads to %s", said, at.Full)
				}
			}
			if at.Info != nil && at.Info.Mode().IsRegular() {
				if raw, err := at.Read(100); err != nil || string(raw) != "open" {
					t.Errorf("%q reads %q, %v", said, raw, err)
				}
				if r, err := filepath.EvalSymlinks(at.Full); err != nil || r != at.Full {
					t.Errorf("%q leads to %s by a link (%v)", said, at.Full, err)
				}
			}
			at.Close()
		}
	})
}
