package media

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/event"
)

// watch starts a piece of ten seconds on the first deck and gives what it emits and how it ended.
func watch(p *Player, piece Piece) (events func() []event.Media, ended <-chan Played) {
	var mu sync.Mutex
	var list []event.Media
	done := make(chan Played, 1)
	go func() {
		played, err := p.Play(context.Background(), piece, func(m event.Media) {
			mu.Lock()
			defer mu.Unlock()
			list = append(list, m)
		}, Deck1)
		if err != nil {
			panic(err)
		}
		done <- played
	}()
	return func() []event.Media {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(list)
	}, done
}

var tenSeconds = Piece{Kind: KindSong, Title: "t", JobID: "j", Seconds: 10}

func after(d time.Duration) { <-time.After(d) }

func TestPlayRunsByItsOwnClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		events, ended := watch(NewPlayer(nil, nil), tenSeconds)
		if played := <-ended; played != (Played{Deck1, "t", 10, 10, false}) {
			t.Errorf("%+v", played)
		}
		if took := time.Since(began); took < 10*time.Second || took > 10*time.Second+time.Millisecond {
			t.Errorf("took %v", took)
		}
		if n := len(events()); n != 11 {
			t.Errorf("%d events: %+v", n, events())
		}
		for i, m := range events() {
			want := map[int]string{0: actionOpen, len(events()) - 1: actionClose}[i]
			if want == "" {
				want = actionProgress
			}
			if m.Action != want || m.Rate != 1 || math.Abs(m.Position-float64(i)) > 0.001 {
				t.Errorf("event %d: %+v", i, m)
			}
		}
	})
}

func TestPaceMayChangeOnTheWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fast atomic.Bool
		began := time.Now()
		_, ended := watch(NewPlayer(func() float64 {
			if fast.Load() {
				return 100
			}
			return 1
		}, nil), tenSeconds)
		after(4500 * time.Millisecond)
		fast.Store(true) // read at the next second
		<-ended
		if took := time.Since(began); took < 5*time.Second || took > 5100*time.Millisecond {
			t.Errorf("took %v", took)
		}
	})
	for pace, want := range map[float64]float64{0: 1, -3: 1, math.NaN(): 1, math.Inf(1): fastest, 1e-9: slowest, 2.5: 2.5} {
		if got := NewPlayer(func() float64 { return pace }, nil).Pace(); got != want {
			t.Errorf("pace %v is %v", pace, got)
		}
	}
}

func TestReportsLeadTheClock(t *testing.T) {
	for name, c := range map[string]struct {
		reports map[time.Duration]Report // when → what
		want    time.Duration
	}{
		"ended early":    {map[time.Duration]Report{3 * time.Second: {Ended: true}}, 3 * time.Second},
		"jumped ahead":   {map[time.Duration]Report{2 * time.Second: {Position: 8}}, 7 * time.Second}, // waits for the player's word
		"another length": {map[time.Duration]Report{2 * time.Second: {Position: 2, Seconds: 30}}, 30 * time.Second},
		"lagging":        {map[time.Duration]Report{5 * time.Second: {Position: 1}}, 14 * time.Second},
		"ends on time":   {map[time.Duration]Report{9 * time.Second: {Position: 9}, 10500 * time.Millisecond: {Ended: true}}, 10500 * time.Millisecond},
		"falls silent":   {map[time.Duration]Report{9 * time.Second: {Position: 9}}, 14 * time.Second},
		"another take's": {map[time.Duration]Report{2 * time.Second: {Ended: true, Take: 1}}, 10 * time.Second},
		"another job's":  {map[time.Duration]Report{2 * time.Second: {Ended: true, JobID: "old"}}, 10 * time.Second},
		"another device": {map[time.Duration]Report{2 * time.Second: {Ended: true, Device: Deck2}}, 10 * time.Second},
		"nonsense":       {map[time.Duration]Report{2 * time.Second: {Position: math.NaN(), Seconds: math.Inf(1)}}, 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				player := NewPlayer(nil, nil)
				began := time.Now()
				_, ended := watch(player, tenSeconds)
				for when, report := range c.reports {
					if report.Device == "" {
						report.Device = Deck1
					}
					if report.JobID == "" {
						report.JobID = "j"
					}
					time.AfterFunc(when, func() { player.Report(report) })
				}
				<-ended
				if took := time.Since(began); took < c.want || took > c.want+10*time.Millisecond {
					t.Errorf("took %v, want %v", took, c.want)
				}
				after(2 * time.Minute) // let late reports pass: nobody listens, nothing may block
			})
		})
	}
}

// No real player keeps up with a fast pace, so there the simulated clock alone counts.
func TestReportsDoNotHoldAFastPaceBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		player := NewPlayer(func() float64 { return 10 }, nil)
		began := time.Now()
		_, ended := watch(player, tenSeconds)
		time.AfterFunc(500*time.Millisecond, func() { player.Report(Report{Device: Deck1, JobID: "j", Position: 0.5}) })
		<-ended
		if took := time.Since(began); took > 1010*time.Millisecond {
			t.Errorf("took %v", took)
		}
		after(time.Second)
	})
}

func TestManyReportsNeverBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		player := NewPlayer(nil, nil)
		_, ended := watch(player, tenSeconds)
		synctest.Wait()
		for i := range 1000 {
			player.Report(Report{Device: Deck1, JobID: "j", Position: 1, Ended: i == 500})
		}
		began := time.Now()
		if <-ended; time.Since(began) != 0 { // the end among them is not lost
			t.Errorf("ended after %v", time.Since(began))
		}
	})
}

func TestTheLastEventSaysWhatIsOnADevice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var last atomic.Pointer[event.Media] // the player goes on while it is looked at
		ended := make(chan error, 1)
		go func() {
			_, err := NewPlayer(nil, nil).Play(t.Context(), tenSeconds, func(m event.Media) { last.Store(&m) }, Deck1)
			ended <- err
		}()
		after(3500 * time.Millisecond)
		synctest.Wait()
		if now := last.Load(); now.Action == actionClose || math.Abs(now.Position-3) > 0.001 || now.Device != "deck1" {
			t.Errorf("%+v", now)
		}
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if now := last.Load(); now.Action != actionClose {
			t.Errorf("still %+v", now)
		}
	})
}

func TestWaitingForADeviceEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		player := NewPlayer(nil, nil)
		_, ended := watch(player, tenSeconds)
		synctest.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		waited := 0
		piece := tenSeconds
		piece.Waiting = func() { waited++ }
		_, err := player.Play(ctx, piece, func(m event.Media) { t.Errorf("emitted %+v", m) }, Deck1)
		if !errors.Is(err, context.DeadlineExceeded) || waited != 1 {
			t.Errorf("%v, told %d times", err, waited)
		}
		<-ended
	})
}

// The address in the open event really serves the piece, and no longer once it has closed.
func TestPlayOffersItsSource(t *testing.T) {
	server := NewServer()
	t.Cleanup(func() { _ = server.Close() })
	library := NewLibrary(nil)
	item, err := library.Find(t.Context(), KindSong, "아리랑")
	if err != nil {
		t.Fatal(err)
	}
	source, seconds, err := library.Prepare(item)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	opened := make(chan string, 1)
	ended := make(chan error, 1)
	go func() {
		_, err := NewPlayer(nil, server).Play(ctx, Piece{Kind: KindSong, JobID: "j", Seconds: seconds, Source: &source}, func(m event.Media) {
			if m.Action == actionOpen {
				opened <- m.URL
			}
		}, Decks()...)
		ended <- err
	}()
	address := <-opened
	status, body := get(t, address)
	if status != http.StatusOK || !strings.HasPrefix(body, "RIFF") || math.Abs(float64(len(body)-44)/44100-seconds) > 0.01 {
		t.Errorf("status %d, %d bytes for %v s", status, len(body), seconds)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if status, _ := get(t, address); status != http.StatusNotFound {
		t.Errorf("after closing: %d", status)
	}
}

func get(t *testing.T, address string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}
