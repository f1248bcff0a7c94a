// Package pager shows what waits for a person and what runs on a phone of theirs, on the network they are in, and takes the answers that
// were given there. It is off until it is switched on, and a phone comes in only once it was paired with a picture on this computer's screen.
// An answer is bound to what the phone drew: what has changed since is shown anew, never decided.
package pager

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// MostPhones is how many may be paired.
const MostPhones = 10

// Phone is one that was paired. Seen is when it last asked for something, to the minute.
type Phone struct {
	ID     string    `json:"id"`
	Name   string    `json:"name"`
	Paired time.Time `json:"paired" ts_type:"string"`
	Seen   time.Time `json:"seen" ts_type:"string"`
}

// Store keeps phones; of a phone's key only the hash. Safe for concurrent use; errors are *apperr.Error.
type Store interface {
	Phones(ctx context.Context) ([]Phone, error)
	// PhoneOf gives the phone that has a key; not_found when none has.
	PhoneOf(ctx context.Context, key []byte) (Phone, error)
	// AddPhone keeps a phone, unless there are most of them already.
	AddPhone(ctx context.Context, p Phone, key []byte, most int) (added bool, err error)
	PhoneSeen(ctx context.Context, id string, at time.Time) error
	RemovePhone(ctx context.Context, id string) error
}

// Deps are the parts a Pager works with.
type Deps struct {
	Store Store
	Bus   *event.Bus
	// Waiting are the open questions, Running the jobs that have not ended, both oldest first.
	Waiting func(ctx context.Context) ([]event.AskOpened, error)
	Running func(ctx context.Context) ([]job.View, error)
	Answer  func(ctx context.Context, r ask.Reply) error
	// Names are the names of a tool's parameters.
	Names func(tool string) map[string]toolbox.ParamName
	Lang  func() bilingual.Lang
	Now   func() time.Time
	NewID func() string
	Dir   string // where the key of the connection lies
	Log   *zerolog.Logger
}

// Pager is the door for phones. It is closed until it is opened. Safe for concurrent use.
type Pager struct {
	deps   Deps
	codes  codes
	limits limits

	mu      sync.Mutex
	server  *http.Server
	port    string
	print   string
	streams map[string]map[*stream]struct{} // by phone
}

// New makes a closed one.
func New(d Deps) *Pager {
	return &Pager{deps: d, codes: codes{now: d.Now}, limits: newLimits(d.Now), streams: map[string]map[*stream]struct{}{}}
}

// Open listens on a port of this computer's for the network it is in; 0 takes any that is free. Errors: of the network, of the key's file.
func (p *Pager) Open(port int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server != nil {
		return nil
	}
	cert, print, err := identity(p.deps.Dir, addresses(), p.deps.Now())
	if err != nil {
		return err
	}
	l, err := listen(port)
	if err != nil {
		return err
	}
	_, p.port, _ = net.SplitHostPort(l.Addr().String())
	p.print = print
	p.server = serving(p.handler(), cert)
	go func(s *http.Server) { _ = s.ServeTLS(l, "", "") }(p.server)
	return nil
}

// Close ends every connection and listens no more. A code that was not used is void.
func (p *Pager) Close() {
	p.codes.void()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server != nil {
		_ = p.server.Close()
		p.server, p.port, p.print = nil, "", ""
	}
	for id := range p.streams {
		p.end(id)
	}
}

// View is what the window shows of the pager. Fingerprint is the SHA-256 of the certificate, as browsers show it; "" while it is closed.
type View struct {
	Open        bool    `json:"open"`
	Port        int     `json:"port"`
	Listens     bool    `json:"listens"`
	Fingerprint string  `json:"fingerprint,omitempty"`
	Phones      []Phone `json:"phones"`
}

// View shows who is paired. Open and Port are the caller's to fill in.
func (p *Pager) View(ctx context.Context) (View, error) {
	p.mu.Lock()
	v := View{Listens: p.server != nil, Fingerprint: p.print}
	p.mu.Unlock()
	var err error
	v.Phones, err = p.deps.Store.Phones(ctx)
	return v, err
}

// Remove takes a phone's key away and ends what it has open. Errors: not_found, storage errors.
func (p *Pager) Remove(ctx context.Context, id string) error {
	if err := p.deps.Store.RemovePhone(ctx, id); err != nil {
		return err
	}
	p.mu.Lock()
	p.end(id)
	p.mu.Unlock()
	p.tell()
	return nil
}

func (p *Pager) tell() { p.deps.Bus.Publish(event.Of("", "", event.PagerChanged{})) }

// stream is a phone that is told when something changes.
type stream struct{ cancel context.CancelFunc }

// mostStreams is how many pages of one phone are told of changes.
const mostStreams = 3

// begin makes a stream of a phone's; false where it has too many.
func (p *Pager) begin(ctx context.Context, phone string) (context.Context, func(), bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server == nil || len(p.streams[phone]) >= mostStreams {
		return ctx, nil, false
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &stream{cancel}
	if p.streams[phone] == nil {
		p.streams[phone] = map[*stream]struct{}{}
	}
	p.streams[phone][s] = struct{}{}
	return ctx, func() {
		cancel()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.streams[phone], s)
	}, true
}

// end ends a phone's streams; p.mu is held.
func (p *Pager) end(phone string) {
	for s := range p.streams[phone] {
		s.cancel()
	}
	delete(p.streams, phone)
}

// news tells whether an event changes what a phone shows.
func news(e event.Envelope) bool {
	switch e.Kind {
	case event.KindAskOpened, event.KindAskClosed, event.KindJobCreated, event.KindJobState, event.KindTodoState, event.KindConfig:
		return true
	default:
		return false
	}
}

// admit keeps a new phone and gives the key that it shows from now on. Errors: too_many_phones, storage errors.
func (p *Pager) admit(ctx context.Context, name string) (key string, err error) {
	key = secret()
	phone := Phone{ID: p.deps.NewID(), Name: name, Paired: p.deps.Now(), Seen: p.deps.Now()}
	added, err := p.deps.Store.AddPhone(ctx, phone, hashed(key), MostPhones)
	if err == nil && !added {
		err = apperr.New(apperr.TooManyPhones, "most", MostPhones)
	}
	if err != nil {
		return "", err
	}
	p.tell()
	return key, nil
}
