// Package strictjson reads JSON that nobody here wrote: model replies, tool arguments, edited approvals. Where
// encoding/json is lenient it says no, because two readers of one lenient text can see two different values: a key that
// comes twice, bytes that are not UTF-8, half of a surrogate pair, something after the value, or a text so large or so
// deep that reading it costs more than it is worth.
//
// Keys that differ only in letter case count as the same key: encoding/json takes them for the same struct field.
//
// It imports the standard library only. Its functions are pure and safe for concurrent use.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// What can be wrong with a text. The errors of this package wrap one of these.
var (
	ErrTooLarge     = errors.New("the JSON text is too large")
	ErrTooDeep      = errors.New("the JSON value is nested too deeply")
	ErrSyntax       = errors.New("this is not valid JSON")
	ErrTrailing     = errors.New("there is something after the JSON value")
	ErrEncoding     = errors.New("the JSON text is not valid Unicode")
	ErrDuplicateKey = errors.New("a key comes twice in one JSON object")
	ErrMismatch     = errors.New("the JSON value has another shape than expected")
)

// Limits bound what is read. A zero field means its default.
type Limits struct {
	Bytes int // longest text, in bytes
	Depth int // how many arrays and objects may lie within each other
}

// The limits that hold unless others are given.
const (
	DefaultBytes = 1 << 20
	DefaultDepth = 64
)

func (l Limits) orDefault() Limits {
	if l.Bytes <= 0 {
		l.Bytes = DefaultBytes
	}
	if l.Depth <= 0 {
		l.Depth = DefaultDepth
	}
	return l
}

// Decode reads exactly one JSON value from data into v, which is a pointer as for json.Unmarshal. Numbers that land in
// an interface keep their exact text as json.Number. The text is checked as a whole first, so v stays untouched unless
// the error is ErrMismatch.
func Decode(data []byte, v any, limits Limits) error {
	return decode(data, v, limits, (*json.Decoder).UseNumber)
}

// DecodeKnown is Decode for what a person writes by hand: a name that v has no field for is an error (ErrMismatch), as it is misspelt.
func DecodeKnown(data []byte, v any, limits Limits) error {
	return decode(data, v, limits, (*json.Decoder).DisallowUnknownFields)
}

func decode(data []byte, v any, limits Limits, how func(*json.Decoder)) error {
	if err := limits.Check(data); err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	how(dec)
	if err := dec.Decode(v); err != nil {
		return fmt.Errorf("%w: %w", ErrMismatch, err)
	}
	return nil
}

// Canonical rewrites one JSON value, read within the default limits, so that equal values have equal bytes: keys sorted
// by their UTF-8 bytes, no space between tokens, the shortest escapes and none for HTML. Numbers keep their exact text.
func Canonical(data []byte) ([]byte, error) { return Limits{}.Canonical(data) }

// Canonical is the function of the same name within l.
func (l Limits) Canonical(data []byte) ([]byte, error) {
	if err := l.Check(data); err != nil {
		return nil, err
	}
	c := canonicaliser{cursor{text: data}}
	return c.value(make([]byte, 0, len(data))), nil
}

// Check says whether data is one strict JSON value within l.
func (l Limits) Check(data []byte) error {
	l = l.orDefault()
	if len(data) > l.Bytes {
		return fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, len(data), l.Bytes)
	}
	if !utf8.Valid(data) {
		return ErrEncoding
	}
	if !json.Valid(data) {
		return complain(data)
	}
	in := inspector{cursor{text: data}, l.Depth}
	return in.value(0)
}

// complain finds words for a text that json.Valid refused.
func complain(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	var first json.RawMessage
	if err := dec.Decode(&first); err != nil {
		switch {
		case errors.Is(err, io.EOF):
			return fmt.Errorf("%w: the text is empty", ErrSyntax)
		case errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("%w: the text ends in the middle of a value", ErrSyntax)
		}
		return fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	return fmt.Errorf("%w, at byte %d", ErrTrailing, dec.InputOffset())
}
