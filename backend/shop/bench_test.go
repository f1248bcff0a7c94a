package shop_test

import (
	"context"
	"testing"
	"time"

	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/shop"
)

// BenchmarkReady is how long it takes to open the shop on a ledger with 10,000 unfinished jobs: some ask, some stand in line
// for a tool, some wait for a moment and some have not begun.
func BenchmarkReady(b *testing.B) {
	const unfinished = 10000
	dir := b.TempDir()
	fill(b, dir, unfinished)
	times := make([]time.Duration, 0, b.N)
	for b.Loop() {
		began := time.Now()
		s, err := shop.Open(context.Background(), options(dir))
		times = append(times, time.Since(began))
		if err != nil {
			b.Fatal(err)
		}
		snap, err := s.Snapshot(context.Background())
		if err != nil || snap.Recovered == nil || snap.Recovered.Jobs < unfinished*9/10 {
			b.Fatalf("recovered: %+v, %v", snap.Recovered, err)
		}
		b.StopTimer()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	jobtest.Quantiles(b, times)
}

// fill makes a ledger of unfinished jobs.
func fill(b *testing.B, dir string, n int) {
	b.Helper()
	jobtest.Fill(b, dir, n, func(i int) (job.State, jobtest.Stand) {
		switch {
		case i%100 == 0:
			return job.Queued, jobtest.InLine
		case i%100 == 1:
			return job.Waiting, jobtest.ForTool
		case i%10 < 6:
			return job.Waiting, jobtest.OnQuestion
		default:
			return job.Waiting, jobtest.UntilMoment
		}
	})
}
