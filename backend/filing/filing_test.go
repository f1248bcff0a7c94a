package filing_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agentchat/backend/filing"
	"agentchat/backend/folders"
	"agentchat/backend/store"
	"agentchat/backend/testing/breadth"
	"agentchat/backend/trash"
)

// house is an opened folder with a trash and a ledger.
type house struct {
	dir   string
	hands filing.Hands
	uses  int
}

func open(t testing.TB) *house { return with(t, ledger(t)) }

func ledger(t testing.TB) filing.Journal {
	t.Helper()
	s, err := store.Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// with is a house of its own with a ledger that others have, too.
func with(t testing.TB, s filing.Journal) *house {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &house{dir: filepath.Join(root, "다운로드")}
	if err := os.Mkdir(h.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	h.hands = filing.Hands{
		Folders: folders.NewBook(folders.Deps{List: func() []folders.Folder { return []folders.Folder{{Path: h.dir, Write: true}} }, Home: "/nowhere"}),
		Trash:   trash.Bin{Home: filepath.Join(root, "data")}, Journal: s,
	}
	return h
}

func (h *house) path(name string) string { return filepath.Join(h.dir, name) }

func (h *house) put(t fataler, name, text string, mode fs.FileMode, mod time.Time) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(h.path(name)), 0o755); err != nil {
		t.Fatal(err)
	}
	err := os.WriteFile(h.path(name), []byte(text), 0o600)
	err = errors.Join(err, os.Chmod(h.path(name), mode), os.Chtimes(h.path(name), mod, mod))
	if err != nil {
		t.Fatal(err)
	}
}

type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func (h *house) mark(t fataler, name string) *filing.Mark {
	t.Helper()
	info, err := os.Lstat(h.path(name))
	if err != nil {
		t.Fatal(err)
	}
	return filing.MarkOf(info)
}

func (h *house) move(t fataler, from, to string) filing.Step {
	return filing.Step{Op: filing.Move, Path: h.path(from), To: h.path(to), Was: h.mark(t, from)}
}

// tree is everything in the folder: bytes, modes and, of files, times.
func (h *house) tree(t fataler) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(h.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(h.dir, path)
		fmt.Fprintf(&b, "%s %v", rel, info.Mode())
		if info.Mode().IsRegular() {
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %d %q", info.ModTime().UnixNano(), raw)
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func (h *house) use() string {
	h.uses++
	return fmt.Sprintf("%s %d/1", h.dir, h.uses)
}

// do does steps as one use, whole.
func (h *house) do(t fataler, hands filing.Hands, steps []filing.Step) (use string, rows []filing.Row) {
	t.Helper()
	use = h.use()
	rows, err := hands.Do(context.Background(), use, steps, nil)
	if err != nil {
		t.Fatal(err)
	}
	return use, rows
}

// back are the steps that take a use back.
func back(t fataler, rows []filing.Row) (steps []filing.Step) {
	t.Helper()
	for _, r := range slices.Backward(rows) {
		if r.State != filing.Done {
			continue
		}
		b, ok := r.Step.Back()
		if !ok {
			t.Fatalf("nothing takes %+v back", r.Step)
		}
		steps = append(steps, b)
	}
	return steps
}

func all(t fataler, rows []filing.Row) {
	t.Helper()
	for _, r := range rows {
		if r.State != filing.Done {
			t.Fatalf("step %d %+v was left: %q", r.N, r.Step, r.Why)
		}
	}
}

var long = time.Date(2024, 5, 6, 7, 8, 9, 123456789, time.Local)

func TestWhatCannotBeDoneIsLeft(t *testing.T) {
	h := open(t)
	for _, name := range []string{"gone.txt", "changed.txt", "taken.txt", "well.txt", "old/taken.txt"} {
		h.put(t, name, name, 0o644, long)
	}
	var steps []filing.Step
	for _, name := range []string{"gone.txt", "changed.txt", "taken.txt", "well.txt"} {
		steps = append(steps, h.move(t, name, "old/"+name))
	}
	outside := h.move(t, "well.txt", "x")
	outside.To = filepath.Join(filepath.Dir(h.dir), "elsewhere.txt")
	steps = append(steps, outside, h.move(t, "taken.txt", ".hidden"))
	if err := os.Remove(h.path("gone.txt")); err != nil {
		t.Fatal(err)
	}
	h.put(t, "changed.txt", "other", 0o644, long)
	_, rows := h.do(t, h.hands, steps)
	got := make([]filing.Reason, len(rows))
	for i, r := range rows {
		got[i] = r.Why
	}
	if want := []filing.Reason{filing.Gone, filing.Changed, filing.Taken, "", filing.Closed, filing.Misnamed}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if raw, err := os.ReadFile(h.path("old/taken.txt")); err != nil || string(raw) != "old/taken.txt" {
		t.Errorf("what stood there holds %q, %v", raw, err)
	}
}

// A random tree, random things done to it, and taken back: it is as it was, byte for byte; and taking that back does it again.
// What somebody took away before its turn was not thrown away by the use, though something of that name lies in the trash since long.
func TestWhatWentAwayWasNotThrownAway(t *testing.T) {
	h := open(t)
	h.put(t, "a.txt", "one", 0o644, time.Now())
	_, rows := h.do(t, h.hands, []filing.Step{{Op: filing.Trash, Path: h.path("a.txt"), Was: h.mark(t, "a.txt")}})
	all(t, rows)
	h.put(t, "a.txt", "another", 0o644, time.Now())
	step := filing.Step{Op: filing.Trash, Path: h.path("a.txt"), Was: h.mark(t, "a.txt")}
	if err := os.Remove(h.path("a.txt")); err != nil {
		t.Fatal(err)
	}
	if _, rows = h.do(t, h.hands, []filing.Step{step}); rows[0].State != filing.Left || rows[0].Why != filing.Gone {
		t.Errorf("%+v", rows[0])
	}
}

func TestDoneAndTakenBackIsAsItWas(t *testing.T) {
	for name, apart := range map[string]bool{"on one disk": false, "on two": true} {
		t.Run(name, func(t *testing.T) {
			s := ledger(t)
			rapid.Check(t, func(r *rapid.T) {
				h := with(t, s)
				hands := h.hands
				if apart {
					hands = hands.Apart()
				}
				steps := someSteps(r, h)
				before := h.tree(r)
				_, rows := h.do(r, hands, steps)
				after := h.tree(r)
				_, undone := h.do(r, hands, back(r, rows))
				all(r, undone)
				if now := h.tree(r); now != before {
					r.Fatalf("it was\n%s\nand is\n%s\nafter %+v", before, now, rows)
				}
				_, redone := h.do(r, hands, back(r, undone))
				all(r, redone)
				if now := h.tree(r); now != after {
					r.Fatalf("it was\n%s\nand is again\n%s", after, now)
				}
			})
		})
	}
}

// someSteps fills the folder and says what is done in it.
func someSteps(r *rapid.T, h *house) (steps []filing.Step) {
	name := rapid.SampledFrom([]string{"가.txt", "나 나.pdf", "c.PNG", "d", "é.zip", "긴 이름의 파일.hwp"})
	dir := rapid.SampledFrom([]string{"", "", "", "안/", "안/속/"})
	mode := rapid.SampledFrom([]fs.FileMode{0o644, 0o600, 0o755, 0o444})
	for range rapid.IntRange(1, 8).Draw(r, "files") {
		text := rapid.StringN(0, 40, -1).Draw(r, "text")
		at := dir.Draw(r, "dir") + name.Draw(r, "name")
		if _, err := os.Lstat(h.path(at)); err == nil {
			continue
		}
		h.put(r, at, text, mode.Draw(r, "mode"), long.Add(time.Duration(rapid.Int64Range(0, 1e15).Draw(r, "mod"))))
	}
	var files []string
	_ = filepath.WalkDir(h.dir, func(path string, e fs.DirEntry, _ error) error {
		if !e.IsDir() {
			rel, _ := filepath.Rel(h.dir, path)
			files = append(files, rel)
		}
		return nil
	})
	for _, made := range []string{"새", "새/더"} {
		steps = append(steps, filing.Step{Op: filing.Make, Path: h.path(made)})
	}
	for i, f := range files {
		to := rapid.SampledFrom([]string{"새/", "새/더/", ""}).Draw(r, "to") + fmt.Sprint(i) + filepath.Base(f)
		switch rapid.IntRange(0, 3).Draw(r, "op") {
		case 0:
			steps = append(steps, h.move(r, f, to))
		case 1:
			s := h.move(r, f, to)
			s.Op = filing.Copy
			steps = append(steps, s)
		case 2:
			steps = append(steps, filing.Step{Op: filing.Trash, Path: h.path(f), Was: h.mark(r, f)})
		}
	}
	return steps
}

var whole = flag.Bool("filing.whole", false, "5,000 moves instead of a sample")

var errKilled = errors.New("killed")

// killing has the program end at the n-th point it passes.
func killing(h filing.Hands, n int) filing.Hands {
	return h.Gated(func(string) error {
		if n--; n == 0 {
			return errKilled
		}
		return nil
	})
}

// Killed at every point of a use, and of taking it back, and gone on with after each: nothing is lost, doubled or left half.
func TestKilledAnywhere(t *testing.T) {
	for name, apart := range map[string]bool{"on one disk": false, "on two": true} {
		t.Run(name, func(t *testing.T) {
			s := ledger(t)
			for point := 1; ; point++ {
				h := with(t, s)
				hands := h.hands
				if apart {
					hands = hands.Apart()
				}
				for i := range 3 {
					h.put(t, fmt.Sprintf("%d.txt", i), strings.Repeat("글", i), 0o640, long)
				}
				steps := []filing.Step{{Op: filing.Make, Path: h.path("새")}}
				steps = append(steps, h.move(t, "0.txt", "새/0.txt"))
				cp := h.move(t, "1.txt", "새/1.txt")
				cp.Op = filing.Copy
				steps = append(steps, cp, filing.Step{Op: filing.Trash, Path: h.path("2.txt"), Was: h.mark(t, "2.txt")})
				before := h.tree(t)
				again := func(use string, steps []filing.Step) ([]filing.Row, bool) {
					killed := false
					_, err := killing(hands, point).Do(t.Context(), use, steps, nil)
					if killed = errors.Is(err, errKilled); err != nil && !killed {
						t.Fatal(err)
					}
					rows, err := hands.Do(t.Context(), use, nil, nil)
					if err != nil {
						t.Fatal(err)
					}
					all(t, rows)
					return rows, killed
				}
				rows, killed := again(h.use(), steps)
				if len(rows) != len(steps) {
					t.Fatalf("killed at %d: %d of %d steps", point, len(rows), len(steps))
				}
				undone, killedBack := again(h.use(), back(t, rows))
				if now := h.tree(t); now != before {
					t.Fatalf("killed at %d: it was\n%s\nand is\n%s\nafter %+v", point, before, now, undone)
				}
				if !killed && !killedBack {
					break // the last point lies behind
				}
			}
		})
	}
}

// Many moves, killed again and again all along the way, and taken back the same way.
func TestManyMovesKilledAtEveryStep(t *testing.T) {
	many := breadth.Count(300, 100)
	if *whole {
		many = 5000
	}
	h := open(t)
	steps := []filing.Step{{Op: filing.Make, Path: h.path("문서")}}
	for i := range many {
		name := fmt.Sprintf("%04d.txt", i)
		h.put(t, name, name, 0o644, long)
		steps = append(steps, h.move(t, name, "문서/"+name))
	}
	before := h.tree(t)
	along := func(steps []filing.Step) []filing.Row {
		use := h.use()
		for kills := 0; ; kills++ {
			rows, err := killing(h.hands, 2).Do(t.Context(), use, steps, nil) // one point further each time
			if err == nil {
				if kills < len(steps) {
					t.Fatalf("killed only %d times", kills)
				}
				all(t, rows)
				return rows
			}
			if !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			if _, err := killing(h.hands, 3).Do(t.Context(), use, steps, nil); err == nil {
				continue // over: the next look says so
			}
		}
	}
	rows := along(steps)
	if list, err := os.ReadDir(h.path("문서")); err != nil || len(list) != many {
		t.Fatalf("%d are there, %v", len(list), err)
	}
	along(back(t, rows))
	if h.tree(t) != before {
		t.Error("it is not as it was")
	}
}

// What was replaced is put back with its mode and time; what has changed since is left.
func TestWritesAreTakenBack(t *testing.T) {
	h := open(t)
	h.put(t, "글.txt", "처음", 0o600, long)
	before := h.tree(t)
	write := func(text string) []filing.Row {
		t.Helper()
		use := h.use()
		at, err := h.hands.Folders.Find(t.Context(), "글.txt", folders.File)
		if err != nil {
			t.Fatal(err)
		}
		defer at.Close()
		was, err := at.Read(100)
		if err != nil {
			t.Fatal(err)
		}
		s := filing.Step{Op: filing.Write, Path: at.Full, Was: h.mark(t, "글.txt")}
		err = h.hands.Record(t.Context(), use, s, was, func() (filing.Step, error) {
			err := at.Write(was, []byte(text))
			s.Is = h.mark(t, "글.txt")
			return s, err
		})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := h.hands.Journal.Steps(t.Context(), use)
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	rows := write("둘째")
	_, undone := h.do(t, h.hands, back(t, rows))
	all(t, undone)
	if now := h.tree(t); now != before {
		t.Errorf("it was\n%s\nand is\n%s", before, now)
	}
	_, redone := h.do(t, h.hands, back(t, undone))
	all(t, redone)
	if raw, _ := os.ReadFile(h.path("글.txt")); string(raw) != "둘째" {
		t.Errorf("it holds %q", raw)
	}
	rows = write("셋째")
	h.put(t, "글.txt", "남이 고침", 0o600, long.Add(time.Hour))
	if seen := h.hands.Look(t.Context(), back(t, rows)); seen[0].Reason != filing.Changed {
		t.Errorf("seen: %+v", seen)
	}
	_, left := h.do(t, h.hands, back(t, rows))
	if left[0].State != filing.Left || left[0].Why != filing.Changed {
		t.Errorf("%+v", left)
	}
	if raw, _ := os.ReadFile(h.path("글.txt")); string(raw) != "남이 고침" {
		t.Errorf("it holds %q", raw)
	}
}
