package library

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"agentchat/backend/language/words"
)

// Found is one article with its text.
type Found struct {
	Article  Article
	Document Document
	Text     string
}

var articleNumber = regexp.MustCompile(`(\d{1,4})\s*조?(?:\s*의\s*(\d{1,3}))?|^\s*(\d{1,3}(?:\.\d{1,3})+)\s*$`)

// Number reads an article's number as people write it: 제5조, 5, 제3조의2, 3의2, 2.1; "" for what is none.
func Number(text string) string {
	m := articleNumber.FindStringSubmatch(text)
	switch {
	case m == nil:
		return ""
	case strings.Contains(text, ".") && regexp.MustCompile(`^\D*\d+(\.\d+)+\D*$`).MatchString(text):
		return regexp.MustCompile(`\d+(\.\d+)+`).FindString(text)
	case m[2] != "":
		return strings.TrimLeft(m[1], "0") + "의" + strings.TrimLeft(m[2], "0")
	}
	return strings.TrimLeft(m[1], "0")
}

// ArticleByNumber gives every article with a number: the same number may stand in the main part, in a supplement and in
// several documents. Errors: storage errors.
func (l *Library) ArticleByNumber(ctx context.Context, number string, kind Kind, place string) ([]Found, error) {
	list, err := l.deps.Store.ArticlesNumbered(ctx, number, place, mostNumbered)
	if err != nil {
		return nil, err
	}
	return l.read(ctx, list, kind, place)
}

// mostNumbered is how many articles with one number are looked at: on a shelf with thousands of contracts each has its first.
const mostNumbered = 200

// ArticleByTitle gives the articles whose title is, or else holds or is held in, what is asked for, the nearest first.
func (l *Library) ArticleByTitle(ctx context.Context, title string, kind Kind, place string, limit int) ([]Found, error) {
	titles, err := l.deps.Store.Titles(ctx, kind, place)
	if err != nil {
		return nil, err
	}
	near := map[string]float64{}
	for _, t := range titles {
		if n := alike(title, t); n > 0 {
			near[t] = n
		}
	}
	best := slices.Collect(maps.Keys(near))
	slices.SortFunc(best, func(a, b string) int { return cmp.Or(cmp.Compare(near[b], near[a]), cmp.Compare(a, b)) })
	list, err := l.deps.Store.ArticlesTitled(ctx, best[:min(len(best), mostNear)], kind, place, mostNumbered)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b Article) int { return cmp.Compare(near[b.Title], near[a.Title]) })
	return l.read(ctx, list[:min(len(list), limit)], "", place)
}

// mostNear is how many different titles are looked up that come near.
const mostNear = 50

// among are the documents that are meant: those of a place, whatever they are, or all of the library; none when it is gone.
func (l *Library) among(ctx context.Context, place string) ([]Document, error) {
	if place == "" {
		return l.Documents(ctx)
	}
	return l.In(ctx, place)
}

// alike compares titles by their pairs of syllables: 1 the same, 0 nothing in common or too little.
func alike(a, b string) float64 {
	x, y := pairs(a), pairs(b)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	both := 0
	for p := range x {
		if y[p] {
			both++
		}
	}
	same := 2 * float64(both) / float64(len(x)+len(y))
	if held := float64(both) / float64(min(len(x), len(y))); held == 1 { // one stands in the other
		return max(same, 0.7+0.3*same)
	}
	if same < 0.5 {
		return 0
	}
	return same
}

func pairs(text string) map[string]bool {
	set := map[string]bool{}
	var whole []rune
	for _, w := range words.Of(text) {
		whole = append(whole, []rune(words.Stem(w))...)
	}
	for i := range len(whole) - 1 {
		set[string(whole[i:i+2])] = true
	}
	if len(whole) == 1 {
		set[string(whole)] = true
	}
	return set
}

// read fetches the texts of articles, of one kind if one is given. Of those of no place none is of what is attached to messages.
func (l *Library) read(ctx context.Context, list []Article, kind Kind, place string) ([]Found, error) {
	found := []Found{}
	for _, a := range list {
		d, passages, err := l.Pages(ctx, a.Document, a.Start, a.End)
		if err != nil {
			return nil, err
		}
		if kind != "" && d.Kind != kind || place == "" && d.Kind == KindAttached {
			continue
		}
		var b strings.Builder
		for _, p := range passages {
			b.WriteString(p.Text)
		}
		found = append(found, Found{Article: a, Document: d, Text: strings.TrimSpace(b.String())})
	}
	return found, nil
}

// Articles lists a document's articles in order. Errors: not_found, storage errors.
func (l *Library) Articles(ctx context.Context, document string) ([]Article, error) {
	if _, err := l.deps.Store.Document(ctx, document); err != nil {
		return nil, err
	}
	return l.deps.Store.Articles(ctx, document)
}
