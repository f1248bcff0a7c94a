package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/library"
	"agentchat/backend/undolog"
)

const documentColumns = `id, title, path, format, kind, hash, bytes, pages, articles, passages, added, shelved`

func scanDocument(row row) (d library.Document, err error) {
	err = row.Scan(&d.ID, &d.Title, &d.Path, &d.Format, &d.Kind, &d.Hash, &d.Bytes, &d.Pages, &d.Articles, &d.Passages, moment{&d.Added}, &d.Shelved)
	return d, err
}

// Documents implements library.Store.
func (s *Store) Documents(ctx context.Context, own bool) ([]library.Document, error) {
	return collect(ctx, s.read, scanDocument, `SELECT `+documentColumns+` FROM documents WHERE state='ready' AND kind<>'attached' AND (NOT ? OR shelved=0) ORDER BY kind='standard', added DESC, title`, own)
}

// Document implements library.Store.
func (s *Store) Document(ctx context.Context, id string) (library.Document, error) {
	d, err := scanDocument(s.read.QueryRowContext(ctx, `SELECT `+documentColumns+` FROM documents WHERE id=? AND state='ready'`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return d, apperr.New(apperr.NotFound, "what", "document", "id", id)
	}
	return d, storageError(err)
}

// DocumentWithHash implements library.Store.
func (s *Store) DocumentWithHash(ctx context.Context, hash string) (library.Document, bool, error) {
	d, err := scanDocument(s.read.QueryRowContext(ctx, `SELECT `+documentColumns+` FROM documents WHERE hash=? AND state='ready'`, hash))
	if errors.Is(err, sql.ErrNoRows) {
		return d, false, nil
	}
	return d, err == nil, storageError(err)
}

// clearDocuments takes documents out whole.
func (w *work) clearDocuments(where string, args ...any) error {
	in := `(SELECT id FROM documents WHERE ` + where + `)`
	for _, q := range []string{
		`DELETE FROM passages_fts WHERE rowid IN (SELECT id FROM passages WHERE document IN ` + in + `)`,
		`UPDATE library_size SET passages=passages-(SELECT count(*) FROM passages WHERE document IN ` + in + `),
			terms=terms-(SELECT coalesce(sum(terms),0) FROM passages WHERE document IN ` + in + `)`,
		`DELETE FROM documents WHERE ` + where,
	} {
		all := args
		for n := strings.Count(q, "?") / len(args); n > 1; n-- {
			all = append(all, args...)
		}
		if _, err := w.exec(q, all...); err != nil {
			return err
		}
	}
	return nil
}

// RemoveDocument implements library.Store.
func (s *Store) RemoveDocument(ctx context.Context, id string) error {
	if _, err := s.Document(ctx, id); err != nil {
		return err
	}
	return s.tx(ctx, true, func(w *work) error {
		if err := w.leaveOut(id); err != nil {
			return err
		}
		out := func() error { return w.clearDocuments(`id=?`, id) }
		if _, kept := undolog.Of(ctx); kept { // nobody finds it, and it can come back as long as that is kept
			out = func() error { return w.change("document", id, `UPDATE documents SET state='removed' WHERE id=?`, id) }
		}
		if err := w.keeping(ctx, out, rowsOf{undolog.Documents, `id=?`, []any{id}}); err != nil {
			return err
		}
		return w.forgetAnswers("") // they may quote it
	})
}

// MarkDocument implements library.Store.
func (s *Store) MarkDocument(ctx context.Context, id string, kind library.Kind) error {
	if _, err := s.Document(ctx, id); err != nil {
		return err
	}
	return s.exec(ctx, true, `UPDATE documents SET kind=? WHERE id=?`, string(kind), id)
}

const articleColumns = `document, n, part, chapter, number, title, deleted, page, start, stop`

func scanArticle(row row) (a library.Article, err error) {
	err = row.Scan(&a.Document, &a.N, &a.Part, &a.Chapter, &a.Number, &a.Title, &a.Deleted, &a.Page, &a.Start, &a.End)
	return a, err
}

// Articles implements library.Store.
func (s *Store) Articles(ctx context.Context, document string) ([]library.Article, error) {
	return collect(ctx, s.read, scanArticle, `SELECT `+articleColumns+` FROM articles WHERE document=? ORDER BY n`, document)
}

// Article implements library.Store.
func (s *Store) Article(ctx context.Context, document string, n int) (library.Article, error) {
	a, err := scanArticle(s.read.QueryRowContext(ctx, `SELECT `+articleColumns+` FROM articles WHERE document=? AND n=?`, document, n))
	if errors.Is(err, sql.ErrNoRows) {
		return a, apperr.New(apperr.NotFound, "what", "article", "id", document)
	}
	return a, storageError(err)
}

// ArticlesNumbered implements library.Store.
func (s *Store) ArticlesNumbered(ctx context.Context, number, place string, limit int) ([]library.Article, error) {
	shelf, _ := event.ShelfAt(place)
	return collect(ctx, s.read, scanArticle, `SELECT a.document, a.n, a.part, a.chapter, a.number, a.title, a.deleted, a.page, a.start, a.stop
		FROM articles a JOIN documents d ON d.id=a.document AND d.state='ready' WHERE a.number=? AND a.number<>''
			AND (?2='' OR d.id=?2 OR `+onShelf("?3")+`) ORDER BY d.kind='standard', d.added DESC, a.document, a.n LIMIT ?4`, number, place, shelf, limit)
}

// inPlace is true of a document d of the kind ?1 in the place ?2, which is the shelf ?3.
var inPlace = `d.state='ready' AND (?1='' OR d.kind=?1) AND (?2='' AND d.kind<>'attached' OR d.id=?2 OR ` + onShelf("?3") + `)`

// Titles implements library.Store.
func (s *Store) Titles(ctx context.Context, kind library.Kind, place string) ([]string, error) {
	shelf, _ := event.ShelfAt(place)
	return collect(ctx, s.read, one[string],
		`SELECT DISTINCT a.title FROM documents d JOIN articles a ON a.document=d.id WHERE a.title<>'' AND `+inPlace, string(kind), place, shelf)
}

// ArticlesTitled implements library.Store.
func (s *Store) ArticlesTitled(ctx context.Context, titles []string, kind library.Kind, place string, limit int) ([]library.Article, error) {
	shelf, _ := event.ShelfAt(place)
	return collect(ctx, s.read, scanArticle, `SELECT a.document, a.n, a.part, a.chapter, a.number, a.title, a.deleted, a.page, a.start, a.stop
		FROM documents d JOIN articles a ON a.document=d.id JOIN json_each(?4) t ON t.value=a.title
		WHERE `+inPlace+` ORDER BY t.key, d.kind='standard', d.added DESC, a.document, a.n LIMIT ?5`, string(kind), place, shelf, jsonOf(titles), limit)
}

func scanPassage(row row) (p library.Passage, err error) {
	err = row.Scan(&p.ID, &p.Document, &p.Article, &p.Page, &p.Start, &p.Text)
	return p, err
}

// Passages implements library.Store.
func (s *Store) Passages(ctx context.Context, document string, from, to int) ([]library.Passage, error) {
	return collect(ctx, s.read, scanPassage, `SELECT id, document, article, page, start, text FROM passages
		WHERE document=?1 AND start>=?2 AND (?3=0 OR start<?3) ORDER BY start`, document, from, to)
}

// Placed implements library.Store. Cross joins are done in the order they are written in.
func (s *Store) Placed(ctx context.Context, ids []int64) ([]library.Placed, error) {
	return collect(ctx, s.read, func(row row) (x library.Placed, err error) {
		p := &x.Passage
		err = row.Scan(&p.ID, &p.Document, &p.Article, &p.Page, &p.Start, &p.Text, &x.Title, &x.Chapter, &x.Article)
		return x, err
	}, `SELECT p.id, p.document, p.article, p.page, p.start, p.text, d.title, coalesce(a.chapter, ''), coalesce(a.title, '')
		FROM json_each(?1) j CROSS JOIN passages p ON p.id=j.value CROSS JOIN documents d ON d.id=p.document AND d.state='ready'
		LEFT JOIN articles a ON a.document=p.document AND a.n=p.article ORDER BY j.key`, jsonOf(ids))
}

// Candidates implements library.Store. The heading weighs more than the body: it says what an article is about.
func (s *Store) Candidates(ctx context.Context, match string, kind library.Kind, place string, limit int) ([]int64, error) {
	query := `SELECT rowid FROM passages_fts WHERE passages_fts MATCH ?1 AND rank MATCH 'bm25(3.0, 1.0)' ORDER BY rank LIMIT ?2+0`
	args := []any{match, limit}
	filling := false
	if err := s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM documents WHERE state<>'ready') OR EXISTS (SELECT 1 FROM documents WHERE kind='attached')`).Scan(&filling); err != nil {
		return nil, storageError(err)
	}
	if kind != "" || place != "" || filling { // nor does one that is attached to a message take a place, or one that is being put in
		query = `SELECT f.rowid FROM passages_fts f JOIN passages p ON p.id=f.rowid JOIN documents d ON d.id=p.document
			WHERE passages_fts MATCH ?1 AND rank MATCH 'bm25(3.0, 1.0)' AND d.state='ready' AND (?3='' AND (d.kind<>'attached' OR ?4<>'') OR d.kind=?3) AND (?4='' OR d.id=?4 OR ` + onShelf("?5") + `) ORDER BY rank LIMIT ?2+0`
		shelf, _ := event.ShelfAt(place)
		args = append(args, string(kind), place, shelf)
	}
	return s.numbers(ctx, query, args...)
}

var _ library.Store = (*Store)(nil)

// Imports implements library.Store.
func (s *Store) Imports(ctx context.Context, files func(library.Import) bool) ([]library.Import, error) {
	list, err := collect(ctx, s.read, func(row row) (i library.Import, err error) {
		err = row.Scan(&i.ID, &i.Path, &i.Kind, &i.State, moment{&i.Created})
		return i, err
	}, `SELECT id, path, kind, state, created FROM imports ORDER BY created, id`)
	for n := range list {
		if err != nil {
			break
		}
		if files != nil && !files(list[n]) {
			continue
		}
		list[n].Files, err = collect(ctx, s.read, scanFile, `SELECT path, state, document, failure FROM import_files WHERE import=? ORDER BY n`, list[n].ID)
	}
	return list, err
}

func scanFile(row row) (f library.File, err error) {
	var why string
	err = row.Scan(&f.Path, &f.State, &f.Document, &why)
	f.Failure = readFailure(why)
	return f, err
}

// SaveImport implements library.Store.
func (s *Store) SaveImport(ctx context.Context, i library.Import) error {
	return s.tx(ctx, true, func(w *work) error {
		if _, err := w.exec(`INSERT INTO imports (id, path, kind, state, created) VALUES (?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET state=excluded.state`,
			i.ID, i.Path, string(i.Kind), string(i.State), micros(i.Created)); err != nil {
			return err
		}
		for n, f := range i.Files {
			if err := w.saveFile(i.ID, n, f); err != nil {
				return err
			}
		}
		return nil
	})
}

// SaveFile implements library.Store.
func (s *Store) SaveFile(ctx context.Context, id string, n int, f library.File) error {
	return s.tx(ctx, false, func(w *work) error { return w.saveFile(id, n, f) })
}

func (w *work) saveFile(id string, n int, f library.File) error {
	_, err := w.exec(`INSERT INTO import_files (import, n, path, state, document, failure) VALUES (?,?,?,?,?,?)
		ON CONFLICT (import, n) DO UPDATE SET state=excluded.state, document=excluded.document, failure=excluded.failure`,
		id, n, f.Path, string(f.State), f.Document, writeFailure(f.Failure))
	return err
}

// DropImport implements library.Store.
func (s *Store) DropImport(ctx context.Context, id string) error {
	return s.exec(ctx, false, `DELETE FROM imports WHERE id=?`, id)
}
