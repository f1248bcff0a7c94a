package store

import (
	"context"
	"time"

	"agentchat/backend/event"
)

// ChatMessages gives the ids of all messages that a chat ever got, hidden ones among them, and whether there is or was such a chat and it is deleted.
func (s *Store) ChatMessages(ctx context.Context, chat string) (ids map[string]bool, deleted bool, err error) {
	list, err := collect(ctx, s.read, func(row row) (id string, err error) { return id, row.Scan(&id) }, `SELECT id FROM messages WHERE chat=?`, chat)
	if err != nil {
		return nil, false, err
	}
	ids = make(map[string]bool, len(list))
	for _, id := range list {
		ids[id] = true
	}
	gone, err := collect(ctx, s.read, func(row row) (at int64, err error) { return at, row.Scan(&at) }, `SELECT deleted FROM chats WHERE id=?`, chat)
	return ids, len(gone) > 0 && gone[0] > 0, err
}

// ImportChat keeps messages that were said elsewhere in a chat, which is made when there is none, with the times they were said at. All of them are
// kept or none; one that is there stays as it is.
func (s *Store) ImportChat(ctx context.Context, id, title string, created time.Time, messages []event.ChatMessage) error {
	return s.tx(ctx, false, func(w *work) error {
		if _, err := w.exec(`INSERT INTO chats (id, title, created) VALUES (?,?,?) ON CONFLICT DO NOTHING`, id, title, micros(created)); err != nil {
			return err
		}
		for _, m := range messages {
			at, err := time.Parse(time.RFC3339Nano, m.Time)
			if err != nil {
				at = created
			}
			known, err := w.ids(`SELECT id FROM messages WHERE id=?`, m.ID)
			if err != nil {
				return err
			}
			if len(known) > 0 {
				continue
			}
			if err := w.addMessage(id, m, micros(at)); err != nil {
				return err
			}
		}
		return nil
	})
}
