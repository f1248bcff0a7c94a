package library

import (
	"context"
	"errors"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/event"
	"agentchat/backend/failpoint"
	"agentchat/backend/library/vectors"
)

// Embedder turns texts into vectors that are near each other when the texts mean like things. Errors are *apperr.Error.
type Embedder interface {
	// Model names the model there is now; no_embedder when there is none.
	Model(ctx context.Context) (string, error)
	// Embed makes a vector of each text. What is not urgent lets everybody else at the model go first.
	Embed(ctx context.Context, model string, texts []string, urgent bool) ([][]float32, error)
}

// VectorStore keeps what passages mean to embedding models, by the model's name. Only documents that are there count.
type VectorStore interface {
	// Unembedded gives passages behind an id, in the order of their ids, that have no vector of the model.
	Unembedded(ctx context.Context, embedder string, after int64, limit int) ([]Unembedded, error)
	// SaveVectors keeps vectors in place of those of any model; one without numbers says that none could be used.
	SaveVectors(ctx context.Context, embedder string, list []vectors.Vector) error
	ForgetVectors(ctx context.Context, embedder string) error
	// Vectors gives vectors behind a passage's id, in the order of the ids; VectorsOf those of passages, in any order.
	Vectors(ctx context.Context, embedder string, after int64, limit int) ([]vectors.Vector, error)
	VectorsOf(ctx context.Context, embedder string, ids []int64) ([]vectors.Vector, error)
	Embedded(ctx context.Context, embedder string) (Progress, error)
}

// Unembedded is a passage that waits for its vector, with the titles of its document and article.
type Unembedded struct {
	Passage Passage
	Title   string
	Article string
}

// Progress says how many passages there are, how many were given to the model, and of how many it made nothing of use.
type Progress struct{ Total, Done, Refused int }

// VectorState is how it stands with the vectors.
type VectorState string

// The states of the vectors.
const (
	VectorsOff       VectorState = "off"       // there is no model: searched by words alone
	VectorsEmbedding VectorState = "embedding" // what is there is used
	VectorsReady     VectorState = "ready"
	VectorsWaiting   VectorState = "waiting" // the model failed and is tried again; what is there is used
)

// The bounds of the work with vectors.
const (
	embedBatch = 16                      // passages one call of the model gets
	loadBatch  = 2000                    // vectors that are read at once
	retryAfter = 20 * time.Second        // until a model that failed or was not there is asked for again
	askAtMost  = 1500 * time.Millisecond // for the vector of a question; beyond, words alone must do
	minBatch   = 60                      // characters to which a passage that is too long for the model is cut at most
	tellEvery  = 500 * time.Millisecond
)

// meaning keeps the vectors of all passages up to date, in the background, and finds by them. Safe for concurrent use.
type meaning struct {
	deps *Deps
	loop *background.Loop // woken when there may be work: passages came, or another model

	edit sync.Mutex // held while vectors are kept or a document goes, so that the slab follows the store

	mu        sync.Mutex
	state     VectorState
	model     string
	slab      *vectors.Slab
	progress  Progress
	problem   *apperr.Error
	quiet     time.Time // until then the model is not asked for the vector of a question
	published time.Time
	renewed   string // the model whose vectors were thrown away in this run, for theirs had another length
}

func newMeaning(deps *Deps) *meaning {
	m := &meaning{deps: deps, state: VectorsOff, slab: &vectors.Slab{}}
	m.loop = background.New(time.Now, retryAfter, m.work)
	return m
}

// LookAgain makes the library see at once whether the model that embeds is another one.
func (l *Library) LookAgain() { l.meaning.loop.Wake() }

// Vectors says how it stands with the vectors, as fronts show it.
func (l *Library) Vectors() event.LibraryVectors {
	l.meaning.mu.Lock()
	defer l.meaning.mu.Unlock()
	return l.meaning.view()
}

// view is Vectors with m.mu held.
func (m *meaning) view() event.LibraryVectors {
	v := event.LibraryVectors{State: string(m.state), Model: m.model, Done: m.progress.Done, Total: m.progress.Total, Refused: m.progress.Refused}
	if m.problem != nil {
		v.Problem = m.problem.Text(m.deps.Lang())
	}
	return v
}

// work brings the vectors up to date.
func (m *meaning) work(ctx context.Context) (next time.Time) {
	if m.deps.Embedder != nil && m.embedAll(ctx) != nil {
		next = time.Now().Add(retryAfter)
	}
	return next
}

// embedAll embeds what has no vector of the model there is now. The error says that it must be tried again.
func (m *meaning) embedAll(ctx context.Context) error {
	model, err := m.deps.Embedder.Model(ctx)
	if err == nil {
		err = m.useModel(ctx, model)
	}
	if err != nil {
		m.backOff(ctx, err)
		return err
	}
	for after := int64(0); ; {
		list, err := m.deps.Store.Unembedded(ctx, keptAs(model), after, embedBatch)
		if err == nil && len(list) > 0 {
			m.setState(VectorsEmbedding, nil)
			err = m.embed(ctx, model, list)
		}
		if err == nil && len(list) > 0 {
			after = list[len(list)-1].Passage.ID
			if now, gone := m.deps.Embedder.Model(ctx); gone == nil && now != model {
				m.loop.Wake() // another model: what comes from here on is its work
				return nil
			}
			continue
		}
		if err == nil {
			err = m.count(ctx, model)
		}
		if err != nil {
			m.backOff(ctx, err)
			return err
		}
		m.setState(VectorsReady, nil)
		return nil
	}
}

// useModel makes a model the one that is searched with, with the vectors of it that there are.
func (m *meaning) useModel(ctx context.Context, model string) error {
	m.mu.Lock()
	same := m.model == model
	m.mu.Unlock()
	if !same {
		m.edit.Lock()
		slab := &vectors.Slab{}
		for after := int64(0); ; {
			list, err := m.deps.Store.Vectors(ctx, keptAs(model), after, loadBatch)
			if err != nil {
				m.edit.Unlock()
				return err
			}
			if len(list) == 0 {
				break
			}
			slab.Add(list)
			after = list[len(list)-1].ID
		}
		m.mu.Lock()
		m.model, m.slab, m.quiet = model, slab, time.Time{}
		m.mu.Unlock()
		m.edit.Unlock()
	}
	return m.count(ctx, model)
}

// count looks up how far it is.
func (m *meaning) count(ctx context.Context, model string) error {
	p, err := m.deps.Store.Embedded(ctx, keptAs(model))
	if err != nil {
		return err
	}
	m.mu.Lock()
	m.progress = p
	m.mu.Unlock()
	return nil
}

// backOff keeps why it does not go on.
func (m *meaning) backOff(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	state := VectorsWaiting
	if apperr.CodeOf(err) == apperr.NoEmbedder {
		m.mu.Lock()
		m.model, m.slab, m.progress = "", &vectors.Slab{}, Progress{}
		m.mu.Unlock()
		state = VectorsOff
	}
	m.setState(state, apperr.From(err))
}

// setState changes the state and tells it; progress alone is told twice a second.
func (m *meaning) setState(state VectorState, problem *apperr.Error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := m.view()
	changed := m.state != state
	m.state, m.problem = state, problem
	now := m.deps.Now()
	if v := m.view(); changed || v.Problem != before.Problem || state == VectorsReady || now.Sub(m.published) >= tellEvery {
		m.published = now
		m.deps.Publisher.Publish(event.Of("", "", v))
	}
}

// embed gives passages to the model and keeps their vectors. A model that cannot take the passages together gets them one
// by one.
func (m *meaning) embed(ctx context.Context, model string, list []Unembedded) error {
	texts := make([]string, len(list))
	for i, u := range list {
		texts[i] = familyOf(model).Passage + u.text()
	}
	all, err := m.deps.Embedder.Embed(ctx, model, texts, false)
	switch code := apperr.CodeOf(err); {
	case err == nil && len(all) != len(list):
		err = apperr.Wrap(errors.New("not one vector a text"), apperr.ModelBadOutput)
		fallthrough
	case code == apperr.ContextOverflow || code == apperr.ModelBadOutput:
		if len(list) == 1 {
			all, err = [][]float32{m.shorter(ctx, model, texts[0])}, ctx.Err()
			break
		}
		for i := range list {
			if err = m.embed(ctx, model, list[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	}
	if err != nil {
		return err
	}
	return m.saveVectors(ctx, model, list, all)
}

// shorter makes a vector of the beginning of a text that is too long for the model; nil when none can be made.
func (m *meaning) shorter(ctx context.Context, model, text string) []float32 {
	for r := []rune(text); len(r) >= 2*minBatch && ctx.Err() == nil; {
		r = r[:len(r)/2]
		if all, err := m.deps.Embedder.Embed(ctx, model, []string{string(r)}, false); err == nil && len(all) == 1 {
			return all[0]
		}
	}
	return nil
}

// saveVectors puts vectors into the store and the slab. Those that cannot be used are kept as such: the model would make them anew.
func (m *meaning) saveVectors(ctx context.Context, model string, list []Unembedded, all [][]float32) error {
	m.edit.Lock()
	defer m.edit.Unlock()
	m.mu.Lock()
	slab, renewed := m.slab, m.renewed
	m.mu.Unlock()
	dims, refused := slab.Dims(), 0
	if dims > 0 && renewed != model && otherLength(all, dims) {
		// The same name is another model now: all its vectors are made anew, once.
		if err := m.deps.Store.ForgetVectors(ctx, keptAs(model)); err != nil {
			return err
		}
		m.mu.Lock()
		m.renewed, m.model, m.slab = model, "", &vectors.Slab{}
		m.mu.Unlock()
		m.loop.Wake()
		return apperr.Wrap(errors.New("the vectors have another length than before"), apperr.ModelBadOutput)
	}
	good := make([]vectors.Vector, 0, len(list))
	for i, u := range list {
		v := vectors.Vector{ID: u.Passage.ID, Document: u.Passage.Document}
		if vectors.Good(all[i], dims) {
			v.Numbers = all[i]
			dims = len(all[i])
		} else {
			refused++
		}
		good = append(good, v)
	}
	if failpoint.Enabled {
		failpoint.Hit("library.vectors before")
	}
	if err := m.deps.Store.SaveVectors(ctx, keptAs(model), good); err != nil {
		return err
	}
	if failpoint.Enabled {
		failpoint.Hit("library.vectors after")
	}
	slab.Add(good)
	m.mu.Lock()
	m.progress.Done += len(list)
	m.progress.Refused += refused
	m.mu.Unlock()
	return nil
}

// otherLength tells whether all vectors are good and of another length than those before.
func otherLength(all [][]float32, dims int) bool {
	for _, v := range all {
		if len(v) == dims || !vectors.Good(v, 0) {
			return false
		}
	}
	return len(all) > 0
}

// remove takes a document and its vectors out.
func (m *meaning) remove(ctx context.Context, document string) error {
	m.edit.Lock()
	defer m.edit.Unlock()
	if err := m.deps.Store.RemoveDocument(ctx, document); err != nil {
		return err
	}
	m.mu.Lock()
	slab, model := m.slab, m.model
	m.mu.Unlock()
	slab.Remove(document)
	return m.count(ctx, model)
}

// reload has the vectors read anew: some that were taken out count again.
func (m *meaning) reload() {
	m.mu.Lock()
	m.model = ""
	m.mu.Unlock()
	m.loop.Wake()
}

// letGo has documents go, with their vectors: drop takes them out of the store and gives which went.
func (m *meaning) letGo(ctx context.Context, drop func(context.Context) ([]string, error)) error {
	m.edit.Lock()
	defer m.edit.Unlock()
	gone, err := drop(ctx)
	if err != nil || len(gone) == 0 {
		return err
	}
	m.mu.Lock()
	slab, model := m.slab, m.model
	m.mu.Unlock()
	if slab.Remove(gone...); model == "" {
		return nil
	}
	return m.count(ctx, model)
}

// text is what the model gets of a passage: where it stands, and its words.
func (u Unembedded) text() string {
	head := u.Title
	if u.Article != "" {
		head += " " + u.Article
	}
	return head + "\n" + u.Passage.Text
}
