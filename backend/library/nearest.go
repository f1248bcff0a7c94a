package library

import (
	"cmp"
	"context"
	"slices"

	"agentchat/backend/library/vectors"
)

// nearest finds passages by meaning among what scope takes, the nearest first; ok is false when there is nothing to find by.
func (m *meaning) nearest(ctx context.Context, text string, scope func() (keep func(document string) bool, err error)) (list []near, ok bool, err error) {
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
	keep, err := scope()
	if err != nil {
		return nil, false, err
	}
	found, crowd := slab.Nearest(ctx, v, 2*candidates, keep)
	ids := make([]int64, len(found))
	for i, n := range found {
		ids[i] = n.ID
	}
	exact, err := m.deps.Store.VectorsOf(ctx, keptAs(model), ids)
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
	kind := familyOf(model)
	for _, id := range ids[:min(len(ids), candidates)] {
		list = append(list, kind.weigh(id, cosines[id], cosines[ids[0]], crowd))
	}
	return list, true, nil
}

// question makes the vector of a question, nil when the model has none in time. After that it is left alone for a while:
// nobody shall wait for it again and again.
func (m *meaning) question(ctx context.Context, model, text string) []float32 {
	own, stop := context.WithTimeout(ctx, askAtMost)
	defer stop()
	all, err := m.deps.Embedder.Embed(own, model, []string{familyOf(model).Question + text}, true)
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
