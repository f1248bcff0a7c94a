package store

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/library"
	"agentchat/backend/shelf"
)

var _ shelf.Store = (*Store)(nil)

// onShelf is true of a document d that stands on the shelf of that argument; of none when it is ”.
func onShelf(arg string) string {
	return `(` + arg + `<>'' AND EXISTS (SELECT 1 FROM shelf_files s WHERE s.document=d.id AND instr(','||` + arg + `||',', ','||s.shelf||',')))`
}

// DocumentsOn implements library.Store.
func (s *Store) DocumentsOn(ctx context.Context, shelf string) ([]library.Document, error) {
	return collect(ctx, s.read, scanDocument, `SELECT `+documentColumns+` FROM documents d WHERE state='ready'
		AND id IN (SELECT document FROM shelf_files WHERE instr(','||?||',', ','||shelf||',') AND document<>'') ORDER BY title, id`, shelf)
}

// KeepDocument implements library.Store.
func (s *Store) KeepDocument(ctx context.Context, id string) error {
	return s.exec(ctx, true, `UPDATE documents SET shelved=0 WHERE id=?`, id)
}

// leaveOut notes on shelves that a person took a document out: it is not read again as long as its file stays as it is. What is gone from
// the folder, too, needs no note.
func (w *work) leaveOut(document string) error {
	if _, err := w.exec(`DELETE FROM shelf_files WHERE document=? AND state IN ('gone', 'kept')`, document); err != nil {
		return err
	}
	_, err := w.exec(`UPDATE shelf_files SET state=CASE state WHEN 'read' THEN 'left_out' ELSE state END, document='', failure=CASE state WHEN 'read' THEN '' ELSE failure END WHERE document=?`, document)
	return err
}

const selectShelf = `SELECT id, title, path, rule, state, created, looked, other FROM shelves `

func scanShelf(row row) (x shelf.Shelf, err error) {
	err = row.Scan(&x.ID, &x.Title, &x.Path, &x.Rule, &x.State, moment{&x.Created}, moment{&x.Looked}, &x.Other)
	return x, err
}

// Shelves implements shelf.Store.
func (s *Store) Shelves(ctx context.Context) ([]shelf.Shelf, error) {
	return collect(ctx, s.read, scanShelf, selectShelf+`ORDER BY created, id`)
}

// Shelf implements shelf.Store.
func (s *Store) Shelf(ctx context.Context, id string) (shelf.Shelf, error) {
	x, err := scanShelf(s.read.QueryRowContext(ctx, selectShelf+`WHERE id=?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return x, apperr.New(apperr.ShelfGone)
	}
	return x, storageError(err)
}

// AddShelf implements shelf.Store.
func (s *Store) AddShelf(ctx context.Context, x shelf.Shelf) error {
	return s.exec(ctx, true, `INSERT INTO shelves (id, title, path, rule, state, created) VALUES (?,?,?,?,?,?)`,
		x.ID, x.Title, x.Path, string(x.Rule), string(x.State), micros(x.Created))
}

// ChangeShelf implements shelf.Store. One that is being taken away stays that.
func (s *Store) ChangeShelf(ctx context.Context, x shelf.Shelf) error {
	return s.exec(ctx, true, `UPDATE shelves SET title=?, rule=?, state=? WHERE id=? AND state IN ('following', 'stopped')`, x.Title, string(x.Rule), string(x.State), x.ID)
}

// LookedAtShelf implements shelf.Store.
func (s *Store) LookedAtShelf(ctx context.Context, id string, at time.Time, other int) error {
	return s.exec(ctx, false, `UPDATE shelves SET looked=?, other=? WHERE id=?`, micros(at), other, id)
}

// ShelfKnown implements shelf.Store.
func (s *Store) ShelfKnown(ctx context.Context, id string) (map[string]shelf.Known, error) {
	known := map[string]shelf.Known{}
	rows, err := s.read.QueryContext(ctx, `SELECT path, size, mtime, state, document<>'', failure LIKE '%"`+string(apperr.FileRefused)+`"%' FROM shelf_files WHERE shelf=?`, id)
	err = each(rows, err, func(r row) error {
		var path string
		var k shelf.Known
		var mod int64
		if err := r.Scan(&path, &k.Size, &mod, &k.State, &k.Document, &k.Shut); err != nil {
			return err
		}
		k.Mod = time.Unix(0, mod)
		known[path] = k
		return nil
	})
	return known, err
}

// NoteShelf implements shelf.Store.
func (s *Store) NoteShelf(ctx context.Context, id string, files []shelf.File) error {
	at := max(micros(s.now()), 1)
	return s.tx(ctx, false, func(w *work) error {
		for _, f := range files {
			var err error
			switch f.State {
			case shelf.Gone: // what nothing was read of leaves nothing behind
				if _, err = w.exec(`DELETE FROM shelf_files WHERE shelf=? AND path=? AND document=''`, id, f.Path); err == nil {
					_, err = w.exec(`UPDATE shelf_files SET state='gone', gone=? WHERE shelf=? AND path=? AND state NOT IN ('gone', 'kept')`, at, id, f.Path)
				}
			case shelf.Read: // it is there again as it was
				_, err = w.exec(`UPDATE shelf_files SET state='read', gone=0 WHERE shelf=? AND path=? AND document<>''`, id, f.Path)
			default:
				_, err = w.exec(`INSERT INTO shelf_files (shelf, path, size, mtime, state, failure) SELECT id,?2,?3,?4,?5,?6 FROM shelves WHERE id=?1
					ON CONFLICT (shelf, path) DO UPDATE SET size=excluded.size, mtime=excluded.mtime, state=excluded.state, failure=excluded.failure, slow=0, gone=0`,
					id, f.Path, f.Size, f.Mod.UnixNano(), string(f.State), writeFailure(f.Failure))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

const shelfFileColumns = `path, size, mtime, state, slow, document, failure, gone`

func scanShelfFile(row row) (f shelf.File, err error) {
	var mod, gone int64
	var why string
	err = row.Scan(&f.Path, &f.Size, &mod, &f.State, &f.Slow, &f.Document, &why, &gone)
	f.Mod, f.Gone, f.Failure = time.Unix(0, mod), fromMicros(gone), readFailure(why)
	return f, err
}

// NextShelfFiles implements shelf.Store.
func (s *Store) NextShelfFiles(ctx context.Context, id string, slow bool, after string, limit int) ([]shelf.File, error) {
	return collect(ctx, s.read, scanShelfFile, `SELECT `+shelfFileColumns+` FROM shelf_files WHERE shelf=? AND state='waiting' AND slow=? AND path>? ORDER BY path LIMIT ?`, id, slow, after, limit)
}

// ShelfFile implements shelf.Store.
func (s *Store) ShelfFile(ctx context.Context, id, path string) (shelf.File, error) {
	f, err := scanShelfFile(s.read.QueryRowContext(ctx, `SELECT `+shelfFileColumns+` FROM shelf_files WHERE shelf=? AND path=?`, id, path))
	if errors.Is(err, sql.ErrNoRows) {
		return f, apperr.New(apperr.NotFound, "what", "file", "id", path)
	}
	return f, storageError(err)
}

// ShelfPage implements shelf.Store.
func (s *Store) ShelfPage(ctx context.Context, id string, q shelf.Query) ([]shelf.File, error) {
	like := ""
	if q.Text != "" {
		like = "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(q.Text) + "%"
	}
	if q.State == "" {
		return collect(ctx, s.read, scanShelfFile, `SELECT `+shelfFileColumns+` FROM shelf_files WHERE shelf=?1 AND path>?2 AND (?3='' OR path LIKE ?3 ESCAPE '\') ORDER BY path LIMIT ?4`,
			id, q.After, like, q.Limit)
	}
	return collect(ctx, s.read, scanShelfFile, `SELECT `+shelfFileColumns+` FROM shelf_files WHERE shelf=?1 AND path>?2 AND (?3='' OR path LIKE ?3 ESCAPE '\') AND state=?5 ORDER BY path LIMIT ?4`,
		id, q.After, like, q.Limit, string(q.State))
}

// ShelfCounts implements shelf.Store.
func (s *Store) ShelfCounts(ctx context.Context, id string) (c shelf.Counts, err error) {
	c.By = map[shelf.FileState]int{}
	rows, err := s.read.QueryContext(ctx, `SELECT state, count(*) FROM shelf_files WHERE shelf=? GROUP BY state`, id)
	err = each(rows, err, func(r row) error {
		var state shelf.FileState
		var n int
		err := r.Scan(&state, &n)
		c.By[state] = n
		return err
	})
	if err == nil && c.By[shelf.Gone] > 0 {
		err = storageError(s.read.QueryRowContext(ctx, `SELECT coalesce(max(gone), 0) FROM shelf_files WHERE shelf=? AND state='gone'`, id).Scan(moment{&c.Newest}))
	}
	return c, err
}

// SettleShelfFile implements shelf.Store.
func (s *Store) SettleShelfFile(ctx context.Context, id string, was, now shelf.File) (gone []string, err error) {
	err = s.tx(ctx, false, func(w *work) error {
		gone = nil
		var old []string
		old, err := w.ids(`SELECT document FROM shelf_files WHERE shelf=? AND path=? AND document<>''`, id, was.Path)
		if err != nil {
			return err
		}
		done, err := w.ids(`UPDATE shelf_files SET state=?, slow=?, failure=?, document=CASE WHEN ?4<>'' THEN ?4 ELSE document END, size=?, mtime=?, gone=0
			WHERE shelf=? AND path=? AND state='waiting' AND (size=? AND mtime=? OR size=?5 AND mtime=?6) RETURNING path`,
			string(now.State), now.Slow, writeFailure(now.Failure), now.Document, now.Size, now.Mod.UnixNano(), id, was.Path, was.Size, was.Mod.UnixNano())
		switch {
		case err != nil:
			return err
		case len(done) == 0: // it was changed since it was read, or taken away
			old = []string{now.Document}
		case now.Document == "":
			return nil
		default: // what came with a message stands on a shelf now
			if _, err := w.exec(`UPDATE documents SET kind='mine', shelved=1 WHERE id=? AND kind='attached'`, now.Document); err != nil {
				return err
			}
		}
		gone, err = w.unshelve(old...)
		return err
	})
	return gone, err
}

// unshelve takes out those documents that stood on shelves alone and stand on none any more, and gives which. One that came with a message
// as well is again what that came with.
func (w *work) unshelve(documents ...string) (gone []string, err error) {
	for _, d := range documents {
		if d == "" {
			continue
		}
		loose, err := w.ids(`SELECT id FROM documents d WHERE id=? AND shelved=1 AND NOT EXISTS (SELECT 1 FROM shelf_files s WHERE s.document=d.id AND s.document<>'')`, d)
		if err != nil {
			return gone, err
		}
		if len(loose) == 0 {
			continue
		}
		back, err := w.ids(`UPDATE documents SET kind='attached', shelved=0 WHERE id=? AND state='ready' AND hash IN (SELECT id FROM attachments) RETURNING id`, d)
		if err != nil {
			return gone, err
		}
		if len(back) == 0 {
			if err := w.clearDocuments(`id=?`, d); err != nil {
				return gone, err
			}
		}
		gone = append(gone, d)
	}
	if len(gone) > 0 {
		err = w.forgetAnswers("") // they may quote it
	}
	return gone, err
}

// MovedShelfFiles implements shelf.Store.
func (s *Store) MovedShelfFiles(ctx context.Context, id string, limit int) ([]shelf.Move, error) {
	return collect(ctx, s.read, func(row row) (m shelf.Move, err error) {
		return m, row.Scan(&m.From, &m.Document, &m.Shelf, &m.To)
	}, `SELECT g.path, g.document, min(r.shelf), min(r.path) FROM shelf_files g JOIN shelf_files r ON r.document=g.document AND r.state='read'
		WHERE g.shelf=? AND g.state IN ('gone', 'kept') AND g.document<>'' GROUP BY g.path LIMIT ?`, id, limit)
}

// MoveShelfFile implements shelf.Store. What the document is called is part of the index where its file's name is its title.
func (s *Store) MoveShelfFile(ctx context.Context, id string, m shelf.Move) error {
	from, err := s.Shelf(ctx, id)
	if err != nil {
		return err
	}
	to, err := s.Shelf(ctx, m.Shelf)
	if err != nil {
		return err
	}
	d, err := s.Document(ctx, m.Document)
	if err != nil {
		return err
	}
	title, path := d.Title, filepath.Join(to.Path, filepath.FromSlash(m.To))
	if d.Path != filepath.Join(from.Path, filepath.FromSlash(m.From)) {
		path = d.Path // it was read of another file
	} else if title == stem(m.From) {
		title = stem(m.To)
	}
	for after := int64(-1); title != d.Title; {
		var last int64
		err := s.tx(ctx, false, func(w *work) (err error) {
			last, err = w.reindex(d.ID, title, after)
			return err
		})
		if err != nil {
			return err
		}
		if last < 0 {
			break
		}
		after = last
	}
	return s.tx(ctx, false, func(w *work) error {
		if _, err := w.exec(`UPDATE documents SET path=?, title=? WHERE id=?`, path, title, d.ID); err != nil {
			return err
		}
		_, err := w.exec(`DELETE FROM shelf_files WHERE shelf=? AND path=? AND state IN ('gone', 'kept')`, id, m.From)
		return err
	})
}

func stem(path string) string {
	base := path[strings.LastIndexByte(path, '/')+1:]
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// reindex writes the heads of some passages behind an id anew, by another title, and gives the last of them; -1: there is none.
func (w *work) reindex(document, title string, after int64) (last int64, err error) {
	err = w.s.conn.QueryRowContext(w.ctx, `SELECT coalesce(max(id), -1) FROM (SELECT id FROM passages WHERE document=? AND id>? ORDER BY id LIMIT ?)`, document, after, shelfBatch).Scan(&last)
	if err != nil || last < 0 {
		return last, err
	}
	_, err = w.exec(`INSERT OR REPLACE INTO passages_fts (rowid, head, body)
		SELECT p.id, library_terms(?1 || coalesce(' ' || a.title, '')), library_terms(p.text)
		FROM passages p LEFT JOIN articles a ON a.document=p.document AND a.n=p.article WHERE p.document=?2 AND p.id>?3 AND p.id<=?4`, title, document, after, last)
	return last, err
}

// SettleGone implements shelf.Store.
func (s *Store) SettleGone(ctx context.Context, id string, paths []string, until time.Time, drop bool, limit int) (gone []string, more bool, err error) {
	where, args := `shelf=? AND state='gone' AND gone<=?`, []any{id, micros(until)}
	if paths != nil {
		where, args = where+` AND path IN (SELECT value FROM json_each(?))`, append(args, jsonOf(paths))
	}
	err = s.tx(ctx, true, func(w *work) error {
		if !drop {
			_, err := w.exec(`UPDATE shelf_files SET state='kept' WHERE `+where, args...)
			return err
		}
		documents, err := w.ids(`DELETE FROM shelf_files WHERE shelf=? AND path IN (SELECT path FROM shelf_files WHERE `+where+` LIMIT ?) RETURNING document`, append(append([]any{id}, args...), limit)...)
		if err != nil {
			return err
		}
		more = len(documents) == limit
		gone, err = w.unshelve(documents...)
		return err
	})
	return gone, more && err == nil, err
}

// EmptyShelf implements shelf.Store.
func (s *Store) EmptyShelf(ctx context.Context, id string, drop bool, limit int) (gone []string, more bool, err error) {
	err = s.tx(ctx, true, func(w *work) error {
		documents, err := w.ids(`DELETE FROM shelf_files WHERE shelf=? AND path IN (SELECT path FROM shelf_files WHERE shelf=?1 LIMIT ?2) RETURNING document`, id, limit)
		if err != nil {
			return err
		}
		if more = len(documents) > 0; !more {
			_, err := w.exec(`DELETE FROM shelves WHERE id=?`, id)
			return err
		}
		if drop {
			gone, err = w.unshelve(documents...)
			return err
		}
		_, err = w.exec(`UPDATE documents SET shelved=0 WHERE id IN (SELECT value FROM json_each(?))`, jsonOf(documents))
		return err
	})
	return gone, more && err == nil, err
}

// TidyShelves implements shelf.Store.
func (s *Store) TidyShelves(ctx context.Context) error {
	ids, err := collect(ctx, s.read, one[string],
		`SELECT id FROM documents d WHERE shelved=1 AND (state<>'ready' OR NOT EXISTS (SELECT 1 FROM shelf_files s WHERE s.document=d.id AND s.document<>''))`)
	for from := 0; err == nil && from < len(ids); from += tidyBatch {
		err = s.tx(ctx, false, func(w *work) error {
			_, err := w.unshelve(ids[from:min(from+tidyBatch, len(ids))]...)
			return err
		})
	}
	return err
}

// tidyBatch is how many documents one transaction of TidyShelves takes out.
const tidyBatch = 20
