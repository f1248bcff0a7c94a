package agent

import (
	"slices"
	"strings"
	"unicode/utf8"

	"agentchat/backend/lazyregexp"
	"agentchat/backend/library"
)

// What a question's form and the findings leave no doubt about. A request to a small model takes seconds on a laptop, so none
// is spent on these:
//
//   - scope: it names an article, the documents or a comparison with the standard, or leans on an answer from them: in.
//     A greeting, thanks, or a question of which no word is found in the documents (오늘 점심 뭐 먹지?): out.
//   - previous context: nothing was answered from the documents before, or it names an article, or the documents with what is
//     looked for: no. It says 그럼, 아까, that, or nothing by itself: yes.
//   - plan: the first round, always; a named article that is missing is looked for in all documents, and nowhere
//     else.
//   - evaluation: nothing was found, or not every named article: not enough. The rounds are used up, or all was looked up
//     before: over. Every named article is there and nothing else is asked, the article whose title is asked for is
//     there, or the comparison that was asked for was made: enough.

// idle is talk that is no question.
var idle = lazyregexp.New(`(?i)^\s*(안녕\S*|반가\S*|고마\S*|감사\S*|잘\s?가|수고\S*|ㅎㅇ|hi|hello|hey|thanks?|thank you|bye|good (morning|evening|night))[\s!.~?,]*(요|하세요|합니다)?[\s!.~?]*$`)

// outside tells that a message is no question at all, whoever sent it here.
func outside(text string) bool { return idle.MatchString(text) || commands.MatchString(text) }

// standing tells whether a question leans on what was said before, as far as its form says so.
func (q *Inquiry) standing() (leaning, certain bool) {
	switch {
	case q.Before == nil:
		return false, true
	case leans.MatchString(q.Text), len(numbers(q.Text)) == 0 && len(contentWords(q.Text)) == 0:
		return true, true
	case len(numbers(q.Text)) > 0, aboutDocs.MatchString(q.Text):
		return false, true
	}
	return false, false
}

// lacking are the articles that the question names and no passage is of.
func (q *Inquiry) lacking() (list []string) {
	items := q.items()
	for _, n := range numbers(q.Text) {
		if !slices.ContainsFunc(items, func(it library.Item) bool { return it.Number == n }) {
			list = append(list, n)
		}
	}
	return list
}

// ofNumber is a word that is part of an article's number, particles and all.
var ofNumber = lazyregexp.New(`^(제|의|조\S{0,2}|항\S{0,2}|\d[\d.]*)$`)

// settled tells whether the findings answer the question without a doubt.
func (q *Inquiry) settled() bool {
	items := q.items()
	if len(items) == 0 || len(q.lacking()) > 0 {
		return false
	}
	if compares.MatchString(q.Text) {
		return slices.ContainsFunc(q.Collected, func(f Finding) bool { return f.Comparison != nil })
	}
	ws := contentWords(q.Text)
	if len(numbers(q.Text)) > 0 {
		return !slices.ContainsFunc(ws, func(w string) bool { return !ofNumber.MatchString(w) })
	}
	asked := squash(strings.Join(ws, ""))
	return utf8.RuneCountInString(asked) > 1 && slices.ContainsFunc(items, func(it library.Item) bool {
		_, title, _ := strings.Cut(it.Article, "(")
		return squash(title) == asked
	})
}
