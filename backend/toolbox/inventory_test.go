package toolbox_test

import (
	"testing"

	"agentchat/backend/toolbox"
)

// walls gives what was published of the whole box since the last drain.
func walls(r *recorder) (list []toolbox.Inventory) {
	for _, e := range r.drain() {
		if inv, ok := e.Data.(toolbox.Inventory); ok {
			list = append(list, inv)
		}
	}
	return list
}

// Whatever changes what hangs on the wall is told once, as it is afterwards; what changes nothing is not told.
func TestTheWallIsToldWhenItChanges(t *testing.T) {
	r := &recorder{}
	b, err := toolbox.New(r, toolbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	two, yes, no := 2, true, false
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		what  string
		do    func()
		tells bool
		look  func(inv toolbox.Inventory) bool
	}{
		{"a group nobody hangs in", func() { b.SetGroup("Empty", 5) }, false, nil},
		{
			"tools come", func() { must(b.Register(plain("nav", toolbox.MonitorBox, 1), plain("sum", "", 0))) }, true,
			func(inv toolbox.Inventory) bool { return len(inv.Tools) == 2 && inv.Groups[0].Capacity == 1 },
		},
		{
			"a group grows", func() { must(b.OverrideGroup(toolbox.MonitorBox, &two)) }, true,
			func(inv toolbox.Inventory) bool { return inv.Groups[0].Capacity == 2 },
		},
		{"the same once more", func() { must(b.OverrideGroup(toolbox.MonitorBox, &two)) }, false, nil},
		{
			"the group as it was", func() { must(b.OverrideGroup(toolbox.MonitorBox, nil)) }, true,
			func(inv toolbox.Inventory) bool { return inv.Groups[0].Capacity == 1 },
		},
		{
			"a tool's capacity", func() { must(b.Override("nav", toolbox.Override{Capacity: &two})) }, true,
			func(inv toolbox.Inventory) bool { return inv.Tools[0].Capacity == 2 },
		},
		{
			"off", func() { must(b.Override("nav", toolbox.Override{Capacity: &two, Enabled: &no})) }, true,
			func(inv toolbox.Inventory) bool { return inv.Tools[0].Off },
		},
		{
			"on", func() { must(b.Override("nav", toolbox.Override{Capacity: &two, Enabled: &yes})) }, true,
			func(inv toolbox.Inventory) bool { return !inv.Tools[0].Off },
		},
		{"nothing new", func() { must(b.Override("nav", toolbox.Override{Capacity: &two})) }, false, nil},
		{"one that is not there goes", func() { b.Unregister("gone") }, false, nil},
		{
			"a tool goes", func() { b.Unregister("nav") }, true,
			func(inv toolbox.Inventory) bool { return len(inv.Tools) == 1 && len(inv.Groups) == 0 },
		},
	} {
		step.do()
		told := walls(r)
		switch {
		case !step.tells && len(told) > 0, step.tells && len(told) != 1:
			t.Errorf("%s: told %d times", step.what, len(told))
		case step.tells && !step.look(told[0]):
			t.Errorf("%s: %+v", step.what, told[0])
		}
	}
}
