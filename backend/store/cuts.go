package store

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/favourite"
	"agentchat/backend/job"
	"agentchat/backend/manager"
	"agentchat/backend/service"
)

// theirs are the chats in which the jobs of a chat are spoken to.
const theirs = `SELECT 'job:' || id FROM jobs WHERE chat=?1`

// DeleteChat implements manager.Store. One transaction ends everything in the conversation, also if the program dies right after: its turns
// cannot write any more, and its jobs are called off.
func (s *Store) DeleteChat(ctx context.Context, id string) (over manager.Cut, err error) {
	err = s.tx(ctx, true, func(w *work) error {
		if err := w.change("chat", id, `UPDATE chats SET deleted=? WHERE id=? AND deleted=0`, micros(s.now()), id); err != nil {
			return err
		}
		if over.Turns, err = w.ids(`DELETE FROM turns WHERE chat=?1 OR chat IN (`+theirs+`) RETURNING id`, id); err != nil {
			return err
		}
		if over.Jobs, err = w.ids(`SELECT id FROM jobs WHERE chat=? AND ended=0`, id); err != nil {
			return err
		}
		if _, err := w.exec(`UPDATE messages SET hidden=2 WHERE hidden=0 AND chat IN (SELECT ?1 UNION ALL `+theirs+`)`, id); err != nil {
			return err
		}
		if err := w.callOff(job.Disowned, `chat=? AND ended=0`, id); err != nil {
			return err
		}
		if err := w.callOff(job.Away, `chat=? AND ended>0 AND called_off<2`, id); err != nil {
			return err
		}
		if err := w.saveCounter(id, nil, 0); err != nil {
			return err
		}
		if err := w.forgetExchanges(id); err != nil {
			return err
		}
		if err := w.saveFilling(id, favourite.Filling{}); err != nil {
			return err
		}
		if _, err := w.exec(`DELETE FROM drafts WHERE chat=?`, id); err != nil {
			return err
		}
		if err := w.forgetReadings(id); err != nil {
			return err
		}
		if err := w.forgetAnswers(""); err != nil { // whose they were is not kept
			return err
		}
		return w.forgetChat(id)
	})
	return over, err
}

// RestoreChat implements manager.Store. The messages that were deleted with the chat (hidden is 2) come back, and the tickets of work that
// had ended. Work that was called off stays called off.
func (s *Store) RestoreChat(ctx context.Context, id string, after time.Time) (title string, err error) {
	err = s.tx(ctx, true, func(w *work) error {
		titles, err := w.ids(`UPDATE chats SET deleted=0 WHERE id=?1 AND (deleted>?2 OR deleted=0 AND EXISTS `+away+`) RETURNING title`,
			id, micros(after))
		if err != nil {
			return err
		}
		if len(titles) == 0 {
			return notFound("chat", id)
		}
		title = titles[0]
		if _, err := w.exec(`UPDATE messages SET hidden=0 WHERE hidden=2 AND chat IN (SELECT ?1 UNION ALL `+theirs+`)`, id); err != nil {
			return err
		}
		_, err = w.exec(`UPDATE jobs SET called_off=0 WHERE chat=? AND called_off=?`, id, job.Away)
		return err
	})
	return title, err
}

// away finds the deleted messages of a chat that was deleted and has been opened again since.
const away = `(SELECT 1 FROM messages m WHERE m.chat=chats.id AND m.hidden=2)`

// DeletedChats implements manager.Store.
func (s *Store) DeletedChats(ctx context.Context, after time.Time) ([]manager.DeletedChat, error) {
	return collect(ctx, s.read, func(row row) (c manager.DeletedChat, err error) {
		err = row.Scan(&c.ID, &c.Title, moment{&c.Deleted}, moment{&c.Updated})
		return c, err
	}, `SELECT id, title, deleted, `+changed+` FROM chats
		WHERE (deleted=0 OR deleted>?) AND id NOT LIKE 'job:%' AND EXISTS `+away+` ORDER BY deleted DESC, rowid DESC`, micros(after))
}

// Request implements manager.Store.
func (s *Store) Request(ctx context.Context, message string) (chat string, msg event.ChatMessage, err error) {
	list, err := s.messages(ctx, selectMessage+`WHERE id=? AND role=? AND hidden=0`, message, string(event.RoleCustomer))
	switch {
	case err != nil:
		return "", msg, err
	case len(list) == 0:
		return "", msg, notFound("message", message)
	}
	if err := s.read.QueryRowContext(ctx, `SELECT chat FROM messages WHERE id=?`, message).Scan(&chat); err != nil {
		return "", msg, missing(err, "message", message)
	}
	return chat, list[0], nil
}

// closeSessions closes the sessions at a chat's counter that removed messages opened. A confirmed one stays, so that its outcome is told.
func (w *work) closeSessions(chat string, gone []string) error {
	list, err := w.ids(`SELECT data FROM counters WHERE chat=?`, chat)
	if err != nil || len(list) == 0 {
		return err
	}
	var c service.Counter
	if err := json.Unmarshal([]byte(list[0]), &c); err != nil {
		return err
	}
	for _, s := range slices.Clone(c) {
		if s.Stage != service.Confirmed && slices.Contains(gone, s.ID) {
			c = c.Without(s.ID)
		}
	}
	return w.saveCounter(chat, c, micros(w.s.now()))
}

// callOff calls jobs off. Jobs that have ended keep their state, but are taken off the board when they are disowned.
func (w *work) callOff(how job.CalledOff, where string, args ...any) error {
	query := `UPDATE jobs SET called_off=1 WHERE `
	switch how {
	case job.NotCalledOff, job.Stopped:
	case job.Disowned:
		query = `UPDATE jobs SET called_off=2 WHERE `
	case job.Away:
		query = `UPDATE jobs SET called_off=3 WHERE `
	}
	_, err := w.exec(query+where, args...)
	return err
}

func (w *work) calledOff(id string) (how job.CalledOff, err error) {
	rows, err := w.query(`SELECT called_off FROM jobs WHERE id=?`, id)
	err = each(rows, err, func(r row) error { return r.Scan(&how) })
	return how, err
}

// ids reads one column of text.
func (w *work) ids(query string, args ...any) ([]string, error) {
	list := []string{} // never nil: fronts are told of it as a list
	rows, err := w.query(query, args...)
	err = each(rows, err, func(r row) error {
		var id string
		err := r.Scan(&id)
		list = append(list, id)
		return err
	})
	return list, err
}
