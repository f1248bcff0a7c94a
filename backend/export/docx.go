package export

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/text/unicode/bidi"

	"agentchat/backend/parcel"
)

//go:embed docx_styles.xml
var docxStyles string

const (
	xmlHead = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"

	docxTypes = xmlHead + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="jpeg" ContentType="image/jpeg"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"/><Override PartName="/word/footer1.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footer+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`

	docxRels = xmlHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`

	docxFooter = xmlHead + `<w:ftr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:p><w:pPr><w:pStyle w:val="Footer"/></w:pPr><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> PAGE </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p></w:ftr>`

	relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
)

// writeDOCX writes a document for Word. It leads to nothing outside but the links that one clicks.
func writeDOCX(w io.Writer, d *Document) error {
	c := docx{links: map[string]string{}}
	c.relate("styles", "styles.xml", false)
	c.relate("numbering", "numbering.xml", false)
	footer := c.relate("footer", "footer1.xml", false)
	c.paragraph(place{style: "Title"}, []Run{{Text: d.Title}})
	if d.Note != "" {
		c.paragraph(place{style: "Note"}, []Run{{Text: d.Note}})
	}
	c.blocks(d.Blocks, place{})
	var body bytes.Buffer
	body.WriteString(xmlHead + `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>`)
	body.Write(c.body.Bytes())
	_, _ = fmt.Fprintf(&body, `<w:sectPr><w:footerReference w:type="default" r:id="%s"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="567" w:footer="567" w:gutter="0"/></w:sectPr></w:body></w:document>`, footer)
	made := ""
	if !d.Made.IsZero() {
		at := d.Made.UTC().Format(time.RFC3339)
		made = fmt.Sprintf(`<dcterms:created xsi:type="dcterms:W3CDTF">%s</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">%s</dcterms:modified>`, at, at)
	}
	core := xmlHead + `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>` +
		parcel.Escape(visible(d.Title)) + `</dc:title><dc:creator>Agent Chat</dc:creator><dc:language>` + parcel.Escape(localeOf(d)) + `</dc:language>` + made + `</cp:coreProperties>`
	parts := []parcel.Part{
		{Name: "[Content_Types].xml", Data: []byte(docxTypes)},
		{Name: "_rels/.rels", Data: []byte(docxRels)},
		{Name: "docProps/core.xml", Data: []byte(core)},
		{Name: "word/document.xml", Data: body.Bytes()},
		{Name: "word/_rels/document.xml.rels", Data: []byte(xmlHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` + c.relations.String() + `</Relationships>`)},
		{Name: "word/styles.xml", Data: []byte(strings.ReplaceAll(docxStyles, "{lang}", localeOf(d)))},
		{Name: "word/numbering.xml", Data: c.numbering()},
		{Name: "word/footer1.xml", Data: []byte(docxFooter)},
	}
	for i, p := range c.pictures {
		parts = append(parts, parcel.Part{Name: fmt.Sprintf("word/media/image%d.jpeg", i+1), Data: p, Packed: true})
	}
	return parcel.Write(w, parts)
}

// localeOf is the language of a document as files name it.
func localeOf(d *Document) string {
	if d.Lang == "ko" {
		return "ko-KR"
	}
	return "en-US"
}

// docx is a document for Word that is being written.
type docx struct {
	body      bytes.Buffer
	relations bytes.Buffer
	count     int
	links     map[string]string // the relation of an address
	starts    []int             // of the ordered lists, their first numbers
	pictures  [][]byte
}

func (c *docx) relate(kind, target string, outside bool) string {
	c.count++
	mode := ""
	if outside {
		mode = ` TargetMode="External"`
	}
	_, _ = fmt.Fprintf(&c.relations, `<Relationship Id="rId%d" Type="%s" Target="%s"%s/>`, c.count, relation+kind, parcel.Escape(target), mode)
	return fmt.Sprintf("rId%d", c.count)
}

// place is where a paragraph stands.
type place struct {
	style  string
	indent int    // in twentieths of a point
	number string // the list that it is an item of
	level  int
	mine   bool
	quote  bool
	align  Align
	bold   bool // of a table's head
}

// The lengths of a Word document, in twentieths of a point.
const (
	docxStep   = 400  // of a list or a quote
	docxBubble = 1540 // left of what the person said
)

func (c *docx) say(format string, args ...any) { _, _ = fmt.Fprintf(&c.body, format, args...) }

func (c *docx) blocks(blocks []Block, at place) {
	for _, b := range blocks {
		c.block(b, at)
	}
}

func (c *docx) block(b Block, at place) {
	switch b := b.(type) {
	case Heading:
		at.style = fmt.Sprintf("Heading%d", min(max(b.Level, 1), 6))
		c.paragraph(at, b.Runs)
	case Paragraph:
		c.paragraph(at, b.Runs)
	case Code:
		at.style = "Code"
		c.paragraph(at, []Run{{Text: b.Text}})
	case Formula:
		at.style = "Formula"
		c.paragraph(at, []Run{{Text: b.Text}})
	case Rule:
		at.style = "Rule"
		c.paragraph(at, nil)
	case Image:
		c.picture(b, at)
	case Quote:
		at.quote, at.indent, at.number = true, at.indent+docxStep, ""
		c.blocks(b.Blocks, at)
	case Source:
		at.style = "Source"
		c.paragraph(at, []Run{{Text: sourceLine(b), Bold: true}, {Text: joined("\n", b.Text)}})
	case List:
		number := "1"
		if b.Ordered {
			c.starts = append(c.starts, b.Start)
			number = fmt.Sprint(len(c.starts) + 1)
		}
		for _, item := range b.Items {
			in := at
			in.indent, in.level = at.indent+docxStep, min(at.level+1, deepest)
			for i, part := range item {
				in.number = ""
				if i == 0 {
					in.number = number
				}
				c.block(part, in)
			}
		}
	case Table:
		c.table(b, at)
	case Turn:
		who := place{style: "Who"}
		if b.Mine {
			who.align, at.mine, at.indent = Right, true, docxBubble
		}
		c.paragraph(who, []Run{{Text: b.Who, Bold: true}, {Text: joined(" ", b.When)}})
		c.blocks(b.Blocks, at)
		for _, note := range b.Notes {
			c.paragraph(place{style: "Note", align: who.align}, []Run{{Text: note}})
		}
	}
}

func (c *docx) paragraph(at place, runs []Run) {
	c.say("<w:p>")
	c.properties(at, textOf(runs))
	for _, r := range runs {
		c.run(r, at)
	}
	c.say("</w:p>")
}

// properties say how a paragraph stands, in the order that the format wants.
func (c *docx) properties(at place, text string) {
	c.say("<w:pPr>")
	if at.style != "" {
		c.say(`<w:pStyle w:val="%s"/>`, at.style)
	}
	if at.number != "" {
		c.say(`<w:numPr><w:ilvl w:val="0"/><w:numId w:val="%s"/></w:numPr>`, at.number)
	}
	if at.quote {
		c.say(`<w:pBdr><w:left w:val="single" w:sz="18" w:space="8" w:color="B8AE9B"/></w:pBdr>`)
	}
	if at.mine {
		c.say(`<w:shd w:val="clear" w:color="auto" w:fill="E3E8F3"/>`)
	}
	rtl := rightToLeft(text)
	if rtl {
		c.say("<w:bidi/>")
	}
	if at.number != "" {
		c.say(`<w:ind w:left="%d" w:hanging="%d"/>`, at.indent, docxStep)
	} else if at.indent > 0 {
		c.say(`<w:ind w:left="%d"/>`, at.indent)
	}
	if align := string(at.align); align != "" {
		if rtl && at.align == Right {
			align = "left" // sides are told from where the text begins
		}
		c.say(`<w:jc w:val="%s"/>`, align)
	}
	c.say("</w:pPr>")
}

func (c *docx) run(r Run, at place) {
	if r.Text == "" {
		return
	}
	if r.Link != "" {
		id, known := c.links[r.Link]
		if !known {
			id = c.relate("hyperlink", r.Link, true)
			c.links[r.Link] = id
		}
		c.say(`<w:hyperlink r:id="%s">`, id)
		defer c.say("</w:hyperlink>")
	}
	c.say("<w:r><w:rPr>")
	switch {
	case r.Link != "":
		c.say(`<w:rStyle w:val="Hyperlink"/>`)
	case r.Code:
		c.say(`<w:rStyle w:val="CodeText"/>`)
	}
	if r.Bold || at.bold {
		c.say("<w:b/><w:bCs/>")
	}
	if r.Italic {
		c.say("<w:i/><w:iCs/>")
	}
	if r.Strike {
		c.say("<w:strike/>")
	}
	if rightToLeft(r.Text) {
		c.say("<w:rtl/>")
	}
	c.say("</w:rPr>")
	for i, line := range strings.Split(visible(r.Text), "\n") {
		if i > 0 {
			c.say("<w:br/>")
		}
		for j, part := range strings.Split(line, "\t") {
			if j > 0 {
				c.say("<w:tab/>")
			}
			if part != "" {
				c.say(`<w:t xml:space="preserve">%s</w:t>`, parcel.Escape(part))
			}
		}
	}
	c.say("</w:r>")
}

func (c *docx) table(t Table, at place) {
	const page = 9638
	width := (page - at.indent) / max(len(t.Aligns), 1)
	c.say(`<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/><w:tblInd w:w="%d" w:type="dxa"/><w:tblBorders><w:bottom w:val="single" w:sz="4" w:space="0" w:color="DDD6C7"/><w:insideH w:val="single" w:sz="4" w:space="0" w:color="DDD6C7"/></w:tblBorders><w:tblLook w:val="0020"/></w:tblPr><w:tblGrid>`, at.indent)
	for range t.Aligns {
		c.say(`<w:gridCol w:w="%d"/>`, width)
	}
	c.say("</w:tblGrid>")
	row := func(cells [][]Run, head bool) {
		c.say("<w:tr><w:trPr><w:cantSplit/>")
		if head {
			c.say("<w:tblHeader/>")
		}
		c.say("</w:trPr>")
		for i, cell := range cells {
			c.say(`<w:tc><w:tcPr><w:tcW w:w="%d" w:type="dxa"/></w:tcPr>`, width)
			c.paragraph(place{style: "Cell", align: t.Aligns[i], bold: head}, cell)
			c.say("</w:tc>")
		}
		c.say("</w:tr>")
	}
	row(t.Head, true)
	for _, r := range t.Rows {
		row(r, false)
	}
	c.say("</w:tbl>")
	c.paragraph(place{style: "After"}, nil) // two tables without a paragraph between them would be one
}

// picture puts in a picture, as wide as it is or as the page.
func (c *docx) picture(p Image, at place) {
	const pixel, widest, highest = 9525, 6120000, 7200000 // in the format's own unit
	w, h := p.Width*pixel, p.Height*pixel
	if w > widest {
		w, h = widest, h*(widest/1000)/(max(w, 1)/1000)
	}
	if h > highest {
		w, h = w*(highest/1000)/(max(h, 1)/1000), highest
	}
	c.pictures = append(c.pictures, p.JPEG)
	n := len(c.pictures)
	id := c.relate("image", fmt.Sprintf("media/image%d.jpeg", n), false)
	c.say("<w:p>")
	at.number = ""
	c.properties(at, "")
	c.say(`<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="%d" cy="%d"/><wp:docPr id="%d" name="%d" descr="%s"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="%d" name="%d"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="%s"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="%d" cy="%d"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`,
		w, h, n, n, parcel.Escape(visible(p.Alt)), n, n, id, w, h)
}

// numbering says how lists count: a kind with dots, and one with numbers of which every list is its own.
func (c *docx) numbering() []byte {
	var b bytes.Buffer
	b.WriteString(xmlHead + `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">` +
		`<w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="singleLevel"/><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/><w:lvlJc w:val="left"/></w:lvl></w:abstractNum>` +
		`<w:abstractNum w:abstractNumId="1"><w:multiLevelType w:val="singleLevel"/><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/><w:lvlJc w:val="left"/></w:lvl></w:abstractNum>` +
		`<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`)
	for i, start := range c.starts {
		_, _ = fmt.Fprintf(&b, `<w:num w:numId="%d"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="%d"/></w:lvlOverride></w:num>`, i+2, start)
	}
	b.WriteString("</w:numbering>")
	return b.Bytes()
}

// rightToLeft says whether a text runs from right to left: whether the first letter that has a direction does.
func rightToLeft(text string) bool {
	for _, r := range text {
		switch p, _ := bidi.LookupRune(r); p.Class() {
		case bidi.R, bidi.AL:
			return true
		case bidi.L:
			return false
		default: // it has no direction of its own
		}
	}
	return false
}
