package store

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/manager"
)

func (w *work) addMessage(chat string, msg event.ChatMessage, at int64) error {
	_, err := w.exec(`INSERT INTO messages (id, chat, role, text, job, code, buttons, reasoning, library, did, about, standing, turn, attachments, created) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
		msg.ID, chat, string(msg.Role), msg.Text, msg.JobID, msg.Code, part{msg.Buttons}, msg.Reasoning,
		part{msg.Library}, part{msg.Did}, part{msg.About}, part{msg.Standing}, msg.Turn, part{msg.Attachments}, at)
	return err
}

// AddTurn implements manager.Store.
func (s *Store) AddTurn(ctx context.Context, turn manager.Turn, msg event.ChatMessage, title string) (bool, error) {
	at, created := micros(s.now()), false
	err := s.tx(ctx, false, func(w *work) error {
		var err error
		if created, err = w.openChat(turn.Chat, title, at); err != nil {
			return err
		}
		return w.addTurn(turn, msg, at)
	})
	return created, err
}

// openChat makes a chat when there is none. One that has no title yet takes it from its first message; a deleted one comes
// back with a new message. It tells whether the chat is new to those who look on.
func (w *work) openChat(id, title string, at int64) (created bool, err error) {
	n, err := w.affect(`INSERT INTO chats (id, title, created) VALUES (?,?,?)
		ON CONFLICT (id) DO UPDATE SET title=excluded.title, deleted=0 WHERE title='' OR deleted>0`, id, title, at)
	return n > 0, err
}

func (w *work) addTurn(turn manager.Turn, msg event.ChatMessage, at int64) error {
	if err := w.addMessage(turn.Chat, msg, at); err != nil {
		return err
	}
	if err := w.spoke(turn.Chat, msg.ID, turn.Standing == nil); err != nil {
		return err
	}
	_, err := w.exec(`INSERT INTO turns (id, chat, data, created) VALUES (?,?,?,?)`, turn.ID, turn.Chat, asJSON{turn}, at)
	return err
}

// SaveTurn implements manager.Store.
func (s *Store) SaveTurn(ctx context.Context, step manager.TurnStep) error {
	data, err := json.Marshal(step.Turn)
	if err != nil {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	at := micros(s.now())
	return s.tx(ctx, step.Sync, func(w *work) error {
		if err := w.saveTurn(step, string(data)); err != nil {
			return err
		}
		for _, id := range step.Stop {
			if err := w.callOff(job.Stopped, `id=? AND ended=0 AND called_off=0`, id); err != nil {
				return err
			}
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
			if err := w.addMessage(step.Turn.Chat, *step.Message, at); err != nil {
				return err
			}
		}
		if step.Filling != nil {
			if err := w.saveFilling(step.Turn.Chat, *step.Filling); err != nil {
				return err
			}
		}
		if step.Say != nil {
			if err := w.addTurn(*step.Say, step.Said, at); err != nil {
				return err
			}
		}
		if step.Done {
			return w.place(step.Turn.Chat)
		}
		return nil
	})
}

// saveTurn writes how far a turn is. One that is over leaves its messages and nothing else.
func (w *work) saveTurn(step manager.TurnStep, data string) error {
	query, args := `UPDATE turns SET data=?, next=? WHERE id=?`, []any{data, step.Next, step.Turn.ID}
	if step.Done {
		query, args = `DELETE FROM turns WHERE id=?`, []any{step.Turn.ID}
	}
	if n, err := w.affect(query, args...); err != nil || n == 0 {
		return cmp.Or(err, manager.ErrTurnOver)
	}
	return nil
}

// PendingTurns implements manager.Store.
func (s *Store) PendingTurns(ctx context.Context) ([]manager.Pending, error) {
	return collect(ctx, s.read, func(row row) (p manager.Pending, err error) {
		var id, chat, data string
		if err := row.Scan(&id, &chat, &data, &p.Next); err != nil {
			return p, err
		}
		if err := json.Unmarshal([]byte(data), &p.Turn); err != nil {
			p = manager.Pending{Turn: manager.Turn{ID: id, Chat: chat}, Unreadable: apperr.Wrap(err, apperr.StorageCorrupt)}
		}
		return p, nil
	}, `SELECT id, chat, data, next FROM turns ORDER BY created, rowid`)
}

const (
	messageColumns = `id, role, text, job, code, buttons, reasoning, library, did, about, standing, turn, attachments, created`
	selectMessage  = `SELECT ` + messageColumns + ` FROM messages `
	selectNewest   = `SELECT ` + messageColumns + `, chat FROM messages WHERE n IN (SELECT m.n FROM json_each(?) j CROSS JOIN messages m
		ON m.n IN (SELECT n FROM messages WHERE chat=j.value AND hidden=0 ORDER BY n DESC LIMIT ?+0)) ORDER BY n`
)

// History implements manager.Store.
func (s *Store) History(ctx context.Context, chat, before string, limit int) ([]event.ChatMessage, error) {
	if limit <= 0 || limit > 1000 {
		limit = 100
	}
	list, err := s.messages(ctx, selectMessage+`WHERE chat=? AND hidden=0 AND
		(?='' OR n < (SELECT n FROM messages WHERE id=?)) ORDER BY n DESC LIMIT ?+0`, chat, before, before, limit)
	if err != nil {
		return nil, err
	}
	slices.Reverse(list)
	return list, s.nameVersions(ctx, list)
}

// Newest gives the newest messages of some chats, up to limit of each, by chat, oldest first. They are not to be changed: others get the same.
func (s *Store) Newest(ctx context.Context, chats []string, limit int) (map[string][]event.ChatMessage, error) {
	all := map[string][]event.ChatMessage{}
	var others []string
	mark := s.kept.look(func() {
		for _, chat := range chats {
			switch n, is := s.kept.newest[chat]; {
			case is && limit <= n.most:
				all[chat] = n.messages[max(len(n.messages)-limit, 0):]
			default:
				others = append(others, chat)
			}
		}
	})
	if len(others) == 0 {
		return all, nil
	}
	read, err := s.readNewest(ctx, others, limit)
	if err != nil {
		return nil, err
	}
	maps.Copy(all, read)
	s.kept.keep(mark, func() {
		if len(s.kept.newest) > keptChats {
			clear(s.kept.newest)
		}
		for _, chat := range others {
			s.kept.newest[chat] = newest{most: limit, messages: read[chat]}
		}
	})
	return all, nil
}

func (s *Store) readNewest(ctx context.Context, chats []string, limit int) (map[string][]event.ChatMessage, error) {
	var of []string
	list, err := collect(ctx, s.read, func(row row) (event.ChatMessage, error) {
		chat := ""
		m, err := scanMessage(row, &chat)
		of = append(of, chat)
		return m, err
	}, selectNewest, jsonOf(chats), limit)
	if err == nil {
		err = s.nameVersions(ctx, list)
	}
	all := map[string][]event.ChatMessage{}
	for i, m := range list {
		all[of[i]] = append(all[of[i]], m)
	}
	return all, err
}

func (s *Store) messages(ctx context.Context, query string, args ...any) ([]event.ChatMessage, error) {
	return collect(ctx, s.read, func(row row) (event.ChatMessage, error) { return scanMessage(row) }, query, args...)
}

// scanMessage reads messageColumns, and what stands behind them.
func scanMessage(row row, more ...any) (m event.ChatMessage, err error) {
	var created time.Time
	// What was said stays readable when what hangs on it is not.
	err = row.Scan(append([]any{
		&m.ID, &m.Role, &m.Text, &m.JobID, &m.Code,
		hanging{&m.Buttons},
		&m.Reasoning,
		hanging{&m.Library},
		hanging{&m.Did},
		hanging{&m.About},
		hanging{&m.Standing},
		&m.Turn,
		hanging{&m.Attachments},
		moment{&created},
	}, more...)...)
	m.Time = event.Stamp(created)
	return m, err
}

// changed is when a conversation got its newest message, or was made.
const changed = `coalesce((SELECT created FROM messages m WHERE m.chat=chats.id ORDER BY m.n DESC LIMIT 1), chats.created)`

// selectChats reads the newest message of each once. It is sorted by whoever asks: SQLite would write all rows aside for that.
const selectChats = `SELECT chats.rowid, chats.id, title, coalesce(newest.created, chats.created), pinned, archived, project, instructions, model, ` + unread + `, ` + placed + `
	FROM chats LEFT JOIN places p ON p.chat=chats.id LEFT JOIN messages newest ON newest.n=(SELECT max(n) FROM messages m WHERE m.chat=chats.id)
	WHERE deleted=0 AND chats.id NOT LIKE 'job:%'`

// Chats gives every conversation, the one with the newest message first; being pinned changes nothing of that. Jobs' own chats are not among them.
func (s *Store) Chats(ctx context.Context) (chats []manager.Chat, err error) {
	mark := s.kept.look(func() { chats = slices.Clone(s.kept.chats) })
	if chats != nil {
		return chats, nil
	}
	if chats, err = s.readChats(ctx); err == nil {
		s.kept.keep(mark, func() { s.kept.chats = slices.Clone(chats) })
	}
	return chats, err
}

func (s *Store) readChats(ctx context.Context) ([]manager.Chat, error) {
	type made struct {
		manager.Chat

		row int64
	}
	list, err := collect(ctx, s.read, func(row row) (c made, err error) {
		err = row.Scan(&c.row, &c.ID, &c.Title, moment{&c.Updated}, &c.Pinned, &c.Archived, &c.Project, &c.Instructions, &c.Model, &c.Unread, &c.Line, &c.Offset)
		return c, err
	}, selectChats)
	slices.SortFunc(list, func(a, b made) int { return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(b.row, a.row)) })
	chats := make([]manager.Chat, len(list))
	for i, c := range list {
		chats[i] = c.Chat
	}
	return chats, err
}

// AddChat makes an empty conversation; one that exists stays as it is.
func (s *Store) AddChat(ctx context.Context, id, title string) error {
	at := micros(s.now())
	return s.exec(ctx, false, `INSERT INTO chats (id, title, created) VALUES (?,?,?) ON CONFLICT DO NOTHING`, id, title, at)
}

// RenameChat gives a conversation another title; not_found when there is none.
func (s *Store) RenameChat(ctx context.Context, id, title string) error {
	return s.change(ctx, "chat", id, `UPDATE chats SET title=?, named=2 WHERE id=? AND deleted=0`, title, id)
}

// PinChat keeps a conversation before the others, or lets it go; not_found when there is none.
func (s *Store) PinChat(ctx context.Context, id string, pinned bool) error {
	return s.change(ctx, "chat", id, `UPDATE chats SET pinned=? WHERE id=? AND deleted=0`, pinned, id)
}

// HideMessage takes a message out of its conversation, or puts it back; not_found when there is none.
func (s *Store) HideMessage(ctx context.Context, id string, hidden bool) error {
	return s.change(ctx, "message", id, `UPDATE messages SET hidden=CASE WHEN ? THEN 1 WHEN under<>'' THEN 3 ELSE 0 END WHERE id=?`, hidden, id)
}

func (s *Store) change(ctx context.Context, what, id, query string, args ...any) error {
	return s.tx(ctx, false, func(w *work) error { return w.change(what, id, query, args...) })
}

func (w *work) change(what, id, query string, args ...any) error {
	n, err := w.affect(query, args...)
	if err == nil && n == 0 {
		err = notFound(what, id)
	}
	return err
}
