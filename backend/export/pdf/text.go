package pdf

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Glyph is one sign of a line: what it looks like, how far the pen goes on, in ems, and the text that it stands for.
type Glyph struct {
	Face    *Face
	ID      uint16
	Advance float64
	Text    string
}

// Style is how a line of glyphs is drawn.
type Style struct {
	Size  float64
	Color Color
	Slant bool // leaning, where a font has no italics
}

// embedded is a face in a file and what the file uses of it.
type embedded struct {
	face  *Face
	means map[uint16]string
	codes []uint16 // of a font that is drawn: the glyphs by their code
}

// most is how many glyphs one drawn font can have.
const most = 256

// use notes that a glyph is used. It gives the number of the font in the file, the glyph's code, and whether the glyph stands for other text elsewhere.
func (f *File) use(g Glyph) (font int, code string, other bool) {
	font = -1
	at := 0
	for i, e := range f.faces {
		if e.face.font != g.Face.font {
			continue
		}
		if e.face.font.tables != nil {
			font = i
			break
		}
		if at = slices.Index(e.codes, g.ID); at >= 0 || len(e.codes) < most {
			font = i
			break
		}
	}
	if font < 0 {
		font = len(f.faces)
		f.faces = append(f.faces, &embedded{face: g.Face, means: map[uint16]string{}})
		at = -1
	}
	e := f.faces[font]
	meant, known := e.means[g.ID]
	if !known {
		e.means[g.ID], meant = g.Text, g.Text
	}
	if e.face.font.tables != nil {
		return font, fmt.Sprintf("%04X", g.ID), meant != g.Text
	}
	if at < 0 || at >= len(e.codes) || e.codes[at] != g.ID {
		at = len(e.codes)
		e.codes = append(e.codes, g.ID)
	}
	return font, fmt.Sprintf("%02X", at), meant != g.Text
}

// Text draws glyphs from x on, on the base line y.
func (p *Page) Text(x, y float64, glyphs []Glyph, s Style) {
	if len(glyphs) == 0 {
		return
	}
	b := &p.front
	_, _ = fmt.Fprintf(b, "BT %s rg ", s.Color.operands())
	slant := "0"
	if s.Slant {
		slant = "0.2"
	}
	_, _ = fmt.Fprintf(b, "1 0 %s 1 %s %s Tm ", slant, number(x), number(p.height-y))
	now := -1
	shown := false
	end := func() {
		if shown {
			b.WriteString("] TJ ")
			shown = false
		}
	}
	for _, g := range glyphs {
		font, code, other := p.file.use(g)
		if font != now {
			end()
			_, _ = fmt.Fprintf(b, "/F%d %s Tf ", font, number(s.Size))
			now = font
		}
		if other {
			end()
			_, _ = fmt.Fprintf(b, "/Span << /ActualText %s >> BDC ", text(g.Text))
		}
		if !shown {
			b.WriteString("[")
			shown = true
		}
		b.WriteString("<" + code + ">")
		if off := g.Face.Advance(g.ID) - g.Advance; off > 0.0005 || off < -0.0005 {
			b.WriteString(number(off * 1000))
		}
		if other {
			end()
			b.WriteString("EMC ")
		}
	}
	end()
	b.WriteString("ET\n")
}

// embed writes a font and gives its object.
func (f *File) embed(e *embedded) int {
	if e.face.font.tables == nil {
		return f.drawn(e)
	}
	ft := e.face.font
	used := make([]uint16, 0, len(e.means))
	for gid := range e.means {
		used = append(used, gid)
	}
	slices.Sort(used)
	whole, child, descriptor, program, unicode := f.reserve(), f.reserve(), f.reserve(), f.reserve(), f.reserve()
	name := "AGCHAT+" + ft.name
	var widths strings.Builder
	for _, gid := range used {
		_, _ = fmt.Fprintf(&widths, "%d [%s] ", gid, number(e.face.Advance(gid)*1000))
	}
	f.object(whole, fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont /%s /Encoding /Identity-H /DescendantFonts [%d 0 R] /ToUnicode %d 0 R >>", name, child, unicode))
	f.object(child, fmt.Sprintf("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /%s /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor %d 0 R /DW 1000 /W [ %s] /CIDToGIDMap /Identity >>",
		name, descriptor, widths.String()))
	f.object(descriptor, fmt.Sprintf("<< /Type /FontDescriptor /FontName /%s /Flags 4 /FontBBox [-500 %d 2000 %d] /ItalicAngle 0 /Ascent %d /Descent %d /CapHeight %d /StemV 80 /FontFile2 %d 0 R >>",
		name, ft.below, ft.ascent, ft.ascent, ft.below, ft.ascent*3/4, program))
	data := ft.subset(used)
	f.stream(program, fmt.Sprintf("/Length1 %d", len(data)), data, false)
	codes := make([]code, len(used))
	for i, gid := range used {
		codes[i] = code{fmt.Sprintf("%04X", gid), e.means[gid]}
	}
	f.stream(unicode, "", toUnicode(codes, "<0000> <FFFF>"), false)
	return whole
}

// drawn writes a font whose glyphs are figures.
func (f *File) drawn(e *embedded) int {
	whole, unicode := f.reserve(), f.reserve()
	var procs, names, widths strings.Builder
	codes := make([]code, len(e.codes))
	for i, gid := range e.codes {
		n := f.reserve()
		_, _ = fmt.Fprintf(&procs, "/g%d %d 0 R ", i, n)
		_, _ = fmt.Fprintf(&names, "/g%d ", i)
		_, _ = fmt.Fprintf(&widths, "%s ", number(e.face.Advance(gid)*1000))
		f.stream(n, "", e.face.figure(gid), false)
		codes[i] = code{fmt.Sprintf("%02X", i), e.means[gid]}
	}
	f.object(whole, fmt.Sprintf("<< /Type /Font /Subtype /Type3 /FontBBox [0 0 0 0] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << %s>> /Encoding << /Type /Encoding /Differences [0 %s] >> /FirstChar 0 /LastChar %d /Widths [%s] /Resources << >> /ToUnicode %d 0 R >>",
		procs.String(), names.String(), len(e.codes)-1, widths.String(), unicode))
	f.stream(unicode, "", toUnicode(codes, "<00> <FF>"), false)
	return whole
}

// figure draws the outlines of a glyph, in thousandths of an em.
func (f *Face) figure(gid uint16) []byte {
	var b bytes.Buffer
	_, _ = fmt.Fprintf(&b, "%s 0 d0\n", number(f.Advance(gid)*1000))
	segments, err := f.font.sfnt.LoadGlyph(&f.buf, sfnt.GlyphIndex(gid), fixed.I(1000), nil)
	if err != nil || len(segments) == 0 {
		return b.Bytes()
	}
	type point struct{ x, y float64 }
	at := func(p fixed.Point26_6) point { return point{float64(p.X) / 64, -float64(p.Y) / 64} }
	put := func(p point) string { return number(p.x) + " " + number(p.y) }
	var pen point
	for i, s := range segments {
		a, c, d := at(s.Args[0]), at(s.Args[1]), at(s.Args[2])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				b.WriteString("h\n")
			}
			b.WriteString(put(a) + " m\n")
			pen = a
		case sfnt.SegmentOpLineTo:
			b.WriteString(put(a) + " l\n")
			pen = a
		case sfnt.SegmentOpQuadTo: // as a curve with two points beside the way
			first := point{pen.x + (a.x-pen.x)*2/3, pen.y + (a.y-pen.y)*2/3}
			second := point{c.x + (a.x-c.x)*2/3, c.y + (a.y-c.y)*2/3}
			b.WriteString(put(first) + " " + put(second) + " " + put(c) + " c\n")
			pen = c
		case sfnt.SegmentOpCubeTo:
			b.WriteString(put(a) + " " + put(c) + " " + put(d) + " c\n")
			pen = d
		}
	}
	b.WriteString("h f\n")
	return b.Bytes()
}

// code is what a font's code means.
type code struct{ code, text string }

// toUnicode tells a viewer which text the codes stand for.
func toUnicode(codes []code, space string) []byte {
	slices.SortFunc(codes, func(a, b code) int { return cmp.Compare(a.code, b.code) })
	var b bytes.Buffer
	b.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n" + space + "\nendcodespacerange\n")
	for part := range slices.Chunk(codes, 100) {
		_, _ = fmt.Fprintf(&b, "%d beginbfchar\n", len(part))
		for _, c := range part {
			_, _ = fmt.Fprintf(&b, "<%s> <", c.code)
			for _, u := range utf16.Encode([]rune(c.text)) {
				_, _ = fmt.Fprintf(&b, "%04X", u)
			}
			b.WriteString(">\n")
		}
		b.WriteString("endbfchar\n")
	}
	b.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return b.Bytes()
}
