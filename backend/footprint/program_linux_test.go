package footprint

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// What was read of the program goes, what was changed stays, and the program goes on.
func TestSettle(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	code := func() (kB int) {
		t.Helper()
		f, err := os.Open("/proc/self/smaps")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		for _, m := range mappings(f, program) {
			if m.rights == "r-xp" {
				kB += m.resident
			}
		}
		return kB
	}
	before := code()
	Settle()
	if after := code(); after == 0 || after >= before {
		t.Errorf("of %d kB of code %d are left", before, after)
	}
}

func TestMappings(t *testing.T) {
	const text = `00400000-0051d000 r-xp 00000000 fe:00 996 /a b/agentchat
Size:               1140 kB
Rss:                1040 kB
Private_Dirty:        12 kB
Anonymous:             7 kB
VmFlags: rd ex mr mw me
7fd36c81b000-7fd36c971000 rw-p 00000000 00:00 0
Rss:                  16 kB
7fd36c981000-7fd36c982000 r--p 00001000 fe:00 996 /a b/agentchat
Rss:                   4 kB
Anonymous:             0 kB
7fd36c983000-7fd36c984000 r--p 00001000 fe:00 997 /b/agentchat
Rss:                   5 kB
`
	want := []mapping{
		{from: 0x400000, to: 0x51d000, rights: "r-xp", resident: 1040, changed: 7},
		{from: 0x7fd36c981000, to: 0x7fd36c982000, rights: "r--p", resident: 4},
	}
	if list := mappings(strings.NewReader(text), "/a b/agentchat"); !slices.Equal(list, want) {
		t.Errorf("%+v", list)
	}
}
