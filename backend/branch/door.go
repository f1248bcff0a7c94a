package branch

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/guest"
	"agentchat/backend/pairing"
)

// pairPath is where a shop that has a code says so.
const pairPath = "/pair"

// fresh is how long a shop that borrows counts as here after it was heard of: it beats every few seconds.
const fresh = 20 * time.Second

// farewell is how long a shop that was unpaired, and does not call, is waited for: it is told, so that it waits for nothing here.
const farewell = 7 * 24 * time.Hour

// door is where other shops come in to borrow. It stands open only while a code is out, a shop that borrows is paired, or one that was unpaired may not
// know so yet; whoever shows no key that was paired gets no further than the handshake, unless a code is out.
type door struct {
	book  *Book
	codes pairing.Codes

	turn sync.Mutex // of follow; taken before mu

	mu      sync.Mutex
	closed  bool
	server  *http.Server
	at      string // host and port that it listens on
	end     context.CancelFunc
	invited guest.Guest // what the shop that comes with the code will have
	until   time.Time
	timer   *time.Timer
	parting *time.Timer          // when the first of those that were unpaired is waited for no longer
	seen    map[string]*sighting // of each that borrows, by its id
}

// sighting is when a shop came, and was last heard of.
type sighting struct {
	came, last time.Time
	gone       *time.Timer // tells that it is away
}

func (d *door) init(b *Book) {
	d.book, d.codes = b, pairing.Codes{Now: b.deps.Now}
	d.seen = map[string]*sighting{}
}

// follow opens the door if somebody may come in, and closes it if nobody may.
func (d *door) follow() {
	d.turn.Lock() // who may come in is looked at and followed in one step: the last look counts
	defer d.turn.Unlock()
	wanted, first := d.callers()
	d.mu.Lock()
	now := d.book.deps.Now()
	wanted = !d.closed && (wanted || now.Before(d.until))
	open := d.server != nil
	if d.parting != nil {
		d.parting.Stop()
	}
	if !first.IsZero() && !d.closed {
		d.parting = time.AfterFunc(first.Sub(now), func() { d.follow(); d.book.tell() })
	}
	d.mu.Unlock()
	switch {
	case wanted && !open:
		if err := d.open(); err != nil {
			d.book.deps.Log.Warn().Err(err).Msg("branches cannot call")
		}
	case !wanted && open:
		d.close()
	}
}

// callers tells whether there is somebody who may call, and when the first of those that were unpaired may no longer.
func (d *door) callers() (any bool, first time.Time) {
	now := d.book.deps.Now()
	over := func(p Partner) bool { return p.left() && !now.Before(p.Until) }
	for _, p := range d.book.partners.All() {
		switch {
		case over(p):
			if err := d.book.partners.Drop(over); err != nil { // looked at again: it may have been paired anew
				d.book.deps.Log.Warn().Err(err).Msg("a branch that left is not forgotten")
			}
			continue
		case p.left() && (first.IsZero() || p.Until.Before(first)):
			first = p.Until
		}
		any = any || p.Role != Lends
	}
	return any, first
}

// farewell tells a shop that was unpaired that it was. It is told again for a while, as that may be lost on its way.
func (d *door) farewell(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, ok := d.book.partners.leaver(pinOf(r.TLS.PeerCertificates[0]))
		if !ok {
			next.ServeHTTP(w, r)
			return
		}
		http.Error(w, "forbidden", http.StatusForbidden)
		soon := d.book.deps.Now().Add(d.book.pace.Farewell)
		if !soon.Before(p.Until) {
			return
		}
		if err := d.book.partners.Alter(p.ID, func(p *Partner) { p.told(soon) }); err != nil {
			d.book.deps.Log.Warn().Err(err).Msg("a branch that left is told so for longer")
		}
		d.follow() //nolint:contextcheck // the door is of the shop, not of who comes in
	})
}

// open listens. Errors: of the network, of the key's file.
func (d *door) open() error {
	cert, _, err := d.book.identity()
	if err != nil {
		return err
	}
	address, port := d.book.deps.Where()
	l, err := pairing.Listen(address, port, pairing.ForBranches)
	if err != nil {
		return err
	}
	over, end := context.WithCancel(context.Background())
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+pairPath, d.pair)
	mux.Handle(guest.Path, d.farewell(d.book.deps.Guests.Paired(over, d.who)))
	var spoken http.Protocols
	spoken.SetHTTP1(true) // the programs are built without the other, see ADR 11
	s := &http.Server{
		Handler: mux, Protocols: &spoken, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 8 << 10,
		ErrorLog: log.New(io.Discard, "", 0), // that a stranger knocks is no news
		TLSConfig: &tls.Config{
			Certificates: []tls.Certificate{*cert}, MinVersion: tls.VersionTLS13, ClientAuth: tls.RequireAnyClientCert, SessionTicketsDisabled: true,
			VerifyConnection: func(c tls.ConnectionState) error {
				pin := pinOf(c.PeerCertificates[0])
				_, paired := d.book.partners.borrower(pin)
				if _, gone := d.book.partners.leaver(pin); paired || gone || d.inviting() {
					return nil
				}
				return errStranger
			},
		},
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || d.server != nil {
		end()
		return l.Close()
	}
	d.server, d.at, d.end = s, l.Addr().String(), end
	go func() { _ = s.ServeTLS(l, "", "") }()
	return nil
}

var errStranger = errors.New("this shop was not paired")

func (d *door) inviting() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.book.deps.Now().Before(d.until)
}

// who is the shop that a request comes from. Errors: guest_unknown, storage errors.
func (d *door) who(r *http.Request) (guest.Guest, error) {
	if r.TLS == nil || len(r.TLS.PeerCertificates) == 0 {
		return guest.Guest{}, apperr.New(apperr.GuestUnknown)
	}
	p, ok := d.book.partners.borrower(pinOf(r.TLS.PeerCertificates[0]))
	if !ok {
		return guest.Guest{}, apperr.New(apperr.GuestUnknown)
	}
	g, err := d.book.deps.Guests.Called(r.Context(), p.ID)
	if err == nil {
		d.hear(p.ID)
	}
	return g, err
}

func (d *door) hear(id string) {
	d.mu.Lock()
	now := d.book.deps.Now()
	at := d.seen[id]
	if at == nil {
		at = &sighting{gone: time.AfterFunc(fresh, d.book.tell)}
		d.seen[id] = at
	}
	news := now.Sub(at.last) > fresh
	if news {
		at.came = now
	}
	at.last = now
	if d.closed {
		at.gone.Stop()
	} else {
		at.gone.Reset(fresh + time.Second)
	}
	d.mu.Unlock()
	if news {
		d.book.tell()
	}
}

// heard is how a shop that borrows is doing, and since when; zero: it has not been heard of since this one was opened.
func (d *door) heard(id string) (State, time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := d.seen[id]
	switch {
	case at == nil:
		return Away, time.Time{}
	case d.book.deps.Now().Sub(at.last) <= fresh:
		return Here, at.came
	}
	return Away, at.last
}

// close ends every connection and listens no more.
func (d *door) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.server != nil {
		_ = d.server.Close()
		d.end()
		d.server, d.at, d.end = nil, "", nil
	}
}

// shut closes the door for good.
func (d *door) shut() {
	d.mu.Lock()
	d.closed = true
	if d.timer != nil {
		d.timer.Stop()
	}
	if d.parting != nil {
		d.parting.Stop()
	}
	for _, at := range d.seen {
		at.gone.Stop()
	}
	d.mu.Unlock()
	d.codes.Void()
	d.close()
}

// addresses are where others call; none while nothing listens.
func (d *door) addresses() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := []string{}
	if d.server == nil {
		return list
	}
	host, port, _ := net.SplitHostPort(d.at)
	if ip := net.ParseIP(host); ip != nil && !ip.IsUnspecified() {
		return append(list, d.at)
	}
	for _, a := range pairing.Addresses() {
		list = append(list, net.JoinHostPort(a.String(), port))
	}
	return list
}
