package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
)

// How many answers are kept to be given again: those used last, as long as they are not too large together.
const (
	AnswersKept = 1000
	AnswerBytes = 8 << 20
)

// CachedAnswer is the answer that is kept under a key, and whether there is one. It counts as used. Errors: storage errors.
func (s *Store) CachedAnswer(ctx context.Context, key string) (reply provider.Reply, ok bool, err error) {
	var raw []byte
	switch err := s.read.QueryRowContext(ctx, `SELECT reply FROM llm_cache WHERE key=?`, key).Scan(&raw); {
	case errors.Is(err, sql.ErrNoRows):
		return reply, false, nil
	case err != nil:
		return reply, false, storageError(err)
	}
	if err := json.Unmarshal(raw, &reply); err != nil {
		return reply, false, apperr.Wrap(err, apperr.StorageCorrupt)
	}
	return reply, true, s.exec(ctx, false, `UPDATE llm_cache SET used=? WHERE key=?`, micros(s.now()), key)
}

// CacheAnswer keeps an answer under a key, and lets go of those unused for longest beyond AnswersKept and AnswerBytes.
// Errors: storage errors.
func (s *Store) CacheAnswer(ctx context.Context, key string, reply provider.Reply) error {
	raw, err := json.Marshal(reply)
	if err != nil {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	return s.tx(ctx, false, func(w *work) error {
		if _, err := w.exec(`INSERT INTO llm_cache (key, model, reply, size, used) VALUES (?,?,?,?,?)
			ON CONFLICT (key) DO UPDATE SET reply=excluded.reply, size=excluded.size, used=excluded.used`,
			key, reply.Model, raw, len(raw), micros(s.now())); err != nil {
			return err
		}
		return w.trimAnswers(AnswersKept, AnswerBytes)
	})
}

func (w *work) trimAnswers(most, size int) error {
	_, err := w.exec(`DELETE FROM llm_cache WHERE key IN (SELECT key FROM
		(SELECT key, ROW_NUMBER() OVER line AS place, SUM(size) OVER line AS total FROM llm_cache WINDOW line AS (ORDER BY used DESC, key))
		WHERE place > ? OR total > ?)`, most, size)
	return err
}

// ForgetAnswers lets go of the kept answers of a model, of all for "". Errors: storage errors.
func (s *Store) ForgetAnswers(ctx context.Context, model string) error {
	return s.tx(ctx, false, func(w *work) error { return w.forgetAnswers(model) })
}

func (w *work) forgetAnswers(model string) error {
	_, err := w.exec(`DELETE FROM llm_cache WHERE ?1='' OR model=?1`, model)
	return err
}
