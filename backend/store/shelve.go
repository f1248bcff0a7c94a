package store

import (
	"context"
	"database/sql/driver"
	"strings"

	"modernc.org/sqlite"

	"agentchat/backend/language/words"
	"agentchat/backend/library"
)

// shelfBatch is how many passages one transaction inserts; other writers wait for one such transaction at most.
const shelfBatch = 128

// checkpointAfter is after how many batches the write-ahead log is checkpointed: about 10 MB.
const checkpointAfter = 16

// library_terms lets migrations make the terms of the index.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("library_terms", 1, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		text, _ := args[0].(string)
		return words.Terms(text), nil
	})
}

// Shelve implements library.Store.
func (s *Store) Shelve(ctx context.Context, e library.Entry) error {
	d := e.Document
	begin := func(w *work) error {
		if err := w.clearDocuments(`hash=? AND state<>'ready' OR id=?`, d.Hash, d.ID); err != nil {
			return err
		}
		_, err := w.exec(`INSERT INTO documents (id, title, path, format, kind, hash, bytes, pages, articles, passages, added, state) VALUES (?,?,?,?,?,?,?,?,?,?,?,'adding')`,
			d.ID, d.Title, d.Path, d.Format, string(d.Kind), d.Hash, d.Bytes, d.Pages, len(e.Articles), len(e.Passages), micros(d.Added))
		if err == nil && d.Shelved {
			_, err = w.exec(`UPDATE documents SET shelved=1 WHERE id=?`, d.ID)
		}
		return err
	}
	end := func(w *work) error {
		_, err := w.exec(`UPDATE documents SET state='ready' WHERE id=?`, d.ID)
		return err
	}
	if len(e.Articles) <= shelfBatch && len(e.Passages) <= shelfBatch { // most are so short that they are one batch
		batch := indexOf(e, 0, len(e.Passages))
		err := s.tx(ctx, true, func(w *work) error {
			if err := begin(w); err != nil {
				return err
			}
			if err := w.addArticles(d.ID, e.Articles); err != nil {
				return err
			}
			if err := w.addPassages(d.ID, batch); err != nil {
				return err
			}
			return end(w)
		})
		if err == nil && s.shelved.Add(1)%checkpointAfter == 0 {
			s.checkpointNow(ctx)
		}
		return err
	}
	err := s.tx(ctx, false, begin)
	for from := 0; err == nil && from < len(e.Articles); from += shelfBatch {
		err = s.tx(ctx, false, func(w *work) error {
			return w.addArticles(d.ID, e.Articles[from:min(from+shelfBatch, len(e.Articles))])
		})
	}
	if err == nil {
		err = s.addAllPassages(ctx, e)
	}
	if err != nil {
		return err
	}
	return s.tx(ctx, true, end)
}

func (w *work) addArticles(document string, list []library.Article) error {
	for _, a := range list {
		if _, err := w.exec(`INSERT INTO articles (document, n, part, chapter, number, title, deleted, page, start, stop) VALUES (?,?,?,?,?,?,?,?,?,?)`,
			document, a.N, a.Part, a.Chapter, a.Number, a.Title, a.Deleted, a.Page, a.Start, a.End); err != nil {
			return err
		}
	}
	return nil
}

// indexed is a passage as the index holds it.
type indexed struct {
	passage    library.Passage
	head, body string // terms
	terms      int    // of the body
}

// addAllPassages puts the passages of a document in, batch by batch. While one is written the terms of the next are made.
func (s *Store) addAllPassages(ctx context.Context, e library.Entry) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ready := make(chan []indexed)
	go func() {
		defer close(ready)
		for from := 0; from < len(e.Passages); from += shelfBatch {
			select {
			case ready <- indexOf(e, from, min(from+shelfBatch, len(e.Passages))):
			case <-ctx.Done():
				return
			}
		}
	}()
	for batch := range ready {
		if err := s.tx(ctx, false, func(w *work) error { return w.addPassages(e.Document.ID, batch) }); err != nil {
			return err
		}
		if s.shelved.Add(1)%checkpointAfter == 0 {
			s.checkpointNow(ctx)
		}
	}
	return ctx.Err()
}

// indexOf makes the terms of some passages.
func indexOf(e library.Entry, from, to int) []indexed {
	batch := make([]indexed, 0, to-from)
	of, head := -2, "" // the article whose heading it is
	for _, p := range e.Passages[from:to] {
		if p.Article != of {
			text := e.Document.Title
			if p.Article >= 0 {
				text += " " + e.Articles[p.Article].Title
			}
			of, head = p.Article, words.Terms(text)
		}
		x := indexed{passage: p, head: head, body: words.Terms(p.Text)}
		if x.body != "" {
			x.terms = strings.Count(x.body, " ") + 1
		}
		batch = append(batch, x)
	}
	return batch
}

func (w *work) addPassages(document string, batch []indexed) error {
	all := 0
	for _, x := range batch {
		p := x.passage
		res, err := w.exec(`INSERT INTO passages (document, article, page, start, text, terms) VALUES (?,?,?,?,?,?)`,
			document, p.Article, p.Page, p.Start, p.Text, x.terms)
		if err != nil {
			return err
		}
		id, err := res.LastInsertId()
		if err != nil {
			return err
		}
		if _, err := w.exec(`INSERT INTO passages_fts (rowid, head, body) VALUES (?,?,?)`, id, x.head, x.body); err != nil {
			return err
		}
		all += x.terms
	}
	_, err := w.exec(`UPDATE library_size SET passages=passages+?, terms=terms+?`, len(batch), all)
	return err
}

// mergePages is how many pages of the index one step of TidyIndex writes.
const mergePages = 100

// TidyIndex implements library.Store.
func (s *Store) TidyIndex(ctx context.Context) (more bool, err error) {
	err = s.tx(ctx, false, func(w *work) error {
		before, err := w.changes()
		if err != nil {
			return err
		}
		if _, err := w.exec(`INSERT INTO passages_fts (passages_fts, rank) VALUES ('merge', ?)`, mergePages); err != nil {
			return err
		}
		after, err := w.changes()
		more = after-before > 1 // the statement itself counts for one
		return err
	})
	return more && err == nil, err
}

// changes is how many rows the writing connection has changed, those of the index's own tables among them.
func (w *work) changes() (n int64, err error) {
	err = w.s.conn.QueryRowContext(w.ctx, `SELECT total_changes()`).Scan(&n)
	return n, err
}
