package fakemodel

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
)

// pen writes one streamed answer in a dialect. Every stroke reaches the client at once.
type pen struct {
	w        http.ResponseWriter
	ctx      context.Context //nolint:containedctx // that of the request the pen answers
	dialect  dialect
	system   string
	last     string   // the last message
	asked    string   // the message that names the role
	given    int      // how many results of tools the request holds
	turn     int      // how often the model has spoken since
	made     []string // the tools that this answer calls
	pictures int      // that came with the messages
	acts     []Act    // of the scenario call-script
	tools    bool     // tools may be called natively
	format   bool     // JSON was asked for
	times    int      // which call of this model it is, from 1
	gate     <-chan struct{}
	usage    usage
}

type usage struct{ in, cached, out int }

// dialect is how one API words the parts of a stream.
type dialect interface {
	mime() string
	piece(kind, quoted string) string // kind: content or thinking; quoted: a JSON string
	calls(list []fakeCall) string
	fault(words string) string
	done(reason string, u usage) string
	refuse(w http.ResponseWriter, status int, words, kind string)
}

// raw writes bytes as they are; false when the client is gone.
func (p *pen) raw(text string) bool {
	if p.ctx.Err() != nil {
		return false
	}
	if p.w.Header().Get("Content-Type") == "" {
		p.w.Header().Set("Content-Type", p.dialect.mime())
	}
	if _, err := p.w.Write([]byte(text)); err != nil {
		return false
	}
	_ = http.NewResponseController(p.w).Flush()
	return p.ctx.Err() == nil
}

func (p *pen) say(texts ...string) bool {
	for _, text := range texts {
		p.usage.out++
		if !p.raw(p.dialect.piece("content", quote(text))) {
			return false
		}
	}
	return true
}

func (p *pen) think(texts ...string) {
	for _, text := range texts {
		p.usage.out++
		if !p.raw(p.dialect.piece("thinking", quote(text))) {
			return
		}
	}
}

func (p *pen) fault(words string) { p.raw(p.dialect.fault(words)) }

func (p *pen) done(reason string) { p.raw(p.dialect.done(reason, p.usage)) }

func (p *pen) refuse(status int, words, kind string) { p.dialect.refuse(p.w, status, words, kind) }

// tell streams a text in small pieces and ends well.
func (p *pen) tell(text string) {
	runes := []rune(text)
	for len(runes) > 0 {
		n := min(len(runes), 3)
		if !p.say(string(runes[:n])) {
			return
		}
		runes = runes[n:]
	}
	p.done("stop")
}

// words says a text as the request wants it: as a plan or a solution that is an answer, or as it is.
func (p *pen) words(text string) {
	switch {
	case p.format && field(p.asked, "role: ") == "solver":
		text = encode(map[string]any{"act": "answer", "text": text})
	case p.format:
		text = plan(text)
	}
	p.tell(text)
}

// hang waits until the client leaves.
func (p *pen) hang() { <-p.ctx.Done() }

// reset breaks the connection off, as a crash would.
func (p *pen) reset() {
	conn, _, err := http.NewResponseController(p.w).Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// quote writes a JSON string and leaves every byte above ASCII as it is, valid or not.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ':
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "{}"
	}
	return string(b)
}
