package store

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"agentchat/backend/job"
	"agentchat/backend/presence"
)

// What happened in an absence is found without looking at what happened before or since.
func TestAnAbsenceIsLookedUpByIndexes(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for query, args := range map[string][]any{
		selectTrace: nil, selectRunsWhile: {"[[1,2]]", 0, 100}, selectJobsWhile: {"[[1,2]]", "failed", 100},
		selectToldWhile: {"[[1,2]]", 0, 100}, selectSettledWhile: {"[[1,2]]", 0, 100},
	} {
		rows, err := s.conn.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
		if err := each(rows, err, func(r row) error {
			var id, parent, unused int
			var step string
			if err := r.Scan(&id, &parent, &unused, &step); err != nil {
				return err
			}
			// There are few turns and counters that are not over; of messages the trace reads the last.
			for _, big := range []string{"SCAN r", "SCAN x", "SCAN j", "SCAN jobs", "SCAN o", "SCAN m", "SCAN q", "SCAN s", "SCAN d", "SCAN bank_transfers"} {
				if step == big || strings.HasPrefix(step, big+" ") && !strings.Contains(step, "USING COVERING INDEX") {
					t.Errorf("%s\n%s", step, query)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// Twenty thousand jobs before an absence and after it cost nothing to speak of, and each is told once.
func TestAnAbsenceAmongManyJobs(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	data, err := json.Marshal(job.Run{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.conn.ExecContext(t.Context(), fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<20000)
		INSERT INTO jobs (number, id, chat, title, state, data, created, ended) SELECT i, 'j'||i, 'main', 'title', iif(i%%10, 'succeeded', 'failed'), ?, 0, %d+i*1000000 FROM n`,
		micros(began)), string(data)); err != nil {
		t.Fatal(err)
	}
	at := func(i int) time.Time { return began.Add(time.Duration(i) * time.Second) }
	away := []presence.Absence{{Since: at(10000), Until: at(10050)}, {Since: at(10040), Until: at(10070)}} // they overlap
	for state, want := range map[job.State]int{job.Failed: 7, job.Succeeded: 63} {
		if list, err := s.JobsWhile(t.Context(), away, state, 100); err != nil || len(list) != want {
			t.Errorf("%s: %d jobs, want %d, %v", state, len(list), want, err)
		}
	}
	if list, err := s.JobsWhile(t.Context(), away, job.Succeeded, 5); err != nil || len(list) != 5 || list[0].ID != "j10069" {
		t.Errorf("the newest five: %+v, %v", list, err)
	}
	if trace, err := s.LastTrace(t.Context()); err != nil || !trace.Equal(at(20000)) {
		t.Errorf("the newest trace is %v, %v", trace, err)
	}
}
