package pdf

import (
	"errors"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"agentchat/backend/export/truetype"
)

// A Font is a typeface whose glyphs can be measured and put into a file. It may be shared by many files; it is safe for concurrent use
// as long as nobody shares a [Face].
type Font struct {
	name   string
	sfnt   *sfnt.Font
	tables truetype.Tables // nil: its outlines are drawn, for its tables cannot be cut down
	units  int
	ascent int // per thousand of an em, as is descent
	below  int
}

var errFont = errors.New("pdf: this is no TrueType font")

// ParseFont reads a TrueType font. Of its glyphs only those that a file uses go into the file.
func ParseFont(name string, data []byte) (*Font, error) {
	parsed, err := sfnt.Parse(data)
	if err != nil {
		return nil, err
	}
	f, err := fontOf(name, parsed)
	if err != nil {
		return nil, err
	}
	f.tables, err = truetype.Read(data)
	return f, err
}

// ParseOutlines reads a font of any kind, also the first of a collection. Its glyphs are drawn as figures: that is for the few signs that no other font has.
func ParseOutlines(name string, data []byte) (*Font, error) {
	all, err := sfnt.ParseCollection(data)
	if err != nil {
		return nil, err
	}
	parsed, err := all.Font(0)
	if err != nil {
		return nil, err
	}
	return fontOf(name, parsed)
}

func fontOf(name string, parsed *sfnt.Font) (*Font, error) {
	f := &Font{name: name, sfnt: parsed, units: int(parsed.UnitsPerEm())}
	if f.units == 0 {
		return nil, errFont
	}
	m, err := parsed.Metrics(nil, fixed.I(1000), font.HintingNone)
	if err != nil {
		return nil, err
	}
	f.ascent, f.below = m.Ascent.Round(), -m.Descent.Round()
	return f, nil
}

// Face is a font in the hands of one goroutine. Its methods are not safe for concurrent use.
type Face struct {
	font *Font
	buf  sfnt.Buffer
	of   map[rune]uint16
	wide map[uint16]float64
}

// Face makes a face of the font.
func (f *Font) Face() *Face { return &Face{font: f, of: map[rune]uint16{}, wide: map[uint16]float64{}} }

// Glyph gives the glyph of a character, 0 when the font has none.
func (f *Face) Glyph(r rune) uint16 {
	if gid, known := f.of[r]; known {
		return gid
	}
	gid, err := f.font.sfnt.GlyphIndex(&f.buf, r)
	if err != nil {
		gid = 0
	}
	f.of[r] = uint16(gid)
	return uint16(gid)
}

// Advance is how far the pen goes on behind a glyph, in ems.
func (f *Face) Advance(gid uint16) float64 {
	if w, known := f.wide[gid]; known {
		return w
	}
	adv, err := f.font.sfnt.GlyphAdvance(&f.buf, sfnt.GlyphIndex(gid), fixed.I(1000), font.HintingNone)
	w := 0.0
	if err == nil {
		w = float64(adv) / 64 / 1000
	}
	f.wide[gid] = w
	return w
}

// drawable says whether a glyph can be had as an outline, which one that is a bitmap or has colours cannot.
func (f *Face) drawable(gid uint16) bool {
	_, err := f.font.sfnt.LoadGlyph(&f.buf, sfnt.GlyphIndex(gid), fixed.I(1000), nil)
	return err == nil
}

// Has says whether the face can show a character.
func (f *Face) Has(r rune) bool {
	gid := f.Glyph(r)
	return gid != 0 && (f.font.tables != nil || f.drawable(gid))
}

// subset makes a font file of some of the glyphs, under their numbers: all others are empty.
func (f *Font) subset(used []uint16) []byte {
	cut := f.tables.Cut(used)
	for _, name := range []string{"hhea", "maxp", "cvt ", "fpgm", "prep"} {
		if table, has := f.tables[name]; has {
			cut[name] = table
		}
	}
	return cut.File()
}
