package media

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/media/probe"
	"agentchat/backend/tools/match"
)

// Folders are where the customer keeps music and films. An empty name means none.
type Folders struct{ Music, Video string }

// Item is one piece of the library. Seconds is 0 where nobody has looked yet. A bundled piece has a Credit, one of the
// customer's own a Path relative to its folder, with slashes.
type Item struct {
	ID      string         `json:"id"`
	Kind    string         `json:"kind"` // song or movie
	Title   bilingual.Text `json:"title"`
	Seconds float64        `json:"seconds,omitempty"`
	Bundled bool           `json:"bundled,omitempty"`
	Credit  bilingual.Text `json:"credit,omitzero"`
	Path    string         `json:"path,omitempty"`
	Bytes   int64          `json:"bytes,omitempty"`
}

// ErrNoSuchPiece is returned by Find when no title fits.
var ErrNoSuchPiece = errors.New("media: no such piece")

const (
	maxFiles = 5000 // of one folder; a library beyond that wants a player of its own
	maxDepth = 6
	// alike is how similar a title must be to count as the one that was meant.
	alike = 0.68
)

// Library lists and opens what can be played: the files of the customer's folders and the bundled pieces. Files are
// reached through os.Root, so a link cannot lead out of the folder. Safe for concurrent use.
type Library struct {
	folders func() Folders

	mu     sync.Mutex
	turns  uint64
	played map[string]uint64  // item id → the turn it was last picked
	length map[string]float64 // item id with size and date → seconds
	listed map[string]listing // by kind
}

// NewLibrary makes a library. folders is asked each time, so that a changed setting counts at once; nil means none.
func NewLibrary(folders func() Folders) *Library {
	if folders == nil {
		folders = func() Folders { return Folders{} }
	}
	return &Library{folders: folders, played: map[string]uint64{}, length: map[string]float64{}, listed: map[string]listing{}}
}

// Folder is the customer's folder for a kind, "" when there is none.
func (l *Library) Folder(kind string) string {
	if kind == KindSong {
		return l.folders().Music
	}
	return l.folders().Video
}

// Items lists the pieces of a kind: the customer's own by path, then the bundled ones. A folder that cannot be read has
// no items; ctx ends a long walk early.
func (l *Library) Items(ctx context.Context, kind string) []Item {
	return append(l.files(ctx, kind), bundled(kind)...)
}

var extensions = map[string][]string{
	KindSong:  {".mp3", ".wav", ".ogg", ".oga", ".opus", ".flac", ".m4a", ".webm"},
	KindMovie: {".mp4", ".webm", ".mkv", ".mov", ".m4v"},
}

func (l *Library) files(ctx context.Context, kind string) []Item {
	folder := l.Folder(kind)
	if folder == "" {
		return nil
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil
	}
	defer root.Close() //nolint:errcheck // it was only read
	var items []Item
	_ = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil || len(items) >= maxFiles:
			return fs.SkipAll
		case err != nil:
			return nil // one unreadable corner hides only itself
		case name != "." && strings.HasPrefix(entry.Name(), "."), entry.IsDir() && strings.Count(name, "/") >= maxDepth:
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir() || !slices.Contains(extensions[kind], strings.ToLower(path.Ext(name))):
			return nil
		}
		info, err := root.Stat(name) // follows links inside the folder, and no further
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		title := norm.NFC.String(strings.TrimSuffix(entry.Name(), path.Ext(name)))
		items = append(items, Item{
			ID: "file:" + name, Kind: kind, Title: bilingual.Text{KO: title, EN: title}, Path: name, Bytes: info.Size(),
			Seconds: l.known(lengthKey(name, info)),
		})
		return nil
	})
	return items
}

// Find gives the piece whose title fits best: equal, then containing, then similar. The error is ErrNoSuchPiece.
func (l *Library) Find(ctx context.Context, kind, title string) (Item, error) {
	wanted := match.Fold(title)
	var best Item
	score := 0.0
	for _, item := range l.Items(ctx, kind) {
		if s := fits(wanted, item.Title); s > score {
			best, score = item, s
		}
	}
	if score < alike {
		return Item{}, ErrNoSuchPiece
	}
	l.mark(best.ID)
	return best, nil
}

// fit says how well a folded title fits the wanted one, 0…1. A title inside the other counts as nearly equal.
func fit(wanted, title string) float64 {
	switch {
	case wanted == "" || title == "":
		return 0
	case wanted == title:
		return 1
	case len(wanted) >= 2*len("가") && strings.Contains(title, wanted):
		return 0.9 + 0.09*float64(len(wanted))/float64(len(title))
	case len(title) >= 2*len("가") && strings.Contains(wanted, title):
		return 0.8 + 0.09*float64(len(title))/float64(len(wanted))
	}
	return match.Similarity(wanted, title)
}

// Next picks the piece of a kind that was not heard for the longest time: the customer's own if there are any, else a
// bundled one. Two who ask at once get different pieces, as long as there are two.
func (l *Library) Next(ctx context.Context, kind string) Item {
	items := l.files(ctx, kind)
	if len(items) == 0 {
		items = bundled(kind)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	pick := items[0]
	for _, item := range items[1:] {
		if l.played[item.ID] < l.played[pick.ID] {
			pick = item
		}
	}
	l.turns++
	l.played[pick.ID] = l.turns
	return pick
}

func (l *Library) mark(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.turns++
	l.played[id] = l.turns
}

// Prepare gives the source of an item and its length in seconds, 0 if its file does not tell.
func (l *Library) Prepare(item Item) (Source, float64, error) {
	if item.Bundled {
		return bundledSource(item), item.Seconds, nil
	}
	folder := l.Folder(item.Kind)
	source := Source{Name: path.Base(item.Path), Open: func() (io.ReadSeekCloser, time.Time, error) {
		file, info, err := open(folder, item.Path)
		if err != nil {
			return nil, time.Time{}, err
		}
		return file, info.ModTime(), nil
	}}
	seconds, err := l.measure(folder, item)
	return source, seconds, err
}

// measure reads a file's length, once for each version of the file.
func (l *Library) measure(folder string, item Item) (float64, error) {
	file, info, err := open(folder, item.Path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	key := lengthKey(item.Path, info)
	if seconds := l.known(key); seconds > 0 {
		return seconds, nil
	}
	seconds, err := probe.Seconds(file, info.Size())
	if err != nil {
		return 0, nil //nolint:nilerr // a file that does not tell its length still plays
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.length[key] = seconds
	return seconds, nil
}

func (l *Library) known(key string) float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.length[key]
}

func lengthKey(name string, info fs.FileInfo) string {
	return name + "\x00" + info.ModTime().UTC().Format(time.RFC3339Nano)
}

func open(folder, name string) (*os.File, fs.FileInfo, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close() //nolint:errcheck // the file outlives it
	info, err := root.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait for its other end
		return nil, nil, fs.ErrInvalid
	}
	file, err := root.Open(name)
	return file, info, err
}
