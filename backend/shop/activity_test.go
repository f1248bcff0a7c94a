package shop_test

import (
	"runtime"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/shop"
)

func (c *customer) doing() shop.Activity {
	c.t.Helper()
	d, err := c.Activity(c.t.Context(), 1)
	if err != nil {
		c.t.Fatal(err)
	}
	return d
}

// going is what goes on once it is so many jobs: one is on the board a moment before it is in line, and asks a moment before it rests.
func (c *customer) going(jobs int) shop.Activity {
	c.t.Helper()
	d := c.doing()
	for end := time.Now().Add(patience); d.AllJobs != jobs && time.Now().Before(end); d = c.doing() {
		runtime.Gosched()
	}
	return d
}

// What goes on and what waits is told in a few lines. Pausing everything stops the music and the workers, also over a restart, and what a
// person paused stays so when it goes on.
func TestEverythingPausesAndGoesOn(t *testing.T) {
	dir := t.TempDir()
	c := enter(t, dir)
	if d := c.doing(); d.AllJobs+d.AllAsks != 0 || d.Paused {
		t.Errorf("in an empty shop: %+v", d)
	}
	nav := c.job("목적지 A로 네비 켜줘")
	c.acquired(nav, "nav")
	asked := c.job("영화도 틀어줘")
	question := c.question(asked)
	song := c.job("아리랑 틀어줘")
	c.plays("the song plays", func(m event.Media) bool { return m.JobID == song && m.Action == "open" })
	if d := c.going(2); d.AllJobs != 2 || len(d.Jobs) != 1 || d.Jobs[0].ID != nav || d.AllAsks != 1 || d.Asks[0].ID != question.ID {
		t.Errorf("what goes on: %+v", d)
	}
	if l, err := c.Leaving(t.Context()); err != nil || l != (shop.Leaving{Jobs: 2, Asks: 1}) {
		t.Errorf("leaving: %+v, %v", l, err)
	}

	c.set("paused", true)
	c.plays("the song stands still", func(m event.Media) bool { return m.JobID == song && m.Play.Paused })
	waits := c.job("지금 몇 시예요?")
	rests := c.going(3)
	if !rests.Paused || rests.AllJobs != 3 {
		t.Errorf("while everything rests: %+v", rests)
	}
	c.leave()

	c = enter(t, dir)
	if d := c.doing(); !d.Paused || d.AllJobs != 3 || d.AllAsks != 1 {
		t.Errorf("after a restart: %+v", d)
	}
	for _, j := range c.snapshot().Jobs {
		if j.ID == waits && j.State != "queued" {
			t.Errorf("a job that came while the workers rest is %s", j.State)
		}
	}
	c.set("paused", false)
	c.state(waits, "succeeded")
	c.again()
	c.plays("the song plays anew", func(m event.Media) bool { return m.JobID == song && m.Action == "open" && !m.Play.Paused })
	c.set("paused", true)
	c.plays("it stands still", func(m event.Media) bool { return m.JobID == song && m.Play.Paused })
	c.set("paused", false)
	c.plays("it goes on", func(m event.Media) bool { return m.JobID == song && !m.Play.Paused })
}
