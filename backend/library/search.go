package library

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/library/rank"
)

// Mode says how a search was done.
type Mode string

// The modes.
const (
	ModeLexical Mode = "lexical" // by words alone: the model service has no embedding model
	ModeHybrid  Mode = "hybrid"  // by words and meaning
)

// Query is a search. Kind "" and Document "" mean everything; Document may be the place of a shelf (event.ShelfPlace). Limit 0 means 10.
type Query struct {
	Text     string
	Kind     Kind
	Document string
	Limit    int
}

// Hit is one find. Score is higher when better; Strength compares it with the best there could be, 0 to 1.
type Hit struct {
	Passage  Passage
	Document Document
	Article  *Article
	Score    float64
	Strength float64
}

// Result is what a search found, best first.
type Result struct {
	Mode Mode
	Hits []Hit
}

// LeastStrength is the strength from which a hit is worth showing: a weaker one has only common words with the question, or parts of words.
const LeastStrength = 0.15

// candidates is how many proposals of the index, and of the vectors, are weighed.
const candidates = 60

// Search finds passages, by words and, where there are vectors, by meaning. Errors: empty_message, storage errors.
func (l *Library) Search(ctx context.Context, q Query) (Result, error) {
	r := Result{Mode: ModeLexical, Hits: []Hit{}}
	if strings.TrimSpace(q.Text) == "" {
		return r, apperr.New(apperr.EmptyMessage)
	}
	if q.Limit <= 0 {
		q.Limit = 10
	}
	var near []near
	var hybrid bool
	var failed error
	var both sync.WaitGroup // the model's answer and the vectors are looked through while the index is
	both.Go(func() {
		near, hybrid, failed = l.meaning.nearest(ctx, q.Text, func() (func(string) bool, error) { return l.scope(ctx, q) })
	})
	question := rank.Ask(q.Text)
	question, stats, ids, err := l.lexical(ctx, question, q)
	both.Wait()
	if err = cmp.Or(err, failed); err != nil {
		return r, err
	}
	if hybrid {
		r.Mode = ModeHybrid
	} else if ids, err = l.broaden(ctx, question, stats, q, ids); err != nil {
		return r, err
	}
	for _, n := range near {
		if n.strength > 0 && !slices.Contains(ids, n.id) {
			ids = append(ids, n.id)
		}
	}
	if len(ids) == 0 {
		return r, nil
	}
	hits, err := l.weigh(ctx, question, stats, ids)
	if err != nil {
		return r, err
	}
	if hybrid {
		fuse(hits, near)
	}
	r.Hits, err = l.place(ctx, hits, q.Limit)
	return r, err
}

// Glance finds passages by words alone, at once: for one who is still typing. Errors: storage errors.
func (l *Library) Glance(ctx context.Context, text string, limit int) ([]Hit, error) {
	question := rank.Ask(text)
	question, stats, ids, err := l.lexical(ctx, question, Query{})
	if err == nil {
		ids, err = l.broaden(ctx, question, stats, Query{}, ids)
	}
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	hits, err := l.weigh(ctx, question, stats, ids)
	if err != nil {
		return nil, err
	}
	return l.place(ctx, hits, limit)
}

// lexical proposes passages by words alone, with what the library says of the terms, and the question as it is put to it.
func (l *Library) lexical(ctx context.Context, asked rank.Question, q Query) (question rank.Question, stats rank.Stats, ids []int64, err error) {
	holding, count, total, err := l.deps.Store.Frequencies(ctx, asked.Terms())
	if err != nil {
		return asked, stats, nil, err
	}
	stats = rank.Stats{Passages: count, Holding: holding, MeanTerms: float64(total) / float64(max(count, 1))}
	question = asked.In(stats)
	if match := question.Match(stats); match != "" {
		ids, err = l.deps.Store.Candidates(ctx, match, q.Kind, q.Document, candidates)
	}
	return question, stats, ids, err
}

// tooFew is how many proposals are not enough.
const tooFew = 10

// broaden proposes passages by parts of the words, too, where the words find too few: without vectors nothing else finds them.
func (l *Library) broaden(ctx context.Context, question rank.Question, stats rank.Stats, q Query, ids []int64) ([]int64, error) {
	match := question.Broad(stats)
	if len(ids) >= tooFew || match == "" {
		return ids, nil
	}
	more, err := l.deps.Store.Candidates(ctx, match, q.Kind, q.Document, candidates)
	for _, id := range more {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// scope tells which documents a query is about.
func (l *Library) scope(ctx context.Context, q Query) (func(document string) bool, error) {
	if _, shelf := event.ShelfAt(q.Document); q.Document != "" && !shelf {
		return func(d string) bool { return d == q.Document }, nil
	}
	list, err := l.among(ctx, q.Document)
	kinds := make(map[string]Kind, len(list))
	for _, d := range list {
		kinds[d.ID] = d.Kind
	}
	return func(d string) bool { kind, in := kinds[d]; return in && (q.Kind == "" || kind == q.Kind) }, err
}

// weigh gives passages by how well their words answer the question, the best first. Where they stand is not looked up yet.
func (l *Library) weigh(ctx context.Context, question rank.Question, stats rank.Stats, ids []int64) ([]Hit, error) {
	list, err := l.deps.Store.Placed(ctx, ids)
	if err != nil {
		return nil, err
	}
	best := max(question.Best(stats), 1e-9)
	hits := make([]Hit, len(list))
	for i, p := range list {
		h := Hit{Passage: p.Passage, Score: question.Score(rank.Passage{Head: p.head(), Body: p.Passage.Text}, stats)}
		h.Strength = min(h.Score/best, 1)
		hits[i] = h
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits, nil
}

// place gives the first hits, at most that many, with the document and the article they stand in.
func (l *Library) place(ctx context.Context, hits []Hit, most int) ([]Hit, error) {
	shelf := l.shelf()
	placed := make([]Hit, 0, min(most, len(hits)))
	for _, h := range hits {
		if len(placed) == most {
			break
		}
		var err error
		switch h.Document, h.Article, err = shelf(ctx, h.Passage); {
		case apperr.CodeOf(err) == apperr.NotFound: // its document went this moment
			continue
		case err != nil:
			return placed, err
		}
		placed = append(placed, h)
	}
	return placed, nil
}

// Of a family that nothing is known of a passage's vector is worth so little beside its words that vectors decide between passages
// whose words say about the same: a model that understands nothing of the language cannot make much worse what words find.
// That weight and what is near were chosen on one half of a public Korean question set, with a model that knows nothing, one
// that only sees what words show already, and one that is fair; on the other half the first two take a ten-thousandth at
// most off the mean reciprocal rank, and the third adds a hundredth and a half. What was measured with a real model
// (docs/models.md) weighs more.

// fuse puts hits into the order of words and meaning together.
func fuse(hits []Hit, found []near) {
	by := make(map[int64]near, len(found))
	for _, n := range found {
		by[n.id] = n
	}
	order := make(map[int64]float64, len(hits))
	for i := range hits {
		h := &hits[i]
		n := by[h.Passage.ID]
		order[h.Passage.ID] = h.Strength + n.worth
		if h.Score == 0 { // it has other words
			order[h.Passage.ID] = n.alone + n.worth
		}
		h.Strength = max(h.Strength, n.strength)
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(order[b.Passage.ID], order[a.Passage.ID]) })
}

// head is where the passage stands, in words.
func (p Placed) head() string {
	if p.Passage.Article < 0 {
		return p.Title
	}
	return p.Title + " " + p.Chapter + " " + p.Article
}

// shelf reads the documents and articles of passages, each document once a search.
func (l *Library) shelf() func(ctx context.Context, p Passage) (Document, *Article, error) {
	seen := map[string]Document{}
	return func(ctx context.Context, p Passage) (d Document, a *Article, err error) {
		d, ok := seen[p.Document]
		if !ok {
			if d, err = l.deps.Store.Document(ctx, p.Document); err != nil {
				return d, nil, err
			}
			seen[p.Document] = d
		}
		if p.Article < 0 {
			return d, nil, nil
		}
		article, err := l.deps.Store.Article(ctx, p.Document, p.Article)
		return d, &article, err
	}
}
