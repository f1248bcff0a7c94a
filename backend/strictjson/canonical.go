package strictjson

import (
	"slices"
	"strings"
)

// canonicaliser rewrites a text that Limits.Check accepted.
type canonicaliser struct{ cursor }

// value appends the canonical form of the value that starts here.
func (c *canonicaliser) value(out []byte) []byte {
	switch c.peek() {
	case '{':
		return c.object(out)
	case '[':
		return c.array(out)
	case '"':
		return appendString(out, unquote(c.token()))
	default:
		return append(out, c.token()...)
	}
}

// object sorts its members by key. Their values are written aside in the order found, then copied into place.
func (c *canonicaliser) object(out []byte) []byte {
	type member struct {
		key        string
		start, end int // of the value, in scratch
	}
	var members []member
	var scratch []byte
	for c.next('}') {
		key := unquote(c.token())
		c.colon()
		start := len(scratch)
		scratch = c.value(scratch)
		members = append(members, member{key, start, len(scratch)})
	}
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.key, b.key) })
	out = append(out, '{')
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendString(out, m.key)
		out = append(out, ':')
		out = append(out, scratch[m.start:m.end]...)
	}
	return append(out, '}')
}

func (c *canonicaliser) array(out []byte) []byte {
	out = append(out, '[')
	first := true
	for c.next(']') {
		if !first {
			out = append(out, ',')
		}
		first = false
		out = c.value(out)
	}
	return append(out, ']')
}

// appendString writes s with the escapes JSON demands and no others.
func appendString(out []byte, s string) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	for i := range len(s) {
		switch b := s[i]; b {
		case '"', '\\':
			out = append(out, '\\', b)
		case '\b':
			out = append(out, `\b`...)
		case '\f':
			out = append(out, `\f`...)
		case '\n':
			out = append(out, `\n`...)
		case '\r':
			out = append(out, `\r`...)
		case '\t':
			out = append(out, `\t`...)
		default:
			if b < ' ' {
				out = append(out, `\u00`...)
				out = append(out, hex[b>>4], hex[b&0xf])
				continue
			}
			out = append(out, b)
		}
	}
	return append(out, '"')
}
