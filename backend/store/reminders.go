package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/reminder"
)

var _ reminder.Store = (*Store)(nil)

// NextReminder implements reminder.Store.
func (s *Store) NextReminder(ctx context.Context) (r reminder.Reminder, ok bool, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT r.id, r.service, r.chat, r.data, d.due FROM dues d JOIN service_records r ON r.id=d.record
		WHERE d.told=0 AND r.canceled=0 ORDER BY d.due, r.n LIMIT 1`).Scan(&r.ID, &r.Service, &r.Chat, (*[]byte)(&r.Values), moment{&r.Due})
	if errors.Is(err, sql.ErrNoRows) {
		return r, false, nil
	}
	return r, err == nil, storageError(err)
}

// TellReminder implements reminder.Store.
func (s *Store) TellReminder(ctx context.Context, r reminder.Reminder, msg event.ChatMessage, at time.Time) (chat string, told bool, err error) {
	chat = r.Chat
	there := 0
	err = s.read.QueryRowContext(ctx, `SELECT count(*) FROM chats WHERE id=? AND deleted=0`, chat).Scan(&there)
	if err != nil {
		return "", false, storageError(err)
	}
	if there == 0 {
		chat = mainChat
	}
	err = s.tx(ctx, true, func(w *work) error {
		n, err := w.affect(`UPDATE dues SET told=?1 WHERE record=?2 AND told=0 AND EXISTS (SELECT 1 FROM service_records WHERE id=?2 AND canceled=0)`,
			micros(at), r.ID)
		if told = n == 1; err != nil || !told {
			return err
		}
		if _, err := w.openChat(chat, "", micros(s.now())); err != nil { // it may have been deleted, and somewhere it must be told
			return err
		}
		return w.addMessage(chat, msg, micros(s.now()))
	})
	return chat, told && err == nil, err
}

// mainChat is the conversation that is always there.
const mainChat = "main"
