package store

import (
	"context"
	"strings"
	"time"

	"agentchat/backend/outbound"
)

// AddOutbound writes requests to the outside down; one that is there already is brought up to date.
func (s *Store) AddOutbound(ctx context.Context, list []outbound.Entry) error {
	return s.tx(ctx, false, func(w *work) error {
		for _, e := range list {
			if _, err := w.exec(`INSERT INTO outbound (id, at, last, times, room, chat, job, method, host, path, address, net, words, sent, received, outcome, code, status)
				VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
				ON CONFLICT (id) DO UPDATE SET last=excluded.last, times=excluded.times, address=excluded.address, net=excluded.net,
					sent=excluded.sent, received=excluded.received, outcome=excluded.outcome, code=excluded.code, status=excluded.status`,
				e.ID, ofMillis(e.At), ofMillis(e.Last), e.Times, e.Room, e.Chat, e.Job, e.Method, e.Host, e.Path, e.Address, e.Net, e.Words, e.Sent, e.Received,
				e.Outcome, e.Code, e.Status); err != nil {
				return err
			}
		}
		return nil
	})
}

// CutOutbound says of requests that were under way when the program ended that nobody saw their end.
func (s *Store) CutOutbound(ctx context.Context) error {
	return s.exec(ctx, false, `UPDATE outbound SET outcome=? WHERE outcome=?`, outbound.OutcomeCut, outbound.OutcomeGoing)
}

// Outbound lists requests to the outside, newest first, those before an entry's number (0: the newest).
func (s *Store) Outbound(ctx context.Context, f outbound.Filter, before int64, limit int) ([]outbound.Entry, error) {
	if limit <= 0 || limit > mostAudit {
		limit = mostAudit
	}
	words := strings.ToLower(strings.TrimSpace(f.Words))
	return collect(ctx, s.read, func(row row) (e outbound.Entry, err error) {
		var at, last int64
		err = row.Scan(&e.N, &e.ID, &at, &last, &e.Times, &e.Room, &e.Chat, &e.Job, &e.Method, &e.Host, &e.Path, &e.Address, &e.Net, &e.Words, &e.Sent, &e.Received,
			&e.Outcome, &e.Code, &e.Status)
		e.At, e.Last = fromMicros(at).UnixMilli(), fromMicros(last).UnixMilli()
		return e, err
	}, `SELECT n, id, at, last, times, room, chat, job, method, host, path, address, net, words, sent, received, outcome, code, status FROM outbound
		WHERE (?1=0 OR n<?1) AND (?2='' OR room=?2) AND (?3='' OR outcome=?3) AND (?4='' OR net=?4)
		AND (?5='' OR instr(lower(host || ' ' || path || ' ' || words), ?5)>0) ORDER BY n DESC LIMIT ?6`,
		before, f.Room, f.Outcome, f.Net, words, limit)
}

// LeftLast is when something last left this computer; the zero time: nothing the ledger knows of.
func (s *Store) LeftLast(ctx context.Context) (time.Time, error) {
	list, err := s.numbers(ctx, `SELECT last FROM outbound INDEXED BY outbound_left WHERE outcome <> 'refused' ORDER BY last DESC LIMIT 1`)
	if err != nil || len(list) == 0 {
		return time.Time{}, err
	}
	return fromMicros(list[0]), nil
}

func ofMillis(ms int64) int64 { return micros(time.UnixMilli(ms)) }

// pruneOutbound lets go of entries that are old or beyond the newest.
func (s *Store) pruneOutbound(ctx context.Context, keep Keep) (gone int, err error) {
	if keep.Outbound <= 0 || keep.OutboundRows <= 0 {
		return 0, nil
	}
	old := max(micros(s.now().Add(-keep.Outbound)), 0)
	return s.dropFound(ctx, "outbound", keep.Batch, `SELECT n FROM outbound WHERE outcome<>'going' AND (last<? OR n<=(SELECT max(n) FROM outbound)-?) LIMIT ?`, old, keep.OutboundRows)
}
