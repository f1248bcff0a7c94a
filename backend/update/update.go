package update

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"aead.dev/minisign"
	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/outbound"
	"agentchat/backend/privatefile"
)

// Where the list stands (a folder on the web, ending in "/") and by which minisign key it is signed. The Makefile links both in when a
// version is made for others (UPDATE_ADDRESS, UPDATE_KEY); a program without them looks nowhere and says so.
var (
	Address = ""
	Key     = ""
)

// The list's names below its address.
const (
	ListName      = "agentchat.json"
	SignatureName = ListName + ".minisig"
)

const (
	every    = 24 * time.Hour
	again    = 3 * time.Hour // after a look that failed
	poll     = 10 * time.Minute
	fileName = "updates.json"
)

// State is how far it has come.
type State string

// The states of a View.
const (
	StateNowhere  State = "nowhere"  // this program does not know where versions are published
	StateIdle     State = "idle"     // nothing is known
	StateLooking  State = "looking"  // the list is being read
	StateCurrent  State = "current"  // this is the newest
	StateNewer    State = "newer"    // there is a newer one
	StateFetching State = "fetching" // its package is on its way
	StateFetched  State = "fetched"  // its package is there, whole
)

// View is what a front shows.
type View struct {
	State   State    `json:"state"`
	Current string   `json:"current"`           // this program's version
	Version string   `json:"version,omitempty"` // the newest
	Changes []string `json:"changes"`           // what it brings
	Kind    Kind     `json:"kind"`
	File    string   `json:"file,omitempty"` // the package for this computer; "": there is none
	Bytes   int64    `json:"bytes,omitempty"`
	Done    int64    `json:"done,omitempty"`    // of Bytes
	Path    string   `json:"path,omitempty"`    // where it lies
	Command string   `json:"command,omitempty"` // what installs it, where opening it does not
	Looked  string   `json:"looked,omitempty"`  // when the list was last read, RFC 3339

	Error *event.Error `json:"error,omitempty"` // of the last look or fetch
}

// Deps are what Updates need. All are required but Address, Key and Kind, which then are the program's own.
type Deps struct {
	Address string
	Key     string
	Kind    Kind
	Version string // the program's
	Folder  string // where packages are kept, and what was seen
	Allowed func() bool
	Line    *outbound.Line // the way out; nil leads to this computer alone
	Changed func()         // the view is another; it must be quick
	Lang    func() bilingual.Lang
	Now     func() time.Time
	Log     zerolog.Logger
}

// Updates look for newer versions. Safe for concurrent use.
type Updates struct {
	deps Deps
	http *http.Client
	key  minisign.PublicKey
	loop *background.Loop

	one sync.Mutex // one look or fetch at a time

	mu    sync.Mutex
	kept  kept
	state State
	list  Manifest
	done  int64
	path  string
	wrong error
}

// kept is what outlives the program.
type kept struct {
	Seen   Seen      `json:"seen"`
	Looked time.Time `json:"looked"`
}

// New makes updates; they look by themselves from Start on, when that is allowed.
func New(d Deps) *Updates {
	if d.Address == "" && d.Key == "" {
		d.Address, d.Key = Address, Key
	}
	if d.Kind == "" {
		d.Kind = ThisKind(runtime.GOOS)
	}
	u := &Updates{deps: d, http: client(d.Line), state: StateNowhere}
	if err := u.key.UnmarshalText([]byte(d.Key)); err == nil && safe(d.Address) {
		u.state = StateIdle
	}
	text, err := os.ReadFile(u.file())
	if err == nil {
		err = json.Unmarshal(text, &u.kept)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.Log.Warn().Err(err).Msg("what was seen of updates cannot be read")
	}
	u.loop = background.New(d.Now, poll, u.look)
	return u
}

func (u *Updates) file() string { return filepath.Join(u.deps.Folder, fileName) }

// Start begins to look when it is time.
func (u *Updates) Start(ctx context.Context) { u.loop.Start(ctx) }

// Stop ends it.
func (u *Updates) Stop() { u.loop.Stop() }

// Wake has it looked whether looking is allowed now.
func (u *Updates) Wake() { u.loop.Wake() }

// View is how it stands.
func (u *Updates) View() View {
	u.mu.Lock()
	defer u.mu.Unlock()
	lang := u.deps.Lang()
	v := View{State: u.state, Current: u.deps.Version, Version: u.list.Version, Changes: []string{}, Kind: u.deps.Kind, Done: u.done, Path: u.path}
	for _, c := range u.list.Changes {
		v.Changes = append(v.Changes, bilingual.Of(c.KO, c.EN).In(lang))
	}
	if p, ok := u.list.For(u.deps.Kind, runtime.GOOS, runtime.GOARCH); ok {
		v.File, v.Bytes = p.file(), p.Bytes
	}
	if u.path != "" {
		v.Command = u.deps.Kind.command(u.path)
	}
	if !u.kept.Looked.IsZero() {
		v.Looked = u.kept.Looked.UTC().Format(time.RFC3339)
	}
	if u.wrong != nil {
		e := apperr.From(u.wrong)
		v.Error = &event.Error{Code: string(e.Code), Message: e.Text(lang)}
	}
	return v
}

// look is the loop's work: at every start and once a day, if that is allowed.
func (u *Updates) look(ctx context.Context) time.Time {
	if u.View().State == StateNowhere || !u.deps.Allowed() {
		return time.Time{}
	}
	wait := every
	if err := u.Look(ctx); err != nil {
		wait = again
		u.deps.Log.Info().Err(err).Msg("the list of versions was not read")
	}
	return u.deps.Now().Add(wait)
}

// Look reads the list now. That a person asks for it is allowance enough. Errors: update_unreachable, update_refused; the context's.
func (u *Updates) Look(ctx context.Context) error {
	u.one.Lock()
	defer u.one.Unlock()
	u.mu.Lock()
	nowhere, seen := u.state == StateNowhere, u.kept.Seen
	u.mu.Unlock()
	if nowhere {
		return apperr.New(apperr.UpdateNowhere)
	}
	u.set(func() { u.state, u.wrong, u.done, u.path = StateLooking, nil, 0, "" })
	list, err := u.read(ctx)
	now := u.deps.Now()
	if err == nil {
		err = list.Fresh(seen, now)
	}
	if err != nil {
		u.set(func() { u.state, u.list, u.wrong = StateIdle, Manifest{}, err })
		return err
	}
	u.set(func() {
		u.list, u.state = list, StateCurrent
		if compare(list.Version, u.deps.Version) > 0 {
			u.state = StateNewer
		}
		u.kept = kept{Seen: Seen{Version: list.Version, Made: list.Made}, Looked: now}
	})
	u.keep()
	return nil
}

func (u *Updates) set(change func()) {
	u.mu.Lock()
	change()
	u.mu.Unlock()
	u.deps.Changed()
}

// keep writes down what was seen. That it cannot be kept is no reason not to tell what was found.
func (u *Updates) keep() {
	u.mu.Lock()
	text, err := json.Marshal(u.kept)
	u.mu.Unlock()
	if err == nil {
		err = privatefile.Write(u.file(), text)
	}
	if err != nil {
		u.deps.Log.Warn().Err(err).Msg("what was seen of updates could not be kept")
	}
}
