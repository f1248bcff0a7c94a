//go:build unix

package shop_test

import (
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/testing/baddisk"
)

// The disk is full for a while: whoever says something is told so at once, what was taken before is there, and when there
// is room again work goes on as if nothing had happened.
func TestTheDiskIsFullForAWhile(t *testing.T) { // not parallel: it counts what is asked of the disk
	disk := baddisk.Under(t, t.TempDir())
	c := enter(t, disk.Dir())
	c.say("고마워 하나")
	if err := c.WaitIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
	disk.FailFrom(1, baddisk.Full)
	if _, err := c.Say(t.Context(), "main", "노래 불러줘", ""); apperr.CodeOf(err) != apperr.StorageFull {
		t.Errorf("%v", err)
	}
	if _, err := c.BackupNow(t.Context()); apperr.CodeOf(err) != apperr.StorageFull {
		t.Errorf("a backup: %v", err)
	}
	if disk.Failed() == 0 {
		t.Error("the disk never failed")
	}
	disk.Heal()
	song := c.job("노래 불러줘")
	c.acquired(song, "song")
	if err := c.CancelJob(song); err != nil {
		t.Fatal(err)
	}
	c.state(song, "canceled")
	c.leave()

	c = enter(t, disk.Dir())
	msgs, err := c.History(t.Context(), "main", "", 100)
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for _, m := range msgs {
		if m.Role == event.RoleCustomer {
			said++
		}
	}
	if said != 2 {
		t.Errorf("%d messages of the customer are there, want the two that were taken", said)
	}
	if list, err := c.Backups(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("backups: %+v, %v", list, err)
	}
}
