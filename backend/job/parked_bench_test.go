package job_test

import (
	"runtime"
	"testing"

	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/toolbox"
)

// BenchmarkParked is what a parked job costs in memory, of 100,000 that wait for a person or a moment.
func BenchmarkParked(b *testing.B) {
	const parked = 100_000
	dir := b.TempDir()
	jobtest.Fill(b, dir, parked, func(i int) (job.State, jobtest.Stand) {
		if i%2 == 0 {
			return job.Waiting, jobtest.OnQuestion
		}
		return job.Waiting, jobtest.UntilMoment
	})
	for b.Loop() {
		f := jobtest.OpenIn(b, dir, jobtest.Player("song", toolbox.SongPool, 2, 0))
		f.RealTime = true
		before := heap()
		f.Start(1)
		after := heap()
		b.ReportMetric(float64(after-before)/parked, "B/job")
		b.ReportMetric(float64(after)/(1<<20), "heap-MB")
		if n := f.Jobs.Recovered().Waiting; n != parked {
			b.Fatalf("%d are parked", n)
		}
		f.Close()
	}
	b.ReportMetric(0, "ns/op")
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
