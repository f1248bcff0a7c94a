package extract

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// How much of a table is looked at before its dialect is known.
const (
	sniffed     = 64 << 10
	sniffedRows = 50
)

// rowsOfCSV reads a table of separated values, streaming. Its encoding is that of its byte order mark, UTF-8, UTF-16 or CP949; its
// separator the one that makes the most of it.
func (e *Extractor) rowsOfCSV(ctx context.Context, path string, tabs bool, on func(Row) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	enc, err := encodingOf(ctx, io.LimitReader(f, e.limits.FileBytes))
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return err
	}
	text := bufio.NewReaderSize(transform.NewReader(io.LimitReader(f, e.limits.FileBytes), unicode.BOMOverride(enc.NewDecoder())), sniffed)
	head, err := text.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	comma := separator(head)
	if tabs && bytes.IndexByte(head, '\t') >= 0 {
		comma = '\t'
	}
	number := 0
	if rest, says := bytes.CutPrefix(head, []byte("sep=")); says && len(rest) > 1 { // as Excel writes it
		if line := bytes.TrimRight(rest[:max(bytes.IndexByte(rest, '\n'), 0)], "\r"); len(line) == 1 {
			comma = rune(line[0])
			number++
			if _, err := text.ReadSlice('\n'); err != nil {
				return err
			}
		}
	}
	record := &oneRecord{Reader: text}
	r := dialect(record, comma)
	var cells []Cell
	for ; ; number++ {
		if number%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		record.left = maxToken
		values, err := r.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case len(values) > maxColumns:
			return errText
		}
		cells = cells[:0]
		for _, v := range values {
			cells = append(cells, cellOf(v))
		}
		if err := on(Row{Sheet: 1, Number: number + 1, Cells: cells}); err != nil {
			return err
		}
	}
}

// dialect reads records as loosely as people's programs write them.
func dialect(from io.Reader, comma rune) *csv.Reader {
	r := csv.NewReader(from)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord = comma, true, -1, true
	return r
}

// oneRecord ends where one record takes more than it may: a quote that never closes would take the whole file.
type oneRecord struct {
	io.Reader
	left int
}

// Read implements io.Reader.
func (o *oneRecord) Read(b []byte) (int, error) {
	n, err := o.Reader.Read(b)
	if o.left -= n; o.left < 0 {
		return 0, errText
	}
	return n, err
}

// cellOf reads a value: plain numbers are numbers, all others stay as they are; a formula is only text.
func cellOf(v string) Cell {
	kind := CellText
	if plain := strings.TrimSpace(v); plain != "" && len(plain) < 40 && strings.IndexByte("0123456789+-.", plain[0]) >= 0 && numeric(plain) && !strings.HasSuffix(plain, "원") && !identifier(plain) {
		kind = CellNumber
	}
	return Cell{Text: v, Kind: kind}
}

// identifier tells whether figures are a name, not a number: 01012345678 would lose its first.
func identifier(v string) bool {
	v = strings.TrimLeft(v, "+-")
	return len(v) > 1 && v[0] == '0' && v[1] >= '0' && v[1] <= '9'
}

// separator is the one of the usual separators with which the first records have the most columns alike.
func separator(head []byte) rune {
	if cut := bytes.LastIndexByte(head, '\n'); cut > 0 && len(head) == sniffed {
		head = head[:cut]
	}
	best, most := ',', 0
	for _, comma := range []rune{',', '\t', ';', '|'} {
		r := dialect(bytes.NewReader(head), comma)
		widths, rows := map[int]int{}, 0
		for ; rows < sniffedRows; rows++ {
			values, err := r.Read()
			if err != nil {
				break
			}
			widths[len(values)]++
		}
		for width, n := range widths {
			// What is as wide as most rows counts; a separator that stands in a few values alone makes rows of any width.
			if worth := (width - 1) * n * n / max(rows, 1); width > 1 && worth > most {
				best, most = comma, worth
			}
		}
	}
	return best
}

// encodingOf looks through a whole text for what can only be one encoding.
func encodingOf(ctx context.Context, text io.Reader) (encoding.Encoding, error) {
	buf := make([]byte, 64<<10)
	kept := 0
	for first := true; ; first = false {
		n, err := io.ReadFull(text, buf[kept:])
		b := buf[:kept+n]
		if first {
			if wide := wideOf(b); wide != nil {
				return wide, nil
			}
		}
		last := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		switch {
		case err != nil && !last:
			return nil, err
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
		end := len(b)
		for i := 1; !last && i < utf8.UTFMax && i <= len(b); i++ { // a letter that goes on in what is read next
			if utf8.RuneStart(b[len(b)-i]) {
				if !utf8.FullRune(b[len(b)-i:]) {
					end = len(b) - i
				}
				break
			}
		}
		if !utf8.Valid(b[:end]) {
			return korean.EUCKR, nil
		}
		if last {
			return unicode.UTF8, nil
		}
		kept = copy(buf, b[end:])
	}
}

// wideOf tells UTF-16, with its mark or by the zeros that every second byte of its commas, figures and line ends is.
func wideOf(b []byte) encoding.Encoding {
	switch {
	case bytes.HasPrefix(b, []byte{0xFF, 0xFE}):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case bytes.HasPrefix(b, []byte{0xFE, 0xFF}):
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	}
	b = b[:min(len(b), 4096)]
	var zeros [2]int
	for i, c := range b {
		if c == 0 {
			zeros[i%2]++
		}
	}
	switch few := len(b) / 16; {
	case zeros[1] > few && zeros[0] == 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case zeros[0] > few && zeros[1] == 0:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return nil
}
