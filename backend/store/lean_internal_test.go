package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/job"
)

// A ledger from before turns were written sparingly keeps its messages, their places and the cut, its unfinished turn, its jobs
// and their logs.
func TestALedgerFromBeforeLeanTurns(t *testing.T) {
	dir, list := t.TempDir(), known(t)
	old := openWith(t, dir, list[:22])
	for _, q := range []string{
		`INSERT INTO chats (id, title, created, updated) VALUES ('main','talk',1,9), ('empty','nothing yet',20,20), ('job:j2','',3,3)`,
		`INSERT INTO messages (n, id, chat, role, text, turn, created, hidden) VALUES
			(1,'a','main','customer','one','',1,0), (2,'b','main','shop','two','a',2,0), (4,'c','main','customer','three','',4,0),
			(5,'d','main','job','told before','a',5,0), (6,'e','main','shop','four','c',6,0), (7,'f','main','customer','forgotten','',7,0),
			(8,'g','main','customer','under way','',9,0), (9,'h','job:j2','customer','faster','',3,0)`,
		`INSERT INTO transcript (n, chat, message, muted) VALUES (3,'main','a',0), (4,'main','b',0), (6,'main','d',0), (7,'main','c',0), (8,'main','e',0), (9,'main','f',1)`,
		`INSERT INTO memories (chat, summary, turns, cut, facts, seen, version, updated) VALUES ('main','one and two',1,4,'["x"]',7,2,5)`,
		`INSERT INTO turns (id, chat, next, done, data, created) VALUES ('a','main','end',1,'{}',1), ('g','main','plan',0,'{"id":"g","chat":"main","text":"under way"}',9)`,
		`INSERT INTO jobs (id, number, chat, title, state, next, data, created, ended, called_off) VALUES
			('j1',3,'main','over','succeeded','end','{"job":{"id":"j1","number":3}}',1,2,0), ('j2',5,'main','running','running','exec','{"job":{"id":"j2","number":5}}',2,0,1)`,
		`INSERT INTO job_log (n, job, todo, level, line, at) VALUES (1,'j1','t1','info','begun',1), (2,'j2','t2','info','elsewhere',2), (3,'j1','t1','info','done',3)`,
	} {
		if _, err := old.conn.ExecContext(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}

	s := openWith(t, dir, list)
	check := func(what string, have any, err error, want string) {
		t.Helper()
		if got := fmt.Sprint(have); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", what, got, err, want)
		}
	}
	// The transcript goes on in its order behind the cut; what is under way is no part of it, nor is what is muted.
	lines := func() (list []string, cut int64) {
		t.Helper()
		r, err := s.Recall(t.Context(), "main", nil)
		check("the memory", []any{r.Summary, r.Turns, r.Facts, r.Version}, err, "[one and two 1 [x] 2]")
		for _, l := range r.Lines {
			list = append(list, fmt.Sprint(l.N, " ", l.Speaker, ": ", l.Text))
		}
		return list, r.CompactedTo
	}
	have, cut := lines()
	check("the transcript", []any{have, cut}, nil, "[[6 shop: told before 7 customer: three 8 shop: four] 4]")

	pending, err := s.PendingTurns(t.Context())
	check("turns", len(pending), err, "1")
	check("the turn under way", []any{pending[0].Turn.Text, pending[0].Next}, nil, "[under way plan]")
	chats, err := s.Chats(t.Context())
	check("chats", len(chats), err, "2")
	check("the order of chats", []any{chats[0].ID, chats[0].Updated.UnixMicro(), chats[1].ID, chats[1].Updated.UnixMicro()}, nil, "[empty 20 main 9]")
	jobs, err := s.Board(t.Context(), 10)
	check("jobs", []any{len(jobs), jobs[0].Number, jobs[1].ID}, err, "[2 3 j2]")
	live, err := s.RecoveryStates(t.Context())
	check("unfinished jobs", []any{len(live), live[0].ID, live[0].Next, live[0].Off}, err, "[1 j2 exec 1]")
	log, err := s.JobLog(t.Context(), "j1", 10)
	check("a log", []any{len(log), log[0].Job, log[0].Line, log[1].Line}, err, "[2 j1 begun done]")
	all, err := s.JobLog(t.Context(), "", 2)
	check("all logs", []any{len(all), all[0].Line, all[1].Line}, err, "[2 elsewhere done]")
	history, err := s.History(t.Context(), "main", "e", 10)
	check("history", []any{len(history), history[3].ID, history[3].Turn}, err, "[4 d a]")

	// The end of the turn that was under way gives its message the next place.
	if err := s.tx(t.Context(), false, func(w *work) error {
		if _, err := w.exec(`DELETE FROM turns`); err != nil {
			return err
		}
		return w.place("main")
	}); err != nil {
		t.Fatal(err)
	}
	have, _ = lines()
	check("the transcript after it", have, nil, "[6 shop: told before 7 customer: three 8 shop: four 10 customer: under way]")
}

// A ledger from before opening read columns alone tells of its unfinished jobs what their records say.
func TestALedgerFromBeforeRecoveryColumns(t *testing.T) {
	dir, list := t.TempDir(), known(t)
	old := openWith(t, dir, list[:23])
	for _, q := range []string{
		`INSERT INTO jobs (number, id, chat, title, state, next, data, created, ended) VALUES
			(1,'new','main','a','queued','','{"job":{"id":"new"}}',1,0),
			(2,'asks','main','b','waiting','read_lock','{"job":{"id":"asks"},"askId":"q","call":{"tool":"song"}}',1,0),
			(3,'stands','main','c','waiting','acquire','{"job":{"id":"stands"},"call":{"tool":"song"},"inLine":true,"stood":"2026-03-01T09:00:00.25+09:00"}',1,0),
			(4,'sleeps','main','d','waiting','exec','{"job":{"id":"sleeps"},"call":{"tool":"timer"},"exec":{"id":"x","resume":{}}}',1,0),
			(5,'torn','main','e','running','exec','{"job":',1,0), (6,'over','main','f','succeeded','end','{"askId":"z"}',1,2)`,
		`INSERT INTO asks (id, job, chat, kind, state, data, opened) VALUES ('q','asks','main','lock','answered','{}',1), ('z','over','main','lock','answered','{}',1)`,
	} {
		if _, err := old.conn.ExecContext(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	s := openWith(t, dir, list)
	live, err := s.RecoveryStates(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stood := time.Date(2026, 3, 1, 0, 0, 0, 250e6, time.UTC)
	want := []job.RecoveryState{
		{ID: "new", Chat: "main", Number: 1, Title: "a", State: job.Queued},
		{ID: "asks", Chat: "main", Number: 2, Title: "b", State: job.Waiting, Next: "read_lock", AskID: "q", Tool: "song", Answered: true},
		{ID: "stands", Chat: "main", Number: 3, Title: "c", State: job.Waiting, Next: "acquire", Tool: "song", InLine: true, QueuedAt: stood},
		{ID: "sleeps", Chat: "main", Number: 4, Title: "d", State: job.Waiting, Next: "exec", Tool: "timer", Resumes: true},
		{ID: "torn", Chat: "main", Number: 5, Title: "e", State: job.Running, Next: "exec"},
	}
	if !slices.Equal(live, want) {
		t.Errorf("\n%+v\nwant\n%+v", live, want)
	}
	if torn, err := s.TornRuns(t.Context()); err != nil || !slices.Equal(torn, want[4:]) {
		t.Errorf("torn: %+v, %v", torn, err)
	}
}

// Requests and the ends of turns look only at what is new, however long the chat is.
func TestNobodyLooksThroughTheWholeChat(t *testing.T) {
	s := openWith(t, t.TempDir(), known(t))
	look := func(what, q string) {
		rows, err := s.conn.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+q, "main", 4)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var id, parent, free int
			var step string
			if err := rows.Scan(&id, &parent, &free, &step); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(step, "SCAN m") || strings.HasPrefix(step, "SCAN p") || strings.HasPrefix(step, "SCAN jobs") ||
				strings.HasSuffix(step, " USING INDEX messages_chat (chat=?)") {
				t.Errorf("%s: %s", what, step)
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	for what, q := range map[string]string{"place": place, "moveUp": moveUp, "lines": transcript, "recovery states": selectRecoveryStates} {
		look(what, q)
	}
}
