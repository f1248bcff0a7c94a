package shop

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
	"agentchat/backend/library/extract"
	"agentchat/backend/undolog"
)

// openLibrary opens the library; its work begins with start.
func (s *Shop) openLibrary() {
	reader := extract.New(extract.Limits{}, filepath.Join(s.Config.Get().DataDir, "reader"))
	s.closing = append(s.closing, reader.Close)
	s.warm = sync.OnceFunc(func() {
		go func() { // nobody waits for it: closing frees what it makes, and it is nothing that could be lost
			if err := reader.Warm(); err != nil {
				log := s.Log.Component("library")
				log.Warn().Err(err).Msg("the reader of documents could not be made ready; the first one tries again")
			}
		}()
	})
	s.library = library.New(library.Deps{
		Store: s.store, Publisher: s.Bus, Extract: reader.ReadSoon, Recognise: reader.Read, Embedder: embedder{s}, Lang: func() bilingual.Lang { return s.Config.Get().Lang },
		Now: time.Now, NewID: newID, Log: s.Log.Component("library"),
	})
}

// ReadyReader has the reader of documents made ready in the background, so that the first one need not wait for it. Doing it again
// changes nothing.
func (s *Shop) ReadyReader() { s.warm() }

// DocumentView is one document as fronts list it. Added is RFC 3339 in UTC.
type DocumentView struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Path     string `json:"path,omitempty"`
	Format   string `json:"format"`
	Kind     string `json:"kind" ts_type:"library.Kind"` // mine or standard
	Bytes    int64  `json:"bytes"`
	Pages    int    `json:"pages"`
	Unit     string `json:"unit" ts_type:"extract.Unit"` // what its pages are
	Articles int    `json:"articles"`
	Passages int    `json:"passages"`
	Added    string `json:"added"`
}

// FormatView is a kind of file that can be read.
type FormatView struct {
	Key    string `json:"key"`
	Family string `json:"family" ts_type:"extract.Family"`
}

// LibraryView is everything the library page lists.
type LibraryView struct {
	Documents []DocumentView        `json:"documents"` // one's own first, newest first; without those that stand on shelves alone
	Shelves   []event.LibraryShelf  `json:"shelves"`   // those that follow folders, oldest first
	Imports   []event.LibraryImport `json:"imports"`   // oldest first
	Mode      string                `json:"mode"`      // how it is searched: lexical or hybrid
	Vectors   event.LibraryVectors  `json:"vectors"`
	Formats   []FormatView          `json:"formats"` // what can be read
}

// DocumentText is a document to read: its articles, and its text passage by passage.
type DocumentText struct {
	Document DocumentView  `json:"document"`
	Articles []ArticleView `json:"articles"`
	Passages []PassageView `json:"passages"`
}

// ArticleView is one article. Start and End are bytes in the document's text.
type ArticleView struct {
	Part    string `json:"part,omitempty"`
	Chapter string `json:"chapter,omitempty"`
	Number  string `json:"number,omitempty"`
	Title   string `json:"title"`
	Deleted bool   `json:"deleted,omitempty"`
	Page    int    `json:"page"`
	Start   int    `json:"start"`
	End     int    `json:"end"`
}

// PassageView is one stretch of a document's text, from byte Start on.
type PassageView struct {
	Page  int    `json:"page"`
	Start int    `json:"start"`
	Text  string `json:"text"`
}

func viewOfDocument(d library.Document) DocumentView {
	return DocumentView{
		ID: d.ID, Title: d.Title, Path: d.Path, Format: d.Format, Kind: string(d.Kind), Bytes: d.Bytes, Pages: d.Pages, Unit: string(extract.UnitOf(d.Format)),
		Articles: d.Articles, Passages: d.Passages, Added: event.Stamp(d.Added),
	}
}

// Library lists documents and imports. Errors: storage errors.
func (s *Shop) Library(ctx context.Context) (LibraryView, error) {
	v := LibraryView{Documents: []DocumentView{}, Imports: []event.LibraryImport{}, Mode: string(library.ModeLexical), Vectors: s.library.Vectors()}
	for _, f := range extract.Formats() {
		v.Formats = append(v.Formats, FormatView{f.Key, string(f.Family)})
	}
	if v.Vectors.Done > v.Vectors.Refused {
		v.Mode = string(library.ModeHybrid)
	}
	documents, err := s.library.Own(ctx)
	if err != nil {
		return v, err
	}
	if v.Shelves, err = s.shelves.Views(ctx); err != nil {
		return v, err
	}
	for _, d := range documents {
		v.Documents = append(v.Documents, viewOfDocument(d))
	}
	imports, err := s.library.Imports(ctx)
	for _, i := range imports {
		v.Imports = append(v.Imports, library.ViewOf(i, s.Config.Get().Lang))
	}
	return v, err
}

// ImportDocuments puts a file, or every readable file of a folder, into the library, in the background. Kind is mine or
// standard. Errors: document_refused, storage errors.
func (s *Shop) ImportDocuments(ctx context.Context, path, kind string) (event.LibraryImport, error) {
	i, err := s.library.Import(ctx, path, library.Kind(kind))
	if err != nil {
		return event.LibraryImport{}, err
	}
	return library.ViewOf(i, s.Config.Get().Lang), nil
}

// ImportAll is ImportDocuments of several paths, as one import: of these, what cannot be read stands refused in it.
func (s *Shop) ImportAll(ctx context.Context, paths []string, kind string) (event.LibraryImport, error) {
	i, err := s.library.ImportAll(ctx, paths, library.Kind(kind))
	if err != nil {
		return event.LibraryImport{}, err
	}
	return library.ViewOf(i, s.Config.Get().Lang), nil
}

// ResumeImport goes on with an import that was cancelled. Errors: not_found, storage errors.
func (s *Shop) ResumeImport(ctx context.Context, id string) (event.LibraryImport, error) {
	i, err := s.library.ResumeImport(ctx, id)
	if err != nil {
		return event.LibraryImport{}, err
	}
	return library.ViewOf(i, s.Config.Get().Lang), nil
}

// MarkDocument says whose a document is: mine or standard. Errors: not_found, invalid_args, storage errors.
func (s *Shop) MarkDocument(ctx context.Context, id, kind string) error {
	return s.library.Mark(ctx, id, library.Kind(kind))
}

// CancelImport ends an import; what is in the library already stays. Error: not_found.
func (s *Shop) CancelImport(id string) error { return s.library.CancelImport(id) }

// RemoveDocument takes a document out of the library. It comes back with TakeBack of the use that is given, for 30 days. Errors:
// not_found, storage errors.
func (s *Shop) RemoveDocument(ctx context.Context, id string) (use string, err error) {
	u := undolog.Use{ID: "hand:" + newID()}
	return u.ID, s.library.Remove(undolog.Under(ctx, u), id)
}

// Document gives a document to read, its text from byte from to byte to (0: its end). Errors: not_found, storage errors.
func (s *Shop) Document(ctx context.Context, id string, from, to int) (DocumentText, error) {
	d, passages, err := s.library.Pages(ctx, id, from, to)
	if err != nil {
		return DocumentText{}, err
	}
	t := DocumentText{Document: viewOfDocument(d), Articles: []ArticleView{}, Passages: []PassageView{}}
	for _, p := range passages {
		t.Passages = append(t.Passages, PassageView{Page: p.Page, Start: p.Start, Text: p.Text})
	}
	articles, err := s.library.Articles(ctx, id)
	for _, a := range articles {
		t.Articles = append(t.Articles, ArticleView{
			Part: a.Part, Chapter: a.Chapter, Number: a.Number, Title: a.Title, Deleted: a.Deleted, Page: a.Page, Start: a.Start, End: a.End,
		})
	}
	return t, err
}
