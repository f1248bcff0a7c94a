package shop_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"agentchat/backend/job"
	"agentchat/backend/shop"
)

// BenchmarkYear measures, on ledgers of a new shop, of a week and of a year of heavy use in turns, how long a start takes, a snapshot, opening
// the biggest chat, a search, the page of tickets, a turn in the biggest chat, and a backup. ×new and ×week compare the time of the
// processor (medians of the same run): what carries a page of rows carries fewer of them in a new shop, and in a week as many as in a year. A
// search goes through all there is and a backup copies it, so they may grow; the rest may cost twice as much at most.
func BenchmarkYear(b *testing.B) {
	dirs := []string{aged(b, "new", light), aged(b, "week", busy), aged(b, "year", heavy)}
	for _, dir := range dirs {
		live(b, dir) // a ledger of an older program is upgraded, and the disk's cache is warm
	}
	const rounds = 9
	names := []string{"start", "snapshot", "chat", "search", "tickets", "turn", "backup"}
	for b.Loop() {
		times := [3]map[string][]time.Duration{{}, {}, {}}
		for range rounds {
			for i, dir := range dirs {
				for name, took := range live(b, dir) {
					times[i][name] = append(times[i][name], took)
				}
			}
		}
		for _, name := range names {
			fresh, week, year := median(times[0][name]), median(times[1][name]), median(times[2][name])
			b.ReportMetric(float64(year.Microseconds())/1000, name+"-cpu-ms")
			b.ReportMetric(float64(year)/float64(fresh), name+"-×new")
			b.ReportMetric(float64(year)/float64(week), name+"-×week")
		}
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkYearChat is what a turn takes of the processor in the biggest chat of a year, of 25,000 messages, and in one of 20, in turns in
// the same ledger. ×short compares their medians.
func BenchmarkYearChat(b *testing.B) {
	s, err := shop.Open(b.Context(), options(aged(b, "year", heavy)))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	reader := s.Bus.SubscribeFrom(1)
	const few, rounds, each = 10, 12, 4 // a turn is two messages
	for range few {
		turn(b, s, reader, "12 곱하기 3은?") // warms up
	}
	var long, short []time.Duration
	timed := func(list *[]time.Duration, chat string) {
		began := spentNow(b)
		turnIn(b, s, reader, chat, "100 나누기 8은?")
		*list = append(*list, spentNow(b).processor-began.processor)
	}
	for b.Loop() {
		for round := range rounds {
			chat := fmt.Sprint("short", round)
			for range few {
				turnIn(b, s, reader, chat, "12 곱하기 3은?")
			}
			for range each {
				timed(&long, "main")
				timed(&short, chat)
			}
		}
	}
	b.ReportMetric(float64(median(long).Microseconds())/1000, "long-cpu-ms")
	b.ReportMetric(float64(median(short).Microseconds())/1000, "short-cpu-ms")
	b.ReportMetric(float64(median(long))/float64(median(short)), "×short")
	b.ReportMetric(0, "ns/op")
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

// live opens a shop, does once what a person does, and says how long each took.
func live(b *testing.B, dir string) map[string]time.Duration {
	ctx, took := context.Background(), map[string]time.Duration{}
	timed := func(name string, do func() error) {
		began := spentNow(b)
		err := do()
		took[name] = spentNow(b).processor - began.processor
		if err != nil {
			b.Fatalf("%s: %v", name, err)
		}
	}
	// A read is done by whoever asks for it: its thread is looked at alone, as what a start leaves for later goes on beside it.
	read := func(name string, do func() error) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		spent := func() time.Duration {
			var at unix.Timespec
			if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &at); err != nil {
				b.Fatal(err)
			}
			return time.Duration(at.Nano())
		}
		began := spent()
		err := do()
		took[name] = spent() - began
		if err != nil {
			b.Fatalf("%s: %v", name, err)
		}
	}
	var s *shop.Shop
	timed("start", func() (err error) { s, err = shop.Open(ctx, options(dir)); return err })
	defer func() {
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}()
	read("snapshot", func() error { _, err := s.Snapshot(ctx); return err })
	read("chat", func() error {
		list, err := s.History(ctx, "main", "", 50)
		if err == nil && len(list) < 20 {
			err = fmt.Errorf("%d messages", len(list))
		}
		return err
	})
	read("search", func() error {
		hits, err := s.Search(ctx, shop.SearchQuery{Text: "우유 사기"})
		if err == nil && len(hits) == 0 {
			err = errors.New("nothing was found")
		}
		return err
	})
	read("tickets", func() error {
		page, err := s.Tickets(ctx, job.TicketFilter{}, 0, 50)
		if err == nil && len(page.Tickets) == 0 {
			err = errors.New("no tickets")
		}
		return err
	})
	reader := s.Bus.SubscribeFrom(1)
	turn(b, s, reader, "12 곱하기 3은?") // the first one warms up
	timed("turn", func() error { turn(b, s, reader, "100 나누기 8은?"); return nil })
	timed("backup", func() error { return s.ExportBackup(ctx, filepath.Join(b.TempDir(), "copy.db")) })
	return took
}
