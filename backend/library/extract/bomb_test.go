//go:build !race

// How much memory and time a bomb takes is measured in the program as people have it: what the race detector takes beside it,
// and never gives back, would be counted, too.

package extract_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/library/extract"
	"agentchat/backend/testing/breadth"
	"agentchat/backend/testing/readertest"
)

// bombEnv tells this program that it was started to read the files of a folder.
const bombEnv = "AGENTCHAT_EXTRACT_FILES"

// eaten is what reading a file in a process of its own came to. Took is of the processor, which others may want as well. Peak and Left are
// bytes of memory more than before: at the highest, and once it was over.
type eaten struct {
	Name       string
	Code       apperr.Code
	Text       string
	Took       time.Duration
	Peak, Left int64
}

// Not a test by itself: the process in which bombs go off, one after the other.
func TestReadsInAChild(t *testing.T) {
	dir := os.Getenv(bombEnv)
	if dir == "" {
		return
	}
	x := extract.New(extract.Limits{}, readertest.Dir())
	// The machine that reads PDF is built first: what it costs is no part of what a file costs.
	if err := x.Warm(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	var list []eaten
	for _, file := range files {
		debug.FreeOSMemory()
		if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil { // the peak begins anew
			t.Fatal(err)
		}
		before, began := memory(t, "VmRSS:"), worked(t)
		_, err := x.Read(t.Context(), file)
		e := eaten{Name: filepath.Base(file), Code: apperr.CodeOf(err), Took: worked(t) - began, Peak: memory(t, "VmHWM:") - before}
		debug.FreeOSMemory() // what is still held, not what the collector has not looked at yet
		e.Left = memory(t, "VmRSS:") - before
		if err != nil {
			e.Text, _, _ = strings.Cut(err.Error(), "\n")
		}
		list = append(list, e)
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "out"), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// memory is how much of it this process has or had, in bytes.
func memory(t *testing.T, line string) int64 {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(l, line); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kb << 10
		}
	}
	t.Fatalf("no %s", line)
	return 0
}

// worked is how much of the processor this process has had.
func worked(t *testing.T) time.Duration {
	t.Helper()
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // from the third on, see proc(5)
	var sum time.Duration
	for _, field := range fields[14-3 : 14-3+2] { // its own and the kernel's
		ticks, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += time.Duration(ticks) * time.Second / 100
	}
	return sum
}

// sample gives those that go off in every run, and of those that fill the memory of the machine that reads PDF, which takes seconds, one with -short.
func sample() []string {
	machine := breadth.Some([]string{"zeros.pdf", "laughs.pdf", "objects.pdf"}, 1)
	return append(machine, "word.docx", "liar.docx", "many.hwpx", "tokens.docx", "listing.docx", "tags.html", "comment.html", "feeds.txt", "marks.md")
}

// A small file that unpacks to gigabytes, or takes for ever, is refused: soon, with a reason, and without taking what others need.
func TestBombs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux says how much memory a process took")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	some := sample()
	for name, build := range bombs(t) {
		if *full || slices.Contains(some, name) {
			if err := os.WriteFile(filepath.Join(dir, name), build(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	child := exec.CommandContext(t.Context(), self, "-test.run=^TestReadsInAChild$")
	child.Env = append(os.Environ(), bombEnv+"="+dir)
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	var list []eaten
	if err := json.Unmarshal(text, &list); err != nil || len(list) == 0 {
		t.Fatalf("%s: %v", text, err)
	}
	for _, e := range list {
		// The machine may have 256 MB; while it grows, what it had before is there, too.
		peak := int64(1 << 30)
		if !strings.HasSuffix(e.Name, ".pdf") {
			peak = 512 << 20
		}
		t.Logf("%s: %v, at most %d MB, %d MB when it was over: %s", e.Name, e.Took, e.Peak>>20, e.Left>>20, e.Text)
		if e.Code != apperr.DocumentRefused || e.Took > time.Minute || e.Peak > peak || e.Left > 64<<20 {
			t.Errorf("%s: %+v", e.Name, e)
		}
	}
}

// archiveFrom is a zip of one part that says of itself what it likes.
func archiveFrom(t *testing.T, name string, data []byte, says uint64) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, UncompressedSize64: says, CompressedSize64: uint64(len(data))})
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bombs are small files that unpack to far too much, or take for ever.
func bombs(t *testing.T) map[string]func() []byte {
	const once, twice = "/Filter/FlateDecode", "/Filter[/FlateDecode/FlateDecode]"
	thrice := func(piece string, size int64) []byte { return again(t, flated(t, piece, size)) }
	laughs := func() []byte {
		forms := []string{stream("", []byte("/X0 Do")), font}
		for i := range 12 { // every form shows the next ten times
			forms = append(forms, stream(fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X0 %d 0 R>>>>", min(7+i, 17)), []byte(strings.Repeat("/X0 Do ", 10))))
		}
		return body(forms...)
	}
	const words = wordHead + "<w:p><w:r><w:t>"
	return map[string]func() []byte{
		"zeros.pdf":   func() []byte { return body(stream(twice, thrice("\x00", 3<<30)), font) },
		"spaces.pdf":  func() []byte { return body(stream(once, flated(t, " ", 1<<30)), font) },
		"text.pdf":    func() []byte { return body(stream(twice, thrice("BT /F1 9 Tf (aaaaaaaa) Tj ET ", 1<<30)), font) },
		"numbers.pdf": func() []byte { return body(stream(twice, thrice("1 2 3 4 5 6 m l q ", 1<<30)), font) },
		"laughs.pdf":  laughs,
		"font.pdf": func() []byte {
			return body(stream("", []byte("BT /F1 9 Tf (aaaa) Tj ET")), "<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/ToUnicode 6 0 R/DescendantFonts[7 0 R]>>",
				stream(twice, thrice("<00> <ff> <41> ", 2<<30)), "<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(A)/Ordering(B)/Supplement 0>>>>")
		},
		"objects.pdf": func() []byte {
			return body(stream("/Type/ObjStm/N 100000/First 10"+twice, thrice("7 0 ", 2<<30)), font)
		},
		"word.docx": func() []byte {
			return archiveFrom(t, "word/document.xml", deflated(t, words, "가나다", 2<<30), 2<<30)
		},
		"liar.docx": func() []byte {
			return archiveFrom(t, "word/document.xml", deflated(t, words, "가나다", 2<<30), 1000)
		},
		"hangul.hwpx": func() []byte {
			return archiveFrom(t, "Contents/section0.xml", deflated(t, hwpHead, "<hp:p>", 2<<30), 1000)
		},
		"name.docx": func() []byte {
			return archiveFrom(t, "word/document.xml", deflated(t, wordHead+"<w:p ", "a", 2<<30), 1000)
		},
		"comment.hwpx": func() []byte {
			return archiveFrom(t, "Contents/section0.xml", deflated(t, hwpHead+"<!-- ", "a", 2<<30), 1000)
		},
		"many.hwpx": func() []byte { return many(t) },
		"tokens.docx": func() []byte {
			return packed(t, wordHead+"<!-- "+noise(100<<20)+" -->", flate.HuffmanOnly, "word/document.xml")
		},
		"listing.docx":  func() []byte { return listing(4_000_000) },
		"comment.html":  func() []byte { return append([]byte("<p>a<!-- "), bytes.Repeat([]byte("a"), 60<<20)...) },
		"entities.html": func() []byte { return bytes.Repeat([]byte("<p>&amp;&lt;"), 6<<20) },
		"tags.html":     func() []byte { return bytes.Repeat([]byte("<td>"), 15<<20) },
		"long.txt":      func() []byte { return bytes.Repeat([]byte("\xff\xfe가"), 12<<20) },
		"feeds.txt":     func() []byte { return bytes.Repeat([]byte("\f"), 60<<20) },
		"marks.md":      func() []byte { return append([]byte{0xff, 0xfe}, bytes.Repeat([]byte{0, 0xac}, 30<<20)...) },
	}
}

// listing is an archive that says it holds so many parts.
func listing(n int) []byte {
	entry := append([]byte("PK\x01\x02"), make([]byte, 42)...)
	out := bytes.Repeat(entry, n)
	end := append([]byte("PK\x05\x06"), make([]byte, 18)...)
	binary.LittleEndian.PutUint16(end[8:], uint16(n))
	binary.LittleEndian.PutUint16(end[10:], uint16(n))
	binary.LittleEndian.PutUint32(end[12:], uint32(len(out)))
	return append(out, end...)
}

// many are sections that each hold as much as one may.
func many(t *testing.T) []byte {
	var names []string
	for i := range 40 {
		names = append(names, fmt.Sprintf("Contents/section%d.xml", i))
	}
	return packed(t, hwpHead+strings.Repeat("<hp:p>"+noise(7)+"</hp:p>", 1<<20)+"</hs:sec>", flate.BestCompression, names...)
}

// packed is a zip of parts that all hold the same text, which is packed once.
func packed(t *testing.T, text string, level int, names ...string) []byte {
	t.Helper()
	var part, b bytes.Buffer
	w, err := flate.NewWriter(&part, level)
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	if err == nil {
		err = w.Close()
	}
	z := zip.NewWriter(&b)
	for _, name := range names {
		var w io.Writer
		if err == nil {
			w, err = z.CreateRaw(&zip.FileHeader{
				Name: name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE([]byte(text)), UncompressedSize64: uint64(len(text)), CompressedSize64: uint64(part.Len()),
			})
		}
		if err == nil {
			_, err = w.Write(part.Bytes())
		}
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
