package store

import "context"

// Place is how far a person has read in a chat, and where they are in it: Seen is the newest message that was in sight, Line what stands at
// the top of what is in sight (a message, or a ticket), "" for its end, and Offset how much of that is above the edge, in its heights.
type Place struct {
	Chat, Seen, Line string
	Offset           float64
}

// SavePlaces keeps places, of each chat the last.
func (s *Store) SavePlaces(ctx context.Context, list []Place) error {
	last := map[string]Place{}
	for _, p := range list {
		last[p.Chat] = p
	}
	return s.tx(ctx, false, func(w *work) error {
		for _, p := range last {
			if _, err := w.exec(`INSERT INTO places (chat, seen, line, offset) SELECT id, coalesce((SELECT n FROM messages WHERE id=?2), 0), ?3, ?4 FROM chats WHERE id=?1
				ON CONFLICT (chat) DO UPDATE SET seen=max(seen, excluded.seen), line=excluded.line, offset=excluded.offset`, p.Chat, p.Seen, p.Line, p.Offset); err != nil {
				return err
			}
		}
		return nil
	})
}

// spoke notes, with a message of the customer, that they have read a chat up to it: what comes after it is unread until it is looked at, whatever
// becomes of the program meanwhile. A run of a standing order was said by nobody.
func (w *work) spoke(chat, message string, person bool) error {
	_, err := w.exec(`INSERT INTO places (chat, seen) SELECT ?1, CASE WHEN ?3 THEN n ELSE 0 END FROM messages WHERE id=?2
		ON CONFLICT (chat) DO UPDATE SET seen=max(seen, excluded.seen)`, chat, message, person)
	return err
}

const (
	// unread tells of a chat, its place and its newest message whether something was said in it, by whoever is not the customer, since it was
	// last looked at. Mostly the newest message tells.
	unread = `CASE WHEN coalesce(newest.n<=p.seen, 1) THEN 0 WHEN newest.hidden=0 AND newest.role IN ('shop', 'job') THEN 1
		ELSE EXISTS (SELECT 1 FROM messages m WHERE m.chat=chats.id AND m.n>p.seen AND m.hidden=0 AND m.role IN ('shop', 'job')) END`
	// placed gives the line and the offset of a place.
	placed = `coalesce(p.line, ''), coalesce(p.offset, 0)`
)
