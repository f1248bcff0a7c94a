package branch

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/guest"
	"agentchat/backend/privatefile"
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
}

// partners are those that were paired, in a file beside the key of the connection and in no backup: what was unpaired must not come back with one,
// nor another shop get into one that was moved. Safe for concurrent use.
type partners struct {
	path string

	mu   sync.Mutex
	list []Partner
}

// partnersIn reads them. A file that is damaged holds none: they are paired anew. Errors: storage errors.
func partnersIn(dir string) (*partners, error) {
	p := &partners{path: filepath.Join(dir, partnersFile)}
	text, err := os.ReadFile(p.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, apperr.Wrap(err, apperr.StorageFailed)
	}
	var list []Partner
	if json.Unmarshal(text, &list) == nil {
		p.list = list
	}
	return p, nil
}

func (p *partners) all() []Partner {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.list)
}

// change writes down what the list is made into. Errors: storage errors.
func (p *partners) change(to func([]Partner) []Partner) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := to(slices.Clone(p.list))
	text, err := json.Marshal(list)
	if err == nil {
		err = privatefile.Write(p.path, text)
	}
	if err != nil {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	p.list = list
	return nil
}

// set keeps one, in the place of the one with its id.
func (p *partners) set(one Partner) error {
	return p.change(func(list []Partner) []Partner {
		if i := slices.IndexFunc(list, func(o Partner) bool { return o.ID == one.ID }); i >= 0 {
			list[i] = one
			return list
		}
		return append(list, one)
	})
}

// alter changes one that is there still. Errors: storage errors.
func (p *partners) alter(id string, do func(*Partner)) error {
	return p.change(func(list []Partner) []Partner {
		if i := slices.IndexFunc(list, func(o Partner) bool { return o.ID == id }); i >= 0 {
			do(&list[i])
		}
		return list
	})
}

func (p *partners) remove(id string) error {
	return p.change(func(list []Partner) []Partner {
		return slices.DeleteFunc(list, func(o Partner) bool { return o.ID == id })
	})
}

// find gives the first that fits.
func (p *partners) find(fits func(Partner) bool) (Partner, bool) {
	list := p.all()
	if i := slices.IndexFunc(list, fits); i >= 0 {
		return list[i], true
	}
	return Partner{}, false
}

func (p *partners) borrower(pin string) (Partner, bool) {
	return p.find(func(o Partner) bool { return o.Role == Borrows && o.Pin == pin })
}
