package extract

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/unicode"
)

// decode turns bytes into text: by its byte order mark, as UTF-8, by what it says of itself, and else as Korean of old
// (CP949).
func decode(raw []byte, label string) (string, error) {
	var enc encoding.Encoding
	switch {
	case bytes.HasPrefix(raw, []byte{0xEF, 0xBB, 0xBF}):
		return string(raw[3:]), nil
	case bytes.HasPrefix(raw, []byte{0xFF, 0xFE}), bytes.HasPrefix(raw, []byte{0xFE, 0xFF}):
		enc = unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM)
	case utf8.Valid(raw):
		return string(raw), nil
	default:
		if enc, _ = charset.Lookup(label); enc == nil || strings.EqualFold(label, "utf-8") {
			enc = korean.EUCKR
		}
	}
	text, err := enc.NewDecoder().Bytes(raw)
	return string(text), err
}
