package shop_test

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"agentchat/backend/shop"
	"agentchat/backend/testing/fakemodel"
	"agentchat/backend/testing/ledgertest"
)

// marks are the turns of one chat at which the cost of a turn is looked at: that of all turns since the mark before, so that what
// is done now and then is in it too.
var marks = []int{50, 100, 300, 600, 1500, 5000}

// What a turn may cost at most, its job included.
const (
	goalProcessor = 6 * time.Millisecond
	goalWritten   = 30_000 // bytes
)

// chatter is what the customer of BenchmarkTurn says, again and again: half of it is talk, half is work.
var chatter = []string{
	"안녕하세요", "12 곱하기 3은?", "고마워", "100 나누기 8은?", "오늘 좀 피곤하네", "5킬로미터는 몇 미터야?", "잘 들었어", "지금 몇 시야?",
}

// BenchmarkTurn is what one turn takes of the processor and writes into files, its job included, the longer a chat becomes: with
// the built-in interpreter and with a model, whose server is a process of its own and is not counted. ×first compares with the
// first mark of the same run, after the program has warmed up.
func BenchmarkTurn(b *testing.B) {
	b.Run("builtin", func(b *testing.B) { converse(b, options(b.TempDir()), nil) })
	b.Run("model", func(b *testing.B) {
		server, err := fakemodel.Start()
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = server.Stop() })
		o := options(b.TempDir())
		o.Config.Env = []string{"AGENTCHAT_PROVIDER=ollama", "AGENTCHAT_OLLAMA_HOST=" + server.Addr, "AGENTCHAT_MODEL=shop"}
		ledgertest.In(o.Config.DataDir)
		converse(b, o, server)
	})
}

// spent is what the process took so far.
type spent struct {
	processor time.Duration
	written   int64
}

func spentNow(b *testing.B) (s spent) {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	s.processor = time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		b.Fatal(err)
	}
	var read int64
	if _, err := fmt.Sscanf(string(text), "rchar: %d\nwchar: %d", &read, &s.written); err != nil {
		b.Fatal(err)
	}
	return s
}

func converse(b *testing.B, o shop.Options, server *fakemodel.Process) {
	s, err := shop.Open(context.Background(), o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	reader := s.Bus.SubscribeFrom(1)
	n, base, before := 0, 0.0, spent{}
	for i, mark := range marks {
		turns := float64(mark - n)
		for ; n < mark; n++ {
			turn(b, s, reader, chatter[n%len(chatter)])
		}
		after := spentNow(b)
		if server != nil { // what went out to the model is in no file
			sent, err := server.Received(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			after.written -= sent
		}
		took, wrote := float64(after.processor-before.processor)/turns, float64(after.written-before.written)/turns
		before = after
		if i == 0 {
			continue // the program has warmed up
		}
		if base == 0 {
			base = took
		}
		b.Run(fmt.Sprintf("turn_%d", mark), func(b *testing.B) {
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(took/float64(time.Millisecond), "cpu-ms")
			b.ReportMetric(float64(goalProcessor)/float64(time.Millisecond), "cpu-ms-goal")
			b.ReportMetric(took/base, "×first")
			b.ReportMetric(wrote/1000, "kB")
			b.ReportMetric(goalWritten/1000, "kB-goal")
		})
	}
}
