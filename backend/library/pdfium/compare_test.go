package pdfium

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	theirs "github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"

	"agentchat/backend/testing/readertest"
)

// What is carried is what the module has that go.mod names; `make pdfium` brings it up to date.
func TestItIsTheModules(t *testing.T) {
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/klippa-app/go-pdfium").Output()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "webassembly", "pdfium.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := wasm(); err != nil || !bytes.Equal(got, want) {
		t.Errorf("pdfium.wasm.xz is not that of go-pdfium (%v): please run `make pdfium`", err)
	}
}

// document writes a PDF of pages, each of them the content of one.
func document(title string, box string, more string, pages ...string) []byte {
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", "<</Title" + title + ">>"}
	kids := ""
	for _, page := range pages {
		kids += fmt.Sprintf("%d 0 R ", len(objects)+1)
		objects = append(objects,
			fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 %s]/Resources<</Font<</F1 3 0 R>>/ExtGState<</G<</ca .5>>>>>>%s/Contents %d 0 R>>", box, more, len(objects)+2),
			fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(page), page))
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(pages), kids)
	var b bytes.Buffer
	b.WriteString("%PDF-1.5\n")
	at := make([]int, len(objects))
	for i, o := range objects {
		at[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R/Info 4 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, xref)
	return b.Bytes()
}

// The same documents say and show the same as by go-pdfium's own way to PDFium.
func TestTheSameAsTheModulesOwnWay(t *testing.T) {
	words := "BT /F1 12 Tf 20 200 Td (Article 1. Purpose) Tj 0 -20 Td (\\(two lines\\)) Tj ET"
	drawn := "1 0 0 rg 10 10 50 80 re f 0 0 1 RG 5 w 0 0 m 90 120 l S"
	cases := map[string][]byte{
		"words and a drawing": document("(The Lease)", "300 400", "", words, drawn, words+" "+drawn, ""),
		"a Korean title":      document("<FEFFACC4C57DC11C>", "595.28 841.89", "", words),
		"wide":                document("()", "841.89 595.28", "", drawn),
		"square, turned":      document("(x)", "333.3 333.3", "/Rotate 90", words+" "+drawn),
		"transparent":         document("(x)", "200 100", "/Group<</S/Transparency>>", "/G gs "+drawn),
		"a strip":             document("(x)", "14400 1", "", drawn),
		"no page":             document("(x)", "200 100", ""),
		"not a PDF":           []byte("hello"),
		"nothing":             {},
		"cut":                 document("(x)", "200 100", "", words)[:150],
	}
	pool, err := webassembly.Init(webassembly.Config{
		MaxTotal: 1, FSConfig: wazero.NewFSConfig(), Stdout: io.Discard, Stderr: io.Discard, RuntimeConfig: kept(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pool.Close() }()
	engine, err := New(t.Context(), kept(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = engine.Close() }()
	for name, raw := range cases {
		t.Run(name, func(t *testing.T) {
			want, got := theirsOf(t, pool, raw), oursOf(t.Context(), engine, raw)
			if got != want {
				t.Errorf("ours:\n%s\ntheirs:\n%s", got, want)
			}
		})
	}
}

// kept is how both are set up: with what tests keep of what was compiled.
func kept(t *testing.T) wazero.RuntimeConfig {
	t.Helper()
	cache, err := wazero.NewCompilationCacheWithDir(readertest.Dir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cache.Close(context.Background()) })
	return wazero.NewRuntimeConfig().WithCloseOnContextDone(true).WithCompilationCache(cache)
}

const side = 400

// sum tells pictures apart.
func sum(dots []byte) [sha256.Size]byte { return sha256.Sum256(dots) }

func oursOf(ctx context.Context, engine *Engine, raw []byte) string {
	d, err := engine.Open(ctx, bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return "refused"
	}
	defer func() { _ = d.Close() }()
	var b strings.Builder
	count, err := d.Pages()
	fmt.Fprintf(&b, "%d pages (%t) %q\n", count, err == nil, d.Title())
	for i := range count + 1 {
		text, err := d.Text(i)
		objects, _ := d.Objects(i)
		fmt.Fprintf(&b, "%d: %q (%t) %d", i, text, err == nil, objects)
		if shown, err := d.Draw(i, side); err == nil {
			fmt.Fprintf(&b, " %v %x", shown.Rect, sum(shown.Pix))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func theirsOf(t *testing.T, pool theirs.Pool, raw []byte) string {
	t.Helper()
	machine, err := pool.GetInstance(time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = machine.Close() }()
	opened, err := machine.OpenDocument(&requests.OpenDocument{FileReader: bytes.NewReader(raw), FileReaderSize: int64(len(raw))})
	if err != nil {
		return "refused"
	}
	var b strings.Builder
	count, err := machine.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: opened.Document})
	if err != nil {
		t.Fatal(err)
	}
	meta, metaErr := machine.GetMetaData(&requests.GetMetaData{Document: opened.Document, Tags: &[]string{"Title"}})
	title := ""
	if metaErr == nil {
		title = meta.Tags[0].Value
	}
	fmt.Fprintf(&b, "%d pages (%t) %q\n", count.PageCount, true, title)
	for i := range count.PageCount + 1 {
		at := requests.Page{ByIndex: &requests.PageByIndex{Document: opened.Document, Index: i}}
		text, objects := "", 0
		page, err := machine.GetPageText(&requests.GetPageText{Page: at})
		if err == nil {
			text = page.Text
		}
		if found, err := machine.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: at}); err == nil {
			objects = found.Count
		}
		fmt.Fprintf(&b, "%d: %q (%t) %d", i, text, err == nil, objects)
		if shown, err := machine.RenderPageInPixels(&requests.RenderPageInPixels{Page: at, Width: side, Height: side}); err == nil {
			fmt.Fprintf(&b, " %v %x", shown.Result.Image.Rect, sum(shown.Result.Image.Pix))
			shown.Cleanup()
		}
		b.WriteString("\n")
	}
	return b.String()
}
