package files

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/korean"
	utf "golang.org/x/text/encoding/unicode"
)

// What a text may weigh.
const (
	maxRead  = 8 << 20 // bytes of a file that is read or searched
	maxWrite = 1 << 20 // bytes of a file that is written
)

// document is a text file: its text with plain line ends, and how it is kept.
type document struct {
	text  string
	enc   encoding.Encoding // nil: UTF-8
	mark  []byte            // the byte order mark before UTF-8
	crlf  bool
	known string // the encoding's name; "": UTF-8
}

// decode reads a file as text: by its byte order mark, as UTF-8, else as Korean of old (CP949). ok is false for what is no
// text.
func decode(raw []byte) (d document, ok bool) {
	text := ""
	switch {
	case bytes.HasPrefix(raw, []byte{0xEF, 0xBB, 0xBF}):
		d.mark, text = raw[:3:3], string(raw[3:])
	case bytes.HasPrefix(raw, []byte{0xFF, 0xFE}), bytes.HasPrefix(raw, []byte{0xFE, 0xFF}):
		order := utf.LittleEndian
		if raw[0] == 0xFE {
			order = utf.BigEndian
		}
		d.enc, d.known = utf.UTF16(order, utf.UseBOM), "UTF-16"
	case utf8.Valid(raw):
		text = string(raw)
	default:
		d.enc, d.known = korean.EUCKR, "CP949"
	}
	if d.enc != nil {
		decoded, err := d.enc.NewDecoder().Bytes(raw)
		if err != nil {
			return d, false
		}
		text = string(decoded)
	}
	if !utf8.ValidString(text) || d.enc != nil && strings.ContainsRune(text, utf8.RuneError) || garbage(text) {
		return d, false
	}
	n := strings.Count(text, "\r\n")
	if d.crlf = n > 0 && n == strings.Count(text, "\n"); d.crlf { // a file of both kinds stays as it is
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	d.text = text
	return d, true
}

// encode writes a text as the document is kept. ok is false when its encoding has no letters for it.
func (d document) encode(text string) (raw []byte, ok bool) {
	if d.crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if d.enc == nil {
		return append(bytes.Clone(d.mark), text...), true
	}
	raw, err := d.enc.NewEncoder().Bytes([]byte(text))
	return raw, err == nil
}

// garbage tells what no text has: control characters besides those that move the pen.
func garbage(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\f\v\b\x1b\u0085", r)
	})
}
