package store_test

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/ask"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/store"
	"agentchat/backend/toolbox"
)

// thaw writes a frozen ledger of an older program into a folder of its own.
func thaw(t *testing.T, name string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	dump, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}()
	if _, err := db.ExecContext(t.Context(), string(dump)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// What the first program left is read, and its unfinished work goes on.
func TestALedgerOfSchema1(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pay, song := jobtest.Approved("pay", toolbox.ConfirmFirst), jobtest.Player("song", toolbox.SongPool, 2, time.Hour)
		f := jobtest.OpenIn(t, thaw(t, "v1.sql"), pay, song, jobtest.NewTool("quick"), jobtest.Player("nav", toolbox.MonitorBox, 1, time.Hour))

		msgs, err := f.Store.History(t.Context(), "main", "", 100)
		if err != nil || len(msgs) != 5 || msgs[0].Text != "노래 100% 크게_틀어줘" || len(msgs[1].Buttons) != 1 {
			t.Fatalf("history: %+v, %v", msgs, err)
		}
		turns, err := f.Store.PendingTurns(t.Context())
		if err != nil || len(turns) != 1 || turns[0].Turn.Text != "날씨 알려줘" {
			t.Errorf("pending turns: %+v, %v", turns, err)
		}
		grants, err := f.Store.Grants(t.Context(), "main", "pay")
		if err != nil || len(grants) != 1 || grants[0].Scope != toolbox.ScopeChat || !grants[0].Covers("main", "pay", json.RawMessage(`{"n":1}`)) {
			t.Errorf("the approval of then is forgotten: %+v, %v", grants, err)
		}
		all, err := f.Store.Board(t.Context(), 100)
		if err != nil || len(all) != 6 || all[0].State != string(job.Succeeded) || all[1].Todos[0].Text != "pay done" {
			t.Fatalf("jobs: %+v, %v", all, err)
		}
		hits, err := f.Store.Search(t.Context(), store.Quest{Text: "100% 크게_", Limit: 10})
		if err != nil || len(hits) == 0 {
			t.Errorf("search: %+v, %v", hits, err)
		}

		f.Start(4).Settle()
		asks, nav, line, playing := all[2].ID, all[3].ID, all[4].ID, all[5].ID
		f.WantState(nav, job.Running)
		f.WantState(line, job.Waiting)
		f.WantState(playing, job.Running)
		f.Choose(asks, ask.ChoiceApprove)
		f.WantState(asks, job.Succeeded)
		if len(pay.Runs()) != 1 {
			t.Errorf("paid %d times", len(pay.Runs()))
		}
		f.Pass(time.Hour)
		f.WantState(nav, job.Succeeded)
		f.WantState(line, job.Running)
		if n := f.Job(f.Give("quick")).Number; n != 7 {
			t.Errorf("the next ticket is number %d", n)
		}
	})
}
