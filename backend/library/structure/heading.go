package structure

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/lazyregexp"
)

type headKind int

const (
	headArticle headKind = iota
	headChapter
	headPart
)

// heading is a line that begins something.
type heading struct {
	kind    headKind
	line    int
	number  string
	title   string
	chapter string // where a mark says it
	deleted bool
	titled  bool // its title stands in brackets: no reference looks like that
	style   style
}

// style is the way a document numbers its articles. One document keeps to one, or its list items would pass for articles.
type style int

const (
	styleKorean style = iota
	styleEnglish
	styleNumbered
	styleMarkdown
)

var (
	articleKO = lazyregexp.New(`^(?:#{1,6}\s*)?\**제\s*(\d{1,4})\s*조(?:\s*의\s*(\d{1,3}))?(.*)$`)
	bracketed = lazyregexp.New(`^\s*[(（\[［【<〈「]\s*([^)）\]］】>〉」]{1,100}?)\s*[)）\]］】>〉」]\**(.*)$`)
	chapterKO = lazyregexp.New(`^(?:#{1,6}\s*)?\**제\s*\d{1,3}\s*[장절편관](?:의\s*\d+)?(?:\s.*|$)`)
	partKO    = lazyregexp.New(`^(?:#{1,6}\s*)?\**\[?(?:부\s*칙|별\s*표|별\s*첨|별\s*지|부\s*속\s*서|특\s*약\s*사\s*항)\s*[\d제호\]]*\s*(?:[<(\[].*)?\**$`)
	partEN    = lazyregexp.New(`^(?:#{1,6}\s*)?\**(?:Annex|Appendix|Schedule|Exhibit|ANNEX|APPENDIX|SCHEDULE|EXHIBIT)\s+[A-Z0-9]{1,3}\b.{0,80}$`)
	articleEN = lazyregexp.New(`^(?:#{1,6}\s*)?\**(?:Article|ARTICLE|Section|SECTION|Clause|CLAUSE)\s+(\d{1,3}(?:\.\d{1,3}){0,3}|[IVXLC]{1,7})\b\s*[.:)\-–—]?\s*(.*)$`)
	numbered  = lazyregexp.New(`^\**(\d{1,2}(?:\.\d{1,2}){0,3})[.)]?\s+(\S.{0,79})$`)
	markdown  = lazyregexp.New(`^#{1,6}\s+(.{1,200})$`)
	deleted   = lazyregexp.New(`^\s*[<(\[〈]?\s*(삭\s*제|deleted|repealed|\(?intentionally omitted\)?)(?:\s|[<(\[〈>)\]〉.,]|$)`)
	// In a sentence, what follows a reference is a particle or another reference; in a contents list, a page number.
	reference = lazyregexp.New(`^(?:에|의|를|을|와|과|은|는|이|가|로|으로|까지|부터|내지|또는|및|[,、ㆍ·]|제\s*\d+\s*항|\s*(?:및|또는|내지|와|과)\s|\s*제\s*\d+\s*[항호조])`)
	contents  = lazyregexp.New(`(?:[.·…‥⋯]\s*){3,}\s*\d{1,4}$|\t+\s*\d{1,4}$`)
	endsKO    = lazyregexp.New(`다[.。]?$|[요함음것][.。]$`)
	// paragraph begins a paragraph or an item within an article: ①, 1., 가., (a), -.
	paragraph = lazyregexp.New(`^(?:[①-⑳㉑-㉟]|\(?\d{1,2}[.)]|[가-하][.)]|\([a-z0-9ivx]{1,4}\)|[-*•ㆍ·]\s)`)
)

// headings finds what begins in which line, in the document's own style.
func headings(lines []line) []heading {
	found := map[style][]heading{}
	var common []heading
	for i, l := range lines {
		if l.text == "" || utf8.RuneCountInString(l.text) > 600 || contents.MatchString(l.text) {
			continue
		}
		switch h, ok := headingOf(l.text); {
		case !ok:
		case h.kind != headArticle:
			h.line = i
			common = append(common, h)
		default:
			h.line = i
			found[h.style] = append(found[h.style], h)
		}
	}
	var own []heading
	for _, s := range []style{styleKorean, styleEnglish, styleMarkdown, styleNumbered} {
		if s == styleNumbered {
			found[s] = rising(found[s])
		}
		if len(found[s]) >= least(s) {
			own = found[s]
			break
		}
	}
	all := merge(common, own)
	all = withoutReferences(all)
	return withoutContents(all, lines)
}

// least is how many headings of a style make it the document's own.
func least(s style) int {
	if s == styleNumbered {
		return 2
	}
	return 1
}

func headingOf(text string) (heading, bool) {
	switch {
	case partKO.MatchString(text), partEN.MatchString(text):
		return heading{kind: headPart, title: plain(text)}, true
	case chapterKO.MatchString(text) && utf8.RuneCountInString(text) <= 80 && !endsKO.MatchString(text):
		return heading{kind: headChapter, title: plain(text)}, true
	}
	if m := articleKO.FindStringSubmatch(text); m != nil {
		return koreanHeading(m)
	}
	if m := articleEN.FindStringSubmatch(text); m != nil {
		return englishHeading(m)
	}
	if m := markdown.FindStringSubmatch(text); m != nil {
		h := heading{style: styleMarkdown, title: plain(m[1])}
		if n := numbered.FindStringSubmatch(h.title); n != nil {
			h.number, h.title = strings.TrimSuffix(n[1], "."), plain(n[2])
		}
		return h, true
	}
	if m := numbered.FindStringSubmatch(text); m != nil && !endsKO.MatchString(text) && !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, ",") {
		return heading{style: styleNumbered, number: m[1], title: plain(m[2])}, true
	}
	return heading{}, false
}

func koreanHeading(m []string) (heading, bool) {
	h := heading{style: styleKorean, number: trimZeros(m[1])}
	if m[2] != "" {
		h.number += "의" + trimZeros(m[2])
	}
	rest := m[3]
	if b := bracketed.FindStringSubmatch(rest); b != nil {
		after := b[2]
		if after != "" && !unicode.IsSpace([]rune(after)[0]) && reference.MatchString(after) {
			return heading{}, false // 제5조(계약기간)에 따라
		}
		if deleted.MatchString(b[1]) {
			h.deleted = true
			return h, true
		}
		h.title, h.titled = strings.TrimSpace(b[1]), true
		h.deleted = deleted.MatchString(after)
		return h, true
	}
	if reference.MatchString(rest) {
		return heading{}, false
	}
	text := strings.TrimSpace(strings.TrimLeft(rest, " .:*"))
	switch {
	case deleted.MatchString(text):
		h.deleted = true
	case text == "", paragraph.MatchString(text):
	case !unicode.IsSpace([]rune(rest)[0]) && !strings.ContainsAny(rest[:1], ".:*"):
		return heading{}, false // 제5조항
	case utf8.RuneCountInString(text) <= 40 && !endsKO.MatchString(text):
		h.title = plain(text) // 제1조 목적
	}
	return h, true
}

func englishHeading(m []string) (heading, bool) {
	h := heading{style: styleEnglish, number: m[1], title: plain(m[2])}
	if n := roman(m[1]); n > 0 {
		h.number = strconv.Itoa(n)
	}
	first, _ := utf8.DecodeRuneInString(h.title)
	switch {
	case deleted.MatchString(strings.ToLower(h.title)):
		h.title, h.deleted = "", true
	case unicode.IsLower(first): // Section 2.1 of this Agreement
		return heading{}, false
	case utf8.RuneCountInString(h.title) > 80:
		if i := strings.IndexByte(h.title, '.'); i > 0 && i <= 80 { // Article 5. Term. The term begins …
			h.title = h.title[:i]
		} else {
			h.title = ""
		}
	default:
		h.title = strings.TrimSuffix(h.title, ".")
	}
	return h, true
}

// rising keeps numbered lines that count up as headings do; a list in a sentence starts anew each time.
func rising(list []heading) []heading {
	var out []heading
	want := 1
	for _, h := range list {
		top, sub, _ := strings.Cut(h.number, ".")
		n, err := strconv.Atoi(top)
		if err != nil {
			continue
		}
		if n == want && sub == "" {
			want++
			out = append(out, h)
		} else if n == want-1 && sub != "" {
			out = append(out, h)
		}
	}
	return out
}

// merge puts two lists of headings in the order of their lines.
func merge(a, b []heading) []heading {
	out := make([]heading, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].line < b[0].line {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// withoutReferences drops what only looks like a heading because a line was broken before it: a number without a title that
// goes back, or far ahead, among numbers that count up.
func withoutReferences(all []heading) []heading {
	var out []heading
	last := 0
	for _, h := range all {
		if h.kind == headPart {
			last = 0
		}
		if h.kind != headArticle || h.style != styleKorean {
			out = append(out, h)
			continue
		}
		n, _ := strconv.Atoi(strings.SplitN(h.number, "의", 2)[0])
		if !h.titled && !h.deleted && last > 0 && (n < last || n > last+10) {
			continue
		}
		last = n
		out = append(out, h)
	}
	return out
}

// withoutContents drops headings of a list of contents: nothing stands between them and the next, and they come again.
func withoutContents(all []heading, lines []line) []heading {
	again := map[string]int{}
	key := func(h heading) string { return strconv.Itoa(int(h.kind)) + "\x00" + h.number + "\x00" + h.title }
	for _, h := range all {
		again[key(h)]++
	}
	var out []heading
	for i, h := range all {
		if again[key(h)] > 1 && empty(all, lines, i) {
			again[key(h)]--
			continue
		}
		out = append(out, h)
	}
	return out
}

// empty tells whether heading i has neither a body nor says that it was deleted.
func empty(all []heading, lines []line, i int) bool {
	end := len(lines)
	if i+1 < len(all) {
		end = all[i+1].line
	}
	for n := all[i].line + 1; n < end; n++ {
		if lines[n].text != "" && !contents.MatchString(lines[n].text) {
			return false
		}
	}
	return !all[i].deleted && utf8.RuneCountInString(lines[all[i].line].text) < 80
}

// plain takes Markdown's marks off a heading.
func plain(s string) string {
	return strings.TrimSpace(strings.Trim(strings.TrimLeft(strings.TrimSpace(s), "# "), "*_ "))
}

func trimZeros(s string) string {
	if t := strings.TrimLeft(s, "0"); t != "" {
		return t
	}
	return s
}

// roman reads a Roman number of up to three figures, 0 for what is none.
func roman(s string) int {
	values := map[byte]int{'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100}
	n := 0
	for i := range len(s) {
		v := values[s[i]]
		if v == 0 {
			return 0
		}
		if i+1 < len(s) && values[s[i+1]] > v {
			v = -v
		}
		n += v
	}
	return n
}
