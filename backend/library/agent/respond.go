package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"agentchat/backend/brief"
	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/lazyregexp"
	"agentchat/backend/library"
)

// How much of what was found an answer shows.
const (
	mostSources = 8
	mostQuoted  = 3   // passages an answer without a model quotes
	longQuote   = 900 // characters of each
)

// respond answers from what was found and names the sources.
func (a *Agent) respond(ctx context.Context, q *Inquiry) (graph.Move, error) {
	items, begins, sees, err := a.given(ctx, q, q.items())
	if err != nil {
		return graph.Move{}, err
	}
	switch {
	case len(items) > 0:
	case len(q.Pictures) > 0:
		q.Answer = q.unseen(nil)
		return graph.To(graph.End), nil
	default:
		q.Answer = q.say("문서에 없어요. ", "It is not in your documents. ")
		if q.About != nil {
			name := q.named(q.About.Title)
			q.Answer = q.say(name+q.where().KO+"에는 없어요. 다른 문서에서도 찾으려면 고르지 않고 물어보세요. ", "It is not in "+q.where().EN+name+". To look in the others too, ask without choosing one. ")
		}
		if len(q.Unexplored) > 0 {
			q.Answer += q.say("있는 조문은 ", "The articles there are: ") + strings.Join(q.Unexplored[:min(len(q.Unexplored), 12)], ", ") + q.say(" 등이에요.", ".")
		} else {
			q.Answer += q.say("다른 말로 물어봐 주세요.", "Please ask in other words.")
		}
		return graph.To(graph.End), nil
	}
	a.think(q, "generating", "답을 쓰고 있어요.", "Writing the answer.", nil)
	chosen := q.chosen(items, a.deps.Room)
	w, err := a.deps.Word(ctx, q, chosen, q.comparisons())
	switch {
	case ctx.Err() != nil:
		return graph.Move{}, cmp.Or(err, ctx.Err())
	case err != nil || w.Text == "":
		items, sees = slices.DeleteFunc(items, func(it library.Item) bool { return it.Picture != "" }), false
		q.Answer = q.extract(items) // a model that fails leaves the passages themselves
		if begins {
			q.Answer = q.say("꼭 맞는 대목을 짚지 못해서 첨부한 것의 앞부분을 보여 드려요.", "No one passage stands out, so this is how what is attached begins.") + "\n\n" + q.Answer
		}
	default:
		items = chosen
		q.Answer, q.Reasoning = q.counted(w.Text, len(items)), w.Reasoning
		for _, doubt := range unverified(q.Text+q.comparisons(), w.Text, items) {
			q.Unverified = append(q.Unverified, q.counted(doubt, len(items)))
		}
		if w.Cut {
			q.Answer += q.say("\n\n(답이 길어져서 여기서 끊겼어요. 더 좁혀서 물어봐 주세요.)", "\n\n(The answer grew too long and was cut here. Please ask about less.)")
		}
	}
	if len(q.Pictures) > 0 && !sees {
		q.Answer = strings.TrimSpace(q.Answer + "\n\n" + q.unseen(items))
	}
	for _, it := range items {
		q.Sources = append(q.Sources, event.Source{
			DocumentID: it.DocumentID, Title: it.Title, Kind: it.Kind, Article: it.Article, Page: it.Page, Unit: it.Unit, Start: it.Start, End: it.End,
			Quote: brief.Cut(it.Quote, longQuote), Score: it.Score, Attachment: it.Picture,
		})
	}
	return graph.To(graph.End), nil
}

// chosen are the passages that a model is given: the first, as many as it has room for, and at least one.
func (q *Inquiry) chosen(items []library.Item, room func() int) []library.Item {
	if room == nil {
		return items
	}
	left := room()
	for n, it := range items {
		if left -= utf8.RuneCountInString(Shown(it)); left < 0 && n > 0 && !it.Whole {
			return append(slices.Clip(items[:n]), pictured(items[n:])...)
		}
	}
	return items
}

// pictured are the pictures among items.
func pictured(items []library.Item) (pictures []library.Item) {
	for _, it := range items {
		if it.Picture != "" {
			pictures = append(pictures, it)
		}
	}
	return pictures
}

// comparisons are what code found between one's own clauses and the standard's, in words; "" when nothing was compared.
func (q *Inquiry) comparisons() string {
	var parts []string
	for _, f := range q.Collected {
		if f.Comparison != nil {
			parts = append(parts, q.compared(*f.Comparison))
		}
	}
	return strings.Join(parts, "\n\n")
}

// rowMark is the number of a table's row as passages have it. It would be taken for that of a source.
var rowMark = lazyregexp.New(`(?m)^\[(\d+)\]`)

// extract answers by quoting: what one's own documents say, and apart from it what the standard says.
func (q *Inquiry) extract(items []library.Item) string {
	var b strings.Builder
	own, std := 0, 0
	if !q.narrowed() && !slices.ContainsFunc(items, func(it library.Item) bool { return it.Kind != string(library.KindStandard) }) && !asksStandard(q.Text) {
		b.WriteString(q.say("내 문서에는 없어요. 표준계약서에는 이렇게 있어요.", "It is not in your documents. The standard contracts say:"))
	}
	for i, it := range items {
		standard := it.Kind == string(library.KindStandard)
		n := &own
		if standard {
			n = &std
		}
		if *n == mostQuoted {
			continue
		}
		if *n++; b.Len() > 0 {
			b.WriteString("\n\n")
		}
		if standard {
			b.WriteString(q.say("표준: ", "Standard: "))
		}
		where := plainly(it.Title)
		if it.Article != "" {
			where += " " + it.Article
		}
		fmt.Fprintf(&b, "**%s** (%s) [%d]\n> %s", where, it.Place().In(q.Lang), q.Behind+i+1,
			strings.ReplaceAll(rowMark.ReplaceAllString(strings.TrimSpace(markup.ReplaceAllString(brief.Cut(it.Quote, longQuote), "")), "($1)"), "\n", "\n> "))
		if it.Deleted {
			b.WriteString(q.say("\n삭제된 조문이에요.", "\nThis article was deleted."))
		}
	}
	if c := q.comparisons(); c != "" {
		b.WriteString("\n\n" + c)
	}
	return b.String()
}

// markup are Markdown's marks of headings, which would stand oddly in a quote.
var markup = lazyregexp.New(`(?m)^#{1,6}\s+`)

// asksStandard tells whether a question is about the standard contracts.
func asksStandard(text string) bool {
	return strings.Contains(text, "표준") || strings.Contains(strings.ToLower(text), "standard")
}

// compared says in words how a clause differs from the standard.
func (q *Inquiry) compared(c library.Differences) string {
	lines := []string{q.say("표준계약서와 비교하면:", "Compared with the standard:")}
	add := func(ko, en string, list []string) {
		if len(list) > 0 {
			lines = append(lines, "- "+q.say(ko, en)+strings.Join(list, ", "))
		}
	}
	add("두 쪽에 다 있는 숫자: ", "figures in both: ", c.Same)
	add("내 문서에만 있는 숫자: ", "figures only in yours: ", c.OnlyMine)
	add("표준에만 있는 숫자: ", "figures only in the standard: ", c.OnlyStandard)
	for _, p := range c.Missing {
		lines = append(lines, "- "+q.say("표준에는 있고 내 문서에는 없는 내용: ", "in the standard and not in yours: ")+p)
	}
	if len(lines) == 1 {
		lines = append(lines, "- "+q.say("다른 숫자나 빠진 내용이 없어요.", "no figure differs and nothing is missing."))
	}
	return strings.Join(lines, "\n")
}

// Shown is as much of a passage as an answer shows, and as a model is given.
func Shown(it library.Item) string {
	if it.Whole {
		return it.Quote
	}
	return brief.Cut(it.Quote, longQuote)
}
