package pairing

import (
	"os"
	"path/filepath"
	"testing"

	"agentchat/backend/apperr"
)

type someone struct{ ID, Word string }

func kept(path string) *Kept[someone] {
	return KeptIn(path, func(s someone) string { return s.ID })
}

// Who was paired is kept in the order they came, changed in their places, and forgotten for good.
func TestWhoWasPairedIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "who.json")
	k := kept(path)
	wants := func(want ...someone) {
		t.Helper()
		for _, list := range [][]someone{k.All(), kept(path).All()} { // in memory, and in the file
			if len(list) != len(want) {
				t.Fatalf("%+v", list)
			}
			for i := range want {
				if list[i] != want[i] {
					t.Errorf("%+v", list)
				}
			}
		}
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	do(k.Set(someone{"a", "1"}))
	do(k.Set(someone{"b", "1"}))
	do(k.Set(someone{"a", "2"}))
	do(k.Alter("b", func(s *someone) { s.Word = "3" }))
	wants(someone{"a", "2"}, someone{"b", "3"})
	if was, err := k.Remove("a"); !was || err != nil {
		t.Error(was, err)
	}
	if was, err := k.Remove("a"); was || err != nil {
		t.Error(was, err)
	}
	do(k.Alter("a", func(*someone) { t.Error("one that was forgotten is changed") }))
	wants(someone{"b", "3"})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	do(os.WriteFile(path, []byte("damaged"), 0o600))
	if list := kept(path).All(); len(list) != 0 {
		t.Errorf("%+v", list)
	}
}

// What cannot be read is not written over.
func TestAListThatCannotBeReadIsLeft(t *testing.T) {
	dir := t.TempDir() // reading a folder fails
	k := kept(dir)
	if apperr.CodeOf(k.Readable()) != apperr.StorageFailed || apperr.CodeOf(k.Set(someone{ID: "a"})) != apperr.StorageFailed || len(k.All()) != 0 {
		t.Errorf("%v, %+v", k.Readable(), k.All())
	}
}
