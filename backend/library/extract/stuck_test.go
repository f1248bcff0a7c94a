package extract_test

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/extract"
	"agentchat/backend/testing/readertest"
)

// A document whose reading is broken off holds up none that come after it.
func TestABrokenOffDocumentHoldsNobodyUp(t *testing.T) {
	x := extract.New(extract.Limits{}, readertest.Dir())
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := x.Warm(); err != nil {
		t.Fatal(err)
	}
	bomb, plain := put(t, "bomb.pdf", body(stream("/Filter[/FlateDecode/FlateDecode]", again(t, flated(t, "\x00", 3<<30))), font)), put(t, "plain.pdf", pdf("Article 1"))
	for range 2 {
		extract.Within(x, 2*time.Second)
		if _, err := x.Read(t.Context(), bomb); apperr.CodeOf(err) != apperr.DocumentRefused || !strings.Contains(apperr.From(err).Text(bilingual.EN), "too long") {
			t.Fatalf("%v", err)
		}
		extract.Within(x, 2*time.Minute) // as usual, on whatever machine
		if got, err := x.Read(t.Context(), plain); err != nil || !strings.Contains(got.Pages[0], "Article 1") {
			t.Fatalf("the next one: %+v, %v", got, err)
		}
	}
}

// The first PDF waits until the machine is built that reads it, and that is not taken for a document that cannot be read. Building takes
// several seconds where nothing is kept, and far longer than the reading, however busy the machine is.
func TestTheFirstPDFHasItsTime(t *testing.T) {
	file := put(t, "plain.pdf", pdf("Article 1"))
	read := func(x *extract.Extractor) time.Duration {
		t.Helper()
		began := time.Now()
		if got, err := x.Read(t.Context(), file); err != nil || !strings.Contains(got.Pages[0], "Article 1") {
			t.Errorf("%+v, %v", got, err)
		}
		return time.Since(began)
	}
	built, first := extract.New(extract.Limits{}, readertest.Dir()), extract.New(extract.Limits{}, "")
	t.Cleanup(func() {
		if err := errors.Join(built.Close(), first.Close()); err != nil {
			t.Error(err)
		}
	})
	if err := built.Warm(); err != nil {
		t.Fatal(err)
	}
	extract.Within(first, max(2*time.Second, 20*read(built)))
	read(first)
}

// deflated is what so many bytes of a piece, over and over, deflate to: made of one block that says the same as the one before
// it, so that a bomb of gigabytes is built at once.
func deflated(t *testing.T, first, piece string, size int64) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	block := strings.Repeat(piece, 1+(1<<20)/len(piece))
	pack := func(text string) []byte {
		b.Reset()
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		return bytes.Clone(b.Bytes())
	}
	out := append(pack(first+block), bytes.Repeat(pack(block), int(size/int64(len(block))))...)
	b.Reset()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return append(out, b.Bytes()...)
}

// flated is the same as PDF has it: in zlib's wrapping, whose sum at the end no reader waits for.
func flated(t *testing.T, piece string, size int64) []byte {
	return append([]byte{0x78, 0xda}, deflated(t, "", piece, size)...)
}

// again deflates what is deflated already.
func again(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// body is a PDF of one page whose objects from 4 on are given.
func body(objects ...string) []byte {
	var b bytes.Buffer
	var at []int
	b.WriteString("%PDF-1.5\n")
	for i, o := range append([]string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>/XObject<</X0 6 0 R>>>>/Contents 4 0 R>>",
	}, objects...) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, xref)
	return b.Bytes()
}

func stream(entries string, data []byte) string {
	return fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", entries, len(data), data)
}

const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
