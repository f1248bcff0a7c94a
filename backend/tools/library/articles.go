package library

import (
	"context"

	"agentchat/backend/library"
	"agentchat/backend/toolbox"
)

// byIndex shows an article by its number. The same number may stand in several places: all are shown.
type byIndex struct{ library Library }

func (*byIndex) Spec() toolbox.Spec { return manual("get_article_by_index") }

func (t *byIndex) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	found, err := t.library.ArticleByNumber(ctx, library.Number(a.Number), a.kind(), a.Document)
	if err != nil {
		return toolbox.Result{}, err
	}
	if len(found) == 0 {
		return none(ctx, t.library, call, a, a.Number)
	}
	return shown(call, found)
}

// byTitle shows articles by their title.
type byTitle struct{ library Library }

func (*byTitle) Spec() toolbox.Spec { return manual("get_article_by_title") }

// mostTitles is how many articles of like titles are shown.
const mostTitles = 3

func (t *byTitle) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	found, err := t.library.ArticleByTitle(ctx, a.Title, a.kind(), a.Document, mostTitles)
	if err != nil {
		return toolbox.Result{}, err
	}
	if len(found) == 0 {
		return none(ctx, t.library, call, a, a.Title)
	}
	return shown(call, found)
}

// mostFound is how many articles of one number are shown.
const mostFound = 8

func shown(call toolbox.Call, found []library.Found) (toolbox.Result, error) {
	items := make([]library.Item, 0, len(found))
	for _, f := range found[:min(len(found), mostFound)] {
		items = append(items, itemOf(f))
	}
	return result(library.Report{Items: items}, quoted(call.Lang, items))
}
