package store

import (
	"context"
	"encoding/json"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
)

const (
	insertJob = `INSERT INTO jobs (id, number, chat, title, state, next, data, created) VALUES (?,?,?,?,?,?,?,?)`
	updateJob = `UPDATE jobs SET state=?, title=?, next=?, wake_at=?, data=? WHERE id=?`
	endJob    = `UPDATE jobs SET ended=? WHERE id=?` // apart: naming the column writes the pages of its indexes with every step
	addLog    = `INSERT INTO job_log (job, todo, level, line, at) VALUES (?,?,?,?,?)`
)

// addJob stores a new ticket inside the transaction that hands it out.
func (w *work) addJob(j job.Job) error {
	data, err := json.Marshal(job.Run{Job: j})
	if err != nil {
		return err
	}
	_, err = w.exec(insertJob, j.ID, j.Number, j.Chat, j.Title, string(j.State), "", string(data), micros(j.Created))
	return err
}

// SaveStep implements job.Store: the job's state, its log, the question it opens or has worked in, its effect and its
// message become true together.
func (s *Store) SaveStep(ctx context.Context, step job.Step) error {
	data, err := json.Marshal(step.Run)
	if err != nil {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	j, at := step.Run.Job, micros(s.now())
	// Workers are often done at once, and nobody looks on: on few cores each would otherwise commit alone.
	return s.join(ctx, &pending{full: step.Sync, wait: true, from: "store.SaveStep", do: func(w *work) error {
		if err := w.intend(step.Intent, at); err != nil {
			return err
		}
		res, err := w.exec(updateJob, string(j.State), j.Title, step.Next, micros(step.WakeAt), string(data), j.ID)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return notFound("job", j.ID)
		}
		if !j.Ended.IsZero() {
			if _, err := w.exec(endJob, micros(j.Ended), j.ID); err != nil {
				return err
			}
		}
		for _, e := range step.Events {
			if line, ok := e.Data.(event.JobLog); ok {
				if _, err := w.exec(addLog, j.ID, line.TodoID, line.Level, line.Line, at); err != nil {
					return err
				}
			}
		}
		return w.stepParts(step, at)
	}})
}

func (w *work) stepParts(step job.Step, at int64) error {
	if step.Consume != "" {
		if _, err := w.exec(`UPDATE asks SET state='consumed' WHERE id=? AND state='answered'`, step.Consume); err != nil {
			return err
		}
	}
	if step.Close != "" {
		if _, err := w.exec(`UPDATE asks SET state='closed', closed=? WHERE id=? AND state IN ('open','answered')`, at, step.Close); err != nil {
			return err
		}
	}
	if step.Open != nil {
		if err := w.openAsk(*step.Open); err != nil {
			return err
		}
	}
	for _, e := range step.Audit {
		if err := w.addAudit(e, at); err != nil {
			return err
		}
	}
	if e := step.Settled; e != nil {
		if _, err := w.exec(`UPDATE effects SET state=?, result=?, settled=? WHERE id=?`, string(e.Fate), string(e.Result), at, e.ID); err != nil {
			return err
		}
		if err := w.settleAudit(*e); err != nil {
			return err
		}
	}
	if step.Message != nil {
		return w.addMessage(step.Run.Job.Chat, *step.Message, at)
	}
	return nil
}

// AddLog keeps log lines that a running tool wrote, in one commit.
func (s *Store) AddLog(ctx context.Context, lines []event.JobLog) error {
	at := micros(s.now())
	return s.tx(ctx, false, func(w *work) error {
		for _, l := range lines {
			if _, err := w.exec(addLog, l.JobID, l.TodoID, l.Level, l.Line, at); err != nil {
				return err
			}
		}
		return nil
	})
}

// LoadRun implements job.Store.
func (s *Store) LoadRun(ctx context.Context, id string) (job.Record, error) {
	row := s.read.QueryRowContext(ctx, `SELECT data, next, wake_at FROM jobs WHERE id=?`, id)
	rec, err := scanRun(row.Scan)
	if err != nil {
		return rec, missing(err, "job", id)
	}
	return rec, nil
}

func scanRun(scan func(...any) error) (job.Record, error) {
	var rec job.Record
	var data string
	var wake int64
	if err := scan(&data, &rec.Next, &wake); err != nil {
		return rec, err
	}
	rec.WakeAt = fromMicros(wake)
	return rec, json.Unmarshal([]byte(data), &rec.Run)
}

// LiveJobs gives every job that has not ended, whole, oldest first.
func (s *Store) LiveJobs(ctx context.Context) ([]job.Record, error) {
	return s.records(ctx, `SELECT data, next, wake_at FROM jobs WHERE ended=0 ORDER BY number`)
}

func (s *Store) records(ctx context.Context, query string, args ...any) ([]job.Record, error) {
	rows, err := s.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, storageError(err)
	}
	defer func() { _ = rows.Close() }()
	var list []job.Record
	for rows.Next() {
		rec, err := scanRun(rows.Scan)
		if err != nil {
			return nil, storageError(err)
		}
		list = append(list, rec)
	}
	return list, storageError(rows.Err())
}

// Jobs gives every job that has not ended and the newest keep ended ones that are still on the board, oldest first.
func (s *Store) Jobs(ctx context.Context, keep int) ([]job.Job, error) {
	recs, err := s.records(ctx, `SELECT data, next, wake_at FROM jobs WHERE ended=0 OR id IN
		(SELECT id FROM jobs WHERE ended>0 AND cleared=0 ORDER BY ended DESC LIMIT ?) ORDER BY number`, keep)
	return jobsOf(recs), err
}

// ChatJobs implements manager.Store.
func (s *Store) ChatJobs(ctx context.Context, chat string, limit int) ([]job.Job, error) {
	recs, err := s.records(ctx, `SELECT data, next, wake_at FROM jobs WHERE ended=0 AND (?='' OR chat=?) ORDER BY number DESC LIMIT ?`, chat, chat, limit)
	return jobsOf(recs), err
}

func jobsOf(recs []job.Record) []job.Job {
	jobs := make([]job.Job, len(recs))
	for i, rec := range recs {
		jobs[i] = rec.Run.Job
	}
	return jobs
}

// LastNumber implements job.Store.
func (s *Store) LastNumber(ctx context.Context) (int64, error) {
	var n int64
	err := s.read.QueryRowContext(ctx, `SELECT coalesce(max(number), 0) FROM jobs`).Scan(&n)
	return n, storageError(err)
}

// ClearEnded takes every ended job off the board; they stay in the ledger.
func (s *Store) ClearEnded(ctx context.Context) error {
	return s.tx(ctx, false, func(w *work) error {
		_, err := w.exec(`UPDATE jobs SET cleared=1 WHERE ended>0 AND cleared=0`)
		return err
	})
}

// LogLine is one line of a job's log.
type LogLine struct {
	Job, Todo, Level, Line string
	At                     time.Time
}

// JobLog gives the newest limit lines of a job's log ("" for all jobs), oldest first.
func (s *Store) JobLog(ctx context.Context, id string, limit int) ([]LogLine, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT job, todo, level, line, at FROM
		(SELECT * FROM job_log WHERE ?='' OR job=? ORDER BY n DESC LIMIT ?) ORDER BY n`, id, id, limit)
	if err != nil {
		return nil, storageError(err)
	}
	defer func() { _ = rows.Close() }()
	list := []LogLine{}
	for rows.Next() {
		var l LogLine
		var at int64
		if err := rows.Scan(&l.Job, &l.Todo, &l.Level, &l.Line, &at); err != nil {
			return nil, storageError(err)
		}
		l.At = fromMicros(at)
		list = append(list, l)
	}
	return list, storageError(rows.Err())
}

func (w *work) openAsk(a ask.Ask) error {
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	_, err = w.exec(`INSERT INTO asks (id, job, chat, kind, state, data, opened) VALUES (?,?,?,?,?,?,?)`,
		a.ID, a.JobID, a.Chat, string(a.Kind), string(a.State), string(data), micros(a.Opened))
	return err
}
