package event_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/event"
)

func line(text string) event.Event {
	return event.Of("main", "j1", event.JobLog{JobID: "j1", Line: text})
}

// drain reads until the reader would have to wait.
func drain(t *testing.T, r *event.Reader, b *event.Bus) (list []event.Envelope, lagged int) {
	t.Helper()
	for {
		if len(list) > 0 && list[len(list)-1].Seq == b.Seq() {
			return list, lagged
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		batch, err := r.Next(ctx, 7)
		stop()
		switch {
		case errors.Is(err, event.ErrLagged):
			lagged++
			if b.Seq() == 0 || lagged > 3 {
				t.Fatal("lagged again and again")
			}
			return list, lagged
		case err != nil:
			t.Fatal(err)
		}
		if len(batch) == 0 || len(batch) > 7 {
			t.Fatalf("a batch of %d", len(batch))
		}
		list = append(list, batch...)
	}
}

func TestNumbersHaveNoGapUnderManyPublishers(t *testing.T) {
	b := event.NewBus(0, nil)
	r := b.Subscribe()
	var group sync.WaitGroup
	for p := range 16 {
		group.Go(func() {
			for i := range 200 {
				b.Publish(line(fmt.Sprint(p, i)), line(fmt.Sprint(p, i, "b")))
			}
		})
	}
	group.Wait()
	list, _ := drain(t, r, b)
	if len(list) != 16*200*2 {
		t.Fatalf("%d envelopes", len(list))
	}
	last := ""
	for i, e := range list {
		if e.Seq != uint64(i+1) {
			t.Fatalf("envelope %d has number %d", i, e.Seq)
		}
		var p event.JobLog
		if err := json.Unmarshal(e.Data, &p); err != nil || e.Kind != event.KindJobLog || e.Chat != "main" || e.Job != "j1" {
			t.Fatalf("%+v: %v", e, err)
		}
		if strings.HasSuffix(p.Line, "b") && p.Line != last+"b" {
			t.Fatalf("%q came after %q: one call's events were torn apart", p.Line, last)
		}
		last = p.Line
	}
}

func TestAReaderThatLagsIsToldAndGoesOn(t *testing.T) {
	b := event.NewBus(8, nil)
	slow, quick := b.Subscribe(), b.Subscribe()
	b.Publish(line("0"))
	if list, _ := drain(t, quick, b); len(list) != 1 {
		t.Fatalf("%d envelopes", len(list))
	}
	for i := range 20 {
		b.Publish(line(fmt.Sprint(i + 1)))
		if i%5 == 4 {
			drain(t, quick, b)
		}
	}
	if _, err := slow.Next(t.Context(), 0); !errors.Is(err, event.ErrLagged) {
		t.Fatalf("a reader that missed 13 envelopes got %v", err)
	}
	b.Publish(line("after"))
	batch, err := slow.Next(t.Context(), 0)
	if err != nil || len(batch) != 1 || batch[0].Seq != 22 {
		t.Errorf("afterwards it read %v, %v", batch, err)
	}
}

// The ring takes room as it is filled: whatever it may hold, what was published stands in it in order, and only what
// exceeds that is dropped.
func TestTheRingGrowsAsItIsFilled(t *testing.T) {
	for _, most := range []int{1, 255, 256, 257, 1000} {
		b := event.NewBus(most, nil)
		published := 3*most + 5
		for i := range published {
			b.Publish(line(fmt.Sprint(i + 1)))
			kept := min(i+1, most)
			batch, err := b.SubscribeFrom(uint64(i+2-kept)).Next(t.Context(), 1)
			if err != nil || batch[0].Seq != uint64(i+2-kept) {
				t.Fatalf("of %d, after %d: the oldest is %v, %v", most, i+1, batch, err)
			}
		}
		list, err := b.SubscribeFrom(uint64(published-most+1)).Next(t.Context(), 0)
		if err != nil || len(list) != most {
			t.Fatalf("of %d: %d envelopes, %v", most, len(list), err)
		}
		for i, env := range list {
			want := uint64(published - most + 1 + i)
			if env.Seq != want || !strings.Contains(string(env.Data), fmt.Sprintf(`"%d"`, want)) {
				t.Fatalf("of %d: at %d stands %d with %s, want %d", most, i, env.Seq, env.Data, want)
			}
		}
		if _, err := b.SubscribeFrom(uint64(published-most)).Next(t.Context(), 0); !errors.Is(err, event.ErrLagged) {
			t.Errorf("of %d: what was dropped is read, %v", most, err)
		}
	}
}

func TestReadersStartWhereTheyAsk(t *testing.T) {
	b := event.NewBus(4, nil)
	for i := range 6 {
		b.Publish(line(fmt.Sprint(i)))
	}
	batch, err := b.SubscribeFrom(5).Next(t.Context(), 0)
	if err != nil || len(batch) != 2 || batch[0].Seq != 5 {
		t.Errorf("from 5: %v, %v", batch, err)
	}
	for _, gone := range []uint64{0, 1, 2} {
		if _, err := b.SubscribeFrom(gone).Next(t.Context(), 0); !errors.Is(err, event.ErrLagged) {
			t.Errorf("from %d: %v", gone, err)
		}
	}
	if _, err := b.SubscribeFrom(3).Next(t.Context(), 1); err != nil {
		t.Errorf("from 3, the oldest there is: %v", err)
	}
}

// A publisher does not wait: not for a reader that sleeps, and not for one that was never there.
func TestThePublisherNeverWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := event.NewBus(16, nil)
		b.Subscribe() // never read
		waiting := b.Subscribe()
		got := make(chan int)
		go func() {
			batch, err := waiting.Next(context.Background(), 0)
			if err != nil {
				t.Error(err)
			}
			got <- len(batch)
			<-time.After(time.Hour) // and then it sleeps
		}()
		synctest.Wait()
		began := time.Now()
		b.Publish(line("wake up"))
		if n := <-got; n != 1 {
			t.Errorf("the reader that waited got %d envelopes", n)
		}
		for i := range 1000 {
			b.Publish(line(fmt.Sprint(i)))
		}
		if time.Since(began) != 0 {
			t.Errorf("publishing took %v", time.Since(began))
		}
		<-time.After(2 * time.Hour)
	})
}

// Few large payloads must not fill the memory: the ring is bounded in bytes too.
func TestTheRingIsBoundedInBytes(t *testing.T) {
	b := event.NewBus(0, nil)
	large := strings.Repeat("x", 8<<20)
	for range 12 {
		b.Publish(line(large))
	}
	if _, err := b.SubscribeFrom(1).Next(t.Context(), 0); !errors.Is(err, event.ErrLagged) {
		t.Errorf("96 MB are kept: %v", err)
	}
	batch, err := b.SubscribeFrom(8).Next(t.Context(), 0)
	if err != nil || len(batch) != 5 || batch[4].Seq != 12 {
		t.Errorf("the newest are gone: %d, %v", len(batch), err)
	}
}

// unencodable cannot be written as JSON.
type unencodable struct{ C chan int }

func (unencodable) EventKind() event.Kind { return "odd" }

func TestAPayloadThatCannotBeEncodedDoesNotBreakTheStream(t *testing.T) {
	b := event.NewBus(0, nil)
	r := b.Subscribe()
	b.Publish(line("before"), event.Of("main", "j1", unencodable{make(chan int)}), line("after"))
	list, _ := drain(t, r, b)
	if len(list) != 3 || list[1].Kind != event.KindError || list[1].Seq != 2 || list[1].Chat != "main" {
		t.Fatalf("%+v", list)
	}
	var e event.Error
	if err := json.Unmarshal(list[1].Data, &e); err != nil || e.Code != "internal" || !strings.Contains(e.Message, "odd") {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestAfterCloseWhatIsLeftIsRead(t *testing.T) {
	b := event.NewBus(0, nil)
	r := b.Subscribe()
	b.Publish(line("last"))
	b.Close()
	b.Close()
	b.Publish(line("too late"))
	b.Publish()
	if batch, err := r.Next(t.Context(), 0); err != nil || len(batch) != 1 {
		t.Fatalf("%v, %v", batch, err)
	}
	for range 2 {
		if _, err := r.Next(t.Context(), 0); !errors.Is(err, event.ErrClosed) {
			t.Errorf("%v, want ErrClosed", err)
		}
	}
}

func TestCloseAndContextWakeWhoWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := event.NewBus(0, nil)
		errs := make(chan error, 2)
		ctx, stop := context.WithCancel(t.Context())
		go func() { _, err := b.Subscribe().Next(ctx, 0); errs <- err }()
		synctest.Wait()
		stop()
		if err := <-errs; !errors.Is(err, context.Canceled) {
			t.Errorf("stopped: %v", err)
		}
		go func() { _, err := b.Subscribe().Next(t.Context(), 0); errs <- err }()
		synctest.Wait()
		b.Close()
		if err := <-errs; !errors.Is(err, event.ErrClosed) {
			t.Errorf("closed: %v", err)
		}
	})
}

func TestTimesAreInUTC(t *testing.T) {
	at := time.Date(2025, 3, 1, 9, 0, 0, 1, time.FixedZone("KST", 9*3600))
	b := event.NewBus(0, func() time.Time { return at })
	r := b.Subscribe()
	b.Publish(line("x"))
	if list, _ := drain(t, r, b); list[0].Time != "2025-03-01T00:00:00.000000001Z" {
		t.Errorf("time %s", list[0].Time)
	}
}

func BenchmarkPublish(b *testing.B) {
	bus := event.NewBus(0, nil)
	e := line("a line of a log that is about as long as lines of logs are")
	b.ReportAllocs()
	for b.Loop() {
		bus.Publish(e)
	}
}

// BenchmarkFronts is how many events a second reach every one of several fronts, each of which reads all of them. docs/scale.md has the figures.
func BenchmarkFronts(b *testing.B) {
	for _, fronts := range []int{1, 8, 64} {
		b.Run(fmt.Sprint(fronts), func(b *testing.B) {
			bus := event.NewBus(0, nil)
			e := line("a line of a log that is about as long as lines of logs are")
			lagged := atomic.Int64{}
			var group sync.WaitGroup
			for range fronts {
				r := bus.Subscribe()
				group.Go(func() {
					for {
						switch _, err := r.Next(context.Background(), 0); {
						case errors.Is(err, event.ErrLagged):
							lagged.Add(1)
						case err != nil:
							return
						}
					}
				})
			}
			for b.Loop() {
				bus.Publish(e)
			}
			bus.Close()
			group.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(lagged.Load()), "snapshots") // that fronts had to load because they fell behind
		})
	}
}
