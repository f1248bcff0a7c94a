package extract_test

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"agentchat/backend/library/extract"
)

// No program that writes Hangul documents runs here, so the tests write them as Hancom's specification says; two that Hangul
// itself wrote lie in testdata.

// Little-endian numbers.
func u16(n ...int) (b []byte) {
	for _, v := range n {
		b = binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	return b
}

func u32(n ...uint32) (b []byte) {
	for _, v := range n {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

func wide(text string) (b []byte) {
	for _, c := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, c)
	}
	return b
}

// stored is a stream of a compound file. A name with a stroke lies in a storage.
type stored struct {
	name string
	data []byte
}

// compound is an OLE compound file (MS-CFB, version 3) of streams of 4096 bytes or more each.
func compound(streams ...stored) []byte {
	const end, free, none = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFF
	var body []byte
	var fat []uint32
	put := func(data []byte) (first uint32) {
		first = uint32(len(fat))
		data = append(data, make([]byte, (512-len(data)%512)%512)...)
		for n := range len(data) / 512 {
			fat = append(fat, first+uint32(n)+1)
		}
		fat[len(fat)-1] = end
		body = append(body, data...)
		return first
	}
	var dir []byte
	entry := func(name string, kind byte, right, child, first uint32, size int) {
		e := append(wide(name), make([]byte, 64-2*len([]rune(name)))...)
		e = append(e, u16(2*len([]rune(name))+2)...)
		e = append(e, kind, 1)
		e = append(e, u32(none, right, child)...)
		e = append(e, make([]byte, 36)...)
		e = append(e, u32(first)...)
		dir = append(append(dir, e...), binary.LittleEndian.AppendUint64(nil, uint64(size))...)
	}
	// The root's first child leads to all that lie there; the storage is the last of them, its own follow.
	var top, low []stored
	for _, s := range streams {
		if _, name, in := strings.Cut(s.name, "/"); in {
			low = append(low, stored{name, s.data})
		} else {
			top = append(top, s)
		}
	}
	entry("Root Entry", 5, none, 1, end, 0)
	each := func(list []stored, from uint32, last uint32) {
		for n, s := range list {
			right := from + uint32(n) + 1
			if n == len(list)-1 {
				right = last
			}
			data := append(bytes.Clone(s.data), make([]byte, max(0, 4096-len(s.data)))...)
			entry(s.name, 2, right, none, put(data), len(data))
		}
	}
	storage := uint32(len(top)) + 1
	each(top, 1, storage)
	entry("BodyText", 1, none, storage+1, 0, 0)
	each(low, storage+1, none)
	root := put(dir)
	sectors := uint32(1)
	for uint32(len(fat))+sectors > sectors*128 {
		sectors++
	}
	first := uint32(len(fat))
	for range sectors {
		fat = append(fat, 0xFFFFFFFD)
	}
	for len(fat)%128 != 0 {
		fat = append(fat, free)
	}
	head := append([]byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"), make([]byte, 16)...)
	head = append(head, u16(0x3E, 3, 0xFFFE, 9, 6, 0, 0, 0)...)
	head = append(head, u32(0, sectors, root, 0, 4096, end, 0, end, 0)...)
	for n := range uint32(109) {
		at := uint32(free)
		if n < sectors {
			at = first + n
		}
		head = append(head, u32(at)...)
	}
	return append(append(head, body...), u32(fat...)...)
}

// record is one of a Hangul document's body.
func record(tag, level int, data []byte) []byte {
	if len(data) >= 0xFFF {
		return append(u32(uint32(tag|level<<10|0xFFF<<20), uint32(len(data))), data...)
	}
	return append(u32(uint32(tag|level<<10|len(data)<<20)), data...)
}

func paragraph(level int, text []byte, page bool) []byte {
	head := make([]byte, 22)
	if page {
		head[11] = 4
	}
	return append(record(0x42, level, head), record(0x43, level+1, append(text, 13, 0))...)
}

func control(level int, kind string) []byte {
	return record(0x47, level, append([]byte{kind[3], kind[2], kind[1], kind[0]}, make([]byte, 42)...))
}

func cell(level, column, row int, text string) []byte {
	return append(record(0x48, level, append(u16(1, 0, 0, 0, column, row, 1, 1), make([]byte, 30)...)), paragraph(level, wide(text), false)...)
}

// hangul is a Hangul document of a body.
func hangul(flags uint32, body []byte) []byte {
	head := append(append([]byte("HWP Document File"), make([]byte, 15)...), u32(0x05000300, flags)...)
	if flags&1 != 0 {
		var b bytes.Buffer
		w, _ := flate.NewWriter(&b, flate.BestCompression)
		_, _ = w.Write(body)
		_ = w.Close()
		body = b.Bytes()
	}
	title := wide("근로계약서\x00")
	summary := append(append(u16(0xFFFE, 0), make([]byte, 40)...), u32(48)...)
	summary = append(summary, u32(uint32(40+len(title)), 2, 1, 24, 2, 28, 0, 31, uint32(len(title)/2))...) // two properties; number 1 means nothing here
	return compound(stored{"FileHeader", head}, stored{"\x05HwpSummaryInformation", append(summary, title...)}, stored{"BodyText/Section0", body})
}

func body5() []byte {
	at := func(kind int) []byte { return append(append(u16(kind), make([]byte, 12)...), u16(kind)...) } // an object stands here
	text := append(append(append(wide("제1조(목적)"), at(9)...), append(wide("본문"), 10, 0)...), append(at(11), wide("끝")...)...)
	return bytes.Join([][]byte{
		paragraph(0, text, false),
		control(1, "tbl "), record(0x48, 2, make([]byte, 30)), paragraph(2, wide("표 1"), false), record(0x4D, 2, make([]byte, 20)),
		cell(2, 0, 0, "이름"), cell(2, 1, 0, "급여"), cell(2, 0, 1, "김하나"), cell(2, 1, 1, "300만원"),
		paragraph(0, wide("각주가 있다"), false), control(1, "fn  "), record(0x48, 2, make([]byte, 16)), paragraph(2, wide(" 각주의 말"), false),
		control(1, "en  "), record(0x48, 2, make([]byte, 16)), paragraph(2, wide("미주의 말"), false),
		control(1, "tcmt"), record(0x48, 2, make([]byte, 16)), paragraph(2, wide("숨은 설명"), false),
		paragraph(0, wide("둘째 쪽"), true), record(0x10, 0, make([]byte, 5000)), paragraph(0, wide(strings.Repeat("긴 글 ", 3000)), false),
	}, nil)
}

func TestHangul(t *testing.T) {
	x := extract.New(extract.Limits{}, "")
	for name, data := range map[string][]byte{"packed.hwp": hangul(1, body5()), "plain.hwp": hangul(0, body5())} {
		got, err := x.Read(t.Context(), put(t, name, data))
		if err != nil || got.Title != "근로계약서" || got.Format != "hwp" || len(got.Pages) != 2 {
			t.Errorf("%s: %+v, %v", name, got, err)
			continue
		}
		want := "제1조(목적)\t본문\n끝\n표 1\n이름 \t급여 \n김하나 \t300만원 \n각주가 있다\n(각주의 말 )\n(미주의 말 )\n"
		if got.Pages[0] != want || !strings.HasPrefix(got.Pages[1], "둘째 쪽\n긴 글 긴 글") {
			t.Errorf("%s: %q", name, got.Pages[0])
		}
	}
	for flags, why := range map[uint32]string{1<<1 | 1: "password", 1<<2 | 1: "distribution", 1 << 4: "DRM", 1 << 8: "DRM"} {
		if _, err := x.Read(t.Context(), put(t, "locked.hwp", hangul(flags, body5()))); !says(err, why) {
			t.Errorf("%x: %v", flags, err)
		}
	}
	if _, err := x.Read(t.Context(), put(t, "old.hwp", []byte("HWP Document File V3.00 \x1a\x01\x02\x03\x04\x05"))); !says(err, "Hangul 3") {
		t.Error(err)
	}
}
