// Package truetype takes TrueType fonts apart and puts them together: a font file with some of a font's glyphs for a PDF, and a typeface that
// lies in the program in pieces.
package truetype

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
)

// Tables are the parts of a font file, by their names.
type Tables map[string][]byte

var errFont = errors.New("truetype: this is no TrueType font")

// Read finds the tables of a font file. A font without outlines of TrueType has no glyf, and is none.
func Read(data []byte) (Tables, error) {
	if len(data) < 12 {
		return nil, errFont
	}
	tables := Tables{}
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

// Count is how many glyphs the font has.
func (t Tables) Count() int { return int(binary.BigEndian.Uint16(t["maxp"][4:])) }

// glyph is the outline under a number, nil when it is empty.
func (t Tables) glyph(i int) []byte {
	glyf, loca := t["glyf"], t["loca"]
	long := binary.BigEndian.Uint16(t["head"][50:]) != 0
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
	from, to := offset(i), offset(i+1)
	if i < 0 || i >= t.Count() || from >= to || to > len(glyf) {
		return nil
	}
	return glyf[from:to]
}

// Cut gives the tables that hold glyphs with some of them, and those they are made of, under their numbers: all others are empty.
func (t Tables) Cut(used []uint16) Tables {
	count := t.Count()
	keep := make([]bool, count)
	for todo := append([]uint16{0}, used...); len(todo) > 0; {
		gid := int(todo[0])
		todo = todo[1:]
		if gid < count && !keep[gid] {
			keep[gid] = true
			todo = append(todo, partsOf(t.glyph(gid))...)
		}
	}
	cut := t.outlines(func(i int) []byte {
		if keep[i] {
			return t.glyph(i)
		}
		return nil
	})
	// The widths of what is not there are zeros, which take no room.
	widths := slices.Clone(t["hmtx"])
	for i := range min(count, len(widths)/4, int(binary.BigEndian.Uint16(t["hhea"][34:]))) {
		if !keep[i] {
			clear(widths[4*i : 4*i+4])
		}
	}
	cut["hmtx"] = widths
	return cut
}

// outlines are the tables that say how the glyphs look.
func (t Tables) outlines(glyph func(int) []byte) Tables {
	count := t.Count()
	var glyf []byte
	loca := make([]byte, 0, 4*(count+1))
	for i := range count {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf))) //nolint:gosec // smaller than the font's own table
		glyf = append(glyf, glyph(i)...)
		for len(glyf)%4 != 0 {
			glyf = append(glyf, 0)
		}
	}
	loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf))) //nolint:gosec // as above
	head := slices.Clone(t["head"])
	binary.BigEndian.PutUint32(head[8:], 0)
	binary.BigEndian.PutUint16(head[50:], 1)
	return Tables{"glyf": glyf, "loca": loca, "head": head}
}

// Join makes one font of the pieces it was cut into: all that is true of the whole font is said by the first.
func Join(pieces ...[]byte) ([]byte, error) {
	parts := make([]Tables, len(pieces))
	for i, piece := range pieces {
		var err error
		if parts[i], err = Read(piece); err != nil {
			return nil, err
		}
	}
	if len(parts) == 0 {
		return nil, errFont
	}
	whole := maps.Clone(parts[0])
	maps.Copy(whole, whole.outlines(func(i int) []byte {
		for _, part := range parts {
			if glyph := part.glyph(i); glyph != nil {
				return glyph
			}
		}
		return nil
	}))
	return whole.File(), nil
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

// File makes a font file of the tables.
func (t Tables) File() []byte {
	names := slices.Sorted(maps.Keys(t))
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
		u32(int(checksum(t[name])))
		u32(at)
		u32(len(t[name]))
		at += (len(t[name]) + 3) &^ 3
	}
	for _, name := range names {
		out.Write(t[name])
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
