package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/pager"
)

var _ pager.Store = (*Store)(nil)

const selectPhone = `SELECT id, name, paired, seen FROM pagers `

func scanPhone(row row) (p pager.Phone, err error) {
	var paired, seen int64
	err = row.Scan(&p.ID, &p.Name, &paired, &seen)
	p.Paired, p.Seen = fromMicros(paired), fromMicros(seen)
	return p, err
}

// Phones implements pager.Store.
func (s *Store) Phones(ctx context.Context) ([]pager.Phone, error) {
	return collect(ctx, s.read, scanPhone, selectPhone+`ORDER BY paired, id`)
}

// PhoneOf implements pager.Store.
func (s *Store) PhoneOf(ctx context.Context, key []byte) (pager.Phone, error) {
	p, err := scanPhone(s.read.QueryRowContext(ctx, selectPhone+`WHERE key=?`, key))
	if errors.Is(err, sql.ErrNoRows) {
		return p, apperr.New(apperr.NotFound, "what", "phone", "id", "")
	}
	return p, storageError(err)
}

// AddPhone implements pager.Store.
func (s *Store) AddPhone(ctx context.Context, p pager.Phone, key []byte, most int) (added bool, err error) {
	err = s.tx(ctx, true, func(w *work) error {
		res, err := w.exec(`INSERT INTO pagers (id, name, key, paired, seen) SELECT ?,?,?,?,? WHERE (SELECT count(*) FROM pagers) < ?`,
			p.ID, p.Name, key, micros(p.Paired), micros(p.Seen), most)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		added = n == 1
		return err
	})
	return added, err
}

// PhoneSeen implements pager.Store.
func (s *Store) PhoneSeen(ctx context.Context, id string, at time.Time) error {
	return s.tx(ctx, false, func(w *work) error {
		_, err := w.exec(`UPDATE pagers SET seen=? WHERE id=?`, micros(at), id)
		return err
	})
}

// RemovePhone implements pager.Store.
func (s *Store) RemovePhone(ctx context.Context, id string) error {
	return s.tx(ctx, true, func(w *work) error { return w.change("phone", id, `DELETE FROM pagers WHERE id=?`, id) })
}
