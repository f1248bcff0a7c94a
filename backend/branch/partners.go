package branch

import (
	"path/filepath"
	"time"

	"agentchat/backend/guest"
	"agentchat/backend/pairing"
)

const (
	partnersFile = "branches.json"
	identityFile = "branches.pem"
)

// Role is what another shop is to this one.
type Role string

// The roles.
const (
	Lends   Role = "lends"   // its tools stand on the board here
	Borrows Role = "borrows" // it uses tools of this one, as the guest of its id
)

// Partner is another shop that was paired.
type Partner struct {
	ID      string         `json:"id"`
	Name    string         `json:"name"`
	Role    Role           `json:"role"`
	Pin     string         `json:"pin"`               // of its key: the SHA-256 of its public half
	Address string         `json:"address,omitempty"` // of one that lends
	Prefix  string         `json:"prefix,omitempty"`  // of its tools' keys here
	Paired  time.Time      `json:"paired"`
	Tools   []guest.Manual `json:"tools,omitempty"` // that it lent when it was last heard of, so that jobs find them while it is away
	// CalledOff are uses that it has not heard to be called off yet: a shop that is killed says so when it is opened again.
	CalledOff []string `json:"calledOff,omitempty"`
	// Unpaired is since when one that lends does not know this shop any more.
	Unpaired time.Time `json:"unpaired,omitzero"`
	// Until is how long one that borrowed and was unpaired here is told so, if it calls; zero: it is paired.
	Until time.Time `json:"until,omitzero"`
}

// left tells whether it was unpaired here, and may not have heard so yet.
func (p Partner) left() bool { return !p.Until.IsZero() }

// told notes that it heard so, and until when it hears so again. One that was paired anew meanwhile is paired.
func (p *Partner) told(until time.Time) {
	if p.left() {
		p.Until = until
	}
}

// idOf is the id that a shop that borrows has for good, however often it is paired: what it used before is known by it.
func idOf(pin string) string { return pin[:32] }

// partners are those that were paired.
type partners struct{ *pairing.Kept[Partner] }

// partnersIn reads them. Errors: storage errors.
func partnersIn(dir string) (partners, error) {
	k := pairing.KeptIn(filepath.Join(dir, partnersFile), func(p Partner) string { return p.ID })
	return partners{k}, k.Readable()
}

func (p partners) borrower(pin string) (Partner, bool) {
	return p.Find(func(o Partner) bool { return o.Role == Borrows && !o.left() && o.Pin == pin })
}

// leaver is the shop of a pin if it was unpaired here and may not know so.
func (p partners) leaver(pin string) (Partner, bool) {
	if _, paired := p.borrower(pin); paired {
		return Partner{}, false
	}
	return p.Find(func(o Partner) bool { return o.left() && o.Pin == pin })
}

// paired counts those that are.
func (p partners) paired() (n int) {
	for _, o := range p.All() {
		if !o.left() {
			n++
		}
	}
	return n
}
