package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/manager"
	"agentchat/backend/service"
	"agentchat/backend/undolog"
)

// saveCounter keeps what stands open at a chat's counter, inside the transaction of a turn's step.
func (w *work) saveCounter(chat string, c service.Counter, at int64) error {
	if len(c) == 0 {
		_, err := w.exec(`DELETE FROM counters WHERE chat=?`, chat)
		return err
	}
	_, err := w.exec(`INSERT INTO counters (chat, data, updated) VALUES (?,?,?)
		ON CONFLICT (chat) DO UPDATE SET data=excluded.data, updated=excluded.updated`, chat, asJSON{c}, at)
	return err
}

// Counter implements manager.Store.
func (s *Store) Counter(ctx context.Context, chat string) (c service.Counter, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT data FROM counters WHERE chat=?`, chat).Scan(asJSON{&c})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, storageError(err)
	}
	return c, nil
}

// Counters implements manager.Store.
func (s *Store) Counters(ctx context.Context) (map[string]service.Counter, error) {
	all, wrecks, err := s.counters(ctx)
	if err == nil && len(wrecks) > 0 {
		err = s.putCountersAside(ctx, wrecks)
	}
	return all, err
}

func (s *Store) counters(ctx context.Context) (all map[string]service.Counter, wrecks []wreck, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT chat, data FROM counters`)
	all = map[string]service.Counter{}
	err = each(rows, err, func(r row) error {
		var x wreck
		var c service.Counter
		if err := r.Scan(&x.chat, &x.data); err != nil {
			return err
		}
		if x.why = decode(x.data, &c); x.why != nil {
			wrecks = append(wrecks, x)
			return nil
		}
		all[x.chat] = c
		return nil
	})
	return all, wrecks, err
}

// AddResume implements manager.Store.
func (s *Store) AddResume(ctx context.Context, turn manager.Turn) (bool, error) {
	at, added := micros(s.now()), false
	err := s.tx(ctx, false, func(w *work) error {
		// One that ended before there was an outcome to tell is opened again, but not in a chat that was deleted.
		n, err := w.affect(`INSERT INTO turns (id, chat, data, created) SELECT ?1,?2,?3,?4
			WHERE NOT EXISTS (SELECT 1 FROM chats WHERE id=?2 AND deleted>0) AND NOT EXISTS (SELECT 1 FROM turns WHERE id=?1)`, turn.ID, turn.Chat, asJSON{turn}, at)
		added = n > 0
		return err
	})
	return added, err
}

// recordTx changes some of the records in a transaction, and keeps what they were.
func (s *Store) recordTx(ctx context.Context, which string, args []any, do func(*work) error) error {
	return s.tx(ctx, true, func(w *work) error {
		return w.keeping(ctx, func() error { return do(w) }, rowsOf{undolog.Records, which, args}, rowsOf{undolog.Dues, `record IN (SELECT id FROM service_records WHERE ` + which + `)`, args})
	})
}

// AddRecord implements service.Records.
func (s *Store) AddRecord(ctx context.Context, list ...service.Record) error {
	at := micros(s.now())
	ids := make([]string, len(list))
	for i, r := range list {
		ids[i] = r.ID
	}
	return s.recordTx(ctx, `id IN (SELECT value FROM json_each(?))`, []any{jsonOf(ids)}, func(w *work) error {
		for _, r := range list {
			if err := w.addRecord(r, at); err != nil {
				return err
			}
		}
		return nil
	})
}

// addRecord writes a record, if it is not there already.
func (w *work) addRecord(r service.Record, at int64) error {
	n, err := w.affect(`INSERT INTO service_records (id, service, chat, data, unique_by, created)
		SELECT ?,?,?,?,?,? WHERE ?='' OR NOT EXISTS (SELECT 1 FROM service_records WHERE service=? AND unique_by=? AND canceled=0 AND id<>?)
		ON CONFLICT (id) DO NOTHING`,
		r.ID, r.Service, r.Chat, string(r.Values), r.Unique, at, r.Unique, r.Service, r.Unique, r.ID)
	if err == nil && n == 1 && !r.Due.IsZero() {
		_, err = w.exec(`INSERT INTO dues (record, due) VALUES (?,?)`, r.ID, micros(r.Due))
	}
	if err != nil || n == 1 {
		return err
	}
	// Nothing was written: it stands there already, or something else does in its place.
	if n, err := w.affect(`UPDATE service_records SET chat=chat WHERE id=?`, r.ID); err != nil || n == 1 {
		return err
	}
	return apperr.New(apperr.AlreadyTaken)
}

// CancelRecord implements service.Records.
func (s *Store) CancelRecord(ctx context.Context, serviceID, by string, values ...json.RawMessage) error {
	at := micros(s.now())
	return s.recordTx(ctx, `service=? AND (canceled=0 OR canceled_by=?)`, []any{serviceID, by}, func(w *work) error {
		done := 0
		if err := w.s.conn.QueryRowContext(w.ctx, `SELECT count(*) FROM service_records WHERE service=? AND canceled>0 AND canceled_by=?`, serviceID, by).Scan(&done); err != nil || done > 0 {
			return err // all of it, in the transaction that did it
		}
		for _, want := range values {
			if err := w.change("record", string(want), `UPDATE service_records SET canceled=?, canceled_by=? WHERE n=(
				SELECT n FROM service_records r WHERE service=? AND canceled=0 AND NOT EXISTS (
					SELECT 1 FROM json_each(?) want WHERE json_extract(r.data, '$.' || want.key) IS NOT want.value)
				ORDER BY r.data=? DESC, n DESC LIMIT 1)`, at, by, serviceID, string(want), string(want)); err != nil { // one that has these values alone goes before one that has others, too
				return err
			}
		}
		return nil
	})
}

// ChangeRecord implements service.Records.
func (s *Store) ChangeRecord(ctx context.Context, id string, values json.RawMessage, due time.Time) error {
	return s.recordTx(ctx, `id=?`, []any{id}, func(w *work) error {
		if err := w.change("record", id, `UPDATE service_records SET data=? WHERE id=? AND canceled=0`, string(values), id); err != nil {
			return err
		}
		if due.IsZero() {
			_, err := w.exec(`DELETE FROM dues WHERE record=?`, id)
			return err
		}
		_, err := w.exec(`INSERT INTO dues (record, due) VALUES (?1,?2)
			ON CONFLICT (record) DO UPDATE SET due=?2, told=0 WHERE due<>?2`, id, micros(due))
		return err
	})
}

// CanceledBy implements service.Records.
func (s *Store) CanceledBy(ctx context.Context, by string) (bool, error) {
	n := 0
	err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM service_records WHERE canceled_by=? AND canceled>0`, by).Scan(&n)
	return n > 0, storageError(err)
}

// ListRecords implements service.Records.
func (s *Store) ListRecords(ctx context.Context, serviceID string, limit int) ([]service.Record, error) {
	return collect(ctx, s.read, func(row row) (r service.Record, err error) {
		err = row.Scan(&r.ID, &r.Service, &r.Chat, (*[]byte)(&r.Values), moment{&r.Created})
		return r, err
	}, `SELECT id, service, chat, data, created FROM service_records WHERE service=? AND canceled=0 ORDER BY n LIMIT ?`, serviceID, limit)
}
