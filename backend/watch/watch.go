// Package watch tells when something may have changed in folders: soon after the last of several changes, when the system lost count, and
// when the clock says that the computer slept. It waits on the system and wakes nobody while nothing happens.
package watch

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/rs/zerolog"

	"agentchat/backend/background"
)

const (
	// settle is how long a folder must be left alone before it is looked at, patience how long that may put it off.
	settle   = 1200 * time.Millisecond
	patience = 10 * time.Second
	// tick is how often the clock is looked at while a folder is watched, and a folder that nothing tells of; jump is what it may go wrong by.
	tick = 30 * time.Second
	jump = 5 * time.Second
)

// Deps are what Folders work with. Look looks into a folder; late says that nobody was there when something may have happened. It gives
// the folders below that are to be watched, itself among them, and tells whether it wants to be called again although nothing may happen.
type Deps struct {
	Look func(ctx context.Context, folder string, late bool) (dirs []string, again bool, err error)
	Wall func() time.Time // the clock on the wall; nil: the system's
	Log  zerolog.Logger
}

// Folders watches folders. Safe for concurrent use.
type Folders struct {
	deps Deps

	mu    sync.Mutex
	want  []string
	again []string      // to be looked at now
	news  chan struct{} // holds one when other folders are wanted, or one is to be looked at
	stop  context.CancelFunc
	gone  sync.WaitGroup
}

// New makes a watch; Start begins it.
func New(d Deps) *Folders {
	if d.Wall == nil {
		d.Wall = func() time.Time { return time.Now().Round(0) }
	}
	return &Folders{deps: d, news: make(chan struct{}, 1)}
}

// Follow has these folders watched from now on, and no others. One that is new is looked at at once. It never waits.
func (f *Folders) Follow(folders []string) {
	f.mu.Lock()
	same := slices.Equal(f.want, folders)
	f.want = slices.Clone(folders)
	f.mu.Unlock()
	if !same {
		background.Wake(f.news)
	}
}

// Again has a folder that is watched looked at now. It never waits.
func (f *Folders) Again(folder string) {
	f.mu.Lock()
	f.again = append(f.again, folder)
	f.mu.Unlock()
	background.Wake(f.news)
}

// Start begins to watch, until Stop. What the folders hold that are wanted first came late.
func (f *Folders) Start(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	ctx, f.stop = context.WithCancel(context.WithoutCancel(ctx))
	f.gone.Go(func() { (&round{f: f, roots: map[string]*root{}, late: true}).run(ctx) })
	return nil
}

// Stop ends it, and returns when it is over. Stopping twice, or before Start, is fine.
func (f *Folders) Stop() {
	f.mu.Lock()
	stop := f.stop
	f.mu.Unlock()
	if stop != nil {
		stop()
	}
	f.gone.Wait()
}

// root is one folder that is watched, with those below it.
type root struct {
	dirs  map[string]bool
	due   time.Time // when it is looked at; zero: when something happens
	since time.Time // of changes without a pause: the first
	late  bool
	wait  time.Duration // until it is looked at again although nothing happened
	blind bool          // nothing tells of what happens in it
}

// round is the state of one Start.
type round struct {
	f      *Folders
	roots  map[string]*root
	late   bool // no folder was wanted yet
	notify *fsnotify.Watcher

	wall, mono time.Time // when the clock was looked at last
}

func (r *round) run(ctx context.Context) {
	defer r.close()
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	clock := time.NewTicker(tick)
	clock.Stop()
	defer func() { timer.Stop(); clock.Stop() }()
	for {
		var events chan fsnotify.Event
		var errs chan error
		if r.notify != nil {
			events, errs = r.notify.Events, r.notify.Errors
		}
		select {
		case <-ctx.Done():
			return
		case <-r.f.news:
			if r.adopt(); len(r.roots) == 0 {
				clock.Stop()
			} else {
				r.wall, r.mono = r.f.deps.Wall(), time.Now()
				clock.Reset(tick)
			}
		case e := <-events:
			r.happened(e)
		case err := <-errs:
			r.lost(err)
		case <-clock.C:
			r.tick()
		case <-timer.C:
		}
		if next := r.look(ctx); next.IsZero() {
			timer.Stop()
		} else {
			timer.Reset(max(time.Until(next), 0))
		}
	}
}

// adopt takes up the folders that are wanted, and lets go of the others.
func (r *round) adopt() {
	r.f.mu.Lock()
	want, again := slices.Clone(r.f.want), r.f.again
	r.f.again = nil
	r.f.mu.Unlock()
	for path, root := range r.roots {
		if !slices.Contains(want, path) {
			delete(r.roots, path)
			for dir := range root.dirs {
				r.forget(dir)
			}
		}
	}
	for _, path := range want {
		if r.roots[path] == nil {
			r.roots[path] = &root{dirs: map[string]bool{}, due: time.Now(), late: r.late}
		}
	}
	for _, path := range again {
		if root := r.roots[path]; root != nil {
			root.due = time.Now()
		}
	}
	r.late = r.late && len(want) == 0
	if len(r.roots) == 0 {
		r.close()
	}
}

// forget watches a folder no longer, unless it belongs to another that is wanted.
func (r *round) forget(dir string) {
	for _, other := range r.roots {
		if other.dirs[dir] {
			return
		}
	}
	if r.notify != nil {
		_ = r.notify.Remove(dir)
	}
}

func (r *round) close() {
	if r.notify != nil {
		_ = r.notify.Close()
		r.notify = nil
	}
}

// happened puts a folder's look off until it is left alone.
func (r *round) happened(e fsnotify.Event) {
	if e.Op == fsnotify.Chmod {
		return
	}
	now := time.Now()
	for path, root := range r.roots {
		if root.dirs[e.Name] && e.Op.Has(fsnotify.Remove|fsnotify.Rename) { // the watch goes with it: one that comes in its place is another
			delete(root.dirs, e.Name)
			r.forget(e.Name)
		}
		if e.Name != path && !strings.HasPrefix(e.Name, path+string(filepath.Separator)) {
			continue
		}
		if root.since.IsZero() {
			root.since = now
		}
		root.wait = 0
		if root.due = now.Add(settle); root.due.After(root.since.Add(patience)) {
			root.due = root.since.Add(patience)
		}
	}
}

// lost has everything looked at: the system could not tell all that happened.
func (r *round) lost(err error) {
	if !errors.Is(err, fsnotify.ErrEventOverflow) {
		r.f.deps.Log.Warn().Err(err).Msg("watching folders")
	}
	for _, root := range r.roots {
		root.due = time.Now()
	}
}

// tick looks at the clock: where it jumped the computer slept, or somebody set it.
func (r *round) tick() {
	wall, mono := r.f.deps.Wall(), time.Now()
	jumped := (wall.Sub(r.wall) - mono.Sub(r.mono)).Abs() > jump
	r.wall, r.mono = wall, mono
	for _, root := range r.roots {
		if jumped {
			root.due, root.late = mono, true
		} else if root.blind && root.due.IsZero() {
			root.due = mono
		}
	}
}

// look looks at every folder that is due, and gives the next moment at which one will be; zero: when something happens.
func (r *round) look(ctx context.Context) (next time.Time) {
	for path, root := range r.roots {
		for !root.due.IsZero() && !root.due.After(time.Now()) && ctx.Err() == nil {
			r.lookAt(ctx, path, root)
		}
		if !root.due.IsZero() && (next.IsZero() || root.due.Before(next)) {
			next = root.due
		}
	}
	return next
}

func (r *round) lookAt(ctx context.Context, path string, root *root) {
	dirs, again, err := r.f.deps.Look(ctx, path, root.late)
	if ctx.Err() != nil {
		return
	}
	if root.due, root.since = (time.Time{}), (time.Time{}); err != nil {
		if !root.blind {
			r.f.deps.Log.Warn().Err(err).Str("folder", path).Msg("a folder that is watched cannot be looked at now")
		}
		root.blind, root.late = true, true // whatever happens meanwhile, nobody is there
		for dir := range root.dirs {       // what comes back in its place, as a disk does, is watched anew
			delete(root.dirs, dir)
			r.forget(dir)
		}
		return
	}
	root.late, root.blind = root.late && again, false
	there := make(map[string]bool, len(dirs))
	for _, dir := range dirs {
		there[dir] = true
	}
	for dir := range root.dirs {
		if !there[dir] { // it is gone, and so is its watch
			delete(root.dirs, dir)
			r.forget(dir)
		}
	}
	for _, dir := range dirs {
		if root.dirs[dir] {
			continue
		}
		if err := r.watch(dir); err != nil {
			if !root.blind {
				r.f.deps.Log.Warn().Err(err).Str("folder", dir).Msg("the system cannot watch a folder; it is looked at now and then")
			}
			root.blind = true
			continue
		}
		root.dirs[dir] = true
		root.due = time.Now() // what came before it was watched
	}
	if root.wait = min(max(2*root.wait, settle), time.Minute); again && root.due.IsZero() {
		root.due = time.Now().Add(root.wait)
	} else if !again {
		root.wait = 0
	}
}

func (r *round) watch(dir string) (err error) {
	if r.notify == nil {
		if r.notify, err = fsnotify.NewWatcher(); err != nil {
			return err
		}
	}
	return r.notify.Add(dir)
}
