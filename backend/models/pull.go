package models

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
)

// PullState is where a download stands.
type PullState string

// The states of a download.
const (
	PullWaiting PullState = "waiting" // for its turn, or for the server
	PullPulling PullState = "pulling"
	PullPaused  PullState = "paused" // by a person
	PullFailed  PullState = "failed"
	PullDone    PullState = "done" // stands in the list until it is taken off or the program ends
)

// Pull is one download as it is kept. Done and Total are bytes, 0: not known yet. Failure says why it failed.
type Pull struct {
	Model       string
	State       PullState
	Done, Total int64
	Percent     float64
	Failure     *apperr.Error
}

// Store keeps downloads across the program's end.
type Store interface {
	// Pulls lists the downloads in the order they were asked for.
	Pulls(ctx context.Context) ([]Pull, error)
	// SavePull keeps a download; a new one goes to the end of the list.
	SavePull(ctx context.Context, p Pull) error
	// DropPull forgets a download; one that is not there is fine.
	DropPull(ctx context.Context, model string) error
}

// Server is what downloads ask of Ollama.
type Server interface {
	// Pull downloads a model until it is whole or ctx ends; what arrived stays and is not loaded again.
	Pull(ctx context.Context, model string, on func(ollama.Progress)) error
	// Bring makes a model of a file until it is done or ctx ends; a next time begins anew.
	Bring(ctx context.Context, model, file string, on func(ollama.Progress)) error
	Status(ctx context.Context) provider.Status
}

// Deps are what a Desk works with.
type Deps struct {
	Server    Server
	Store     Store
	Publisher event.Publisher
	Lang      func() bilingual.Lang
	// Free is how many bytes the disk of the models has left; ok is false when nobody knows. nil: nobody knows.
	Free func() (free int64, ok bool)
	// Pulled hears of every model that has arrived; nil: nobody.
	Pulled func(model string)
	Log    zerolog.Logger
}

// How a download is shown, kept and tried again.
const (
	showEvery  = 250 * time.Millisecond
	keepEvery  = 5 * time.Second
	firstPause = 2 * time.Second
	mostPause  = 30 * time.Second
	mostTries  = 5 // of a server that is there and keeps breaking off
)

// PullQueue downloads models one after the other, in the order they were asked for. What it does is kept: after the program's
// end, however sudden, what was under way goes on and what was paused stays paused. Safe for concurrent use.
type PullQueue struct {
	deps Deps
	loop *background.Loop

	mu   sync.Mutex
	list []*entry
}

// entry is one download with what need not be kept. Guarded by Desk.mu.
type entry struct {
	Pull
	file   string // it is made of this file, and not kept: whoever wants it after the program's end has the file
	speed  float64
	cancel context.CancelFunc // while it is being downloaded
	shown  time.Time          // when its progress was last told
	kept   time.Time          // when its progress was last kept
	tries  int                // in a row that brought nothing
	after  time.Time          // not to be tried before
	gone   bool               // taken off the list
}

// NewPullQueue makes a desk that does nothing before Start.
func NewPullQueue(deps Deps) *PullQueue {
	if deps.Free == nil {
		deps.Free = func() (int64, bool) { return 0, false }
	}
	if deps.Pulled == nil {
		deps.Pulled = func(string) {}
	}
	d := &PullQueue{deps: deps}
	d.loop = background.New(time.Now, mostPause, d.work)
	return d
}

// Start takes up what the last run left and begins to download. Stop it with Stop. Errors: those of the store.
func (d *PullQueue) Start(ctx context.Context) error {
	kept, err := d.deps.Store.Pulls(ctx)
	if err != nil {
		return err
	}
	d.mu.Lock()
	for _, p := range kept {
		if p.State == PullPulling {
			p.State = PullWaiting
		}
		d.list = append(d.list, &entry{Pull: p})
	}
	d.mu.Unlock()
	d.loop.Start(ctx)
	return nil
}

// Stop interrupts what is under way, which goes on at the next Start. Stopping twice, or before Start, is fine.
func (d *PullQueue) Stop() { d.loop.Stop() }

// Wake tries at once what waits for the server: it has just been seen.
func (d *PullQueue) Wake() {
	d.mu.Lock()
	for _, e := range d.list {
		e.after = time.Time{}
	}
	d.mu.Unlock()
	d.loop.Wake()
}

// Add puts a model in line, or goes on with one that was paused, failed or done. need is how many bytes it is known to
// take, 0: unknown. Errors: invalid_args (no model is called that), disk_short, those of the store.
func (d *PullQueue) Add(ctx context.Context, model string, need int64) error {
	if err := CheckName(model); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.find(model)
	if e != nil && (e.State == PullWaiting || e.State == PullPulling) {
		return nil
	}
	if err := d.spaceLeft(model, need); err != nil {
		return err
	}
	return d.enter(ctx, e, model, "")
}

// AddFile puts a model in line that is made of a file, which was looked at (ReadModelFile). Errors: disk_short, those of the store.
func (d *PullQueue) AddFile(ctx context.Context, m ModelFile) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.find(m.Name)
	if e != nil && (e.State == PullWaiting || e.State == PullPulling) {
		return nil
	}
	if err := d.spaceLeft(m.Name, m.Bytes); err != nil {
		return err
	}
	return d.enter(ctx, e, m.Name, m.Path)
}

// enter puts a model in line, e where it was there before. Called with d.mu held.
func (d *PullQueue) enter(ctx context.Context, e *entry, model, file string) error {
	if e == nil {
		e = &entry{Pull: Pull{Model: model}}
	}
	e.file = file
	if e.State == PullDone { // a newer version may be there
		e.Done, e.Total, e.Percent = 0, 0, 0
	}
	if err := d.move(ctx, e, PullWaiting, nil); err != nil {
		return err
	}
	e.tries, e.after = 0, time.Time{}
	if d.find(model) == nil {
		d.list = append(d.list, e)
	}
	d.loop.Wake()
	return nil
}

// Pause stops a download and keeps what has arrived. Errors: not_found, those of the store.
func (d *PullQueue) Pause(ctx context.Context, model string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.find(model)
	if e == nil {
		return missing(model)
	}
	if e.State != PullWaiting && e.State != PullPulling {
		return nil
	}
	if err := d.move(ctx, e, PullPaused, nil); err != nil {
		return err
	}
	e.halt()
	return nil
}

// Resume goes on with a paused or failed download. Errors: not_found, disk_short, those of the store.
func (d *PullQueue) Resume(ctx context.Context, model string) error {
	d.mu.Lock()
	e := d.find(model)
	var file string
	var bytes int64
	if e != nil {
		model, file, bytes = e.Model, e.file, e.Total
	}
	d.mu.Unlock()
	switch {
	case e == nil:
		return missing(model)
	case file != "":
		return d.AddFile(ctx, ModelFile{Name: model, Path: file, Bytes: bytes})
	}
	return d.Add(ctx, model, 0)
}

// Cancel takes a download off the list, whatever its state. Errors: not_found, those of the store.
func (d *PullQueue) Cancel(ctx context.Context, model string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.find(model)
	if e == nil {
		return missing(model)
	}
	if e.file == "" {
		if err := d.deps.Store.DropPull(ctx, e.Model); err != nil {
			return err
		}
	}
	e.gone = true
	e.halt()
	d.list = slices.DeleteFunc(d.list, func(other *entry) bool { return other == e })
	told := d.view(e)
	told.Canceled = true
	d.deps.Publisher.Publish(event.Of("", "", told))
	return nil
}

// List shows every download in the order they were asked for.
func (d *PullQueue) List() []event.ModelPull {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := make([]event.ModelPull, len(d.list))
	for i, e := range d.list {
		list[i] = d.view(e)
	}
	return list
}

func missing(model string) error { return apperr.New(apperr.NotFound, "what", "download", "id", model) }

// find gives the download of a model. Called with d.mu held, like everything below that takes an entry.
func (d *PullQueue) find(model string) *entry {
	i := slices.IndexFunc(d.list, func(e *entry) bool { return ollama.SameModel(e.Model, model) })
	if i < 0 {
		return nil
	}
	return d.list[i]
}

func (e *entry) halt() {
	if e.cancel != nil {
		e.cancel()
	}
}

// move changes a download's state, keeps it and tells of it. A download whose change cannot be kept stays as it was.
func (d *PullQueue) move(ctx context.Context, e *entry, to PullState, failure *apperr.Error) error {
	next := e.Pull
	next.State, next.Failure = to, failure
	var err error
	switch {
	case e.file != "":
	case to == PullDone:
		err = d.deps.Store.DropPull(ctx, e.Model)
	default:
		err = d.deps.Store.SavePull(ctx, next)
	}
	if err != nil {
		return err
	}
	e.Pull, e.speed = next, 0
	e.shown, e.kept = time.Now(), time.Now()
	d.deps.Publisher.Publish(event.Of("", "", d.view(e)))
	return nil
}

// view is a download as the fronts show it.
func (d *PullQueue) view(e *entry) event.ModelPull {
	p := event.ModelPull{
		Model: e.Model, State: string(e.State), Done: e.Done, Total: e.Total, Percent: e.Percent, Speed: math.Round(e.speed),
	}
	if e.speed > 0 && e.Total > e.Done {
		p.SecondsLeft = int64(math.Ceil(float64(e.Total-e.Done) / e.speed))
	}
	if f := e.Failure; f != nil {
		p.Error = &event.Error{Code: string(f.Code), Message: f.Text(d.deps.Lang()), Fields: f.Fields}
	}
	return p
}

// spaceLeft refuses a download that the disk has no room for.
func (d *PullQueue) spaceLeft(model string, need int64) error {
	if free, ok := d.deps.Free(); ok && need > free {
		return apperr.New(apperr.DiskShort, "model", model, "need", gigabytes(need), "free", gigabytes(free))
	}
	return nil
}

// gigabytes writes a number of bytes for people.
func gigabytes(n int64) string { return fmt.Sprintf("%.1f GB", float64(max(n, 0))/1e9) }

// badName says what a model's name looks like.
type badName struct{}

// In gives the words in a language.
func (badName) In(lang bilingual.Lang) string {
	return bilingual.Say(lang, "모델 이름은 qwen3:4b처럼 적어요", "a model is named like qwen3:4b")
}

func (b badName) String() string { return b.In(bilingual.EN) }

// MarshalJSON writes the English words.
func (b badName) MarshalJSON() ([]byte, error) { return json.Marshal(b.String()) }
