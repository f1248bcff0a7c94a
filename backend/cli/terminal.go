package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// terminal is where a person sits: what they type is read line by line, and what they are asked is written there.
type terminal struct {
	out   io.Writer
	in    *os.File
	lines chan string // closed when nobody types any more
}

// terminal finds the person: at the input, or, when that is a pipe, at the terminal that the command was started from. nil: nobody is there.
func (r *run) terminal() *terminal {
	shown, ok := r.Err.(*os.File)
	if !ok || !term.IsTerminal(int(shown.Fd())) {
		return nil
	}
	in := r.In
	if in == nil || !term.IsTerminal(int(in.Fd())) {
		own, err := os.OpenFile(ownTerminal, os.O_RDONLY, 0)
		if err != nil {
			return nil
		}
		in = own
	}
	t := &terminal{out: shown, in: in, lines: make(chan string)}
	go t.read()
	return t
}

func (t *terminal) read() {
	defer close(t.lines)
	in := bufio.NewScanner(t.in)
	for in.Scan() {
		t.lines <- strings.TrimSpace(in.Text())
	}
}

// forget throws away what was typed before now: it was meant for another question.
func (t *terminal) forget() {
	discardTyped(t.in)
	for {
		select {
		case _, open := <-t.lines:
			if !open {
				return
			}
		default:
			return
		}
	}
}

func (t *terminal) write(format string, args ...any) {
	_, _ = fmt.Fprint(t.out, plain(fmt.Sprintf(format, args...)))
}
