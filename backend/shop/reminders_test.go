package shop_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/shop"
)

// What stands on the to-do list is told when its moment comes, and what came while the shop was closed when it opens.
func TestATodoIsToldInTime(t *testing.T) {
	dir := t.TempDir()
	c := enter(t, dir)
	day := time.Now().AddDate(0, 0, 3)
	c.say("할 일에 " + day.Format("1월 2일") + " 오후 3시 병원 가기 추가해줘")
	c.say("확인")
	until(c, "it is written down", func(_ event.Envelope, m event.ChatMessage) bool { return strings.Contains(m.Text, "적어 뒀어요") })
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}

	o := options(dir)
	o.Now = func() time.Time { return day.AddDate(0, 0, 1) }
	s, err := shop.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	late := &customer{Shop: s, t: t, reader: s.Bus.SubscribeFrom(1)}
	t.Cleanup(late.leave)
	due := until(late, "it is told", func(event.Envelope, event.ReminderDue) bool { return true })
	if !due.Late || !strings.HasPrefix(due.Text, "할 일 시간이에요: 병원 가기 (") || !strings.Contains(due.Text, "오후 3시") {
		t.Errorf("%+v", due)
	}
}
