package interpreter

import (
	"unicode/utf16"
	"unicode/utf8"

	"agentchat/backend/provider"
)

// replyReader finds the reply of a plan in its JSON while that still arrives, in pieces cut anywhere. It gives text only
// once it knows that the route is one whose reply the customer reads as it stands, and falls silent for good at the first
// thing that is not strict JSON: the whole text is read again when it is there, and that reading is the one that counts.
// The zero value is ready.
type replyReader struct {
	at    place
	depth int    // how many values are open
	key   []byte // the last key of the plan itself
	held  []byte // what was replied and not given yet
	word  []byte // the route
	route string
	seen  struct{ route, reply bool }
	form  *form // nil: a plan

	into *[]byte // where the string at hand goes; nil: nowhere
	from place   // where the string at hand stands
	hex  int     // digits of an escape still to come
	code rune    // of that escape
	high rune    // the first half of a surrogate pair; its other half must follow
}

// form names the two keys that matter in a role's JSON, and the values of the first with which the second is for the
// customer.
type form struct {
	route, reply string
	spoken       func(route string) bool
}

var (
	planForm  = form{"route", "reply", func(route string) bool { return spoken(provider.Route(route)) }}
	solveForm = form{"act", "text", func(act string) bool { return act == provider.ActAnswer }}
)

func (r *replyReader) spoken() bool {
	if r.form == nil {
		return planForm.spoken(r.route)
	}
	return r.form.spoken(r.route)
}

// place is where in the JSON the reader stands.
type place int

const (
	atStart  place = iota // before the plan
	atFirst               // in the plan, before its first key or its end
	atKey                 // before another key
	atColon               // behind a key
	atValue               // before a value of the plan
	atNext                // behind a value of the plan
	atWord                // in a number, true, false or null of the plan
	atInner               // in an array or object of the plan
	atString              // in a string
	atEscape              // behind a backslash
	atEnd                 // behind the plan, or lost
)

// longestKey bounds a key worth remembering.
const longestKey = 16

// add takes the next piece and gives what the customer may read of it.
func (r *replyReader) add(piece string) string {
	for i := 0; i < len(piece) && r.at != atEnd; i++ {
		r.byte(piece[i])
	}
	if !r.spoken() {
		return ""
	}
	whole := len(r.held)
	for n := 1; n <= min(utf8.UTFMax, whole); n++ { // a character that was cut waits for its rest
		if utf8.RuneStart(r.held[whole-n]) {
			if !utf8.FullRune(r.held[whole-n:]) {
				whole -= n
			}
			break
		}
	}
	text := string(r.held[:whole])
	r.held = append(r.held[:0], r.held[whole:]...)
	return text
}

// spoken tells whether the reply of a plan is said to the customer as the model worded it. What is said of work that was
// stopped, of a service or of documents is worded where it happens.
func spoken(route provider.Route) bool {
	return route == provider.RouteAnswer || route == provider.RouteJobs
}

func (r *replyReader) byte(c byte) {
	switch r.at {
	case atString:
		r.inString(c)
		return
	case atEscape:
		r.escaped(c)
		return
	case atInner:
		r.inner(c)
		return
	case atWord:
		if c != ',' && c != '}' {
			return
		}
		r.at = atNext
	case atStart, atFirst, atKey, atColon, atValue, atNext, atEnd:
	}
	if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
		return
	}
	r.between(c)
}

// between takes a character that stands outside of strings and of values within values. One that no plan has there ends the reading.
func (r *replyReader) between(c byte) {
	switch r.at {
	case atStart:
		if c == '{' {
			r.at = atFirst
			return
		}
	case atFirst, atKey:
		if c == '"' {
			r.key = r.key[:0]
			r.begin(atKey, &r.key)
			return
		}
	case atColon:
		if c == ':' {
			r.at = atValue
			return
		}
	case atValue:
		if r.value(c) {
			return
		}
	case atNext:
		if c == ',' {
			r.at = atKey
			return
		}
	default:
	}
	r.at = atEnd
}

// value begins the value of a key; false when none begins so.
func (r *replyReader) value(c byte) bool {
	switch c {
	case '"':
		r.begin(atValue, r.sink())
	case '{', '[':
		r.at, r.depth = atInner, 1
	case ',', '}', ']', ':':
		return false
	default:
		r.at = atWord
	}
	return true
}

// sink is where the value of the last key goes. A key that comes twice makes the reader stop.
func (r *replyReader) sink() *[]byte {
	f := &planForm
	if r.form != nil {
		f = r.form
	}
	switch string(r.key) {
	case f.route:
		if r.seen.route {
			r.at = atEnd
		}
		r.seen.route = true
		return &r.word
	case f.reply:
		if r.seen.reply {
			r.at = atEnd
		}
		r.seen.reply = true
		return &r.held
	}
	return nil
}

func (r *replyReader) begin(from place, into *[]byte) {
	if r.at != atEnd {
		r.at, r.from, r.into = atString, from, into
	}
}

func (r *replyReader) inner(c byte) {
	switch c {
	case '"':
		r.begin(atInner, nil)
	case '{', '[':
		r.depth++
	case '}', ']':
		if r.depth--; r.depth == 0 {
			r.at = atNext
		}
	}
}

func (r *replyReader) inString(c byte) {
	switch {
	case c == '\\':
		r.at = atEscape
	case r.high != 0, c < ' ':
		r.at = atEnd
	case c == '"':
		r.end()
	default:
		r.put(c)
	}
}

func (r *replyReader) end() {
	switch r.from {
	case atKey:
		r.at = atColon
	case atValue:
		r.at = atNext
	default:
		r.at = r.from
	}
	if r.into == &r.word {
		if r.route = string(r.word); !r.spoken() {
			r.at = atEnd
		}
	}
}

func (r *replyReader) put(raw ...byte) {
	if r.into != nil && (r.into == &r.held || len(*r.into) < longestKey) {
		*r.into = append(*r.into, raw...)
	}
}

// simple are the escapes of one character.
var simple = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (r *replyReader) escaped(c byte) {
	if r.hex > 0 {
		r.digit(c)
		return
	}
	plain, ok := simple[c]
	switch {
	case c == 'u':
		r.hex, r.code = 4, 0
	case ok && r.high == 0:
		r.put(plain)
		r.at = atString
	default:
		r.at = atEnd
	}
}

func (r *replyReader) digit(c byte) {
	switch {
	case '0' <= c && c <= '9':
		r.code = r.code<<4 | rune(c-'0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		r.code = r.code<<4 | rune(c|0x20-'a'+10)
	default:
		r.at = atEnd
		return
	}
	if r.hex--; r.hex > 0 {
		return
	}
	r.at = atString
	half := utf16.IsSurrogate(r.code)
	switch {
	case r.high != 0:
		whole := utf16.DecodeRune(r.high, r.code)
		r.high = 0
		if whole == utf8.RuneError {
			r.at = atEnd
			return
		}
		r.put(utf8.AppendRune(nil, whole)...)
	case half && r.code < 0xdc00:
		r.high = r.code
	case half:
		r.at = atEnd
	default:
		r.put(utf8.AppendRune(nil, r.code)...)
	}
}
