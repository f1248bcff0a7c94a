package bank_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"agentchat/backend/apperr"
	"agentchat/backend/bank"
	"agentchat/backend/language/bilingual"
)

// act is one thing somebody does at the bank. Those of one round happen at the same time.
type act struct {
	kind   string // transfer, deposit or cancel
	key    int
	target string
	amount int64
	ahead  int // days until the transfer is due
	pick   int // which scheduled transfer is canceled
}

type round struct {
	acts   []act
	jump   time.Duration // the clock is set
	reopen bool          // the program ends and starts again
}

func rounds() *rapid.Generator[[]round] {
	one := rapid.Custom(func(t *rapid.T) act {
		return act{
			kind:   rapid.SampledFrom([]string{"transfer", "transfer", "transfer", "transfer", "deposit", "cancel"}).Draw(t, "kind"),
			key:    rapid.IntRange(0, 12).Draw(t, "key"),
			target: rapid.SampledFrom([]string{"엄마", "용걸", "용걸이", "Dad", "철수"}).Draw(t, "target"),
			amount: rapid.SampledFrom([]int64{0, 1, 70_000, 300_000, 400_000, 600_000}).Draw(t, "amount"),
			ahead:  rapid.SampledFrom([]int{0, 0, 0, 1, 2, -1}).Draw(t, "ahead"),
			pick:   rapid.IntRange(0, 3).Draw(t, "pick"),
		}
	})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) round {
		return round{
			acts:   rapid.SliceOfN(one, 1, 6).Draw(t, "acts"),
			jump:   time.Duration(rapid.SampledFrom([]int{0, 0, 1, 24, 60, -30}).Draw(t, "jump")) * time.Hour,
			reopen: rapid.IntRange(0, 7).Draw(t, "reopen") == 0,
		}
	}), 1, 12)
}

// witness remembers what the bank said, to hold it to its word.
type witness struct {
	mu       sync.Mutex
	first    map[string]bank.Transfer // by key
	orders   map[string]bank.Order
	deposits int64
	wrong    []error
}

func (w *witness) accuse(format string, args ...any) {
	w.wrong = append(w.wrong, fmt.Errorf(format, args...))
}

func (w *witness) transfer(b *branch, a act) {
	o := order(fmt.Sprint("k", a.key), a.target, a.amount)
	if a.ahead != 0 {
		o.Date = b.day(a.ahead)
	}
	t, err := b.Transfer(b.t.Context(), o)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		switch apperr.CodeOf(err) {
		case apperr.InsufficientBalance, apperr.LimitExceeded, apperr.UnknownPayee, apperr.PastDate, apperr.InvalidArgs, apperr.DigestMismatch:
		default:
			w.accuse("%+v: %w", o, err)
		}
		return
	}
	before, known := w.first[o.Key]
	switch {
	case known && (before.ID != t.ID || before.Answer() != t.Answer()):
		w.accuse("the key %s gave %+v and then %+v", o.Key, before, t)
	case known && w.orders[o.Key] != o:
		w.accuse("the key %s stood for %+v and then for %+v", o.Key, w.orders[o.Key], o)
	case !known:
		w.first[o.Key], w.orders[o.Key] = t, o
	}
}

func (w *witness) act(b *branch, a act) {
	switch a.kind {
	case "transfer":
		w.transfer(b, a)
	case "deposit":
		if _, err := b.Deposit(b.t.Context(), a.amount+1); err != nil {
			b.t.Error(err)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.deposits += a.amount + 1
	case "cancel":
		list := b.view().Scheduled
		if a.pick >= len(list) {
			return
		}
		if _, err := b.CancelScheduled(b.t.Context(), list[a.pick].ID); err != nil && apperr.CodeOf(err) != apperr.ScheduleEnded {
			b.t.Error(err)
		}
	}
}

// check holds the books against what was said.
func (w *witness) check(b *branch) error {
	if err := b.Verify(b.t.Context()); err != nil {
		return err
	}
	v := b.view()
	settled, err := b.Statement(b.t.Context(), "", 500)
	if err != nil {
		return err
	}
	slices.Reverse(settled)
	balance, came, days, seen := int64(0), int64(0), map[string]int64{}, map[string]bool{}
	for _, line := range settled {
		if seen[line.ID] {
			w.accuse("%s stands in the statement twice", line.ID)
		}
		seen[line.ID] = true
		at, err := time.Parse(time.RFC3339Nano, line.At)
		if err != nil {
			return err
		}
		switch {
		case line.State != bank.StateDone:
		case line.Direction == bank.DirectionIn:
			balance += line.Amount
			came += line.Amount
		default:
			balance -= line.Amount
			days[at.In(b.zone).Format(time.DateOnly)] += line.Amount
		}
		if line.BalanceAfter != balance || balance < 0 {
			w.accuse("after %+v the balance is %d", line, balance)
		}
	}
	if came != 1_000_000+w.deposits {
		w.accuse("%d came in, %d was put in", came, w.deposits)
	}
	if balance != v.Accounts[0].Balance {
		w.accuse("the statement comes to %d, the account holds %d", balance, v.Accounts[0].Balance)
	}
	for day, sent := range days {
		if sent > b.limits.PerDay {
			w.accuse("%d left on %s", sent, day)
		}
	}
	waiting := map[string]bool{}
	for _, s := range v.Scheduled {
		waiting[s.ID] = true
		if s.Date <= b.day(0) {
			w.accuse("%+v is overdue", s)
		}
	}
	for key, t := range w.first {
		if seen[t.ID] == waiting[t.ID] {
			w.accuse("the order %s is settled: %v, and scheduled: %v", key, seen[t.ID], waiting[t.ID])
		}
	}
	return errors.Join(w.wrong...)
}

// Whatever people do at once, whatever the clock does: the money is all there, no key moves any twice, no limit is
// passed, and what was said stays true.
func TestTheBooksStaySound(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		plan := rounds().Draw(rt, "rounds")
		var failed error
		synctest.Test(t, func(t *testing.T) {
			b := &branch{t: t, dir: t.TempDir(), limits: bank.Limits{PerTransfer: 500_000, PerDay: 900_000}, lang: bilingual.KO, zone: seoul}
			b.open()
			defer b.close()
			w := &witness{first: map[string]bank.Transfer{}, orders: map[string]bank.Order{}}
			for _, r := range plan {
				var all sync.WaitGroup
				for _, a := range r.acts {
					all.Go(func() { w.act(b, a) })
				}
				all.Wait()
				b.set(r.jump)
				if r.reopen {
					b.reopen()
				}
				pass(time.Minute)
				if failed = w.check(b); failed != nil {
					return
				}
			}
		})
		if failed != nil {
			rt.Fatal(failed)
		}
	})
}

// Everybody orders the same at once: one transfer comes of it.
func TestOneOfMany(t *testing.T) {
	b := open(t)
	var all sync.WaitGroup
	ids := make([]string, 32)
	for i := range ids {
		all.Go(func() { ids[i] = b.send(order("same", "엄마", 10_000)).ID })
	}
	all.Wait()
	if len(slices.Compact(ids)) != 1 {
		t.Errorf("%q", ids)
	}
	b.balanced(990_000)
	// And many that do not all fit: as many as fit.
	refused := make([]bool, 32)
	for i := range refused {
		all.Go(func() {
			_, err := b.Transfer(t.Context(), order(fmt.Sprint(i), "엄마", 100_000))
			refused[i] = apperr.CodeOf(err) == apperr.InsufficientBalance
			if err != nil && !refused[i] {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := len(slices.DeleteFunc(refused, func(r bool) bool { return !r })); n != 32-9 {
		t.Errorf("%d were refused", n)
	}
	b.balanced(90_000)
}
