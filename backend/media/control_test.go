package media

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/event"
)

// tape is a piece of ten seconds after which others can be turned to: b, then c.
func tape() Piece {
	titles, at := []string{"a", "b", "c"}, 0
	piece := Piece{Kind: KindSong, Title: "a", JobID: "j", Seconds: 10}
	piece.Turn = func(_ context.Context, back bool) (Piece, error) {
		to := at + 1
		if back {
			to = at - 1
		}
		if to < 0 || to == len(titles) {
			return Piece{}, ErrNoOther
		}
		at = to
		return Piece{Title: titles[at], Seconds: 20}, nil
	}
	return piece
}

// must does something with what plays and gives what plays then.
func must(t *testing.T, p *Player, o Order) event.Media {
	t.Helper()
	now, err := p.Control(t.Context(), o)
	if err != nil {
		t.Fatalf("%+v: %v", o, err)
	}
	return now
}

func wantAt(t *testing.T, m event.Media, title string, position float64) {
	t.Helper()
	if m.Title != title || math.Abs(m.Position-position) > 0.01 {
		t.Errorf("“%s” at %v, want “%s” at %v", m.Title, m.Position, title, position)
	}
}

// A paused song does not end, and goes on where it was.
func TestPausedClocksStand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		player, began := NewPlayer(nil, nil), time.Now()
		events, ended := watch(player, tape())
		after(4 * time.Second)
		if m := must(t, player, Order{Act: ActPause}); !m.Play.Paused {
			t.Errorf("%+v", m.Play)
		}
		after(time.Hour)
		player.Report(Report{Device: Deck1, JobID: "j", Position: 9, Ended: true}) // of before the pause
		after(time.Second)
		wantAt(t, must(t, player, Order{Act: ActWhat}), "a", 4)
		must(t, player, Order{Act: ActResume})
		if played := <-ended; played.Title != "a" {
			t.Errorf("%+v", played)
		}
		if took := time.Since(began) - time.Hour; took < 11*time.Second || took > 11*time.Second+10*time.Millisecond {
			t.Errorf("played %v", took)
		}
		if n := len(events()); n > 3700 {
			t.Errorf("%d events", n)
		}
	})
}

// Another piece takes the place on the same device, in the same job, and the piece that began is the one that is told to have ended.
func TestTurningToOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		player := NewPlayer(nil, nil)
		events, ended := watch(player, tape())
		after(4 * time.Second)
		must(t, player, Order{Act: ActPause})
		now := must(t, player, Order{Act: ActNext})
		if wantAt(t, now, "b", 0); now.Play.Paused || now.Play.Take != 1 || now.Seconds != 20 {
			t.Errorf("%+v of %v s", now.Play, now.Seconds)
		}
		player.Report(Report{Device: Deck1, JobID: "j", Take: 0, Ended: true}) // of the song before
		after(2 * time.Second)
		wantAt(t, must(t, player, Order{Act: ActWhat}), "b", 2)
		wantAt(t, must(t, player, Order{Act: ActRestart}), "b", 0)
		wantAt(t, must(t, player, Order{Act: ActPrevious}), "a", 0)
		after(time.Second)
		now, err := player.Control(t.Context(), Order{Act: ActPrevious})
		if wantAt(t, now, "a", 0); !errors.Is(err, ErrNoOther) {
			t.Errorf("%v", err)
		}
		must(t, player, Order{Act: ActNext})
		must(t, player, Order{Act: ActNext})
		after(time.Second)
		now, err = player.Control(t.Context(), Order{Act: ActNext})
		if wantAt(t, now, "c", 1); !errors.Is(err, ErrNoOther) {
			t.Errorf("%v", err)
		}
		if played := <-ended; played != (Played{Deck1, "c", 20, 20, false}) {
			t.Errorf("%+v", played)
		}
		opened := ""
		for _, m := range events() {
			if m.Action == actionOpen {
				opened += m.Title
			}
		}
		if opened != "ababc" {
			t.Errorf("opened %q", opened)
		}
	})
}

// A repeated piece begins again by its clock and by the window's player alike, until it shall not.
func TestRepeating(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		player, began := NewPlayer(nil, nil), time.Now()
		_, ended := watch(player, tape())
		synctest.Wait()
		must(t, player, Order{Act: ActRepeat})
		after(25 * time.Second)
		now := must(t, player, Order{Act: ActWhat})
		if wantAt(t, now, "a", 5); now.Play.Take != 2 || !now.Play.Repeat {
			t.Errorf("%+v", now.Play)
		}
		player.Report(Report{Device: Deck1, JobID: "j", Take: 2, Position: 10, Ended: true})
		synctest.Wait()
		if now := must(t, player, Order{Act: ActRepeatOff}); now.Play.Take != 3 || now.Play.Repeat {
			t.Errorf("%+v", now.Play)
		}
		<-ended
		if took := time.Since(began); took < 35*time.Second || took > 35*time.Second+10*time.Millisecond {
			t.Errorf("took %v", took)
		}
	})
}

func TestLoudness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		player := NewPlayer(nil, nil)
		events, ended := watch(player, tape())
		synctest.Wait()
		level := func(n int) *int { return &n }
		for _, c := range []struct {
			order  Order
			volume int
			muted  bool
		}{
			{Order{Act: ActWhat}, DefaultVolume, false},
			{Order{Act: ActQuieter}, 65, false},
			{Order{Act: ActLouder, Level: level(5)}, 70, false},
			{Order{Act: ActMute}, 70, true},
			{Order{Act: ActUnmute}, 70, false},
			{Order{Act: ActVolume, Level: level(40)}, 40, false},
			{Order{Act: ActVolume}, 40, false},
			{Order{Act: ActLouder, Level: level(100)}, 100, false},
			{Order{Act: ActMute}, 100, true},
			{Order{Act: ActQuieter, Level: level(100)}, 0, true},
			{Order{Act: ActUnmute}, audible, false},
		} {
			now := must(t, player, c.order)
			all := events()
			last := all[len(all)-1]
			if now.Play.Volume != c.volume || now.Play.Muted != c.muted || c.order.Act != ActWhat && *last.Play != *now.Play {
				t.Errorf("%s: %+v, told %+v", c.order.Act, now.Play, last.Play)
			}
		}
		<-ended
	})
}

// All that fit end where they are, however long they would play or repeat; others go on.
func TestTurnedOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		player := NewPlayer(nil, nil)
		ctx, stop := context.WithCancel(t.Context())
		turns := func(context.Context, bool) (Piece, error) { return Piece{}, ErrNoOther }
		ends := map[Device]chan Played{}
		for device, kind := range map[Device]string{Deck1: KindSong, Deck2: KindSong, Monitor: KindMovie} {
			end := make(chan Played, 1)
			ends[device] = end
			go func() {
				played, _ := player.Play(ctx, Piece{Kind: kind, Title: string(device), JobID: string(device), Seconds: 100, Turn: turns}, func(event.Media) {}, device)
				end <- played
			}()
		}
		synctest.Wait()
		must(t, player, Order{Act: ActRepeat, Device: Deck1})
		must(t, player, Order{Act: ActPause, Device: Deck2})
		after(5 * time.Second)
		must(t, player, Order{Act: ActTurnOff, Kind: KindSong})
		if first := <-ends[Deck1]; !first.Stopped || first.Position != 5 {
			t.Errorf("%+v", first)
		}
		if second := <-ends[Deck2]; !second.Stopped || second.Position != 0 {
			t.Errorf("%+v", second)
		}
		if _, err := player.Control(t.Context(), Order{Act: ActTurnOff, Kind: KindSong}); !errors.Is(err, ErrNothingPlays) {
			t.Errorf("%v", err)
		}
		if now := must(t, player, Order{Act: ActWhat}); now.Title != string(Monitor) {
			t.Errorf("%+v", now)
		}
		stop()
		if film := <-ends[Monitor]; film.Stopped {
			t.Errorf("%+v", film)
		}
	})
}

// What is meant is the newest that can be controlled, of those that fit.
func TestWhichOneIsMeant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		player := NewPlayer(nil, nil)
		if _, err := player.Control(t.Context(), Order{Act: ActPause}); !errors.Is(err, ErrNothingPlays) {
			t.Errorf("%v", err)
		}
		ctx, stop := context.WithCancel(t.Context())
		var ended sync.WaitGroup
		begin := func(kind, title string, controlled bool, device Device) {
			piece := Piece{Kind: kind, Title: title, JobID: title, Seconds: 100}
			if controlled {
				piece.Turn = func(context.Context, bool) (Piece, error) { return Piece{}, ErrNoOther }
			}
			ended.Go(func() { _, _ = player.Play(ctx, piece, func(event.Media) {}, device) })
			synctest.Wait()
		}
		begin(KindSong, "아리랑", true, Deck1)
		begin(KindSong, "작은 별", true, Deck2)
		begin(KindNav, "부산", false, Monitor)
		for _, c := range []struct {
			order Order
			want  string
		}{
			{Order{}, "작은 별"}, {Order{Title: "아리랑"}, "아리랑"}, {Order{Device: Deck1}, "아리랑"}, {Order{Kind: KindSong}, "작은 별"},
		} {
			c.order.Act = ActWhat
			if now := must(t, player, c.order); now.Title != c.want {
				t.Errorf("%+v is “%s”", c.order, now.Title)
			}
		}
		for _, o := range []Order{{Device: Monitor}, {Kind: KindMovie}, {Title: "올드 랭 사인"}, {Kind: KindNav}} {
			o.Act = ActPause
			if _, err := player.Control(t.Context(), o); !errors.Is(err, ErrNothingPlays) {
				t.Errorf("%+v: %v", o, err)
			}
		}
		if now, err := player.Control(t.Context(), Order{Act: "dance"}); !errors.Is(err, ErrUnknownAct) || now.Play.Paused {
			t.Errorf("%v", err)
		}
		stop()
		ended.Wait()
		if _, err := player.Control(t.Context(), Order{Act: ActPause}); !errors.Is(err, ErrNothingPlays) {
			t.Errorf("%v", err)
		}
	})
}

// Orders from many sides, while a song ends and another begins, are each answered.
func TestOrdersAreAnsweredWhateverEnds(t *testing.T) {
	player := NewPlayer(func() float64 { return 1e4 }, nil)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 200 {
				_, err := player.Control(t.Context(), Order{Act: ActRestart})
				if err != nil && !errors.Is(err, ErrNothingPlays) {
					t.Error(err)
				}
			}
		})
	}
	all.Go(func() {
		for range 20 {
			if _, err := player.Play(t.Context(), tape(), func(event.Media) {}, Deck1); err != nil {
				t.Error(err)
			}
		}
	})
	all.Wait()
}
