package extract

import (
	"image"
	"math"
	"slices"

	"golang.org/x/image/draw"
)

// A page is read part by part, each of them as one block of even lines (Tesseract's psm 6), because its own analysis of a layout takes the
// even squares of Korean for lines that run down the page, and loses what stands apart from the rest, as the prices of a receipt do
// (docs/adr/0009). Which parts there are is found here: text that runs in columns is read down each of them, and all else across the page,
// so that the row of a table stays a row.

// What text in columns looks like.
const (
	columnLines = 3   // so many lines at least, on either side
	columnWidth = 12  // letters: so wide is a column at least
	columnFull  = 0.7 // of a column's width its lines fill as a rule
	mostBands   = 150
	gap         = 5 // letters: no more white than that stays in a line
)

// piece is a part of a page as it is read.
type piece struct {
	dots *image.Gray
	runs bool // it is running text: lines that fill its width
}

// prepared are the parts of a page, in the order in which they are read.
func prepared(page *image.Gray) (parts []piece) {
	p := evened(page)
	if angle := slant(p); math.Abs(angle) >= leastSlant {
		p = levelled(p, angle)
	}
	t := toned(p)
	letter := heightOf(t)
	if letter == 0 {
		return []piece{{dots: p}}
	}
	if letter < letters {
		p = enlarged(p, float64(aim)/float64(letter))
		t = toned(p)
		letter = max(heightOf(t), 1)
	}
	ruled := unruled(p, t, letter)
	cleared(p, t, letter)
	l := layout{t: t, letter: letter, ruled: ruled}
	whole := l.fitted(t.Rect)
	if whole.Empty() {
		return []piece{{dots: p}}
	}
	boxes := l.parts(whole, 2)
	if len(boxes) == 1 && l.runs(whole) {
		return []piece{{p, true}} // a plain page keeps its own margins
	}
	for _, b := range boxes {
		if l.runs(b) {
			parts = append(parts, piece{l.framed(p, b), true})
			continue
		}
		parts = append(parts, piece{dots: l.drawn(p, b)})
	}
	return parts
}

// enlarged is a page made larger, as far as pages may be.
func enlarged(p *image.Gray, by float64) *image.Gray {
	w, h := float64(p.Rect.Dx()), float64(p.Rect.Dy())
	by = min(by, 3, math.Sqrt(readPixels/(w*h)))
	if by <= 1.1 {
		return p
	}
	out := image.NewGray(image.Rect(0, 0, int(w*by), int(h*by)))
	draw.CatmullRom.Scale(out, out.Rect, p, p.Rect, draw.Src, nil)
	return out
}

// framed is a part of a page as it stands, with white around it.
func (l *layout) framed(p *image.Gray, b image.Rectangle) *image.Gray {
	out := l.sheet(b)
	put(out, image.Pt(l.letter, l.letter), p, b)
	return out
}

// put copies a part of a page to a place on a sheet that has room for it.
func put(out *image.Gray, to image.Point, p *image.Gray, part image.Rectangle) {
	at := to.Sub(part.Min)
	part = part.Intersect(p.Rect).Intersect(out.Rect.Sub(at))
	for y := part.Min.Y; y < part.Max.Y; y++ {
		copy(out.Pix[out.PixOffset(part.Min.X+at.X, y+at.Y):], p.Pix[p.PixOffset(part.Min.X, y):p.PixOffset(part.Max.X, y)])
	}
}

// sheet is room for a part of a page, and a white margin.
func (l *layout) sheet(b image.Rectangle) *image.Gray {
	out := image.NewGray(image.Rect(0, 0, b.Dx()+2*l.letter, b.Dy()+2*l.letter))
	for i := range out.Pix {
		out.Pix[i] = 255
	}
	return out
}

// drawn is a part of a page with white around it, in which nothing stands far apart any more: of the rows that the program makes, those
// with a wide gap are the first to break.
func (l *layout) drawn(p *image.Gray, b image.Rectangle) *image.Gray {
	out := l.sheet(b)
	for _, band := range l.bands(b) {
		band.Min.Y, band.Max.Y = max(band.Min.Y-1, b.Min.Y), min(band.Max.Y+1, b.Max.Y)
		to := l.letter
		for i, s := range l.segments(band, gap*l.letter) {
			if i > 0 {
				to += gap * l.letter
			}
			s.Min.X, s.Max.X = max(s.Min.X-1, b.Min.X), min(s.Max.X+1, b.Max.X)
			put(out, image.Pt(to, l.letter+s.Min.Y-b.Min.Y), p, s)
			to += s.Dx()
		}
	}
	return out
}

// segments are the parts of a band between which so much white stands.
func (l *layout) segments(band image.Rectangle, apart int) (list []image.Rectangle) {
	some := l.inked(band)
	from, last := -1, -1
	for x, s := range some {
		if !s {
			continue
		}
		if from >= 0 && x-last > apart {
			list = append(list, image.Rect(band.Min.X+from, band.Min.Y, band.Min.X+last+1, band.Max.Y))
			from = -1
		}
		if last = x; from < 0 {
			from = x
		}
	}
	if from >= 0 {
		list = append(list, image.Rect(band.Min.X+from, band.Min.Y, band.Min.X+last+1, band.Max.Y))
	}
	return list
}

// inked tells of each column of dots of a part whether it has ink.
func (l *layout) inked(b image.Rectangle) []bool {
	some := make([]bool, b.Dx())
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for i, v := range l.t.Pix[y*l.t.Stride+b.Min.X : y*l.t.Stride+b.Max.X] {
			some[i] = some[i] || v == ink
		}
	}
	return some
}

// layout looks for the parts of a page in two tones.
type layout struct {
	t      *image.Gray
	letter int
	ruled  []image.Rectangle // lines that lay across it
}

// fitted is the part of a box that has ink.
func (l *layout) fitted(b image.Rectangle) (out image.Rectangle) {
	for y := b.Min.Y; y < b.Max.Y; y++ {
		row := l.t.Pix[y*l.t.Stride : y*l.t.Stride+l.t.Rect.Dx()]
		for x := b.Min.X; x < b.Max.X; x++ {
			if row[x] == ink {
				out = out.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return out
}

// parts are the boxes of a part in the order they are read in. more is how often columns may yet be split.
func (l *layout) parts(b image.Rectangle, more int) (list []image.Rectangle) {
	bands := l.bands(b)
	if more == 0 || len(bands) > mostBands {
		return []image.Rectangle{b}
	}
	var plain image.Rectangle
	settle := func() {
		if !plain.Empty() {
			list, plain = append(list, plain), image.Rectangle{}
		}
	}
	for i := 0; i < len(bands); {
		to, left, right := 0, image.Rectangle{}, image.Rectangle{}
		for j := len(bands); j > i && to == 0; j-- {
			if a, c, ok := l.columns(image.Rect(b.Min.X, bands[i].Min.Y, b.Max.X, bands[j-1].Max.Y)); ok {
				to, left, right = j, a, c
			}
		}
		if to == 0 {
			plain = plain.Union(bands[i])
			i++
			continue
		}
		settle()
		list = append(list, l.parts(left, more-1)...)
		list = append(list, l.parts(right, more-1)...)
		i = to
	}
	settle()
	return list
}

// bands are the strips of a part between which no ink stands, over its whole width.
func (l *layout) bands(b image.Rectangle) (list []image.Rectangle) {
	from := -1
	for y := b.Min.Y; y <= b.Max.Y; y++ {
		some := y < b.Max.Y && slices.Contains(l.t.Pix[y*l.t.Stride+b.Min.X:y*l.t.Stride+b.Max.X], ink)
		switch {
		case some && from < 0:
			from = y
		case !some && from >= 0:
			list = append(list, image.Rect(b.Min.X, from, b.Max.X, y))
			from = -1
		}
	}
	return list
}

// columns splits a part at the widest white strip that runs down it, where on both sides of that text runs in lines that fill their width.
func (l *layout) columns(b image.Rectangle) (left, right image.Rectangle, ok bool) {
	if b.Dy() < 2*columnLines*l.letter || b.Dx() < 2*columnWidth*l.letter {
		return left, right, false
	}
	some := l.inked(b)
	widest, at, white := 0, 0, -1
	for x := range some {
		switch {
		case some[x]:
			if white > 0 && x-white > widest {
				widest, at = x-white, white
			}
			white = -1
		case white < 0:
			white = x
		}
	}
	if widest < l.letter {
		return left, right, false
	}
	gutter := image.Rect(b.Min.X+at, b.Min.Y, b.Min.X+at+widest, b.Max.Y)
	if l.crossed(gutter) {
		return left, right, false
	}
	left = l.fitted(image.Rect(b.Min.X, b.Min.Y, gutter.Min.X, b.Max.Y))
	right = l.fitted(image.Rect(gutter.Max.X, b.Min.Y, b.Max.X, b.Max.Y))
	// What stands farther from the other than it is wide is no column of the same text: goods and their prices.
	return left, right, l.column(left) && l.column(right) && widest < min(left.Dx(), right.Dx())
}

// crossed tells whether lines of a table run across a strip.
func (l *layout) crossed(gutter image.Rectangle) bool {
	rows := map[int]bool{}
	for _, r := range l.ruled {
		if r.Min.X <= gutter.Min.X && r.Max.X >= gutter.Max.X && r.Min.Y >= gutter.Min.Y && r.Max.Y <= gutter.Max.Y {
			rows[r.Min.Y/max(l.letter, 1)] = true
		}
	}
	return len(rows) > 1
}

// column tells whether a part is one of those that text runs in: wide enough, its lines whole and full, but for the last of a paragraph.
func (l *layout) column(b image.Rectangle) bool {
	lines, apart, full := l.lines(b)
	return b.Dx() >= columnWidth*l.letter && lines >= columnLines && 5*apart <= lines && full >= columnFull*float64(lines)
}

// runs tells whether a part is running text: next to no line of it has parts that stand apart.
func (l *layout) runs(b image.Rectangle) bool {
	lines, apart, _ := l.lines(b)
	return lines > 0 && 5*apart <= lines
}

// lines counts the lines of a part, and those that have parts that stand apart; full is how much of its width they fill, added up.
func (l *layout) lines(b image.Rectangle) (lines, apart int, full float64) {
	for _, band := range l.bands(b) {
		if band.Dy() < l.letter/2 {
			continue
		}
		lines++
		segments := l.segments(band, 2*l.letter)
		if len(segments) > 1 {
			apart++
		}
		for _, s := range segments {
			full += float64(s.Dx()) / float64(b.Dx())
		}
	}
	return lines, apart, full
}
