package library

import (
	"context"
	"fmt"
	"strings"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
	"agentchat/backend/toolbox"
)

// compare sets a clause of one's own beside the standard. Code compares; a model may word it.
type compare struct{ library Library }

func (*compare) Spec() toolbox.Spec { return manual("lookup_standard_contract") }

func (t *compare) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	mine, err := t.clause(ctx, a)
	if err != nil {
		return toolbox.Result{}, err
	}
	if mine == nil {
		return none(ctx, t.library, call, a, a.Clause)
	}
	c, ok, err := t.library.Compare(ctx, *mine)
	if err != nil {
		return toolbox.Result{}, err
	}
	own := itemOf(*mine)
	if !ok {
		return result(library.Report{Items: []library.Item{own}}, quoted(call.Lang, []library.Item{own})+bilingual.Say(call.Lang,
			"\n\n표준계약서에는 이런 조문이 없어요.", "\n\nNo standard contract here has a clause like it."))
	}
	items := []library.Item{own, itemOf(c.Standard)}
	return result(library.Report{Items: items, Comparison: &library.Differences{
		Alike: c.Alike, Same: some(c.Both), OnlyMine: some(c.OnlyMine), OnlyStandard: some(c.OnlyStd), Missing: some(c.Missing),
	}}, quoted(call.Lang, items)+"\n\n"+differences(call.Lang, c))
}

// clause finds the clause that is meant: by number, by title, or by its words.
func (t *compare) clause(ctx context.Context, a args) (*library.Found, error) {
	kind := a.kind()
	if n := library.Number(a.Clause); n != "" {
		if found, err := t.library.ArticleByNumber(ctx, n, kind, a.Document); err != nil || len(found) > 0 {
			return first(found), err
		}
	}
	if found, err := t.library.ArticleByTitle(ctx, a.Clause, kind, a.Document, 1); err != nil || len(found) > 0 {
		return first(found), err
	}
	r, err := t.library.Search(ctx, library.Query{Text: a.Clause, Kind: kind, Document: a.Document, Limit: 1})
	if err != nil || len(r.Hits) == 0 || r.Hits[0].Article == nil || r.Hits[0].Strength < library.LeastStrength {
		return nil, err
	}
	found, err := t.library.ArticleByNumber(ctx, r.Hits[0].Article.Number, kind, r.Hits[0].Document.ID)
	return first(found), err
}

func first(found []library.Found) *library.Found {
	if len(found) == 0 {
		return nil
	}
	return &found[0]
}

func some(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// differences says in words what the comparison found.
func differences(lang bilingual.Lang, c library.Comparison) string {
	var lines []string
	line := func(ko, en string, list []string) {
		if len(list) > 0 {
			lines = append(lines, bilingual.Say(lang, ko, en)+strings.Join(list, ", "))
		}
	}
	line("두 쪽에 다 있는 숫자: ", "Figures in both: ", c.Both)
	line("내 문서에만 있는 숫자: ", "Figures only in mine: ", c.OnlyMine)
	line("표준에만 있는 숫자: ", "Figures only in the standard: ", c.OnlyStd)
	for _, p := range c.Missing {
		lines = append(lines, bilingual.Say(lang, "표준에는 있고 내 문서에는 없는 내용: ", "In the standard and not in mine: ")+p)
	}
	if len(lines) == 0 {
		lines = append(lines, bilingual.Say(lang, "표준과 다른 숫자나 빠진 내용이 없어요.", "No figure differs from the standard and nothing of it is missing."))
	}
	return bilingual.Say(lang, fmt.Sprintf("비교 (글이 %d%% 같아요)", int(c.Alike*100+0.5)), fmt.Sprintf("Compared (%d%% of the words are the same)", int(c.Alike*100+0.5))) + "\n- " + strings.Join(lines, "\n- ")
}
