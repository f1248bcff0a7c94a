package store

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/store/storetest"
)

// BenchmarkScaleWrites is how many steps of jobs the ledger's one writer commits in a second, for one job and for many at once, where they
// survive the end of the process (NORMAL) and the loss of power (FULL). docs/scale.md has the figures.
func BenchmarkScaleWrites(b *testing.B) {
	for _, writers := range []int{1, batchMost} {
		for _, full := range []bool{false, true} {
			b.Run(fmt.Sprintf("writers=%d/full=%t", writers, full), func(b *testing.B) {
				s := stocked(b, writers)
				var group sync.WaitGroup
				for w := range writers {
					run := job.Run{Job: storetest.SomeJob(w + 1)}
					run.Job.State, run.Job.Ended = job.Running, time.Time{}
					step := job.Step{Run: &run, Node: "exec", Next: "save_result", Sync: full, Events: []event.Event{
						event.Of("", "", event.JobLog{JobID: run.Job.ID, Level: "info", Line: "a line of what the tool does"}),
					}}
					group.Go(func() {
						for i := w; i < b.N; i += writers {
							if err := s.SaveStep(b.Context(), step); err != nil {
								b.Error(err)
							}
						}
					})
				}
				group.Wait()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
			})
		}
	}
}

// stocked is a ledger with n jobs, a tenth of which go on. It is folded into its file now and then, as one that grew in a year is.
func stocked(b *testing.B, n int) *Store {
	b.Helper()
	s, err := open(b.Context(), b.TempDir(), time.Now, must(b))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	const batch = 20_000
	for from := 0; from < n; from += batch {
		stockFrom(b, s, from, min(n-from, batch))
		s.checkpointNow(b.Context())
	}
	return s
}

// BenchmarkScaleTickets is what a page of the list of tickets, its count, a search and the look at a start for what goes on take with as
// many jobs as the housekeeping keeps, and with ten times as many; with SCALE=full fifty times as many, which takes minutes and gigabytes.
func BenchmarkScaleTickets(b *testing.B) {
	sizes := []int{20_000, 200_000}
	if os.Getenv("SCALE") == "full" {
		sizes = append(sizes, 1_000_000)
	}
	for _, n := range sizes {
		s := stocked(b, n)
		size := func() float64 {
			info, err := os.Stat(s.path)
			if err != nil {
				b.Fatal(err)
			}
			return float64(info.Size()) / (1 << 20)
		}()
		page := func(f job.TicketFilter) func() error {
			return func() error { _, err := s.Tickets(b.Context(), f, 0, 50); return err }
		}
		for _, c := range []struct {
			name string
			do   func() error
		}{
			{"page", page(job.TicketFilter{})},
			{"page-of-a-tool", page(job.TicketFilter{Tool: "calculator"})},
			{"page-of-no-such-words", page(job.TicketFilter{Words: "nowhere"})},
			{"count-failed", func() error { _, err := s.CountTickets(b.Context(), job.TicketFilter{State: job.Failed}); return err }},
			{"search", func() error { _, err := s.Search(b.Context(), Quest{Text: "없는낱말", Limit: 8}); return err }},
			{"what-goes-on", func() error { _, err := s.RecoveryStates(b.Context()); return err }},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, c.name), func(b *testing.B) {
				for b.Loop() {
					if err := c.do(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(size, "MB")
			})
		}
	}
}

// stockFrom fills a ledger with n jobs that follow the first from, as they are written.
func stockFrom(t testing.TB, s *Store, from, n int) {
	t.Helper()
	if err := s.tx(t.Context(), false, func(w *work) error {
		for i := from + 1; i <= from+n; i++ {
			j := storetest.SomeJob(i)
			if err := w.addJob(j); err != nil {
				return err
			}
			if !j.State.Ended() {
				continue
			}
			data, err := json.Marshal(job.Run{Job: j})
			if err != nil {
				return err
			}
			if err := w.saveRun(job.Step{Run: &job.Run{Job: j}, Next: "end"}, string(data), 0); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
