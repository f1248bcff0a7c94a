package store_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/store/storetest"
)

// BenchmarkDurableStep is one step of a job, committed, beside a bare commit of the same bytes by the same engine.
func BenchmarkDurableStep(b *testing.B) {
	run := job.Run{Job: job.Job{
		ID: "j", Number: 1, Chat: "main", Title: "서울역까지 길 안내", Request: "서울역까지 길 안내해줘", Lang: bilingual.KO, State: job.Running,
		Todos: []job.Todo{{ID: "t1", Title: "길 안내", Tool: "nav", Request: "서울역까지", Args: json.RawMessage(`{"to":"서울역"}`), State: job.TodoRunning, Node: "exec"}},
	}}
	data, err := json.Marshal(&run)
	if err != nil {
		b.Fatal(err)
	}
	took := map[string]time.Duration{}
	for _, level := range []string{"NORMAL", "FULL"} {
		b.Run("raw "+level, func(b *testing.B) {
			db, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "raw.db")+"?_pragma=journal_mode(WAL)&_pragma=wal_autocheckpoint(0)&_pragma=synchronous("+level+")")
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = db.Close() }()
			db.SetMaxOpenConns(1)
			if _, err := db.ExecContext(b.Context(), "CREATE TABLE raw (data TEXT) STRICT"); err != nil {
				b.Fatal(err)
			}
			insert, err := db.PrepareContext(b.Context(), "INSERT INTO raw VALUES (?)")
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = insert.Close() }()
			text := string(data)
			for b.Loop() {
				if _, err := insert.ExecContext(context.Background(), text); err != nil {
					b.Fatal(err)
				}
			}
			took["raw"] = b.Elapsed() / time.Duration(b.N)
		})
		b.Run("step "+level, func(b *testing.B) {
			s := open(b, b.TempDir())
			storetest.Hand(b, s, run.Job)
			step := job.Step{Run: &run, Node: "exec", Next: "save_result", Sync: level == "FULL", Events: []event.Event{
				event.Of("main", "j", event.JobLog{JobID: "j", Level: "info", Line: "nav finished"}),
			}}
			for b.Loop() {
				if err := s.SaveStep(context.Background(), step); err != nil {
					b.Fatal(err)
				}
			}
			if raw := took["raw"]; raw > 0 {
				b.ReportMetric(float64(b.Elapsed()/time.Duration(b.N))/float64(raw), "×raw")
			}
		})
	}
}
