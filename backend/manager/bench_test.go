package manager_test

import (
	"fmt"
	"testing"
	"time"

	"agentchat/backend/interpreter"
	"agentchat/backend/job/jobtest"
)

// BenchmarkAcknowledge is how long a customer waits until a message is taken, while the provider hangs and four workers
// commit as fast as they can.
func BenchmarkAcknowledge(b *testing.B) {
	h := &house{voice: &jobtest.ScriptedModel{}, limits: interpreter.Timeouts{First: time.Hour, Gap: time.Hour}}
	release := make(chan struct{})
	b.Cleanup(func() { close(release) })
	h.voice.Say = jobtest.Silence(release)
	h.Floor = jobtest.Open(b, jobtest.NewTool("quick"))
	h.RealTime = true
	h.Start(4)
	h.hire()
	b.Cleanup(func() { h.Manager.Stop(); h.memory.Stop() })
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				h.Hand("work", jobtest.Plan("quick", "quick"))
				h.Settle()
			}
		}
	}()
	times := make([]time.Duration, 0, b.N)
	b.ResetTimer()
	for i := range b.N {
		began := time.Now()
		if _, err := h.OnUserInput(b.Context(), fmt.Sprint("chat", i%8), "목적지 A로 네비 켜줘", "", ""); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(began))
	}
	b.StopTimer()
	close(stop)
	<-stopped
	jobtest.Quantiles(b, times)
}
