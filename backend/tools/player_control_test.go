package tools

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/language/bilingual"
)

// While a song plays, what is said is done with it and told in both languages.
func TestPlayerControl(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deps := playing(1)
		ctx, stop := context.WithCancel(t.Context())
		b := &bench{}
		var ended sync.WaitGroup
		song := tool(t, deps, "song")
		ended.Go(func() { _, _ = song.Run(ctx, b.call(bilingual.KO, args{"title": "아리랑"})) })
		<-time.After(3 * time.Second)
		for _, c := range []struct {
			args   args
			ko, en string
		}{
			{args{"action": "what_plays"}, "지금 ‘아리랑’이 나오고 있어요 (0:03 / ", "Now playing: “아리랑” (0:03 / "},
			{args{"action": "pause"}, "‘아리랑’을 잠깐 멈췄어요", "“아리랑” is paused"},
			{args{"action": "what_plays", "of": "song"}, "‘아리랑’을 잠깐 멈춰 뒀어요", "“아리랑” is paused (0:03"},
			{args{"action": "resume", "title": "아리랑"}, "‘아리랑’을 이어서 틀어요", "“아리랑” goes on"},
			{args{"action": "previous"}, "앞에 들려드린 것이 없어서 ‘아리랑’을 처음부터", "There is none before it, so “아리랑” plays from the beginning"},
			{args{"action": "volume", "level": 40}, "소리 크기를 40으로 맞췄어요", "The volume is now 40"},
			{args{"action": "volume", "level": 65}, "소리 크기를 65로 맞췄어요", "now 65"},
			{args{"action": "volume", "level": 40}, "소리 크기를 40으로", "now 40"},
			{args{"action": "volume"}, "0부터 100까지", "from 0 to 100"},
			{args{"action": "louder", "level": 0}, "40으로", "now 40"},
			{args{"action": "mute"}, "소리를 껐어요", "The sound is off"},
			{args{"action": "unmute"}, "소리를 다시 켰어요. 소리 크기는 40", "The sound is on again, at 40"},
			{args{"action": "repeat"}, "되풀이해서 틀게요", "over and over"},
			{args{"action": "repeat_off"}, "되풀이하지 않을게요", "No more repeating"},
			{args{"action": "restart"}, "‘아리랑’을 처음부터 다시 틀었어요", "“아리랑” plays from the beginning again"},
			{args{"action": "pause", "of": "movie"}, "지금 보여드리는 영화가 없어요", "No film is playing"},
			{args{"action": "pause", "title": "올드 랭 사인"}, "‘올드 랭 사인’은 나오고 있지 않아요", "“올드 랭 사인” is not playing"},
		} {
			for lang, want := range map[bilingual.Lang]string{bilingual.KO: c.ko, bilingual.EN: c.en} {
				if got, _, err := run(t, deps, "player_control", lang, c.args); err != nil || !strings.Contains(got.Text, want) {
					t.Errorf("%v: %q, %v, want %q", c.args, got.Text, err, want)
				}
			}
		}
		got, _, err := run(t, deps, "player_control", bilingual.EN, args{"action": "next"})
		if now := last(b); err != nil || now.Title == "아리랑" || got.Text != "Now playing “"+now.Title+"”." || now.Action != "open" {
			t.Errorf("%q, %v, %+v", got.Text, err, now)
		}
		if got, _, err = run(t, deps, "player_control", bilingual.KO, args{"action": "previous"}); err != nil || got.Text != "‘아리랑’을 틀었어요." {
			t.Errorf("%q, %v", got.Text, err)
		}
		stop()
		ended.Wait()
		if got, _, err = run(t, deps, "player_control", bilingual.KO, args{"action": "pause"}); err != nil || got.Text != "지금 나오는 노래나 영화가 없어요." {
			t.Errorf("%q, %v", got.Text, err)
		}
	})
}

// What is turned off ends where it is, says so itself, and is not to be had again by taking that back.
func TestTurnedOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deps := playing(1)
		b := &bench{}
		said := make(chan string, 1)
		song := tool(t, deps, "song")
		go func() {
			got, err := song.Run(t.Context(), b.call(bilingual.EN, args{"title": "Arirang"}))
			if err != nil {
				t.Error(err)
			}
			said <- got.Text
		}()
		<-time.After(3 * time.Second)
		got, _, err := run(t, deps, "player_control", bilingual.KO, args{"action": "turn_off", "of": "song"})
		if err != nil || got.Text != "‘Arirang’을 껐어요." || got.Undo != nil {
			t.Errorf("%q, %v, %v", got.Text, got.Undo, err)
		}
		if text := <-said; text != "“Arirang” was stopped here." {
			t.Error(text)
		}
	})
}

// A song that was turned to is the one that is told to have been played.
func TestTheLastSongIsTheOneThatEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deps := playing(1)
		b := &bench{}
		said := make(chan string, 1)
		song := tool(t, deps, "song")
		go func() {
			got, err := song.Run(t.Context(), b.call(bilingual.EN, args{"title": "Arirang"}))
			if err != nil {
				t.Error(err)
			}
			said <- got.Text
		}()
		synctest.Wait()
		if _, _, err := run(t, deps, "player_control", bilingual.EN, args{"action": "next"}); err != nil {
			t.Fatal(err)
		}
		other := last(b).Title
		if text := <-said; other == "Arirang" || text != "“"+other+"” has finished playing." {
			t.Errorf("%q after %s", text, other)
		}
		if lines := strings.Join(b.said(), " "); !strings.Contains(lines, "Playing “Arirang”") || !strings.Contains(lines, "Playing “"+other+"”") {
			t.Errorf("log %q", lines)
		}
	})
}
