package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/brief"
	"agentchat/backend/graph"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
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
	if len(q.Attached)+len(q.Pictures) > 0 {
		return a.handed(ctx, q)
	}
	document := ""
	if q.About != nil {
		document = q.About.DocumentID
	}
	labels, documents, err := a.deps.Articles(ctx, document)
	if err != nil {
		return graph.Move{}, err
	}
	q.Unexplored = labels
	switch {
	case documents == 0 && q.shelf():
		a.think(q, "scope", "그 서가에는 읽은 문서가 없어요.", "No document of that shelf has been read.", nil)
		q.Answer = q.say(q.named(q.About.Title)+" 서가에는 아직 읽은 문서가 없어요. 도서관에서 그 서가를 확인해 주세요.", "Nothing on the shelf "+q.named(q.About.Title)+" has been read yet. Please look at that shelf in the library.")
		return graph.To(graph.End), nil
	case documents == 0 && q.About != nil:
		a.think(q, "scope", "그 문서는 도서관에 없어요.", "That document is not in the library.", nil)
		q.Answer = q.named(q.About.Title) + ": " + apperr.New(apperr.DocumentGone).Text(q.Lang)
		return graph.To(graph.End), nil
	case documents == 0:
		a.think(q, "scope", "도서관에 문서가 없어요.", "There is no document in the library.", nil)
		q.Answer = q.say("도서관에 아직 문서가 없어요. 도서관에 문서를 끌어다 놓으면 그 내용을 찾아 드릴게요.", "There is no document in the library yet. Drop one into the library and I can look into it.")
		return graph.To(graph.End), nil
	}
	in, m, err := a.concerned(ctx, q)
	if err != nil {
		return graph.Move{}, err
	}
	if !in {
		a.decided(q, "scope", m, "문서에 대한 질문이 아니에요.", "The question is not about the documents.", map[string]any{"inScope": false})
		q.Answer = q.say("그건 도서관의 문서에 대한 질문이 아닌 것 같아요. 문서의 조항이나 내용을 물어봐 주시면 찾아 드릴게요.", "That does not seem to be about the documents in the library. Ask me about a clause or what they say.")
		return graph.To(graph.End), nil
	}
	if q.About != nil {
		name := q.named(q.About.Title)
		a.decided(q, "scope", m, name+q.where().KO+"에서만 찾아요.", "Looking only in "+q.where().EN+name+".", map[string]any{"inScope": true, "document": document})
		return graph.To(nodeContext), nil
	}
	a.decided(q, "scope", m, "문서에 대한 질문이에요.", "The question is about the documents.", map[string]any{"inScope": true})
	return graph.To(nodeContext), nil
}

// concerned tells whether the question is about the documents, and who says so. The rules' word is that one of which
// something is found there is.
func (a *Agent) concerned(ctx context.Context, q *Inquiry) (in bool, m maker, err error) {
	switch {
	case q.About != nil:
		return !idle.MatchString(q.Text), sure, nil
	case Concerns(q.Text, q.Before != nil) == 2:
		return true, sure, nil
	}
	if outside(q.Text) {
		return false, sure, nil
	}
	found, err := a.run(ctx, q, use(toolSearch, map[string]any{"query": q.Text}))
	if err != nil {
		return false, sure, err
	}
	if len(found.Items) == 0 {
		return false, sure, nil
	}
	m, err = a.consult(ctx, q, func(ad Advisor) (err error) {
		in, err = ad.Scope(ctx, q, a.seen(found.Items))
		return err
	})
	return in || m.by == byRules, m, err
}

// context decides whether the question leans on what was said before.
func (a *Agent) context(ctx context.Context, q *Inquiry) (graph.Move, error) {
	leaning, certain := q.standing()
	m := sure
	if !certain {
		need := leaning
		var err error
		if m, err = a.consult(ctx, q, func(ad Advisor) (err error) { need, err = ad.Context(ctx, q); return err }); err != nil {
			return graph.Move{}, err
		}
		if m.by == byModel {
			leaning = need
		}
	}
	q.NeedPrevious = leaning
	if leaning {
		a.decided(q, "context", m, "앞의 대화를 이어서 봐요.", "It leans on what was said before.", map[string]any{"needPreviousContext": true})
	} else {
		a.decided(q, "context", m, "이 질문만으로 찾을 수 있어요.", "The question stands by itself.", map[string]any{"needPreviousContext": false})
	}
	return graph.To(nodePlan), nil
}

// plan settles what to look at next. What was looked at before is not looked at again.
func (a *Agent) plan(ctx context.Context, q *Inquiry) (graph.Move, error) {
	wanted, m, err := a.wanted(ctx, q)
	if err != nil {
		return graph.Move{}, err
	}
	q.NextTools, q.AllSkipped = nil, false
	for _, u := range wanted {
		if q.narrowed() { // whose documents is settled
			u = u.without("scope")
		}
		same := func(o Use) bool { return o.Key == u.Key }
		if !slices.ContainsFunc(q.History, same) && !slices.ContainsFunc(q.NextTools, same) {
			q.NextTools = append(q.NextTools, u)
		}
	}
	names := make([]string, len(q.NextTools))
	for i, u := range q.NextTools {
		names[i] = q.said(u)
	}
	switch {
	case len(wanted) == 0:
		a.decided(q, "planning", m, "더 찾아볼 것이 없어요.", "There is nothing more to look at.", map[string]any{})
		return graph.To(nodeRespond), nil
	case len(q.NextTools) == 0:
		q.AllSkipped = true
		a.decided(q, "planning", m, "이미 찾아본 것뿐이에요.", "All of it was looked at before.", map[string]any{"allToolsSkipped": true})
		return graph.To(nodeEvaluate), nil
	}
	a.decided(q, "planning", m, "어디를 찾아볼지 정했어요.", "Settled where to look.", map[string]any{"iteration": q.Iteration + 1})
	looks := strings.Join(names, ", ")
	a.think(q, "tool_selected", looks, looks, m.data(map[string]any{"tools": q.NextTools}))
	if len(q.NextTools) > 1 {
		return graph.To(nodeParallel), nil // they only read, so each is independent of the others
	}
	return graph.To(nodeExecute), nil
}

// wanted is what to look at in this round, and who says so: the rules in the first round and where a named article is
// missing, then the model. One that proposes nothing while nothing was found leaves it to the rules, which go on to the
// standard documents.
func (a *Agent) wanted(ctx context.Context, q *Inquiry) ([]Use, maker, error) {
	switch {
	case q.Iteration == 0:
		return q.first(), sure, nil
	case q.Loose && len(q.items()) == 0:
		q.widen()
		return q.first(), sure, nil
	case len(q.lacking()) > 0:
		return q.further(), sure, nil
	}
	var uses []Use
	m, err := a.consult(ctx, q, func(ad Advisor) error {
		list, err := ad.Plan(ctx, q, a.seen(q.items()))
		uses = proposed(list)
		return err
	})
	switch {
	case err != nil:
		return nil, m, err
	case m.by == byRules:
		return q.further(), m, nil
	case len(uses) == 0 && len(q.items()) == 0:
		return q.further(), maker{byRules, becauseNothing}, nil
	}
	return uses, m, nil
}

// said is a use of a tool as people read it.
func (q *Inquiry) said(u Use) string {
	text := func(name string) string {
		value, _ := u.Args[name].(string)
		return brief.Cut(value, 60)
	}
	var s string
	switch number := text("number"); {
	case u.Tool == toolIndex && q.Lang == bilingual.KO:
		s = "제" + strings.Replace(number, "의", "조의", 1)
		if !strings.Contains(number, "의") {
			s += "조"
		}
		s += " 보기"
	case u.Tool == toolIndex:
		s = "read article " + number
	case u.Tool == toolTitle:
		s = q.say("“"+text("title")+"” 조문 보기", "read the article “"+text("title")+"”")
	case u.Tool == toolCompare:
		s = q.say("“"+text("clause")+"” 표준계약서와 비교하기", "compare “"+text("clause")+"” with the standard contract")
	default:
		s = q.say("“"+text("query")+"” 찾기", "search for “"+text("query")+"”")
	}
	switch text("scope") {
	case "standard":
		s += q.say(" (표준계약서에서)", " (in the standard contracts)")
	case "all":
		s += q.say(" (표준계약서까지)", " (the standard contracts too)")
	}
	return s
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
	case q.Iteration == 1 && !q.narrowed():
		list := []Use{use(toolSearch, map[string]any{"query": q.query(), "scope": "all"})}
		if len(ws) > 0 {
			list = append(list, use(toolTitle, map[string]any{"title": strings.Join(ws, " "), "scope": "all"}))
		}
		return list
	default:
		var list []Use
		if q.narrowed() && len(ws) > 0 { // there is no wider place to look in
			list = append(list, use(toolTitle, map[string]any{"title": strings.Join(ws, " ")}))
		}
		for _, w := range ws[:min(len(ws), 4)] {
			list = append(list, use(toolSearch, map[string]any{"query": w, "scope": "all"}))
		}
		return list
	}
}

// evaluate judges whether the question can be answered from what was found.
func (a *Agent) evaluate(ctx context.Context, q *Inquiry) (graph.Move, error) {
	enough, why, missing := q.judge()
	over := q.Iteration >= a.deps.MaxIterations() || q.AllSkipped
	m := sure
	var verdict provider.LibraryVerdict
	if enough && !over && !q.settled() {
		var err error
		m, err = a.consult(ctx, q, func(ad Advisor) (err error) { verdict, err = ad.Evaluate(ctx, q, a.seen(q.items())); return err })
		if err != nil {
			return graph.Move{}, err
		}
		if m.by == byModel {
			enough, missing = verdict.Sufficient, verdict.Missing
			if !enough {
				why = q.say("아직 부족해요. 더 찾을 것: ", "Not enough yet. Still to find: ") + strings.Join(missing, ", ")
			}
		}
	}
	q.Missing = missing
	switch {
	case enough && !(over && q.doubted()):
		a.judged(q, m, true, why, verdict.Why)
	case q.AllSkipped:
		a.judged(q, m, false, q.say("더 찾아볼 곳이 없어요.", "There is nowhere left to look."), "")
	case over:
		a.judged(q, m, false, q.say("정해진 횟수만큼 찾아봤어요.", "It was looked up as often as is allowed."), "")
	default:
		a.judged(q, m, false, why, verdict.Why)
		return graph.To(nodePlan), nil
	}
	return graph.To(nodeRespond), nil
}

// doubted tells whether the last judgment was a model's that the findings are not enough.
func (q *Inquiry) doubted() bool {
	return len(q.Decisions) > 0 && q.Decisions[len(q.Decisions)-1].By == byModel && !q.Decisions[len(q.Decisions)-1].Sufficient
}

// judged keeps a judgment and tells it. said is what the model gave as its reason: it goes with the data, not into the
// sentence for the customer.
func (a *Agent) judged(q *Inquiry, m maker, enough bool, why, said string) {
	data := map[string]any{"sufficient": enough, "iteration": q.Iteration, "explored": q.Explored, "missing": q.Missing}
	d := Decision{Iteration: q.Iteration, Sufficient: enough, Why: why, By: m.by}
	if said != "" {
		d.Why, data["why"] = said, said
	}
	q.Decisions = append(q.Decisions, d)
	a.decided(q, "evaluation_result", m, why, why, data)
}

// judge says by rules whether the findings answer the question: every article that was named is there, or a passage holds
// the words that matter.
func (q *Inquiry) judge() (enough bool, why string, missing []string) {
	items := q.items()
	if len(items) == 0 {
		return false, q.say("아직 찾은 것이 없어요.", "Nothing was found yet."), contentWords(q.Text)
	}
	if missing = q.lacking(); len(missing) > 0 {
		return false, q.say("찾지 못한 조문이 있어요: ", "Articles not found: ") + strings.Join(missing, ", "), missing
	}
	return true, q.say(fmt.Sprintf("답할 수 있는 대목을 %d곳 찾았어요.", len(items)), fmt.Sprintf("Found %d passages that answer it.", len(items))), nil
}

func (q *Inquiry) say(ko, en string) string { return bilingual.Say(q.Lang, ko, en) }
