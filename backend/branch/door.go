package branch

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/guest"
	"agentchat/backend/outbound"
	"agentchat/backend/pairing"
	"agentchat/backend/toolbox"
)

// pairPath is where a shop that has a code says so.
const pairPath = "/pair"

// fresh is how long a shop that borrows counts as here after it was heard of: it beats every few seconds.
const fresh = 20 * time.Second

// door is where other shops come in to borrow. It stands open only while a code is out, or a shop that borrows is paired; whoever shows no key that was
// paired gets no further than the handshake, unless a code is out.
type door struct {
	book  *Book
	codes pairing.Codes

	mu      sync.Mutex
	closed  bool
	server  *http.Server
	at      string // host and port that it listens on
	end     context.CancelFunc
	invited guest.Guest // what the shop that comes with the code will have
	until   time.Time
	timer   *time.Timer
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
	_, borrowed := d.book.partners.find(func(o Partner) bool { return o.Role == Borrows })
	d.mu.Lock()
	wanted := !d.closed && (borrowed || d.book.deps.Now().Before(d.until))
	open := d.server != nil
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
	mux.Handle(guest.Path, d.book.deps.Guests.Paired(over, d.who))
	var spoken http.Protocols
	spoken.SetHTTP1(true) // the programs are built without the other, see ADR 11
	s := &http.Server{
		Handler: mux, Protocols: &spoken, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 8 << 10,
		ErrorLog: log.New(io.Discard, "", 0), // that a stranger knocks is no news
		TLSConfig: &tls.Config{
			Certificates: []tls.Certificate{*cert}, MinVersion: tls.VersionTLS13, ClientAuth: tls.RequireAnyClientCert, SessionTicketsDisabled: true,
			VerifyConnection: func(c tls.ConnectionState) error {
				if _, ok := d.book.partners.borrower(pinOf(c.PeerCertificates[0])); ok || d.inviting() {
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

// Invitation is what one other shop is paired with, once and soon. The code holds this shop's pin, so that nobody can stand between the two.
type Invitation struct {
	Addresses []string  `json:"addresses"`
	Code      string    `json:"code"`
	Until     time.Time `json:"until" ts_type:"string"`
}

// Invite makes a code for one shop that will use these tools within these limits; the one before is void. From now on this computer listens beyond
// itself. Errors: too_many_branches, branch_deaf, storage errors.
func (b *Book) Invite(g guest.Guest) (Invitation, error) {
	if len(b.partners.all()) >= Most {
		return Invitation{}, apperr.New(apperr.TooManyBranches, "most", Most)
	}
	_, pin, err := b.identity()
	if err != nil {
		return Invitation{}, err
	}
	code, until := b.door.codes.Fresh()
	b.door.mu.Lock()
	b.door.invited, b.door.until = g, until
	if b.door.timer != nil {
		b.door.timer.Stop()
	}
	b.door.timer = time.AfterFunc(until.Sub(b.deps.Now()), func() { b.door.follow(); b.tell() })
	b.door.mu.Unlock()
	b.door.follow()
	in := Invitation{Addresses: b.door.addresses(), Code: pin + "." + code, Until: until}
	if len(in.Addresses) == 0 {
		b.Uninvite()
		_, port := b.deps.Where()
		return in, apperr.New(apperr.BranchDeaf, "port", strconv.Itoa(port))
	}
	b.tell()
	return in, nil
}

// Uninvite voids the code that no shop has used.
func (b *Book) Uninvite() {
	b.door.codes.Void()
	b.door.mu.Lock()
	b.door.until = time.Time{}
	b.door.mu.Unlock()
	b.door.follow()
	b.tell()
}

// greeting is what the shop that has a code says, and hello what it is answered.
type greeting struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

type hello struct {
	Name string `json:"name"`
}

// pair lets the shop in that shows the code. One that was let in already, and did not hear so, is told again.
func (d *door) pair(w http.ResponseWriter, r *http.Request) {
	pin := pinOf(r.TLS.PeerCertificates[0])
	var in greeting
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4<<10)).Decode(&in); err != nil {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	known, err := d.paired(r.Context(), pin)
	if err == nil {
		switch spent := d.codes.Spend(in.Code); {
		case spent:
			err = d.admit(r.Context(), pin, in.Name, known)
		case known.ID == "":
			http.Error(w, "forbidden", http.StatusForbidden)
			return
		}
	}
	if err != nil {
		d.book.deps.Log.Warn().Err(err).Msg("a branch could not be paired")
		http.Error(w, "refused", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(hello{d.book.deps.Name()})
}

// paired is the guest that the shop of a pin is already; the zero value for a new one. Errors: storage errors.
func (d *door) paired(ctx context.Context, pin string) (guest.Guest, error) {
	_, own, err := d.book.identity()
	if err != nil || own == pin {
		return guest.Guest{}, cmp.Or(err, error(apperr.New(apperr.BranchCode)))
	}
	p, ok := d.book.partners.borrower(pin)
	if !ok {
		return guest.Guest{}, nil
	}
	g, err := d.book.deps.Guests.Called(ctx, p.ID)
	if apperr.CodeOf(err) == apperr.GuestUnknown { // it was removed with the programs
		return guest.Guest{}, d.book.partners.remove(p.ID)
	}
	return g, err
}

// admit makes a guest of the shop, or gives one that it is already what it was invited to. Errors: those of guest.Book.Add, storage errors.
func (d *door) admit(ctx context.Context, pin, name string, known guest.Guest) error {
	d.mu.Lock()
	g := d.invited
	d.until = time.Time{}
	d.mu.Unlock()
	if known.ID != "" {
		g.ID, g.Name, g.Created = known.ID, known.Name, known.Created
		return d.book.deps.Guests.Change(ctx, g)
	}
	if name = strings.TrimSpace(name); name == "" {
		name = "Agent Chat"
	}
	views, err := d.book.deps.Guests.Views(ctx)
	if err != nil {
		return err
	}
	g.Name = unlike(name, func(n string) bool {
		return slices.ContainsFunc(views, func(v guest.View) bool { return strings.EqualFold(v.Name, n) })
	})
	g, _, err = d.book.deps.Guests.Add(ctx, g) // nobody has the key that is made with it: it comes in by its own
	if err != nil {
		return err
	}
	if err := d.book.partners.set(Partner{ID: g.ID, Name: g.Name, Role: Borrows, Pin: pin, Paired: d.book.deps.Now()}); err != nil {
		return errors.Join(err, d.book.deps.Guests.Remove(ctx, g.ID))
	}
	d.hear(g.ID)
	return nil
}

// unlike is a name, with a number behind it while it is taken.
func unlike(name string, taken func(string) bool) string {
	letters := []rune(name)
	name = string(letters[:min(len(letters), 30)])
	for n, one := 2, name; ; n++ {
		if !taken(one) {
			return one
		}
		one = name + " " + strconv.Itoa(n)
	}
}

// Join pairs with the shop at an address that gave the code: its tools are hung up here. Errors: invalid_args, branch_code, branch_unreachable,
// too_many_branches, nothing_leaves, storage errors.
func (b *Book) Join(ctx context.Context, address, code string) error {
	pin, secret, ok := strings.Cut(strings.TrimSpace(code), ".")
	address = strings.TrimSpace(address)
	if !ok || len(pin) != 64 || secret == "" {
		return apperr.New(apperr.BranchCode)
	}
	if _, _, err := net.SplitHostPort(address); err != nil {
		return apperr.New(apperr.InvalidArgs, "field", "address", "detail", "192.168.0.7:8739")
	}
	if len(b.partners.all()) >= Most {
		return apperr.New(apperr.TooManyBranches, "most", Most)
	}
	if _, own, err := b.identity(); err != nil || own == pin {
		return errors.Join(err, apperr.New(apperr.BranchCode))
	}
	name, err := b.greet(ctx, address, pin, secret)
	if err != nil {
		return err
	}
	known := b.partners.all()
	p := Partner{ID: b.deps.NewID(), Name: name, Role: Lends, Pin: pin, Address: address, Paired: b.deps.Now()}
	if was, again := b.partners.find(func(o Partner) bool { return o.Role == Lends && o.Pin == pin }); again {
		was.Address = address // it moved
		p = was
	} else {
		p.Name = unlike(name, func(n string) bool { return slices.ContainsFunc(known, func(o Partner) bool { return o.Name == n }) })
		p.Prefix = unlikeKey(slug(p.Name), func(prefix string) bool { return b.prefixed(known, prefix) })
	}
	if err := b.partners.set(p); err != nil {
		return err
	}
	l := newLink(b, p)
	b.mu.Lock()
	old := b.links[p.ID]
	b.links[p.ID] = l
	b.mu.Unlock()
	if old != nil {
		old.stop()
		old.hang(nil)
		l.hang(p.Tools)
	}
	l.start() //nolint:contextcheck // it outlives who paired it
	b.tell()
	return nil
}

// greet shows the code, and gives the other shop's name.
func (b *Book) greet(ctx context.Context, address, pin, secret string) (string, error) {
	client, err := b.client(pin)
	if err != nil {
		return "", err
	}
	defer idle(client.Transport)
	ctx, cancel := context.WithTimeout(ctx, b.pace.Within)
	defer cancel()
	text, _ := json.Marshal(greeting{Code: secret, Name: b.deps.Name()}) // it always encodes
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+address+pairPath, strings.NewReader(string(text)))
	if err != nil {
		return "", apperr.Wrap(err, apperr.InvalidArgs, "field", "address", "detail", "192.168.0.7:8739")
	}
	resp, err := client.Do(req)
	switch {
	case outbound.Refused(err):
		return "", err
	case errors.Is(err, errOther):
		return "", apperr.Wrap(err, apperr.BranchCode)
	case err != nil:
		return "", apperr.Wrap(err, apperr.BranchUnreachable, "address", address)
	}
	defer resp.Body.Close()
	var said hello
	switch {
	case resp.StatusCode == http.StatusForbidden:
		return "", apperr.New(apperr.BranchCode)
	case resp.StatusCode != http.StatusOK:
		return "", apperr.New(apperr.BranchUnreachable, "address", address)
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, 4<<10)).Decode(&said); err != nil {
		return "", apperr.Wrap(err, apperr.BranchUnreachable, "address", address)
	}
	if said.Name = plain(said.Name); said.Name == "" {
		said.Name = "Agent Chat"
	}
	return said.Name, nil
}

var errOther = errors.New("another key answers there than the one that was paired")

// client reaches the shop of a pin and no other, and shows it this shop's key.
func (b *Book) client(pin string) (*http.Client, error) {
	cert, _, err := b.identity()
	if err != nil {
		return nil, err
	}
	c := b.deps.Line.Client(outbound.Way{Room: outbound.RoomBranch, Connect: b.pace.Within, Shape: func(t *http.Transport) {
		t.TLSHandshakeTimeout = b.pace.Within
		t.TLSClientConfig = &tls.Config{
			MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{*cert},
			InsecureSkipVerify: true, //nolint:gosec // no authority vouches for it: its key was pinned when it was paired
			VerifyConnection: func(c tls.ConnectionState) error {
				if len(c.PeerCertificates) == 0 || pinOf(c.PeerCertificates[0]) != pin {
					return errOther
				}
				return nil
			},
		}
	}})
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // it speaks for no other place
	return c, nil
}

// slug is what of a name may stand in a tool's key.
func slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' && b.Len() > 0 {
			b.WriteRune(r)
		}
	}
	if b.Len() == 0 {
		return "branch"
	}
	return b.String()[:min(b.Len(), 16)]
}

// prefixed tells whether another shop's tools begin so, or any tool that hangs here.
func (b *Book) prefixed(known []Partner, prefix string) bool {
	return slices.ContainsFunc(known, func(o Partner) bool { return o.Prefix == prefix }) ||
		slices.ContainsFunc(b.deps.Box.Specs(), func(s toolbox.Spec) bool { return strings.HasPrefix(s.Key, prefix+"__") })
}

func unlikeKey(key string, taken func(string) bool) string {
	for n, one := 2, key; ; n++ {
		if !taken(one) {
			return one
		}
		one = key + strconv.Itoa(n)
	}
}
