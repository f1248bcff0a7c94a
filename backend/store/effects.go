package store

import (
	"agentchat/backend/apperr"
	"agentchat/backend/job"
)

// addIntent is one intent; what may follow is the condition under which it is written at all.
const addIntent = `INSERT INTO effects (id, job, todo, tool, digest, args, warrant, state, created) SELECT ?,?,?,?,?,?,?,'intent',? `

// warrants say for each warrant what must stand in the ledger for it to hold.
var warrants = map[job.Warrant]string{
	job.WarrantPolicy: ``,
	job.WarrantAsk: `WHERE EXISTS (SELECT 1 FROM asks WHERE id=? AND job=? AND state IN ('answered','consumed')
		AND data->>'$.digest'=? AND answer->>'$.choice' IN ('approve','run_again') AND answer->>'$.by'='person')`,
	job.WarrantGrant: ``, // looked up by useGrant, which reads the pattern
	job.WarrantOrder: `WHERE EXISTS (SELECT 1 FROM jobs, json_each(jobs.data, '$.job.todos') t WHERE jobs.id=? AND t.value->>'$.id'=?
		AND t.value->>'$.approved'=?)`,
}

// intend writes an intent down, provided its warrant stands in the ledger at this very moment: the answer with the same
// digest, a grant that is not revoked and covers these arguments, or the order as it was confirmed. Else digest_mismatch, and nothing is written.
func (w *work) intend(e *job.Effect, at int64) error {
	if e == nil {
		return nil
	}
	args := []any{e.ID, e.JobID, e.TodoID, e.Tool, e.Digest, string(e.Args), string(e.Warrant), at}
	switch e.Warrant {
	case job.WarrantPolicy:
	case job.WarrantAsk:
		args = append(args, e.Ask, e.JobID, e.Digest)
	case job.WarrantGrant:
		if err := w.useGrant(e.Grant, e.Chat, e.Tool, e.Args, at); err != nil {
			return err
		}
	case job.WarrantOrder:
		args = append(args, e.JobID, e.TodoID, e.Digest)
	}
	res, err := w.exec(addIntent+warrants[e.Warrant], args...)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n != 1 {
		err = apperr.New(apperr.DigestMismatch)
	}
	return err
}
