package export_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"golang.org/x/net/html"

	"agentchat/backend/apperr"
	"agentchat/backend/export"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/extract"
)

// read gives the text that a reader of the kind of file finds in it.
func read(t *testing.T, format string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file."+format)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := reader().Read(t.Context(), path)
	if err != nil {
		t.Fatalf("%s is not read: %v", format, err)
	}
	return squeezed(strings.Join(found.Pages, "\n"))
}

// reader is the library's own, which knows nothing of how these files are written. It keeps nothing on the disk: a folder that it is given is its own, and it may empty it.
var reader = sync.OnceValue(func() *extract.Extractor { return extract.New(extract.Limits{}, "") })

// squeezed is a text with single spaces and without those that a reader puts between letters and signs.
func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

// documents are the kinds of files that hold a whole document.
func documents(yield func(export.Format) bool) {
	for _, f := range export.Formats {
		if !f.TablesOnly && !yield(f) {
			return
		}
	}
}

// Every kind of file says what the document says, in its order, and is the same twice.
func TestEveryKindSaysAll(t *testing.T) {
	t.Parallel()
	for f := range documents {
		t.Run(f.Key, func(t *testing.T) {
			t.Parallel()
			data, err := f.Bytes(sample())
			if err != nil {
				t.Fatal(err)
			}
			text := read(t, f.Key, data)
			for _, want := range told {
				if f.Key == "pdf" && strings.ContainsFunc(want, func(r rune) bool { return r > 0xffff }) {
					continue // the library's reader has no such letters of a PDF; TestThePDFIsRead
				}
				if !strings.Contains(plain(text), plain(want)) {
					t.Errorf("the file lacks %q:\n%s", want, text)
				}
			}
			if again, err := f.Bytes(sample()); err != nil || !bytes.Equal(again, data) {
				t.Errorf("the second file differs: %v", err)
			}
		})
	}
}

// plain takes out what a kind of file writes otherwise: spaces, and marks of Markdown.
func plain(text string) string {
	return strings.NewReplacer(" ", "", `\`, "", "*", "", "`", "").Replace(text)
}

// Half the world's letters come back: emoji of many characters, marks of direction, Hebrew, Arabic, old Hangul, what no font has.
func TestLettersComeBack(t *testing.T) {
	t.Parallel()
	for f := range documents {
		if f.Key == "pdf" {
			continue // TestThePDFIsRead
		}
		data, err := f.Bytes(alphabet())
		if err != nil {
			t.Fatal(err)
		}
		text := read(t, f.Key, data)
		for _, l := range letters {
			if !strings.Contains(text, l) {
				t.Errorf("%s lacks %q (%U):\n%s", f.Key, l, []rune(l), text)
			}
		}
	}
}

var letters = []string{"뷁쉛", "ᄀᆞᆯ", family, "\U0001f1f0\U0001f1f7", "שלום", "مرحبا", "\u200fab", "日本語", "Ωμέγα", "Жук", "𝒳", "\U000e0041", "é", "①②"}

// alphabet has a paragraph of each of the letters.
func alphabet() *export.Document {
	d := &export.Document{Title: "글자", Lang: bilingual.KO}
	for _, l := range letters {
		d.Blocks = append(d.Blocks, export.Plain(l))
	}
	return d
}

// Another reader of PDFs finds every letter too, also those that are drawn as a box or not at all, and the fonts are in the file.
func TestThePDFIsRead(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("pdftotext is not installed: scripts/setup.sh test installs it")
	}
	path := filepath.Join(t.TempDir(), "a.pdf")
	pdf, err := export.FormatOf("pdf")
	if err != nil {
		t.Fatal(err)
	}
	for d, wanted := range map[*export.Document][]string{alphabet(): letters, sample(): told} {
		data, err := pdf.Bytes(d)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), "pdftotext", path, "-").Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wanted {
			// It says itself in which direction a line runs.
			if text := strings.NewReplacer("\u202a", "", "\u202b", "", "\u202c", "").Replace(string(out)); !strings.Contains(plain(squeezed(text)), plain(want)) {
				t.Errorf("pdftotext does not find %q (%U):\n%s", want, []rune(want), out)
			}
		}
		fonts, err := exec.CommandContext(t.Context(), "pdffonts", path).Output()
		if err != nil || !strings.Contains(squeezed(string(fonts)), "Pretendard-Regular CID TrueType Identity-H yes yes yes") {
			t.Errorf("the fonts: %s, %v", fonts, err)
		}
	}
}

// A thousand messages are one file, in their order.
func TestAThousandMessages(t *testing.T) {
	t.Parallel()
	for f := range documents {
		data, err := f.Bytes(long(1000))
		if err != nil {
			t.Fatal(err)
		}
		text := plain(read(t, f.Key, data))
		at := 0
		for _, want := range []string{"메시지0번이에요", "메시지499번이에요", "메시지999번이에요"} {
			next := strings.Index(text[at:], want)
			if next < 0 {
				t.Errorf("%s lacks %q behind the one before", f.Key, want)
				break
			}
			at += next
		}
	}
}

// hostile are words that would do something in a file that let them.
var hostile = []string{
	`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `"><svg onload=alert(1)>`, `</title><script>`, `[x](javascript:alert(1))`, `[y](data:text/html,<script>)`, `![p](http://evil.example/p.png)`,
	`<!--`, `]]>`, `&#x3c;script&#x3e;`, "\x00\x01\x08\x1b[31m", `=HYPERLINK("http://evil.example","x")`, `[z](file:///etc/passwd)`, `[w](\\evil.example\share)`, "<iframe src=http://evil.example>", "(\\)Tj ET /JS (x)",
}

// What is said never becomes markup, a script, a formula or something that is fetched.
func TestHostileWordsDoNothing(t *testing.T) {
	t.Parallel()
	d := &export.Document{Title: strings.Join(hostile[:4], " "), Note: hostile[1], Lang: bilingual.EN}
	for _, h := range hostile {
		d.Blocks = append(d.Blocks, export.Turn{Who: h, When: h, Blocks: append(export.Parse(h), export.Plain(h), export.Code{Lang: h, Text: h}), Notes: []string{h}}, export.Source{Number: 1, Title: h, Text: h})
	}
	for f := range documents {
		data, err := f.Bytes(d)
		if err != nil {
			t.Fatal(err)
		}
		switch f.Key {
		case "html":
			harmlessPage(t, data)
		case "docx":
			harmlessParcel(t, data)
		case "pdf":
			for _, act := range []string{"/JavaScript", "/Launch", "/OpenAction", "/AA", "evil.example"} {
				if bytes.Contains(data, []byte(act)) {
					t.Errorf("the PDF has %s", act)
				}
			}
		case "md":
			for _, to := range links(export.Parse(string(data))) {
				if !strings.HasPrefix(to, "http://evil.example/") { // an address that is said is one, for whoever clicks it
					t.Errorf("it leads to %s", to)
				}
			}
		}
	}
}

// links are the addresses that a document leads to.
func links(blocks []export.Block) (found []string) {
	f, _ := export.FormatOf("html") // it is there
	data, _ := f.Bytes(&export.Document{Blocks: blocks})
	for n := range nodes(data) {
		for _, a := range n.Attr {
			if a.Key == "href" {
				found = append(found, a.Val)
			}
		}
	}
	return found
}

func nodes(page []byte) func(func(*html.Node) bool) {
	root, err := html.Parse(bytes.NewReader(page))
	return func(yield func(*html.Node) bool) {
		if err != nil {
			return
		}
		for n := range root.Descendants() {
			if n.Type == html.ElementNode && !yield(n) {
				return
			}
		}
	}
}

func harmlessPage(t *testing.T, page []byte) {
	t.Helper()
	policy := false
	for n := range nodes(page) {
		if strings.Contains(" script img iframe svg object embed form base link ", " "+n.Data+" ") {
			t.Errorf("the page has a <%s>", n.Data)
		}
		for _, a := range n.Attr {
			policy = policy || a.Key == "content" && strings.HasPrefix(a.Val, "default-src 'none'")
			if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "href" && !strings.HasPrefix(a.Val, "http") {
				t.Errorf("the page has %s=%q", a.Key, a.Val)
			}
		}
	}
	if !policy {
		t.Error("the page has no policy")
	}
}

// harmlessParcel reads every part as XML, which what is said cannot break, and looks for what would be fetched.
func harmlessParcel(t *testing.T, data []byte) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range z.File {
		r, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(r)
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", part.Name, err)
			}
			e, ok := token.(xml.StartElement)
			if !ok || e.Name.Local != "Relationship" {
				continue
			}
			kind, outside := "", false
			for _, a := range e.Attr {
				if a.Name.Local == "Type" {
					kind = a.Value
				}
				outside = outside || a.Value == "External"
			}
			if outside && !strings.HasSuffix(kind, "/hyperlink") {
				t.Errorf("%s: fetched from outside: %v", part.Name, e.Attr)
			}
		}
	}
}

// Markdown that is read again makes the same document.
func TestMarkdownIsReadAgain(t *testing.T) {
	t.Parallel()
	md, _ := export.FormatOf("md")
	for _, text := range []string{reply, "1\\. kein\n\n- a\n  1. b\n\n     c\n- d", "a|b\n\n\\*x\\* `` ` `` \\# h", "| a | b |\n|:-:|---|\n| x\\|y | **z** |", "~~weg~~ *k***f**", "zeile\nzeile  \nzeile"} {
		first := &export.Document{Title: "t", Blocks: export.Parse(text)}
		once, err := md.Bytes(first)
		if err != nil {
			t.Fatal(err)
		}
		body := func(data []byte) string { return strings.TrimPrefix(string(data), "# t\n") }
		again, err := md.Bytes(&export.Document{Title: "t", Blocks: export.Parse(body(once))})
		if err != nil || body(again) != body(once) {
			t.Errorf("%q became otherwise when it was read again (%v):\n%s", text, err, udiff.Unified("once", "again", string(once), string(again)))
		}
	}
}

// LibreOffice opens what is made and reads the same in it.
func TestLibreOfficeReadsIt(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("soffice"); err != nil {
		t.Skip("LibreOffice is not installed: scripts/setup.sh test installs it")
	}
	dir := t.TempDir()
	for _, key := range []string{"docx", "html"} {
		f, err := export.FormatOf(key)
		if err != nil {
			t.Fatal(err)
		}
		data, err := f.Bytes(sample())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, key+"."+key), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.CommandContext(t.Context(), "soffice", "-env:UserInstallation=file://"+filepath.Join(dir, "profile"), "--headless", "--convert-to", "txt:Text (encoded):UTF8", "--outdir", filepath.Join(dir, "out"),
		filepath.Join(dir, "docx.docx"), filepath.Join(dir, "html.html")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, key := range []string{"docx", "html"} {
		text, err := os.ReadFile(filepath.Join(dir, "out", key+".txt"))
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for _, want := range told {
			if strings.Contains(plain(string(text)), plain(want)) {
				continue
			}
			t.Errorf("%s: LibreOffice does not read %q:\n%s", key, want, text)
		}
	}
}

// What has no table makes no file of tables.
func TestTablesAlone(t *testing.T) {
	t.Parallel()
	csv, err := export.FormatOf("csv")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := csv.Bytes(&export.Document{Blocks: export.Parse("no table")}); apperr.CodeOf(err) != apperr.NothingToExport {
		t.Errorf("without a table: %v", err)
	}
	data, err := csv.Bytes(sample())
	if err != nil || !strings.Contains(string(data), "출발,도착\r\n09:00,12:40\r\n") {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := export.FormatOf("exe"); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Errorf("a kind that is none: %v", err)
	}
}

// Whatever a model writes, every kind of file is made of it.
func FuzzAnyReply(f *testing.F) {
	for _, seed := range append(hostile, reply, "$$\n\\frac{1}{2}\n$$", "- - - 1. > # x", strings.Repeat("> ", 50)+"x", "\u202eabc\u202c", "| a |\n|---|\n|") {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := &export.Document{Title: text, Blocks: append(export.Parse(text), export.Plain(text), export.Code{Text: text})}
		for as := range documents {
			data, err := as.Bytes(d)
			if err != nil || len(data) == 0 {
				t.Fatalf("%s: %v", as.Key, err)
			}
			if as.Key == "docx" {
				harmlessParcel(t, data)
			}
		}
	})
}
