package tools

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/media"
)

// playing makes tools whose player runs at a pace.
func playing(pace float64) Deps {
	return Deps{Now: at(noon), Player: media.NewPlayer(func() float64 { return pace }, nil), Library: media.NewLibrary(nil)}
}

func last(b *bench) event.Media {
	shown := b.shown()
	return shown[len(shown)-1]
}

func TestNavGuidesToTheDestination(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		got, b, err := run(t, playing(1), "nav", bilingual.KO, args{"destination": "A"})
		if err != nil || !strings.HasPrefix(got.Text, "A (연습 목적지)에 도착했어요.") {
			t.Fatalf("%q, %v", got.Text, err)
		}
		if took := time.Since(began); math.Abs(took.Seconds()-60) > 0.1 {
			t.Errorf("a practice journey took %v", took)
		}
		first, end := b.shown()[0], last(b)
		if first.Action != "open" || end.Action != "close" || first.Device != "monitor" || first.Kind != "nav" || first.JobID != "job-1" {
			t.Errorf("first %+v, last %+v", first, end)
		}
		if n := len(b.shown()); n < 200 || n > 4*60+3 {
			t.Errorf("%d events in a minute", n)
		}
		left := math.Inf(1)
		for _, m := range b.shown() {
			if m.Map == nil || m.Map.LeftKm > left || m.Map.Note == "" || m.Map.Direction == "" {
				t.Fatalf("map %+v after %v km", m.Map, left)
			}
			left = m.Map.LeftKm
		}
		if end.Map.Progress != 1 || end.Map.Here.Lat != end.Map.To.Lat || end.Position != 60 {
			t.Errorf("ends at %+v", end)
		}
		if len(b.said()) != 11 || !strings.Contains(b.said()[0], "도로 정보는 없어요") || !strings.HasPrefix(b.said()[10], "도착했어요") {
			t.Errorf("log %q", b.said())
		}
	})
}

func TestNavLastsByDistanceAndPace(t *testing.T) {
	for _, c := range []struct {
		args    args
		pace    float64
		seconds float64
	}{
		{args{"destination": "부산", "from": "서울"}, 1, 1626},
		{args{"destination": "부산", "from": "서울"}, 100, 16.26},
		{args{"destination": "New York"}, 1, 1800},
		{args{"destination": "남산타워"}, 1, 40},
		{args{"destination": "서울시청"}, 1, 0},
		{args{"destination": "B"}, 1000, 0.06},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			_, _, err := run(t, playing(c.pace), "nav", bilingual.EN, c.args)
			if took := time.Since(began).Seconds(); err != nil || math.Abs(took-c.seconds) > c.seconds*0.005+0.001 {
				t.Errorf("%v took %v s, want %v, %v", c.args, took, c.seconds, err)
			}
		})
	}
	_, _, err := run(t, playing(1), "nav", bilingual.KO, args{"destination": "우리집"})
	wantCode(t, err, apperr.PlaceUnknown)
	_, _, err = run(t, playing(1), "nav", bilingual.KO, args{"destination": "A", "from": "우리집"})
	wantCode(t, err, apperr.PlaceUnknown)
}

func TestNavStartsAtHome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deps := playing(1000)
		deps.Home = func() string { return "부산역" }
		got, _, err := run(t, deps, "nav", bilingual.EN, args{"destination": "Haeundae"})
		if err != nil || !strings.Contains(got.Text, "from Busan Station") {
			t.Errorf("%q, %v", got.Text, err)
		}
	})
}

// Stopping closes what was shown at once, whatever is playing.
func TestCancelClosesTheDevice(t *testing.T) {
	for key, a := range map[string]args{"nav": {"destination": "부산"}, "movie": {}, "song": {}} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			b := &bench{}
			began := time.Now()
			time.AfterFunc(7300*time.Millisecond, cancel)
			_, err := tool(t, playing(1), key).Run(ctx, b.call(bilingual.KO, a))
			if !errors.Is(err, context.Canceled) || time.Since(began) != 7300*time.Millisecond {
				t.Errorf("%s ended after %v with %v", key, time.Since(began), err)
			}
			if end := last(b); end.Action != "close" || math.Abs(end.Position-7.3) > 0.001 {
				t.Errorf("%s: last %+v", key, end)
			}
		})
	}
}

func TestTwoSongsTakeBothDecksWithDifferentTunes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		song := tool(t, playing(1), "song")
		benches := []*bench{{}, {}, {}}
		for _, b := range benches {
			go func() {
				if _, err := song.Run(context.Background(), b.call(bilingual.KO, args{})); err != nil {
					t.Error(err)
				}
			}()
			synctest.Wait()
		}
		first, second := benches[0].shown()[0], benches[1].shown()[0]
		if first.Device != "deck1" || second.Device != "deck2" || first.Title == second.Title {
			t.Errorf("%+v and %+v", first, second)
		}
		// A user may raise the capacity; then the third waits for a deck.
		if len(benches[2].shown()) != 0 || !strings.Contains(strings.Join(benches[2].said(), " "), "비기를 기다려요") {
			t.Errorf("the third shows %+v and says %q", benches[2].shown(), benches[2].said())
		}
		<-time.After(5 * time.Minute) // of the bubble's clock
		synctest.Wait()
		for _, b := range benches {
			if last(b).Action != "close" {
				t.Error("a song did not end")
			}
		}
		if third := benches[2].shown()[0].Title; third == first.Title || third == second.Title {
			t.Errorf("the third was %s again", third)
		}
	})
}

func TestSongPlaysTheNamedTune(t *testing.T) {
	for title, want := range map[string]string{"아리랑": "아리랑", "little star": "작은 별", "올드랭사인": "올드 랭 사인", "환희의 송가 노래": "환희의 송가"} {
		synctest.Test(t, func(t *testing.T) {
			got, _, err := run(t, playing(100), "song", bilingual.KO, args{"title": title})
			if err != nil || !strings.HasPrefix(got.Text, "‘"+want+"’") {
				t.Errorf("%s: %q, %v", title, got.Text, err)
			}
		})
	}
	for _, a := range []args{{"title": "노래"}, {"title": "any song"}} {
		synctest.Test(t, func(t *testing.T) {
			if _, _, err := run(t, playing(100), "song", bilingual.EN, a); err != nil {
				t.Errorf("%v: %v", a, err)
			}
		})
	}
}

func TestMissingTitlesNameTheFolder(t *testing.T) {
	deps := playing(100)
	_, _, err := run(t, deps, "song", bilingual.KO, args{"title": "세상에 없는 노래 제목"})
	wantCode(t, err, apperr.MediaMissing)
	if says := apperr.From(err).Text(bilingual.KO); !strings.Contains(says, "내장 곡 목록") {
		t.Errorf("says %q", says)
	}
	folder := t.TempDir()
	deps.Library = media.NewLibrary(func() media.Folders { return media.Folders{Video: folder} })
	_, _, err = run(t, deps, "movie", bilingual.EN, args{"title": "Parasite"})
	wantCode(t, err, apperr.MediaMissing)
	if fields := apperr.From(err).Fields; fields["folder"] != folder || fields["title"] != "Parasite" {
		t.Errorf("fields %v", fields)
	}
}

func TestMoviePlaysTheCustomersFile(t *testing.T) {
	folder := t.TempDir()
	film, err := os.ReadFile("../media/probe/testdata/tone.mp4")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"여름 휴가.mp4": film, "broken.webm": []byte("no film at all, but longer than a header")} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for title, seconds := range map[string]float64{"여름휴가": 2.5, "broken": media.UnknownSeconds} {
		synctest.Test(t, func(t *testing.T) {
			deps := playing(1)
			deps.Library = media.NewLibrary(func() media.Folders { return media.Folders{Video: folder} })
			began := time.Now()
			got, b, err := run(t, deps, "movie", bilingual.KO, args{"title": title})
			if err != nil || math.Abs(time.Since(began).Seconds()-seconds) > 0.01 || b.shown()[0].Device != "monitor" {
				t.Errorf("%s: %+v after %v, %v", title, got, time.Since(began), err)
			}
		})
	}
}

// The Monitor shows one thing, also when a user gave its tools more leases than there are screens.
func TestMonitorIsSharedByNavAndMovie(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deps := playing(1)
		all := &bench{}
		ctx, stopNav := context.WithCancel(context.Background())
		start := func(ctx context.Context, key string, a args) {
			call := all.call(bilingual.KO, a)
			tool := tool(t, deps, key)
			go func() { _, _ = tool.Run(ctx, call) }()
			synctest.Wait()
		}
		start(ctx, "nav", args{"destination": "부산"})
		start(context.Background(), "movie", args{})
		stopNav()
		synctest.Wait()
		if now := last(all); now.Kind != "movie" || now.Action == "close" {
			t.Errorf("playing %+v", now)
		}
		<-time.After(time.Minute) // of the bubble's clock
		synctest.Wait()
		var order []string
		for _, m := range all.shown() {
			if m.Action != "progress" {
				order = append(order, m.Action+" "+m.Kind)
			}
		}
		if got := strings.Join(order, ", "); got != "open nav, close nav, open movie, close movie" {
			t.Errorf("shown: %s", got)
		}
	})
}
