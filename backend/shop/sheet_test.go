package shop_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/shop"
)

func (o *orderer) sheet() shop.Sheet {
	o.t.Helper()
	v, err := o.Sheet(context.Background())
	if err != nil {
		o.t.Fatal(err)
	}
	return v
}

// comes says that somebody is there, and goes that nobody is any more.
func (o *orderer) comes(at time.Time) { o.wall.set(at); o.Present(true) }
func (o *orderer) goes(at time.Time)  { o.wall.set(at); o.Present(false) }

// counted waits until so much became of the moments of the only order.
func (o *orderer) counted(n int) []shop.StandingRun {
	o.t.Helper()
	o.WakeStanding()
	o.again()
	until(o.customer, "what became of the moments is known", func(_ event.Envelope, _ event.StandingChanged) bool { return len(o.orders()[0].Runs) >= n })
	if err := o.WaitIdle(context.Background()); err != nil {
		o.t.Fatal(err)
	}
	return o.orders()[0].Runs
}

// The story of the sheet: the window is closed over one moment and the program over the next. One run waits with its diff, one is told
// as left out; approving runs exactly what was shown, once.
func TestTheSheetTellsWhatHappenedMeanwhile(t *testing.T) {
	for _, c := range []struct{ lang, order, yes, what, line string }{
		{"ko", "매일 아침 8시에 3 더하기 4 계산해주고 회의.txt에 '날씨 확인' 추가해줘", "응", "3 더하기 4 계산해주고 회의.txt에 '날씨 확인' 추가해줘", "날씨 확인"},
		{"en", "every morning at 8 add 3 and 4 and append 'weather checked' to meeting.txt", "yes", "add 3 and 4 and append 'weather checked' to meeting.txt", "weather checked"},
	} {
		t.Run(c.lang, func(t *testing.T) {
			o := order(t, c.lang)
			o.comes(monday)
			folder := t.TempDir()
			if _, err := o.OpenFolder(folder, true); err != nil {
				t.Fatal(err)
			}
			o.says(c.order)
			o.says(c.yes)
			if v := o.sheet(); v.Fresh || v.Since != "" {
				t.Errorf("before anybody was away: %+v", v)
			}
			o.goes(monday.Add(30 * time.Minute))
			o.wall.set(monday.Add(time.Hour))
			o.runs(c.what)
			o.leave()
			o.wall.set(monday.AddDate(0, 0, 1).Add(90 * time.Minute))
			o.open(t)
			o.comes(o.wall.now()) // the moment that passed is claimed before or after: it is told either way
			if runs := o.counted(2); runs[0].Outcome != "busy" || runs[1].State != "waiting" {
				t.Fatalf("%+v", runs)
			}

			v := o.sheet()
			if !v.Fresh || v.Since != monday.Add(30*time.Minute).UTC().Format(time.RFC3339) || v.Until != o.wall.now().UTC().Format(time.RFC3339) {
				t.Errorf("it tells of %s to %s, fresh %t", v.Since, v.Until, v.Fresh)
			}
			if len(v.Asks) != 1 || len(v.Together) != 1 || v.Asks[0].Preview == nil || !strings.Contains(v.Asks[0].Preview.Diff, "+"+c.line) {
				t.Fatalf("what waits: %+v", v.Asks)
			}
			if len(v.Missed) != 1 || v.Missed[0].Outcome != "busy" || v.Missed[0].Title != c.what || v.Missed[0].Rule != "once" {
				t.Errorf("what was missed: %+v", v.Missed)
			}
			if n := len(v.Waiting) + len(v.Failed) + len(v.Done) + len(v.Going) + len(v.Counter); n != 0 {
				t.Errorf("told besides: %+v", v)
			}
			if err := o.LookedAtSheet(context.Background()); err != nil {
				t.Fatal(err)
			}
			if again := o.sheet(); again.Fresh || len(again.Missed) != 1 || again.Since != v.Since {
				t.Errorf("once it was looked at: %+v", again)
			}

			shown := []ask.Reply{{Ask: v.Asks[0].ID, Digest: v.Asks[0].Digest}}
			for i, want := range []apperr.Code{"", apperr.StaleAnswer} {
				answers, err := o.Approve(context.Background(), shown)
				if err != nil || len(answers) != 1 || (answers[0].Error == nil) != (want == "") || want != "" && answers[0].Error.Code != string(want) {
					t.Fatalf("the %d. approval: %+v, %v", i+1, answers, err)
				}
			}
			if err := o.WaitIdle(context.Background()); err != nil {
				t.Fatal(err)
			}
			files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
			if err != nil || len(files) != 1 {
				t.Fatalf("%v, %v", files, err)
			}
			if raw, err := os.ReadFile(files[0]); err != nil || strings.Count(string(raw), c.line) != 1 {
				t.Errorf("the file holds %q, %v", raw, err)
			}
			if v := o.sheet(); len(v.Asks) != 0 || len(v.Done) != 1 || v.Done[0].Order == "" || len(v.Done[0].Jobs) == 0 {
				t.Errorf("after it was approved: %+v", v)
			}
		})
	}
}

// Money is told as what waits, with its slip, and is nothing that is approved together; what is only told, what failed, and what
// was made up for late stand at their places.
func TestTheSheetHasEverythingAtItsPlace(t *testing.T) {
	o := order(t, "ko")
	o.comes(monday)
	o.says("매일 9시에 엄마한테 1만원 보내줘")
	o.says("응", "정기 주문으로 두었어요")
	o.goes(monday.Add(time.Hour))
	o.wall.set(monday.Add(2 * time.Hour))
	o.runs("엄마한테 1만원 보내줘")
	o.comes(monday.Add(4 * time.Hour))
	if v := o.sheet(); !v.Fresh || len(v.Counter) != 1 || v.Counter[0].Mark == "" || len(v.Together) != 0 || len(v.Waiting) != 0 {
		t.Errorf("money: %+v", v)
	}
	if err := o.LookedAtSheet(context.Background()); err != nil {
		t.Fatal(err)
	}
	o.says("취소")
	if _, err := o.DoStanding(context.Background(), o.orders()[0].ID, "delete"); err != nil {
		t.Fatal(err)
	}

	o.says("매일 아침 8시에 3 더하기 4 계산해줘")
	o.says("응")
	o.goes(monday.Add(5 * time.Hour))
	o.leave()
	o.wall.set(monday.AddDate(0, 0, 3).Add(2 * time.Hour))
	o.open(t)
	o.counted(1)
	o.comes(o.wall.now())
	if v := o.sheet(); !v.Fresh || len(v.Done) != 1 || !strings.Contains(v.Done[0].Text, "7") || len(v.Missed) != 1 || v.Missed[0].Passed != 2 || v.Missed[0].Outcome != "run" {
		t.Errorf("caught up: %+v", v)
	}
	// The computer sleeps with its window open: the moment that is noticed late says so.
	if err := o.LookedAtSheet(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := o.ChangeStanding(context.Background(), o.orders()[0].ID, "", "tell"); err != nil {
		t.Fatal(err)
	}
	o.wall.set(monday.AddDate(0, 0, 5).Add(2 * time.Hour))
	o.counted(2)
	if v := o.sheet(); !v.Fresh || len(v.Missed) != 1 || v.Missed[0].Outcome != "missed" || v.Missed[0].Rule != "tell" {
		t.Errorf("after the sleep: %+v", v)
	}
	// What happens before somebody's eyes is not told.
	if err := o.LookedAtSheet(context.Background()); err != nil {
		t.Fatal(err)
	}
	o.wall.set(monday.AddDate(0, 0, 6).Add(time.Hour))
	o.counted(3)
	if v := o.sheet(); v.Fresh || len(v.Done) != 0 || len(v.Missed) != 1 {
		t.Errorf("seen as it happened: %+v", v)
	}
}

// A job that nobody's order began, and that fails while nobody looks, is told with why.
func TestTheSheetTellsOfJobs(t *testing.T) {
	c := enter(t, t.TempDir())
	c.Present(true)
	c.Present(false)
	done := c.job("3 더하기 4 계산해줘")
	c.state(done, "succeeded")
	failed := c.job("없는파일.txt 읽어줘")
	c.state(failed, "failed")
	if err := c.WaitIdle(context.Background()); err != nil {
		t.Fatal(err)
	}
	v, err := c.Sheet(context.Background())
	if err != nil || !v.Fresh || v.Until != "" || len(v.Done) != 1 || v.Done[0].Jobs[0] != done || len(v.Failed) != 1 || v.Failed[0].Jobs[0] != failed || v.Failed[0].Code == "" || v.Failed[0].Text == "" {
		t.Errorf("%+v, %v", v, err)
	}
}

// Reminders that were told to nobody, while the shop was open or not, and transfers whose day came meanwhile stand on the sheet.
func TestTheSheetTellsOfRemindersAndTransfers(t *testing.T) {
	o := order(t, "ko")
	// What is said names days without a year, which the counter reads by the system's clock: the story begins on a day that is still to come there.
	soon := time.Now().AddDate(0, 0, 3)
	monday := time.Date(soon.Year(), soon.Month(), soon.Day(), 7, 0, 0, 0, time.Local)
	day := func(n int) string {
		d := monday.AddDate(0, 0, n)
		return fmt.Sprintf("%d월 %d일", d.Month(), d.Day())
	}
	o.comes(monday)
	for _, what := range []string{day(1) + " 오후 3시 병원 가기", day(2) + " 오전 8시 약 먹기"} {
		o.says("할 일에 " + what + " 추가해줘")
		o.says("확인", "적어 뒀어요")
	}
	for _, sum := range []string{"60만원", "30만원", "20만원"} { // more than there is
		o.says("엄마한테 " + day(2) + "에 " + sum + " 보내줘")
		o.says("확인", "예약했어요")
	}
	told := func() {
		until(o.customer, "the reminder is told", func(event.Envelope, event.ReminderDue) bool { return true })
	}
	o.goes(monday.Add(time.Hour))
	o.wall.set(monday.AddDate(0, 0, 1).Add(9 * time.Hour))
	o.WakeReminders()
	told()
	if v := o.sheet(); !v.Fresh || len(v.Told) != 1 || len(v.Failed) != 0 {
		t.Errorf("behind the window: %+v", v)
	}
	o.leave()
	o.wall.set(monday.AddDate(0, 0, 2).Add(2 * time.Hour))
	o.open(t)
	o.comes(o.wall.now())
	told()
	o.again()
	until(o.customer, "the last transfer failed", func(_ event.Envelope, m event.ChatMessage) bool {
		return strings.Contains(m.Text, "보내지 못했어요")
	})

	v := o.sheet()
	if !v.Fresh || len(v.Told) != 2 || !strings.Contains(v.Told[0].Title, "약 먹기") || !strings.Contains(v.Told[1].Title, "병원 가기") ||
		v.Told[1].Due != monday.AddDate(0, 0, 1).Add(8*time.Hour).UTC().Format(time.RFC3339) {
		t.Errorf("what was told: %+v", v.Told)
	}
	v.Done = slices.DeleteFunc(v.Done, func(l shop.SheetLine) bool { return l.Turn != "" }) // the tickets of what was said; their clock is the system's
	if len(v.Done) != 2 || len(v.Failed) != 1 || v.Failed[0].Title != "예약 이체: 엄마에게 20만원" || v.Failed[0].Code != string(apperr.InsufficientBalance) || !strings.Contains(v.Done[0].Text, "보냈어요") {
		t.Errorf("the transfers: done %+v, failed %+v", v.Done, v.Failed)
	}
	if err := o.LookedAtSheet(context.Background()); err != nil {
		t.Fatal(err)
	}
	if v := o.sheet(); v.Fresh || len(v.Told) != 2 {
		t.Errorf("once it was looked at: %+v", v)
	}
}
