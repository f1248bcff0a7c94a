package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/memory"
)

var _ memory.Store = (*Store)(nil)

// adopt gives every message of a chat that has none yet its place in the transcript. A customer's message waits until its
// turn is over: till then it is the request of a letter, not what went before.
const (
	openMemory = `INSERT INTO memories (chat, facts) VALUES (?,?) ON CONFLICT DO NOTHING`
	adopt      = `INSERT INTO transcript (chat, message) SELECT m.chat, m.id FROM messages m
		WHERE m.chat=?1 AND m.n > (SELECT seen FROM memories WHERE chat=?1)
		AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.id=m.id AND t.done=0)
		AND NOT EXISTS (SELECT 1 FROM transcript x WHERE x.message=m.id) ORDER BY m.n`
	adopted = `UPDATE memories SET seen=coalesce(
		(SELECT min(m.n)-1 FROM turns t JOIN messages m ON m.id=t.id WHERE t.chat=?1 AND t.done=0),
		(SELECT max(n) FROM messages WHERE chat=?1), 0) WHERE chat=?1`
)

func (w *work) adopt(chat string, facts []string) error {
	ids, err := json.Marshal(facts)
	if err != nil {
		return err
	}
	if _, err := w.exec(openMemory, chat, string(ids)); err != nil {
		return err
	}
	if _, err := w.exec(adopt, chat); err != nil {
		return err
	}
	_, err = w.exec(adopted, chat)
	return err
}

// Recall implements memory.Store.
func (s *Store) Recall(ctx context.Context, chat string, facts []string) (memory.Record, error) {
	// A full disk must not silence the interpreter: what was adopted before is still there to be read.
	kept := s.tx(ctx, false, func(w *work) error { return w.adopt(chat, facts) })
	r := memory.Record{Chat: chat}
	var ids string
	var updated int64
	err := s.read.QueryRowContext(ctx, `SELECT summary, turns, cut, facts, version, updated FROM memories WHERE chat=?`, chat).
		Scan(&r.Summary, &r.Turns, &r.Cut, &ids, &r.Version, &updated)
	if errors.Is(err, sql.ErrNoRows) {
		return r, kept
	}
	if err != nil {
		return r, storageError(err)
	}
	r.Updated = fromMicros(updated)
	if err := json.Unmarshal([]byte(ids), &r.Facts); err != nil {
		return r, storageError(err)
	}
	r.Lines, err = s.lines(ctx, chat, r.Cut)
	return r, errors.Join(err, kept)
}

func (s *Store) lines(ctx context.Context, chat string, after int64) ([]memory.Line, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT t.n, m.id, m.role, m.text FROM transcript t JOIN messages m ON m.id=t.message
		WHERE t.chat=? AND t.n>? AND t.muted=0 AND m.hidden=0 ORDER BY t.n`, chat, after)
	if err != nil {
		return nil, storageError(err)
	}
	defer func() { _ = rows.Close() }()
	var list []memory.Line
	for rows.Next() {
		l := memory.Line{Speaker: "shop"}
		var role string
		if err := rows.Scan(&l.N, &l.Message, &role, &l.Text); err != nil {
			return nil, storageError(err)
		}
		if event.Role(role) == event.RoleCustomer {
			l.Speaker = "customer"
		}
		list = append(list, l)
	}
	return list, storageError(rows.Err())
}

// Cut implements memory.Store.
func (s *Store) Cut(ctx context.Context, c memory.Cut) (bool, error) {
	ids, err := json.Marshal(c.Facts)
	if err != nil {
		return false, apperr.Wrap(err, apperr.StorageFailed)
	}
	made := false
	err = s.tx(ctx, false, func(w *work) error {
		res, err := w.exec(`UPDATE memories SET summary=?, turns=?, cut=?, facts=?, version=version+1, updated=? WHERE chat=? AND version=?`,
			c.Summary, c.Turns, c.To, string(ids), micros(s.now()), c.Chat, c.Version)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		made = n == 1
		return err
	})
	return made && err == nil, err
}

// SetSummary implements memory.Store.
func (s *Store) SetSummary(ctx context.Context, chat, summary string) error {
	return s.tx(ctx, false, func(w *work) error {
		_, err := w.exec(`INSERT INTO memories (chat, summary, updated) VALUES (?,?,?) ON CONFLICT (chat)
			DO UPDATE SET summary=excluded.summary, updated=excluded.updated, version=version+1`, chat, summary, micros(s.now()))
		return err
	})
}

// ForgetChat implements memory.Store.
func (s *Store) ForgetChat(ctx context.Context, chat string, facts []string) error {
	return s.tx(ctx, false, func(w *work) error {
		if err := w.adopt(chat, facts); err != nil {
			return err
		}
		_, err := w.exec(`UPDATE memories SET summary='', turns=0, version=version+1, updated=?2,
			cut=coalesce((SELECT max(n) FROM transcript WHERE chat=?1), 0) WHERE chat=?1`, chat, micros(s.now()))
		return err
	})
}

// forgetChat is what the deletion of a chat means for memory.
func (w *work) forgetChat(chat string) error {
	if _, err := w.exec(`DELETE FROM transcript WHERE chat=?`, chat); err != nil {
		return err
	}
	_, err := w.exec(`DELETE FROM memories WHERE chat=?`, chat)
	return err
}

// Mute implements memory.Store.
func (s *Store) Mute(ctx context.Context, messages []string) error {
	return s.tx(ctx, false, func(w *work) error {
		for _, id := range messages {
			if _, err := w.exec(`UPDATE transcript SET muted=1 WHERE message=?`, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// Facts implements memory.Store.
func (s *Store) Facts(ctx context.Context) ([]memory.Fact, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT id, text, topic, source, chat, ref, learned FROM facts WHERE text<>'' ORDER BY rowid`)
	if err != nil {
		return nil, storageError(err)
	}
	defer func() { _ = rows.Close() }()
	var list []memory.Fact
	for rows.Next() {
		var f memory.Fact
		var source string
		var learned int64
		if err := rows.Scan(&f.ID, &f.Text, &f.Topic, &source, &f.Chat, &f.Ref, &learned); err != nil {
			return nil, storageError(err)
		}
		f.Source, f.Learned = memory.Source(source), fromMicros(learned)
		list = append(list, f)
	}
	return list, storageError(rows.Err())
}

// AddFact implements memory.Store.
func (s *Store) AddFact(ctx context.Context, f memory.Fact, keep int) (bool, error) {
	added := false
	err := s.tx(ctx, false, func(w *work) error {
		res, err := w.exec(`INSERT INTO facts (id, text, topic, source, chat, ref, learned) VALUES (?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`,
			f.ID, f.Text, f.Topic, string(f.Source), f.Chat, f.Ref, micros(f.Learned))
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if added = n == 1; err != nil || !added {
			return err
		}
		if f.Topic != "" {
			if _, err := w.exec(`UPDATE facts SET text='' WHERE topic=? AND id<>?`, f.Topic, f.ID); err != nil {
				return err
			}
		}
		_, err = w.exec(`UPDATE facts SET text='' WHERE source IN ('ledger','job') AND text<>'' AND id NOT IN
			(SELECT id FROM facts WHERE source IN ('ledger','job') AND text<>'' ORDER BY rowid DESC LIMIT ?)`, keep)
		return err
	})
	return added && err == nil, err
}

// EditFact implements memory.Store.
func (s *Store) EditFact(ctx context.Context, id, text string) error {
	return s.change(ctx, "fact", id, `UPDATE facts SET text=?, topic='', source='person' WHERE id=? AND text<>''`, text, id)
}

// DropFact implements memory.Store.
func (s *Store) DropFact(ctx context.Context, id string) error {
	return s.change(ctx, "fact", id, `UPDATE facts SET text='', topic='' WHERE id=? AND text<>''`, id)
}
