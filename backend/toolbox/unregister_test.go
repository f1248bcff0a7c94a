package toolbox_test

import (
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/toolbox"
)

func TestAToolThatGoesEndsItsLeasesAndItsLine(t *testing.T) {
	s := openShop(t, seedTools()...)
	s.takes("a", "nav")
	s.waits("b", "nav", 1)
	s.waits("c", "movie", 2)
	s.waits("d", "nav", 3)
	s.told()
	edition := s.Edition()

	s.Unregister("nav", "hammer")
	if s.Edition() == edition {
		t.Error("the box is the same edition without the tool")
	}
	same(t, "told", s.told(), "a released nav")
	same(t, "woken", s.woken(), "b", "d", "a", "c")
	if _, held := s.Holds("a", "nav"); held {
		t.Error("the lease outlived its tool")
	}
	_, _, err := s.Acquire("b", "nav")
	wantCode(t, err, apperr.UnknownTool)
	_, _, err = s.Wait("b", "nav")
	wantCode(t, err, apperr.UnknownTool)
	_, err = s.ValidateArgs("nav", nil)
	wantCode(t, err, apperr.UnknownTool)
	if n := s.ReleaseJob("a"); n != 0 {
		t.Errorf("%d pieces of the gone tool came back", n)
	}
	s.takes("c", "movie") // the monitor was set free for it
	same(t, "group", s.Inventory().Groups[0].Tools, "movie")
}

func TestAToolMayComeBackAsAnother(t *testing.T) {
	s := openShop(t, seedTools()...)
	old := s.takes("a", "song")
	s.takes("b", "song")
	s.waits("c", "song", 1)
	s.Unregister("song")
	edition := s.Edition()
	if err := s.Register(plain("song", "", 1)); err != nil || s.Edition() == edition {
		t.Fatalf("edition %d, error %v", s.Edition(), err)
	}
	if s.Release(old.ID) {
		t.Error("a lease of the old tool was still out")
	}
	s.woken()
	s.takes("c", "song")
	s.refused("a", "song")
}

// A promise to somebody who waited for the tool that went is no promise any more; one to others holds.
func TestPromisesOutliveAToolOnlyForOthers(t *testing.T) {
	s := openShop(t, seedTools()...)
	s.takes("a", "nav")
	s.waits("b", "movie", 1)
	s.waits("c", "movie", 2)
	s.stops("c", "movie", "a", true)
	s.woken()
	s.Unregister("nav")
	same(t, "the heir is served", s.woken(), "a", "c")

	s.Unregister("movie")
	same(t, "everyone hears", s.woken(), "b", "c")
	if inv := s.Inventory(); len(inv.Groups) != 1 || inv.Groups[0].Group != toolbox.SongPool {
		t.Errorf("groups %+v", inv.Groups)
	}
}

func TestAToolFromOutsideAsksAtLeastAsOftenAsItsManual(t *testing.T) {
	guest := plain("guest", "", 1)
	guest.Outside, guest.Confirm = "server", toolbox.ConfirmFirst
	s := openShop(t, guest)
	for wanted, have := range map[toolbox.Confirm]toolbox.Confirm{
		toolbox.ConfirmNever: toolbox.ConfirmFirst, toolbox.ConfirmFirst: toolbox.ConfirmFirst, toolbox.ConfirmAlways: toolbox.ConfirmAlways,
	} {
		if err := s.Override("guest", toolbox.Override{Confirm: &wanted}); err != nil {
			t.Fatal(err)
		}
		if got := mustSpec(t, s, "guest").Confirm; got != have {
			t.Errorf("%s became %s", wanted, got)
		}
	}
}

func TestAManualCanBeCheckedAlone(t *testing.T) {
	good := plain("good", "", 1)
	if err := toolbox.Spec(good).Check(); err != nil {
		t.Error(err)
	}
	bad := good
	bad.Params = []byte(`{"$ref":"https://example.com/s.json"}`)
	if err := toolbox.Spec(bad).Check(); err == nil {
		t.Error("a remote reference was taken")
	}
}
