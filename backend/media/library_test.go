package media

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"agentchat/backend/media/probe"
)

// shelf makes a music folder with files of the given names, all of them 2.5 seconds of sound.
func shelf(t *testing.T, names ...string) (string, *Library) {
	t.Helper()
	sound, err := os.ReadFile("probe/testdata/tone.mp3")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, name := range names {
		full := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, sound, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder, NewLibrary(func() Folders { return Folders{Music: folder} })
}

func titles(items []Item) map[string]bool {
	out := map[string]bool{}
	for _, item := range items {
		if !item.Bundled {
			out[item.Title.KO] = true
		}
	}
	return out
}

func TestItemsAreTheMediaFilesOfTheFolder(t *testing.T) {
	folder, library := shelf(t, "a.mp3", "앨범/봄날.FLAC", "notes.txt", ".hidden/b.mp3", ".c.mp3", "film.mp4")
	outside := t.TempDir()
	for link, target := range map[string]string{"out": outside, "in.mp3": filepath.Join(folder, "a.mp3"), "passwd.mp3": "/etc/passwd"} {
		if err := os.Symlink(target, filepath.Join(folder, link)); err != nil {
			t.Fatal(err)
		}
	}
	got := titles(library.Items(t.Context(), KindSong))
	// An absolute link is refused even when it points inside: os.Root follows relative ones only.
	if len(got) != 2 || !got["a"] || !got["봄날"] {
		t.Errorf("items %v", got)
	}
	if films := library.Items(t.Context(), KindMovie); len(films) != 1 || !films[0].Bundled {
		t.Errorf("films %+v", films)
	}
	missing := NewLibrary(func() Folders { return Folders{Music: filepath.Join(folder, "nowhere")} })
	if items := missing.Items(t.Context(), KindSong); len(titles(items)) != 0 || len(items) < 6 {
		t.Errorf("a missing folder has %d items", len(items))
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if items := library.Items(canceled, KindSong); len(titles(items)) != 0 {
		t.Errorf("canceled walk found %v", titles(items))
	}
}

func TestFindForgives(t *testing.T) {
	_, library := shelf(t, "01 - BTS - 봄날 (Spring Day).mp3", "IU - 좋은 날.mp3", "Yesterday.mp3")
	for title, want := range map[string]string{
		"봄날": "01 - BTS - 봄날 (Spring Day)", "spring day": "01 - BTS - 봄날 (Spring Day)", "좋은날": "IU - 좋은 날", "yesterday": "Yesterday", "yesteday": "Yesterday",
		"아리랑": "아리랑", "arirang": "아리랑", "아리랑 노래": "아리랑", "전광판왈츠": "전광판 왈츠",
	} {
		if item, err := library.Find(t.Context(), KindSong, title); err != nil || item.Title.KO != want {
			t.Errorf("Find(%q) = %q, %v", title, item.Title.KO, err)
		}
	}
	for _, title := range []string{"", "!!", "가", "없는 노래", "Bohemian Rhapsody"} {
		if item, err := library.Find(t.Context(), KindSong, title); !errors.Is(err, ErrNoSuchPiece) {
			t.Errorf("Find(%q) = %q, %v", title, item.Title.KO, err)
		}
	}
}

func TestNextGoesRound(t *testing.T) {
	for _, names := range [][]string{nil, {"a.mp3", "b.mp3", "c.mp3"}} {
		_, library := shelf(t, names...)
		want := len(names)
		if want == 0 {
			want = len(bundled(KindSong))
		}
		var mu sync.Mutex
		var all sync.WaitGroup
		seen := map[string]int{}
		for range 2 * want {
			all.Go(func() {
				item := library.Next(t.Context(), KindSong)
				mu.Lock()
				defer mu.Unlock()
				seen[item.ID]++
			})
		}
		all.Wait()
		for id, n := range seen {
			if n != 2 {
				t.Errorf("%s came %d times", id, n)
			}
		}
		if len(seen) != want {
			t.Errorf("%d different pieces, want %d", len(seen), want)
		}
	}
}

func TestPrepareOpensAndMeasures(t *testing.T) {
	folder, library := shelf(t, "a.mp3")
	item, err := library.Find(t.Context(), KindSong, "a.mp3")
	if !errors.Is(err, ErrNoSuchPiece) { // one letter names nothing
		t.Fatalf("%+v, %v", item, err)
	}
	item = library.Next(t.Context(), KindSong)
	source, seconds, err := library.Prepare(item)
	if err != nil || math.Abs(seconds-2.5) > 0.1 {
		t.Fatalf("%v s, %v", seconds, err)
	}
	content, modified, err := source.Open()
	if err != nil || modified.IsZero() {
		t.Fatal(err)
	}
	if data, err := io.ReadAll(content); err != nil || int64(len(data)) != item.Bytes {
		t.Errorf("%d bytes of %d, %v", len(data), item.Bytes, err)
	}
	if err := content.Close(); err != nil {
		t.Error(err)
	}
	if again := library.Items(t.Context(), KindSong)[0]; again.Seconds != seconds {
		t.Errorf("the list shows %v s", again.Seconds)
	}
	if err := os.Remove(filepath.Join(folder, "a.mp3")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := library.Prepare(item); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is gone: %v", err)
	}
	if _, _, err := source.Open(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is gone: %v", err)
	}
	item.Path = "../../etc/passwd"
	if _, _, err := library.Prepare(item); err == nil {
		t.Error("a path out of the folder was opened")
	}
}

func TestBundledPiecesAreWhatTheySay(t *testing.T) {
	for _, kind := range []string{KindSong, KindMovie} {
		for _, item := range bundled(kind) {
			source, seconds, err := NewLibrary(nil).Prepare(item)
			if err != nil {
				t.Fatal(err)
			}
			content, _, err := source.Open()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(content)
			if err != nil {
				t.Fatal(err)
			}
			file := inMemory(data).(memoryFile)
			if heard, err := probe.Seconds(file, int64(len(data))); err != nil || math.Abs(heard-seconds) > 0.1 || seconds != item.Seconds {
				t.Errorf("%s lasts %v s, says %v s, %v", item.ID, heard, seconds, err)
			}
			if item.Credit.KO == "" || item.Credit.EN == "" || contentType(source.Name) == "application/octet-stream" {
				t.Errorf("%+v", item)
			}
		}
	}
	if len(shopDay) > 600<<10 {
		t.Errorf("the film has %d bytes", len(shopDay))
	}
}
