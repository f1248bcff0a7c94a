package interpreter_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// reader is a model that keeps what it read and takes its time.
type reader struct {
	provider.Provider
	asleep bool
	read   func(ctx context.Context, req provider.Request) (provider.Reply, error)

	mu    sync.Mutex
	reads []provider.Request
}

func (r *reader) Read(ctx context.Context, req provider.Request) (provider.Reply, bool, error) {
	r.mu.Lock()
	r.reads = append(r.reads, req)
	r.mu.Unlock()
	if r.asleep {
		return provider.Reply{}, false, nil
	}
	reply, err := r.read(ctx, req)
	return reply, err == nil, err
}

func (r *reader) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.reads)
}

// attentive is an interpreter whose model reads ahead; its requests are answered by answer.
func attentive(t *testing.T, r *reader, answer say) *desk {
	t.Helper()
	return openWith(t, answer, func(deps *interpreter.Deps) {
		r.Provider = deps.Provider()
		deps.Provider = func() provider.Provider { return r }
	})
}

func whole(tokens int) func(context.Context, provider.Request) (provider.Reply, error) {
	return func(context.Context, provider.Request) (provider.Reply, error) {
		return provider.Reply{TokensIn: tokens, FirstToken: 10 * time.Second}, nil
	}
}

func again() interpreter.Brief { return brief }

// compacted is the brief when much of the chat was summed up.
func compacted() interpreter.Brief {
	b := brief
	b.Background.Summary = strings.Repeat("손님이 노래를 부탁했어요. ", 60)
	return b
}

// What the next request begins with is read once, and once more when the model forgot it or the chat begins with something else.
func TestTheBeginningIsReadInOnce(t *testing.T) {
	r := &reader{read: whole(1500)}
	d := attentive(t, r, nil)
	done, err := d.ReadIn(t.Context(), again)
	if err != nil || done.Tokens != 1500 || r.count() != 1 {
		t.Fatalf("%+v, %v, read %d times", done, err, r.count())
	}
	planner := r.reads[0]
	if planner.Role != provider.RolePlanner || len(planner.Schema) > 0 || planner.Patience < time.Minute {
		t.Errorf("%+v", planner)
	}
	if done, err := d.ReadIn(t.Context(), again); err != nil || done.Whole != 0 || r.count() != 1 {
		t.Errorf("what is known was read again: %+v, %v", done, err)
	}
	if _, err := d.ReadIn(t.Context(), compacted); err != nil || r.count() != 2 {
		t.Errorf("after a compaction: read %d times, %v", r.count(), err)
	}
	r.asleep = true
	cut := func() interpreter.Brief {
		b := compacted()
		b.Background.Summary = "안녕. " + b.Background.Summary
		return b
	}
	if done, err := d.ReadIn(t.Context(), cut); err != nil || done.Whole != 0 || r.count() != 3 {
		t.Errorf("a model that is not in memory: %+v, %v, asked %d times", done, err, r.count())
	}
	r.asleep = false // and with it went what it had read
	if done, err := d.ReadIn(t.Context(), compacted); err != nil || done.Whole == 0 {
		t.Errorf("a model that is in memory again: %+v, %v", done, err)
	}
}

// Whoever wants the model has it at once, whatever is being read in; that goes on when nobody wants it any more.
func TestReadingInWaitsForNobodyAndStopsForAnybody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var answering, reading sync.WaitGroup
		release := make(chan struct{})
		r := &reader{}
		left := 0
		r.read = func(ctx context.Context, _ provider.Request) (provider.Reply, error) {
			if left++; left > 1 {
				return provider.Reply{TokensIn: 1500}, nil
			}
			<-ctx.Done() // slow
			return provider.Reply{}, ctx.Err()
		}
		d := attentive(t, r, func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
			<-release
			return goodPlan, nil
		})
		var done interpreter.ReadIn
		reading.Go(func() { done, _ = d.ReadIn(t.Context(), compacted) })
		synctest.Wait()
		began := time.Now()
		answering.Go(func() { _, _ = d.Plan(t.Context(), brief) })
		synctest.Wait()
		if n := len(d.voice.Requests()); n != 1 || time.Since(began) != 0 {
			t.Fatalf("%d requests reached the model after %v", n, time.Since(began))
		}
		if r.count() != 1 {
			t.Errorf("read %d times while the model was wanted", r.count())
		}
		close(release)
		answering.Wait()
		reading.Wait()
		if r.count() != 2 || done.Whole != 1500 {
			t.Errorf("read %d times, %+v", r.count(), done)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := d.ReadIn(ctx, again); err == nil {
			t.Error("it read for nobody")
		}
	})
}

// A model that costs money, or keeps nothing, is not asked.
func TestNothingIsReadInElsewhere(t *testing.T) {
	d := open(t, nil)
	if done, err := d.ReadIn(t.Context(), again); err != nil || done.Whole != 0 || len(d.voice.Requests()) != 0 {
		t.Errorf("%+v, %v", done, err)
	}
}

// works are the words about a slow model so far.
func (d *desk) works() (list []event.Thinking) {
	d.t.Helper()
	d.bus.Close()
	r := d.bus.SubscribeFrom(1)
	for {
		batch, err := r.Next(context.Background(), 0)
		if err != nil {
			return list
		}
		for _, e := range batch {
			var th event.Thinking
			if e.Kind == event.KindThinking && json.Unmarshal(e.Data, &th) == nil && th.Work != nil {
				list = append(list, th)
			}
		}
	}
}

// What a slow model reads is told once for every request, with how long it takes where that is known, and what it writes unseen once a second; of
// one that is quick there is nothing to tell.
func TestASlowModelIsTold(t *testing.T) {
	for _, lang := range []bilingual.Lang{bilingual.KO, bilingual.EN} {
		synctest.Test(t, func(t *testing.T) {
			first := 10 * time.Second
			r := &reader{read: whole(1500)}
			d := attentive(t, r, func(_ context.Context, _ provider.Request, on func(provider.Delta)) (string, error) {
				time.Sleep(first) //nolint:forbidigo // the bubble's own time
				for i := range len(goodPlan) {
					on(provider.Delta{Text: goodPlan[i : i+1]})
					time.Sleep(first / 200) //nolint:forbidigo // the bubble's own time
				}
				return goodPlan, nil
			})
			if _, err := d.ReadIn(t.Context(), again); err != nil {
				t.Fatal(err)
			}
			b := compacted()
			b.Lang, b.Message = lang, "r"
			for range 2 {
				if _, err := d.Plan(t.Context(), b); err != nil {
					t.Fatal(err)
				}
			}
			first = 10 * time.Millisecond
			if _, err := d.Plan(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			list := d.works()
			reads, wrote := 0, 0
			for _, th := range list {
				if th.Step != "planning" || th.Text == "" || strings.Contains(th.Text, "%") {
					t.Errorf("%+v", th)
				}
				if th.Work.Read > 0 {
					reads++
				}
				if th.Work.Wrote > 0 {
					wrote++
				}
			}
			if reads != 2 || wrote < 4 || wrote > 16 || list[0].Work.Read < 500 || list[0].Work.Seconds < 5 || list[0].Work.Seconds > 8 {
				t.Errorf("told %d times of reading, %d times of writing: %+v", reads, wrote, list)
			}
		})
	}
}
