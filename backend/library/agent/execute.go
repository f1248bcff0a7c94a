package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"agentchat/backend/apperr"
	"agentchat/backend/graph"
	"agentchat/backend/library"
)

// run uses one tool, in the documents that are asked where there are some. What goes wrong is a finding without passages, not
// the end of the question.
func (a *Agent) run(ctx context.Context, q *Inquiry, u Use) (Finding, error) {
	if !q.narrowed() {
		return a.runIn(ctx, q, u, "")
	}
	all := Finding{Tool: u.Tool}
	for _, d := range q.among() {
		if slices.Contains(q.Whole, d.DocumentID) {
			continue
		}
		f, err := a.runIn(ctx, q, u, d.DocumentID)
		if err != nil {
			return all, err
		}
		all.Items = append(all.Items, f.Items...)
		all.Comparison, all.Problem = cmp.Or(all.Comparison, f.Comparison), cmp.Or(all.Problem, f.Problem)
	}
	slices.SortStableFunc(all.Items, func(a, b library.Item) int { return cmp.Compare(b.Score, a.Score) })
	return all, nil
}

// runIn uses one tool, in one document ("": in all of them).
func (a *Agent) runIn(ctx context.Context, q *Inquiry, u Use, document string) (Finding, error) {
	args := u.Args
	if document != "" {
		args = maps.Clone(args)
		args["document"] = document
	}
	raw, err := a.deps.Run(ctx, u.Tool, q.Chat, q.Lang, args)
	f := Finding{Tool: u.Tool}
	if ctx.Err() != nil {
		return f, ctx.Err()
	}
	var found library.Report
	if err == nil {
		err = json.Unmarshal(raw, &found)
	}
	if err != nil {
		f.Problem = apperr.From(err).Text(q.Lang)
		return f, nil
	}
	f.Items, f.Comparison = found.Items, found.Comparison
	return f, nil
}

// execute runs the tools in order.
func (a *Agent) execute(ctx context.Context, q *Inquiry) (graph.Move, error) {
	for _, u := range q.NextTools {
		f, err := a.run(ctx, q, u)
		if err != nil {
			return graph.Move{}, err
		}
		q.collect(u, f)
	}
	q.NextTools = nil
	q.Iteration++
	return graph.To(nodeEvaluate), nil
}

// parallel runs the tools side by side; their findings are kept in the order they were asked for.
func (a *Agent) parallel(ctx context.Context, q *Inquiry) (graph.Move, error) {
	found, errs := make([]Finding, len(q.NextTools)), make([]error, len(q.NextTools))
	var wg sync.WaitGroup
	for i, u := range q.NextTools {
		wg.Go(func() { found[i], errs[i] = a.run(ctx, q, u) })
	}
	wg.Wait()
	for i, u := range q.NextTools {
		if errs[i] != nil {
			return graph.Move{}, errs[i]
		}
		q.collect(u, found[i])
	}
	q.NextTools = nil
	q.Iteration++
	return graph.To(nodeEvaluate), nil
}

// collect keeps a finding, without passages that are there already.
func (q *Inquiry) collect(u Use, f Finding) {
	q.History = append(q.History, u)
	items := f.Items[:0:0]
	for _, it := range f.Items {
		label := it.Article
		if label != "" && !slices.Contains(q.Explored, label) {
			q.Explored = append(q.Explored, label)
		}
		q.Unexplored = slices.DeleteFunc(q.Unexplored, func(l string) bool { return l == label })
		if !q.has(it) {
			items = append(items, it)
		}
	}
	f.Items = items
	if len(f.Items) > 0 || f.Comparison != nil || f.Problem != "" {
		q.Collected = append(q.Collected, f)
	}
}

func (q *Inquiry) has(it library.Item) bool {
	for _, f := range q.Collected {
		for _, o := range f.Items {
			if o.DocumentID == it.DocumentID && o.Start == it.Start {
				return true
			}
		}
	}
	return false
}

func (q *Inquiry) items() (list []library.Item) {
	for _, f := range q.Collected {
		list = append(list, f.Items...)
	}
	return list
}
