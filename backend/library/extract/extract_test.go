package extract_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/korean"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/extract"
	"agentchat/backend/testing/readertest"
)

// put writes a file and gives its path.
func put(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// archive is a zip of parts.
func archive(t *testing.T, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err == nil {
			_, err = w.Write([]byte(parts[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const (
	wordHead = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`
	wordTail = `</w:body></w:document>`
	hwpHead  = `<?xml version="1.0"?><hs:sec xmlns:hs="http://www.hancom.co.kr/hwpml/2011/section" xmlns:hp="http://www.hancom.co.kr/hwpml/2011/paragraph">`
)

func word(paragraphs ...string) string {
	var b strings.Builder
	for _, p := range paragraphs {
		fmt.Fprintf(&b, `<w:p><w:r><w:t xml:space="preserve">%s</w:t></w:r></w:p>`, p)
	}
	return wordHead + b.String() + wordTail
}

// pdf writes a document of pages, in Latin letters.
func pdf(pages ...string) []byte {
	var b bytes.Buffer
	var at []int
	object := func(format string, args ...any) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n"+format+"\nendobj\n", append([]any{len(at)}, args...)...)
	}
	b.WriteString("%PDF-1.4\n")
	kids := ""
	for i := range pages {
		kids += fmt.Sprintf("%d 0 R ", 5+2*i)
	}
	object("<</Type/Catalog/Pages 2 0 R>>")
	object("<</Type/Pages/Count %d/Kids[%s]>>", len(pages), kids)
	object("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
	object("<</Title(The Lease)>>")
	for i, p := range pages {
		object("<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents %d 0 R>>", 6+2*i)
		stream := "BT /F1 12 Tf 14 TL 72 720 Td "
		for line := range strings.SplitSeq(p, "\n") {
			stream += fmt.Sprintf("(%s) Tj T* ", line)
		}
		stream += "ET"
		object("<</Length %d>>stream\n%s\nendstream", len(stream), stream)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R/Info 4 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, xref)
	return b.Bytes()
}

func TestRead(t *testing.T) {
	x := extract.New(extract.Limits{}, readertest.Dir())
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	cp949, err := korean.EUCKR.NewEncoder().String("제1조(목적) 옛 글자")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data  []byte
		title string
		pages []string // a part of each
	}{
		"a.txt":  {[]byte("제1조(목적)\r\n본문"), "", []string{"제1조(목적)\n본문"}},
		"b.txt":  {[]byte(cp949), "", []string{"제1조(목적) 옛 글자"}},
		"c.txt":  {append([]byte{0xEF, 0xBB, 0xBF}, "표시"...), "", []string{"표시"}},
		"d.txt":  {[]byte("첫째\f둘째"), "", []string{"첫째", "둘째"}},
		"e.md":   {[]byte("# 제목\n본문\x00\x07"), "", []string{"# 제목\n본문"}},
		"f.html": {[]byte("<html><head><title>안내 &amp; 규정</title><style>x{}</style><script>alert(1)</script></head><body><h1>제1조</h1><p>본문 <b>굵게</b></p><p>둘째&nbsp;문단</body>"), "안내 & 규정", []string{"제1조\n\n본문 굵게\n\n둘째 문단"}},
		"g.docx": {archive(t, "word/document.xml", word("제1조(목적)", "본문 &amp; 부칙"), "docProps/core.xml", `<c xmlns:dc="d"><dc:title>근로계약서</dc:title></c>`), "근로계약서", []string{"제1조(목적)\n본문 & 부칙\n"}},
		"h.docx": {archive(t, "word/document.xml", wordHead+`<w:p><w:r><w:t>첫째</w:t><w:br w:type="page"/><w:t>둘째</w:t></w:r></w:p>`+wordTail), "", []string{"첫째", "둘째"}},
		"i.hwpx": {archive(t, "Contents/section0.xml", hwpHead+`<hp:p><hp:run><hp:t>제1조(목적)</hp:t></hp:run></hp:p><hp:p pageBreak="1"><hp:run><hp:t>본문<hp:lineBreak/>줄</hp:t></hp:run></hp:p></hs:sec>`,
			"Contents/section10.xml", hwpHead+`<hp:p><hp:run><hp:t>열째</hp:t></hp:run></hp:p></hs:sec>`, "Contents/section2.xml", hwpHead+`<hp:p><hp:run><hp:t>셋째</hp:t></hp:run></hp:p></hs:sec>`), "", []string{"제1조(목적)", "본문\n줄\n셋째\n열째"}},
		"j.pdf": {pdf("Article 1. Purpose\nThis is the purpose.", "Article 2. Term\nOne year."), "The Lease", []string{"Article 1. Purpose\nThis is the purpose.", "Article 2. Term\nOne year."}},
	} {
		got, err := x.Read(t.Context(), put(t, name, c.data))
		if err != nil || got.Title != c.title || len(got.Pages) != len(c.pages) {
			t.Errorf("%s: %+v, %v", name, got, err)
			continue
		}
		for i, want := range c.pages {
			if !strings.Contains(got.Pages[i], want) {
				t.Errorf("%s, page %d: %q", name, i+1, got.Pages[i])
			}
		}
	}
}

// Hostile and broken files are refused with a reason, in a sentence of each language, and harm nothing.
func TestRefusals(t *testing.T) {
	x := extract.New(extract.Limits{FileBytes: 4 << 20, TextBytes: 1 << 20, Pages: 20}, readertest.Dir())
	t.Cleanup(func() { _ = x.Close() })
	bomb := archive(t, "word/document.xml", wordHead+strings.Repeat("<w:p><w:r><w:t>"+strings.Repeat("가", 1000)+"</w:t></w:r></w:p>", 4000)+wordTail)
	many := make([]string, 0, 12000)
	for i := range 6000 {
		many = append(many, fmt.Sprintf("word/%d.xml", i), "x")
	}
	for name, data := range map[string][]byte{
		"empty.txt":     nil,
		"blank.txt":     []byte(" \n\t\n"),
		"big.txt":       bytes.Repeat([]byte("a"), 5<<20),
		"long.txt":      bytes.Repeat([]byte("a "), 1<<20),
		"pages.txt":     bytes.Repeat([]byte("a\f"), 100),
		"picture.gif":   []byte("x"),
		"not.docx":      []byte("PK\x03\x04 broken"),
		"empty.docx":    archive(t, "other.xml", "x"),
		"bomb.docx":     bomb,
		"many.docx":     archive(t, many...),
		"entity.docx":   archive(t, "word/document.xml", `<!DOCTYPE x [<!ENTITY a "aaaa">]>`+word("&a;")),
		"deep.docx":     archive(t, "word/document.xml", wordHead+strings.Repeat("<w:p>", 5000)),
		"cut.docx":      archive(t, "word/document.xml", wordHead+"<w:p><w:t>x"),
		"deep.hwpx":     archive(t, "Contents/section0.xml", hwpHead+strings.Repeat("<hp:p>", 5000)),
		"broken.pdf":    []byte("%PDF-1.4\n1 0 obj\n<</Type/Catalog"),
		"not.pdf":       []byte("hello"),
		"cut.pdf":       pdf("Some text")[:200],
		"manypages.pdf": pdf(strings.Split(strings.Repeat("a,", 30)+"a", ",")...),
	} {
		path := put(t, name, data)
		got, err := x.Read(t.Context(), path)
		var e *apperr.Error
		if !errors.As(err, &e) || e.Code != apperr.DocumentRefused {
			t.Errorf("%s was taken: %d pages, %v", name, len(got.Pages), err)
			continue
		}
		if ko, en := e.Text(bilingual.KO), e.Text(bilingual.EN); !strings.Contains(ko, name) || !strings.Contains(en, name) || strings.Contains(ko+en, "{") || ko == en {
			t.Errorf("%s: %q, %q", name, ko, en)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, data) {
			t.Errorf("%s was changed: %v", name, err)
		}
	}
	if _, err := x.Read(t.Context(), filepath.Join(t.TempDir(), "gone.txt")); apperr.CodeOf(err) != apperr.DocumentRefused {
		t.Error(err)
	}
	if _, err := x.Read(t.Context(), t.TempDir()); apperr.CodeOf(err) != apperr.DocumentRefused {
		t.Error(err)
	}
	// What a person can do something about is said.
	ratio := archive(t, "word/document.xml", wordHead+strings.Repeat(" ", 3<<20)+wordTail)
	for name, want := range map[string]struct {
		data []byte
		says string
	}{
		"bomb.docx":   {ratio, "터무니없이 커지는"},
		"locked.docx": {[]byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and more"), "암호가 걸려"},
		"old.hwp":     {[]byte("x"), "망가졌거나"},
		"old.doc":     {[]byte("x"), "DOCX로 저장"},
	} {
		_, err := x.Read(t.Context(), put(t, name, want.data))
		var e *apperr.Error
		if !errors.As(err, &e) || !strings.Contains(e.Text(bilingual.KO), want.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Read(ctx, put(t, "x.docx", archive(t, "word/document.xml", word("x")))); err == nil {
		t.Error("read after its context ended")
	}
	if got, err := x.Read(t.Context(), put(t, "fine.pdf", pdf("Still works"))); err != nil || !strings.Contains(got.Pages[0], "Still works") {
		t.Errorf("after all that: %+v, %v", got, err)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.txt", "a.md", "c.gif", ".hidden.txt", "sub/d.html", ".git/e.txt"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	got, err := extract.Files(dir, 100)
	for i := range got {
		got[i], _ = filepath.Rel(dir, got[i])
	}
	if err != nil || strings.Join(got, " ") != filepath.FromSlash("a.md b.txt sub/d.html") {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := extract.Files(dir, 2); apperr.CodeOf(err) != apperr.DocumentRefused {
		t.Error(err)
	}
	if _, err := extract.Files(filepath.Join(dir, ".git"), 2); err != nil {
		t.Error(err) // a hidden folder that a person names is what they mean
	}
	if _, err := extract.Files(filepath.Join(dir, "gone"), 2); apperr.CodeOf(err) != apperr.DocumentRefused {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("a.docx", []byte("PK\x03\x04"))
	f.Add("a.html", []byte("<p>x</p><script>"))
	f.Add("a.txt", []byte("\xff\xfea"))
	x := extract.New(extract.Limits{FileBytes: 1 << 20, TextBytes: 1 << 18, Pages: 10}, "")
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		kind := filepath.Ext(name)
		if kind == ".pdf" || !extract.Known("x"+kind) {
			return
		}
		text, err := x.Read(t.Context(), put(t, "x"+kind, data))
		if err != nil {
			if apperr.CodeOf(err) != apperr.DocumentRefused {
				t.Error(err)
			}
			return
		}
		for _, p := range text.Pages {
			if strings.ContainsAny(p, "\x00\r\x1b") || !strings.Contains(strings.ToValidUTF8(p, "?"), p) {
				t.Errorf("%q", p)
			}
		}
	})
}
