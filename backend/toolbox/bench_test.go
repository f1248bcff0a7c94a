package toolbox_test

import (
	"fmt"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/toolbox"
)

// BenchmarkAcquireRelease takes and returns a free tool, with the real bus behind it.
func BenchmarkAcquireRelease(b *testing.B) {
	box := benchBox(b)
	for b.Loop() {
		lease, _, err := box.Acquire("j1", "nav")
		if err != nil || !box.Release(lease.ID) {
			b.Fatal(err)
		}
	}
}

// BenchmarkReleaseJobWithALine stops a job that 100 others wait behind: the tool goes to the next and all places move up.
func BenchmarkReleaseJobWithALine(b *testing.B) {
	box := benchBox(b)
	names := make([]string, 101)
	for i := range names {
		names[i] = fmt.Sprint("j", i)
		if _, _, err := box.Wait(names[i], "nav"); err != nil {
			b.Fatal(err)
		}
	}
	for i := 0; b.Loop(); i++ {
		job := names[i%len(names)]
		if box.ReleaseJob(job) != 1 {
			b.Fatal("the line is out of order")
		}
		if _, _, err := box.Wait(job, "nav"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValidateArgs(b *testing.B) {
	box := benchBox(b)
	args := []byte(`{"place": "서울역", "seconds": 300}`)
	for b.Loop() {
		if _, err := box.ValidateArgs("drill", args); err != nil {
			b.Fatal(err)
		}
	}
}

func benchBox(b *testing.B) *toolbox.Box {
	b.Helper()
	box, err := toolbox.New(event.NewBus(0, nil), toolbox.Options{})
	if err != nil {
		b.Fatal(err)
	}
	if err := box.Register(append(seedTools(), drill())...); err != nil {
		b.Fatal(err)
	}
	return box
}
