package export

import (
	"slices"
)

const (
	cellSize = 9.5
	cellPad  = 5.0
)

// table puts a table on pages. A row stays together where it fits on a page, and a page that goes on with a table repeats its head.
func (p *printer) table(t Table, at spot) {
	if len(t.Aligns) == 0 {
		return
	}
	widths := p.widths(t, at.w)
	p.row(t.Head, t, widths, at, true)
	for _, r := range t.Rows {
		if p.y+p.tall(r, widths, false) > pageHigh-bottom && p.y > top {
			p.turnPage()
			p.row(t.Head, t, widths, at, true)
		}
		p.row(r, t, widths, at, false)
	}
}

// widths shares the room out: what fits is as wide as it wants, and the rest goes by how much the others want.
func (p *printer) widths(t Table, room float64) []float64 {
	n := len(t.Aligns)
	want := make([]float64, n)
	rows := t.Rows
	if len(rows) > 200 { // the first say how the others are
		rows = rows[:200]
	}
	for i, r := range append([][][]Run{t.Head}, rows...) {
		for c := range n {
			for _, l := range p.set.lines(heavier(r[c], i == 0), 400, false) {
				want[c] = max(want[c], length(l)*cellSize+2*cellPad+0.1)
			}
		}
	}
	out := make([]float64, n)
	left, open := room, n
	for open > 0 {
		fair := left / float64(open)
		settled := false
		for c := range n {
			if out[c] == 0 && want[c] <= fair {
				out[c], left, open, settled = max(want[c], 1), left-want[c], open-1, true
			}
		}
		if !settled {
			for c := range n {
				if out[c] == 0 {
					out[c] = fair
				}
			}
			break
		}
	}
	return out
}

func heavier(runs []Run, bold bool) []Run {
	if !bold {
		return runs
	}
	out := slices.Clone(runs)
	for i := range out {
		out[i].Bold = true
	}
	return out
}

const cellHigh = cellSize * 1.4

func (p *printer) rowLines(cells [][]Run, widths []float64, head bool) (lines [][][]sign, most int) {
	lines = make([][][]sign, len(cells))
	for i, c := range cells {
		lines[i] = p.set.lines(heavier(c, head), max(widths[i]-2*cellPad, cellSize)/cellSize, false)
		most = max(most, len(lines[i]))
	}
	return lines, most
}

func (p *printer) tall(cells [][]Run, widths []float64, head bool) float64 {
	_, most := p.rowLines(cells, widths, head)
	return float64(most)*cellHigh + 2*3
}

// row draws a row, line by line, so that one that is taller than a page goes on on the next.
func (p *printer) row(cells [][]Run, t Table, widths []float64, at spot, head bool) {
	lines, most := p.rowLines(cells, widths, head)
	p.room(cellHigh*min(float64(most), 3) + 6)
	p.y += 3
	for n := range most {
		p.room(cellHigh)
		x := at.x
		for c := range cells {
			if n < len(lines[c]) {
				in := spot{x: x + cellPad, w: widths[c] - 2*cellPad, size: cellSize, ink: at.ink, align: t.Aligns[c]}
				right := beginsRight(cells[c])
				p.line(visual(lines[c][n], right), right, in, cellHigh)
			}
			x += widths[c]
		}
		p.y += cellHigh
	}
	p.y += 3
	under := line
	if head {
		under = strong
	}
	total := 0.0
	for _, w := range widths {
		total += w
	}
	p.page.Line(at.x, p.y, at.x+total, p.y, 0.6, under)
}
