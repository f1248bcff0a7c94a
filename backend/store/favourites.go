package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"agentchat/backend/favourite"
)

var _ favourite.Store = (*Store)(nil)

const selectFavourite = `SELECT id, name, text, blanks, created, deleted FROM favourites `

func scanFavourite(row row) (f favourite.Favourite, err error) {
	err = row.Scan(&f.ID, &f.Name, &f.Text, part{&f.Blanks}, moment{&f.Created}, moment{&f.Deleted})
	return f, err
}

// Favourites implements favourite.Store.
func (s *Store) Favourites(ctx context.Context, trash bool) ([]favourite.Favourite, error) {
	query := selectFavourite + `WHERE deleted=0 ORDER BY n`
	if trash {
		query = selectFavourite + `WHERE deleted>0 ORDER BY deleted DESC, n DESC`
	}
	return collect(ctx, s.read, scanFavourite, query)
}

// Favourite implements favourite.Store.
func (s *Store) Favourite(ctx context.Context, id string) (favourite.Favourite, error) {
	f, err := scanFavourite(s.read.QueryRowContext(ctx, selectFavourite+`WHERE id=?`, id))
	if err != nil {
		return f, missing(err, "favourite", id)
	}
	return f, nil
}

// SaveFavourite implements favourite.Store.
func (s *Store) SaveFavourite(ctx context.Context, f favourite.Favourite, key string) (taken string, err error) {
	err = s.tx(ctx, true, func(w *work) error {
		taken = ""
		err := w.s.conn.QueryRowContext(w.ctx, `SELECT name FROM favourites WHERE folded=? AND deleted=0 AND id<>?`, key, f.ID).Scan(&taken)
		if taken != "" || err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		_, err = w.exec(`INSERT INTO favourites (id, name, folded, text, blanks, created) VALUES (?,?,?,?,?,?)
			ON CONFLICT (id) DO UPDATE SET name=excluded.name, folded=excluded.folded, text=excluded.text, blanks=excluded.blanks, deleted=0`,
			f.ID, f.Name, key, f.Text, part{f.Blanks}, micros(f.Created))
		return err
	})
	return taken, err
}

// DeleteFavourite implements favourite.Store.
func (s *Store) DeleteFavourite(ctx context.Context, id string, at time.Time) error {
	return s.change(ctx, "favourite", id, `UPDATE favourites SET deleted=CASE WHEN deleted=0 THEN ? ELSE deleted END WHERE id=?`, micros(at), id)
}

// EmptyFavourites implements favourite.Store.
func (s *Store) EmptyFavourites(ctx context.Context, before time.Time) (gone int, err error) {
	return s.empty(ctx, before, `DELETE FROM favourites WHERE deleted>0 AND deleted<?`)
}

// Filling implements manager.Store.
func (s *Store) Filling(ctx context.Context, chat string) (f favourite.Filling, open bool, err error) {
	var data string
	err = s.read.QueryRowContext(ctx, `SELECT data FROM fillings WHERE chat=?`, chat).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return f, false, nil
	}
	if err == nil && json.Unmarshal([]byte(data), &f) != nil {
		return favourite.Filling{}, false, nil // of another version of the program: nothing stands open
	}
	return f, err == nil, storageError(err)
}

// saveFilling keeps what stands open of a favourite in a chat; one of which nothing is asked any more goes.
func (w *work) saveFilling(chat string, f favourite.Filling) error {
	if f.Asked == "" {
		_, err := w.exec(`DELETE FROM fillings WHERE chat=?`, chat)
		return err
	}
	_, err := w.exec(`INSERT INTO fillings (chat, data) VALUES (?,?) ON CONFLICT (chat) DO UPDATE SET data=excluded.data`, chat, asJSON{f})
	return err
}
