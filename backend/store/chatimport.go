package store

import (
	"context"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/manager"
)

// ChatMessages gives the ids of all messages that a chat ever got, hidden ones among them, and whether there is or was such a chat and it is deleted.
func (s *Store) ChatMessages(ctx context.Context, chat string) (ids map[string]bool, deleted bool, err error) {
	list, err := collect(ctx, s.read, one[string], `SELECT id FROM messages WHERE chat=?`, chat)
	if err != nil {
		return nil, false, err
	}
	ids = make(map[string]bool, len(list))
	for _, id := range list {
		ids[id] = true
	}
	gone, err := collect(ctx, s.read, one[int64], `SELECT deleted FROM chats WHERE id=?`, chat)
	return ids, len(gone) > 0 && gone[0] > 0, err
}

// ImportChat keeps messages that were said elsewhere in a chat, which is made when there is none, with the times they were said at. All of them are
// kept or none; one that is there stays as it is.
func (s *Store) ImportChat(ctx context.Context, id, title string, created time.Time, messages []event.ChatMessage) error {
	return s.tx(ctx, false, func(w *work) error {
		if _, err := w.exec(`INSERT INTO chats (id, title, created) VALUES (?,?,?) ON CONFLICT DO NOTHING`, id, title, micros(created)); err != nil {
			return err
		}
		return w.importMessages(id, created, messages)
	})
}

func (w *work) importMessages(chat string, created time.Time, messages []event.ChatMessage) error {
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
		if err := w.addMessage(chat, m, micros(at)); err != nil {
			return err
		}
	}
	return nil
}

// Returned is a chat that this program saved and that comes back: what was said, with its versions, and the jobs that were done.
type Returned struct {
	manager.Chat

	Created  time.Time
	Messages []event.ChatMessage // in the order in which they were said; Versions are all that a request was
	Under    map[string]string   // the requests with whose versions messages are out of sight, by the messages
	Jobs     []job.Job           // all of them over
	Talks    map[string][]event.ChatMessage
}

// ReturnChat keeps such a chat, which is not there yet, whole or not at all.
func (s *Store) ReturnChat(ctx context.Context, c Returned) error {
	return s.tx(ctx, false, func(w *work) error {
		if _, err := w.exec(`INSERT INTO chats (id, title, created, pinned, archived, project, named) VALUES (?,?,?,?,?,?,2)`,
			c.ID, c.Title, micros(c.Created), c.Pinned, c.Archived, c.Project); err != nil {
			return err
		}
		if err := w.importMessages(c.ID, c.Created, c.Messages); err != nil {
			return err
		}
		for _, m := range c.Messages {
			if under := c.Under[m.ID]; under != "" {
				if _, err := w.exec(`UPDATE messages SET hidden=3, under=? WHERE id=? AND chat=?`, under, m.ID, c.ID); err != nil {
					return err
				}
			}
			if len(m.Versions) > 1 {
				if _, err := w.exec(`INSERT INTO versions (request, first) VALUES (?,?) ON CONFLICT DO NOTHING`, m.ID, m.Versions[0]); err != nil {
					return err
				}
			}
		}
		for _, j := range c.Jobs {
			if err := w.addJob(j); err != nil {
				return err
			}
			if _, err := w.exec(endJob, micros(j.Ended), j.ID); err != nil {
				return err
			}
			if err := w.importMessages(manager.JobChat+j.ID, j.Created, c.Talks[j.ID]); err != nil {
				return err
			}
		}
		return nil
	})
}
