package shell

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// How much of what a command prints is kept, in bytes: its beginning and its end.
const (
	keepHead = 4 << 10
	keepTail = 8 << 10
)

// output takes in what a command prints. It is used by one goroutine; read it after full or done is closed.
type output struct {
	most int64
	all  int64
	head []byte
	tail []byte
	full chan struct{} // closed when more than most was printed
	done chan struct{} // closed when there is nothing more to read
}

func newOutput(most int64) *output {
	return &output{most: most, full: make(chan struct{}), done: make(chan struct{})}
}

// read takes everything in, to the end or until the reader is closed.
func (o *output) read(from io.Reader) {
	defer close(o.done)
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		o.take(buffer[:n])
		if err != nil {
			return
		}
	}
}

func (o *output) take(b []byte) {
	before := o.all
	if o.all += int64(len(b)); before <= o.most && o.all > o.most {
		close(o.full)
	}
	if room := keepHead - len(o.head); room > 0 {
		n := min(room, len(b))
		o.head, b = append(o.head, b[:n]...), b[n:]
	}
	if o.tail = append(o.tail, b...); len(o.tail) > 2*keepTail {
		o.tail = append(o.tail[:0], o.tail[len(o.tail)-keepTail:]...)
	}
}

// text is what is shown of it: whole characters, none that cannot be seen.
func (o *output) text() (text string, cut bool) {
	tail := o.tail
	if cut = int64(len(o.head)+len(tail)) < o.all || len(tail) > keepTail; cut {
		tail = tail[max(0, len(tail)-keepTail):]
		gap := fmt.Sprintf("\n… (%d / %d) …\n", len(o.head)+len(tail), o.all)
		return clean(string(o.head)) + gap + clean(string(tail)), true
	}
	return strings.TrimRight(clean(string(o.head)+string(tail)), "\n"), false
}

func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
