package pdf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// A Font is a typeface whose glyphs can be measured and put into a file. It may be shared by many files; it is safe for concurrent use
// as long as nobody shares a [Face].
type Font struct {
	name   string
	sfnt   *sfnt.Font
	tables map[string][]byte // nil: its outlines are drawn, for its tables cannot be cut down
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
	f.tables, err = tablesOf(data)
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

// tablesOf finds the tables of a font file. A font without outlines of TrueType has no glyf, and is none.
func tablesOf(data []byte) (map[string][]byte, error) {
	if len(data) < 12 {
		return nil, errFont
	}
	tables := map[string][]byte{}
	for i := range int(binary.BigEndian.Uint16(data[4:])) {
		at := 12 + 16*i
		if at+16 > len(data) {
			return nil, errFont
		}
		from, size := uint64(binary.BigEndian.Uint32(data[at+8:])), uint64(binary.BigEndian.Uint32(data[at+12:]))
		if from+size > uint64(len(data)) {
			return nil, errFont
		}
		tables[string(data[at:at+4])] = data[from : from+size]
	}
	for name, least := range map[string]int{"glyf": 0, "loca": 2, "head": 54, "hhea": 36, "maxp": 6, "hmtx": 4} {
		if table, has := tables[name]; !has || len(table) < least {
			return nil, errFont
		}
	}
	return tables, nil
}

// subset makes a font file of some of the glyphs, under their numbers: all others are empty.
func (f *Font) subset(used []uint16) []byte {
	glyf, loca, head := f.tables["glyf"], f.tables["loca"], f.tables["head"]
	count := int(binary.BigEndian.Uint16(f.tables["maxp"][4:]))
	long := binary.BigEndian.Uint16(head[50:]) != 0
	offset := func(i int) int {
		if long {
			if 4*i+4 > len(loca) {
				return 0
			}
			return int(binary.BigEndian.Uint32(loca[4*i:]))
		}
		if 2*i+2 > len(loca) {
			return 0
		}
		return 2 * int(binary.BigEndian.Uint16(loca[2*i:]))
	}
	glyph := func(i int) []byte {
		from, to := offset(i), offset(i+1)
		if i < 0 || i >= count || from >= to || to > len(glyf) {
			return nil
		}
		return glyf[from:to]
	}
	keep := make([]bool, count)
	for todo := append([]uint16{0}, used...); len(todo) > 0; {
		gid := int(todo[0])
		todo = todo[1:]
		if gid < count && !keep[gid] {
			keep[gid] = true
			todo = append(todo, partsOf(glyph(gid))...)
		}
	}
	var newGlyf []byte
	newLoca := make([]byte, 0, 4*(count+1))
	for i := range count {
		newLoca = binary.BigEndian.AppendUint32(newLoca, uint32(len(newGlyf))) //nolint:gosec // smaller than the font's own table
		if keep[i] {
			newGlyf = append(newGlyf, glyph(i)...)
			for len(newGlyf)%4 != 0 {
				newGlyf = append(newGlyf, 0)
			}
		}
	}
	newLoca = binary.BigEndian.AppendUint32(newLoca, uint32(len(newGlyf))) //nolint:gosec // as above
	newHead := slices.Clone(head)
	binary.BigEndian.PutUint32(newHead[8:], 0)
	binary.BigEndian.PutUint16(newHead[50:], 1)
	parts := map[string][]byte{"glyf": newGlyf, "loca": newLoca, "head": newHead}
	for _, name := range []string{"hhea", "maxp", "cvt ", "fpgm", "prep"} {
		if table, has := f.tables[name]; has {
			parts[name] = table
		}
	}
	// The widths of what is not there are zeros, which take no room.
	widths := slices.Clone(f.tables["hmtx"])
	for i := range min(count, len(widths)/4, int(binary.BigEndian.Uint16(f.tables["hhea"][34:]))) {
		if !keep[i] {
			clear(widths[4*i : 4*i+4])
		}
	}
	parts["hmtx"] = widths
	return assemble(parts)
}

// partsOf are the glyphs that a composite one is made of.
func partsOf(glyph []byte) (parts []uint16) {
	const words, more, scale, xyScale, twoByTwo = 1, 1 << 5, 1 << 3, 1 << 6, 1 << 7
	if len(glyph) < 10 || int16(binary.BigEndian.Uint16(glyph)) >= 0 { //nolint:gosec // a signed number of the format
		return nil
	}
	for at := 10; at+4 <= len(glyph); {
		flags := binary.BigEndian.Uint16(glyph[at:])
		parts = append(parts, binary.BigEndian.Uint16(glyph[at+2:]))
		at += 6
		if flags&words != 0 {
			at += 2
		}
		switch {
		case flags&scale != 0:
			at += 2
		case flags&xyScale != 0:
			at += 4
		case flags&twoByTwo != 0:
			at += 8
		}
		if flags&more == 0 {
			break
		}
	}
	return parts
}

// assemble makes a font file of tables.
func assemble(parts map[string][]byte) []byte {
	names := make([]string, 0, len(parts))
	for name := range parts {
		names = append(names, name)
	}
	slices.Sort(names)
	var out bytes.Buffer
	n, power := len(names), 1
	log := 0
	for power*2 <= n {
		power, log = power*2, log+1
	}
	u16 := func(v int) { out.Write(binary.BigEndian.AppendUint16(nil, uint16(v))) } //nolint:gosec // a few tables
	u32 := func(v int) { out.Write(binary.BigEndian.AppendUint32(nil, uint32(v))) } //nolint:gosec // smaller than the font
	u32(0x00010000)
	u16(n)
	u16(power * 16)
	u16(log)
	u16((n - power) * 16)
	at := 12 + 16*n
	for _, name := range names {
		out.WriteString(name)
		u32(int(checksum(parts[name])))
		u32(at)
		u32(len(parts[name]))
		at += (len(parts[name]) + 3) &^ 3
	}
	for _, name := range names {
		out.Write(parts[name])
		for out.Len()%4 != 0 {
			out.WriteByte(0)
		}
	}
	return out.Bytes()
}

func checksum(table []byte) (sum uint32) {
	for len(table) >= 4 {
		sum += binary.BigEndian.Uint32(table)
		table = table[4:]
	}
	var rest [4]byte
	copy(rest[:], table)
	return sum + binary.BigEndian.Uint32(rest[:])
}
