// Package doorbell is how a second start of the program speaks to the one that has the data folder: through a socket in that
// folder, which only the same person can reach. It needs no session bus. See ADR 8.
package doorbell

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"agentchat/backend/door"
)

// FileName is the socket in the data folder.
const FileName = "agentchat.sock"

// What one call may be.
const (
	MaxFiles = 100
	MaxText  = 32 << 10 // bytes
	maxPath  = 4096
	maxCall  = MaxFiles*maxPath + MaxText + 4096
	patience = 2 * time.Second // for one side to hear the other
	most     = 4               // calls at once
)

// Call is what a second start wants: the window, and what was given to it.
type Call struct {
	Raise bool     `json:"raise"`
	Files []string `json:"files"`
	Text  string   `json:"text"`
}

// Empty tells whether nothing was given with it.
func (c Call) Empty() bool { return len(c.Files) == 0 && c.Text == "" }

// Of makes a call of a command line's words, seen from a folder: what is there is a file, the rest together is a text. hidden is a
// start that wants no window.
func Of(words []string, dir string, hidden bool) Call {
	c := Call{Raise: !hidden}
	var text []string
	for _, w := range words {
		path := named(w)
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if _, err := os.Stat(path); w != "" && err == nil {
			c.Files = append(c.Files, filepath.Clean(path))
			continue
		}
		text = append(text, w)
	}
	c.Text = strings.TrimSpace(strings.Join(text, " "))
	return c.bounded()
}

// named is the path that a word of the command line names: itself, or what stands behind the address of a file, as some desktops hand it
// over. A file that is called so is meant first.
func named(word string) string {
	address, is := strings.CutPrefix(word, "file://")
	if !is {
		return word
	}
	address = strings.TrimPrefix(address, "localhost")
	path, err := url.PathUnescape(address)
	if _, there := os.Stat(address); err != nil || there == nil {
		return address
	}
	return path
}

// bounded is the call as far as it may go: whoever sent it, nothing but full paths and a text of sound signs comes through.
func (c Call) bounded() Call {
	var files []string
	for _, f := range c.Files {
		f = strings.ToValidUTF8(f, "\uFFFD") // as when it is dropped: whoever takes it says that there is no such file
		if len(files) < MaxFiles && len(f) <= maxPath && !strings.ContainsRune(f, 0) && filepath.IsAbs(f) {
			files = append(files, f)
		}
	}
	c.Files = files
	if len(c.Text) > MaxText {
		c.Text = c.Text[:MaxText]
	}
	c.Text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(c.Text, ""))
	return c
}

// ErrNobody is returned by Ring where no program answers.
var ErrNobody = errors.New("doorbell: nobody answers")

// Ring gives a call to the program that has the data folder. It returns once that program has taken it.
func Ring(dir string, c Call) error {
	conn, err := door.Dial(dir, FileName)
	if err != nil {
		return errors.Join(ErrNobody, err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if err := json.NewEncoder(conn).Encode(c.bounded()); err != nil {
		return errors.Join(ErrNobody, err)
	}
	var taken [1]byte
	if _, err := io.ReadFull(conn, taken[:]); err != nil {
		return errors.Join(ErrNobody, err)
	}
	return nil
}

// Bell is the door of an open shop.
type Bell struct {
	listener net.Listener
	took     func(Call)
	calls    sync.WaitGroup
	room     chan struct{}
}

// Hang begins to hear calls for a data folder, which the caller must have locked: what lies there of an earlier run is taken away.
// took must not block.
func Hang(dir string, took func(Call)) (*Bell, error) {
	l, err := door.Listen(dir, FileName)
	if err != nil {
		return nil, err
	}
	b := &Bell{listener: l, took: took, room: make(chan struct{}, most)}
	b.calls.Add(1)
	go b.serve()
	return b, nil
}

func (b *Bell) serve() {
	defer b.calls.Done()
	for {
		conn, err := b.listener.Accept()
		if err != nil {
			return
		}
		b.room <- struct{}{}
		b.calls.Go(func() {
			defer func() { <-b.room }()
			defer func() { _ = conn.Close() }()
			b.hear(conn)
		})
	}
}

// hear takes one call.
func (b *Bell) hear(conn net.Conn) {
	if conn.SetDeadline(time.Now().Add(patience)) != nil {
		return
	}
	var c Call
	if err := json.NewDecoder(io.LimitReader(conn, maxCall)).Decode(&c); err != nil {
		return
	}
	b.took(c.bounded())
	_, _ = conn.Write([]byte{1})
}

// Close stops hearing and takes the socket away. It returns when the last call is over.
func (b *Bell) Close() error {
	err := b.listener.Close()
	b.calls.Wait()
	return err
}
