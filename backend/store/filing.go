package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"

	"agentchat/backend/apperr"
	"agentchat/backend/filing"
)

var _ filing.Journal = (*Store)(nil)

// Begin implements filing.Journal.
func (s *Store) Begin(ctx context.Context, use string, steps []filing.Step, replaced []byte) (of int, err error) {
	at := micros(s.now())
	err = s.tx(ctx, len(steps) > 0, func(w *work) error {
		if err := w.s.conn.QueryRowContext(w.ctx, `SELECT coalesce(max(n)+1, 0) FROM filing_steps WHERE use=?`, use).Scan(&of); err != nil || of > 0 {
			return err
		}
		of = len(steps)
		for n, step := range steps {
			if _, err := w.exec(`INSERT INTO filing_steps (use, n, step, old, created) VALUES (?,?,?,?,?)`, use, n, asJSON{step}, step.Old, at); err != nil {
				return err
			}
		}
		if replaced == nil {
			return nil
		}
		return w.keepContent(steps[0].Old, replaced, at)
	})
	return of, err
}

// Steps implements filing.Journal.
func (s *Store) Steps(ctx context.Context, use string) ([]filing.Row, error) {
	return collect(ctx, s.read, scanStep, `SELECT n, step, state, why FROM filing_steps WHERE use=? ORDER BY n`, use)
}

// Intended implements filing.Journal.
func (s *Store) Intended(ctx context.Context, use string, limit int) ([]filing.Row, error) {
	return collect(ctx, s.read, scanStep, `SELECT n, step, state, why FROM filing_steps WHERE use=? AND state=0 ORDER BY n LIMIT ?`, use, limit)
}

func scanStep(row row) (r filing.Row, err error) {
	var step string
	if err = row.Scan(&r.N, &step, &r.State, &r.Why); err != nil {
		return r, err
	}
	if err = json.Unmarshal([]byte(step), &r.Step); err != nil {
		err = apperr.Wrap(err, apperr.RecordUnreadable)
	}
	return r, err
}

// Update implements filing.Journal.
func (s *Store) Update(ctx context.Context, use string, r filing.Row, replaced []byte) error {
	return s.tx(ctx, replaced != nil, func(w *work) error {
		if replaced != nil {
			if err := w.keepContent(r.Step.Old, replaced, micros(s.now())); err != nil {
				return err
			}
		}
		_, err := w.exec(`UPDATE filing_steps SET step=?, old=? WHERE use=? AND n=? AND state=0`, asJSON{r.Step}, r.Step.Old, use, r.N)
		return err
	})
}

// keepContent keeps a content that is replaced.
func (w *work) keepContent(hash string, data []byte, at int64) error {
	_, err := w.exec(`INSERT INTO filing_contents (hash, data, created) VALUES (?,?,?) ON CONFLICT (hash) DO UPDATE SET created=excluded.created`, hash, data, at)
	return err
}

// Settle implements filing.Journal.
func (s *Store) Settle(ctx context.Context, use string, r filing.Row) error {
	return s.exec(ctx, false, `UPDATE filing_steps SET step=?, old=?, state=?, why=? WHERE use=? AND n=?`, asJSON{r.Step}, r.Step.Old, int(r.State), string(r.Why), use, r.N)
}

// Content implements filing.Journal.
func (s *Store) Content(ctx context.Context, hash string) (data []byte, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT data FROM filing_contents WHERE hash=?`, hash).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, notFound("content", hash)
	}
	return data, storageError(err)
}

// KeepPlan implements filing.Journal.
func (s *Store) KeepPlan(ctx context.Context, hash string, plan []byte) error {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write(plan)
	if err = errors.Join(err, z.Close()); err != nil {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	return s.exec(ctx, false, `INSERT INTO filing_plans (hash, plan, created) VALUES (?,?,?) ON CONFLICT (hash) DO UPDATE SET created=excluded.created`,
		hash, packed.Bytes(), micros(s.now()))
}

// mostPlan bounds how large a plan is that is read again, in bytes.
const mostPlan = 32 << 20

// Plan implements filing.Journal.
func (s *Store) Plan(ctx context.Context, hash string) (plan []byte, err error) {
	var packed []byte
	err = s.read.QueryRowContext(ctx, `SELECT plan FROM filing_plans WHERE hash=?`, hash).Scan(&packed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, notFound("plan", hash)
	}
	if err != nil {
		return nil, storageError(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		plan, err = io.ReadAll(io.LimitReader(z, mostPlan))
	}
	if err != nil {
		return nil, apperr.Wrap(err, apperr.RecordUnreadable)
	}
	return plan, nil
}

// pruneFiling lets go of what was done to files long ago, and of what was kept for taking it back. Steps that are only intended stay,
// and so does the plan of a question that is open.
func (s *Store) pruneFiling(ctx context.Context, keep Keep) (gone int, err error) {
	at := max(micros(s.now().Add(-keep.Filing)), 0)
	for _, statement := range []string{
		`DELETE FROM filing_steps WHERE (use, n) IN (SELECT use, n FROM filing_steps WHERE created<?1 AND state>0 AND ?3>0 LIMIT ?2)`,
		`DELETE FROM filing_contents WHERE hash IN (SELECT hash FROM filing_contents c WHERE created<?1 AND ?3>0
			AND NOT EXISTS (SELECT 1 FROM filing_steps f WHERE f.old=c.hash) LIMIT ?2)`,
		`DELETE FROM filing_plans WHERE hash IN (SELECT hash FROM filing_plans p WHERE created<?1 AND ?3>0
			AND NOT EXISTS (SELECT 1 FROM asks a WHERE a.state='open' AND a.data->>'$.preview.plan'=p.hash) LIMIT ?2)`,
		`DELETE FROM undo_log WHERE n IN (SELECT n FROM undo_log WHERE at<?1 AND ?3>0 ORDER BY at LIMIT ?2)`,
	} {
		for more := true; more; {
			err := s.tx(ctx, false, func(w *work) error {
				n, err := w.affect(statement, at, keep.Batch, keep.Filing)
				gone += n
				more = n == keep.Batch
				return err
			})
			if err != nil {
				return gone, err
			}
		}
	}
	return gone, s.pruneRemoved(ctx, keep.Batch)
}

// pruneRemoved lets go of documents that were taken out of the library when nothing is kept any more that brings them back, a document a
// commit.
func (s *Store) pruneRemoved(ctx context.Context, most int) error {
	for range most {
		var id string
		err := s.read.QueryRowContext(ctx, `SELECT id FROM documents d WHERE state='removed' AND NOT EXISTS (SELECT 1 FROM undo_log WHERE tbl='documents' AND key=json_array(d.id)) LIMIT 1`).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil {
			err = s.tx(ctx, false, func(w *work) error { return w.clearDocuments(`id=? AND state='removed'`, id) })
		}
		if err != nil {
			return storageError(err)
		}
	}
	return nil
}
