package strictjson

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// inspector walks a text that json.Valid accepted and looks for what json.Valid lets pass.
type inspector struct {
	cursor
	limit int // of depth
}

func (in *inspector) value(depth int) error {
	switch in.peek() {
	case '{':
		return in.object(depth + 1)
	case '[':
		return in.array(depth + 1)
	case '"':
		return checkPairs(in.token())
	default:
		in.token()
		return nil
	}
}

func (in *inspector) object(depth int) error {
	if depth > in.limit {
		return fmt.Errorf("%w: at most %d levels", ErrTooDeep, in.limit)
	}
	seen := map[string]struct{}{}
	for in.next('}') {
		raw := in.token()
		if err := checkPairs(raw); err != nil {
			return err
		}
		key := unquote(raw)
		folded := fold(key)
		if _, twice := seen[folded]; twice {
			return fmt.Errorf("%w: %q", ErrDuplicateKey, key)
		}
		seen[folded] = struct{}{}
		in.colon()
		if err := in.value(depth); err != nil {
			return err
		}
	}
	return nil
}

func (in *inspector) array(depth int) error {
	if depth > in.limit {
		return fmt.Errorf("%w: at most %d levels", ErrTooDeep, in.limit)
	}
	for in.next(']') {
		if err := in.value(depth); err != nil {
			return err
		}
	}
	return nil
}

// checkPairs refuses \u escapes that are half of a surrogate pair: encoding/json would silently replace them.
func checkPairs(raw []byte) error {
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			i++
			continue
		}
		if raw[i+1] != 'u' {
			i += 2
			continue
		}
		unit := hex4(raw[i+2:])
		i += 6
		if unit < 0xD800 || unit > 0xDFFF {
			continue
		}
		low := unit <= 0xDBFF && bytes.HasPrefix(raw[i:], []byte(`\u`))
		if low {
			second := hex4(raw[i+2:])
			low = second >= 0xDC00 && second <= 0xDFFF
		}
		if !low {
			return fmt.Errorf("%w: \\u%04x is half of a pair", ErrEncoding, unit)
		}
		i += 6
	}
	return nil
}

func hex4(b []byte) uint64 {
	unit, _ := strconv.ParseUint(string(b[:4]), 16, 16) // the grammar was checked
	return unit
}

// fold maps keys that encoding/json takes for the same struct field to one string: each letter becomes the smallest of
// the letters that differ from it only in case.
func fold(key string) string {
	folded := make([]byte, 0, len(key))
	for _, r := range key {
		for {
			next := unicode.SimpleFold(r)
			if next <= r {
				folded = utf8.AppendRune(folded, next)
				break
			}
			r = next
		}
	}
	return string(folded)
}

// SameKey reports whether encoding/json would take a and b for the same struct field.
func SameKey(a, b string) bool { return a == b || fold(a) == fold(b) }
