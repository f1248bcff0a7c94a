package store

import (
	"context"
	"math"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/job"
)

// mostTicketWords bounds how many words of a title are looked for.
const mostTicketWords = 8

// Jobs that go on are few, those that have ended are in an index of their own: see migration jobs_list.
const (
	liveTickets = `SELECT number FROM jobs INDEXED BY jobs_live WHERE ended=0`
	overTickets = `SELECT number FROM jobs INDEXED BY jobs_list WHERE ended>0`
)

// ticketQuery finds the numbers of the jobs that a filter wants, those below a number, the newest first.
type ticketQuery struct {
	parts []string // each gives some of the numbers in that order
	where strings.Builder
	args  []any
}

func (q *ticketQuery) and(condition string, args ...any) {
	q.where.WriteString(" AND " + condition)
	q.args = append(q.args, args...)
}

func ticketsOf(f job.TicketFilter, before int64) (*ticketQuery, error) {
	if before <= 0 {
		before = math.MaxInt64
	}
	q := &ticketQuery{parts: []string{liveTickets, overTickets}}
	q.and(`number<? AND called_off<2`, before)
	switch {
	case f.State == "":
	case f.State.Ended():
		q.parts = q.parts[1:]
	default:
		q.parts = q.parts[:1]
	}
	if f.IDs != nil {
		q.parts = []string{`SELECT number FROM jobs WHERE id IN (SELECT value FROM json_each(?))`}
		q.args = append([]any{jsonOf(f.IDs)}, q.args...)
	}
	for _, c := range []struct{ column, value string }{{"state", string(f.State)}, {"chat", f.Chat}, {"standing", f.Standing}} {
		if c.value != "" {
			q.and(c.column+"=?", c.value)
		}
	}
	if f.Tool != "" {
		q.and(`instr(tools, ?)>0`, " "+f.Tool+" ")
	}
	for _, w := range firstOf(strings.Fields(f.Words), mostTicketWords) {
		q.and(`title LIKE ? ESCAPE '\'`, like(w))
	}
	for _, day := range []struct {
		text, condition string
		days            int
	}{{f.From, `created>=?`, 0}, {f.To, `created<?`, 1}} {
		if day.text == "" {
			continue
		}
		at, err := time.ParseInLocation(time.DateOnly, day.text, time.Local)
		if err != nil {
			return nil, apperr.Wrap(err, apperr.InvalidArgs, "detail", "from, to: 2006-01-02")
		}
		q.and(day.condition, micros(at.AddDate(0, 0, day.days)))
	}
	return q, nil
}

func firstOf(list []string, most int) []string { return list[:min(len(list), most)] }

// numbers is the query itself. SQLite merges the parts as they come: nothing is sorted.
func (q *ticketQuery) numbers(limit int) (query string, args []any) {
	for i, part := range q.parts {
		if i > 0 {
			query += " UNION ALL "
		}
		query += part + q.where.String()
		args = append(args, q.args...)
	}
	return query + ` ORDER BY number DESC LIMIT ?`, append(args, limit)
}

// count is how many numbers there are.
func (q *ticketQuery) count() (query string, args []any) {
	for i, part := range q.parts {
		if i > 0 {
			query += "+"
		}
		query += `(SELECT count(*) FROM (` + part + q.where.String() + `))`
		args = append(args, q.args...)
	}
	return `SELECT ` + query, args
}

// Tickets gives up to limit jobs that a filter wants, those below a number (0: all), the newest first. Errors: invalid_args.
func (s *Store) Tickets(ctx context.Context, f job.TicketFilter, before int64, limit int) ([]job.Ticket, error) {
	q, err := ticketsOf(f, before)
	if err != nil {
		return nil, err
	}
	query, args := q.numbers(limit)
	numbers, err := s.numbers(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	jobs, err := s.drawn(ctx, numbers)
	tickets := make([]job.Ticket, len(jobs))
	for i, j := range jobs {
		tickets[i] = j.ticket
	}
	return tickets, err
}

// CountTickets tells how many jobs a filter wants, whichever of them a page is narrowed to. Errors: invalid_args.
func (s *Store) CountTickets(ctx context.Context, f job.TicketFilter) (n int, err error) {
	f.IDs = nil
	q, err := ticketsOf(f, 0)
	if err != nil {
		return 0, err
	}
	query, args := q.count()
	if f.All() {
		query, args = `SELECT n FROM jobs_shown`, nil
	}
	err = s.read.QueryRowContext(ctx, query, args...).Scan(&n)
	return n, storageError(err)
}
