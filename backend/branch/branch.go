// Package branch lets shops on several machines use each other's tools (ADR 14). The one that lends opens a door with mutual TLS in front of its MCP
// server, once a person has asked for a code; the one that borrows hangs the other's tools on its own board. A tool is leased where it is, under a
// fencing token and a heartbeat, and every use has one name in both ledgers, so that a call that was cut off is made again and done once.
package branch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/guest"
	"agentchat/backend/outbound"
	"agentchat/backend/pairing"
	"agentchat/backend/toolbox"
)

// Most is how many shops may be paired.
const Most = 20

// Box is the toolbox, as this package hangs tools into it.
type Box interface {
	Register(tools ...toolbox.Tool) error
	Unregister(keys ...string)
	SetGroup(group string, capacity int)
	SetElsewhere(tool string, titles []string)
	Specs() []toolbox.Spec
}

// Pace is how often and how long things are tried. A zero field means its default.
type Pace struct {
	Beat   time.Duration   // between two beats; 5 s
	Within time.Duration   // for a beat, a lease or a greeting to be answered; 10 s
	Meet   time.Duration   // for a shop to be reached that a person pairs with, or says has moved; 20 s
	Again  []time.Duration // before each try in a row to reach one that is away; up to 30 s
	Look   time.Duration   // between two looks at what waits at the other shop; 5 s
	Lease  time.Duration   // that a tool is held here for a shop of which nothing is heard; 30 s
	// Farewell is how long one that was unpaired is told so after it has heard it: that may have been lost on its way; 1 min.
	Farewell time.Duration
}

func (p Pace) orDefault() Pace {
	p.Beat, p.Within, p.Look = cmp.Or(p.Beat, 5*time.Second), cmp.Or(p.Within, 10*time.Second), cmp.Or(p.Look, 5*time.Second)
	p.Meet = cmp.Or(p.Meet, 20*time.Second)
	p.Farewell = cmp.Or(p.Farewell, time.Minute)
	if len(p.Again) == 0 {
		p.Again = []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second}
	}
	return p
}

// Deps are the parts a Book works with.
type Deps struct {
	Guests *guest.Book
	Box    Box
	Line   *outbound.Line
	Bus    *event.Bus
	Wake   func(job string) // has a job that waits for a shop look again
	Tools  func()           // other tools hang in the box than before
	Name   func() string    // how this shop introduces itself
	// Where says on which address and port this shop's door for others is; "": all of this computer's in networks of its own.
	Where   func() (address string, port int)
	Now     func() time.Time
	NewID   func() string
	Dir     string
	Version string
	Log     *zerolog.Logger
	Pace    Pace
}

// Book knows the shops that were paired. Safe for concurrent use.
type Book struct {
	deps     Deps
	pace     Pace
	partners partners
	door     door

	mu    sync.Mutex
	links map[string]*link // by the id of one that lends
	cert  *tls.Certificate
	pin   string
}

// New reads who was paired. Errors: storage errors.
func New(d Deps) (*Book, error) {
	p, err := partnersIn(d.Dir)
	if err != nil {
		return nil, err
	}
	b := &Book{deps: d, pace: d.Pace.orDefault(), partners: p, links: map[string]*link{}}
	b.door.init(b)
	return b, nil
}

// Hang hangs the tools of the shops that lend into the box, as they were when they were last heard of. It is called before jobs go on.
func (b *Book) Hang() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.partners.All() {
		if p.Role == Lends {
			l := newLink(b, p)
			b.links[p.ID] = l
			l.hang(p.Tools)
		}
	}
}

// Start calls the shops that lend, and opens the door for those that borrow.
func (b *Book) Start() {
	b.mu.Lock()
	for _, l := range b.links {
		l.start()
	}
	b.mu.Unlock()
	b.door.follow()
}

// Follow opens the door where the settings say it is.
func (b *Book) Follow() {
	b.door.close()
	b.door.follow()
}

// Close ends all connections. The tools stay in the box: whatever is closed after this parks.
func (b *Book) Close() {
	b.door.shut()
	b.mu.Lock()
	links := make([]*link, 0, len(b.links))
	for _, l := range b.links {
		links = append(links, l)
	}
	b.mu.Unlock()
	for _, l := range links {
		l.end()
	}
}

// identity gives the key of this shop, and its pin. It is made when it is first needed. Errors: storage errors.
func (b *Book) identity() (*tls.Certificate, string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cert == nil {
		cert, _, err := pairing.Identity(filepath.Join(b.deps.Dir, identityFile), pairing.Addresses(), b.deps.Now())
		if err != nil {
			return nil, "", apperr.Wrap(err, apperr.StorageFailed)
		}
		b.cert, b.pin = &cert, pinOf(cert.Leaf)
	}
	return b.cert, b.pin, nil
}

// pinOf is what a key is known by: certificates are made anew, keys are not.
func pinOf(c *x509.Certificate) string {
	sum := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	return hex.EncodeToString(sum[:])
}

// State is how another shop is doing.
type State string

// The states.
const (
	Here     State = "here"
	Away     State = "away"
	Unpaired State = "unpaired" // it does not know this shop any more
)

// Branch is another shop as fronts see it.
type Branch struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Role    Role      `json:"role"`
	State   State     `json:"state"`
	Since   time.Time `json:"since" ts_type:"string"` // it is in that state; zero: not known
	Paired  time.Time `json:"paired" ts_type:"string"`
	Address string    `json:"address,omitempty"`
	Tools   []string  `json:"tools"` // keys: here of what it lends, at home of what it borrows
	Pin     string    `json:"pin"`
}

// View is what the window shows of the branches. Addresses are where others call; none while nothing listens.
type View struct {
	Name      string   `json:"name"`
	Addresses []string `json:"addresses"`
	Branches  []Branch `json:"branches"`
}

// View lists the shops that were paired. Errors: storage errors.
func (b *Book) View(ctx context.Context) (View, error) {
	v := View{Name: b.deps.Name(), Addresses: b.door.addresses(), Branches: []Branch{}}
	for _, p := range b.partners.All() {
		one := Branch{ID: p.ID, Name: p.Name, Role: p.Role, Paired: p.Paired, Address: p.Address, Pin: p.Pin, State: Away, Tools: []string{}}
		switch {
		case p.left():
			continue
		case p.Role == Lends:
			b.mu.Lock()
			l := b.links[p.ID]
			b.mu.Unlock()
			if l != nil {
				one.State, one.Since, one.Tools = l.standing()
			}
		default:
			g, err := b.deps.Guests.Called(ctx, p.ID)
			if apperr.CodeOf(err) == apperr.GuestUnknown {
				continue // it was removed with the programs
			}
			if err != nil {
				return v, err
			}
			one.Name, one.Tools = g.Name, g.Tools
			one.State, one.Since = b.door.heard(p.ID)
		}
		v.Branches = append(v.Branches, one)
	}
	slices.SortStableFunc(v.Branches, func(a, b Branch) int { return cmp.Compare(a.Name, b.Name) })
	return v, nil
}

// Remove unpairs a shop: what it lends leaves the box, what it borrowed is stopped, and it comes in no more. One that borrowed hears so when it calls,
// for a week. Errors: not_found, storage errors.
func (b *Book) Remove(ctx context.Context, id string) error {
	p, ok := b.partners.Find(func(o Partner) bool { return o.ID == id && !o.left() })
	if !ok {
		return apperr.New(apperr.NotFound, "what", "branch", "id", id)
	}
	if p.Role == Borrows {
		b.door.close()        // its connections end with all others, which come again
		defer b.door.follow() //nolint:contextcheck // the door is of the shop, not of who closes it
		if err := b.deps.Guests.Remove(ctx, id); err != nil && apperr.CodeOf(err) != apperr.NotFound {
			return err
		}
		p.Until = b.deps.Now().Add(farewell)
		if err := b.partners.Set(p); err != nil {
			return err
		}
		b.tell()
		return nil
	}
	if _, err := b.partners.Remove(id); err != nil {
		return err
	}
	b.mu.Lock()
	l := b.links[id]
	delete(b.links, id)
	b.mu.Unlock()
	if l != nil {
		l.end()
		l.hang(nil)
	}
	b.tell()
	return nil
}

// Lent tells whether a guest is a shop that borrows.
func (b *Book) Lent(guest string) bool {
	_, ok := b.partners.Find(func(o Partner) bool { return o.ID == guest && o.Role == Borrows && !o.left() })
	return ok
}

func (b *Book) tell() { b.deps.Bus.Publish(event.Of("", "", event.BranchesChanged{})) }
