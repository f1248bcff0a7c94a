package mcp

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/outbound"
)

// Options are what Mounts need of the house. All are required except Now.
type Options struct {
	File    string // the path of mcp.json
	Box     Box
	Store   Store
	Own     func(key string) bool // whether a key is one of the shop's own tools
	Limits  func() Limits
	Changed func(server string)                             // something about a server changed; it must be quick and may ask View
	Version string                                          // the program's
	Keys    Keys                                            // of servers; nil: none can be kept
	Line    *outbound.Line                                  // the way out, for servers behind an address; nil leads to this computer alone
	Browse  func(ctx context.Context, address string) error // shows a page in the person's browser; nil: nobody can sign in
	// Ask shows a person what a server asks and gives what they filled in, nil when they declined. It ends with ctx. nil: every question is declined.
	Ask func(ctx context.Context, q Question) (map[string]any, error)
	// Sample shows a person what a server asks a model for and gives what the model on duty wrote once they let it. It ends with ctx; its errors are for
	// the server, in English, and for people. nil: no server may ask.
	Sample func(ctx context.Context, q Question) (Sampled, error)
	Now    func() time.Time
	Log    zerolog.Logger
}

// Children names the servers that are programs of this computer and run now: what they do is not seen from here.
func (m *Mounts) Children() []string {
	m.mu.Lock()
	servers := m.servers
	m.mu.Unlock()
	list := []string{}
	for _, v := range servers {
		v.mu.Lock()
		if v.URL == "" && v.state != StateDisabled && v.state != StateFailed {
			list = append(list, v.Name)
		}
		v.mu.Unlock()
	}
	return list
}

// Mounts are the outside servers of the shop. Safe for concurrent use.
type Mounts struct {
	opt Options

	change sync.Mutex // one change of the whole at a time

	mu       sync.Mutex
	servers  []*server // sorted by name
	problems []*apperr.Error
	text     []byte          // of the file as it was last read
	past     map[string]bool // secrets of servers that are no more: their goodbyes are written down later
	consents map[string]*Consent
	closed   bool
	drafts   map[string]draft // that are on show, by id
	drafted  int
}

// New makes mounts without servers; Start reads the settings.
func New(o Options) *Mounts {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Mounts{opt: o, consents: map[string]*Consent{}, drafts: map[string]draft{}, past: map[string]bool{}}
}

// Start reads consents and settings and starts the servers. It does not wait for them: what a person consented to before is
// in the box at once. What is wrong in the settings is shown by View. Errors: storage errors.
func (m *Mounts) Start(ctx context.Context) error {
	list, err := m.opt.Store.Consents(ctx)
	if err != nil {
		return err
	}
	m.mu.Lock()
	for i := range list {
		m.consents[list[i].Server] = &list[i]
	}
	m.mu.Unlock()
	m.change.Lock()
	defer m.change.Unlock()
	m.sweepUnpacking()
	m.unpin()
	_ = m.apply(m.read()) //nolint:contextcheck // servers outlive the call that starts them; there were none before
	return nil
}

// Reload reads the settings anew. Servers that are new or changed are started, those that are gone stop, one that had
// failed is tried again, and the others list their tools anew.
func (m *Mounts) Reload() {
	m.change.Lock()
	defer m.change.Unlock()
	m.stayed(m.apply(m.read()))
}

// stayed notes that keys of servers that are gone are still in the keyring.
func (m *Mounts) stayed(err error) {
	if err != nil {
		m.opt.Log.Warn().Err(err).Msg("a key of an outside server stays behind in the keyring")
	}
}

// Set replaces the settings file and mounts what it names. A value of env or headers, or an address, that is covered as View
// shows it keeps what it was. Error: invalid_setting, naming the first place that is wrong, in which case nothing changed; storage errors.
func (m *Mounts) Set(text string) error {
	m.change.Lock()
	defer m.change.Unlock()
	if strings.TrimSpace(text) == "" {
		text = "{}" // it names no server on purpose, which a file that is missing does not
	}
	whole := m.expand([]byte(text))
	old, _ := m.read()
	if revealed, err := reveal(whole, old); err == nil { // what cannot be read is refused below, with its place
		whole = revealed
	}
	if s := ReadSettings(whole); len(s.Problems) > 0 {
		return s.Problems[0]
	}
	if err := m.write(whole); err != nil {
		return err
	}
	m.stayed(m.apply(whole, nil))
	return nil
}

// read gives the text of the file; none is an empty text.
func (m *Mounts) read() ([]byte, *apperr.Error) {
	text, err := os.ReadFile(m.opt.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, apperr.Wrap(err, apperr.InvalidSetting, "key", FileName, "detail", shape("{…}"))
	}
	return m.expand(text), nil
}

// apply brings the servers in line with a text. Error: keys of servers that are gone stayed in the keyring. Called with m.change held.
func (m *Mounts) apply(text []byte, trouble *apperr.Error) error {
	s := ReadSettings(text)
	if trouble != nil {
		s.Problems = append(s.Problems, trouble)
	}
	for i := range s.Servers {
		s.Servers[i] = m.ringKeys(context.Background(), s.Servers[i])
	}
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return nil
	}
	m.text, m.problems = text, s.Problems
	var next, fresh, gone []*server
	for _, want := range s.Servers {
		i := slices.IndexFunc(m.servers, func(v *server) bool { return reflect.DeepEqual(v.Server, want) })
		if i >= 0 {
			next = append(next, m.servers[i])
			m.servers[i].again()
			continue
		}
		v := newServer(want, m.consents[want.Name], &m.opt)
		next, fresh = append(next, v), append(fresh, v)
	}
	for _, v := range m.servers {
		if !slices.Contains(next, v) {
			gone = append(gone, v)
		}
	}
	m.remember(gone)
	m.servers = next
	m.mu.Unlock()
	for _, p := range s.Problems {
		m.opt.Log.Warn().Str("why", p.Text(bilingual.EN)).Msg("an outside server was refused")
	}
	endAll(gone) // first: a changed server's tools have the same keys
	for _, v := range fresh {
		v.begin()
	}
	m.opt.Changed("")
	return m.forget(gone, s)
}

// endAll stops servers side by side.
func endAll(servers []*server) {
	var wg sync.WaitGroup
	for _, v := range servers {
		wg.Go(v.end)
	}
	wg.Wait()
}

// Consent lets a person agree to what they were shown of a server: digest is the one that View gave with it. Errors:
// not_found; digest_mismatch when the server offers something else by now; storage errors.
func (m *Mounts) Consent(ctx context.Context, name, digest string) error {
	v, err := m.find(name)
	if err != nil {
		return err
	}
	m.change.Lock()
	defer m.change.Unlock()
	v.mu.Lock()
	tools, listed := usable(v.offers), v.live != nil && !v.stale
	v.mu.Unlock()
	if !listed || digest == "" || digest != digestOf(v.source(), tools) {
		return apperr.New(apperr.DigestMismatch)
	}
	c := &Consent{Server: name, Source: v.source(), Tools: tools, At: m.opt.Now()}
	if err := m.opt.Store.SaveConsent(ctx, *c); err != nil {
		return err
	}
	m.settle(v, c)
	m.opt.Log.Info().Str("server", name).Str("digest", digest).Int("tools", len(tools)).Msg("a person consented to an outside server")
	return nil
}

// Revoke takes back what was agreed to of a server: its tools leave the box at once. Errors: not_found; storage errors.
func (m *Mounts) Revoke(ctx context.Context, name string) error {
	v, err := m.find(name)
	if err != nil {
		return err
	}
	m.change.Lock()
	defer m.change.Unlock()
	if err := m.opt.Store.DropConsent(ctx, name); err != nil {
		return err
	}
	m.settle(v, nil)
	return nil
}

// settle makes a consent hold, nil for none.
func (m *Mounts) settle(v *server, c *Consent) {
	m.mu.Lock()
	if m.consents[v.Name] = c; c == nil {
		delete(m.consents, v.Name)
	}
	m.mu.Unlock()
	v.resync(func() { v.consent = c })
}

func (m *Mounts) find(name string) (*server, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, v := range m.servers {
		if v.Name == name {
			return v, nil
		}
	}
	return nil, apperr.New(apperr.NotFound, "what", "MCP", "id", name)
}

// Secrets are the values that must not appear in a request or log, also those of servers that ended since the program began.
func (m *Mounts) Secrets() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := slices.Collect(maps.Keys(m.past))
	for _, v := range m.servers {
		all = append(append(all, v.secrets()...), v.account.secrets()...)
	}
	return byLength(all)
}

// remember keeps the secrets of servers that are about to end. Called with m.mu held.
func (m *Mounts) remember(servers []*server) {
	for _, v := range servers {
		for _, secret := range append(v.secrets(), v.account.secrets()...) {
			m.past[secret] = true
		}
	}
}

// Close stops every server and takes their tools out of the box. Closing twice is fine.
func (m *Mounts) Close() error {
	m.change.Lock()
	defer m.change.Unlock()
	m.mu.Lock()
	servers := m.servers
	m.remember(servers)
	m.servers, m.closed = nil, true
	m.mu.Unlock()
	endAll(servers)
	return nil
}
