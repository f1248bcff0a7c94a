// Package structure reads how a document is built: chapters, articles and the passages in them. It knows Korean statutes and
// contracts (제1장, 제5조(계약기간), 제3조의2, deleted articles, 부칙), English ones (Article 5, Section 2.1) and numbered
// headings. It never fails: a text without any structure is one of paragraphs.
package structure

import (
	"cmp"
	"strings"
	"unicode/utf8"
)

// Article is one article, clause or headed section. Offsets are bytes in the document's text; Page counts from 1.
type Article struct {
	Part    string // the annex or supplementary part it stands in, "" for the main part: 부칙, 별표 1
	Chapter string // 제1장 총칙
	Number  string // 5, 3의2, 2.1; "" for a heading without one
	Title   string // 계약기간
	Deleted bool   // it says of itself that it was deleted
	Page    int
	Start   int
	End     int
}

// Passage is a stretch of the text small enough to be quoted. Passages cover the whole text, one after the other.
type Passage struct {
	Article int // index, -1: in none
	Page    int
	Start   int
	End     int
}

// Document is a text and what it is made of. Text is that of its pages, one after the other.
type Document struct {
	Text     string
	Articles []Article
	Passages []Passage
}

// Most and least characters of a passage, as far as paragraphs allow.
const (
	longPassage  = 700
	shortPassage = 200
)

// line is one line of the text.
type line struct {
	start, end int // end is behind its newline
	page       int
	text       string // trimmed
}

// Mark is where a part of a document begins that its format tells of: rows of a sheet, a slide, a chapter, a part of a mail. Page and
// Line count from 0; Line is one of the page's.
type Mark struct {
	Page, Line int
	Chapter    string // what it is a part of
	Title      string
}

// Parse reads a document from its pages. With marks, its parts are what they say; without, what its headings say.
func Parse(pages []string, marks []Mark) Document {
	d := Document{}
	var b strings.Builder
	var lines []line
	var given []heading
	for i, page := range pages {
		if page != "" && !strings.HasSuffix(page, "\n") {
			page += "\n"
		}
		for n := 0; len(page) > 0; n++ {
			for ; len(marks) > 0 && (marks[0].Page < i || marks[0].Page == i && marks[0].Line <= n); marks = marks[1:] {
				if m := marks[0]; m.Page == i && m.Line == n && (given == nil || given[len(given)-1].line < len(lines)) {
					given = append(given, heading{kind: headArticle, line: len(lines), title: m.Title, chapter: m.Chapter})
				}
			}
			end := strings.IndexByte(page, '\n') + 1
			lines = append(lines, line{start: b.Len(), end: b.Len() + end, page: i + 1, text: strings.TrimSpace(page[:end])})
			b.WriteString(page[:end])
			page = page[end:]
		}
	}
	d.Text = b.String()
	if given == nil {
		given = headings(lines)
	}
	d.articles(lines, given)
	d.passages(lines)
	return d
}

// articles makes an article of every heading.
func (d *Document) articles(lines []line, heads []heading) {
	part, chapter := "", ""
	for i, h := range heads {
		end := len(d.Text)
		if i+1 < len(heads) {
			end = lines[heads[i+1].line].start
		}
		switch h.kind {
		case headPart:
			part, chapter = h.title, ""
			if !hasNumbered(heads[i+1:]) { // 부칙 or 별표 without articles of its own is one itself
				d.Articles = append(d.Articles, Article{Part: part, Title: h.title, Page: lines[h.line].page, Start: lines[h.line].start, End: end})
			}
		case headChapter:
			chapter = h.title
		case headArticle:
			d.Articles = append(d.Articles, Article{
				Part: part, Chapter: cmp.Or(h.chapter, chapter), Number: h.number, Title: h.title, Deleted: h.deleted,
				Page: lines[h.line].page, Start: lines[h.line].start, End: end,
			})
		}
	}
}

// hasNumbered tells whether articles follow before the next part.
func hasNumbered(rest []heading) bool {
	for _, h := range rest {
		switch h.kind {
		case headArticle:
			return true
		case headPart:
			return false
		case headChapter:
		}
	}
	return false
}

// passages cuts the text at articles, and within them where paragraphs begin.
func (d *Document) passages(lines []line) {
	article, next := -1, 0
	open := -1 // start of the passage at hand
	page := 0
	runes := 0
	cut := func(at int) {
		if open >= 0 && at > open {
			d.Passages = append(d.Passages, Passage{Article: article, Page: page, Start: open, End: at})
		}
		open, runes = -1, 0
	}
	for _, l := range lines {
		if article >= 0 && l.start >= d.Articles[article].End {
			cut(l.start)
			article = -1
		}
		if next < len(d.Articles) && l.start == d.Articles[next].Start {
			cut(l.start)
			article = next
			next++
		}
		n := utf8.RuneCountInString(l.text)
		if open >= 0 && (runes+n > longPassage || runes > shortPassage && (l.text == "" || paragraph.MatchString(l.text))) {
			cut(l.start)
		}
		for start := l.start; start < l.end; { // a line longer than a passage is cut where sentences end
			if open < 0 {
				open, page = start, l.page
			}
			stop := l.end
			if runes+n > longPassage && l.end-start > longPassage {
				stop = start + sentenceEnd(d.Text[start:l.end], longPassage)
			}
			if stop < l.end {
				cut(stop)
			}
			start = stop
		}
		runes += n
	}
	cut(len(d.Text))
}

// sentenceEnd finds where to cut a text after about so many characters: behind the last sentence or word that ends there.
func sentenceEnd(text string, most int) int {
	limit := len(text)
	count := 0
	for i := range text {
		if count++; count > most {
			limit = i
			break
		}
	}
	if limit == len(text) {
		return limit
	}
	for _, mark := range []string{". ", "다. ", "? ", "! ", "。", " "} {
		if i := strings.LastIndex(text[:limit], mark); i > limit/2 {
			return i + len(mark)
		}
	}
	return limit
}
