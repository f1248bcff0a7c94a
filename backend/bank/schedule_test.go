package bank_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/bank"
	"agentchat/backend/language/bilingual"
)

// on gives an order a day.
func on(o bank.Order, date string) bank.Order { o.Date = date; return o }

// told are the messages the chat got, oldest first.
func (b *branch) told() []string {
	b.t.Helper()
	list, err := b.store.History(context.Background(), "main", "", 100)
	if err != nil {
		b.t.Fatal(err)
	}
	texts := make([]string, len(list))
	for i, m := range list {
		texts[i] = m.Text
	}
	return texts
}

// pass lets time go by; the bank's own work is done when it returns.
func pass(d time.Duration) {
	synctest.Wait()
	<-time.After(d)
	synctest.Wait()
}

// The clock of a synctest bubble starts at midnight UTC on 2000-01-01, which is nine in the morning in Seoul.

func TestAScheduledTransfer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t)
		first := b.send(on(order("1", "엄마", 10_000), b.day(2)))
		if first.State != bank.StateScheduled || first.Answer() != "1월 3일에 엄마에게 1만원을 보내도록 예약했어요." {
			t.Errorf("%+v: %q", first, first.Answer())
		}
		b.send(on(order("today", "아빠", 1_000), b.day(0))) // today is at once
		b.balanced(999_000)
		v := b.view()
		if len(v.Scheduled) != 1 || v.Scheduled[0].Date != "2000-01-03" || v.Scheduled[0].Target != "엄마" || len(v.Statement) != 2 {
			t.Errorf("%+v", v)
		}
		pass(39*time.Hour - time.Second) // a second before midnight
		b.balanced(999_000)
		pass(time.Second)
		b.balanced(989_000)
		v = b.view()
		if len(v.Scheduled) != 0 || v.Statement[0].ID != first.ID || v.Statement[0].Date != "2000-01-03" {
			t.Errorf("%+v", v)
		}
		if got := b.told(); len(got) != 1 || got[0] != "1월 3일에 예약하신 이체예요. 엄마에게 1만원을 보냈어요. 남은 돈은 98만9천원이에요." {
			t.Errorf("%q", got)
		}
		// Ordering it again gives what came of it then, and moves nothing.
		if again := b.send(on(order("1", "엄마", 10_000), "2000-01-03")); again.Answer() != first.Answer() || again.Known != first.Known {
			t.Errorf("%+v", again)
		}
		b.balanced(989_000)
		if _, err := b.CancelScheduled(t.Context(), first.ID); apperr.CodeOf(err) != apperr.ScheduleEnded {
			t.Errorf("%v", err)
		}
		if len(b.done) != 2 {
			t.Errorf("%+v", b.done)
		}
	})
}

func TestAScheduleIsCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t)
		one, two := b.send(on(order("1", "엄마", 10_000), b.day(1))), b.send(on(order("2", "아빠", 20_000), b.day(1)))
		if _, err := b.CancelScheduled(t.Context(), one.ID); err != nil {
			t.Fatal(err)
		}
		for id, want := range map[string]apperr.Code{one.ID: apperr.ScheduleEnded, "nothing": apperr.NotFound} {
			if _, err := b.CancelScheduled(t.Context(), id); apperr.CodeOf(err) != want {
				t.Errorf("%s: %v", id, err)
			}
		}
		pass(48 * time.Hour)
		b.balanced(980_000)
		lines := b.view().Statement
		if lines[0].ID != two.ID || lines[1].ID != one.ID || lines[1].State != bank.StateCanceled || lines[1].BalanceAfter != 1_000_000 {
			t.Errorf("%+v", lines)
		}
		if len(b.told()) != 1 {
			t.Errorf("%q", b.told())
		}
	})
}

// What was called off waits for its day again, once; what was carried out, or whose day has come, does not.
func TestACalledOffScheduleIsRestored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t)
		one := b.send(on(order("1", "엄마", 10_000), b.day(1)))
		if _, err := b.Restore(t.Context(), one.ID); apperr.CodeOf(err) != apperr.ScheduleEnded {
			t.Errorf("one that waits: %v", err)
		}
		if _, err := b.CancelScheduled(t.Context(), one.ID); err != nil {
			t.Fatal(err)
		}
		for range 2 { // pressed twice
			if again, err := b.Restore(t.Context(), one.ID); err != nil || again.Due != one.Due || again.Amount != one.Amount || again.To != one.To || again.ID == one.ID {
				t.Errorf("%+v, %v", again, err)
			}
		}
		if v := b.view(); len(v.Scheduled) != 1 {
			t.Errorf("%+v", v.Scheduled)
		}
		pass(48 * time.Hour)
		b.balanced(990_000)
		if _, err := b.Restore(t.Context(), one.ID); apperr.CodeOf(err) != apperr.ScheduleEnded {
			t.Errorf("after its day: %v", err)
		}
		if _, err := b.Restore(t.Context(), "nothing"); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("%v", err)
		}
	})
}

func TestAScheduleThatCannotBeKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t)
		b.send(on(order("1", "엄마", 600_000), b.day(1)))
		english := on(order("2", "아빠", 500_000), b.day(1))
		english.Lang = bilingual.EN
		b.send(english)
		b.send(on(order("3", "민수", 400_000), b.day(1)))
		pass(24 * time.Hour)
		b.balanced(0)
		want := []string{
			"1월 2일에 예약하신 이체예요. 엄마에게 60만원을 보냈어요. 남은 돈은 40만원이에요.",
			"The transfer scheduled for January 2: 500,000 won could not be sent to 아빠. There is not enough money: the balance is 400,000 won and 500,000 won is needed.",
			"1월 2일에 예약하신 이체예요. 민수에게 40만원을 보냈어요. 남은 돈은 0원이에요.",
		}
		if got := b.told(); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%q", got)
		}
		failed := b.view().Statement[1]
		if failed.State != bank.StateFailed || failed.Code != string(apperr.InsufficientBalance) || failed.Reason == "" || failed.BalanceAfter != 400_000 {
			t.Errorf("%+v", failed)
		}
		if _, err := b.Deposit(t.Context(), 1_000_000); err != nil { // too late
			t.Fatal(err)
		}
		pass(24 * time.Hour)
		b.balanced(1_000_000)
	})
}

// What is scheduled for a day counts against the limit of that day.
func TestLimitsOfADayToCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t)
		b.limit(bank.Limits{PerTransfer: 50_000, PerDay: 70_000})
		b.send(order("0", "엄마", 50_000))
		b.send(on(order("1", "엄마", 50_000), b.day(1)))
		if got := b.refuse(on(order("2", "엄마", 20_001), b.day(1)), apperr.LimitExceeded); !strings.Contains(got, "그날(2000-01-02) 더 보낼 수 있는 돈은 2만원이에요") {
			t.Errorf("%q", got)
		}
		b.send(on(order("2", "엄마", 20_000), b.day(1)))
		b.limit(bank.Limits{PerTransfer: 50_000, PerDay: 60_000})
		pass(24 * time.Hour)
		b.balanced(900_000)
		if got := b.told(); len(got) != 2 || !strings.Contains(got[1], "하루 이체 한도 6만원을 넘어요.") {
			t.Errorf("%q", got)
		}
	})
}

// What came due while the program was away, or while the computer slept, is caught up with once.
func TestTheScheduleCatchesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t)
		b.send(on(order("1", "엄마", 10_000), b.day(3)))
		b.send(on(order("2", "아빠", 20_000), b.day(5)))
		b.set(4 * 24 * time.Hour) // it slept for four days; timers did not run
		pass(time.Minute)
		b.balanced(990_000)
		b.set(-2 * 24 * time.Hour) // the clock is set back: what is done stays done
		pass(time.Minute)
		b.balanced(990_000)
		b.close()
		b.set(10 * 24 * time.Hour)
		b.open()
		synctest.Wait()
		b.balanced(970_000)
		b.reopen()
		synctest.Wait()
		b.balanced(970_000)
		if got := b.told(); len(got) != 2 {
			t.Errorf("%q", got)
		}
		past := on(order("3", "엄마", 1), "2000-01-05")
		b.refuse(past, apperr.PastDate)
	})
}

// A day of 23 or 25 hours is a day all the same, and one that does not begin at midnight begins.
func TestDaysOfOddLength(t *testing.T) {
	for _, zone := range []struct {
		name, start, due string
		hours            int
	}{
		{"America/New_York", "2026-03-07", "2026-03-09", 47},
		{"America/New_York", "2026-10-31", "2026-11-02", 49},
		{"America/Santiago", "2026-09-05", "2026-09-06", 24}, // midnight does not exist on that day
	} {
		synctest.Test(t, func(t *testing.T) {
			where, err := time.LoadLocation(zone.name)
			if err != nil {
				t.Fatal(err)
			}
			began, err := time.ParseInLocation(time.DateOnly, zone.start, where)
			if err != nil {
				t.Fatal(err)
			}
			b := &branch{t: t, dir: t.TempDir(), limits: bank.Limits{PerTransfer: 1_000_000, PerDay: 5_000_000}, lang: bilingual.KO, zone: where}
			b.offset = time.Until(began)
			b.open()
			t.Cleanup(b.close)
			b.send(on(order("1", "엄마", 10_000), zone.due))
			pass(time.Duration(zone.hours)*time.Hour - time.Second)
			b.balanced(1_000_000)
			pass(time.Second)
			b.balanced(990_000)
		})
	}
}

// Who is taken out of the address book still gets what was promised, unless it is called off.
func TestAPromiseOutlivesTheAddressBook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t)
		made := b.send(on(order("1", "민수", 10_000), b.day(1)))
		if err := b.DeletePayee(t.Context(), made.To); err != nil {
			t.Fatal(err)
		}
		if _, err := b.store.DeleteChat(t.Context(), "main"); err != nil { // nobody is left to be told
			t.Fatal(err)
		}
		pass(24 * time.Hour)
		b.balanced(990_000)
	})
}

func TestSummaries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t)
		sum := func(q bank.Question) bank.Summary {
			t.Helper()
			s, err := b.Sum(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		if s := sum(bank.Question{Chat: "main"}); s.Period != bank.PeriodAll || s.Total != 0 || s.Balance != 1_000_000 {
			t.Errorf("%+v", s)
		}
		b.send(order("1", "엄마", 1_000)) // Saturday, January 1
		pass(24 * time.Hour)
		elsewhere := order("2", "용걸이", 2_000) // Sunday
		elsewhere.Chat = "other"
		b.send(elsewhere)
		pass(24 * time.Hour)
		b.send(order("3", "엄마", 4_000)) // Monday
		b.send(on(order("4", "엄마", 8_000), b.day(1)))
		for q, want := range map[bank.Question]int64{
			{Period: bank.PeriodToday}:                                 4_000,
			{Period: bank.PeriodWeek}:                                  4_000,
			{Period: bank.PeriodMonth}:                                 7_000,
			{Period: bank.PeriodYesterday}:                             2_000,
			{Period: bank.PeriodLastWeek}:                              3_000,
			{Period: bank.PeriodLastMonth}:                             0,
			{Period: bank.PeriodAll}:                                   7_000,
			{Period: bank.PeriodChat, Chat: "main"}:                    5_000,
			{Period: bank.PeriodChat, Chat: "other"}:                   2_000,
			{Period: bank.PeriodChat, Chat: "none"}:                    0,
			{Chat: "main"}:                                             5_000,
			{Chat: "none"}:                                             7_000,
			{Period: bank.PeriodAll, Payee: "용걸"}:                      2_000,
			{Period: bank.PeriodAll, Payee: "mum"}:                     5_000,
			{Period: bank.PeriodChat, Chat: "main", Payee: "Yonggeol"}: 0,
		} {
			if got := sum(q); got.Total != want || len(got.Scheduled) != 1 || got.Balance != 993_000 {
				t.Errorf("%+v: %+v, want %d", q, got, want)
			}
		}
		s := sum(bank.Question{Period: bank.PeriodAll})
		if s.Count != 3 || len(s.Payees) != 2 || s.Payees[0].Name != "엄마" || s.Payees[0].Amount != 5_000 || s.Payees[0].Count != 2 {
			t.Errorf("%+v", s)
		}
		for q, want := range map[bank.Question]apperr.Code{{Period: "year"}: apperr.InvalidArgs, {Payee: "철수"}: apperr.UnknownPayee} {
			if _, err := b.Sum(t.Context(), q); apperr.CodeOf(err) != want {
				t.Errorf("%+v: %v", q, err)
			}
		}
		pass(6 * 24 * time.Hour) // Sunday: still the same week
		if s := sum(bank.Question{Period: bank.PeriodWeek}); s.Total != 12_000 {
			t.Errorf("%+v", s)
		}
		pass(30 * 24 * time.Hour) // February 8
		if s := sum(bank.Question{Period: bank.PeriodLastMonth}); s.Total != 15_000 {
			t.Errorf("%+v", s)
		}
		if s := sum(bank.Question{Period: bank.PeriodMonth}); s.Total != 0 {
			t.Errorf("%+v", s)
		}
	})
}
