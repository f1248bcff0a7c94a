package store

import (
	"cmp"

	"agentchat/backend/apperr"
	"agentchat/backend/job"
)

// addIntent inserts one intent; the condition of its authorization is appended, so that nothing is inserted where it does not hold.
const addIntent = `INSERT INTO effects (id, job, todo, tool, digest, args, warrant, state, created) SELECT ?,?,?,?,?,?,?,'intent',? `

// authorizations say for each kind of authorization what must stand in the ledger for it to hold.
var authorizations = map[job.Authorization]string{
	job.AuthorizedByPolicy: ``,
	job.AuthorizedByAsk: `WHERE EXISTS (SELECT 1 FROM asks WHERE id=? AND job=? AND state IN ('answered','consumed')
		AND coalesce(answer->>'$.digest', data->>'$.digest')=? AND answer->>'$.choice' IN ('approve','run_again') AND answer->>'$.by'='person')`,
	job.AuthorizedByGrant: ``, // looked up by useGrant, which reads the pattern
	job.AuthorizedByOrder: `WHERE EXISTS (SELECT 1 FROM jobs, json_each(jobs.data, '$.job.todos') t WHERE jobs.id=? AND t.value->>'$.id'=?
		AND t.value->>'$.approved'=?)`,
}

// intend inserts an intent if its authorization holds in this transaction: the answer has the same digest, the grant is not revoked and covers
// these arguments, or the order was confirmed like this. Else the error is digest_mismatch and nothing is written. For a job that was called
// off the error is canceled.
func (w *work) intend(e *job.Effect, at int64) error {
	if e == nil {
		return nil
	}
	if off, err := w.calledOff(e.JobID); err != nil || off != job.NotCalledOff {
		return cmp.Or(err, error(apperr.New(apperr.Canceled)))
	}
	if err := w.spend(e, at); err != nil {
		return err
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
	n, err := w.affect(addIntent+authorizations[e.Authorization], args...)
	if err == nil && n != 1 {
		err = apperr.New(apperr.DigestMismatch)
	}
	return err
}
