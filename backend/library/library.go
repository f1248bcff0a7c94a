// Package library keeps the person's documents: it imports them, knows their articles, and finds the passages that answer a
// question. Everything works offline; vectors help where the model service has some.
package library

import (
	"context"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/extract"
)

// Kind says whose a document is.
type Kind string

// The kinds.
const (
	KindMine     Kind = "mine"
	KindStandard Kind = "standard" // a standard form to compare one's own with
	KindAttached Kind = "attached" // came with a message: no list holds it, and it is found by those who name it alone
)

// Document is one document of the library.
type Document struct {
	ID       string
	Title    string
	Path     string // where it came from; "" for one that came with the program
	Format   string // a key of extract.Formats
	Kind     Kind
	Hash     string // SHA-256 of the file, in hex
	Bytes    int64
	Pages    int
	Articles int
	Passages int
	Added    time.Time
	Shelved  bool // it is here because of shelves that follow a folder, and for nothing else
}

// Article is one article of a document. N is its place in the document, from 0; Start and End are bytes in its text.
type Article struct {
	Document string
	N        int
	Part     string
	Chapter  string
	Number   string
	Title    string
	Deleted  bool
	Page     int
	Start    int
	End      int
}

// Passage is one stretch of a document. Passages in the order of their ids make up its whole text. Article is the N of its
// article, -1 for none.
type Passage struct {
	ID       int64
	Document string
	Article  int
	Page     int
	Start    int // byte in the document's text
	Text     string
}

// Placed is a passage with the titles of where it stands.
type Placed struct {
	Passage Passage
	Title   string // of the document
	Chapter string // of the article
	Article string // its title
}

// Entry is a document ready to be put on the shelf. Terms of a passage are what the index holds.
type Entry struct {
	Document Document
	Articles []Article
	Passages []Passage
}

// Store keeps the library. Safe for concurrent use; errors are *apperr.Error.
type Store interface {
	// Documents are those of the library; what is attached to messages is not among them. own: nor is what only stands on shelves that
	// follow a folder.
	Documents(ctx context.Context, own bool) ([]Document, error)
	// DocumentsOn are those of a shelf that follows a folder.
	DocumentsOn(ctx context.Context, shelf string) ([]Document, error)
	// KeepDocument says that a document is here for its own sake, whatever becomes of shelves.
	KeepDocument(ctx context.Context, id string) error
	// Document gives one, also one that is attached; not_found when there is none.
	Document(ctx context.Context, id string) (Document, error)
	// DocumentWithHash gives the document with that content, false when there is none.
	DocumentWithHash(ctx context.Context, hash string) (Document, bool, error)
	// Shelve puts a document in, a few passages a transaction so that nobody waits long; it is there for others once the
	// last is in. What another run of the program left half done is gone before.
	Shelve(ctx context.Context, e Entry) error
	// RemoveDocument takes a document out; not_found when there is none.
	RemoveDocument(ctx context.Context, id string) error
	// MarkDocument says whose a document is; not_found when there is none.
	MarkDocument(ctx context.Context, id string, kind Kind) error
	Articles(ctx context.Context, document string) ([]Article, error)
	// Article gives the nth article of a document; not_found when there is none.
	Article(ctx context.Context, document string, n int) (Article, error)
	// ArticlesNumbered finds articles by number, in a place if one is given, at most so many.
	ArticlesNumbered(ctx context.Context, number, place string, limit int) ([]Article, error)
	// Titles are the different titles of articles, of documents of a kind ("": any) in a place ("": the library).
	Titles(ctx context.Context, kind Kind, place string) ([]string, error)
	// ArticlesTitled finds articles that have one of these titles, as Titles does, at most so many.
	ArticlesTitled(ctx context.Context, titles []string, kind Kind, place string, limit int) ([]Article, error)
	// Passages gives the passages of a document in order; from and to are bytes in its text, to 0 for its end.
	Passages(ctx context.Context, document string, from, to int) ([]Passage, error)
	// Placed gives passages of documents that are there, in the order of the ids; those that are gone are left out.
	Placed(ctx context.Context, ids []int64) ([]Placed, error)
	// Candidates are the passages that fit an index query, best first. kind "" and no place mean all; a place is a document, or the
	// place of a shelf (event.ShelfPlace).
	Candidates(ctx context.Context, match string, kind Kind, place string, limit int) ([]int64, error)
	// TidyIndex does a small step of what makes finding quick again after an import; more: there is more to do.
	TidyIndex(ctx context.Context) (more bool, err error)
	// Frequencies tells in how many passages terms stand, how many passages there are and how many terms they have in all. For
	// common terms it may be what was true a little earlier.
	Frequencies(ctx context.Context, terms []string) (holding map[string]int, passages int, total int64, err error)

	VectorStore

	// Imports lists all imports, oldest first. files tells of which of them the files are wanted, too; nil: of all.
	Imports(ctx context.Context, files func(Import) bool) ([]Import, error)
	SaveImport(ctx context.Context, i Import) error
	// SaveFile keeps how one file of an import stands.
	SaveFile(ctx context.Context, id string, n int, f File) error
	DropImport(ctx context.Context, id string) error
}

// Deps are the parts a Library works with.
type Deps struct {
	Store     Store
	Publisher event.Publisher
	Extract   func(ctx context.Context, path string) (extract.Text, error) // extract.ErrPictures: Recognise reads it
	Recognise func(ctx context.Context, path string) (extract.Text, error)
	Embedder  Embedder // nil: there never is one
	Lang      func() bilingual.Lang
	Now       func() time.Time
	NewID     func() string
	Log       zerolog.Logger
}

// Library is the person's documents. Safe for concurrent use.
type Library struct {
	deps    Deps
	meaning *meaning

	mu      sync.Mutex
	imports map[string]*importJob // those that are not over
	moved   Farther
	queue   *background.Loop
	// pictures is the lane of what takes long to read.
	pictures *background.Loop

	shelving chan struct{} // holds one while a document is put in: of two with one content the second finds the first
}

// New makes a library. Start lets it work.
func New(deps Deps) *Library {
	l := &Library{deps: deps, imports: map[string]*importJob{}, shelving: make(chan struct{}, 1)}
	l.queue = background.New(time.Now, retryAfter, l.work)
	l.pictures = background.New(time.Now, retryAfter, l.look)
	l.meaning = newMeaning(&l.deps)
	return l
}

// Documents lists what is in the library, one's own first, newest first.
func (l *Library) Documents(ctx context.Context) ([]Document, error) {
	return l.deps.Store.Documents(ctx, false)
}

// Own is Documents without what only stands on shelves that follow a folder: these may hold many thousands.
func (l *Library) Own(ctx context.Context) ([]Document, error) {
	return l.deps.Store.Documents(ctx, true)
}

// In gives the documents of a place: a document, or those of a shelf; none when it is gone.
func (l *Library) In(ctx context.Context, place string) ([]Document, error) {
	if shelf, ok := event.ShelfAt(place); ok {
		return l.deps.Store.DocumentsOn(ctx, shelf)
	}
	d, err := l.deps.Store.Document(ctx, place)
	if apperr.CodeOf(err) == apperr.NotFound {
		return nil, nil
	}
	return []Document{d}, err
}

// Remove takes a document out. Errors: not_found, storage errors.
func (l *Library) Remove(ctx context.Context, id string) error {
	if err := l.meaning.remove(ctx, id); err != nil {
		return err
	}
	l.changed()
	return nil
}

// Returned says that documents that were taken out are there again.
func (l *Library) Returned() {
	l.meaning.reload()
	l.changed()
}

func (l *Library) changed() {
	l.deps.Publisher.Publish(event.Of("", "", event.LibraryChanged{}))
}

// Pages gives a document's text from byte from to byte to (0: its end), passage by passage.
func (l *Library) Pages(ctx context.Context, id string, from, to int) (Document, []Passage, error) {
	d, err := l.deps.Store.Document(ctx, id)
	if err != nil {
		return Document{}, nil, err
	}
	p, err := l.deps.Store.Passages(ctx, id, from, to)
	return d, p, err
}
