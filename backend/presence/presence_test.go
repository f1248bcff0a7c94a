package presence_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"agentchat/backend/presence"
)

// book is a store that counts what is written.
type book struct {
	mu     sync.Mutex
	list   []presence.Absence
	trace  time.Time
	writes int
}

func (b *book) Absences(context.Context) ([]presence.Absence, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.list), nil
}

func (b *book) KeepAbsences(_ context.Context, list []presence.Absence) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.writes++
	for _, a := range list {
		b.list = slices.DeleteFunc(b.list, func(old presence.Absence) bool { return old.N == a.N })
		b.list = append(b.list, a)
	}
	return nil
}

func (b *book) LastTrace(context.Context) (time.Time, error) { return b.trace, nil }

type house struct {
	*presence.Presence
	t     *testing.T
	book  *book
	clock int // minutes
}

var zero = time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)

func at(minute int) time.Time { return zero.Add(time.Duration(minute) * time.Minute) }

func open(t *testing.T, b *book) *house {
	t.Helper()
	h := &house{t: t, book: b}
	h.Presence = presence.New(presence.Deps{Store: b, Now: func() time.Time { return at(h.clock) }, Failed: func(err error, _ int) { t.Error(err) }})
	if err := h.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *house) is(present bool, minute int) { h.clock = minute; h.Present(present) }

// away compares the absences that nobody has looked at with pairs of minutes; -1: it lasts.
func (h *house) away(pairs ...int) {
	h.t.Helper()
	list, err := h.Absences(h.t.Context(), false)
	if err != nil {
		h.t.Fatal(err)
	}
	var got []int
	for _, a := range list {
		end := -1
		if !a.Until.IsZero() {
			end = int(a.Until.Sub(zero).Minutes())
		}
		got = append(got, int(a.Since.Sub(zero).Minutes()), end)
	}
	if !slices.Equal(got, pairs) {
		h.t.Errorf("absences %v, want %v", got, pairs)
	}
}

func TestAbsences(t *testing.T) {
	h := open(t, &book{})
	h.is(true, 10) // what was before is no news
	h.away()
	h.is(false, 20)
	h.away(20, -1)
	h.is(false, 25) // said twice
	h.is(true, 30)
	h.away(20, 30)
	h.is(false, 40)
	h.clock = 40
	h.Present(true) // a glance elsewhere
	h.away(20, 30)
	h.is(false, 50)
	h.is(true, 60)
	h.away(20, 30, 50, 60)
	h.Missed(at(55), at(60)) // known already
	h.away(20, 30, 50, 60)
	h.Missed(at(70), at(90)) // the computer slept
	h.away(20, 30, 50, 60, 70, 90)
	h.is(true, 95)
	before := h.book.writes
	for range 100 {
		h.Present(true)
	}
	if h.book.writes != before {
		t.Error("it is written although nothing changed")
	}
	h.is(false, 100)
	h.is(true, 110)
	h.away(20, 30, 50, 60, 70, 90, 100, 110)
}

// A sleep is noticed after the window has said that it went out of sight, or came back, as often as before.
func TestASleepIsNoticedLate(t *testing.T) {
	h := open(t, &book{})
	h.is(true, 10)
	h.is(false, 60) // on waking: the lid had been closed
	h.Missed(at(30), at(60))
	h.away(30, -1)
	h.Missed(at(40), at(60)) // known already
	h.away(30, -1)
	h.is(true, 65)
	h.away(30, 65)
	h.is(false, 90)
	h.Present(true) // before the next sleep is noticed
	h.Missed(at(80), at(90))
	h.away(30, 65, 80, 90)
	h.is(false, 100)
	h.Missed(at(50), at(100)) // it was missed in an absence that is known
	h.away(30, 65, 80, 90, 100, -1)
}

// However the program ends, nobody is there until the next says otherwise, however soon that is.
func TestAnEndIsAnAbsence(t *testing.T) {
	b := &book{}
	h := open(t, b)
	h.is(true, 10)
	h.clock = 20
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	h.Present(true) // a word too late
	h = open(t, b)
	h.away(20, -1)
	h.clock = 20
	h.Present(true)
	h.away() // it took no time at all
	h.is(false, 30)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	h = open(t, b)
	h.is(true, 40)
	h.away(30, 40)
	// Killed: somebody was there as long as anything happened.
	b.trace = at(50)
	h.Absences(t.Context(), false) //nolint:errcheck // has everything written
	h = open(t, b)
	h.away(30, 40, 50, -1)
	h.is(true, 51)
	h.away(30, 40, 50, 51)
	b.trace = at(45)               // nothing since somebody came back
	h.Absences(t.Context(), false) //nolint:errcheck // has everything written
	h = open(t, b)
	h.is(true, 60)
	h.away(30, 40, 50, 51, 51, 60)
}
