package library

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/library/rank"
)

// Mode says how a search was done.
type Mode string

// The modes.
const (
	ModeLexical Mode = "lexical" // by words alone: the model service has no embedding model
	ModeHybrid  Mode = "hybrid"  // by words and meaning
)

// Query is a search. Kind "" and Document "" mean everything; Limit 0 means 10.
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

// candidates is how many proposals of the index are weighed.
const candidates = 60

// Search finds passages. Errors: empty_message, storage errors.
func (l *Library) Search(ctx context.Context, q Query) (Result, error) {
	r := Result{Mode: ModeLexical, Hits: []Hit{}}
	if strings.TrimSpace(q.Text) == "" {
		return r, apperr.New(apperr.EmptyMessage)
	}
	question := rank.Ask(q.Text)
	holding, count, total, err := l.deps.Store.Frequencies(ctx, question.Terms())
	if err != nil {
		return r, err
	}
	stats := rank.Stats{Passages: count, Holding: holding, MeanTerms: float64(total) / float64(max(count, 1))}
	match := question.Match(stats)
	if match == "" {
		return r, nil
	}
	ids, err := l.deps.Store.Candidates(ctx, match, q.Kind, q.Document, candidates)
	if err != nil || len(ids) == 0 {
		return r, err
	}
	passages, err := l.deps.Store.PassagesByID(ctx, ids)
	if err != nil {
		return r, err
	}
	best := max(question.Best(stats), 1e-9)
	shelf := l.shelf()
	for _, p := range passages {
		h := Hit{Passage: p}
		if h.Document, h.Article, err = shelf(ctx, p); err != nil {
			return r, err
		}
		h.Score = question.Score(rank.Passage{Head: h.head(), Body: p.Text}, stats)
		h.Strength = min(h.Score/best, 1)
		r.Hits = append(r.Hits, h)
	}
	slices.SortStableFunc(r.Hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	if q.Limit <= 0 {
		q.Limit = 10
	}
	r.Hits = r.Hits[:min(len(r.Hits), q.Limit)]
	return r, nil
}

// head is where the passage stands, in words.
func (h Hit) head() string {
	if h.Article == nil {
		return h.Document.Title
	}
	return h.Document.Title + " " + h.Article.Chapter + " " + h.Article.Title
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
