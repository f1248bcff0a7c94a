package guest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// ledger keeps the uses of one paired shop.
type ledger struct {
	Store
	uses  map[string]NamedUse
	fails error // of a promise
}

func (l *ledger) NamedUse(_ context.Context, _, use string) (NamedUse, error) {
	return l.uses[use], nil
}

func (l *ledger) PromiseUse(_ context.Context, _, use, tool, job string) (NamedUse, error) {
	if l.fails != nil {
		return NamedUse{}, l.fails
	}
	l.uses[use] = NamedUse{Job: job, Tool: tool, Fence: l.uses[use].Fence + 1, State: UsePromised}
	return l.uses[use], nil
}

func (l *ledger) TakeBackUse(_ context.Context, _, use string) (NamedUse, error) {
	known := l.uses[use]
	known.State = UseTakenBack
	l.uses[use] = known
	return known, nil
}

type stamp struct{ spec toolbox.Spec }

func (s stamp) Spec() toolbox.Spec { return s.spec }

func (s stamp) Run(context.Context, toolbox.Call) (toolbox.Result, error) {
	return toolbox.Result{}, nil
}

// lending is a house with a box of one stamp.
func lending(t *testing.T) (*Book, *ledger, *toolbox.Box) {
	t.Helper()
	bus := event.NewBus(100, time.Now)
	box, err := toolbox.New(bus, toolbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := box.Register(stamp{toolbox.Spec{Key: "stamp", Capacity: 1, Confirm: toolbox.ConfirmNever, Effect: toolbox.EffectRead}}); err != nil {
		t.Fatal(err)
	}
	kept, made := &ledger{uses: map[string]NamedUse{}}, 0
	b := New(Deps{
		Store: kept, Box: box, Bus: bus, Lang: func() bilingual.Lang { return bilingual.EN }, Now: time.Now,
		Tools: box.Specs, NewID: func() string { made++; return "job-" + string(rune('0'+made)) }, Wait: func() time.Duration { return time.Hour },
	})
	t.Cleanup(b.Forget)
	return b, kept, box
}

var borrower = Guest{ID: "near", Name: "Near", Tools: []string{"stamp"}}

// What has its ticket is known, although the tool was taken from the shop since.
func TestAUseThatHasItsTicketIsKnownWithoutItsTool(t *testing.T) {
	b, kept, _ := lending(t)
	kept.uses["u"] = NamedUse{Job: "job", Tool: "stamp", State: UseAdmitted}
	less := borrower
	less.Tools = nil
	if a, err := b.lease(t.Context(), less, "u", "stamp"); err != nil || a.Status != Known {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := b.lease(t.Context(), less, "new", "stamp"); apperr.CodeOf(err) != apperr.UnknownTool {
		t.Errorf("%+v, %v", a, err)
	}
}

// A promise that could not be written down holds nothing: the next lease makes it.
func TestAPromiseThatIsNotWrittenDownHoldsNothing(t *testing.T) {
	b, kept, _ := lending(t)
	kept.fails = apperr.New(apperr.StorageBusy)
	other := func() {
		t.Helper()
		if a, err := b.lease(t.Context(), borrower, "other", "stamp"); err != nil || a.Status != Locked {
			t.Errorf("%+v, %v", a, err)
		}
	}
	if a, err := b.lease(t.Context(), borrower, "u", "stamp"); apperr.CodeOf(err) != apperr.StorageBusy {
		t.Errorf("%+v, %v", a, err)
	}
	b.lent.names.Range(func(id, _ any) bool { t.Errorf("%v is named", id); return true })
	kept.fails = nil
	if a, err := b.lease(t.Context(), borrower, "u", "stamp"); err != nil || a.Status != Leased {
		t.Errorf("%+v, %v", a, err)
	}
	other()
	// One that stands in line and fails when its turn comes goes on as one that holds nothing.
	if _, err := b.takeBack(t.Context(), borrower, "u"); err != nil {
		t.Fatal(err)
	}
	kept.fails = apperr.New(apperr.StorageBusy)
	if a, err := b.lease(t.Context(), borrower, "other", "stamp"); apperr.CodeOf(err) != apperr.StorageBusy {
		t.Errorf("%+v, %v", a, err)
	}
	kept.fails = nil
	if a, err := b.lease(t.Context(), borrower, "other", "stamp"); err != nil || a.Status != Leased || a.Fence == 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

// What is called off while it stands in line leaves the line.
func TestWhatIsCalledOffLeavesTheLine(t *testing.T) {
	b, _, box := lending(t)
	if a, err := b.lease(t.Context(), borrower, "a", "stamp"); err != nil || a.Status != Leased {
		t.Fatalf("%+v, %v", a, err)
	}
	if a, err := b.lease(t.Context(), borrower, "b", "stamp"); err != nil || a.Status != Locked {
		t.Fatalf("%+v, %v", a, err)
	}
	waiting, _ := b.leaseOf(borrower.ID, "b")
	if text, _ := json.Marshal(box.Inventory()); waiting == "" || !strings.Contains(string(text), waiting) {
		t.Fatalf("%s", text)
	}
	if _, err := b.takeBack(t.Context(), borrower, "b"); err != nil {
		t.Fatal(err)
	}
	if text, _ := json.Marshal(box.Inventory()); len(b.lent.leases) != 1 || strings.Contains(string(text), waiting) {
		t.Errorf("%s, %d leases", text, len(b.lent.leases))
	}
}

// A tool that was taken from a shop is not held for it, however long it beats.
func TestABeatKeepsNothingThatIsLentNoMore(t *testing.T) {
	b, _, box := lending(t)
	if a, err := b.lease(t.Context(), borrower, "u", "stamp"); err != nil || a.Status != Leased {
		t.Fatalf("%+v, %v", a, err)
	}
	if a := b.beat(borrower, []string{"u"}); len(a.Lost) != 0 {
		t.Fatalf("%+v", a)
	}
	less := borrower
	less.Tools = nil
	if a := b.beat(less, []string{"u"}); len(a.Lost) != 1 || len(b.lent.leases) != 0 || len(box.Inventory().Tools[0].Holders) != 0 {
		t.Errorf("%+v", a)
	}
}
