// Package library holds the tools of the library (seed 004): hybrid_search, get_article_by_index, get_article_by_title and
// lookup_standard_contract. They only read. What they bring are other people's words. Each has its manual beside it.
package library

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/brief"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
	"agentchat/backend/toolbox"
)

// Library is what the tools need of the library.
type Library interface {
	Search(ctx context.Context, q library.Query) (library.Result, error)
	ArticleByNumber(ctx context.Context, number string, kind library.Kind, document string) ([]library.Found, error)
	ArticleByTitle(ctx context.Context, title string, kind library.Kind, document string, limit int) ([]library.Found, error)
	Compare(ctx context.Context, mine library.Found) (library.Comparison, bool, error)
	Documents(ctx context.Context) ([]library.Document, error)
	In(ctx context.Context, place string) ([]library.Document, error)
	Articles(ctx context.Context, document string) ([]library.Article, error)
}

// Tools are the tools of a library, sorted by key.
func Tools(l Library) []toolbox.Tool {
	return []toolbox.Tool{&byIndex{l}, &byTitle{l}, &search{l}, &compare{l}}
}

//go:embed *.json
var manuals embed.FS

var manual = toolbox.Manuals(manuals)

// args are the arguments of all four tools; the schemas say which of them one takes.
type args struct {
	Query    string `json:"query"`
	Number   string `json:"number"`
	Title    string `json:"title"`
	Clause   string `json:"clause"`
	Scope    string `json:"scope"`
	Document string `json:"document"`
	Limit    int    `json:"limit"`
}

// kind is whose documents are meant: one's own, unless something else is said. A named document is meant whoever it is of.
func (a args) kind() library.Kind {
	switch {
	case a.Scope == "all", a.Document != "":
		return ""
	case a.Scope == string(library.KindStandard):
		return library.KindStandard
	}
	return library.KindMine
}

// result packs what was found. The data are our own plain structs, which always encode.
func result(f library.Report, text string) (toolbox.Result, error) {
	if f.Items == nil {
		f.Items = []library.Item{}
	}
	return toolbox.ResultOf(f, text)
}

// maxQuote bounds a quote, in characters: an article may be long, and a model reads it whole.
const maxQuote = 2000

func itemOf(f library.Found) library.Item {
	return library.Item{
		DocumentID: f.Document.ID, Title: f.Document.Title, Kind: string(f.Document.Kind), Article: f.Article.Label(), Number: f.Article.Number,
		Deleted: f.Article.Deleted, Page: f.Article.Page, Unit: library.UnitOf(f.Document), Start: f.Article.Start, End: f.Article.End, Quote: brief.Cut(f.Text, maxQuote), Score: 1,
	}
}

// quoted writes items for people: where each stands, and its words.
func quoted(lang bilingual.Lang, items []library.Item) string {
	var b strings.Builder
	for i, it := range items {
		if i > 0 {
			b.WriteString("\n\n")
		}
		where := it.Title
		if it.Article != "" {
			where += ", " + it.Article
		}
		fmt.Fprintf(&b, "[%s, %s]\n%s", where, it.Place().In(lang), strings.TrimSpace(it.Quote))
		if it.Deleted {
			b.WriteString(bilingual.Say(lang, "\n(삭제된 조문이에요.)", "\n(This article was deleted.)"))
		}
	}
	return b.String()
}

// available lists the articles there are, for when the one asked for is not.
func available(ctx context.Context, l Library, kind library.Kind, document string) ([]string, error) {
	all := func() ([]library.Document, error) { return l.In(ctx, document) }
	if document == "" {
		all = func() ([]library.Document, error) { return l.Documents(ctx) }
	}
	documents, err := all()
	if err != nil {
		return nil, err
	}
	var list []string
	for _, d := range documents {
		if document == "" && kind != "" && d.Kind != kind || d.Articles == 0 {
			continue
		}
		articles, err := l.Articles(ctx, d.ID)
		if apperr.CodeOf(err) == apperr.NotFound {
			continue // it went this moment, or there never was one of that name
		}
		if err != nil {
			return nil, err
		}
		for _, a := range articles {
			if list = append(list, a.Label()); len(list) == 40 {
				return list, nil
			}
		}
	}
	return list, nil
}

// none says that nothing was found, and what there is.
func none(ctx context.Context, l Library, call toolbox.Call, a args, what string) (toolbox.Result, error) {
	list, err := available(ctx, l, a.kind(), a.Document)
	if err != nil {
		return toolbox.Result{}, err
	}
	text := bilingual.Say(call.Lang, "문서에 없어요: "+what+".", "It is not in your documents: "+what+".")
	if len(list) == 0 {
		text += bilingual.Say(call.Lang, " 도서관에 문서를 먼저 넣어 주세요.", " Put a document into the library first.")
	} else {
		text += bilingual.Say(call.Lang, " 있는 조문은 ", " The articles there are: ") + strings.Join(list[:min(len(list), 12)], ", ") + bilingual.Say(call.Lang, " 등이에요.", ".")
	}
	return result(library.Report{Available: list}, text)
}
