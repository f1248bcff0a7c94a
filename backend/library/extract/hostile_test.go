package extract_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/library/extract"
)

const (
	bookMain = `<workbook xmlns:r="r"><sheets><sheet name="a" r:id="1"/></sheets></workbook>`
	bookRels = `<Relationships><Relationship Id="1" Target="worksheets/sheet1.xml"/></Relationships>`
	odfHead  = `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:spreadsheet><table:table table:name="a">`
	odfTail  = `</table:table></office:spreadsheet></office:body></office:document-content>`
	laughs   = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>`
)

func book(t *testing.T, sheet string, more ...string) []byte {
	t.Helper()
	return archive(t, append([]string{"xl/workbook.xml", bookMain, "xl/_rels/workbook.xml.rels", bookRels, "xl/worksheets/sheet1.xml", "<worksheet><sheetData>" + sheet + "</sheetData></worksheet>"}, more...)...)
}

func odf(t *testing.T, content string) []byte {
	t.Helper()
	return archive(t, "content.xml", content)
}

func epub(t *testing.T, chapter string, more ...string) []byte {
	t.Helper()
	return archive(t, append([]string{
		"META-INF/container.xml", `<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>`, "a.opf", `<package><manifest><item id="1" href="one.xhtml"/></manifest><spine><itemref idref="1"/></spine></package>`, "one.xhtml", chapter,
	}, more...)...)
}

// noise does not deflate well enough to be told by that.
func noise(n int) string {
	random := rand.New(rand.NewPCG(4, 17))
	text := make([]byte, n)
	for i := range text {
		text[i] = byte('a' + random.IntN(20))
	}
	return string(text)
}

// damaged is a document with four bytes of it changed.
func damaged(data []byte, at int, to uint32) []byte {
	data = bytes.Clone(data)
	binary.LittleEndian.PutUint32(data[at:], to)
	return data
}

// half is the first half of a file that a real program wrote.
func half(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data[:len(data)/2]
}

// What each of these would do to a reader that trusts it: fill its memory, never end, or have it fetch or run something.
func TestHostileFilesAreRefused(t *testing.T) {
	x := extract.New(extract.Limits{FileBytes: 16 << 20, TextBytes: 1 << 20, Pages: 200}, "")
	fine := hangul(1, body5())
	fat, root := len(fine)-512, int(binary.LittleEndian.Uint32(fine[48:])) // its body begins in sector 16
	inner := book(t, "")
	for range 20 {
		inner = archive(t, "a.zip", string(inner))
	}
	many := strings.Builder{}
	for range 3000 {
		many.WriteString("--b\r\nContent-Type: text/plain\r\n\r\nx\r\n")
	}
	nested, open := "From: a@example.com\r\n", ""
	for n := range 60 {
		nested += fmt.Sprintf("Content-Type: multipart/mixed; boundary=b%d\r\n\r\n%s--b%d\r\n", n, open, n)
	}
	shared := "<sst><si><t>" + strings.Repeat("가", 30000) + "</t></si></sst>"
	slide := func(n int) (parts []string) {
		ids := strings.Repeat(`<p:sldId r:id="1"/>`, n)
		return []string{
			"ppt/presentation.xml", `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>` + ids + `</p:sldIdLst></p:presentation>`,
			"ppt/_rels/presentation.xml.rels", `<Relationships><Relationship Id="1" Target="slides/slide1.xml"/></Relationships>`, "ppt/slides/slide1.xml", `<p:sld><a:p><a:t>` + strings.Repeat("x", 30000) + `</a:t></a:p></p:sld>`,
		}
	}
	for name, data := range map[string][]byte{
		"cut.xlsx": half(t, "sales.xlsx"), "cut.ods": half(t, "sales.ods"), "cut.pptx": half(t, "plan.pptx"), "cut.odp": half(t, "plan.odp"), "cut.odt": half(t, "lease.odt"), "cut.epub": half(t, "lease.epub"), "cut.rtf": half(t, "lease.rtf"),
		"laughs.xlsx":   book(t, "", "xl/sharedStrings.xml", laughs+"<sst><si><t>&c;</t></si></sst>"),
		"laughs.ods":    odf(t, laughs+odfHead+odfTail),
		"shared.xlsx":   book(t, strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 2000), "xl/sharedStrings.xml", shared),
		"far.xlsx":      book(t, strings.Repeat(`<row><c r="XFE1"><v>1</v></c><c r="ZZZZZZ9"><v>1</v></c></row>`, 3)+strings.Repeat(`<row><c r="XFD1"><v>1</v></c></row>`, 5000)),
		"deep.xlsx":     book(t, strings.Repeat("<row>", 5000)),
		"outside.xlsx":  archive(t, "xl/workbook.xml", bookMain, "xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="1" TargetMode="External" Target="http://example.com/sheet1.xml"/></Relationships>`),
		"upwards.xlsx":  archive(t, "xl/workbook.xml", bookMain, "xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="1" Target="../../../../etc/passwd"/></Relationships>`),
		"inner.xlsx":    inner,
		"locked.xlsx":   compound(stored{"EncryptedPackage", []byte("x")}),
		"rows.ods":      odf(t, odfHead+`<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"><text:p>bomb</text:p></table:table-cell></table:table-row>`+odfTail),
		"columns.ods":   odf(t, odfHead+`<table:table-row><table:table-cell table:number-columns-repeated="2000000000"><text:p>bomb</text:p></table:table-cell></table:table-row>`+odfTail),
		"sheets.ods":    odf(t, `<office:spreadsheet>`+strings.Repeat(`<table:table table:name="a"></table:table>`, 2000)+`</office:spreadsheet>`),
		"locked.ods":    archive(t, "META-INF/manifest.xml", `<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`, "content.xml", "\x01\x02"),
		"quote.csv":     append([]byte("a,b\n\""), bytes.Repeat([]byte("x,"), 6<<20)...),
		"wide.csv":      bytes.Repeat([]byte(","), 1<<20),
		"zeros.csv":     make([]byte, 1<<20),
		"again.pptx":    archive(t, slide(190)...),
		"slides.pptx":   archive(t, slide(100000)...),
		"none.pptx":     archive(t, "ppt/slides/slide1.xml", "<p:sld/>"),
		"deep.odp":      odf(t, strings.Repeat("<draw:g>", 5000)),
		"drm.epub":      epub(t, "<p>x</p>", "META-INF/encryption.xml", `<encryption><EncryptedData><CipherData><CipherReference URI="one.xhtml"/></CipherData></EncryptedData></encryption>`),
		"spine.epub":    archive(t, "META-INF/container.xml", `<container><rootfile full-path="a.opf"/></container>`, "a.opf", "<package><spine>"+strings.Repeat(`<itemref idref="1"/>`, 20000)+"</spine></package>"),
		"long.epub":     epub(t, "<p>"+noise(3<<20)+"</p>"),
		"deep.rtf":      []byte(`{\rtf1 ` + strings.Repeat("{", 100000)),
		"bin.rtf":       []byte(`{\rtf1 \bin2147483647 x}`),
		"ends.rtf":      []byte(`{\rtf1 }}}}`),
		"words.rtf":     []byte(`{\rtf1 ` + strings.Repeat(`\tab`, 2<<20) + "}"),
		"letters.rtf":   []byte(`{\rtf1 ` + strings.Repeat(`\u44032?`, 1<<20) + "}"),
		"parts.eml":     []byte("From: a@example.com\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" + many.String() + "--b--\r\n"),
		"nested.eml":    []byte(nested),
		"head.eml":      []byte("x: y\r\n\r\nno mail at all"),
		"long.eml":      append([]byte("From: a@example.com\r\n\r\n"), bytes.Repeat([]byte("long "), 1<<20)...),
		"circle.hwp":    damaged(fine, fat+4*root, uint32(root)),
		"nowhere.hwp":   damaged(fine, fat+4*16, 0x00FFFFFF),
		"directory.hwp": damaged(fine, 48, 0x00FFFFF0),
		"difat.hwp":     damaged(fine, 72, 0x7FFFFFFF),
		"minifat.hwp":   damaged(fine, 64, 0x7FFFFFFF),
		"cut.hwp":       fine[:len(fine)/3],
		"notone.hwp":    compound(stored{"FileHeader", []byte("Something else")}, stored{"BodyText/Section0", nil}),
		"nobody.hwp":    compound(stored{"FileHeader", append(append([]byte("HWP Document File"), make([]byte, 15)...), u32(0x05000300, 0)...)}),
		"record.hwp":    hangul(0, append(u32(0x43|0xFFF<<20, 0xFFFFFFF0), make([]byte, 100)...)),
		"unpacks.hwp":   hangul(1, bytes.Repeat(record(0x43, 1, bytes.Repeat([]byte("a\x00"), 1000)), 4000)),
		"skips.hwp":     hangul(1, bytes.Repeat(record(0x10, 1, make([]byte, 4000)), 4000)),
		"deep.hwp": hangul(1, func() (b []byte) {
			for n := range 1000 {
				b = append(b, control(n, "tbl ")...)
			}
			return b
		}()),
		"not.png": []byte("\x89PNG\r\n\x1a\nnothing"), "not.jpg": []byte("\xFF\xD8\xFF\xE1"), "not.webp": []byte("RIFF\x00\x00\x00\x00WEBPVP8 "), "not.bmp": []byte("BM"), "not.tiff": []byte("MM\x00*\xFF\xFF\xFF\xFF"),
	} {
		got, err := x.Read(t.Context(), put(t, name, data))
		if apperr.CodeOf(err) != apperr.DocumentRefused || says(err, "too long") { // for what it is, not for the time it takes
			t.Errorf("%s: %.300q, %v", name, got.Pages, err)
		}
	}
}

// Every reader of a format holds out against whatever a file says. The seeds are files that real programs wrote, and those above.
func fuzz(f *testing.F, ending string, seeds ...[]byte) {
	files, err := filepath.Glob("testdata/*" + ending)
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && len(data) < 64<<10 {
			f.Add(data)
		}
	}
	for _, seed := range seeds {
		f.Add(seed)
	}
	x := extract.New(extract.Limits{FileBytes: 1 << 20, TextBytes: 1 << 18, Pages: 10, Time: 10 * time.Second}, "")
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := x.ReadSoon(t.Context(), put(t, "x"+ending, data))
		if err != nil {
			if code := apperr.CodeOf(err); code != apperr.DocumentRefused && err.Error() != extract.ErrPictures.Error() {
				t.Error(err)
			}
			return
		}
		for _, m := range text.Marks {
			if m.Page >= len(text.Pages) || m.Line > strings.Count(text.Pages[m.Page], "\n") {
				t.Errorf("%+v lies outside of %d pages", m, len(text.Pages))
			}
		}
	})
}

// part has a part of an archive fuzzed, not the zip around it.
func fuzzPart(f *testing.F, ending, name string, around []string, seeds ...string) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	x := extract.New(extract.Limits{FileBytes: 1 << 20, TextBytes: 1 << 18, Pages: 10, Time: 10 * time.Second}, "")
	f.Fuzz(func(t *testing.T, text string) {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i := 0; i < len(around); i += 2 {
			w, _ := z.Create(around[i])
			_, _ = w.Write([]byte(around[i+1]))
		}
		w, _ := z.Create(name)
		_, _ = w.Write([]byte(text))
		_ = z.Close()
		if _, err := x.Read(t.Context(), put(t, "x"+ending, b.Bytes())); err != nil && apperr.CodeOf(err) != apperr.DocumentRefused {
			t.Error(err)
		}
	})
}

func FuzzHangul(f *testing.F) { fuzz(f, ".hwp", hangul(1, body5()), hangul(0, body5())) }

func FuzzHangulBody(f *testing.F) {
	f.Add(body5())
	x := extract.New(extract.Limits{FileBytes: 1 << 20, TextBytes: 1 << 18, Pages: 10, Time: 10 * time.Second}, "")
	f.Fuzz(func(t *testing.T, body []byte) {
		if _, err := x.Read(t.Context(), put(t, "x.hwp", hangul(0, body))); err != nil && apperr.CodeOf(err) != apperr.DocumentRefused {
			t.Error(err)
		}
	})
}

func FuzzRichText(f *testing.F) { fuzz(f, ".rtf", []byte(`{\rtf1\ansicpg949 \'b0\'a1\u45796?\par}`)) }

func FuzzMail(f *testing.F) {
	fuzz(f, ".eml", letter("From: a@example.com", "Content-Type: multipart/mixed; boundary=b", "", "--b", "Content-Type: text/html; charset=euc-kr", "Content-Transfer-Encoding: base64", "", "sKE=", "--b--"))
}

func FuzzCSV(f *testing.F) {
	fuzz(f, ".csv", []byte("sep=;\na;\"b\nc\"\n"), []byte("\xff\xfea\x00,\x00"))
}

func FuzzTIFF(f *testing.F) {
	fuzz(f, ".tiff", append([]byte("II*\x00\x08\x00\x00\x00\x00\x00"), u32(8)...))
}

func FuzzSheet(f *testing.F) {
	fuzzPart(f, ".xlsx", "xl/worksheets/sheet1.xml", []string{"xl/workbook.xml", bookMain, "xl/_rels/workbook.xml.rels", bookRels}, `<row r="3"><c r="B3" t="inlineStr"><is><t>x</t></is></c><c><v>1e9</v></c></row>`)
}

func FuzzODS(f *testing.F) {
	fuzzPart(f, ".ods", "content.xml", nil, odfHead+`<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="1"/></table:table-row>`+odfTail)
}

func FuzzSlides(f *testing.F) {
	fuzzPart(f, ".odp", "content.xml", nil, `<draw:page><draw:frame presentation:class="title"><text:p>x</text:p></draw:frame><presentation:notes><text:p>y</text:p></presentation:notes></draw:page>`)
}

func FuzzBook(f *testing.F) {
	fuzzPart(f, ".epub", "one.xhtml", []string{"META-INF/container.xml", `<container><rootfile full-path="a.opf"/></container>`, "a.opf", `<package><manifest><item id="1" href="one.xhtml"/></manifest><spine><itemref idref="1"/></spine></package>`}, `<html><title/><h1>x</h1><p>y`)
}
