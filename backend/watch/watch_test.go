package watch_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/watch"
)

type look struct {
	folder string
	late   bool
}

// looks is a watch whose every look is heard of.
func looks(t *testing.T, list func(folder string) ([]string, bool, error)) (*watch.Folders, chan look) {
	t.Helper()
	heard := make(chan look, 100)
	f := watch.New(watch.Deps{Look: func(_ context.Context, folder string, late bool) ([]string, bool, error) {
		dirs, again, err := list(folder)
		heard <- look{folder, late}
		return dirs, again, err
	}})
	if err := f.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Stop)
	return f, heard
}

func below(folder string) (dirs []string, again bool, err error) {
	err = filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			dirs = append(dirs, path)
		}
		return err
	})
	return dirs, false, err
}

func next(t *testing.T, heard chan look) look {
	t.Helper()
	select {
	case l := <-heard:
		return l
	case <-time.After(time.Minute):
		t.Fatal("nobody looked")
		return look{}
	}
}

// On a real disk: a folder is looked at when it is wanted, after a file came, also in a folder that came itself, and no more once it is
// wanted no longer.
func TestAFolderIsLookedAtWhenSomethingHappens(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	f, heard := looks(t, below)
	f.Follow([]string{dir})
	if l := next(t, heard); l.folder != dir || !l.late {
		t.Errorf("the first look is %+v", l)
	}
	next(t, heard) // once more, for what came before it was watched
	if err := os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	if l := next(t, heard); l.late {
		t.Error("what came before our eyes came late")
	}
	next(t, heard)
	if err := os.WriteFile(filepath.Join(dir, "a", "b", "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	next(t, heard)
	// One that goes and is made anew is another, and is watched as well.
	if err := os.RemoveAll(filepath.Join(dir, "a")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	next(t, heard)
	next(t, heard)
	if err := os.WriteFile(filepath.Join(dir, "a", "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	next(t, heard)
	f.Again(dir)
	next(t, heard)
	f.Follow([]string{other})
	if l := next(t, heard); l.folder != other || l.late {
		t.Errorf("the other folder's first look is %+v", l)
	}
	next(t, heard)
	for _, d := range []string{dir, other} {
		if err := os.WriteFile(filepath.Join(d, "file"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if l := next(t, heard); l.folder != other {
		t.Errorf("%s is still looked at", l.folder)
	}
}

// A computer that slept, a folder that cannot be looked at, and a file that is being written: the clock alone brings another look.
func TestTheClockBringsAnotherLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ahead atomic.Int64
		var unfinished, broken atomic.Bool
		var mu sync.Mutex
		var seen []look
		f := watch.New(watch.Deps{
			Wall: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())).Round(0) },
			Look: func(_ context.Context, folder string, late bool) ([]string, bool, error) {
				mu.Lock()
				defer mu.Unlock()
				seen = append(seen, look{folder, late})
				if broken.Load() {
					return nil, false, errors.New("it is gone")
				}
				return nil, unfinished.Load(), nil // nothing to be watched: the system has no part in this
			},
		})
		if err := f.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.Follow([]string{"x"})
		after := func(d time.Duration) int {
			mu.Lock()
			seen = nil
			mu.Unlock()
			time.Sleep(d) //nolint:forbidigo // the bubble's own time
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			return len(seen)
		}
		if n := after(24 * time.Hour); n != 1 || !seen[0].late {
			t.Errorf("an idle day took %d looks", n)
		}
		ahead.Store(int64(8 * time.Hour))
		if n := after(time.Minute); n != 1 || !seen[0].late {
			t.Errorf("after a sleep there were %d looks", n)
		}
		ahead.Store(int64(-8 * time.Hour))
		if n := after(time.Minute); n != 1 {
			t.Errorf("after the clock was set back there were %d looks", n)
		}
		broken.Store(true)
		ahead.Store(0)
		if n := after(10 * time.Minute); n < 15 || n > 21 {
			t.Errorf("a folder that is gone was looked for %d times in ten minutes", n)
		}
		broken.Store(false)
		unfinished.Store(true)
		if n := after(10 * time.Minute); n < 10 || n > 20 || !seen[0].late || !seen[1].late {
			t.Errorf("a file that is being written was looked at %d times in ten minutes: %+v", n, seen[:2])
		}
		unfinished.Store(false)
		after(2 * time.Minute)
		if n := after(time.Hour); n != 0 {
			t.Errorf("then there were %d looks in an idle hour", n)
		}
		f.Stop()
		f.Stop()
	})
}
