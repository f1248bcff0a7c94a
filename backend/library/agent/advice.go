package agent

import (
	"context"
	"errors"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/brief"
	"agentchat/backend/library"
	"agentchat/backend/provider"
)

// ErrNoModel says that no model is on duty: the rules decide, and nothing went wrong.
var ErrNoModel = errors.New("no model is on duty")

// Advisor is the model's part in the decisions of the graph. seen is what was found, as other people's words. Errors:
// ErrNoModel, ctx's, and whatever made a request fail; after one of the last the model is not asked again in this inquiry.
type Advisor interface {
	Scope(ctx context.Context, q *Inquiry, seen []provider.StepResult) (inScope bool, err error)
	Context(ctx context.Context, q *Inquiry) (needPrevious bool, err error)
	Plan(ctx context.Context, q *Inquiry, seen []provider.StepResult) ([]provider.LibraryUse, error)
	Evaluate(ctx context.Context, q *Inquiry, seen []provider.StepResult) (provider.LibraryVerdict, error)
}

// Who decided a step, in the trail's data as by.
const (
	byModel = "model"
	byRules = "rules"
)

// Why the rules decided, in the trail's data as because; else it is the apperr code of what the model failed with.
const (
	becauseSure    = "sure"     // the question leaves no doubt: a request would be wasted
	becauseNoModel = "no_model" // no model is on duty
	becauseNothing = "nothing_proposed"
)

// maker is who decided a step, and why.
type maker struct{ by, because string }

var (
	model = maker{by: byModel}
	sure  = maker{byRules, becauseSure}
)

// data adds to the data of a step who decided it.
func (m maker) data(data map[string]any) map[string]any {
	data["by"] = m.by
	if m.because != "" {
		data["because"] = m.because
	}
	return data
}

// words say in the trail who decided, where it is not what always does: the rules, when they are sure or alone.
func (m maker) words() (ko, en string) {
	switch {
	case m.by == byModel:
		return " (모델이 정함)", " (decided by the model)"
	case m.because == becauseSure, m.because == becauseNoModel:
		return "", ""
	case m.because == becauseNothing:
		return " (모델이 찾을 곳을 내지 않아 규칙으로 정함)", " (the model proposed nothing, so rules decided)"
	}
	return " (모델의 답을 쓸 수 없어 규칙으로 정함)", " (the model gave no usable answer, so rules decided)"
}

// consult lets the model decide by ask. When there is none, or it fails, the maker says why the rules must. The error is
// ctx's alone. A model that failed is not asked again for this question: each failure may have taken minutes.
func (a *Agent) consult(ctx context.Context, q *Inquiry, ask func(Advisor) error) (maker, error) {
	switch {
	case a.deps.Advisor == nil:
		return maker{byRules, becauseNoModel}, nil
	case q.Silent != "":
		return maker{byRules, q.Silent}, nil
	}
	err := ask(a.deps.Advisor)
	switch {
	case ctx.Err() != nil:
		return maker{}, ctx.Err()
	case errors.Is(err, ErrNoModel):
		return maker{byRules, becauseNoModel}, nil
	case err != nil:
		q.Silent = string(apperr.CodeOf(err))
		return maker{byRules, q.Silent}, nil
	}
	return model, nil
}

// Bounds of what a request shows of an inquiry.
const (
	mostSeen   = 8   // passages
	longSeen   = 700 // characters of each
	mostNames  = 40  // articles of one list
	longName   = 60
	mostBefore = 8
)

// State is the inquiry as a request to the librarian tells it.
func (q *Inquiry) State() *provider.LibraryState {
	s := &provider.LibraryState{Round: q.Iteration, Explored: names(q.Explored, mostNames), Unexplored: names(q.Unexplored, mostNames), Missing: q.Missing}
	if q.Before != nil {
		s.Before = names(q.Before.Articles, mostBefore)
	}
	for _, u := range q.History {
		args := map[string]string{}
		for name, value := range u.Args {
			if text, ok := value.(string); ok {
				args[name] = text
			}
		}
		s.Used = append(s.Used, provider.LibraryUse{Tool: u.Tool, Args: args})
	}
	return s
}

func names(list []string, most int) []string {
	short := make([]string, 0, min(len(list), most))
	for _, name := range list[:min(len(list), most)] {
		short = append(short, brief.Cut(name, longName))
	}
	return short
}

// seen are passages as a request shows them: with where they stand, all of it other people's words. The newest stay when
// there are too many for a request.
func (a *Agent) seen(items []library.Item) []provider.StepResult {
	most := mostSeen
	if a.deps.Room != nil {
		most = min(most, max(1, a.deps.Room()/longSeen))
	}
	items = items[max(0, len(items)-most):]
	list := make([]provider.StepResult, len(items))
	for i, it := range items {
		where := it.Title + " " + it.Article
		if it.Kind == string(library.KindStandard) {
			where = "standard: " + where
		}
		list[i] = provider.StepResult{Title: "passage", Tool: "documents", Text: strings.TrimSpace(where) + "\n" + brief.Cut(it.Quote, longSeen), OK: true, Untrusted: true}
	}
	return list
}

// proposed makes uses of what a model proposes. What is no use of one of the library's tools within its bounds is left out,
// whoever let it pass; arguments that mean the same become the same, so that nothing is looked up twice.
func proposed(list []provider.LibraryUse) []Use {
	var uses []Use
	for _, u := range list[:min(len(list), provider.MaxLibraryUses)] {
		if u.Check() != nil {
			continue
		}
		args := map[string]any{}
		for name, value := range u.Args {
			value = strings.Join(strings.Fields(value), " ")
			switch {
			case name == "scope" && value == string(library.KindMine):
				continue // what is meant when nothing is said
			case name == "number":
				if value = library.Number(value); value == "" {
					continue
				}
			}
			args[name] = value
		}
		if (provider.LibraryUse{Tool: u.Tool, Args: texts(args)}).Check() == nil {
			uses = append(uses, use(u.Tool, args))
		}
	}
	return uses
}

func texts(args map[string]any) map[string]string {
	list := map[string]string{}
	for name, value := range args {
		if text, ok := value.(string); ok {
			list[name] = text
		}
	}
	return list
}
