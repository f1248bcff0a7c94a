package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentchat/backend/export/pdf"
	"agentchat/backend/export/truetype"
)

// The Hangul syllables, which are most of what a Korean typeface draws.
const firstSyllable, lastSyllable = 0xAC00, 0xD7A3

// common is how many pieces of the sheet's, those with what is written most, make the second piece.
const common = 31

// typeface cuts the weights of Pretendard (the folder of its package) into the pieces that the program carries: all but syllables, the syllables of
// nearly all texts and of the window's own (the files of words), and those that hardly any text has. It also writes the sheet by which a page asks for them.
func typeface(from, words, folder, sheet string) error {
	pieces, err := syllables(filepath.Join(from, "dist/web/variable/pretendardvariable-dynamic-subset.css"), words)
	if err != nil {
		return err
	}
	var rules strings.Builder
	rules.WriteString("/* Which piece of the typeface holds which characters: made by `make typeface`. Of two that hold one, the later is asked for. */\n")
	for _, weight := range []struct {
		name  string
		value int
	}{{"Regular", 400}, {"SemiBold", 600}} {
		data, err := os.ReadFile(filepath.Join(from, "dist/public/static/alternative", "Pretendard-"+weight.name+".ttf"))
		if err != nil {
			return err
		}
		if err := cutUp(data, pieces, filepath.Join(folder, "Pretendard-"+weight.name)); err != nil {
			return err
		}
		for _, i := range []int{0, 2, 1} {
			fmt.Fprintf(&rules, "@font-face {\n  font-family: Pretendard;\n  font-weight: %d;\n  font-display: block;\n  src: url('/type/Pretendard-%s-%d.ttf') format('truetype');\n", weight.value, weight.name, i)
			switch i {
			case 1:
				fmt.Fprintf(&rules, "  unicode-range: %s;\n", ranges(pieces[0]))
			case 2:
				fmt.Fprintf(&rules, "  unicode-range: U+%X-%X;\n", firstSyllable, lastSyllable)
			}
			rules.WriteString("}\n")
		}
	}
	return os.WriteFile(sheet, []byte(rules.String()), 0o644)
}

// syllables sorts them into two by how often they are written, as the package's own sheet says: it has the most frequent ones last.
func syllables(sheet, words string) (pieces [2][]rune, err error) {
	text, err := os.ReadFile(sheet)
	if err != nil {
		return pieces, err
	}
	var of [lastSyllable + 1]int
	for r := range of {
		of[r] = 1
	}
	rules := regexp.MustCompile(`unicode-range: ([^;]+);`).FindAllStringSubmatch(string(text), -1)
	if len(rules) < common {
		return pieces, fmt.Errorf("%s has %d pieces", sheet, len(rules))
	}
	slices.Reverse(rules)
	for _, rule := range rules[:common] {
		for part := range strings.SplitSeq(rule[1], ",") {
			from, to, many := strings.Cut(strings.TrimPrefix(strings.TrimSpace(part), "U+"), "-")
			first, err := strconv.ParseInt(from, 16, 32)
			if err != nil {
				return pieces, err
			}
			last := first
			if many {
				if last, err = strconv.ParseInt(to, 16, 32); err != nil {
					return pieces, err
				}
			}
			for r := max(first, firstSyllable); r <= min(last, lastSyllable); r++ {
				of[r] = 0
			}
		}
	}
	files, err := filepath.Glob(words)
	if err != nil {
		return pieces, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return pieces, err
		}
		for _, r := range string(text) {
			if r >= firstSyllable && r <= lastSyllable {
				of[r] = 0
			}
		}
	}
	for r := rune(firstSyllable); r <= lastSyllable; r++ {
		pieces[of[r]] = append(pieces[of[r]], r)
	}
	return pieces, nil
}

// cutUp writes the pieces of one weight. The first says all that is true of the whole font, the others what is needed to draw them.
func cutUp(data []byte, pieces [2][]rune, name string) error {
	font, err := pdf.ParseFont(name, data)
	if err != nil {
		return err
	}
	tables, err := truetype.Read(data)
	if err != nil {
		return err
	}
	face := font.Face()
	rest := make([]bool, tables.Count())
	for i, piece := range pieces {
		var used []uint16
		for _, r := range piece {
			gid := face.Glyph(r)
			used, rest[gid] = append(used, gid), true
		}
		cut := tables.Cut(used)
		for _, table := range []string{"OS/2", "hhea", "maxp", "name"} {
			cut[table] = tables[table]
		}
		cut["cmap"], cut["post"] = charactersOf(face, piece), nameless(tables["post"])
		if err := os.WriteFile(fmt.Sprintf("%s-%d.ttf", name, i+1), cut.File(), 0o644); err != nil {
			return err
		}
	}
	var letters []uint16
	for gid, syllable := range rest {
		if !syllable {
			letters = append(letters, uint16(gid))
		}
	}
	cut := tables.Cut(letters)
	for table, content := range tables {
		if _, has := cut[table]; !has {
			cut[table] = content
		}
	}
	delete(cut, "DSIG") // what is signed is the font as it was
	cut["hmtx"], cut["post"] = tables["hmtx"], nameless(tables["post"])
	return os.WriteFile(name+"-0.ttf", cut.File(), 0o644)
}

// nameless is the table post without the names of the glyphs, which nothing shows.
func nameless(post []byte) []byte {
	short := slices.Clone(post[:32])
	binary.BigEndian.PutUint32(short, 0x00030000)
	return short
}

// charactersOf is the table cmap of some characters, in the form that has a number for each run of them.
func charactersOf(face *pdf.Face, runes []rune) []byte {
	var groups []byte
	n := 0
	for i := 0; i < len(runes); n++ {
		first, gid, length := runes[i], face.Glyph(runes[i]), 1
		for i+length < len(runes) && runes[i+length] == first+rune(length) && int(face.Glyph(runes[i+length])) == int(gid)+length {
			length++
		}
		for _, v := range []int{int(first), int(first) + length - 1, int(gid)} {
			groups = binary.BigEndian.AppendUint32(groups, uint32(v))
		}
		i += length
	}
	u16 := binary.BigEndian.AppendUint16
	u32 := binary.BigEndian.AppendUint32
	table := u32(u16(u16(u16(u16(nil, 0), 1), 3), 10), 12) // one of Windows' kind, for all of Unicode
	table = u32(u16(u16(table, 12), 0), uint32(16+len(groups)))
	return append(u32(u32(table, 0), uint32(n)), groups...)
}

// ranges are characters as a style sheet tells them.
func ranges(runes []rune) string {
	var parts []string
	for i := 0; i < len(runes); {
		length := 1
		for i+length < len(runes) && int(runes[i+length]) == int(runes[i])+length {
			length++
		}
		part := fmt.Sprintf("U+%X", runes[i])
		if length > 1 {
			part += fmt.Sprintf("-%X", int(runes[i])+length-1)
		}
		parts = append(parts, part)
		i += length
	}
	return strings.Join(parts, ", ")
}
