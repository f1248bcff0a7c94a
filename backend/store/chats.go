package store

import (
	"context"
	"encoding/json"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/manager"
)

func (w *work) addMessage(chat string, msg event.ChatMessage, at int64) error {
	buttons := ""
	if len(msg.Buttons) > 0 {
		data, err := json.Marshal(msg.Buttons)
		if err != nil {
			return err
		}
		buttons = string(data)
	}
	note := ""
	if msg.Library != nil {
		data, err := json.Marshal(msg.Library)
		if err != nil {
			return err
		}
		note = string(data)
	}
	if _, err := w.exec(`INSERT INTO messages (id, chat, role, text, job, code, buttons, reasoning, library, created) VALUES (?,?,?,?,?,?,?,?,?,?)`,
		msg.ID, chat, string(msg.Role), msg.Text, msg.JobID, msg.Code, buttons, msg.Reasoning, note, at); err != nil {
		return err
	}
	_, err := w.exec(`UPDATE chats SET updated=? WHERE id=?`, at, chat)
	return err
}

// AddTurn implements manager.Store.
func (s *Store) AddTurn(ctx context.Context, turn manager.Turn, msg event.ChatMessage, title string) (bool, error) {
	data, err := json.Marshal(turn)
	if err != nil {
		return false, apperr.Wrap(err, apperr.StorageFailed)
	}
	at, created := micros(s.now()), false
	err = s.tx(ctx, false, func(w *work) error {
		// A chat that has no title yet takes it from its first message; a deleted one comes back with a new message.
		res, err := w.exec(`INSERT INTO chats (id, title, created, updated) VALUES (?,?,?,?)
			ON CONFLICT (id) DO UPDATE SET title=excluded.title, deleted=0 WHERE title='' OR deleted=1`, turn.Chat, title, at, at)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return err
		}
		created = n > 0
		if err := w.addMessage(turn.Chat, msg, at); err != nil {
			return err
		}
		_, err = w.exec(`INSERT INTO turns (id, chat, data, created) VALUES (?,?,?,?)`, turn.ID, turn.Chat, string(data), at)
		return err
	})
	return created, err
}

// SaveTurn implements manager.Store.
func (s *Store) SaveTurn(ctx context.Context, step manager.TurnStep) error {
	data, err := json.Marshal(step.Turn)
	if err != nil {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	at := micros(s.now())
	return s.tx(ctx, step.Sync, func(w *work) error {
		if _, err := w.exec(`UPDATE turns SET data=?, next=?, done=? WHERE id=?`, string(data), step.Next, step.Done, step.Turn.ID); err != nil {
			return err
		}
		for _, j := range step.Jobs {
			if err := w.addJob(j); err != nil {
				return err
			}
		}
		if step.Counter != nil {
			if err := w.saveCounter(step.Turn.Chat, *step.Counter, at); err != nil {
				return err
			}
		}
		if step.Message != nil {
			return w.addMessage(step.Turn.Chat, *step.Message, at)
		}
		return nil
	})
}

// PendingTurns implements manager.Store.
func (s *Store) PendingTurns(ctx context.Context) ([]manager.Pending, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT data, next FROM turns WHERE done=0 ORDER BY created, rowid`)
	if err != nil {
		return nil, storageError(err)
	}
	defer func() { _ = rows.Close() }()
	var list []manager.Pending
	for rows.Next() {
		var p manager.Pending
		var data string
		if err := rows.Scan(&data, &p.Next); err != nil {
			return nil, storageError(err)
		}
		if err := json.Unmarshal([]byte(data), &p.Turn); err != nil {
			return nil, storageError(err)
		}
		list = append(list, p)
	}
	return list, storageError(rows.Err())
}

const selectMessage = `SELECT id, role, text, job, code, buttons, reasoning, library, created FROM messages `

// History implements manager.Store.
func (s *Store) History(ctx context.Context, chat, before string, limit int) ([]event.ChatMessage, error) {
	if limit <= 0 || limit > 1000 {
		limit = 100
	}
	list, err := s.messages(ctx, selectMessage+`WHERE chat=? AND hidden=0 AND
		(?='' OR n < (SELECT n FROM messages WHERE id=?)) ORDER BY n DESC LIMIT ?`, chat, before, before, limit)
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list, err
}

func (s *Store) messages(ctx context.Context, query string, args ...any) ([]event.ChatMessage, error) {
	rows, err := s.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, storageError(err)
	}
	defer func() { _ = rows.Close() }()
	list := []event.ChatMessage{}
	for rows.Next() {
		var m event.ChatMessage
		var role, buttons, note string
		var created int64
		if err := rows.Scan(&m.ID, &role, &m.Text, &m.JobID, &m.Code, &buttons, &m.Reasoning, &note, &created); err != nil {
			return nil, storageError(err)
		}
		m.Role, m.Time = event.Role(role), fromMicros(created).Format(time.RFC3339Nano)
		if note != "" {
			if err := json.Unmarshal([]byte(note), &m.Library); err != nil {
				return nil, storageError(err)
			}
		}
		if buttons != "" {
			if err := json.Unmarshal([]byte(buttons), &m.Buttons); err != nil {
				return nil, storageError(err)
			}
		}
		list = append(list, m)
	}
	return list, storageError(rows.Err())
}

// Chats gives every conversation, the one with the newest message first. Jobs' own chats are not among them.
func (s *Store) Chats(ctx context.Context) ([]manager.Chat, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT id, title, updated FROM chats WHERE deleted=0 AND id NOT LIKE 'job:%' ORDER BY updated DESC, rowid DESC`)
	if err != nil {
		return nil, storageError(err)
	}
	defer func() { _ = rows.Close() }()
	list := []manager.Chat{}
	for rows.Next() {
		var c manager.Chat
		var updated int64
		if err := rows.Scan(&c.ID, &c.Title, &updated); err != nil {
			return nil, storageError(err)
		}
		c.Updated = fromMicros(updated)
		list = append(list, c)
	}
	return list, storageError(rows.Err())
}

// AddChat makes an empty conversation; one that exists stays as it is.
func (s *Store) AddChat(ctx context.Context, id, title string) error {
	at := micros(s.now())
	return s.tx(ctx, false, func(w *work) error {
		_, err := w.exec(`INSERT INTO chats (id, title, created, updated) VALUES (?,?,?,?) ON CONFLICT DO NOTHING`, id, title, at, at)
		return err
	})
}

// RenameChat gives a conversation another title; not_found when there is none.
func (s *Store) RenameChat(ctx context.Context, id, title string) error {
	return s.change(ctx, "chat", id, `UPDATE chats SET title=? WHERE id=? AND deleted=0`, title, id)
}

// DeleteChat hides a conversation; not_found when there is none.
func (s *Store) DeleteChat(ctx context.Context, id string) error {
	return s.tx(ctx, false, func(w *work) error {
		res, err := w.exec(`UPDATE chats SET deleted=1 WHERE id=? AND deleted=0`, id)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return notFound("chat", id)
		}
		if _, err := w.exec(`UPDATE messages SET hidden=1 WHERE chat=?`, id); err != nil {
			return err
		}
		if err := w.saveCounter(id, nil, 0); err != nil {
			return err
		}
		if err := w.forgetLetters(id); err != nil {
			return err
		}
		if err := w.forgetAnswers(""); err != nil { // whose they were is not kept
			return err
		}
		return w.forgetChat(id)
	})
}

// HideMessage takes a message out of its conversation, or puts it back; not_found when there is none.
func (s *Store) HideMessage(ctx context.Context, id string, hidden bool) error {
	return s.change(ctx, "message", id, `UPDATE messages SET hidden=? WHERE id=?`, hidden, id)
}

func (s *Store) change(ctx context.Context, what, id, query string, args ...any) error {
	return s.tx(ctx, false, func(w *work) error {
		res, err := w.exec(query, args...)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return notFound(what, id)
		}
		return nil
	})
}
