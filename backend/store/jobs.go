package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	quick "github.com/segmentio/encoding/json"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
)

const (
	insertJob = `INSERT INTO jobs (id, number, chat, title, state, next, data, created, standing, tools) VALUES (?,?,?,?,?,?,?,?,?,?)`
	updateJob = `UPDATE jobs SET state=?, title=?, next=?, wake_at=?, ask=?, tool=?, in_line=?, resumes=?, data=?, tools=? WHERE id=?`
	endJob    = `UPDATE jobs SET ended=? WHERE id=? AND ended<>?1` // apart: naming the column writes the pages of its indexes with every step

	// The lines of a job stand together, behind each other: see migration 29.
	linesOf = ` n BETWEEN j.number<<32 AND (j.number+1<<32)-1 `
	addLog  = `INSERT INTO job_log (n, todo, level, line, at)
		SELECT coalesce((SELECT max(n) FROM job_log WHERE` + linesOf + `), j.number<<32)+1,?,?,?,? FROM jobs j WHERE j.id=?`
)

// addJob stores a new ticket inside the transaction that hands it out.
func (w *work) addJob(j job.Job) error {
	order := ""
	if j.Standing != nil {
		order = j.Standing.Order
	}
	if _, err := w.exec(insertJob, j.ID, j.Number, j.Chat, j.Title, string(j.State), "", asJSON{job.Run{Job: j}}, micros(j.Created), order, toolsColumn(j)); err != nil || order == "" {
		return err
	}
	_, err := w.exec(`INSERT INTO standing_jobs (turn, job) VALUES (?,?) ON CONFLICT DO NOTHING`, j.Standing.Run, j.ID)
	return err
}

// toolsColumn lists the tools of a job so that one of them can be looked for.
func toolsColumn(j job.Job) string {
	if tools := j.Tools(); len(tools) > 0 {
		return " " + strings.Join(tools, " ") + " "
	}
	return ""
}

// SaveStep implements job.Store: the job's state, its log, the question it opens or has worked in, its effect and its
// message become true together.
func (s *Store) SaveStep(ctx context.Context, step job.Step) error {
	data, err := json.Marshal(step.Run)
	if err != nil {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	at := micros(s.now())
	// Workers often finish at the same time: waiting a moment lets them share one commit.
	return s.join(ctx, &pending{full: step.Sync, wait: true, from: "store.SaveStep", do: func(w *work) error {
		if err := w.intend(step.Intent, at); err != nil {
			return err
		}
		return w.saveRun(step, string(data), at)
	}})
}

// saveRun writes a job's new state and everything that goes with it.
func (w *work) saveRun(step job.Step, data string, at int64) error {
	j := step.Run.Job
	tool, inLine := "", int64(0)
	if step.Run.Call != nil {
		tool = step.Run.Call.Tool
	}
	if step.Run.InLine {
		inLine = max(micros(step.Run.QueuedAt), 1)
	}
	resumes := step.Run.Exec != nil && len(step.Run.Exec.Resume) > 0
	if err := w.change("job", j.ID, updateJob, string(j.State), j.Title, step.Next, micros(step.WakeAt), step.Run.AskID, tool, inLine, resumes, data, toolsColumn(j), j.ID); err != nil {
		return err
	}
	if !j.Ended.IsZero() {
		if n, err := w.affect(endJob, micros(j.Ended), j.ID); err != nil {
			return err
		} else if n == 1 {
			if err := w.tellStanding(j, at); err != nil {
				return err
			}
		}
	}
	for _, e := range step.Events {
		if line, ok := e.Data.(event.JobLog); ok {
			if _, err := w.exec(addLog, line.TodoID, line.Level, line.Line, at, j.ID); err != nil {
				return err
			}
		}
	}
	return w.stepParts(step, at)
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
		if _, err := w.exec(`UPDATE effects SET state=?, result=?, settled=? WHERE id=?`, string(e.Outcome), string(e.Result), at, e.ID); err != nil {
			return err
		}
		if err := w.settleAudit(*e); err != nil {
			return err
		}
	}
	if step.Message != nil {
		off, err := w.calledOff(step.Run.Job.ID)
		if err != nil || off == job.Disowned {
			return err
		}
		if err := w.addMessage(step.Run.Job.Chat, *step.Message, at); err != nil {
			return err
		}
		return w.placeReport(step.Run.Job.Chat)
	}
	return nil
}

// AddLog keeps log lines that a running tool wrote, in one commit.
func (s *Store) AddLog(ctx context.Context, lines []event.JobLog) error {
	at := micros(s.now())
	return s.tx(ctx, false, func(w *work) error {
		for _, l := range lines {
			if _, err := w.exec(addLog, l.TodoID, l.Level, l.Line, at, l.JobID); err != nil {
				return err
			}
		}
		return nil
	})
}

// selectEndedJobs looks only at what ended lately, whatever is in the list of all jobs.
const selectEndedJobs = selectJobs + `INDEXED BY jobs_ended WHERE ended>?1 AND ended>0 AND called_off=0 AND chat=?2 ORDER BY number DESC LIMIT ?3`

const selectRun = `SELECT id, number, chat, title, state, created, data, next, wake_at FROM jobs `

// LoadRun implements job.Store.
func (s *Store) LoadRun(ctx context.Context, id string) (job.Record, error) {
	rec, err := scanRun(s.read.QueryRowContext(ctx, selectRun+`WHERE id=?`, id).Scan)
	if err != nil {
		return rec, missing(err, "job", id)
	}
	return rec, nil
}

// scanRun reads a job. Of one whose data cannot be read it gives what the columns say, with record_unreadable.
func scanRun(scan func(...any) error) (job.Record, error) {
	var rec job.Record
	var j job.Job
	var state, data string
	var created, wake int64
	if err := scan(&j.ID, &j.Number, &j.Chat, &j.Title, &state, &created, &data, &rec.Next, &wake); err != nil {
		return rec, err
	}
	rec.WakeAt = fromMicros(wake)
	if err := decode(data, &rec.Run); err != nil {
		j.State, j.Created = job.State(state), fromMicros(created)
		rec.Run = job.Run{Job: salvaged(j, data)}
		return rec, unreadable("job", j.ID, err)
	}
	return rec, nil
}

// selectJobs is how a list of jobs to be shown begins: what all columns say is needed only of those whose data cannot be read.
const selectJobs = `SELECT number, data FROM jobs `

// jobs gives jobs as a query that begins with selectJobs finds them, those that cannot be read as far as the columns go. They are read in
// less than half of the time that the standard library takes; what a job goes on with is read by that (LoadRun).
func (s *Store) jobs(ctx context.Context, query string, args ...any) ([]job.Job, error) {
	var number int64
	var data sql.RawBytes
	list, err := collect(ctx, s.read, func(row row) (job.Job, error) {
		if err := row.Scan(&number, &data); err != nil {
			return job.Job{}, err
		}
		var run job.Run
		if quick.Unmarshal(data, &run) != nil || !run.Sound() {
			return job.Job{Number: number}, nil
		}
		return run.Job, nil
	}, query, args...)
	for i, j := range list {
		if j.ID != "" {
			continue
		}
		rec, err := scanRun(s.read.QueryRowContext(ctx, selectRun+`WHERE number=?`, j.Number).Scan)
		if err != nil && apperr.CodeOf(err) != apperr.RecordUnreadable {
			return nil, missing(err, "job", strconv.FormatInt(j.Number, 10))
		}
		list[i] = rec.Run.Job
	}
	return list, err
}

// selectBoard reads numbers alone, which the indexes have.
const selectBoard = `SELECT number FROM jobs INDEXED BY jobs_live WHERE ended=0 UNION ALL
	SELECT number FROM (SELECT number FROM jobs INDEXED BY jobs_board WHERE ended>0 AND cleared=0 AND called_off<2 ORDER BY ended DESC LIMIT ?) ORDER BY number`

// Board gives every job that has not ended and the newest keep ended ones that are still on the board, oldest first, with which of their
// requests are out of sight. What they hold is not to be changed: others get the same.
func (s *Store) Board(ctx context.Context, keep int) ([]job.View, error) {
	var on *board
	mark := s.kept.look(func() { on = s.kept.board })
	if on != nil && on.keep == keep {
		return slices.Clone(on.jobs), nil
	}
	numbers, err := s.numbers(ctx, selectBoard, keep)
	if err != nil {
		return nil, err
	}
	jobs, err := s.drawn(ctx, numbers)
	if err != nil {
		return nil, err
	}
	on = &board{keep: keep, jobs: make([]job.View, len(jobs))}
	for i, j := range jobs {
		on.jobs[i] = j.view
	}
	if err := s.markAside(ctx, on.jobs); err != nil {
		return nil, err
	}
	s.kept.keep(mark, func() {
		s.kept.board, s.kept.jobs = on, make(map[int64]drawn, len(jobs))
		for _, j := range jobs {
			s.kept.jobs[j.view.Number] = j
		}
	})
	return slices.Clone(on.jobs), nil
}

// drawn gives jobs by their numbers, in that order, as lists show them. Those of the board are kept, the others are read; one that is gone is
// left out.
func (s *Store) drawn(ctx context.Context, numbers []int64) ([]drawn, error) {
	of, others := make(map[int64]drawn, len(numbers)), []int64{}
	s.kept.look(func() {
		for _, n := range numbers {
			if j, is := s.kept.jobs[n]; is {
				of[n] = j
			} else {
				others = append(others, n)
			}
		}
	})
	if len(others) > 0 {
		read, err := s.jobs(ctx, selectJobs+`WHERE number IN (SELECT value FROM json_each(?))`, jsonOf(others))
		if err != nil {
			return nil, err
		}
		for _, j := range read {
			of[j.Number] = drawn{j.View(), j.Ticket()}
		}
	}
	list := make([]drawn, 0, len(numbers))
	for _, n := range numbers {
		if j, is := of[n]; is {
			list = append(list, j)
		}
	}
	return list, nil
}

// JobsWith tells which of some jobs have a tool among their steps. Nothing of the jobs themselves is read.
func (s *Store) JobsWith(ctx context.Context, tool string, jobs []string) (map[string]bool, error) {
	with := map[string]bool{}
	if len(jobs) == 0 {
		return with, nil
	}
	ids, err := collect(ctx, s.read, one[string],
		`SELECT j.id FROM json_each(?) w CROSS JOIN jobs j ON j.id=w.value WHERE instr(j.tools, ?)>0`, jsonOf(jobs), " "+tool+" ")
	for _, id := range ids {
		with[id] = true
	}
	return with, err
}

// ChatJobs implements manager.Store.
func (s *Store) ChatJobs(ctx context.Context, chat string, limit int) ([]job.Job, error) {
	if limit <= 0 {
		limit = -1
	}
	return s.jobs(ctx, selectJobs+`WHERE ended=0 AND called_off=0 AND (?='' OR chat=?) ORDER BY number DESC LIMIT ?`, chat, chat, limit)
}

// EndedJobs implements manager.Store.
func (s *Store) EndedJobs(ctx context.Context, chat string, since time.Time, limit int) ([]job.Job, error) {
	return s.jobs(ctx, selectEndedJobs, max(micros(since), 0), chat, limit)
}

// JobsOf gives every job that a chat ever had and that is still on record, oldest first, whether it goes on, ended or was called off; not those that
// went with the chat when it was deleted. The indexes know the chat of each, so that no others are read.
func (s *Store) JobsOf(ctx context.Context, chat string) ([]job.Job, error) {
	return s.jobs(ctx, selectJobs+`WHERE number IN (SELECT number FROM jobs INDEXED BY jobs_live WHERE ended=0 AND chat=?1 UNION ALL
		SELECT number FROM jobs INDEXED BY jobs_list WHERE ended>0 AND chat=?1) AND called_off<>?2 ORDER BY number`, chat, job.Away)
}

// LastNumber implements job.Store.
func (s *Store) LastNumber(ctx context.Context) (int64, error) {
	var n int64
	err := s.read.QueryRowContext(ctx, `SELECT coalesce(max(number), 0) FROM jobs`).Scan(&n)
	return n, storageError(err)
}

// ClearEnded takes every ended job off the board; they stay in the ledger.
func (s *Store) ClearEnded(ctx context.Context) error {
	return s.exec(ctx, false, `UPDATE jobs SET cleared=1 WHERE ended>0 AND cleared=0`)
}

// JobLog gives the newest limit lines of a job's log ("" for all jobs), oldest first. Of all jobs, none can have one of the newest
// lines but those that go on and as many of those that ended last.
func (s *Store) JobLog(ctx context.Context, id string, limit int) ([]job.LogLine, error) {
	jobs := `SELECT id, number FROM jobs WHERE id=?2`
	if id == "" {
		jobs = `SELECT id, number FROM jobs WHERE ended=0 AND ?2='' UNION ALL SELECT * FROM (SELECT id, number FROM jobs WHERE ended>0 ORDER BY ended DESC LIMIT ?1)`
	}
	list, err := collect(ctx, s.read, func(row row) (l job.LogLine, err error) {
		err = row.Scan(&l.Job, &l.Todo, &l.Level, &l.Line, moment{&l.At})
		return l, err
	}, `SELECT j.id, l.todo, l.level, l.line, l.at FROM (`+jobs+`) j
		JOIN job_log l ON l.n IN (SELECT n FROM job_log WHERE`+linesOf+`ORDER BY n DESC LIMIT ?1) ORDER BY l.at DESC, l.n DESC LIMIT ?1`, limit, id)
	slices.Reverse(list)
	return list, err
}

func (w *work) openAsk(a ask.Ask) error {
	_, err := w.exec(`INSERT INTO asks (id, job, chat, kind, state, data, opened) VALUES (?,?,?,?,?,?,?)`,
		a.ID, a.JobID, a.Chat, string(a.Kind), string(a.State), asJSON{a}, micros(a.Opened))
	return err
}
