// Package pdf writes PDF files: pages of text in embedded fonts, figures, pictures, links and bookmarks. What is written can be searched
// and copied, whatever it looks like, and the same calls give the same bytes.
package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
)

// Info is what a file says of itself.
type Info struct {
	Title, Producer string
	Lang            string    // such as ko-KR
	Made            time.Time // zero: not told
}

// File is a PDF that is being written. It is not safe for concurrent use.
type File struct {
	info      Info
	pages     []*Page
	faces     []*embedded
	bookmarks []bookmark
	pictures  []picture

	out     bytes.Buffer
	offsets []int
}

// New begins a file.
func New(info Info) *File { return &File{info: info} }

// Color is a colour as 0xRRGGBB.
type Color uint32

func (c Color) operands() string {
	part := func(shift int) string { return number(float64(c>>shift&0xff) / 255) }
	return part(16) + " " + part(8) + " " + part(0)
}

// Page is one page. Lengths are points (1/72 inch), from its upper left corner.
type Page struct {
	file          *File
	width, height float64
	back, front   bytes.Buffer
	links         []link
}

type link struct {
	x, y, w, h float64
	uri        string
}

type bookmark struct {
	title string
	level int
	page  int
	y     float64
}

type picture struct {
	jpeg   []byte
	w, h   int
	grey   bool
	object int
}

// AddPage begins another page.
func (f *File) AddPage(width, height float64) *Page {
	p := &Page{file: f, width: width, height: height}
	f.pages = append(f.pages, p)
	return p
}

// Pages are the pages so far.
func (f *File) Pages() []*Page { return f.pages }

// Bookmark adds a line to the table of contents that viewers show, for the last page. Level counts from 1.
func (f *File) Bookmark(level int, title string, y float64) {
	f.bookmarks = append(f.bookmarks, bookmark{title, level, len(f.pages) - 1, y})
}

// Link makes a part of the page lead to an address.
func (p *Page) Link(x, y, w, h float64, uri string) {
	p.links = append(p.links, link{x, y, w, h, uri})
}

// Fill draws a rectangle with these radii of its corners, clockwise from the upper left one. What is filled lies behind all text and lines of the page.
func (p *Page) Fill(x, y, w, h float64, radii [4]float64, c Color) {
	const k = 0.5523 // how a curve comes close to a quarter of a circle
	b := &p.back
	at := func(dx, dy float64) string { return number(x+dx) + " " + number(p.height-y-dy) }
	r := radii
	for i := range r {
		r[i] = min(r[i], w/2, h/2)
	}
	_, _ = fmt.Fprintf(b, "%s rg %s m %s l ", c.operands(), at(r[0], 0), at(w-r[1], 0))
	curve := func(a, b2, to string) { _, _ = fmt.Fprintf(b, "%s %s %s c ", a, b2, to) }
	curve(at(w-r[1]+k*r[1], 0), at(w, r[1]-k*r[1]), at(w, r[1]))
	_, _ = fmt.Fprintf(b, "%s l ", at(w, h-r[2]))
	curve(at(w, h-r[2]+k*r[2]), at(w-r[2]+k*r[2], h), at(w-r[2], h))
	_, _ = fmt.Fprintf(b, "%s l ", at(r[3], h))
	curve(at(r[3]-k*r[3], h), at(0, h-r[3]+k*r[3]), at(0, h-r[3]))
	_, _ = fmt.Fprintf(b, "%s l ", at(0, r[0]))
	curve(at(0, r[0]-k*r[0]), at(r[0]-k*r[0], 0), at(r[0], 0))
	b.WriteString("h f\n")
}

// Line draws a straight line.
func (p *Page) Line(x1, y1, x2, y2, width float64, c Color) {
	_, _ = fmt.Fprintf(&p.front, "%s RG %s w %s %s m %s %s l S\n", c.operands(), number(width), number(x1), number(p.height-y1), number(x2), number(p.height-y2))
}

// Picture draws a JPEG of so many pixels.
func (p *Page) Picture(jpeg []byte, pixelsWide, pixelsHigh int, grey bool, x, y, w, h float64) {
	i := slices.IndexFunc(p.file.pictures, func(q picture) bool { return bytes.Equal(q.jpeg, jpeg) })
	if i < 0 {
		i = len(p.file.pictures)
		p.file.pictures = append(p.file.pictures, picture{jpeg: jpeg, w: pixelsWide, h: pixelsHigh, grey: grey})
	}
	_, _ = fmt.Fprintf(&p.front, "q %s 0 0 %s %s %s cm /P%d Do Q\n", number(w), number(h), number(x), number(p.height-y-h), i)
}

// number writes a number in as few letters as a page needs.
func number(v float64) string {
	s := fmt.Sprintf("%.3f", v)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" || s == "" {
		return "0"
	}
	return s
}

// text writes a text of the file's own, as a title is.
func text(s string) string {
	out := []byte{0xfe, 0xff}
	for _, u := range utf16.Encode([]rune(s)) {
		out = append(out, byte(u>>8), byte(u)) //nolint:gosec // the two halves of it
	}
	return fmt.Sprintf("<%X>", out)
}

// plain writes a text of ASCII.
func plain(s string) string {
	return "(" + strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`, "\r", "", "\n", "").Replace(s) + ")"
}

func (f *File) reserve() int {
	f.offsets = append(f.offsets, 0)
	return len(f.offsets)
}

func (f *File) object(n int, body string) {
	f.offsets[n-1] = f.out.Len()
	_, _ = fmt.Fprintf(&f.out, "%d 0 obj\n%s\nendobj\n", n, body)
}

// stream writes an object with bytes behind it; packed ones are not packed again.
func (f *File) stream(n int, dict string, data []byte, packed bool) {
	if !packed {
		var b bytes.Buffer
		z, _ := zlib.NewWriterLevel(&b, zlib.BestCompression) // the level is a known one
		_, _ = z.Write(data)                                  // a bytes.Buffer takes all
		_ = z.Close()
		data = b.Bytes()
		dict += " /Filter /FlateDecode"
	}
	f.offsets[n-1] = f.out.Len()
	_, _ = fmt.Fprintf(&f.out, "%d 0 obj\n<< %s /Length %d >>\nstream\n", n, dict, len(data))
	f.out.Write(data)
	f.out.WriteString("\nendstream\nendobj\n")
}

// WriteTo ends the file and writes it.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	f.out.Reset()
	f.offsets = nil
	f.out.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	catalog, tree, info, resources := f.reserve(), f.reserve(), f.reserve(), f.reserve()
	var fonts, objects strings.Builder
	for i, e := range f.faces {
		_, _ = fmt.Fprintf(&fonts, "/F%d %d 0 R ", i, f.embed(e))
	}
	for i := range f.pictures {
		p := &f.pictures[i]
		p.object = f.reserve()
		space := "/DeviceRGB"
		if p.grey {
			space = "/DeviceGray"
		}
		f.stream(p.object, fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace %s /BitsPerComponent 8 /Filter /DCTDecode", p.w, p.h, space), p.jpeg, true)
		_, _ = fmt.Fprintf(&objects, "/P%d %d 0 R ", i, p.object)
	}
	f.object(resources, fmt.Sprintf("<< /Font << %s>> /XObject << %s>> >>", fonts.String(), objects.String()))
	numbers := make([]int, len(f.pages))
	var kids strings.Builder
	for i := range f.pages {
		numbers[i] = f.reserve()
		_, _ = fmt.Fprintf(&kids, "%d 0 R ", numbers[i])
	}
	for i, p := range f.pages {
		f.page(numbers[i], tree, resources, p)
	}
	f.object(tree, fmt.Sprintf("<< /Type /Pages /Count %d /Kids [ %s] >>", len(f.pages), kids.String()))
	outline := f.outline(numbers)
	f.object(catalog, fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R /Lang %s /ViewerPreferences << /DisplayDocTitle true >>%s >>", tree, plain(f.info.Lang), outline))
	about := "<< /Title " + text(f.info.Title) + " /Producer " + text(f.info.Producer)
	if !f.info.Made.IsZero() {
		about += " /CreationDate " + plain(f.info.Made.UTC().Format("D:20060102150405Z"))
	}
	f.object(info, about+" >>")
	start := f.out.Len()
	_, _ = fmt.Fprintf(&f.out, "xref\n0 %d\n0000000000 65535 f \n", len(f.offsets)+1)
	for _, at := range f.offsets {
		_, _ = fmt.Fprintf(&f.out, "%010d 00000 n \n", at)
	}
	_, _ = fmt.Fprintf(&f.out, "trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(f.offsets)+1, catalog, info, start)
	return f.out.WriteTo(w)
}

func (f *File) page(n, tree, resources int, p *Page) {
	content := f.reserve()
	f.stream(content, "", slices.Concat(p.back.Bytes(), p.front.Bytes()), false)
	var links strings.Builder
	for _, l := range p.links {
		_, _ = fmt.Fprintf(&links, "<< /Type /Annot /Subtype /Link /Border [0 0 0] /Rect [%s %s %s %s] /A << /S /URI /URI %s >> >> ",
			number(l.x), number(p.height-l.y-l.h), number(l.x+l.w), number(p.height-l.y), plain(l.uri))
	}
	annots := ""
	if links.Len() > 0 {
		annots = " /Annots [ " + links.String() + "]"
	}
	f.object(n, fmt.Sprintf("<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %s %s] /Resources %d 0 R /Contents %d 0 R%s >>",
		tree, number(p.width), number(p.height), resources, content, annots))
}

// outline writes the bookmarks as a tree and gives what the catalogue says of it.
func (f *File) outline(pages []int) string {
	if len(f.bookmarks) == 0 {
		return ""
	}
	type node struct{ parent, prev, next, first, last, count int }
	root := f.reserve()
	objects := make([]int, len(f.bookmarks))
	nodes := make([]node, len(f.bookmarks))
	top := node{}
	open := []int{} // the way from the root to the line before
	for i, b := range f.bookmarks {
		objects[i] = f.reserve()
		for len(open) > 0 && f.bookmarks[open[len(open)-1]].level >= b.level {
			open = open[:len(open)-1]
		}
		above := &top
		nodes[i].parent = root
		if len(open) > 0 {
			above = &nodes[open[len(open)-1]]
			nodes[i].parent = objects[open[len(open)-1]]
		}
		if above.last != 0 {
			before := slices.Index(objects, above.last)
			nodes[i].prev, nodes[before].next = above.last, objects[i]
		} else {
			above.first = objects[i]
		}
		above.last = objects[i]
		above.count++
		open = append(open, i)
	}
	ref := func(key string, n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprintf(" /%s %d 0 R", key, n)
	}
	for i, b := range f.bookmarks {
		n := nodes[i]
		count := ""
		if n.count > 0 {
			count = fmt.Sprintf(" /Count -%d", n.count)
		}
		f.object(objects[i], fmt.Sprintf("<< /Title %s /Parent %d 0 R%s%s%s%s%s /Dest [%d 0 R /XYZ 0 %s null] >>", text(b.title), n.parent,
			ref("Prev", n.prev), ref("Next", n.next), ref("First", n.first), ref("Last", n.last), count, pages[b.page], number(f.pages[b.page].height-b.y)))
	}
	f.object(root, fmt.Sprintf("<< /Type /Outlines%s%s /Count %d >>", ref("First", top.first), ref("Last", top.last), top.count))
	return fmt.Sprintf(" /Outlines %d 0 R", root)
}
