package library

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/failpoint"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/extract"
	"agentchat/backend/library/structure"
)

// ImportState is how an import stands.
type ImportState string

// The states of an import.
const (
	ImportRunning  ImportState = "running"
	ImportDone     ImportState = "done"
	ImportCanceled ImportState = "canceled"
)

// FileState is how one file of an import stands.
type FileState string

// The states of a file.
const (
	FilePending   FileState = "pending"
	FileDone      FileState = "done"
	FileDuplicate FileState = "duplicate" // its content is in the library already, as Document
	FileRefused   FileState = "refused"   // Failure says why
	FileCanceled  FileState = "canceled"
)

// Import is one errand: a file or a folder that is put into the library.
type Import struct {
	ID      string
	Path    string
	Kind    Kind
	State   ImportState
	Created time.Time
	Files   []File
}

// File is one file of an import.
type File struct {
	Path     string
	State    FileState
	Document string
	Failure  *apperr.Error
}

// maxFiles bounds what one import may hold, maxKept how many finished imports are kept to look at.
const (
	maxFiles = 20000
	maxKept  = 20
)

// importJob is an import under way.
type importJob struct {
	Import
	canceled bool
	stop     context.CancelFunc // ends the file at hand; nil: none is
	lane     lane               // whose it is now
}

// lane is one of the two lines that imports go through, one after the other: what is text is read first, so that nobody waits for
// another one's pictures.
type lane int

const (
	laneText lane = iota
	lanePictures
)

// Start goes on with imports that the end of the program interrupted, and takes new ones. Errors: storage errors.
func (l *Library) Start(ctx context.Context) error {
	list, err := l.deps.Store.Imports(ctx, func(i Import) bool { return i.State == ImportRunning })
	if err != nil {
		return err
	}
	l.mu.Lock()
	for _, i := range list {
		if i.State == ImportRunning {
			l.imports[i.ID] = &importJob{Import: i}
		}
	}
	l.mu.Unlock()
	l.queue.Start(ctx)
	l.pictures.Start(ctx)
	l.meaning.loop.Start(ctx)
	return nil
}

// Stop ends the work; the file at hand is taken up again at the next start. Stopping twice, or before Start, is fine.
func (l *Library) Stop() {
	l.queue.Stop()
	l.pictures.Stop()
	l.meaning.loop.Stop()
}

// Imports lists imports, those under way and the last that ended, oldest first.
func (l *Library) Imports(ctx context.Context) ([]Import, error) {
	return l.deps.Store.Imports(ctx, nil)
}

// work does one import after the other, and tidies up once none is left.
func (l *Library) work(ctx context.Context) (next time.Time) {
	for e := l.next(laneText); e != nil && ctx.Err() == nil; e = l.next(laneText) {
		l.carry(ctx, e, laneText)
	}
	l.tidy(ctx)
	return next
}

// look reads what of the imports is pictures, one after the other.
func (l *Library) look(ctx context.Context) (next time.Time) {
	for e := l.next(lanePictures); e != nil && ctx.Err() == nil; e = l.next(lanePictures) {
		l.carry(ctx, e, lanePictures)
		l.queue.Wake() // it tidies up
	}
	return next
}

// tidy makes finding quick again after imports, until the next one comes.
func (l *Library) tidy(ctx context.Context) {
	for ctx.Err() == nil && l.next(laneText) == nil {
		more, err := l.deps.Store.TidyIndex(ctx)
		if err != nil && ctx.Err() == nil {
			l.deps.Log.Warn().Err(err).Msg("the index could not be tidied; the end of the next import tries again")
		}
		if err != nil || !more {
			return
		}
	}
}

// next is the oldest import of a lane that is not over.
func (l *Library) next(of lane) *importJob {
	l.mu.Lock()
	defer l.mu.Unlock()
	var oldest *importJob
	for _, e := range l.imports {
		if e.lane != of {
			continue
		}
		if oldest == nil || e.Created.Before(oldest.Created) || e.Created.Equal(oldest.Created) && e.ID < oldest.ID {
			oldest = e
		}
	}
	return oldest
}

// carry does an import to its end, or until ctx ends. In the lane of texts it leaves what is pictures to the other one.
func (l *Library) carry(ctx context.Context, e *importJob, in lane) {
	left := false
	for n := range e.Files {
		f := e.Files[n]
		if f.State != FilePending {
			continue
		}
		own, stop := context.WithCancel(ctx)
		l.mu.Lock()
		e.stop = stop
		canceled := e.canceled
		l.mu.Unlock()
		later := false
		if canceled {
			f.State = FileCanceled
		} else {
			f, later = l.file(own, f, e.Kind, in)
		}
		stop()
		l.mu.Lock()
		e.stop, canceled = nil, e.canceled
		l.mu.Unlock()
		if ctx.Err() != nil {
			return
		}
		if canceled && f.State != FileDone && f.State != FileDuplicate {
			f, later = File{Path: f.Path, State: FileCanceled}, false
		}
		if later {
			left = true
			continue
		}
		if err := l.deps.Store.SaveFile(ctx, e.ID, n, f); err != nil {
			l.deps.Log.Error().Err(err).Str("file", f.Path).Msg("how the import of a file ended could not be kept; the next start looks again")
		}
		l.mu.Lock()
		e.Files[n] = f
		l.moved.Move()
		l.tell(e)
		l.mu.Unlock()
		if f.State == FileDone {
			l.meaning.loop.Wake()
			l.changed()
		}
	}
	l.mu.Lock()
	if left {
		e.lane = lanePictures
		l.mu.Unlock()
		l.pictures.Wake()
		return
	}
	if e.State = ImportDone; e.canceled {
		e.State = ImportCanceled
	}
	delete(l.imports, e.ID)
	l.moved.Move()
	done := e.Import
	l.mu.Unlock()
	done.Files = nil
	if err := l.deps.Store.SaveImport(ctx, done); err != nil {
		l.deps.Log.Error().Err(err).Msg("the end of an import could not be kept; the next start looks again")
	}
	l.tell(e) // once it is kept: whoever looks now sees the same
	l.prune(ctx)
}

// prune forgets the oldest imports that are over.
func (l *Library) prune(ctx context.Context) {
	list, err := l.deps.Store.Imports(ctx, func(Import) bool { return false })
	if err != nil {
		return
	}
	over := slices.DeleteFunc(list, func(i Import) bool { return i.State == ImportRunning })
	for n := range len(over) - maxKept {
		_ = l.deps.Store.DropImport(ctx, over[n].ID)
	}
}

// file puts one file in, unless the other lane should do it later. It never fails: how it ended stands in what it gives. What ctx
// ended stays pending.
func (l *Library) file(ctx context.Context, f File, kind Kind, in lane) (_ File, later bool) {
	refused := func(err error) (File, bool) {
		if ctx.Err() == nil {
			f.State, f.Failure = FileRefused, apperr.From(err)
		}
		return f, false
	}
	if failpoint.Enabled {
		failpoint.Hit("library.file before")
	}
	hash, size, err := hashOf(f.Path)
	if err != nil {
		if _, why := l.deps.Extract(ctx, f.Path); why != nil { // it says in both languages what is wrong with the file
			err = why
		}
		return refused(err)
	}
	read := l.deps.Extract
	if in == lanePictures {
		read = l.deps.Recognise
	}
	d := Document{Path: f.Path, Title: strings.TrimSuffix(filepath.Base(f.Path), filepath.Ext(f.Path)), Kind: kind, Hash: hash, Bytes: size}
	d, text, there, err := l.shelve(ctx, d, f.Path, read, func(text extract.Text, title string) string { return cmp.Or(text.Title, title) })
	switch {
	case errors.Is(err, extract.ErrPictures) && in == laneText:
		return f, true
	case err != nil:
		return refused(err)
	}
	if f.State, f.Document = FileDone, d.ID; !there {
		if failpoint.Enabled {
			failpoint.Hit("library.file after")
		}
		if len(text.Gaps) > 0 { // it is there, and not all of it
			f.Failure = apperr.New(apperr.DocumentPartly, "name", filepath.Base(f.Path), "detail", extract.Unread(text))
		}
		return f, false
	}
	if d.Shelved { // it came by a folder, and is now here for its own sake as well
		if err := l.deps.Store.KeepDocument(ctx, d.ID); err != nil {
			f.State, f.Document = FilePending, ""
			return refused(err)
		}
	}
	if d.Kind != KindAttached {
		f.State = FileDuplicate
		return f, false
	}
	if err := l.deps.Store.MarkDocument(ctx, d.ID, kind); err != nil { // it came with a message, and stays when that goes
		f.State, f.Document = FilePending, ""
		return refused(err)
	}
	return f, false
}

// shelve puts the file at path in as d, unless a document with its content is there: then that one is given. read reads it, titled says what
// it is called, by its text and by what d is called. text is what was read, nothing of a document that was there.
func (l *Library) shelve(ctx context.Context, d Document, path string, read func(ctx context.Context, path string) (extract.Text, error),
	titled func(text extract.Text, title string) string,
) (in Document, text extract.Text, there bool, err error) {
	if in, there, err = l.deps.Store.DocumentWithHash(ctx, d.Hash); err != nil || there {
		return in, text, there, err
	}
	if text, err = read(ctx, path); err != nil {
		return in, text, false, err
	}
	select {
	case l.shelving <- struct{}{}:
		defer func() { <-l.shelving }()
	case <-ctx.Done():
		return in, text, false, ctx.Err()
	}
	if in, there, err = l.deps.Store.DocumentWithHash(ctx, d.Hash); err != nil || there {
		return in, text, there, err
	}
	d.ID, d.Format, d.Pages, d.Added, d.Title = l.deps.NewID(), text.Format, len(text.Pages), l.deps.Now(), titled(text, d.Title)
	return d, text, false, l.deps.Store.Shelve(ctx, entry(d, text.Pages, text.Marks))
}

// entry reads the structure of a document.
func entry(d Document, pages []string, marks []structure.Mark) Entry {
	s := structure.Parse(pages, marks)
	e := Entry{Document: d}
	for n, a := range s.Articles {
		e.Articles = append(e.Articles, Article{
			Document: d.ID, N: n, Part: a.Part, Chapter: a.Chapter, Number: a.Number, Title: a.Title, Deleted: a.Deleted,
			Page: a.Page, Start: a.Start, End: a.End,
		})
	}
	for _, p := range s.Passages {
		e.Passages = append(e.Passages, Passage{Document: d.ID, Article: p.Article, Page: p.Page, Start: p.Start, Text: s.Text[p.Start:p.End]})
	}
	e.Document.Articles, e.Document.Passages = len(e.Articles), len(e.Passages)
	return e
}

// hashOf is the SHA-256 of a file's content, and its size. A file that is no regular one, or larger than anything that is
// read, has none.
func hashOf(path string) (string, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", 0, err
	}
	if !info.Mode().IsRegular() {
		return "", 0, errors.New("not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, 1<<30))
	return hex.EncodeToString(h.Sum(nil)), n, err
}

// tell publishes how an import stands. Called with l.mu held, or when the import is over.
func (l *Library) tell(e *importJob) {
	v := ViewOf(e.Import, l.deps.Lang())
	l.deps.Publisher.Publish(event.Of("", "", v))
}

// ViewOf draws an import for fronts: how far it is, and which files were not taken.
func ViewOf(i Import, lang bilingual.Lang) event.LibraryImport {
	v := event.LibraryImport{ID: i.ID, Path: i.Path, State: string(i.State), Total: len(i.Files), Problems: []event.ImportProblem{}, Notes: []event.ImportProblem{}}
	for _, f := range i.Files {
		switch f.State {
		case FilePending:
			if v.File == "" {
				v.File = filepath.Base(f.Path)
			}
			continue
		case FileDuplicate:
			v.Duplicates++
		case FileRefused:
			if len(v.Problems) < 100 && f.Failure != nil {
				v.Problems = append(v.Problems, event.ImportProblem{File: filepath.Base(f.Path), Code: string(f.Failure.Code), Message: f.Failure.Text(lang)})
			}
		case FileDone:
			if v.Added++; len(v.Notes) < 100 && f.Failure != nil {
				v.Notes = append(v.Notes, event.ImportProblem{File: filepath.Base(f.Path), Code: string(f.Failure.Code), Message: f.Failure.Text(lang)})
			}
		case FileCanceled:
		}
		v.Done++
	}
	return v
}
