package shop_test

import (
	"slices"
	"testing"

	"agentchat/backend/branch"
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
	if v, err := p.far.Branches(t.Context()); err != nil || len(v.Branches) != 0 || len(v.Addresses) != 0 {
		t.Fatalf("the door stays open: %+v, %v", v, err)
	}
	p.stands(branch.Away)
	again("stamp")
}
