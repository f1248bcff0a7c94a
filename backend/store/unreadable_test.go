package store_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/store"
	"agentchat/backend/toolbox"
)

// scribble writes into a ledger that is closed, as a bad disk or another program does.
func scribble(t *testing.T, dir string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// aside gives what was put aside, as "kind id: data".
func aside(t *testing.T, dir string) (list []string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	rows, err := db.QueryContext(t.Context(), `SELECT kind || ' ' || id || ': ' || CAST(data AS TEXT) FROM unreadable ORDER BY n`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		list = append(list, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// However a job's record is damaged, and wherever it stood: the shop opens, the others go on, and the job ends as failed with
// its record kept and its customer told.
func TestAJobThatCannotBeReadKeepsNobodyFromWork(t *testing.T) {
	for name, damage := range map[string]string{
		"cut off":              `data=substr(data, 1, length(data)/2)`,
		"nothing":              `data=''`,
		"no job":               `data='{}'`,
		"another shape":        `data=json_set(data, '$.cur', 'first')`,
		"a step that is none":  `data=json_set(data, '$.cur', 99)`,
		"a step before all":    `data=json_set(data, '$.cur', -1)`,
		"its time in the line": `data=json_set(data, '$.stood', 'yesterday')`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				pay := jobtest.Approved("pay", toolbox.ConfirmAlways)
				f := jobtest.Open(t, pay, jobtest.Player("play", "", 1, time.Hour), jobtest.NewTool("quick")).Start(2)
				asking, playing, inLine, sound := f.Give("pay"), f.Give("play"), f.Give("play"), f.Give("pay")
				f.Choose(inLine, ask.ChoiceWait)
				f.Jobs.SetWorkers(0)
				f.Settle()
				f.Close()
				torn := []string{asking, playing, inLine}
				scribble(t, f.Dir, `UPDATE jobs SET `+damage+` WHERE id IN ('`+strings.Join(torn, `','`)+`')`)
				f.Reopen(2)
				if len(f.Envelopes()) == 0 {
					t.Fatal("nothing happens")
				}
				all, err := f.Store.Board(t.Context(), 100)
				if err != nil || len(all) != 4 {
					t.Fatalf("%d jobs, %v", len(all), err)
				}
				_, err = f.Desk.Answer(t.Context(), ask.Reply{Ask: questionOf(t, f, asking), Choice: ask.ChoiceReject})
				f.Settle()
				f.Pass(2 * time.Hour)
				for _, id := range torn {
					j := f.Job(id)
					if j.State != job.Failed || j.Code != apperr.RecordUnreadable || j.Title != "job" || j.Chat != "main" || j.Number == 0 {
						t.Errorf("%s (%v): %+v", id, err, j)
					}
				}
				f.Choose(sound, ask.ChoiceApprove)
				f.WantState(sound, job.Succeeded)
				f.WantState(f.Give("quick"), job.Succeeded)
				f.NothingOut()
				f.NoQuestion()
				msgs, err := f.Store.History(t.Context(), "main", "", 100)
				told := slices.DeleteFunc(msgs, func(m event.ChatMessage) bool { return m.Code != string(apperr.RecordUnreadable) })
				if err != nil || len(told) != len(torn) {
					t.Errorf("the customer was told %d times: %v", len(told), err)
				}
				f.Close()
				if list := aside(t, f.Dir); len(list) != len(torn) {
					t.Errorf("kept: %q", list)
				}
				f.Reopen(1) // and it is over: nothing is put aside twice
				if n := f.Jobs.Recovered(); n != (job.Recovered{}) {
					t.Errorf("found again: %+v", n)
				}
			})
		})
	}
}

// questionOf gives the question of a job, which may be closed already.
func questionOf(t *testing.T, f *jobtest.Floor, id string) string {
	t.Helper()
	asks, err := f.Store.JobAsks(t.Context(), id)
	if err != nil || len(asks) == 0 {
		t.Fatalf("%d questions, %v", len(asks), err)
	}
	return asks[0].ID
}

// A question, a counter and what hangs on a message: each is put aside or left out, and the rest is read.
func TestOtherRecordsThatCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, jobtest.Approved("pay", toolbox.ConfirmAlways)).Start(1)
		ctx := context.Background()
		id, other := f.Give("pay"), f.Give("pay")
		for _, chat := range []string{"torn", "whole"} {
			turn := manager.Turn{ID: "turn-" + chat, Chat: chat, Text: "hello", Lang: bilingual.EN}
			if _, err := f.Store.AddTurn(ctx, turn, event.ChatMessage{ID: turn.ID, Role: event.RoleCustomer, Text: "hello"}, ""); err != nil {
				t.Fatal(err)
			}
		}
		f.Close()
		scribble(t, f.Dir, `UPDATE asks SET data='{"id":' WHERE job='`+id+`'`,
			`INSERT INTO counters (chat, data, updated) VALUES ('torn', '[{', 0), ('whole', '[]', 0)`,
			`UPDATE messages SET buttons='[', library='{' WHERE id='turn-whole'`)
		f.Reopen(1)
		if open, err := f.Desk.Open(ctx); err != nil || len(open) != 1 || open[0].JobID != other {
			t.Fatalf("open: %+v, %v", open, err)
		}
		f.Settle()
		f.WantState(id, job.Failed)
		f.Choose(other, ask.ChoiceApprove)
		f.WantState(other, job.Succeeded)

		if _, _, _, torn, err := f.Store.Unfinished(ctx, "2026-01-01"); err != nil || torn != 1 {
			t.Errorf("%d unreadable, %v", torn, err)
		}
		counters, err := f.Store.Counters(ctx)
		if _, torn := counters["torn"]; err != nil || torn || len(counters) != 1 {
			t.Errorf("%+v, %v", counters, err)
		}
		if said, err := f.Store.History(ctx, "whole", "", 10); err != nil || len(said) != 1 || said[0].Text != "hello" {
			t.Errorf("%+v, %v", said, err)
		}
		if _, _, _, torn, err := f.Store.Unfinished(ctx, "2026-01-01"); err != nil || torn != 0 {
			t.Errorf("then: %d unreadable, %v", torn, err)
		}
		f.Close()
		if list := aside(t, f.Dir); len(list) != 2 || !strings.HasPrefix(list[1], "counter torn: [{") {
			t.Errorf("kept: %q", list)
		}
	})
}

// A job whose chat was deleted right before the program was killed, and whose record cannot be read at the next start: it is put
// aside and over, and nobody is told of it in a chat that is gone.
func TestADisownedJobThatCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, jobtest.Approved("pay", toolbox.ConfirmAlways)).Start(1)
		if err := f.Store.AddChat(t.Context(), "main", "a chat"); err != nil {
			t.Fatal(err)
		}
		id := f.Give("pay")
		f.Jobs.SetWorkers(0)
		f.Settle()
		if _, err := f.Store.DeleteChat(t.Context(), "main"); err != nil {
			t.Fatal(err)
		}
		f.Close()
		scribble(t, f.Dir, `UPDATE jobs SET data=substr(data, 1, length(data)/2)`)
		f.Reopen(1)
		f.Settle()
		if standing, err := f.Store.RecoveryStates(t.Context()); err != nil || len(standing) != 0 {
			t.Errorf("still under way: %+v, %v", standing, err)
		}
		f.NoQuestion()
		f.NothingOut()
		if msgs, err := f.Store.History(t.Context(), "main", "", 100); err != nil || slices.ContainsFunc(msgs, func(m event.ChatMessage) bool { return m.Role == event.RoleJob }) {
			t.Errorf("told: %+v, %v", msgs, err)
		}
		if chats, err := f.Store.Chats(t.Context()); err != nil || slices.ContainsFunc(chats, func(c manager.Chat) bool { return c.ID == "main" }) {
			t.Errorf("the chat is back: %+v, %v", chats, err)
		}
		f.Close()
		if list := aside(t, f.Dir); len(list) != 1 || !strings.HasPrefix(list[0], "job "+id+": {") {
			t.Errorf("kept: %q", list)
		}
		f.Reopen(1)
		if n := f.Jobs.Recovered(); n != (job.Recovered{}) {
			t.Errorf("found again: %+v", n)
		}
	})
}
