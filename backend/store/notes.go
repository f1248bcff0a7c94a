package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"agentchat/backend/language/words"
	"agentchat/backend/notes"
	"agentchat/backend/undolog"
)

var _ notes.Store = (*Store)(nil)

const noteColumns = `n.id, n.text, n.created, n.updated, n.deleted, n.changed_by`

func scanNote(row row) (n notes.Note, err error) {
	err = row.Scan(&n.ID, &n.Text, moment{&n.Created}, moment{&n.Updated}, moment{&n.Deleted}, &n.ChangedBy)
	return n, err
}

// noteTx changes a note in a transaction, and keeps what it was.
func (s *Store) noteTx(ctx context.Context, id string, do func(*work) error) error {
	return s.tx(ctx, true, func(w *work) error {
		return w.keeping(ctx, func() error { return do(w) }, rowsOf{undolog.Notes, "id=?", []any{id}})
	})
}

// AddNote implements notes.Store.
func (s *Store) AddNote(ctx context.Context, n notes.Note) (notes.Note, error) {
	err := s.noteTx(ctx, n.ID, func(w *work) error {
		if added, err := w.affect(`INSERT INTO notes (id, text, created, updated) VALUES (?,?,?,?) ON CONFLICT (id) DO NOTHING`,
			n.ID, n.Text, micros(n.Created), micros(n.Updated)); err != nil || added == 0 {
			return err
		}
		return w.indexNote(n.ID, n.Text)
	})
	if err != nil {
		return notes.Note{}, err
	}
	return s.Note(ctx, n.ID)
}

// indexNote makes the terms of a note's text anew.
func (w *work) indexNote(id, text string) error {
	if _, err := w.exec(`DELETE FROM notes_fts WHERE rowid=(SELECT n FROM notes WHERE id=?)`, id); err != nil {
		return err
	}
	_, err := w.exec(`INSERT INTO notes_fts (rowid, body) SELECT n, ? FROM notes WHERE id=?`, words.Terms(text), id)
	return err
}

// Note implements notes.Store.
func (s *Store) Note(ctx context.Context, id string) (notes.Note, error) {
	n, err := scanNote(s.read.QueryRowContext(ctx, `SELECT `+noteColumns+` FROM notes n WHERE n.id=?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return n, notFound("note", id)
	}
	return n, storageError(err)
}

// Notes implements notes.Store.
func (s *Store) Notes(ctx context.Context, trash bool, limit int) ([]notes.Note, error) {
	query := `SELECT ` + noteColumns + ` FROM notes n WHERE n.deleted=0 ORDER BY n.updated DESC, n.n DESC LIMIT ?`
	if trash {
		query = `SELECT ` + noteColumns + ` FROM notes n WHERE n.deleted>0 ORDER BY n.deleted DESC, n.n DESC LIMIT ?`
	}
	return collect(ctx, s.read, scanNote, query, limit)
}

// FindNotes implements notes.Store. A word may go on: what is typed so far finds what it begins.
func (s *Store) FindNotes(ctx context.Context, sought []string, limit int) ([]notes.Note, error) {
	phrases := make([]string, len(sought))
	for i, w := range sought {
		phrases[i] = words.Phrase(w) + "*"
	}
	return collect(ctx, s.read, scanNote, `SELECT `+noteColumns+` FROM notes_fts f JOIN notes n ON n.n=f.rowid
		WHERE notes_fts MATCH ? AND n.deleted=0 ORDER BY n.updated DESC, n.n DESC LIMIT ?`, strings.Join(phrases, " AND "), limit)
}

// ChangeNote implements notes.Store.
func (s *Store) ChangeNote(ctx context.Context, seen, to notes.Note) (bool, error) {
	done := false
	err := s.noteTx(ctx, seen.ID, func(w *work) error {
		n, err := w.affect(`UPDATE notes SET text=?, updated=?, changed_by=? WHERE id=? AND text=? AND deleted=0`,
			to.Text, micros(to.Updated), to.ChangedBy, seen.ID, seen.Text)
		if done = n == 1; err != nil || !done {
			return err
		}
		return w.indexNote(seen.ID, to.Text)
	})
	return done && err == nil, err
}

// TrashNote implements notes.Store.
func (s *Store) TrashNote(ctx context.Context, id string, at time.Time) error {
	return s.changeKept(ctx, "note", id, rowsOf{undolog.Notes, "id=?", []any{id}}, `UPDATE notes SET deleted=CASE WHEN deleted=0 THEN ? ELSE deleted END WHERE id=?`, micros(at), id)
}

// RestoreNote implements notes.Store.
func (s *Store) RestoreNote(ctx context.Context, id string) error {
	return s.changeKept(ctx, "note", id, rowsOf{undolog.Notes, "id=?", []any{id}}, `UPDATE notes SET deleted=0 WHERE id=?`, id)
}

// EmptyTrash implements notes.Store.
func (s *Store) EmptyTrash(ctx context.Context, before time.Time) (gone int, err error) {
	return s.empty(ctx, before, `DELETE FROM notes_fts WHERE rowid IN (SELECT n FROM notes WHERE deleted>0 AND deleted<?)`,
		`DELETE FROM notes WHERE deleted>0 AND deleted<?`)
}

// empty runs statements that delete what was thrown away before a moment, and gives how many rows the last of them deleted.
func (s *Store) empty(ctx context.Context, before time.Time, statements ...string) (gone int, err error) {
	err = s.tx(ctx, false, func(w *work) error {
		for _, statement := range statements {
			if gone, err = w.affect(statement, micros(before)); err != nil {
				return err
			}
		}
		return nil
	})
	return gone, err
}
