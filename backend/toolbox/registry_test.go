package toolbox_test

import (
	"encoding/json"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/toolbox"
)

func TestRegisterRefusesBadManuals(t *testing.T) {
	for what, spoil := range map[string]func(*gadget){
		"no key":            func(g *gadget) { g.Key = "" },
		"a key with a dot":  func(g *gadget) { g.Key = "a.b" },
		"a group in words":  func(g *gadget) { g.Group = "my group" },
		"negative capacity": func(g *gadget) { g.Capacity = -1 },
		"no confirm policy": func(g *gadget) { g.Confirm = "" },
		"an unknown effect": func(g *gadget) { g.Effect = "magic" },
		"params not JSON":   func(g *gadget) { g.Params = json.RawMessage(`{`) },
		"params, a bad ref": func(g *gadget) { g.Params = json.RawMessage(`{"$ref":"#/$defs/none"}`) },
		"a remote ref":      func(g *gadget) { g.Params = json.RawMessage(`{"$ref":"https://example.com/s.json"}`) },
		"a bad pattern":     func(g *gadget) { g.Result = json.RawMessage(`{"type":"string","pattern":"("}`) },
		"a key twice":       func(g *gadget) { g.Result = json.RawMessage(`{"type":"string","type":"object"}`) },
		"a taken key":       func(g *gadget) { g.Key = "nav" },
	} {
		s := openShop(t, seedTools()...)
		bad := plain("drill", "", 1)
		spoil(&bad)
		if err := s.Register(plain("good", "", 1), bad); err == nil {
			t.Errorf("%s: no error", what)
		}
		if _, err := s.Spec("good"); err == nil {
			t.Errorf("%s: half of the tools were registered", what)
		}
	}
	s := openShop(t)
	if err := s.Register(plain("a", "", 1), plain("a", "", 1)); err == nil {
		t.Error("the same key twice in one call: no error")
	}
}

func TestManuals(t *testing.T) {
	s := openShop(t, seedTools()...)
	var keys []string
	for _, spec := range s.Specs() {
		keys = append(keys, spec.Key)
	}
	same(t, "sorted", keys, "movie", "nav", "song", "weather")
	spec, err := s.Spec("nav")
	if err != nil {
		t.Fatal(err)
	}
	spec.Params[0] = '!'
	if _, err := s.ValidateArgs("nav", nil); err != nil || mustSpec(t, s, "nav").Params[0] != '{' {
		t.Error("a copy of the manual changed the box's own")
	}
	if tool, err := s.Tool("nav"); err != nil || tool.Spec().Key != "nav" {
		t.Errorf("tool %v, error %v", tool, err)
	}
	_, err = s.Spec("hammer")
	wantCode(t, err, apperr.UnknownTool)
	_, err = s.Tool("hammer")
	wantCode(t, err, apperr.UnknownTool)
}

func TestOverridesAreLiveAndGoAway(t *testing.T) {
	s := openShop(t, seedTools()...)
	set := func(o toolbox.Override) {
		t.Helper()
		if err := s.Override("nav", o); err != nil {
			t.Fatal(err)
		}
	}
	set(toolbox.Override{Capacity: ptr(3), Group: ptr("Car"), Confirm: ptr(toolbox.ConfirmAlways)})
	if spec := mustSpec(t, s, "nav"); spec.Capacity != 3 || spec.Group != "Car" || spec.Confirm != toolbox.ConfirmAlways {
		t.Errorf("spec %+v", spec)
	}
	set(toolbox.Override{})
	if spec := mustSpec(t, s, "nav"); spec.Capacity != 1 || spec.Group != toolbox.MonitorBox || spec.Confirm != toolbox.ConfirmNever {
		t.Errorf("spec %+v", spec)
	}
	wantCode(t, s.Override("hammer", toolbox.Override{}), apperr.UnknownTool)
	for _, bad := range []toolbox.Override{{Capacity: ptr(-1)}, {Group: ptr("?")}, {Confirm: ptr(toolbox.Confirm("maybe"))}} {
		wantCode(t, s.Override("nav", bad), apperr.InvalidSetting)
	}
	wantCode(t, s.OverrideGroup("", ptr(1)), apperr.InvalidSetting)
	wantCode(t, s.OverrideGroup(toolbox.MonitorBox, ptr(-1)), apperr.InvalidSetting)
}

func TestMoreCapacityServesTheLine(t *testing.T) {
	s := openShop(t, seedTools()...)
	s.takes("a", "song")
	s.takes("b", "song")
	s.waits("c", "song", 1)
	s.waits("d", "song", 2)
	if err := s.Override("song", toolbox.Override{Capacity: ptr(3)}); err != nil {
		t.Fatal(err)
	}
	same(t, "the pool has only two decks", s.woken())
	if err := s.OverrideGroup(toolbox.SongPool, ptr(3)); err != nil {
		t.Fatal(err)
	}
	same(t, "woken", s.woken(), "c")
	s.SetGroup(toolbox.SongPool, 4) // the override stands above it
	same(t, "woken", s.woken())
	if err := s.Override("song", toolbox.Override{Capacity: ptr(toolbox.Infinite)}); err != nil {
		t.Fatal(err)
	}
	if err := s.OverrideGroup(toolbox.SongPool, nil); err != nil {
		t.Fatal(err)
	}
	same(t, "woken", s.woken(), "d")
}

func TestLessCapacityTakesNothingAway(t *testing.T) {
	s := openShop(t, seedTools()...)
	a := s.takes("a", "song")
	b := s.takes("b", "song")
	if err := s.Override("song", toolbox.Override{Capacity: ptr(1)}); err != nil {
		t.Fatal(err)
	}
	same(t, "both play on", jobs(s.rack("song").Holders), "a", "b")
	s.Release(a.ID)
	s.refused("c", "song")
	s.Release(b.ID)
	s.takes("c", "song")
}

func TestLeavingAGroupFreesIt(t *testing.T) {
	s := openShop(t, seedTools()...)
	s.takes("a", "nav")
	s.waits("b", "movie", 1)
	if err := s.Override("nav", toolbox.Override{Group: ptr("")}); err != nil {
		t.Fatal(err)
	}
	same(t, "woken", s.woken(), "b")
	if lease, ok := s.Holds("a", "nav"); !ok || lease.Group != "" {
		t.Errorf("lease %+v", lease)
	}
	if err := s.Override("nav", toolbox.Override{}); err != nil { // back, though the monitor is taken now
		t.Fatal(err)
	}
	same(t, "the monitor holds both", jobs(s.Inventory().Groups[0].Holders), "a", "b")
}

func mustSpec(t *testing.T, s *shop, key string) toolbox.Spec {
	t.Helper()
	spec, err := s.Spec(key)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}
