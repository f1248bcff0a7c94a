package extract

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// What an RTF file may be.
const (
	rtfDepth = 500
	rtfFonts = 4096
)

// rtfAside are groups whose text is none of the document's.
var rtfAside = map[string]bool{
	"fonttbl": true, "colortbl": true, "stylesheet": true, "info": true, "pict": true, "object": true, "objdata": true, "themedata": true, "colorschememapping": true,
	"datastore": true, "latentstyles": true, "listtable": true, "listoverridetable": true, "rsidtbl": true, "generator": true, "xmlnstbl": true, "fldinst": true, "bkmkstart": true,
	"bkmkend": true, "annotation": true, "atnid": true, "atnauthor": true, "header": true, "footer": true, "headerl": true, "headerr": true, "headerf": true, "footerl": true,
	"footerr": true, "footerf": true, "mmathPr": true, "filetbl": true, "revtbl": true, "pgptbl": true, "template": true, "nonshppict": true, "pntext": true, "deleted": true,
}

// rtfSigns are words that stand for a character.
var rtfSigns = map[string]string{
	"par": "\n", "line": "\n", "sect": "\n", "tab": "\t", "cell": "\t", "nestcell": "\t", "row": "\n", "nestrow": "\n", "emdash": "—", "endash": "–", "bullet": "•",
	"lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "emspace": " ", "enspace": " ", "qmspace": " ", "~": " ", "_": "-",
}

// rtfCharsets are the encodings of fonts, by the numbers that Windows gives them.
var rtfCharsets = map[int]string{
	128: "shift_jis", 129: "euc-kr", 134: "gbk", 136: "big5", 161: "windows-1253", 162: "windows-1254", 163: "windows-1258", 177: "windows-1255", 178: "windows-1256",
	186: "windows-1257", 204: "windows-1251", 222: "windows-874", 238: "windows-1250",
}

// rtfPages are the encodings of documents, by code page.
var rtfPages = map[int]string{932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5", 65001: "utf-8", 874: "windows-874", 1361: "euc-kr"}

// rtfState is what holds within a group.
type rtfState struct {
	aside bool // its text is not shown
	fonts bool // it is the table of fonts
	title bool
	unlit bool // it is hidden
	note  bool // it is a footnote
	font  int
	skip  int // how many characters stand for one \u
}

// rtfReader reads RTF (Microsoft's specification 1.9.1).
type rtfReader struct {
	raw   []byte
	at    int
	state rtfState
	stack []rtfState
	page  encoding.Encoding
	fonts map[int]encoding.Encoding
	bytes []byte // characters of the encoding at hand, not yet decoded
	drop  int    // how many characters to pass over, for those were said by \u
	high  rune   // the first half of a surrogate pair
	star  bool   // the group says that it need not be understood
	text  sink
	title strings.Builder
	pages []string
	most  int // pages
}

// readRTF reads the text of an RTF file. Objects, fields' instructions and pictures are left where they are.
func (e *Extractor) readRTF(ctx context.Context, file string) (Text, error) {
	raw, err := readFile(file, e.limits.FileBytes)
	if err != nil {
		return Text{}, err
	}
	if !bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n\xEF\xBB\xBF"), []byte(`{\rtf`)) {
		return Text{}, errors.New("it does not begin as RTF does")
	}
	r := rtfReader{raw: raw, page: charmap.Windows1252, fonts: map[int]encoding.Encoding{}, text: sink{most: e.limits.TextBytes}, most: e.limits.Pages}
	r.state.skip = 1
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return Text{}, ctx.Err()
		}
		switch err := r.next(); {
		case errors.Is(err, io.EOF):
			r.flush()
			return Text{Title: r.title.String(), Pages: append(r.pages, squeeze(r.text.String()))}, nil
		case err != nil:
			return Text{}, err
		}
	}
}

// next reads one sign: a brace, a control word, or a character.
func (r *rtfReader) next() error {
	if r.at >= len(r.raw) {
		if len(r.stack) > 0 {
			return io.ErrUnexpectedEOF
		}
		return io.EOF
	}
	c := r.raw[r.at]
	r.at++
	switch c {
	case '{':
		if len(r.stack) >= rtfDepth {
			return errors.New("nested too deep")
		}
		r.flush()
		r.stack = append(r.stack, r.state)
		r.star, r.drop = false, 0
	case '}':
		r.flush()
		if len(r.stack) == 0 {
			return errors.New("a group ends that never began")
		}
		note := r.state.note
		r.state, r.stack = r.stack[len(r.stack)-1], r.stack[:len(r.stack)-1]
		if note && !r.state.note {
			r.say(")")
		}
		if r.star, r.drop = false, 0; len(r.stack) == 0 {
			r.at = len(r.raw) // what follows the document is none of it
		}
	case '\\':
		return r.control()
	case '\r', '\n', 0:
	default:
		return r.char(c)
	}
	return nil
}

// char takes a byte of text.
func (r *rtfReader) char(c byte) error {
	if r.drop > 0 {
		r.drop--
		return nil
	}
	if r.bytes = append(r.bytes, c); len(r.bytes) >= maxToken {
		r.flush()
	}
	if r.text.Len()+len(r.bytes) > r.text.most {
		return errText
	}
	return nil
}

// flush decodes what was gathered, by its font's encoding.
func (r *rtfReader) flush() {
	if len(r.bytes) == 0 {
		return
	}
	enc := r.page
	if own := r.fonts[r.state.font]; own != nil {
		enc = own
	}
	text, err := enc.NewDecoder().Bytes(r.bytes)
	if err == nil {
		r.say(string(text))
	}
	r.bytes = r.bytes[:0]
}

// say puts text where it belongs; too much of it is noticed when the next character comes.
func (r *rtfReader) say(text string) {
	switch {
	case r.state.title:
		if r.title.Len() < 1000 {
			r.title.WriteString(text)
		}
	case !r.state.aside && !r.state.unlit:
		_, _ = r.text.WriteString(text)
	}
}

// control reads a control word or sign and does what it says.
func (r *rtfReader) control() error {
	if r.at >= len(r.raw) {
		return io.ErrUnexpectedEOF
	}
	c := r.raw[r.at]
	if c|0x20 < 'a' || c|0x20 > 'z' {
		r.at++
		return r.sign(c)
	}
	from := r.at
	for r.at < len(r.raw) && r.at-from < 40 && r.raw[r.at]|0x20 >= 'a' && r.raw[r.at]|0x20 <= 'z' {
		r.at++
	}
	word := string(r.raw[from:r.at])
	from = r.at
	for r.at < len(r.raw) && r.at-from < 12 && (r.raw[r.at] >= '0' && r.raw[r.at] <= '9' || r.at == from && r.raw[r.at] == '-') {
		r.at++
	}
	n, err := strconv.Atoi(string(r.raw[from:r.at]))
	given := err == nil
	if r.at < len(r.raw) && r.raw[r.at] == ' ' {
		r.at++
	}
	return r.word(word, n, given)
}

func (r *rtfReader) sign(c byte) error {
	switch c {
	case '\'':
		if r.at+2 > len(r.raw) {
			return io.ErrUnexpectedEOF
		}
		b, err := strconv.ParseUint(string(r.raw[r.at:r.at+2]), 16, 8)
		if r.at += 2; err != nil {
			return nil //nolint:nilerr // no character
		}
		return r.char(byte(b))
	case '*':
		r.star = true
	case '{', '}', '\\':
		return r.char(c)
	case '\r', '\n':
		r.flush()
		r.say("\n")
	case '~', '_':
		r.flush()
		r.say(rtfSigns[string(c)])
	}
	return nil
}

func (r *rtfReader) word(word string, n int, given bool) error {
	if word != "u" {
		r.flush()
	}
	star := r.star
	r.star = false
	if s, is := rtfSigns[word]; is {
		if r.drop > 0 {
			r.drop--
			return nil
		}
		r.say(s)
		if r.text.Len() > r.text.most {
			return errText
		}
		return nil
	}
	if word == "u" {
		return r.unicode(n)
	}
	if control, is := rtfControls[word]; is {
		return control(r, n, given)
	}
	if star || rtfAside[word] {
		r.state.aside, r.state.fonts = true, r.state.fonts || word == "fonttbl"
	}
	return nil
}

// rtfControls are the control words that change how what follows is read; n is their number, given whether they have one.
var rtfControls = map[string]func(r *rtfReader, n int, given bool) error{
	"uc": func(r *rtfReader, n int, _ bool) error {
		r.state.skip = min(max(n, 0), 16)
		return nil
	},
	"bin": func(r *rtfReader, n int, _ bool) error {
		if n < 0 || n > len(r.raw)-r.at {
			return io.ErrUnexpectedEOF
		}
		r.at += n
		return nil
	},
	"page":   func(r *rtfReader, _ int, _ bool) error { return r.endPage() },
	"pagebb": func(r *rtfReader, _ int, _ bool) error { return r.endPage() },
	"ansicpg": func(r *rtfReader, n int, _ bool) error {
		if enc := byLabel(rtfPages[n], n); enc != nil {
			r.page = enc
		}
		return nil
	},
	"f": func(r *rtfReader, n int, _ bool) error {
		r.state.font = n
		return nil
	},
	"fcharset": func(r *rtfReader, n int, _ bool) error {
		if enc := byLabel(rtfCharsets[n], 0); r.state.fonts && enc != nil && len(r.fonts) < rtfFonts {
			r.fonts[r.state.font] = enc
		}
		return nil
	},
	"footnote": func(r *rtfReader, _ int, _ bool) error {
		r.state.note = true
		r.say(" (")
		return nil
	},
	"title": func(r *rtfReader, _ int, _ bool) error {
		if r.state.title = r.state.aside; r.state.title {
			r.title.Reset() // the same in Unicode comes last
		}
		return nil
	},
	"plain": func(r *rtfReader, _ int, _ bool) error {
		r.state.font, r.state.unlit = 0, false
		return nil
	},
	"shptxt": func(r *rtfReader, _ int, _ bool) error {
		r.state.aside = false
		return nil
	},
	"v": func(r *rtfReader, n int, given bool) error { // hidden
		r.state.unlit = !given || n != 0
		return nil
	},
}

// endPage ends a page of the document's text.
func (r *rtfReader) endPage() error {
	if !r.state.aside && r.text.Len() > 0 && len(r.pages) < r.most {
		r.pages = append(r.pages, squeeze(r.text.String()))
		r.text.most -= r.text.Len()
		r.text.Reset()
	}
	return nil
}

// unicode says a character by its number; the characters that follow say it for programs that know no Unicode.
func (r *rtfReader) unicode(n int) error {
	if len(r.bytes) > 0 {
		r.flush()
	}
	if r.drop = r.state.skip; n < 0 {
		n += 1 << 16
	}
	c := rune(n & 0x1FFFFF)
	switch {
	case c >= 0xD800 && c < 0xDC00:
		r.high = c
		return nil
	case c >= 0xDC00 && c < 0xE000 && r.high != 0:
		c = 0x10000 + (r.high-0xD800)<<10 + (c - 0xDC00)
	}
	r.high = 0
	r.say(string(c))
	if r.text.Len() > r.text.most {
		return errText
	}
	return nil
}

// byLabel gives the encoding of a name, or else of one of Windows' code pages for one byte a letter.
func byLabel(label string, page int) encoding.Encoding {
	if label == "" && page >= 1250 && page <= 1258 {
		label = "windows-" + strconv.Itoa(page)
	}
	if label == "" {
		return nil
	}
	enc, _ := charset.Lookup(label)
	return enc
}
