package export

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/bidi"

	"agentchat/backend/export/pdf"
	"agentchat/backend/export/typeface"
)

// setter finds the glyphs of texts.
type setter struct {
	own       map[typeface.Weight]*pdf.Face
	elsewhere []*pdf.Face
	next      func() (*pdf.Font, bool)
	close     func()
	lacks     []string // scripts of which a character stands as a box, for no font shows it
}

func newSetter() (*setter, error) {
	s := &setter{own: map[typeface.Weight]*pdf.Face{}}
	for _, w := range []typeface.Weight{typeface.Regular, typeface.Bold, typeface.Mono, typeface.MonoBold, typeface.Emoji, typeface.Arabic, typeface.Hebrew} {
		f, err := typeface.Get(w)
		if err != nil {
			return nil, err
		}
		s.own[w] = f.Face()
	}
	s.next, s.close = iter.Pull(typeface.Elsewhere())
	return s, nil
}

// face finds the face that shows a character; nil: none does.
func (s *setter) face(r rune, bold, code bool) *pdf.Face {
	order := []typeface.Weight{typeface.Regular, typeface.Emoji}
	switch {
	case code && bold:
		order = []typeface.Weight{typeface.MonoBold, typeface.Bold, typeface.Emoji}
	case code:
		order = []typeface.Weight{typeface.Mono, typeface.Regular, typeface.Emoji}
	case bold:
		order = []typeface.Weight{typeface.Bold, typeface.Regular, typeface.Emoji}
	}
	for _, w := range append(order, typeface.Arabic, typeface.Hebrew) {
		if f := s.own[w]; f.Glyph(r) != 0 {
			return f
		}
	}
	for i := 0; ; i++ {
		if i == len(s.elsewhere) {
			f, more := s.next()
			if !more {
				return nil
			}
			s.elsewhere = append(s.elsewhere, f.Face())
		}
		if f := s.elsewhere[i]; f.Has(r) {
			return f
		}
	}
}

// lack notes that no font shows a character.
func (s *setter) lack(r rune) {
	for name, script := range unicode.Scripts {
		if name != "Common" && name != "Inherited" && unicode.Is(script, r) && !slices.Contains(s.lacks, name) { // a rare sign is seen to be one
			s.lacks = append(s.lacks, name)
			slices.Sort(s.lacks)
		}
	}
}

// sign is a glyph in a line of text and how it looks.
type sign struct {
	pdf.Glyph
	run      *Run
	space    bool // a line may end here, and what ends it is not shown
	anywhere bool // a line may end behind it, as behind a Chinese character
	rtl, ltr bool // it is written in that direction
	number   bool
}

// signs finds the glyphs of one line of a run.
func (s *setter) signs(text string, run *Run, code bool) (out []sign) {
	clusters := uniseg.NewGraphemes(text)
	for clusters.Next() {
		out = append(out, s.cluster(clusters.Str(), run, code)...)
	}
	return out
}

// cluster finds the glyphs of what people see as one character. What is not seen belongs to the glyph before it, so that it is copied with it.
func (s *setter) cluster(text string, run *Run, code bool) (out []sign) {
	shown := func(r rune) bool {
		return !unicode.In(r, unicode.Cf, unicode.Me, unicode.Variation_Selector) && (r < 0x1f3fb || r > 0x1f3ff) // nor the colour of a skin
	}
	first := rune(0)
	for _, r := range text {
		if r == '\t' || r == '\u00a0' || r == '\u202f' {
			r = ' '
		}
		if !shown(r) && (first != 0 || len([]rune(text)) > 1) {
			if len(out) > 0 {
				out[len(out)-1].Text += string(r)
			}
			continue
		}
		if first != 0 && unicode.Is(unicode.So, first) && unicode.Is(unicode.So, r) {
			out[len(out)-1].Text += string(r) // joined to the picture before it
			continue
		}
		first = r
		face := s.face(r, run.Bold, code)
		g := sign{run: run}
		switch {
		case !shown(r):
			face = s.own[typeface.Regular]
			g.Glyph = pdf.Glyph{Face: face, ID: face.Glyph(' '), Advance: 0}
		case face == nil: // a box; what it stands for can still be copied, and the last page says of which script it is
			s.lack(r)
			face = s.own[typeface.Regular]
			g.Glyph = pdf.Glyph{Face: face, ID: 0, Advance: face.Advance(0)}
		default:
			id := face.Glyph(r)
			g.Glyph = pdf.Glyph{Face: face, ID: id, Advance: face.Advance(id)}
		}
		g.Text = string(r)
		g.space = r == ' ' && !code
		p, _ := bidi.LookupRune(r)
		g.rtl, g.ltr = p.Class() == bidi.R || p.Class() == bidi.AL, p.Class() == bidi.L
		g.number = p.Class() == bidi.EN || p.Class() == bidi.AN
		g.anywhere = code && strings.ContainsRune(" ,;(){}[]&|=+.", r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || strings.ContainsRune("-/·…", r)
		out = append(out, g)
	}
	if len(out) == 0 { // nothing of it is seen
		face := s.own[typeface.Regular]
		out = append(out, sign{Glyph: pdf.Glyph{Face: face, ID: face.Glyph(' '), Text: text}, run: run})
	}
	return out
}

// lines breaks runs into lines of at most a width, in ems.
func (s *setter) lines(runs []Run, width float64, code bool) (out [][]sign) {
	var line []sign
	for i := range runs {
		run := &runs[i]
		text := visible(run.Text)
		if code {
			text = strings.ReplaceAll(text, "\t", "    ")
		}
		for j, part := range strings.Split(text, "\n") {
			if j > 0 {
				out = append(out, broken(shaped(line), width)...)
				line = nil
			}
			line = append(line, s.signs(part, run, code || run.Code)...)
		}
	}
	return append(out, broken(shaped(line), width)...)
}

// broken breaks a line where it is too long: at a space, else where a language may, else anywhere.
func broken(line []sign, width float64) (out [][]sign) {
	for {
		at, wide, space, soft := 0, 0.0, -1, -1
		for at < len(line) {
			if wide += line[at].Advance; wide > width+1e-6 && at > 0 && line[at].Text != " " {
				break
			}
			if line[at].space {
				space = at
			} else if line[at].anywhere {
				soft = at
			}
			at++
		}
		if at == len(line) {
			return append(out, line)
		}
		cut, skip := at, at
		switch {
		case soft > space && soft >= 0 && soft < at:
			cut, skip = soft+1, soft+1
		case space >= 0:
			cut, skip = space, space+1
		}
		if cut == 0 { // nothing but a space stands before what is too long
			cut = skip
		}
		out = append(out, line[:cut])
		line = line[skip:]
	}
}

func length(line []sign) (ems float64) {
	for _, g := range line {
		ems += g.Advance
	}
	return ems
}

// visual puts a line of a paragraph, which begins at the right or the left, into the order in which it is seen.
func visual(line []sign, right bool) []sign {
	if !right && !hasRTL(line) {
		return line
	}
	direction := "\u200e"
	if right {
		direction = "\u200f"
	}
	text := strings.Builder{}
	text.WriteString(direction)
	at := map[int]int{} // by the number of its first character
	n := 1
	for i, g := range line {
		at[n] = i
		n += utf8.RuneCountInString(g.Text)
		text.WriteString(g.Text)
	}
	var p bidi.Paragraph
	if _, err := p.SetString(text.String()); err != nil {
		return line
	}
	order, err := p.Order()
	if err != nil {
		return line
	}
	var units []unit
	var unseen []sign // stay before the sign that they were written before
	for i := range order.NumRuns() {
		run := order.Run(i)
		from, to := run.Pos()
		numbers := -1 // where the numbers end that stand in what is read from the right
		for n := from; n <= to && len(units) > 0 && units[len(units)-1].level == 1; n++ {
			if i, begins := at[n]; begins && line[i].ltr {
				break
			} else if begins && line[i].number {
				numbers = n
			}
		}
		for n := from; n <= to; n++ {
			i, begins := at[n]
			if !begins {
				continue
			}
			g, level := line[i], plus(right, 2)
			switch {
			case run.Direction() == bidi.RightToLeft:
				level = 1
			case n <= numbers:
				level = 2
			}
			last := len(units) - 1
			switch r, _ := utf8.DecodeRuneInString(g.Text); {
			case unicode.Is(unicode.Cf, r):
				unseen = append(unseen, g)
			case last >= 0 && len(unseen) == 0 && marks(g):
				units[last].signs = append(units[last].signs, g)
			default:
				units = append(units, unit{append(unseen, g), len(unseen), level})
				unseen = nil
			}
		}
	}
	if len(unseen) > 0 {
		units = append(units, unit{unseen, 0, plus(right, 2)})
	}
	for i := range units {
		units[i].turn()
	}
	for level := 2; level > 0; level-- { // as the rule L2 of Unicode has it
		for from := 0; from < len(units); from++ {
			to := from
			for to < len(units) && units[to].level >= level {
				to++
			}
			slices.Reverse(units[from:to])
			from = max(from, to)
		}
	}
	out := make([]sign, 0, len(line))
	for _, u := range units {
		out = append(out, u.signs...)
	}
	if len(out) != len(line) {
		return line
	}
	return out
}

// unit is a sign with the marks that stand on it, and how deep it stands in text of the other direction: odd from right to left.
type unit struct {
	signs []sign
	first int // of them that is seen
	level int
}

const brackets = "()<>[]{}«»"

// turn turns a bracket round that is read from the right.
func (u *unit) turn() {
	g := &u.signs[u.first]
	if turned := strings.Index(brackets, g.Text); u.level == 1 && turned >= 0 && g.Text != "" {
		g.ID = g.Face.Glyph([]rune(brackets)[utf8.RuneCountInString(brackets[:turned])^1])
	}
}

// beginsRight tells whether a paragraph begins at the right: by its first letter that is written in one direction.
func beginsRight(runs []Run) bool {
	for _, run := range runs {
		for _, r := range run.Text {
			switch p, _ := bidi.LookupRune(r); p.Class() {
			case bidi.R, bidi.AL:
				return true
			case bidi.L:
				return false
			default: // of no direction
			}
		}
	}
	return false
}

// marks tells what stands above or below a letter.
func marks(g sign) bool {
	r, _ := utf8.DecodeRuneInString(g.Text)
	return unicode.Is(unicode.Mn, r)
}

func hasRTL(line []sign) bool {
	for _, g := range line {
		if g.rtl {
			return true
		}
	}
	return false
}
