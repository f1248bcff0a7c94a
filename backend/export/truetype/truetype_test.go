package truetype_test

import (
	"bytes"
	"testing"

	"golang.org/x/image/font/gofont/goregular"

	"agentchat/backend/export/truetype"
)

// A font that was cut into pieces is whole again when they are joined: what the first says holds, and every glyph is there.
func TestJoin(t *testing.T) {
	whole, err := truetype.Read(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	var pieces [3][]byte
	for i := range pieces {
		var used []uint16
		for gid := i; gid < whole.Count(); gid += len(pieces) {
			used = append(used, uint16(gid))
		}
		cut := whole.Cut(used)
		for name, table := range whole {
			if _, has := cut[name]; !has || i == 0 && name == "hmtx" {
				cut[name] = table
			}
		}
		if pieces[i] = cut.File(); len(pieces[i]) >= len(goregular.TTF) {
			t.Errorf("piece %d is no smaller than the whole", i)
		}
	}
	joined, err := truetype.Join(pieces[:]...)
	if err != nil {
		t.Fatal(err)
	}
	again, err := truetype.Read(joined)
	if err != nil {
		t.Fatal(err)
	}
	var all []uint16
	for gid := range whole.Count() {
		all = append(all, uint16(gid))
	}
	want, got := whole.Cut(all), again.Cut(all)
	for _, name := range []string{"glyf", "loca", "hmtx", "head"} {
		if !bytes.Equal(got[name], want[name]) {
			t.Errorf("%s is another", name)
		}
	}
	if !bytes.Equal(again["cmap"], whole["cmap"]) {
		t.Error("the joined font does not know its characters")
	}
}

func TestNoFont(t *testing.T) {
	for _, data := range [][]byte{nil, []byte("no font at all, only words"), goregular.TTF[:200]} {
		if _, err := truetype.Read(data); err == nil {
			t.Errorf("%d bytes were read as a font", len(data))
		}
		if _, err := truetype.Join(data); err == nil {
			t.Errorf("%d bytes were joined to a font", len(data))
		}
	}
	if _, err := truetype.Join(); err == nil {
		t.Error("nothing was joined to a font")
	}
}
