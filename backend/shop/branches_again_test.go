package shop_test

import (
	"slices"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/branch"
	"agentchat/backend/event"
	guests "agentchat/backend/guest"
	"agentchat/backend/toolbox"
)

// A shop that was removed with the programs can be paired again, and one that is paired is given what a new invitation says.
func TestAShopIsPairedAgain(t *testing.T) {
	p := pair(t, newCounter(toolbox.EffectRead, 1))
	again := func(tools ...string) {
		t.Helper()
		in, err := p.far.InviteBranch(guests.Guest{Tools: tools, Calls: 7, Changes: 7})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.near.JoinBranch(t.Context(), p.wire.address(), in.Code); err != nil {
			t.Fatal(err)
		}
		p.stands(branch.Here)
		list, err := p.far.Guests(t.Context())
		if err != nil || len(list.Guests) != 1 || list.Guests[0].Calls != 7 || len(list.Guests[0].Tools) != len(tools) {
			t.Fatalf("%+v, %v", list.Guests, err)
		}
		v, err := p.far.Branches(t.Context())
		if err != nil || len(v.Branches) != 1 || !slices.Equal(v.Branches[0].Tools, list.Guests[0].Tools) {
			t.Fatalf("%+v, %v", v, err)
		}
	}
	again("stamp", "calculator")
	list, err := p.far.Guests(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.far.RemoveGuest(t.Context(), list.Guests[0].ID); err != nil {
		t.Fatal(err)
	}
	if v, err := p.far.Branches(t.Context()); err != nil || len(v.Branches) != 0 {
		t.Fatalf("%+v, %v", v, err)
	}
	p.stands(branch.Unpaired)
	p.shut()
	again("stamp")
}

// unpairs has the lender unpair the shop that borrows.
func (p *paired) unpairs() {
	p.t.Helper()
	v, err := p.far.Branches(p.t.Context())
	if err != nil || len(v.Branches) != 1 {
		p.t.Fatalf("%+v, %v", v, err)
	}
	if err := p.far.RemoveBranch(p.t.Context(), v.Branches[0].ID); err != nil {
		p.t.Fatal(err)
	}
}

// A shop that is unpaired and paired again is the one it was: what it asked for before is not done again when it asks once more.
func TestAUseKeepsItsNameWhenItsShopIsPairedAgain(t *testing.T) {
	p := pair(t, newCounter(toolbox.EffectRead, 1))
	p.stamp.gate = func(string) { p.wire.set(refusing) }
	id := p.near.uses(p.key(), map[string]any{"word": "한번"})
	until(p.far, "it was done", func(_ event.Envelope, s event.JobState) bool { return s.To == "succeeded" })
	p.stands(branch.Away)
	p.unpairs()
	p.stamp.gate = func(string) {}
	in, err := p.far.InviteBranch(guests.Guest{Tools: []string{"stamp"}, Calls: 7})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.near.JoinBranch(t.Context(), strung(t, in.Addresses[0]).address(), in.Code); err != nil {
		t.Fatal(err)
	}
	p.near.state(id, "succeeded")
	if n := p.stamp.ran("한번"); n != 1 {
		t.Errorf("it ran %d times", n)
	}
	p.oneStory()
}

// A shop that was unpaired hears so, though it was the only one that the lender listened for, and it was away then. It knows that also when it is opened anew.
func TestTheOnlyBorrowerHearsThatItWasUnpaired(t *testing.T) {
	p := pair(t, newCounter(toolbox.EffectRead, 1))
	p.wire.set(refusing)
	p.stands(branch.Away)
	p.unpairs()
	p.far.leave()
	p.far = at(t, p.farDir, "본점", p.port, p.stamp)
	p.wire.set(passing)
	p.stands(branch.Unpaired)
	p.shut()
	dir, port := p.near.Config.Get().DataDir, p.near.Config.Get().BranchesPort
	p.near.leave()
	p.near = at(t, dir, "지점", port)
	v, err := p.near.Branches(t.Context())
	if err != nil || v.Branches[0].State != branch.Unpaired || v.Branches[0].Since.IsZero() {
		t.Errorf("%+v, %v", v, err)
	}
}

// A shop that is at another address is called there from then on, if it is the one that was paired. What waits for it goes on.
func TestABranchMoves(t *testing.T) {
	p := pair(t, newCounter(toolbox.EffectRead, 2))
	v, err := p.near.Branches(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	id, there := v.Branches[0].ID, p.wire.to
	moves := func(id, address string, want apperr.Code) {
		t.Helper()
		if err := p.near.MoveBranch(t.Context(), id, address); apperr.CodeOf(err) != want {
			t.Errorf("to %s: %v, want %q", address, err, want)
		}
	}
	p.wire.set(refusing)
	p.stands(branch.Away)
	waits := p.near.uses(p.key(), map[string]any{"word": "기다린일"})
	p.near.again()
	until(p.near, "it waits", func(_ event.Envelope, s event.JobState) bool { return s.JobID == waits && s.To == "waiting" })

	stranger := at(t, t.TempDir(), "남", freePort(t))
	t.Cleanup(stranger.leave)
	in, err := stranger.InviteBranch(guests.Guest{})
	if err != nil {
		t.Fatal(err)
	}
	moves(id, "somewhere", apperr.InvalidArgs)
	moves("nobody", there, apperr.NotFound)
	moves(id, p.wire.address(), apperr.BranchUnreachable)
	moves(id, in.Addresses[0], apperr.BranchOther)
	if v, err = p.near.Branches(t.Context()); err != nil || v.Branches[0].Address != p.wire.address() {
		t.Errorf("%+v, %v", v, err)
	}

	second := strung(t, there)
	moves(id, second.address(), "")
	p.near.state(waits, "succeeded")
	// It moves while a use is under way, too.
	begun := make(chan bool)
	p.stamp.gate = func(string) { begun <- true; <-begun }
	midway := p.near.uses(p.key(), map[string]any{"word": "하던일"})
	<-begun
	third := strung(t, there)
	moves(id, third.address(), "")
	second.set(refusing)
	begun <- true
	p.near.state(midway, "succeeded")
	for _, word := range []string{"기다린일", "하던일"} {
		if n := p.stamp.ran(word); n != 1 {
			t.Errorf("%s ran %d times", word, n)
		}
	}
	if v, err = p.near.Branches(t.Context()); err != nil || v.Branches[0].Address != third.address() || v.Branches[0].State != branch.Here {
		t.Errorf("%+v, %v", v, err)
	}
	p.oneStory()
}
