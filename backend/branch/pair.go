package branch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/guest"
	"agentchat/backend/outbound"
	"agentchat/backend/toolbox"
)

// Invitation is what one other shop is paired with, once and soon. The code holds this shop's pin, so that nobody can stand between the two.
type Invitation struct {
	Addresses []string  `json:"addresses"`
	Code      string    `json:"code"`
	Until     time.Time `json:"until" ts_type:"string"`
}

// Invite makes a code for one shop that will use these tools within these limits; the one before is void. From now on this computer listens beyond
// itself. Errors: too_many_branches, branch_deaf, storage errors.
func (b *Book) Invite(g guest.Guest) (Invitation, error) {
	if b.partners.paired() >= Most {
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
		_, err = d.book.partners.Remove(p.ID)
		return guest.Guest{}, err
	}
	return g, err
}

// admit makes a guest of the shop, or gives one that it is already what it was invited to. Errors: those of guest.Book.Pair, storage errors.
func (d *door) admit(ctx context.Context, pin, name string, known guest.Guest) error {
	d.mu.Lock()
	g := d.invited
	d.until = time.Time{}
	d.mu.Unlock()
	if known.ID != "" {
		_, err := d.book.deps.Guests.Pair(ctx, g, known.ID)
		return err
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
	if g, err = d.book.deps.Guests.Pair(ctx, g, idOf(pin)); err != nil {
		return err
	}
	if err := d.book.partners.Set(Partner{ID: g.ID, Name: g.Name, Role: Borrows, Pin: pin, Paired: d.book.deps.Now()}); err != nil {
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
	if !ok || len(pin) != 64 || secret == "" {
		return apperr.New(apperr.BranchCode)
	}
	address, err := placed(address)
	if err != nil {
		return err
	}
	if b.partners.paired() >= Most {
		return apperr.New(apperr.TooManyBranches, "most", Most)
	}
	if _, own, err := b.identity(); err != nil || own == pin {
		return errors.Join(err, apperr.New(apperr.BranchCode))
	}
	name, err := b.greet(ctx, address, pin, secret)
	if err != nil {
		return err
	}
	if was, again := b.partners.Find(func(o Partner) bool { return o.Role == Lends && o.Pin == pin }); again {
		return b.moved(was.ID, address) //nolint:contextcheck // the link outlives who moves it
	}
	known := b.partners.All()
	p := Partner{ID: b.deps.NewID(), Role: Lends, Pin: pin, Address: address, Paired: b.deps.Now()}
	p.Name = unlike(name, func(n string) bool { return slices.ContainsFunc(known, func(o Partner) bool { return o.Name == n }) })
	p.Prefix = unlikeKey(slug(p.Name), func(prefix string) bool { return b.prefixed(known, prefix) })
	if err := b.partners.Set(p); err != nil {
		return err
	}
	l := newLink(b, p)
	b.mu.Lock()
	b.links[p.ID] = l
	b.mu.Unlock()
	l.start() //nolint:contextcheck // it outlives who paired it
	b.tell()
	return nil
}

// Move has a shop that lends called at another address. It must be there, with the key that was pinned; what waits for it goes on. Errors: invalid_args,
// not_found, branch_other, branch_unpaired, branch_unreachable, nothing_leaves, storage errors.
func (b *Book) Move(ctx context.Context, id, address string) error {
	p, ok := b.partners.Find(func(o Partner) bool { return o.Role == Lends && o.ID == id })
	if !ok {
		return apperr.New(apperr.NotFound, "what", "branch", "id", id)
	}
	address, err := placed(address)
	if err != nil {
		return err
	}
	resp, err := b.post(ctx, address, p.Pin, nil)
	switch {
	case err == nil:
		_ = resp.Body.Close() // whatever it says, it is the one
	case apperr.CodeOf(err) == apperr.BranchCode:
		return apperr.Wrap(err, apperr.BranchOther, "branch", p.Name, "address", address)
	case unknown(err):
		return apperr.Wrap(err, apperr.BranchUnpaired, "branch", p.Name)
	default:
		return err
	}
	return b.moved(id, address) //nolint:contextcheck // the link outlives who moves it
}

// moved has the link to a shop lead to an address from now on. What waits for it waits on. Errors: storage errors.
func (b *Book) moved(id, address string) error {
	if err := b.partners.Alter(id, func(p *Partner) { p.Address, p.Unpaired = address, time.Time{} }); err != nil {
		return err
	}
	b.mu.Lock()
	l := b.links[id]
	b.mu.Unlock()
	if l != nil {
		l.leads(address)
	}
	b.tell()
	return nil
}

// placed is an address as it is called. Errors: invalid_args.
func placed(address string) (string, error) {
	address = strings.TrimSpace(address)
	if _, _, err := net.SplitHostPort(address); err != nil {
		return "", apperr.New(apperr.InvalidArgs, "field", "address", "detail", "192.168.0.7:8739")
	}
	return address, nil
}

// greet shows the code, and gives the other shop's name.
func (b *Book) greet(ctx context.Context, address, pin, secret string) (string, error) {
	text, _ := json.Marshal(greeting{Code: secret, Name: b.deps.Name()}) // it always encodes
	resp, err := b.post(ctx, address, pin, text)
	if err != nil {
		return "", err
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

// post says something at the door of the shop that has a key. Errors: branch_code for another one, branch_unreachable, nothing_leaves, storage errors.
func (b *Book) post(ctx context.Context, address, pin string, text []byte) (*http.Response, error) {
	client, err := b.client(pin, b.pace.Meet)
	if err != nil {
		return nil, err
	}
	client.Timeout = b.pace.Meet // for what it says, too
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+address+pairPath, bytes.NewReader(text))
	if err != nil {
		return nil, apperr.Wrap(err, apperr.InvalidArgs, "field", "address", "detail", "192.168.0.7:8739")
	}
	req.Close = true
	resp, err := client.Do(req)
	switch {
	case outbound.Refused(err):
		return nil, err
	case errors.Is(err, errOther):
		return nil, apperr.Wrap(err, apperr.BranchCode)
	case err != nil:
		return nil, apperr.Wrap(err, apperr.BranchUnreachable, "address", address)
	}
	return resp, nil
}

var errOther = errors.New("another key answers there than the one that was paired")

// client reaches the shop of a pin and no other within a time, and shows it this shop's key.
func (b *Book) client(pin string, within time.Duration) (*http.Client, error) {
	cert, _, err := b.identity()
	if err != nil {
		return nil, err
	}
	c := b.deps.Line.Client(outbound.Way{Room: outbound.RoomBranch, Connect: within, LastWord: true, Shape: func(t *http.Transport) {
		t.TLSHandshakeTimeout = within
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
