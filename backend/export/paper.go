package export

import (
	"fmt"
	"io"
	"strings"

	"agentchat/backend/brief"
	"agentchat/backend/export/pdf"
	"agentchat/backend/language/bilingual"
)

// The colours of the window in its light theme.
const (
	sheet  pdf.Color = 0xfdfbf7
	sunk   pdf.Color = 0xebe6db
	paper  pdf.Color = 0xf4f1ea
	ink    pdf.Color = 0x1f1d19
	ink2   pdf.Color = 0x4f4a41
	ink3   pdf.Color = 0x6b6457
	line   pdf.Color = 0xddd6c7
	strong pdf.Color = 0xb8ae9b
	accent pdf.Color = 0x2c4a8c
	wash   pdf.Color = 0xe3e8f3
)

// The lengths of a page of A4, in points.
const (
	pageWide, pageHigh = 595.28, 841.89
	edge               = 56.0
	top, bottom        = 54.0, 60.0
	step               = 18.0 // of a list or a quote
	textSize           = 10.5
	smallSize          = 8.5
	codeSize           = 8.75
	leading            = 1.55
)

// writePDF writes a document as pages of A4 that look as the window does in its light theme.
func writePDF(w io.Writer, d *Document) error {
	set, err := newSetter()
	if err != nil {
		return err
	}
	defer set.close()
	p := &printer{set: set, file: pdf.New(pdf.Info{Title: visible(d.Title), Producer: "Agent Chat", Lang: localeOf(d), Made: d.Made})}
	p.turnPage()
	at := spot{x: edge, w: pageWide - 2*edge, size: textSize, ink: ink}
	head := at
	head.size = 17
	p.file.Bookmark(1, visible(d.Title), p.y)
	p.paragraph([]Run{{Text: d.Title, Bold: true}}, head)
	if d.Note != "" {
		p.paragraph([]Run{{Text: d.Note}}, at.small())
	}
	p.y += 6
	p.blocks(d.Blocks, at)
	if len(set.lacks) > 0 {
		names := strings.Join(set.lacks, ", ")
		p.y += 6
		p.paragraph([]Run{{Text: bilingual.Say(d.Lang, "이 컴퓨터에 글꼴이 없어 네모로 보이는 글자가 있어요: %s. 글자는 그대로 들어 있어서 복사하면 나와요.", "This computer has no font for some letters, which stand as boxes: %s. They are in the file all the same and can be copied.", names)}}, at.small())
	}
	p.numbers()
	_, err = p.file.WriteTo(w)
	return err
}

// printer puts a document on pages, from above to below.
type printer struct {
	set  *setter
	file *pdf.File
	page *pdf.Page
	y    float64
}

// spot is where something stands, and how it looks.
type spot struct {
	x, w  float64
	size  float64
	ink   pdf.Color
	align Align
	code  bool
	bold  bool
}

func (s spot) small() spot {
	s.size, s.ink = smallSize, ink3
	return s
}

func (s spot) in(by float64) spot {
	s.x, s.w = s.x+by, max(s.w-by, 60)
	return s
}

func (p *printer) turnPage() {
	p.page = p.file.AddPage(pageWide, pageHigh)
	p.page.Fill(0, 0, pageWide, pageHigh, [4]float64{}, sheet)
	p.y = top
}

// room begins another page where so much does not fit on this one.
func (p *printer) room(height float64) {
	if p.y+height > pageHigh-bottom && p.y > top {
		p.turnPage()
	}
}

// numbers puts its number on every page, once it is known how many they are.
func (p *printer) numbers() {
	pages := p.file.Pages()
	for i, page := range pages {
		run := Run{}
		signs := p.set.signs(fmt.Sprintf("%d / %d", i+1, len(pages)), &run, false)
		page.Text((pageWide-length(signs)*smallSize)/2, pageHigh-30, glyphs(signs), pdf.Style{Size: smallSize, Color: ink3})
	}
}

// mark is a place on a page.
type mark struct {
	page int
	y    float64
}

func (p *printer) here() mark { return mark{len(p.file.Pages()) - 1, p.y} }

// behind calls draw for the part of every page that lies between a place and here.
func (p *printer) behind(from mark, draw func(page *pdf.Page, y, h float64, first, last bool)) {
	pages := p.file.Pages()
	for i := from.page; i < len(pages); i++ {
		y, end := top, pageHigh-bottom
		if i == from.page {
			y = from.y
		}
		if i == len(pages)-1 {
			end = p.y
		}
		if end > y {
			draw(pages[i], y, end-y, i == from.page, i == len(pages)-1)
		}
	}
}

func glyphs(line []sign) []pdf.Glyph {
	out := make([]pdf.Glyph, len(line))
	for i, g := range line {
		out[i] = g.Glyph
	}
	return out
}

func (p *printer) blocks(blocks []Block, at spot) {
	for i, b := range blocks {
		if i > 0 {
			p.y += at.size * 0.5
		}
		p.block(b, at)
	}
}

func (p *printer) block(b Block, at spot) {
	switch b := b.(type) {
	case Heading:
		at.size = []float64{15, 13, 11.5, 11, 10.5, 10.5}[min(max(b.Level, 1), 6)-1]
		at.bold = true
		p.y += at.size * 0.4
		p.room(at.size*leading + textSize*2*leading) // not alone at the foot of a page
		p.file.Bookmark(b.Level+2, oneLine(visible(textOf(b.Runs))), p.y)
		p.paragraph(b.Runs, at)
	case Paragraph:
		p.paragraph(b.Runs, at)
	case Code:
		p.box(at, func(in spot) {
			in.code, in.size, in.align = true, codeSize, Left
			p.paragraph([]Run{{Text: b.Text}}, in)
		})
	case Formula:
		at.code, at.size, at.align = true, codeSize+0.75, Center
		p.paragraph([]Run{{Text: b.Text}}, at)
	case Rule:
		p.room(8)
		p.page.Line(at.x, p.y+4, at.x+at.w, p.y+4, 0.75, line)
		p.y += 8
	case Image:
		p.picture(b, at)
	case Quote:
		at.ink = ink2
		p.barred(at, func(in spot) { p.blocks(b.Blocks, in) })
	case Source:
		at.size, at.ink = smallSize+0.5, ink2
		p.barred(at, func(in spot) {
			p.paragraph([]Run{{Text: sourceLine(b), Bold: true}}, in)
			if b.Text != "" {
				p.paragraph([]Run{{Text: b.Text}}, in)
			}
		})
	case List:
		for i, item := range b.Items {
			if i > 0 {
				p.y += at.size * 0.2
			}
			sign := "•"
			if b.Ordered {
				sign = fmt.Sprintf("%d.", b.Start+i)
			}
			p.room(at.size * leading)
			run := Run{}
			dots := p.set.signs(sign, &run, false)
			by := max(step, length(dots)*at.size+5)
			in, x := at.in(by), at.x+by-length(dots)*at.size-5
			if itemRight(item) {
				in.x, x = at.x, at.x+at.w-by+5
			}
			p.page.Text(x, p.y+at.size*1.13, glyphs(dots), pdf.Style{Size: at.size, Color: ink3})
			if len(item) == 0 {
				p.y += at.size * leading
			}
			p.blocks(item, in)
		}
	case Table:
		p.table(b, at)
	case Turn:
		p.turn(b, at)
	}
}

// itemRight tells whether an item of a list begins at the right.
func itemRight(item []Block) bool {
	if len(item) == 0 {
		return false
	}
	text, is := item[0].(Paragraph)
	return is && beginsRight(text.Runs)
}

// paragraph puts text on the page, line by line.
func (p *printer) paragraph(runs []Run, at spot) {
	if at.bold {
		heavy := make([]Run, len(runs))
		for i, r := range runs {
			r.Bold = true
			heavy[i] = r
		}
		runs = heavy
	}
	right := !at.code && beginsRight(runs)
	for _, l := range p.set.lines(runs, at.w/at.size, at.code) {
		high := at.size * leading
		if at.code {
			high = at.size * 1.45
		}
		p.room(high)
		p.line(visual(l, right), right, at, high)
		p.y += high
	}
}

// line draws one line of a paragraph, which begins at the right or the left, and what lies behind or leads from its parts.
func (p *printer) line(signs []sign, right bool, at spot, high float64) {
	x := at.x
	switch free := at.w - length(signs)*at.size; {
	case at.align == Right, right && at.align == Left:
		x += free
	case at.align == Center:
		x += free / 2
	}
	base := p.y + high/2 + at.size*0.355
	for len(signs) > 0 {
		n := 1
		for n < len(signs) && signs[n].run == signs[0].run {
			n++
		}
		part, r := signs[:n], signs[0].run
		signs = signs[n:]
		wide := length(part) * at.size
		style := pdf.Style{Size: at.size, Color: at.ink, Slant: r.Italic}
		if r.Code && !at.code {
			p.page.Fill(x, p.y+high*0.12, wide, high*0.76, [4]float64{2, 2, 2, 2}, sunk)
		}
		if r.Link != "" {
			style.Color = accent
			p.page.Line(x, base+1.6, x+wide, base+1.6, 0.5, accent)
			p.page.Link(x, p.y, wide, high, r.Link)
		}
		if r.Strike {
			p.page.Line(x, base-at.size*0.28, x+wide, base-at.size*0.28, 0.6, style.Color)
		}
		p.page.Text(x, base, glyphs(part), style)
		x += wide
	}
}

// barred puts something behind a bar, as what others said is.
func (p *printer) barred(at spot, put func(spot)) {
	p.room(at.size * leading)
	from := p.here()
	put(at.in(14))
	p.behind(from, func(page *pdf.Page, y, h float64, _, _ bool) {
		page.Fill(at.x, y, 2.25, h, [4]float64{}, strong)
	})
}

// box puts something into a box, as code is.
func (p *printer) box(at spot, put func(spot)) {
	const pad = 8
	p.room(2*pad + codeSize*1.45)
	from := p.here()
	p.y += pad
	in := at.in(pad + 2)
	in.w -= pad + 2
	in.ink = ink
	put(in)
	p.y += pad
	p.behind(from, func(page *pdf.Page, y, h float64, first, last bool) {
		r := corners(4, 4, 4, 4, first, last)
		page.Fill(at.x, y, at.w, h, r, line)
		page.Fill(at.x+0.6, y+0.6, at.w-1.2, h-1.2, r, paper)
	})
}

// corners are the radii of a box that may go on over pages.
func corners(a, b, c, d float64, first, last bool) [4]float64 {
	if !first {
		a, b = 0, 0
	}
	if !last {
		c, d = 0, 0
	}
	return [4]float64{a, b, c, d}
}

// turn puts what somebody said on the page: the person's own words in a bubble at the right, what they are told on the sheet itself.
func (p *printer) turn(t Turn, at spot) {
	const pad = 10
	p.y += 9
	p.room(smallSize*leading + textSize*2*leading + pad)
	who := at.small()
	if t.Mine {
		who.align = Right
	}
	said := ""
	for _, b := range t.Blocks {
		if s, ok := b.(Paragraph); ok {
			said = oneLine(visible(textOf(s.Runs)))
			break
		}
	}
	if t.Mine {
		p.file.Bookmark(2, brief.Cut(said, 60), p.y)
	}
	p.paragraph([]Run{{Text: t.Who, Bold: true}, {Text: joined("  ", t.When)}}, who)
	p.y += 2
	if !t.Mine {
		p.blocks(t.Blocks, at)
	} else if len(t.Blocks) > 0 {
		widest := at.w*0.84 - 2*pad
		in := at
		in.w = min(widest, max(p.natural(t.Blocks, at.size, widest), 8))
		in.x = at.x + at.w - pad - in.w
		from := p.here()
		p.y += 5
		p.blocks(t.Blocks, in)
		p.y += 5
		p.behind(from, func(page *pdf.Page, y, h float64, first, last bool) {
			page.Fill(in.x-pad, y, in.w+2*pad, h, corners(9, 9, 2.5, 9, first, last), wash)
		})
	}
	for _, note := range t.Notes {
		p.y++
		p.paragraph([]Run{{Text: note}}, who)
	}
}

// natural is how wide blocks are that have all the room they want.
func (p *printer) natural(blocks []Block, size, most float64) (wide float64) {
	for _, b := range blocks {
		switch b := b.(type) {
		case Paragraph:
			for _, l := range p.set.lines(b.Runs, most/size, false) {
				wide = max(wide, length(l)*size)
			}
		case Image:
			wide = max(wide, min(float64(b.Width)*0.5, most))
		default:
			return most
		}
	}
	return wide + 0.01
}

func (p *printer) picture(b Image, at spot) {
	if b.Width <= 0 || b.Height <= 0 {
		return
	}
	w := min(float64(b.Width)*0.5, at.w)
	h := w * float64(b.Height) / float64(b.Width)
	if most := (pageHigh - top - bottom) * 0.6; h > most {
		w, h = w*most/h, most
	}
	p.room(h)
	x := at.x
	if at.align == Right {
		x += at.w - w
	}
	p.page.Picture(b.JPEG, b.Width, b.Height, b.Grey, x, p.y, w, h)
	p.y += h
}
