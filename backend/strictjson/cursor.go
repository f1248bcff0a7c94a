package strictjson

import (
	"bytes"
	"encoding/json"
	"strings"
)

// cursor steps through a text that json.Valid accepted. It trusts the grammar, so it never checks that a token is there.
type cursor struct {
	text []byte
	pos  int
}

// peek skips space and gives the byte that the next token starts with.
func (c *cursor) peek() byte {
	for c.pos < len(c.text) && strings.IndexByte(" \n\t\r", c.text[c.pos]) >= 0 {
		c.pos++
	}
	return c.text[c.pos]
}

// next steps over the opening bracket or a comma to the next element. At the end it steps over the closing bracket and
// is false.
func (c *cursor) next(closing byte) bool {
	if c.peek() != closing {
		c.pos++
		if c.peek() != closing { // otherwise the array or object is empty
			return true
		}
	}
	c.pos++
	return false
}

// colon steps over the colon behind a key.
func (c *cursor) colon() {
	c.peek()
	c.pos++
}

// token takes the string, number or word that starts here.
func (c *cursor) token() []byte {
	start := c.pos
	if c.text[c.pos] == '"' {
		for c.pos++; c.text[c.pos] != '"'; c.pos++ {
			if c.text[c.pos] == '\\' {
				c.pos++
			}
		}
		c.pos++
		return c.text[start:c.pos]
	}
	for c.pos < len(c.text) && strings.IndexByte(" \n\t\r,:]}", c.text[c.pos]) < 0 {
		c.pos++
	}
	return c.text[start:c.pos]
}

// unquote gives the text of a JSON string token.
func unquote(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	_ = json.Unmarshal(raw, &s) // the grammar was checked
	return s
}
