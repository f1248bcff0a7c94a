package front

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
)

// Hello is the first line that a guest sends, and Welcome the line that it is answered; from then on both speak MCP.
type Hello struct {
	Key string `json:"key"`
}

// Welcome says whether a guest may come in. Error is empty when it may.
type Welcome struct {
	OK    bool         `json:"ok"`
	Error *event.Error `json:"error,omitempty"`
}

// How long a guest has to say who it is, and in how many bytes.
const (
	helloWithin = 5 * time.Second
	mostHello   = 4096
)

// serveGuest is one session of a guest.
func (d *Door) serveGuest(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	ctx, cancel := context.WithCancel(d.open)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	hello, err := readHello(conn)
	out := &impatient{Conn: conn, wait: d.patience}
	say := func(w Welcome) {
		data, _ := json.Marshal(w)
		_, _ = out.Write(append(data, '\n'))
	}
	if err == nil {
		err = d.shop.ServeGuest(ctx, hello.Key, out, func() { say(Welcome{OK: true}) })
	}
	if err != nil {
		e := apperr.From(err)
		say(Welcome{Error: &event.Error{Code: string(e.Code), Message: e.Text(d.shop.Config.Get().Lang)}})
	}
}

// readHello reads the first line and nothing behind it.
func readHello(conn net.Conn) (h Hello, err error) {
	if err := conn.SetReadDeadline(time.Now().Add(helloWithin)); err != nil {
		return h, err
	}
	var line []byte
	one := make([]byte, 1)
	for !bytes.HasSuffix(line, []byte("\n")) {
		if len(line) > mostHello {
			return h, apperr.New(apperr.GuestUnknown)
		}
		if _, err := io.ReadFull(conn, one); err != nil {
			return h, apperr.Wrap(err, apperr.GuestUnknown)
		}
		line = append(line, one...)
	}
	if err := json.Unmarshal(line, &h); err != nil {
		return h, apperr.Wrap(err, apperr.GuestUnknown)
	}
	return h, conn.SetReadDeadline(time.Time{})
}
