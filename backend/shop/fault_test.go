//go:build unix

package shop_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
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
	if _, err := c.Say(t.Context(), "main", "노래 불러줘", "", ""); apperr.CodeOf(err) != apperr.StorageFull {
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

// The disk is full while a confirmation is worked in, from any of its writes on. With room again it is said once more, or
// called off: the money moves once, or never, after a restart too.
func TestMoneyOnAFullDisk(t *testing.T) { // not parallel: it counts what is asked of the disk
	for _, then := range []string{"확인", "취소"} {
		for n := 1; n <= 16; n += 3 {
			disk := baddisk.Under(t, t.TempDir())
			c := enter(t, disk.Dir())
			turn := func(text string) event.TurnDone {
				msg, err := c.speak(text, "")
				if err != nil {
					return event.TurnDone{}
				}
				d := until(c, "the turn is done: "+text, func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == msg.ID })
				if err := c.WaitIdle(t.Context()); err != nil {
					t.Fatal(err)
				}
				return d
			}
			out := func() (moved int) {
				view, err := c.Bank(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for _, l := range view.Statement {
					if l.Direction == "out" {
						moved++
					}
				}
				return moved
			}
			turn("엄마한테 만원 보내줘")
			disk.FailFrom(n, baddisk.Full)
			told := turn("확인").Message
			disk.Heal()
			before := out()
			if answer := turn(then); then == "취소" && before == 0 && strings.Contains(answer.Message, "완료") {
				t.Errorf("request %d: called off and done: %q, then %q", n, told, answer.Message)
			}
			after := out()
			c.leave()
			c = enter(t, disk.Dir())
			if err := c.WaitIdle(t.Context()); err != nil {
				t.Fatal(err)
			}
			if now := out(); now != after || now > 1 {
				t.Errorf("%s after request %d: the money had moved %d times, %d times before the restart, %d after it; told %q", then, n, before, after, now, told)
			}
		}
	}
}

// The disk is full while the approval of a change to a file is worked in, from any of its writes on. With room again it is
// approved again, asked for again, or called off: every approval that was taken changes the file once at most, and a restart
// changes nothing by itself.
func TestAFileOnAFullDisk(t *testing.T) { // not parallel: it counts what is asked of the disk
	wrote, refused := 0, 0
	t.Setenv("XDG_DATA_HOME", filepath.Join(t.TempDir(), "share"))
	for _, then := range []string{"again", "off"} {
		for n := 1; n <= 81; n += 10 {
			disk := baddisk.Under(t, t.TempDir())
			c := enter(t, disk.Dir())
			docs := filepath.Join(t.TempDir(), "문서")
			if err := os.Mkdir(docs, 0o755); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(docs, "회의.txt")
			kept(t, path, "안건\n")
			if _, err := c.OpenFolder(docs, true); err != nil {
				t.Fatal(err)
			}
			rest := func() {
				if err := c.WaitIdle(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			written := func() int {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				return strings.Count(string(text), "한 줄")
			}
			approved := 0
			settle := func(choice string) {
				for _, a := range c.snapshot().Asks {
					if a.Kind == string(ask.KindRecovery) {
						choice = ask.ChoiceHappened
					}
					if _, err := c.Answer(t.Context(), ask.Reply{Ask: a.ID, Choice: choice, Digest: a.Digest}); err == nil && choice == ask.ChoiceApprove {
						approved++
					}
				}
				rest()
			}
			order := func() {
				if _, err := c.speak("회의.txt에 '한 줄' 추가해줘", ""); err != nil {
					t.Fatal(err)
				}
				rest()
			}
			order()
			if open := c.snapshot().Asks; len(open) != 1 {
				t.Fatalf("%d questions: %+v", len(open), c.snapshot().Jobs)
			}
			disk.FailFrom(n, baddisk.Full)
			settle(ask.ChoiceApprove)
			failed := disk.Failed()
			disk.Heal()
			rest()
			told, first := written(), approved
			if wrote += told; failed > 0 && told == 0 {
				refused++
			}
			if told > first {
				t.Errorf("request %d: %d lines after %d approvals", n, told, first)
			}
			if then == "again" {
				order()
				settle(ask.ChoiceApprove)
			} else {
				settle(ask.ChoiceReject)
			}
			after := written()
			if after > approved || then == "off" && after > told {
				t.Errorf("%s after request %d: %d lines, then %d, of %d approvals", then, n, told, after, approved)
			}
			if then == "again" && failed > 0 && told == 0 && after == 0 {
				t.Errorf("request %d: approved again, and nothing was written", n)
			}
			c.leave()
			c = enter(t, disk.Dir())
			rest()
			settle(ask.ChoiceReject)
			if now := written(); now != after {
				t.Errorf("%s after request %d: %d lines, and %d after a restart", then, n, after, now)
			}
			c.leave()
		}
	}
	if wrote == 0 || refused == 0 {
		t.Errorf("%d lines were written and %d refused: one of both is left out", wrote, refused)
	}
}
