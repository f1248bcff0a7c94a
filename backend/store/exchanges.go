package store

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/interpreter"
)

// How many requests are kept: the newest, as long as they are not too large together.
const (
	RequestsKept = 1000
	RequestBytes = 32 << 20
)

// headRequest is how many characters of a request a list shows.
const headRequest = 200

// requestSlack is how many requests beyond the limit are allowed, so that old ones are deleted in batches.
const requestSlack = 64

// AddExchanges stores exchanges, oldest first, and from time to time deletes the oldest beyond RequestsKept and RequestBytes.
func (s *Store) AddExchanges(ctx context.Context, list []interpreter.Exchange) error {
	packed := make([]packedExchange, len(list))
	for i, x := range list {
		var err error
		if packed[i], err = s.packer.pack(x); err != nil {
			return apperr.Wrap(err, apperr.StorageFailed)
		}
	}
	return s.tx(ctx, false, func(w *work) error {
		for _, p := range packed {
			if gone, err := w.ids(`SELECT id FROM chats WHERE id=? AND deleted>0`, p.x.Request.Chat); err != nil {
				return err
			} else if len(gone) > 0 { // the chat was deleted while the request was written
				continue
			}
			for _, part := range p.parts {
				if _, err := w.exec(`INSERT INTO letter_parts (hash, body) VALUES (?,?) ON CONFLICT DO NOTHING`, part.hash, part.body); err != nil {
					return err
				}
			}
			if _, err := w.exec(`INSERT INTO letters (id, chat, job, size, at, head, frozen, form, chapter, body) VALUES (?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`,
				p.x.Request.ID, p.x.Request.Chat, p.x.Request.Job, len(p.body), micros(p.x.At), p.head, p.frozen, p.form, p.chapter, p.body); err != nil {
				return err
			}
		}
		if s.exchangesLeft -= len(packed); s.exchangesLeft > 0 {
			return nil
		}
		s.exchangesLeft = requestSlack
		return w.trimExchanges(RequestsKept, RequestBytes)
	})
}

func (w *work) trimExchanges(most, size int) error {
	old, err := w.affect(`DELETE FROM letters WHERE n < (SELECT n FROM letters ORDER BY n DESC LIMIT 1 OFFSET ?)`, most-1)
	if err != nil {
		return err
	}
	large, err := w.affect(`DELETE FROM letters WHERE n <= (SELECT n FROM
		(SELECT n, SUM(size) OVER (ORDER BY n DESC) AS total FROM letters) WHERE total > ? ORDER BY n DESC LIMIT 1)`, size)
	if err != nil || old+large == 0 {
		return err
	}
	return w.dropParts()
}

func (w *work) dropParts() error {
	_, err := w.exec(`DELETE FROM letter_parts WHERE hash NOT IN (SELECT frozen FROM letters UNION SELECT form FROM letters UNION SELECT chapter FROM letters)`)
	return err
}

// forgetExchanges lets go of the requests of a chat.
func (w *work) forgetExchanges(chat string) error {
	if _, err := w.exec(`DELETE FROM letters WHERE chat=?`, chat); err != nil {
		return err
	}
	return w.dropParts()
}

const exchangesOf = ` WHERE (?1='' OR chat=?1) AND (?2='' OR job=?2) ORDER BY n DESC LIMIT ?3`

// ExchangeHeads lists the newest exchanges of a chat and a job ("" for all), newest first: without what was sent and said,
// and with the beginning of the request.
func (s *Store) ExchangeHeads(ctx context.Context, chat, job string, limit int) ([]interpreter.Exchange, error) {
	return collect(ctx, s.read, func(row row) (x interpreter.Exchange, err error) {
		return scanHead(row)
	}, `SELECT id, chat, job, head FROM letters`+exchangesOf, chat, job, exchangesLimit(limit))
}

// Exchanges gives the newest exchanges of a chat and a job ("" for all) whole, newest first.
func (s *Store) Exchanges(ctx context.Context, chat, job string, limit int) ([]interpreter.Exchange, error) {
	return s.exchanges(ctx, exchangesOf, chat, job, exchangesLimit(limit))
}

// Exchange gives one exchange whole; not_found when there is none, or none any more.
func (s *Store) Exchange(ctx context.Context, id string) (interpreter.Exchange, error) {
	list, err := s.exchanges(ctx, ` WHERE id=?`, id)
	if err != nil {
		return interpreter.Exchange{}, err
	}
	if len(list) == 0 {
		return interpreter.Exchange{}, notFound("letter", id)
	}
	return list[0], nil
}

func (s *Store) exchanges(ctx context.Context, where string, args ...any) ([]interpreter.Exchange, error) {
	return collect(ctx, s.read, func(row row) (x interpreter.Exchange, err error) {
		var body, frozen, form, chapter []byte
		if x, err = scanHead(row, &body, &frozen, &form, &chapter); err != nil {
			return x, err
		}
		return unpackExchange(x, body, frozen, form, chapter)
	}, `SELECT id, chat, job, head, body, (SELECT body FROM letter_parts WHERE hash=frozen), (SELECT body FROM letter_parts WHERE hash=form),
		(SELECT body FROM letter_parts WHERE hash=chapter) FROM letters`+where, args...)
}

// scanHead reads what a list shows of an exchange, and the columns behind it.
func scanHead(row row, more ...any) (interpreter.Exchange, error) {
	var id, chat, job, head string
	if err := row.Scan(append([]any{&id, &chat, &job, &head}, more...)...); err != nil {
		return interpreter.Exchange{}, err
	}
	return unpackHead(id, chat, job, head)
}

func exchangesLimit(limit int) int {
	if limit <= 0 || limit > RequestsKept {
		return 200
	}
	return limit
}
