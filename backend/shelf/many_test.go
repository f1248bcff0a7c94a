package shelf_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"agentchat/backend/event"
)

var many = flag.Int("shelf.many", 400, "how many files the test of many files has")

// heap is what is in use after a collection, in bytes.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// busy is how long this process has worked.
func busy() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// Many files: every one is read once, and going through them again reads not a byte. With -shelf.many=10000 it says what that costs.
func TestManyFiles(t *testing.T) {
	h := open(t)
	old := time.Now().Add(-time.Hour)
	for n := range *many {
		path := filepath.Join(h.folder, fmt.Sprintf("거래처 %03d", n/100), fmt.Sprintf("계약 %05d.txt", n))
		if n%100 == 0 {
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		text := fmt.Sprintf("계약 %d\n", n) + strings.Repeat(fmt.Sprintf("제%d조(보증금) 보증금은 %d만원으로 한다. ", n%9+1, n), 12)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	before, began, worked := heap(), time.Now(), busy()
	id := h.add("")
	v := h.read(*many)
	t.Logf("%d files: first scan %v, %v of work, %d bytes read, %.1f MB more in use", *many, time.Since(began).Round(time.Millisecond), (busy() - worked).Round(time.Millisecond), v.Hashed, float64(int64(heap())-int64(before))/1e6)
	if n := h.reads.Load(); int(n) != *many {
		t.Errorf("%d files were read", n)
	}
	for range 3 {
		began, worked = time.Now(), busy()
		if _, err := h.Rescan(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		h.until(func(v event.LibraryShelf) bool { return v.Looking })
		v = h.until(rests)
		t.Logf("again: %v, %v of work, %d found, %d bytes read", time.Since(began).Round(time.Millisecond), (busy() - worked).Round(time.Millisecond), v.Found, v.Hashed)
		if v.Found != 0 || v.Hashed != 0 || v.Read != *many {
			t.Errorf("%+v", v)
		}
	}
	if n := h.reads.Load(); int(n) != *many {
		t.Errorf("%d files were read", n)
	}
}
