// Package pager shows what waits for a person and what runs on a phone of theirs, on the network they are in, and takes the answers that
// were given there. It is off until it is switched on, and a phone comes in only once it was paired with a picture on this computer's screen.
// An answer is bound to what the phone drew: what has changed since is shown anew, never decided.
package pager

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/pairing"
	"agentchat/backend/toolbox"
)

// MostPhones is how many may be paired.
const MostPhones = 10

const identityFile = "pager.pem"

// Deps are the parts a Pager works with.
type Deps struct {
	Bus *event.Bus
	// Waiting are the open questions, Running the jobs that have not ended, both oldest first.
	Waiting func(ctx context.Context) ([]event.AskOpened, error)
	Running func(ctx context.Context) ([]job.View, error)
	Answer  func(ctx context.Context, r ask.Reply) error
	// Tool is the manual of a tool; one that is not there any more has an empty one.
	Tool  func(tool string) toolbox.Spec
	Lang  func() bilingual.Lang
	Now   func() time.Time
	NewID func() string
	Dir   string // where the key of the connection lies, and who is paired
	Log   *zerolog.Logger
}

// Pager is the door for phones. It is closed until it is opened. Safe for concurrent use.
type Pager struct {
	deps   Deps
	codes  pairing.Codes
	phones phones
	limits limits
	cert   atomic.Pointer[tls.Certificate]

	// deciding is held by every answer while it looks whether its phone is still paired and the door open, and by what ends either: once that is
	// done, nothing more is decided.
	deciding sync.RWMutex

	mu      sync.Mutex
	server  *http.Server
	port    string
	print   string
	streams map[string][]*stream // by phone, oldest first
}

// New makes a closed one.
func New(d Deps) *Pager {
	return &Pager{deps: d, codes: pairing.Codes{Now: d.Now}, phones: phonesIn(d.Dir), limits: newLimits(d.Now), streams: map[string][]*stream{}}
}

// Open listens on a port of this computer's for the network it is in; 0 takes any that is free. Errors: of the network, of the key's file.
func (p *Pager) Open(port int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server != nil {
		return nil
	}
	if err := p.identify(); err != nil {
		return err
	}
	l, err := pairing.Listen("", port, pairing.ForPhones)
	if err != nil {
		return err
	}
	_, p.port, _ = net.SplitHostPort(l.Addr().String())
	p.server = serving(p.handler(), p.cert.Load)
	go p.serve(p.server, l)
	return nil
}

// serve runs until the server is closed, or the network takes the door away.
func (p *Pager) serve(s *http.Server, l net.Listener) {
	err := s.ServeTLS(l, "", "")
	if errors.Is(err, http.ErrServerClosed) {
		return
	}
	p.deps.Log.Warn().Err(err).Msg("phones cannot call any more")
	p.mu.Lock()
	if p.server == s {
		p.server, p.port = nil, ""
	}
	p.mu.Unlock()
	_ = s.Close()
	p.tell()
}

// identify has the certificate name the addresses that this computer has now; p.mu is held.
func (p *Pager) identify() error {
	cert, print, err := pairing.Identity(filepath.Join(p.deps.Dir, identityFile), pairing.Addresses(), p.deps.Now())
	if err == nil {
		p.print = print
		p.cert.Store(&cert)
	}
	return err
}

// Close ends every connection and listens no more. A code that was not used is void, and an answer that was on its way decides nothing.
func (p *Pager) Close() {
	p.codes.Void()
	p.deciding.Lock()
	defer p.deciding.Unlock()
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

// View shows who is paired. Open and Port are the caller's to fill in. Errors: storage errors.
func (p *Pager) View() (View, error) {
	p.mu.Lock()
	v := View{Listens: p.server != nil, Fingerprint: p.print}
	p.mu.Unlock()
	var err error
	v.Phones, err = p.phones.views()
	return v, err
}

// Remove takes a phone's key away and ends what it has open; no answer of its counts from then on. Errors: not_found, storage errors.
func (p *Pager) Remove(id string) error {
	p.deciding.Lock()
	err := p.phones.remove(id)
	p.deciding.Unlock()
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.end(id)
	p.mu.Unlock()
	p.tell()
	return nil
}

func (p *Pager) tell() { p.deps.Bus.Publish(event.Of("", "", event.PagerChanged{})) }

// decide takes an answer, if the phone that shows the key may still give one. Errors: pager_unknown, pager_off, those of Deps.Answer.
func (p *Pager) decide(ctx context.Context, key string, r ask.Reply) error {
	p.deciding.RLock()
	defer p.deciding.RUnlock()
	phone, err := p.phones.of(key, p.deps.Now())
	if err != nil {
		return err
	}
	if !p.listens() {
		return apperr.New(apperr.PagerOff)
	}
	r.Via = phone.Name
	if err := p.deps.Answer(ctx, r); err != nil {
		return err
	}
	p.deps.Log.Info().Str("ask", r.Ask).Str("choice", r.Choice).Str("phone", phone.ID).Msg("answered on a phone")
	return nil
}

func (p *Pager) listens() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.server != nil
}

// stream is a page of a phone that is told when something changes.
type stream struct{ cancel context.CancelFunc }

// mostStreams is how many pages of one phone are told of changes.
const mostStreams = 3

// begin makes a stream of a phone's, in place of its oldest if it has too many: that one is most likely gone without a word.
func (p *Pager) begin(ctx context.Context, phone string) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	s := &stream{cancel}
	p.mu.Lock()
	defer p.mu.Unlock()
	if list := p.streams[phone]; len(list) >= mostStreams {
		list[0].cancel()
		p.streams[phone] = list[1:]
	}
	p.streams[phone] = append(p.streams[phone], s)
	return ctx, func() {
		cancel()
		p.mu.Lock()
		defer p.mu.Unlock()
		for i, one := range p.streams[phone] {
			if one == s {
				p.streams[phone] = append(p.streams[phone][:i:i], p.streams[phone][i+1:]...)
				break
			}
		}
	}
}

// end ends a phone's streams; p.mu is held.
func (p *Pager) end(phone string) {
	for _, s := range p.streams[phone] {
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

// admit keeps a new phone and gives the key that it shows from now on. Errors: storage errors.
func (p *Pager) admit(name string) (key string, err error) {
	key = pairing.Secret()
	if err := p.phones.add(Phone{ID: p.deps.NewID(), Name: name, Paired: p.deps.Now(), Seen: p.deps.Now()}, key); err != nil {
		return "", err
	}
	p.tell()
	return key, nil
}
