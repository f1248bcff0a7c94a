package extract

import (
	"image"
	"math"
	"slices"

	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"
)

// What is done to a page before it is read: uneven light is evened, slanted lines are laid level, small letters are made larger and the
// lines of tables are taken away, which the program otherwise takes for letters.

const (
	mostSlant  = 15.0 // degrees that a photo may be slanted
	leastSlant = 0.4  // less does no harm, and to turn a page blurs it
	ink        = 1    // a dot of a page in two tones
	letters    = 18   // dots; smaller letters are made larger
	aim        = 38   // dots that letters have then
)

// evened is a page whose paper is white everywhere, whatever shadow lay on it. What is much darker than the paper stays dark: it is
// printed so, perhaps with white letters in it.
func evened(p *image.Gray) *image.Gray {
	w, h := p.Rect.Dx(), p.Rect.Dy()
	side := max(16, min(w, h)/32)
	cols, rows := (w+side-1)/side, (h+side-1)/side
	paper := make([]float64, cols*rows)
	for r := range rows {
		for c := range cols {
			var seen [256]int
			n := 0
			for y := r * side; y < min((r+1)*side, h); y++ {
				for _, v := range p.Pix[y*p.Stride+c*side : y*p.Stride+min((c+1)*side, w)] {
					seen[v]++
					n++
				}
			}
			light, left := 255, n/8
			for ; light > 0 && left >= seen[light]; light-- {
				left -= seen[light]
			}
			paper[r*cols+c] = float64(light)
		}
	}
	usual := slices.Clone(paper)
	slices.Sort(usual)
	dark := usual[len(usual)/2] / 2
	if usual[len(usual)-1] == 0 || usual[len(usual)/20] >= 250 {
		return p
	}
	for i := range paper {
		paper[i] = max(paper[i], dark, 1)
	}
	at := func(c, r int) float64 {
		return paper[min(max(r, 0), rows-1)*cols+min(max(c, 0), cols-1)]
	}
	out := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		fy := (float64(y)+0.5)/float64(side) - 0.5
		r := int(math.Floor(fy))
		dy := fy - float64(r)
		for x := range w {
			fx := (float64(x)+0.5)/float64(side) - 0.5
			c := int(math.Floor(fx))
			dx := fx - float64(c)
			light := (at(c, r)*(1-dx)+at(c+1, r)*dx)*(1-dy) + (at(c, r+1)*(1-dx)+at(c+1, r+1)*dx)*dy
			out.Pix[y*out.Stride+x] = uint8(min(float64(p.Pix[y*p.Stride+x])*255/light, 255))
		}
	}
	return out
}

// toned is a page in two tones, split where they differ most (Otsu): ink where it is dark.
func toned(p *image.Gray) *image.Gray {
	var seen [256]int
	for _, v := range p.Pix {
		seen[v]++
	}
	total, sum := len(p.Pix), 0
	for v, n := range seen {
		sum += v * n
	}
	best, cut, below, belowSum := -1.0, 127, 0, 0
	for v, n := range seen {
		below += n
		belowSum += v * n
		if below == 0 || below == total {
			continue
		}
		apart := float64(belowSum)/float64(below) - float64(sum-belowSum)/float64(total-below)
		if score := float64(below) * float64(total-below) * apart * apart; score > best {
			best, cut = score, v
		}
	}
	out := image.NewGray(p.Rect)
	for i, v := range p.Pix {
		if int(v) <= cut {
			out.Pix[i] = ink
		}
	}
	return out
}

// slant is by how many degrees the lines of a page rise: the angle at which ink gathers in rows most.
func slant(p *image.Gray) float64 {
	w, h := p.Rect.Dx(), p.Rect.Dy()
	step := max(1, max(w, h)/1000)
	small := image.NewGray(image.Rect(0, 0, max(w/step, 1), max(h/step, 1)))
	draw.ApproxBiLinear.Scale(small, small.Rect, p, p.Rect, draw.Src, nil)
	small = toned(small)
	var dots []image.Point
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			if small.Pix[y*small.Stride+x] == ink {
				dots = append(dots, image.Pt(x, y))
			}
		}
	}
	reach := int(float64(small.Rect.Dx())*math.Tan(mostSlant*math.Pi/180)) + 2
	gathered := func(angle float64) (score float64) {
		rows := make([]float64, small.Rect.Dy()+2*reach)
		rise := math.Tan(angle * math.Pi / 180)
		for _, d := range dots {
			rows[reach+d.Y+int(math.Round(float64(d.X)*rise))]++
		}
		for i := 1; i < len(rows); i++ {
			score += (rows[i] - rows[i-1]) * (rows[i] - rows[i-1])
		}
		return score
	}
	best, score := 0.0, gathered(0)*1.05 // what lies level about as well is left as it is
	try := func(from, to, step float64) {
		for a := from; a <= to; a += step {
			if s := gathered(a); s > score {
				best, score = a, s
			}
		}
	}
	try(-mostSlant, mostSlant, 0.5)
	if best != 0 {
		try(best-0.4, best+0.4, 0.1)
	}
	return best
}

// levelled is a page turned by some degrees, on white.
func levelled(p *image.Gray, angle float64) *image.Gray {
	sin, cos := math.Sincos(angle * math.Pi / 180)
	w, h := float64(p.Rect.Dx()), float64(p.Rect.Dy())
	ow, oh := int(w*math.Abs(cos)+h*math.Abs(sin))+1, int(w*math.Abs(sin)+h*math.Abs(cos))+1
	out := image.NewGray(image.Rect(0, 0, ow, oh))
	for i := range out.Pix {
		out.Pix[i] = 255
	}
	draw.ApproxBiLinear.Transform(out, f64.Aff3{
		cos, -sin, float64(ow)/2 - cos*w/2 + sin*h/2,
		sin, cos, float64(oh)/2 - sin*w/2 - cos*h/2,
	}, p, p.Rect, draw.Src, nil)
	return out
}

// heightOf is how tall the letters of a page are, in dots: that of its taller patches of ink, those of specks and pictures left out; 0
// where there are none.
func heightOf(t *image.Gray) int {
	var tall []int
	boxes, _ := patches(t)
	for _, b := range boxes {
		if w, h := b.Dx(), b.Dy(); h >= 5 && h <= 250 && w >= 2 && w <= 4*h && h <= 12*w {
			tall = append(tall, h)
		}
	}
	if len(tall) == 0 {
		return 0
	}
	slices.Sort(tall)
	return tall[len(tall)*3/4]
}

// run is a stretch of ink in a row; of is the patch that it belongs to.
type run struct{ y, from, to, of int }

// patches are the boxes of ink that hangs together, and what each is made of.
func patches(t *image.Gray) (whole []image.Rectangle, runs []run) {
	var boxes []image.Rectangle
	var into []int // of each box the one that it was joined to
	root := func(i int) int {
		for into[i] != i {
			into[i] = into[into[i]]
			i = into[i]
		}
		return i
	}
	var above []run
	w := t.Rect.Dx()
	for y := range t.Rect.Dy() {
		row := t.Pix[y*t.Stride : y*t.Stride+w]
		var here []run
		next := 0
		for x := 0; x < w; {
			if row[x] != ink {
				x++
				continue
			}
			r := run{y: y, from: x, of: -1}
			for x < w && row[x] == ink {
				x++
			}
			r.to = x
			for next < len(above) && above[next].to < r.from {
				next++
			}
			for i := next; i < len(above) && above[i].from <= r.to; i++ {
				of := root(above[i].of)
				switch {
				case r.of < 0:
					r.of = of
				case of != r.of:
					boxes[r.of] = boxes[r.of].Union(boxes[of])
					into[of] = r.of
				}
			}
			box := image.Rect(r.from, y, r.to, y+1)
			if r.of < 0 {
				r.of = len(boxes)
				boxes, into = append(boxes, box), append(into, r.of)
			} else {
				boxes[r.of] = boxes[r.of].Union(box)
			}
			here = append(here, r)
		}
		above = here
		runs = append(runs, here...)
	}
	place := make([]int, len(boxes))
	for i, b := range boxes {
		if into[i] == i {
			place[i], whole = len(whole), append(whole, b)
		}
	}
	for i := range runs {
		runs[i].of = place[root(runs[i].of)]
	}
	return whole, runs
}

// cleared takes off a page what is far larger than its letters: the edge and the shadow of the paper, drawings.
func cleared(p, t *image.Gray, letter int) {
	boxes, runs := patches(t)
	for _, r := range runs {
		if b := boxes[r.of]; b.Dy() > 10*letter || b.Dx() > 20*letter && b.Dy() > 4*letter {
			wipe(p, t, image.Rect(r.from, r.y, r.to, r.y+1), letter/4)
		}
	}
}

// wipe makes a part of a page white, with so much around it.
func wipe(p, t *image.Gray, b image.Rectangle, around int) {
	b = b.Inset(-around).Intersect(p.Rect)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			p.Pix[y*p.Stride+x], t.Pix[y*t.Stride+x] = 255, 0
		}
	}
}

// unruled takes the lines of tables and boxes off a page in greys, whose two tones t are; ruled are the rows that had one that lay, with
// where it ran.
func unruled(p, t *image.Gray, letter int) (ruled []image.Rectangle) {
	w, h := p.Rect.Dx(), p.Rect.Dy()
	thin := max(3, letter/3)
	// thickness is how far ink reaches across a line.
	thickness := func(x, y, dx, dy int) (n int) {
		for _, sign := range []int{1, -1} {
			for i := 1; i <= thin; i++ {
				cx, cy := x+sign*i*dx, y+sign*i*dy
				if cx < 0 || cy < 0 || cx >= w || cy >= h || t.Pix[cy*t.Stride+cx] != ink {
					break
				}
				n++
			}
		}
		return n + 1
	}
	var lines []image.Rectangle
	find := func(across, along, least int, box func(a, from, to int) image.Rectangle, dot func(a, l int) bool, thick func(a, l int) int) {
		for a := range across {
			for l := 0; l < along; {
				if !dot(a, l) {
					l++
					continue
				}
				from := l
				for l < along && dot(a, l) {
					l++
				}
				if l-from < least {
					continue
				}
				thinly := 0
				for i := range 9 {
					if thick(a, from+(l-from)*(i+1)/10) <= thin {
						thinly++
					}
				}
				if thinly >= 5 {
					lines = append(lines, box(a, from, l))
				}
			}
		}
	}
	find(h, w, 6*letter, func(y, from, to int) image.Rectangle { return image.Rect(from, y, to, y+1) },
		func(y, x int) bool { return t.Pix[y*t.Stride+x] == ink }, func(y, x int) int { return thickness(x, y, 0, 1) })
	ruled = lines
	lines = nil
	find(w, h, 3*letter, func(x, from, to int) image.Rectangle { return image.Rect(x, from, x+1, to) },
		func(x, y int) bool { return t.Pix[y*t.Stride+x] == ink }, func(x, y int) int { return thickness(x, y, 1, 0) })
	for _, b := range slices.Concat(ruled, lines) {
		wipe(p, t, b, 1)
	}
	return ruled
}
