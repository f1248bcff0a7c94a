package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"agentchat/backend/apperr"
	"agentchat/backend/frontdesk"
)

// ReadingsKept is how many readings of messages are kept, and readingSlack how many more may come until the oldest go.
const (
	ReadingsKept = RequestsKept
	readingSlack = 64
)

// AddReadings keeps how messages were read, oldest first, and now and then lets go of the oldest beyond ReadingsKept.
func (s *Store) AddReadings(ctx context.Context, list []frontdesk.Kept) error {
	return s.tx(ctx, false, func(w *work) error {
		last := int64(0)
		for _, k := range list {
			body, err := json.Marshal(k)
			if err != nil {
				return apperr.Wrap(err, apperr.StorageFailed)
			}
			res, err := w.exec(`INSERT INTO readings (id, chat, body) SELECT ?1,?2,?3 WHERE NOT EXISTS (SELECT 1 FROM chats WHERE id=?2 AND deleted>0)
				ON CONFLICT DO UPDATE SET body=excluded.body`, k.ID, k.Chat, body)
			if err != nil {
				return err
			}
			if last, err = res.LastInsertId(); err != nil {
				return err
			}
		}
		if last%readingSlack >= int64(len(list)) {
			return nil
		}
		_, err := w.exec(`DELETE FROM readings WHERE n <= (SELECT n FROM readings ORDER BY n DESC LIMIT 1 OFFSET ?)`, ReadingsKept)
		return err
	})
}

// Readings lists how the newest messages of a chat ("" for all) were read, newest first.
func (s *Store) Readings(ctx context.Context, chat string, limit int) ([]frontdesk.Kept, error) {
	return collect(ctx, s.read, func(row row) (k frontdesk.Kept, err error) {
		err = row.Scan(asJSON{&k})
		return k, err
	}, `SELECT body FROM readings WHERE ?1='' OR chat=?1 ORDER BY n DESC LIMIT ?2`, chat, exchangesLimit(limit))
}

// Reading gives how one message was read; ok is false when that is not kept, or not any more.
func (s *Store) Reading(ctx context.Context, message string) (k frontdesk.Kept, ok bool, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT body FROM readings WHERE id=?`, message).Scan(asJSON{&k})
	if errors.Is(err, sql.ErrNoRows) {
		return k, false, nil
	}
	return k, err == nil, storageError(err)
}

// forgetReadings lets go of how the messages of a chat were read.
func (w *work) forgetReadings(chat string) error {
	_, err := w.exec(`DELETE FROM readings WHERE chat=?`, chat)
	return err
}
