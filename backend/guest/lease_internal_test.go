package guest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// ledger keeps the uses of one paired shop.
type ledger struct {
	Store
	uses  map[string]NamedUse
	fails error // of a promise
	full  bool  // no ticket is made
}

func (l *ledger) AdmitCall(context.Context, job.Job, bool, time.Time, *Claim, func(Guest, Use, int) error) (bool, error) {
	if l.full {
		return false, borrower.over(LimitOpen, bilingual.Of("많음", "many"))
	}
	return false, nil
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
		Jobs: func() Jobs { return &front{} }, Tools: box.Specs, NewID: func() string { made++; return "job-" + string(rune('0'+made)) }, Wait: func() time.Duration { return time.Hour },
	})
	t.Cleanup(b.Forget)
	return b, kept, box
}

var borrower = Guest{ID: "near", Name: "Near", Tools: []string{"stamp"}}

// wanted is a use of the stamp that has just begun.
func wanted(use string) Wanted {
	return Wanted{Use: use, Tool: "stamp", Began: time.Now().UnixMilli()}
}

// A use that is asked for late is honoured as long as its name is kept, and never done when its name may have been forgotten.
func TestALateUseIsHonouredOrRefusedAndNeverDoneAgain(t *testing.T) {
	b, kept, box := lending(t)
	old := func(use string, age time.Duration) Wanted {
		return Wanted{Use: use, Tool: "stamp", Began: time.Now().Add(-age).UnixMilli()}
	}
	kept.uses["done"] = NamedUse{Job: "job", Tool: "stamp", State: UseAdmitted}
	for _, age := range []time.Duration{UseLife - time.Hour, UseLife + time.Hour} { // what is known is, however old
		if a, err := b.lease(t.Context(), borrower, old("done", age)); err != nil || a.Status != Known {
			t.Errorf("%v: %+v, %v", age, a, err)
		}
	}
	if a, err := b.lease(t.Context(), borrower, old("forgotten", UseLife+time.Hour)); apperr.CodeOf(err) != apperr.UseTooOld {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := b.lease(t.Context(), borrower, Wanted{Use: "undated", Tool: "stamp"}); apperr.CodeOf(err) != apperr.UseTooOld {
		t.Errorf("%+v, %v", a, err)
	}
	if len(kept.uses) != 1 || len(box.Inventory().Tools[0].Holders) != 0 {
		t.Errorf("%+v", kept.uses)
	}
	if a, err := b.lease(t.Context(), borrower, old("waited", UseLife-time.Hour)); err != nil || a.Status != Leased {
		t.Errorf("%+v, %v", a, err)
	}
}

// A shop that asks for more than there is room for at a time waits with the rest.
func TestMoreThanThereIsRoomForWaits(t *testing.T) {
	b, _, _ := lending(t)
	for n := range mostLent {
		if a, err := b.lease(t.Context(), borrower, wanted(fmt.Sprint(n))); err != nil || a.Status == Locked != (n > 0) {
			t.Fatalf("%d: %+v, %v", n, a, err)
		}
	}
	if a, err := b.lease(t.Context(), borrower, wanted("more")); err != nil || a.Status != Locked || len(b.lent.leases) != mostLent {
		t.Errorf("%+v, %v", a, err)
	}
}

// The list of tools comes with its edition: what changes after it is another one, whenever that is looked at.
func TestTheListComesWithItsEdition(t *testing.T) {
	b, _, box := lending(t)
	there, here := sdk.NewInMemoryTransports()
	serving, err := b.server(t.Context(), borrower, true).Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := box.Register(stamp{toolbox.Spec{Key: "other", Capacity: 1, Confirm: toolbox.ConfirmNever, Effect: toolbox.EffectRead}}); err != nil {
		t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "near", Version: "1"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close(); _ = serving.Wait() }()
	can, _ := session.InitializeResult().Capabilities.Experimental[Protocol].(map[string]any)
	if edition, _ := can["edition"].(string); edition == "" || edition == b.beat(borrower, nil).Edition {
		t.Errorf("%v", can)
	}
}

// What has its ticket is known, although the tool was taken from the shop since.
func TestAUseThatHasItsTicketIsKnownWithoutItsTool(t *testing.T) {
	b, kept, _ := lending(t)
	kept.uses["u"] = NamedUse{Job: "job", Tool: "stamp", State: UseAdmitted}
	less := borrower
	less.Tools = nil
	if a, err := b.lease(t.Context(), less, wanted("u")); err != nil || a.Status != Known {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := b.lease(t.Context(), less, wanted("new")); apperr.CodeOf(err) != apperr.UnknownTool {
		t.Errorf("%+v, %v", a, err)
	}
}

// A promise that could not be written down holds nothing: the next lease makes it.
func TestAPromiseThatIsNotWrittenDownHoldsNothing(t *testing.T) {
	b, kept, _ := lending(t)
	kept.fails = apperr.New(apperr.StorageBusy)
	other := func() {
		t.Helper()
		if a, err := b.lease(t.Context(), borrower, wanted("other")); err != nil || a.Status != Locked {
			t.Errorf("%+v, %v", a, err)
		}
	}
	if a, err := b.lease(t.Context(), borrower, wanted("u")); apperr.CodeOf(err) != apperr.StorageBusy {
		t.Errorf("%+v, %v", a, err)
	}
	b.lent.names.Range(func(id, _ any) bool { t.Errorf("%v is named", id); return true })
	kept.fails = nil
	if a, err := b.lease(t.Context(), borrower, wanted("u")); err != nil || a.Status != Leased {
		t.Errorf("%+v, %v", a, err)
	}
	other()
	// One that stands in line and fails when its turn comes goes on as one that holds nothing.
	if _, err := b.takeBack(t.Context(), borrower, "u"); err != nil {
		t.Fatal(err)
	}
	kept.fails = apperr.New(apperr.StorageBusy)
	if a, err := b.lease(t.Context(), borrower, wanted("other")); apperr.CodeOf(err) != apperr.StorageBusy {
		t.Errorf("%+v, %v", a, err)
	}
	kept.fails = nil
	if a, err := b.lease(t.Context(), borrower, wanted("other")); err != nil || a.Status != Leased || a.Fence == 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

// What is called off while it stands in line leaves the line.
func TestWhatIsCalledOffLeavesTheLine(t *testing.T) {
	b, _, box := lending(t)
	if a, err := b.lease(t.Context(), borrower, wanted("a")); err != nil || a.Status != Leased {
		t.Fatalf("%+v, %v", a, err)
	}
	if a, err := b.lease(t.Context(), borrower, wanted("b")); err != nil || a.Status != Locked {
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
	if a, err := b.lease(t.Context(), borrower, wanted("u")); err != nil || a.Status != Leased {
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

// A use that gets no ticket while there are too many holds nothing meanwhile, however long it beats: those that have one may need the tool.
func TestAUseThatGetsNoTicketYetGivesItsToolBack(t *testing.T) {
	b, kept, box := lending(t)
	spec, err := box.Spec("stamp")
	if err != nil {
		t.Fatal(err)
	}
	call := func() (string, error) {
		t.Helper()
		a, err := b.lease(t.Context(), borrower, wanted("u"))
		if err != nil || a.Status != Leased {
			t.Fatalf("%+v, %v", a, err)
		}
		return b.admitted(t.Context(), borrower, spec, json.RawMessage(`{}`), &Claim{Use: "u", Fence: a.Fence})
	}
	kept.full = true
	if _, err := call(); apperr.CodeOf(err) != apperr.GuestLimit {
		t.Fatal(err)
	}
	promised := kept.uses["u"].Job
	if a := b.beat(borrower, []string{"u"}); len(a.Lost) != 1 || len(b.lent.leases) != 0 || len(box.Inventory().Tools[0].Holders) != 0 {
		t.Errorf("%+v, %d leases", a, len(b.lent.leases))
	}
	kept.full = false
	if state, err := call(); err != nil || state != "" || kept.uses["u"].Job != promised {
		t.Errorf("%q, %v: %+v", state, err, kept.uses["u"])
	}
}
