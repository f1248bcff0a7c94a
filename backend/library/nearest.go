package library

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"agentchat/backend/library/vectors"
)

// What a question and a passage begin with, for the models that were taught to tell the two apart by it.
const (
	questionPrefix = iota
	passagePrefix
)

// prefixes are by what the name of a model holds.
var prefixes = []struct {
	name string
	text [2]string
}{
	{"nomic-embed", [2]string{"search_query: ", "search_document: "}},
	{"e5-", [2]string{"query: ", "passage: "}},
	{"e5:", [2]string{"query: ", "passage: "}},
}

func prefixed(model string, which int, text string) string {
	for _, p := range prefixes {
		if strings.Contains(strings.ToLower(model), p.name) {
			return p.text[which] + text
		}
	}
	return text
}

// How far a vector stands out of the crowd is told in standard deviations. Markedly near is what stands out by so many.
// A passage that has no word in common with the question is given only when it stands out by so many more than the nearest of
// as many vectors does by chance: otherwise every question would find something. A crowd must be large enough to be one.
const (
	markedlyNear  = 2
	beyondChance  = 1
	leastCrowd    = 50
	leastStrength = 0.3 // of what is given by its vector alone
)

// byChance is how far the nearest of n vectors drawn by lot stands out, in most cases: where the largest of n numbers of a
// normal distribution lies.
func byChance(n int) float64 {
	log := math.Log(float64(n))
	root := math.Sqrt(2 * log)
	return root - (math.Log(log)+math.Log(4*math.Pi))/(2*root)
}

// near is a passage found by its vector. share, 0 to 1, is what of the weight of meaning it gets: all or nothing, as it is
// markedly near or not; without a crowd, how near it is between all (0) and the nearest (1). strength is what the vector alone
// says of it, as in Hit; 0 when that is nothing.
type near struct {
	id       int64
	share    float64
	strength float64
}

// weighNear tells what it is worth to be as near as that; nearest is the nearest there is.
func weighNear(id int64, cosine, nearest float64, crowd vectors.Crowd) near {
	n := near{id: id}
	if crowd.Size < leastCrowd {
		n.share = max(cosine-crowd.Mean, 0) / max(nearest-crowd.Mean, 1e-6)
		return n
	}
	far := (cosine - crowd.Mean) / max(crowd.Deviation, 1e-6)
	if far >= markedlyNear {
		n.share = 1
	}
	if beyond := far - byChance(crowd.Size) - beyondChance; beyond >= 0 {
		n.strength = min(leastStrength+beyond/10, 1)
	}
	return n
}

// nearest finds passages by meaning, the nearest first; ok is false when there is nothing to find by.
func (m *meaning) nearest(ctx context.Context, text string, keep func(document string) bool) (list []near, ok bool, err error) {
	m.mu.Lock()
	model, slab, quiet := m.model, m.slab, m.deps.Now().Before(m.quiet)
	m.mu.Unlock()
	if m.deps.Embedder == nil || model == "" || quiet || slab.Len() == 0 {
		return nil, false, nil
	}
	v := m.question(ctx, model, text)
	if !vectors.Good(v, slab.Dims()) {
		return nil, false, ctx.Err()
	}
	found, crowd := slab.Nearest(ctx, v, 2*candidates, keep)
	ids := make([]int64, len(found))
	for i, n := range found {
		ids[i] = n.ID
	}
	exact, err := m.deps.Store.VectorsOf(ctx, model, ids)
	if err != nil {
		return nil, false, err
	}
	cosines := make(map[int64]float64, len(exact))
	for _, e := range exact {
		if len(e.Numbers) == len(v) {
			cosines[e.ID] = vectors.Cosine(v, e.Numbers)
		}
	}
	ids = slices.DeleteFunc(ids, func(id int64) bool { _, there := cosines[id]; return !there })
	slices.SortStableFunc(ids, func(a, b int64) int { return cmp.Compare(cosines[b], cosines[a]) })
	for _, id := range ids[:min(len(ids), candidates)] {
		list = append(list, weighNear(id, cosines[id], cosines[ids[0]], crowd))
	}
	return list, true, nil
}

// question makes the vector of a question, nil when the model has none in time. After that it is left alone for a while:
// nobody shall wait for it again and again.
func (m *meaning) question(ctx context.Context, model, text string) []float32 {
	own, stop := context.WithTimeout(ctx, askAtMost)
	defer stop()
	all, err := m.deps.Embedder.Embed(own, model, []string{prefixed(model, questionPrefix, text)}, true)
	if err == nil && len(all) == 1 {
		return all[0]
	}
	if ctx.Err() == nil {
		m.mu.Lock()
		m.quiet = m.deps.Now().Add(retryAfter)
		m.mu.Unlock()
		m.loop.Wake()
	}
	return nil
}
