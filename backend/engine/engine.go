// Package engine is the shop's own engine for models: an Ollama of its own (package agentchat-engine), run on a private port with its models in
// the data folder. It runs only where no Ollama of the person's own answers, is watched, is started anew when it ends, and ends with the shop,
// however sudden that ends.
package engine

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/outbound"
)

// State is how the engine is.
type State string

// The states of the engine.
const (
	StateAbsent   State = "absent"   // there is none on this computer
	StateResting  State = "resting"  // another server is used: a person's own Ollama, or the address that is set
	StateStarting State = "starting" // it was started and does not answer yet
	StateRunning  State = "running"
	StateWaiting  State = "waiting" // it ended by itself, and is started anew at View.Again
)

// View is the engine as the fronts show it.
type View struct {
	State    State  `json:"state"`
	Version  string `json:"version"`  // Ollama's
	Addr     string `json:"addr"`     // while it runs
	Memory   int64  `json:"memory"`   // bytes it takes with everything it loaded; 0: not known
	Restarts int    `json:"restarts"` // since the shop opened
	Again    int64  `json:"again"`    // Unix milliseconds; when it is started anew, 0: it is not waited for
	Why      string `json:"why"`      // what it said last, when it ended by itself
}

// Options say how the engine is run.
type Options struct {
	// Program is where the engine is; "": there is none.
	Program string
	// Dir is a folder of its own, for its models and what it notes.
	Dir string
	// Log is the file that its output goes to.
	LogFile string
	// Wanted says whether the engine is to be used where nobody else's answers.
	Wanted func() bool
	// Usual is where a person's own Ollama would answer, "host:port".
	Usual string
	// Changed hears of every change of its state; it must return at once.
	Changed func()
	Log     zerolog.Logger
	// Pause is how long it waits before it starts again after the first end; 0: a second. It doubles with each, up to a minute.
	Pause time.Duration
}

// How the engine is watched.
const (
	lookEvery  = 10 * time.Second // how often it is asked whether it is well
	theirEvery = 30 * time.Second // how often somebody else's is looked for, while the engine is not wanted
	startMost  = 30 * time.Second // how long it may take to answer the first time
	deafMost   = 2 * time.Minute  // how long it may be silent before it is started anew: a busy computer is slow
	steady     = 5 * time.Minute  // whoever lived so long ended for another reason than the last time
	mostPause  = time.Minute
	firstPause = time.Second
)

// Engine runs the program. Safe for concurrent use.
type Engine struct {
	o    Options
	loop *background.Loop
	http *http.Client

	mu     sync.Mutex
	view   View
	child  *child
	began  time.Time     // when child was started
	starts int           // how often one was started, or was to be
	heard  time.Time     // when it answered last
	tries  int           // ends in a row
	again  time.Time     // not to be started before
	theirs bool          // a person's own Ollama was found in this run, and stays the one that is used
	looked chan struct{} // closed and made anew after every look
}

// New makes an engine that does nothing before Start.
func New(o Options) *Engine {
	if o.Pause == 0 {
		o.Pause = firstPause
	}
	var here *outbound.Line // it is on this computer, and nobody else is asked
	e := &Engine{o: o, view: View{State: StateAbsent}, looked: make(chan struct{}), http: here.Client(outbound.Way{
		Shape: func(t *http.Transport) { t.DisableKeepAlives = true },
	})}
	e.http.Timeout = 5 * time.Second
	if o.Program != "" {
		e.view.State = StateResting
	}
	e.loop = background.New(time.Now, theirEvery, e.work)
	return e
}

// Program is where the engine is; "": there is none.
func (e *Engine) Program() string { return e.o.Program }

// Models is the folder that its models are in.
func (e *Engine) Models() string { return filepath.Join(e.o.Dir, "models") }

// Start begins to look after the engine, until Stop.
func (e *Engine) Start(ctx context.Context) {
	if e.o.Program != "" {
		e.loop.Start(ctx)
	}
}

// Stop ends the engine and returns when it is gone. Stopping twice, or before Start, is fine.
func (e *Engine) Stop() {
	e.loop.Stop()
	e.mu.Lock()
	running := e.child
	e.child = nil
	e.mu.Unlock()
	if running != nil {
		running.stop()
	}
}

// Wake looks at once: what is wanted may have changed.
func (e *Engine) Wake() { e.loop.Wake() }

// Addr is where the engine answers; "" while it does not, or is not used.
func (e *Engine) Addr() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.view.Addr
}

// View tells how it is.
func (e *Engine) View() View {
	e.mu.Lock()
	defer e.mu.Unlock()
	v := e.view
	if e.child != nil {
		v.Memory = e.child.memory()
	}
	return v
}

// Bring starts the engine now, whoever else was used before and however long it was to wait, and returns when it answers. Errors:
// not_available (there is none, or it is not wanted), provider_unreachable (it does not come up), canceled.
func (e *Engine) Bring(ctx context.Context) error {
	if e.o.Program == "" || !e.o.Wanted() {
		return apperr.New(apperr.NotAvailable, "what", "ollama")
	}
	before := e.now()
	for {
		e.mu.Lock()
		state, theirs, ended, why := e.view.State, e.theirs, !e.again.IsZero(), e.view.Why
		own, looked := e.starts > before, e.looked
		e.mu.Unlock()
		switch {
		case state == StateRunning, theirs:
			return nil
		case state == StateWaiting && ended && own:
			return apperr.New(apperr.ProviderRefused, "provider", "ollama", "detail", why)
		case state == StateWaiting && ended: // one that was just being started when it was asked for
			before = e.now()
		}
		select {
		case <-looked:
		case <-ctx.Done():
			return apperr.Wrap(ctx.Err(), apperr.Canceled)
		}
	}
}

// now has the engine started without waiting any longer, and gives how often that was done before.
func (e *Engine) now() (starts int) {
	e.mu.Lock()
	e.theirs, e.again, e.tries = false, time.Time{}, 0
	starts = e.starts
	e.mu.Unlock()
	e.loop.Wake()
	return starts
}

// work looks once, and says when to look again.
func (e *Engine) work(ctx context.Context) time.Time {
	next := e.look(ctx)
	e.mu.Lock()
	defer e.mu.Unlock()
	close(e.looked)
	e.looked = make(chan struct{})
	return next
}

// look brings the engine to what it should be.
func (e *Engine) look(ctx context.Context) time.Time {
	now := time.Now()
	e.mu.Lock()
	running, again, theirs := e.child, e.again, e.theirs
	e.mu.Unlock()
	switch {
	case !e.o.Wanted():
		e.rest(running)
		return time.Time{}
	case running != nil:
		return e.watch(ctx, running, now)
	case again.After(now):
		return again
	case theirs:
		return now.Add(theirEvery)
	case e.version(ctx, e.o.Usual) != "":
		e.mu.Lock()
		e.theirs = true
		e.change(func(v *View) { v.State = StateResting })
		e.mu.Unlock()
		return now.Add(theirEvery)
	}
	return e.begin(ctx)
}

// rest ends an engine that is not wanted any more.
func (e *Engine) rest(running *child) {
	e.mu.Lock()
	e.child, e.theirs = nil, false
	e.change(func(v *View) { *v = View{State: StateResting, Restarts: v.Restarts} })
	e.mu.Unlock()
	if running != nil {
		running.stop()
	}
}

// begin starts the program and waits until it answers.
func (e *Engine) begin(ctx context.Context) time.Time {
	e.mu.Lock()
	e.starts++
	e.change(func(v *View) { v.State, v.Addr, v.Again = StateStarting, "", 0 })
	e.mu.Unlock()
	started, err := e.launch(ctx)
	if err != nil {
		return e.ended(nil, err.Error())
	}
	e.mu.Lock()
	e.child, e.began = started, time.Now()
	e.mu.Unlock()
	version, ok := e.await(ctx, started)
	if ctx.Err() != nil { // Stop ends it
		return time.Time{}
	}
	if !ok {
		started.stop()
		return e.ended(started, started.lastWords())
	}
	log := e.o.Log
	log.Info().Int("pid", started.pid()).Str("addr", started.addr).Str("version", version).Msg("the engine runs")
	e.mu.Lock()
	e.heard = time.Now()
	e.change(func(v *View) { v.State, v.Addr, v.Version, v.Why = StateRunning, started.addr, version, "" })
	e.mu.Unlock()
	return time.Now().Add(lookEvery)
}

// watch looks whether the engine is well.
func (e *Engine) watch(ctx context.Context, running *child, now time.Time) time.Time {
	select {
	case <-running.gone:
		return e.ended(running, running.lastWords())
	default:
	}
	well := e.version(ctx, running.addr) != ""
	e.mu.Lock()
	if well {
		e.heard = now
	}
	if now.Sub(e.began) > steady {
		e.tries = 0
	}
	deaf := now.Sub(e.heard) > deafMost
	e.mu.Unlock()
	if deaf {
		running.stop()
		return e.ended(running, "it did not answer any more")
	}
	return now.Add(lookEvery)
}

// ended notes that the engine is gone, and says when it is started again.
func (e *Engine) ended(was *child, why string) time.Time {
	if was != nil {
		was.stop() // what it started may be left
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	pause := min(e.o.Pause<<min(e.tries, 16), mostPause)
	e.tries++
	e.child, e.again = nil, time.Now().Add(pause)
	e.change(func(v *View) {
		v.State, v.Addr, v.Why, v.Again = StateWaiting, "", why, e.again.UnixMilli()
		v.Restarts++
	})
	log := e.o.Log
	log.Warn().Str("why", why).Stringer("pause", pause).Msg("the engine ended by itself")
	return e.again
}

// change changes what is shown, and tells of it. Called with e.mu held.
func (e *Engine) change(how func(*View)) {
	before := e.view
	how(&e.view)
	if e.view == before {
		return
	}
	if e.o.Changed != nil {
		go e.o.Changed()
	}
}

// Find gives the program of the engine that this program was installed with; "": there is none.
func Find() string {
	places := []string{os.Getenv("AGENTCHAT_ENGINE")}
	if own, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(own); err == nil {
			own = real
		}
		places = append(places, filepath.Join(filepath.Dir(own), "..", "lib", "agentchat", "engine"), filepath.Join(filepath.Dir(own), "engine"))
	}
	for _, place := range places {
		program := filepath.Join(place, "bin", programName)
		if info, err := os.Stat(program); place != "" && err == nil && info.Mode().IsRegular() {
			return filepath.Clean(program)
		}
	}
	return ""
}
