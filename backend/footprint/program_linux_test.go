package footprint

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// What was read of the program goes, what was changed stays, and the program goes on.
func TestSettle(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	look := func() (code, all int, parts []mapping) {
		t.Helper()
		f, err := os.Open("/proc/self/smaps")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		parts = mappings(f)
		for _, m := range parts {
			if m.path == program {
				if all += m.resident; m.rights == "r-xp" {
					code += m.resident
				}
			}
		}
		return code, all, parts
	}
	_, _, parts := look()
	at := slices.IndexFunc(parts, func(m mapping) bool { return m.path == program && m.rights == "r-xp" })
	if at < 0 {
		t.Fatalf("no code of %s among %d mappings", program, len(parts))
	}
	sum := 0
	code := unsafe.Slice((*byte)(unsafe.Pointer(parts[at].from)), parts[at].to-parts[at].from) //nolint:govet // the program's own
	for i := 0; i < len(code); i += 4096 {
		sum += int(code[i])
	}
	before, _, _ := look()
	Settle()
	after, all, _ := look()
	if before < 500 || after >= before {
		t.Errorf("of %d kB of code (sum %d) %d are left; of all %d", before, sum, after, all)
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
`
	list := mappings(strings.NewReader(text))
	want := []mapping{
		{from: 0x400000, to: 0x51d000, rights: "r-xp", path: "/a b/agentchat", resident: 1040, changed: 7},
		{from: 0x7fd36c81b000, to: 0x7fd36c971000, rights: "rw-p", resident: 16},
	}
	if !slices.Equal(list, want) {
		t.Errorf("%+v", list)
	}
}
