package extract

import (
	"bufio"
	"compress/flate"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/richardlehane/mscfb"

	"agentchat/backend/language/bilingual"
)

// Records of a Hangul document's body that say something (Hancom: HWP document file format 5.0, revision 1.3).
const (
	hwpParaHeader = 0x42
	hwpParaText   = 0x43
	hwpCtrlHeader = 0x47
	hwpListHeader = 0x48
	hwpTable      = 0x4D
	hwpEquation   = 0x58
)

// What the head of the file says of it.
const (
	hwpPacked      = 1 << 0
	hwpPassword    = 1 << 1
	hwpDistributed = 1 << 2
	hwpDRM         = 1 << 4
	hwpCertified   = 1<<8 | 1<<10
)

// What one may be.
const (
	hwpRecord   = 64 << 20 // bytes of one record; what is not read is passed over
	hwpParaMost = 4 << 20  // of a paragraph's text
	hwpDepth    = 100
)

// The reasons for which one is refused.
var (
	errHWPLocked = bilingual.WrongOf("암호가 걸린 한글 문서예요. 한글에서 암호를 푼 뒤 다시 넣어 주세요", "the Hangul document is locked with a password; take it off in Hangul and add it again")
	errHWPDist   = bilingual.WrongOf("배포용으로 잠긴 한글 문서예요. 배포한 곳에 보통 문서를 부탁하거나 PDF로 저장해서 넣어 주세요", "the Hangul document is locked for distribution; ask for the plain one, or save it as PDF and add that")
	errHWPDRM    = bilingual.WrongOf("보안(DRM)이 걸린 한글 문서예요. 보안을 푼 문서를 넣어 주세요", "the Hangul document is protected (DRM); add one without the protection")
	errHWPOld    = bilingual.WrongOf("한글 3.0 이전 형식이에요. 한글에서 새 형식으로 저장한 뒤 다시 넣어 주세요", "its format is Hangul 3 or older; save it again in Hangul and add that file")
)

// readHWP reads the text of a Hangul document of format 5: body, tables, boxes, footnotes, heads and feet, section by section.
// Scripts, pictures and embedded objects are not looked at.
func (e *Extractor) readHWP(ctx context.Context, file string) (Text, error) {
	f, err := os.Open(file)
	if err != nil {
		return Text{}, err
	}
	defer func() { _ = f.Close() }()
	first := make([]byte, 23)
	if _, err := io.ReadFull(f, first); err == nil && string(first) == "HWP Document File V3.00" {
		return Text{}, errHWPOld
	}
	directory := &metered{ReaderAt: f, left: maxDirectory}
	c, err := mscfb.New(directory)
	if err != nil {
		return Text{}, err
	}
	directory.left = 4 * e.limits.FileBytes // what is read of it; a chain that goes in a circle has an end
	parts := map[string]*mscfb.File{}
	for _, part := range c.File {
		parts[strings.Join(append(slices.Clone(part.Path), part.Name), "/")] = part
	}
	packed, err := hwpHead(parts["FileHeader"])
	if err != nil {
		return Text{}, err
	}
	r := hwpReader{ctx: ctx, out: sink{most: e.limits.TextBytes}, most: e.limits.Pages, left: 4 * int64(e.limits.TextBytes)}
	for n := 0; ; n++ {
		part := parts[fmt.Sprintf("BodyText/Section%d", n)]
		if part == nil {
			if n == 0 {
				return Text{}, errors.New("there is no BodyText/Section0")
			}
			break
		}
		var raw io.Reader = bufio.NewReaderSize(part, 64<<10)
		if packed {
			raw = flate.NewReader(raw)
		}
		if err := r.section(bufio.NewReaderSize(raw, 64<<10)); err != nil {
			return Text{}, fmt.Errorf("section %d: %w", n, err)
		}
	}
	return Text{Title: hwpTitle(parts["HwpSummaryInformation"]), Pages: append(r.pages, r.out.String())}, nil
}

// hwpHead reads what the head of the file says, and refuses what is locked.
func hwpHead(part *mscfb.File) (packed bool, err error) {
	if part == nil {
		return false, errors.New("there is no FileHeader")
	}
	head := make([]byte, 40)
	if _, err := io.ReadFull(part, head); err != nil {
		return false, err
	}
	if strings.TrimRight(string(head[:32]), "\x00") != "HWP Document File" || head[35] != 5 {
		return false, errors.New("it is no Hangul document of format 5")
	}
	switch flags := binary.LittleEndian.Uint32(head[36:]); {
	case flags&hwpPassword != 0:
		return false, errHWPLocked
	case flags&(hwpDRM|hwpCertified) != 0:
		return false, errHWPDRM
	case flags&hwpDistributed != 0:
		return false, errHWPDist
	default:
		return flags&hwpPacked != 0, nil
	}
}

// hwpReader reads the records of a body.
type hwpReader struct {
	ctx   context.Context //nolint:containedctx // of one reading
	out   sink
	pages []string
	most  int   // pages
	left  int64 // bytes to be unpacked
	stack []hwpGroup
}

// hwpGroup is a control whose records are being read: a table, a footnote, the foot of a page. Its records are deeper than its level.
type hwpGroup struct {
	level int
	kind  string
	row   int  // of a table: the row that is written, -1 before the first
	cells bool // of a table: its cells have begun; what comes before is its caption
}

// note tells whether it is a footnote or an endnote.
func (g *hwpGroup) note() bool { return g.kind == "fn  " || g.kind == "en  " }

// section reads one section, record by record.
func (r *hwpReader) section(from io.Reader) error {
	var head [4]byte
	for n := 0; ; n++ {
		if n%1024 == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		switch _, err := io.ReadFull(from, head[:]); {
		case errors.Is(err, io.EOF):
			r.leave(-1)
			return nil
		case err != nil:
			return err
		}
		h := binary.LittleEndian.Uint32(head[:])
		tag, level, size := h&0x3FF, int(h>>10&0x3FF), int64(h>>20)
		if size == 0xFFF {
			if _, err := io.ReadFull(from, head[:]); err != nil {
				return err
			}
			size = int64(binary.LittleEndian.Uint32(head[:]))
		}
		if r.left -= size + 4; r.left < 0 || size > hwpRecord {
			return errBomb
		}
		switch tag {
		case hwpParaHeader, hwpParaText, hwpCtrlHeader, hwpListHeader, hwpTable, hwpEquation:
			if size > hwpParaMost {
				return errText
			}
			data := make([]byte, size)
			if _, err := io.ReadFull(from, data); err != nil {
				return err
			}
			if err := r.record(tag, level, data); err != nil {
				return err
			}
		default:
			if _, err := io.CopyN(io.Discard, from, size); err != nil {
				return err
			}
		}
	}
}

func (r *hwpReader) record(tag uint32, level int, data []byte) error {
	r.leave(level)
	switch tag {
	case hwpCtrlHeader:
		return r.enter(level, data)
	case hwpTable:
		if g := r.group(); g != nil {
			g.cells = true
		}
	case hwpListHeader:
		if g := r.group(); g != nil && g.cells && len(data) >= 16 {
			return r.cell(g, int(binary.LittleEndian.Uint16(data[10:])))
		}
	case hwpParaHeader:
		if len(data) >= 12 && data[11]&0x04 != 0 && len(r.stack) == 0 {
			r.endPage()
		}
	case hwpParaText:
		return r.paragraph(data)
	case hwpEquation:
		if len(data) > 6 {
			n := int(binary.LittleEndian.Uint16(data[4:]))
			return r.say(oneLine(wide(data[6:min(len(data), 6+2*n)])) + "\n")
		}
	}
	return nil
}

// enter begins a group: a table, a note, a field, or another object.
func (r *hwpReader) enter(level int, data []byte) error {
	if len(r.stack) >= hwpDepth {
		return errors.New("nested too deep")
	}
	kind := ""
	for i := range min(4, len(data)) { // four letters, the last one first
		kind = string(rune(data[i])) + kind
	}
	r.stack = append(r.stack, hwpGroup{level: level, kind: kind, row: -1})
	if r.group().note() {
		return r.say("(")
	}
	return nil
}

// endPage ends a page, unless there is nothing on it.
func (r *hwpReader) endPage() {
	if strings.TrimSpace(r.out.String()) != "" && len(r.pages) < r.most {
		r.pages = append(r.pages, r.out.String())
		r.out.most -= r.out.Len()
		r.out.Reset()
	}
}

func (r *hwpReader) paragraph(data []byte) error {
	if r.unread() {
		return nil
	}
	words, end := hwpWords(data), "\n"
	if g := r.group(); g != nil && (g.cells || g.note()) {
		words, end = strings.TrimSpace(words), " " // a cell is one line
	}
	return r.say(words + end)
}

// cell begins the next cell of a table.
func (r *hwpReader) cell(g *hwpGroup, row int) error {
	mark := "\t"
	if row != g.row {
		mark = "\n"
	}
	if g.row < 0 {
		mark = ""
	}
	g.row = row
	return r.say(mark)
}

// leave ends the groups that a record of this level no longer is in.
func (r *hwpReader) leave(level int) {
	for len(r.stack) > 0 && r.stack[len(r.stack)-1].level >= level {
		g := r.stack[len(r.stack)-1]
		r.stack = r.stack[:len(r.stack)-1]
		switch {
		case g.cells:
			_ = r.say("\n") // too much is noticed when more is said
		case g.note():
			_ = r.say(")\n")
		}
	}
}

func (r *hwpReader) group() *hwpGroup {
	if len(r.stack) == 0 {
		return nil
	}
	return &r.stack[len(r.stack)-1]
}

// unread tells whether what stands here is none of what the document shows: a hidden comment, or a field's own words.
func (r *hwpReader) unread() bool {
	return slices.ContainsFunc(r.stack, func(g hwpGroup) bool { return g.kind == "tcmt" })
}

func (r *hwpReader) say(text string) error {
	if r.out.add(text) != nil {
		return errText
	}
	return nil
}

// hwpWords reads the text of a paragraph. Below the blank a letter is a sign: of one letter, or of eight with what they say of an
// object that stands there.
func hwpWords(data []byte) string {
	units := make([]uint16, 0, len(data)/2)
	for i := 0; i+1 < len(data); i += 2 {
		c := binary.LittleEndian.Uint16(data[i:])
		switch {
		case c >= 32:
			units = append(units, c)
		case c == 9:
			units = append(units, '\t')
			i += 14
		case c == 10:
			units = append(units, '\n')
		case c == 24:
			units = append(units, '-')
		case c == 30, c == 31:
			units = append(units, ' ')
		case c == 0, c == 13, c >= 25: // one letter
		default:
			i += 14
		}
	}
	return string(utf16.Decode(units))
}

// wide reads UTF-16, up to where it ends.
func wide(data []byte) string {
	units := make([]uint16, 0, len(data)/2)
	for i := 0; i+1 < len(data); i += 2 {
		c := binary.LittleEndian.Uint16(data[i:])
		if c == 0 {
			break
		}
		units = append(units, c)
	}
	return string(utf16.Decode(units))
}

// hwpTitle reads the title among a document's properties (MS-OLEPS: a set of numbered properties; the title is number 2).
func hwpTitle(part *mscfb.File) string {
	if part == nil {
		return ""
	}
	b, err := io.ReadAll(io.LimitReader(part, 64<<10))
	if err != nil || len(b) < 48 {
		return ""
	}
	at := func(i uint32) uint32 {
		if uint64(i)+4 > uint64(len(b)) {
			return 0
		}
		return binary.LittleEndian.Uint32(b[i:])
	}
	set := at(44)
	for n := range min(at(set+4), 100) {
		if at(set+8+8*n) != 2 {
			continue
		}
		value := set + at(set+12+8*n)
		if long := at(value + 4); at(value) == 31 && uint64(value)+8 < uint64(len(b)) {
			return wide(b[value+8 : min(uint64(len(b)), uint64(value)+8+2*uint64(long))])
		}
	}
	return ""
}
