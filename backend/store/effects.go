package store

import (
	"cmp"

	"agentchat/backend/apperr"
	"agentchat/backend/job"
)

// addIntent is one intent; what may follow is the condition under which it is written at all.
const addIntent = `INSERT INTO effects (id, job, todo, tool, digest, args, warrant, state, created) SELECT ?,?,?,?,?,?,?,'intent',? `

// authorizations say for each warrant what must stand in the ledger for it to hold.
var authorizations = map[job.Authorization]string{
	job.AuthorizedByPolicy: ``,
	job.AuthorizedByAsk: `WHERE EXISTS (SELECT 1 FROM asks WHERE id=? AND job=? AND state IN ('answered','consumed')
		AND coalesce(answer->>'$.digest', data->>'$.digest')=? AND answer->>'$.choice' IN ('approve','run_again') AND answer->>'$.by'='person')`,
	job.AuthorizedByGrant: ``, // looked up by useGrant, which reads the pattern
	job.AuthorizedByOrder: `WHERE EXISTS (SELECT 1 FROM jobs, json_each(jobs.data, '$.job.todos') t WHERE jobs.id=? AND t.value->>'$.id'=?
		AND t.value->>'$.approved'=?)`,
}

// intend writes an intent down, provided its warrant stands in the ledger at this very moment: the answer with the same
// digest, a grant that is not revoked and covers these arguments, or the order as it was confirmed. Else digest_mismatch, and nothing is written.
// A job that was called off intends nothing any more: canceled.
func (w *work) intend(e *job.Effect, at int64) error {
	if e == nil {
		return nil
	}
	if off, err := w.calledOff(e.JobID); err != nil || off != job.NotCalledOff {
		return cmp.Or(err, error(apperr.New(apperr.Canceled)))
	}
	args := []any{e.ID, e.JobID, e.TodoID, e.Tool, e.Digest, string(e.Args), string(e.Authorization), at}
	switch e.Authorization {
	case job.AuthorizedByPolicy:
	case job.AuthorizedByAsk:
		args = append(args, e.Ask, e.JobID, e.Digest)
	case job.AuthorizedByGrant:
		if err := w.useGrant(e, at); err != nil {
			return err
		}
	case job.AuthorizedByOrder:
		args = append(args, e.JobID, e.TodoID, e.Digest)
	}
	res, err := w.exec(addIntent+authorizations[e.Authorization], args...)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n != 1 {
		err = apperr.New(apperr.DigestMismatch)
	}
	return err
}
