package shop_test

import (
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/media"
)

// plays waits until a media event fits.
func (c *customer) plays(what string, fits func(m event.Media) bool) event.Media {
	c.t.Helper()
	return until(c, what, func(_ event.Envelope, m event.Media) bool { return fits(m) })
}

// Words and buttons do the same with what plays, everybody is told, and how loud it is stays over a restart.
func TestThePlayerByWordsAndButtons(t *testing.T) {
	dir := t.TempDir()
	c := enter(t, dir)
	if _, err := c.MediaControl(t.Context(), media.Order{Act: media.ActPause}); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("with nothing to pause: %v", err)
	}
	song := c.job("아리랑 틀어줘")
	c.plays("the song plays", func(m event.Media) bool {
		return m.JobID == song && m.Action == "open" && m.Play.Volume == media.DefaultVolume
	})
	c.say("잠깐 멈춰줘")
	paused := c.plays("paused", func(m event.Media) bool { return m.JobID == song && m.Play.Paused })
	until(c, "said so", func(_ event.Envelope, m event.ChatMessage) bool {
		return m.Text == "‘아리랑’을 잠깐 멈췄어요. ‘다시 재생’이라고 하면 이어서 틀게요."
	})
	c.MediaReport(media.Report{Device: media.Device(paused.Device), Take: paused.Play.Take, Position: 30, Ended: true}) // of before the pause
	if now := c.snapshot().Media; len(now) != 1 || !now[0].Play.Paused || now[0].Position != paused.Position {
		t.Errorf("shown: %+v", now)
	}
	now, err := c.MediaControl(t.Context(), media.Order{Act: media.ActResume, Device: media.Device(paused.Device)})
	if err != nil || now.Play.Paused {
		t.Errorf("%+v, %v", now.Play, err)
	}
	c.plays("it goes on", func(m event.Media) bool { return m.JobID == song && !m.Play.Paused })
	c.say("볼륨 40으로")
	c.plays("quieter", func(m event.Media) bool { return m.Play.Volume == 40 })
	c.say("다음 곡")
	next := c.plays("another song in the same job", func(m event.Media) bool { return m.Action == "open" && m.Play.Take == 1 })
	if next.JobID != song || next.Device != paused.Device || next.Title == paused.Title {
		t.Errorf("%+v", next)
	}
	if _, err := c.MediaControl(t.Context(), media.Order{Act: "dance"}); apperr.CodeOf(err) != apperr.BadCommand {
		t.Errorf("%v", err)
	}
	volume(t, c, 40)
	c.leave()

	c = enter(t, dir)
	c.again()
	c.plays("what played plays anew, as loud as before", func(m event.Media) bool { return m.JobID == song && m.Action == "open" && m.Play.Volume == 40 })
	volume(t, c, 40)
}

// volume checks what the settings say of the first deck.
func volume(t *testing.T, c *customer, want int) {
	t.Helper()
	if level := c.Settings().Values["volume.deck1"]; level != want {
		t.Errorf("the settings have %v", level)
	}
}
