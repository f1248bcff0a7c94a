package library

import (
	"context"

	"agentchat/backend/brief"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
	"agentchat/backend/toolbox"
)

// search finds passages that answer a question.
type search struct{ library Library }

func (*search) Spec() toolbox.Spec { return manual("hybrid_search") }

// fewHits is how many passages are given when nobody says how many.
const fewHits = 5

func (t *search) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	if a.Limit == 0 {
		a.Limit = fewHits
	}
	r, err := t.library.Search(ctx, library.Query{Text: a.Query, Kind: a.kind(), Document: a.Document, Limit: a.Limit})
	if err != nil {
		return toolbox.Result{}, err
	}
	var items []library.Item
	for _, h := range r.Hits {
		if h.Strength < library.LeastStrength {
			continue
		}
		it := library.Item{
			DocumentID: h.Document.ID, Title: h.Document.Title, Kind: string(h.Document.Kind), Page: h.Passage.Page, Unit: library.UnitOf(h.Document), Start: h.Passage.Start,
			End: h.Passage.Start + len(h.Passage.Text), Quote: brief.Cut(h.Passage.Text, maxQuote), Score: h.Score,
		}
		if h.Article != nil {
			it.Article, it.Number, it.Deleted = h.Article.Label(), h.Article.Number, h.Article.Deleted
		}
		items = append(items, it)
	}
	if len(items) == 0 {
		return none(ctx, t.library, call, a, a.Query)
	}
	text := quoted(call.Lang, items)
	if r.Mode == library.ModeLexical {
		text += bilingual.Say(call.Lang, "\n\n(낱말로만 찾았어요. 임베딩 모델이 있으면 뜻으로도 찾아요.)", "\n\n(Searched by words alone; with an embedding model, meaning counts too.)")
	}
	return result(library.Report{Mode: string(r.Mode), Items: items}, text)
}
