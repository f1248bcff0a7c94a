package job_test

import (
	"context"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// BenchmarkNoOpJobs is how many jobs that do nothing four workers end in a second, every step committed.
func BenchmarkNoOpJobs(b *testing.B) {
	f := jobtest.Open(b, jobtest.NewTool("quick"))
	f.RealTime, f.Queue = true, 1<<30
	f.Start(4)
	const batch = 100
	plans := make([]provider.JobPlan, batch)
	for i := range plans {
		plans[i] = jobtest.Plan("quick")
	}
	b.ResetTimer()
	jobs := 0
	for ; jobs < b.N; jobs += batch {
		f.Hand("main", plans[:min(batch, b.N-jobs)]...)
		f.Settle()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}

// BenchmarkCancel is how long after a cancel the tool is back, for a tool that listens and for one that does not.
func BenchmarkCancel(b *testing.B) {
	started, release := make(chan struct{}), make(chan struct{})
	b.Cleanup(func() { close(release) })
	listens, deaf := jobtest.NewTool("listens"), jobtest.NewTool("deaf")
	listens.Do = func(ctx context.Context, _ toolbox.Call) (toolbox.Result, error) {
		started <- struct{}{}
		<-ctx.Done()
		return toolbox.Result{}, ctx.Err()
	}
	deaf.Do = func(context.Context, toolbox.Call) (toolbox.Result, error) {
		started <- struct{}{}
		<-release
		return toolbox.Result{}, nil
	}
	for _, tool := range []string{"listens", "deaf"} {
		b.Run(tool, func(b *testing.B) {
			f := jobtest.Open(b, listens, deaf)
			f.RealTime = true
			freed := make(chan time.Time, 1)
			f.Hear = func(e event.Event) {
				if _, ok := e.Data.(event.ToolReleased); ok {
					freed <- time.Now()
				}
			}
			f.Start(4)
			times := make([]time.Duration, 0, b.N)
			for range b.N {
				id := f.Hand("main", jobtest.Plan(tool))[0]
				<-started
				began := time.Now()
				if err := f.Jobs.CancelJob(id); err != nil {
					b.Fatal(err)
				}
				times = append(times, (<-freed).Sub(began))
				f.Settle()
			}
			jobtest.Quantiles(b, times)
		})
	}
}
