package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"agentchat/backend/apperr"
	"agentchat/backend/graph"
	"agentchat/backend/library"
)

// The library's tools. The agent has no others, whatever a document or a model says.
const (
	toolSearch  = "hybrid_search"
	toolIndex   = "get_article_by_index"
	toolTitle   = "get_article_by_title"
	toolCompare = "lookup_standard_contract"
)

// scope decides whether the question is about the documents. One that is not ends politely.
func (a *Agent) scope(ctx context.Context, q *Inquiry) (graph.Move, error) {
	labels, documents, err := a.deps.Articles(ctx)
	if err != nil {
		return graph.Move{}, err
	}
	q.Unexplored = labels
	if documents == 0 {
		a.think(q, "scope", "도서관에 문서가 없어요.", "There is no document in the library.", nil)
		q.Answer = q.say("도서관에 아직 문서가 없어요. 도서관에 문서를 끌어다 놓으면 그 내용을 찾아 드릴게요.", "There is no document in the library yet. Drop one into the library and I can look into it.")
		return graph.To(graph.End), nil
	}
	if Concerns(q.Text, q.Before != nil) < 2 {
		found, err := a.run(ctx, q, use(toolSearch, map[string]any{"query": q.Text}))
		if err != nil {
			return graph.Move{}, err
		}
		if len(found.Items) == 0 {
			a.think(q, "scope", "문서에 대한 질문이 아니에요.", "The question is not about the documents.", map[string]any{"inScope": false})
			q.Answer = q.say("그건 도서관의 문서에 대한 질문이 아닌 것 같아요. 문서의 조항이나 내용을 물어봐 주시면 찾아 드릴게요.", "That does not seem to be about the documents in the library. Ask me about a clause or what they say.")
			return graph.To(graph.End), nil
		}
	}
	a.think(q, "scope", "문서에 대한 질문이에요.", "The question is about the documents.", map[string]any{"inScope": true})
	return graph.To(nodeContext), nil
}

// context decides whether the question leans on what was said before.
func (a *Agent) context(_ context.Context, q *Inquiry) (graph.Move, error) {
	if q.Before != nil {
		q.NeedPrevious = leans.MatchString(q.Text) || len(numbers(q.Text)) == 0 && len(contentWords(q.Text)) == 0
	}
	if q.NeedPrevious {
		a.think(q, "context", "앞의 대화를 이어서 봐요.", "It leans on what was said before.", map[string]any{"needPreviousContext": true})
	} else {
		a.think(q, "context", "이 질문만으로 찾을 수 있어요.", "The question stands by itself.", map[string]any{"needPreviousContext": false})
	}
	return graph.To(nodePlan), nil
}

// plan settles what to look at next. What was looked at before is not looked at again.
func (a *Agent) plan(_ context.Context, q *Inquiry) (graph.Move, error) {
	wanted := q.first()
	if q.Iteration > 0 {
		wanted = q.further()
	}
	q.NextTools, q.AllSkipped = nil, false
	for _, u := range wanted {
		same := func(o Use) bool { return o.Key == u.Key }
		if !slices.ContainsFunc(q.History, same) && !slices.ContainsFunc(q.NextTools, same) {
			q.NextTools = append(q.NextTools, u)
		}
	}
	names := make([]string, len(q.NextTools))
	for i, u := range q.NextTools {
		names[i] = u.Tool
	}
	switch {
	case len(wanted) == 0:
		a.think(q, "planning", "더 찾아볼 것이 없어요.", "There is nothing more to look at.", nil)
		return graph.To(nodeRespond), nil
	case len(q.NextTools) == 0:
		q.AllSkipped = true
		a.think(q, "planning", "이미 찾아본 것뿐이에요.", "All of it was looked at before.", map[string]any{"allToolsSkipped": true})
		return graph.To(nodeEvaluate), nil
	}
	a.think(q, "planning", "어디를 찾아볼지 정했어요.", "Settled where to look.", map[string]any{"iteration": q.Iteration + 1})
	a.think(q, "tool_selected", "공구: "+strings.Join(names, ", "), "Tools: "+strings.Join(names, ", "), map[string]any{"tools": q.NextTools})
	if len(q.NextTools) > 1 {
		return graph.To(nodeParallel), nil // they only read, so each is independent of the others
	}
	return graph.To(nodeExecute), nil
}

// first is the rule-based suggestion of the first round.
func (q *Inquiry) first() []Use {
	ns := numbers(q.Text)
	scope := "mine"
	switch {
	case compares.MatchString(q.Text):
		var list []Use
		for _, n := range ns {
			list = append(list, use(toolCompare, map[string]any{"clause": n}))
		}
		if len(list) > 0 {
			return list
		}
		if t := strings.Join(contentWords(q.Text), " "); t != "" && !q.NeedPrevious {
			return []Use{use(toolCompare, map[string]any{"clause": t})}
		}
		if q.Before != nil && len(q.Before.Articles) > 0 {
			return []Use{use(toolCompare, map[string]any{"clause": q.Before.Articles[0]})}
		}
		if t := strings.Join(contentWords(q.Text), " "); t != "" {
			return []Use{use(toolCompare, map[string]any{"clause": t})}
		}
	case asksStandard(q.Text):
		scope = "standard"
	}
	var list []Use
	for _, n := range ns {
		list = append(list, use(toolIndex, q.args("number", n, scope)))
	}
	if len(list) > 0 {
		return list
	}
	if t := title(q.Text); t != "" {
		list = append(list, use(toolTitle, q.args("title", t, scope)))
	}
	return append(list, use(toolSearch, q.args("query", q.query(), scope)))
}

func (q *Inquiry) args(name, value, scope string) map[string]any {
	if scope == "mine" {
		return map[string]any{name: value}
	}
	return map[string]any{name: value, "scope": scope}
}

// query is what is searched for: the words that matter, with those of the question before where it leans on it.
func (q *Inquiry) query() string {
	ws := contentWords(q.Text)
	if q.NeedPrevious && len(ws) == 0 && q.Before != nil {
		ws = contentWords(q.Before.Question)
	}
	if len(ws) == 0 {
		return q.Text
	}
	return strings.Join(ws, " ")
}

// further is what is tried when the first look was not enough: the standard documents too, by title, then word by word.
func (q *Inquiry) further() []Use {
	ws := contentWords(q.Text)
	switch ns := numbers(q.Text); {
	case len(ns) > 0:
		var list []Use
		for _, n := range ns {
			list = append(list, use(toolIndex, map[string]any{"number": n, "scope": "all"}))
		}
		return list
	case q.Iteration == 1:
		list := []Use{use(toolSearch, map[string]any{"query": q.query(), "scope": "all"})}
		if len(ws) > 0 {
			list = append(list, use(toolTitle, map[string]any{"title": strings.Join(ws, " "), "scope": "all"}))
		}
		return list
	default:
		var list []Use
		for _, w := range ws[:min(len(ws), 4)] {
			list = append(list, use(toolSearch, map[string]any{"query": w, "scope": "all"}))
		}
		return list
	}
}

// run uses one tool. What goes wrong is a finding without passages, not the end of the question.
func (a *Agent) run(ctx context.Context, q *Inquiry, u Use) (Finding, error) {
	raw, err := a.deps.Run(ctx, u.Tool, q.Chat, q.Lang, u.Args)
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

// evaluate judges whether the question can be answered from what was found.
func (a *Agent) evaluate(_ context.Context, q *Inquiry) (graph.Move, error) {
	enough, why, missing := q.judge()
	if !enough && (q.Iteration >= a.deps.MaxIterations() || q.AllSkipped) {
		a.decide(q, true, q.say("더 찾아볼 곳이 없어요.", "There is nowhere left to look."))
		return graph.To(nodeRespond), nil
	}
	q.Missing = missing
	a.decide(q, enough, why)
	if enough {
		return graph.To(nodeRespond), nil
	}
	return graph.To(nodePlan), nil
}

func (a *Agent) decide(q *Inquiry, enough bool, why string) {
	q.Decisions = append(q.Decisions, Decision{Iteration: q.Iteration, Sufficient: enough, Why: why})
	a.think(q, "evaluation_result", why, why, map[string]any{
		"sufficient": enough, "iteration": q.Iteration, "explored": q.Explored, "missing": q.Missing,
	})
}

// judge says whether the findings answer the question: every article that was named is there, or a passage holds the words
// that matter.
func (q *Inquiry) judge() (enough bool, why string, missing []string) {
	items := q.items()
	if len(items) == 0 {
		return false, q.say("아직 찾은 것이 없어요.", "Nothing was found yet."), contentWords(q.Text)
	}
	for _, n := range numbers(q.Text) {
		if !slices.ContainsFunc(items, func(it library.Item) bool { return it.Number == n }) {
			missing = append(missing, n)
		}
	}
	if len(missing) > 0 {
		return false, q.say("찾지 못한 조문이 있어요: ", "Articles not found: ") + strings.Join(missing, ", "), missing
	}
	return true, q.say(fmt.Sprintf("답할 수 있는 대목을 %d곳 찾았어요.", len(items)), fmt.Sprintf("Found %d passages that answer it.", len(items))), nil
}

func (q *Inquiry) items() (list []library.Item) {
	for _, f := range q.Collected {
		list = append(list, f.Items...)
	}
	return list
}

func (q *Inquiry) say(ko, en string) string {
	if q.Lang == apperr.KO {
		return ko
	}
	return en
}
