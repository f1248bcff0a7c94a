// Package shelf keeps shelves (서가) of the library that follow a folder: what is new or changed there is read, what is gone is asked about,
// dropped or kept. A folder is gone through quickly and often, by size and time alone; what these say may have changed stands in the ledger
// as waiting and is read in the background, one file after the other. So the end of the program loses nothing and doubles nothing.
package shelf

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/event"
	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
)

// Rule says what becomes of documents whose files are gone from the folder.
type Rule string

// The rules.
const (
	RuleAsk  Rule = "ask"
	RuleDrop Rule = "drop" // at once, unless so much goes at once that the disk may be away
	RuleKeep Rule = "keep"
)

// State is how a shelf stands.
type State string

// The states of a shelf.
const (
	Following State = "following"
	Stopped   State = "stopped"
	Dropping  State = "dropping" // it is being taken away, its documents with it
	Leaving   State = "leaving"  // it is being taken away, its documents stay in the library
)

// FileState is how a file of a shelf stands.
type FileState string

// The states of a file.
const (
	Waiting FileState = "waiting"
	Read    FileState = "read"
	Refused FileState = "refused"  // Failure says why
	Gone    FileState = "gone"     // from the folder; asked about
	Kept    FileState = "kept"     // gone from the folder, its document stays
	LeftOut FileState = "left_out" // a person took its document out
)

// Shelf is a shelf that follows a folder. Path is the folder's, absolute and without links; Looked is when it was gone through last, Other
// how many files of formats that are not read it had then.
type Shelf struct {
	ID      string
	Title   string
	Path    string
	Rule    Rule
	State   State
	Created time.Time
	Looked  time.Time
	Other   int
}

// File is one file of a shelf. Path is the way from the folder to it, with slashes, in NFC. Document is what was read of it last, "" for
// nothing; Failure why it was refused, or what could not be read. Slow ones are pictures, which are read after all else.
type File struct {
	Path     string
	Size     int64
	Mod      time.Time
	State    FileState
	Slow     bool
	Document string
	Failure  *apperr.Error
	Gone     time.Time
}

// Known is what a look compares with a file: Document says that something was read of it, Shut that it could not be opened.
type Known struct {
	Size     int64
	Mod      time.Time
	State    FileState
	Document bool
	Shut     bool
}

// Counts are how many files there are in each state, and when the last of those that are gone was found to be.
type Counts struct {
	By     map[FileState]int
	Newest time.Time
}

// Query narrows a list of files: to a state ("": all), to those whose path holds a text, and to those behind a path.
type Query struct {
	State FileState
	Text  string
	After string
	Limit int
}

// Move is a file that is gone while another with its content is there.
type Move struct{ From, Document, Shelf, To string }

// Store keeps shelves. Safe for concurrent use; errors are *apperr.Error.
type Store interface {
	Shelves(ctx context.Context) ([]Shelf, error)
	// Shelf gives one; shelf_gone when there is none.
	Shelf(ctx context.Context, id string) (Shelf, error)
	AddShelf(ctx context.Context, s Shelf) error
	// ChangeShelf keeps title, rule and state.
	ChangeShelf(ctx context.Context, s Shelf) error
	LookedAtShelf(ctx context.Context, id string, at time.Time, other int) error
	// ShelfKnown gives the files of a shelf by their paths.
	ShelfKnown(ctx context.Context, id string) (map[string]Known, error)
	// NoteShelf keeps what a look found, in one transaction: files that wait or are refused, that are gone, and (Read) that are there again.
	NoteShelf(ctx context.Context, id string, files []File) error
	// NextShelfFiles gives files that wait, by their paths.
	NextShelfFiles(ctx context.Context, id string, slow bool, after string, limit int) ([]File, error)
	// ShelfFile gives one; not_found when there is none.
	ShelfFile(ctx context.Context, id, path string) (File, error)
	ShelfPage(ctx context.Context, id string, q Query) ([]File, error)
	ShelfCounts(ctx context.Context, id string) (Counts, error)
	// SettleShelfFile keeps what became of a file that waited, if it still waits as it was, and gives the documents that went with it: what
	// was read of it before, or else what was read of it now.
	SettleShelfFile(ctx context.Context, id string, was, now File) (gone []string, err error)
	// MovedShelfFiles gives files that are gone while their document stands on a shelf by another file.
	MovedShelfFiles(ctx context.Context, id string, limit int) ([]Move, error)
	// MoveShelfFile has the document go by its other file's name.
	MoveShelfFile(ctx context.Context, id string, m Move) error
	// SettleGone drops or keeps what was found gone until a moment, of these paths (nil: all), and gives the documents that went.
	SettleGone(ctx context.Context, id string, paths []string, until time.Time, drop bool, limit int) (gone []string, more bool, err error)
	// EmptyShelf takes some files off a shelf, and the shelf itself once none is left.
	EmptyShelf(ctx context.Context, id string, drop bool, limit int) (gone []string, more bool, err error)
	// TidyShelves takes out what the end of the program left half done.
	TidyShelves(ctx context.Context) error
}

// Library is what shelves need of the library.
type Library interface {
	TakeIn(ctx context.Context, f library.Shelving) (d library.Document, there bool, partly *apperr.Error, err error)
	LetGo(ctx context.Context, drop func(context.Context) ([]string, error)) error
	Filled()
}

// Watch is what tells that something may have happened in a folder; watch.Folders is one.
type Watch interface {
	Follow(folders []string)
	Again(folder string)
}

// Deps are the parts a Book works with. Own are the shop's own files and folders, which no shelf follows; Home is the person's; Copies is a
// folder in which files lie while they are read; Knows tells by a file's name whether its format is read.
type Deps struct {
	Store     Store
	Library   Library
	Watch     Watch
	Publisher event.Publisher
	Own       []string
	Home      string
	Copies    string
	Knows     func(name string) bool
	Lang      func() bilingual.Lang
	Now       func() time.Time
	NewID     func() string
	Log       zerolog.Logger
}

// retryAfter is when a file is tried again that changed while it was read, and what the disk or the ledger refused.
const retryAfter = 3 * time.Second

// Book knows the shelves. Safe for concurrent use.
type Book struct {
	deps Deps
	// texts and pictures are the lanes in which files are read: what takes long keeps nobody else waiting.
	texts, pictures *background.Loop

	looking sync.Mutex // held while a folder is gone through
	editing sync.Mutex // held while a shelf is added or changed

	mu    sync.Mutex
	live  map[string]*live
	moved library.Farther
}

// live is what is known of a shelf in this run of the program. The book's mu guards it.
type live struct {
	looking bool
	problem *apperr.Error
	reading [2]string // by lane, the file at hand
	left    [2]int    // by lane, files of this pass that are not dealt with
	found   int
	hashed  int64
	told    time.Time
	busy    bool // its end is to be told
	retry   bool // a person wants what was refused to be tried again
}

// New makes a book; Start has it work.
func New(d Deps) *Book {
	b := &Book{deps: d, live: map[string]*live{}}
	b.texts = background.New(time.Now, time.Minute, func(ctx context.Context) time.Time { return b.work(ctx, laneText) })
	b.pictures = background.New(time.Now, time.Minute, func(ctx context.Context) time.Time { return b.work(ctx, lanePictures) })
	return b
}

// Start goes on with what the end of the program interrupted. Errors: storage errors.
func (b *Book) Start(ctx context.Context) error {
	if err := b.deps.Store.TidyShelves(ctx); err != nil {
		return err
	}
	if err := os.RemoveAll(b.deps.Copies); err != nil { // of a file that was being read
		b.deps.Log.Warn().Err(err).Msg("a copy that was made to be read stays")
	}
	if err := b.follow(ctx); err != nil {
		return err
	}
	b.texts.Start(ctx)
	b.pictures.Start(ctx)
	return nil
}

// Stop ends the work; the file at hand is read at the next start. Stopping twice, or before Start, is fine.
func (b *Book) Stop() {
	b.texts.Stop()
	b.pictures.Stop()
}

// follow has the folders watched that shelves follow.
func (b *Book) follow(ctx context.Context) error {
	list, err := b.deps.Store.Shelves(ctx)
	if err != nil {
		return err
	}
	var paths []string
	for _, s := range list {
		if s.State == Following {
			paths = append(paths, s.Path)
		}
	}
	b.deps.Watch.Follow(paths)
	return nil
}

// Get gives one shelf; shelf_gone when there is none.
func (b *Book) Get(ctx context.Context, id string) (Shelf, error) { return b.deps.Store.Shelf(ctx, id) }

// Files lists files of a shelf by their paths. Errors: storage errors.
func (b *Book) Files(ctx context.Context, id string, q Query) ([]File, error) {
	if q.Limit <= 0 || q.Limit > mostListed {
		q.Limit = mostListed
	}
	q.Text = norm.NFC.String(strings.TrimSpace(q.Text))
	return b.deps.Store.ShelfPage(ctx, id, q)
}

// mostListed is how many files one page of the list has.
const mostListed = 200

// room is the folder of a shelf, to be entered: read-only, and nothing that a link leads to.
func (b *Book) room(path string) *folders.Book {
	return folders.NewBook(folders.Deps{
		List: func() []folders.Folder { return []folders.Folder{{Path: path}} }, Own: b.deps.Own, Home: b.deps.Home,
	})
}

// of is what is known of a shelf in this run. Called with b.mu held.
func (b *Book) of(id string) *live {
	l := b.live[id]
	if l == nil {
		l = &live{}
		b.live[id] = l
	}
	return l
}

// change changes what is known of a shelf in this run.
func (b *Book) change(id string, do func(*live)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	do(b.of(id))
}

// tellEvery is how often it is told at most how far a shelf is.
const tellEvery = 500 * time.Millisecond

// tell publishes how a shelf is; soon: unless that was done a moment ago.
func (b *Book) tell(ctx context.Context, id string, soon bool) {
	late := false
	b.change(id, func(l *live) {
		now := time.Now()
		if late = soon && now.Sub(l.told) < tellEvery; !late {
			l.told = now
		}
	})
	if late {
		return
	}
	v, err := b.View(ctx, id)
	if err != nil {
		return // it is gone, and that was told
	}
	b.deps.Publisher.Publish(event.Of("", "", v))
}

// View draws a shelf for fronts. Errors: shelf_gone, storage errors.
func (b *Book) View(ctx context.Context, id string) (event.LibraryShelf, error) {
	s, err := b.deps.Store.Shelf(ctx, id)
	if err != nil {
		return event.LibraryShelf{}, err
	}
	return b.view(ctx, s)
}

// Views draws all shelves, oldest first. Errors: storage errors.
func (b *Book) Views(ctx context.Context) ([]event.LibraryShelf, error) {
	list, err := b.deps.Store.Shelves(ctx)
	views := make([]event.LibraryShelf, 0, len(list))
	for _, s := range list {
		v, err := b.view(ctx, s)
		if err != nil {
			return nil, err
		}
		views = append(views, v)
	}
	return views, err
}

func (b *Book) view(ctx context.Context, s Shelf) (event.LibraryShelf, error) {
	c, err := b.deps.Store.ShelfCounts(ctx, s.ID)
	if err != nil {
		return event.LibraryShelf{}, err
	}
	v := event.LibraryShelf{
		ID: s.ID, Title: s.Title, Path: s.Path, Rule: string(s.Rule), State: string(s.State), Other: s.Other,
		Read: c.By[Read], Waiting: c.By[Waiting], Refused: c.By[Refused], Gone: c.By[Gone], Kept: c.By[Kept], LeftOut: c.By[LeftOut],
	}
	for _, n := range c.By {
		v.Files += n
	}
	if v.Emptied = v.Gone > 0 && v.Gone+v.Kept == v.Files; v.Gone > 0 && v.Waiting == 0 { // of what waits some may be what is gone from elsewhere
		v.Mark = event.Stamp(c.Newest)
	}
	if !s.Looked.IsZero() {
		v.Looked = s.Looked.UTC().Format(time.RFC3339)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.of(s.ID)
	v.Looking, v.Found, v.Hashed = l.looking, l.found, l.hashed
	if v.Reading = l.reading[laneText]; v.Reading == "" {
		v.Reading = l.reading[lanePictures]
	}
	if l.problem != nil && s.State == Following {
		v.Problem = l.problem.Text(b.deps.Lang())
	}
	return v, nil
}

// full is where a file stands on the disk, as people are told.
func (s Shelf) full(rel string) string { return filepath.Join(s.Path, filepath.FromSlash(rel)) }

// same tells whether size and time say that a file is as it was.
func (k Known) same(info fs.FileInfo) bool {
	return k.Size == info.Size() && k.Mod.Equal(info.ModTime())
}
