package store

import (
	"context"
	"time"
)

// Keep says how much finished work is kept. Unfinished work and everything about money is never deleted.
type Keep struct {
	Jobs    int           // of the jobs that have ended, the newest
	Records time.Duration // their log, their questions and effects
	Cleared time.Duration // the log of those that a person took off the board
	Batch   int           // the most rows that go with one commit, so that nobody waits long

	Audit     time.Duration // the audit log
	AuditRows int           // of it, the newest
	Chats     time.Duration // what was said in a chat that was deleted
	Filing    time.Duration // what was done to files, and what takes it back

	Outbound     time.Duration // what left this computer
	OutboundRows int           // of it, the newest

	Uses time.Duration // the names that paired shops give to what they ask for
}

// over finds what may go, a batch at a time: ?1 is the moment before which records are old, ?2 that for jobs off the board,
// ?3 how many ended jobs stay, ?4 the size of a batch. What a job left goes before the job itself.
var over = []struct{ table, find string }{
	{"job_log", `SELECT l.n FROM jobs j JOIN job_log l ON` + linesOf + `
		WHERE j.ended>0 AND (j.ended<?1 OR j.cleared=1 AND j.ended<?2) AND ?3>=0 LIMIT ?4`},
	{"asks", `SELECT a.rowid FROM jobs j JOIN asks a ON a.job=j.id
		WHERE j.ended>0 AND j.ended<?1 AND a.state IN ('consumed', 'closed') AND ?2>=0 AND ?3>=0 LIMIT ?4`},
	{"effects", `SELECT e.rowid FROM jobs j JOIN effects e ON e.job=j.id
		WHERE j.ended>0 AND e.settled>0 AND e.settled<?1 AND ?2>=0 AND ?3>=0 LIMIT ?4`},
	{"job_log", surplus + `SELECT l.n FROM surplus j JOIN job_log l ON` + linesOf + `LIMIT ?4`},
	{"asks", surplus + `SELECT a.rowid FROM surplus j JOIN asks a ON a.job=j.id WHERE a.state IN ('consumed', 'closed') LIMIT ?4`},
	{"effects", surplus + `SELECT e.rowid FROM surplus j JOIN effects e ON e.job=j.id WHERE e.settled>0 LIMIT ?4`},
	{"jobs", surplus + `SELECT j.number FROM surplus j WHERE NOT EXISTS (SELECT 1 FROM asks a WHERE a.job=j.id)
		AND NOT EXISTS (SELECT 1 FROM effects e WHERE e.job=j.id) LIMIT ?4`},
}

// surplus are the ended jobs beyond the newest.
const surplus = `WITH surplus AS (SELECT number, id FROM jobs WHERE ended>0 AND ?1>=0 AND ?2>=0
	ORDER BY ended DESC, number DESC LIMIT -1 OFFSET ?3) `

// Prune lets go of what is over and old, in small commits, and gives how many rows went. It stops when ctx ends.
func (s *Store) Prune(ctx context.Context, keep Keep) (gone int, err error) {
	now := s.now()
	old, cleared := max(micros(now.Add(-keep.Records)), 0), max(micros(now.Add(-keep.Cleared)), 0)
	for _, o := range over {
		n, err := s.dropFound(ctx, o.table, keep.Batch, o.find, old, cleared, keep.Jobs)
		if gone += n; err != nil {
			return gone, err
		}
	}
	for _, prune := range []func(context.Context, Keep) (int, error){s.pruneChats, s.pruneFiling, s.pruneOutbound, s.pruneUses, s.pruneAudit} {
		n, err := prune(ctx, keep)
		if gone += n; err != nil {
			return gone, err
		}
	}
	return gone, nil
}

// pruneChats lets go for good of what was said in chats that were deleted, and to their jobs.
func (s *Store) pruneChats(ctx context.Context, keep Keep) (gone int, err error) {
	if keep.Chats <= 0 {
		return 0, nil
	}
	old := max(micros(s.now().Add(-keep.Chats)), 0)
	gone, err = s.dropFound(ctx, "messages", keep.Batch, `SELECT m.rowid FROM messages m INDEXED BY messages_away LEFT JOIN jobs j ON m.chat='job:'||j.id
		JOIN chats c ON c.id=coalesce(j.chat, m.chat) WHERE m.hidden=2 AND c.deleted BETWEEN 1 AND ? LIMIT ?`, old)
	if err != nil {
		return gone, err
	}
	n, err := s.pruneVersions(ctx, old, keep.Batch)
	return gone + n, err
}

// pruneVersions does the same for what was out of sight in them, as versions that were not shown.
func (s *Store) pruneVersions(ctx context.Context, old int64, batch int) (gone int, err error) {
	gone, err = s.dropFound(ctx, "messages", batch, `SELECT m.rowid FROM messages m INDEXED BY messages_under JOIN chats c ON c.id=m.chat
		WHERE m.under<>'' AND c.deleted BETWEEN 1 AND ? LIMIT ?`, old)
	if err != nil || gone == 0 {
		return gone, err
	}
	return gone, s.exec(ctx, false, `DELETE FROM versions WHERE request NOT IN (SELECT id FROM messages)`)
}

// pruneAudit lets go of entries that are old or beyond the newest; what is under way stays.
func (s *Store) pruneAudit(ctx context.Context, keep Keep) (gone int, err error) {
	if keep.Audit <= 0 || keep.AuditRows <= 0 {
		return 0, nil
	}
	old := max(micros(s.now().Add(-keep.Audit)), 0)
	return s.dropFound(ctx, "audit", keep.Batch, `SELECT n FROM audit WHERE outcome<>'started' AND (at<? OR n<=(SELECT max(n) FROM audit)-?) LIMIT ?`, old, keep.AuditRows)
}

// dropFound takes away the rows of a table that a query finds, whose last value is how many at a time, and gives how many went.
func (s *Store) dropFound(ctx context.Context, table string, batch int, query string, args ...any) (gone int, err error) {
	args = append(args, batch)
	for {
		// What is over stays over, so it may be looked for beside those who write.
		rows, err := s.numbers(ctx, query, args...)
		if err != nil {
			return gone, err
		}
		if err := s.drop(ctx, table, rows); err != nil {
			return gone, err
		}
		if gone += len(rows); len(rows) != batch {
			return gone, nil
		}
	}
}

func (s *Store) numbers(ctx context.Context, query string, args ...any) ([]int64, error) {
	return collect(ctx, s.read, one[int64], query, args...)
}

func (s *Store) drop(ctx context.Context, table string, rows []int64) error {
	if len(rows) == 0 {
		return ctx.Err()
	}
	return s.exec(ctx, false, `DELETE FROM `+table+` WHERE rowid IN (SELECT value FROM json_each(?))`, jsonOf(rows))
}
