package outbound

import (
	"context"
	"encoding/json"
	"net/netip"
	"slices"
	"strings"
	"time"

	"agentchat/backend/brief"
)

// Room is the part of the shop that a request is for.
type Room string

// The rooms that speak with the outside.
const (
	RoomModels   Room = "models"   // a model server that is not on this computer
	RoomDownload Room = "download" // a model server on this computer that fetches a model
	RoomPage     Room = "page"     // a page that is read
	RoomPicture  Room = "picture"  // a picture in an answer that a person asked to see
	RoomSearch   Room = "search"   // a search on the web
	RoomWeather  Room = "weather"
	RoomOutside  Room = "outside" // an outside tool server behind an address
	RoomBranch   Room = "branch"  // another shop that was paired
	RoomUpdates  Room = "updates" // the list of versions, and a version
	RoomLink     Room = "link"    // an address that the browser was given
)

// Net is where an address lies.
type Net string

// The nets.
const (
	NetInternet Net = "internet"
	NetHouse    Net = "house" // the network around this computer: private and link-local addresses
	NetProxy    Net = "proxy" // through a proxy that the environment names
	NetOther    Net = "other" // nobody here saw the address: a name was looked up in vain, or another program goes there
)

// Outcome is what became of a request.
type Outcome string

// The outcomes.
const (
	OutcomeGoing   Outcome = "going"
	OutcomeDone    Outcome = "done"    // it was answered, whatever the answer says
	OutcomeFailed  Outcome = "failed"  // it set out and brought nothing whole
	OutcomeRefused Outcome = "refused" // nothing left: the line is closed
	OutcomeHanded  Outcome = "handed"  // another program was sent
	OutcomeCut     Outcome = "cut"     // the line was closed, or the program ended, while it was under way
)

// Entry is a request that left this computer, or was kept from it. Several of the same in a row that carry none of the person's words share one: Times.
type Entry struct {
	N        int64   `json:"n"`
	ID       string  `json:"id"`
	At       int64   `json:"at"`   // when it began, in ms
	Last     int64   `json:"last"` // when the newest of them was over, in ms
	Times    int     `json:"times"`
	Room     Room    `json:"room"`
	Chat     string  `json:"chat"`
	Job      string  `json:"job"`
	Method   string  `json:"method"`
	Host     string  `json:"host"` // as it was asked for, with its port
	Path     string  `json:"path"`
	Address  string  `json:"address"` // that was really connected to
	Net      Net     `json:"net"`
	Words    string  `json:"words"` // what of the person's words and values went along, shortened
	Sent     int64   `json:"sent"`
	Received int64   `json:"received"`
	Outcome  Outcome `json:"outcome"`
	Code     string  `json:"code"`
	Status   int     `json:"status"` // of HTTP; 0: none came
}

// Filter narrows the ledger; what is empty takes everything.
type Filter struct {
	Room    Room    `json:"room"`
	Outcome Outcome `json:"outcome"`
	Net     Net     `json:"net"`
	Words   string  `json:"words"` // of the host, the path or what went along
}

// mostWords is how many characters of what went along an entry keeps.
const mostWords = 300

// Cause is what a request is for.
type Cause struct {
	Chat, Job string
	Words     []string // of the person, that go along
}

type causeKey struct{}

// With says what the requests under the context are for.
func With(ctx context.Context, c Cause) context.Context { return context.WithValue(ctx, causeKey{}, c) }

// Saying says that these words of the person, and no others, go along with what is asked for under the context.
func Saying(ctx context.Context, words ...string) context.Context {
	c := causeOf(ctx)
	c.Words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return With(ctx, c)
}

// WithArgs says that they are for a tool's call: whatever it was called with may go along.
func WithArgs(ctx context.Context, chat, job string, args json.RawMessage) context.Context {
	return With(ctx, Cause{Chat: chat, Job: job, Words: values(args)})
}

func causeOf(ctx context.Context) Cause {
	c, _ := ctx.Value(causeKey{}).(Cause)
	return c
}

// values are the texts and numbers in a call's arguments, in their order.
func values(args json.RawMessage) (list []string) {
	read := json.NewDecoder(strings.NewReader(string(args)))
	read.UseNumber()
	var nest []bool // whether each open bracket is an object's
	key := false
	for {
		t, err := read.Token()
		if err != nil {
			return list
		}
		switch t := t.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				nest = append(nest, t == '{')
			} else {
				nest = nest[:len(nest)-1]
			}
			key = len(nest) > 0 && nest[len(nest)-1]
			continue
		case string:
			if !key && t != "" {
				list = append(list, t)
			}
		case json.Number:
			list = append(list, t.String())
		}
		key = len(nest) > 0 && nest[len(nest)-1] && !key
	}
}

func (c Cause) text() string {
	return brief.Cut(strings.Join(strings.Fields(strings.ToValidUTF8(strings.Join(c.Words, " · "), "")), " "), mostWords)
}

func (l *Line) entry(room Room, host string, c Cause) Entry {
	at := l.o.Now().UnixMilli()
	return Entry{ID: l.o.NewID(), At: at, Last: at, Times: 1, Room: room, Chat: c.Chat, Job: c.Job, Host: host, Words: c.text(), Net: NetInternet}
}

// merged is what requests have in common that share a row.
type merged struct {
	room       Room
	job, chat  string
	method     string
	host, path string
	net        Net
	outcome    Outcome
	code       string
	status     int
}

// How long a row takes in more of the same, and how many rows do so at once.
const (
	mergeFor = time.Hour
	mostRows = 256
)

// keep hands a finished entry to the ledger. One without words of the person is added to the newest of its like.
func (l *Line) keep(e Entry) {
	now := l.o.Now()
	l.mu.Lock()
	e.Last = now.UnixMilli()
	if e.Outcome != OutcomeRefused {
		l.left = now
	}
	if e.Words == "" {
		k := merged{e.Room, e.Job, e.Chat, e.Method, e.Host, e.Path, e.Net, e.Outcome, e.Code, e.Status}
		if row, ok := l.rows[k]; ok && now.Sub(time.UnixMilli(row.At)) < mergeFor {
			row.Last, row.Times, row.Sent, row.Received, row.Address = e.Last, row.Times+1, row.Sent+e.Sent, row.Received+e.Received, e.Address
			e = row
		}
		if len(l.rows) >= mostRows {
			clear(l.rows)
		}
		l.rows[k] = e
	}
	l.mu.Unlock()
	l.o.Record(e)
}

// house are the addresses of networks that are nobody's on the internet.
var house = []netip.Prefix{netip.MustParsePrefix("100.64.0.0/10")}

// Beside tells whether an address (host and port in figures) lies on this computer or the network around it.
func Beside(address string) bool { return netOf(address, false) == NetHouse }

// netOf says where an address lies.
func netOf(address string, proxy bool) Net {
	at, err := netip.ParseAddrPort(address)
	switch {
	case proxy:
		return NetProxy
	case err != nil:
		return NetOther
	}
	a := at.Addr().Unmap()
	if a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsLoopback() || a.IsMulticast() || slices.ContainsFunc(house, func(p netip.Prefix) bool { return p.Contains(a) }) {
		return NetHouse
	}
	return NetInternet
}
