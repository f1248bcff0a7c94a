package extract

import (
	"context"
	"errors"
	"io"
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxNesting bounds how deep a page or an XML part may be nested.
const maxNesting = 400

var metaCharset = regexp.MustCompile(`(?i)charset\s*=\s*["']?([a-z0-9_-]{2,40})`)

// blocks begin on a line of their own.
var blocks = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Br: true, atom.Li: true, atom.Tr: true, atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true, atom.H6: true,
	atom.Section: true, atom.Article: true, atom.Header: true, atom.Footer: true, atom.Blockquote: true, atom.Pre: true, atom.Table: true, atom.Ul: true, atom.Ol: true, atom.Dl: true, atom.Dt: true, atom.Dd: true,
}

// unread are elements whose text is none of the document's.
var unread = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true, atom.Svg: true, atom.Math: true, atom.Iframe: true, atom.Object: true, atom.Select: true, atom.Textarea: true,
}

// readHTML reads the words of a page.
func (e *Extractor) readHTML(ctx context.Context, file string) (Text, error) {
	raw, err := readFile(file, e.textBytes())
	if err != nil {
		return Text{}, err
	}
	text, err := markupText(raw)
	if err != nil {
		return Text{}, err
	}
	page, err := e.wordsOf(ctx, text)
	return Text{Title: page.title, Pages: []string{squeeze(page.words.String())}}, err
}

// markupText decodes a page by what it says of itself.
func markupText(raw []byte) (string, error) {
	label := ""
	if m := metaCharset.FindSubmatch(raw[:min(len(raw), 4096)]); m != nil {
		label = string(m[1])
	}
	return decode(raw, label)
}

// wordsOf reads a page token by token: nothing is built, nothing is fetched and nothing runs.
func (e *Extractor) wordsOf(ctx context.Context, text string) (*htmlPage, error) {
	z := html.NewTokenizer(strings.NewReader(text))
	z.SetMaxBuf(e.limits.TextBytes)
	page := &htmlPage{}
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return page, ctx.Err()
		}
		kind := z.Next()
		if kind == html.ErrorToken {
			if err := z.Err(); !errors.Is(err, io.EOF) {
				return page, err
			}
			return page, nil
		}
		page.take(kind, z)
	}
}

// htmlPage is what was read of a page so far.
type htmlPage struct {
	title   string
	words   strings.Builder
	skip    atom.Atom // the element that is not read
	inTitle bool
	heading string // the first one
	inHead  bool
}

func (p *htmlPage) take(kind html.TokenType, z *html.Tokenizer) {
	switch kind {
	case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
		tag, _ := z.TagName()
		p.tag(atom.Lookup(tag), kind)
	case html.TextToken:
		words := html.UnescapeString(string(z.Text()))
		switch {
		case p.skip != 0:
		case p.inTitle:
			p.title += words
		default:
			p.words.WriteString(collapsed(words))
			if p.inHead {
				p.heading += collapsed(words)
			}
		}
	case html.ErrorToken, html.CommentToken, html.DoctypeToken:
	}
}

func (p *htmlPage) tag(a atom.Atom, kind html.TokenType) {
	ends := kind == html.EndTagToken
	switch {
	case ends && a == p.skip:
		p.skip = 0
	case p.skip == 0 && unread[a] && kind == html.StartTagToken:
		p.skip = a
	}
	if !ends || a == atom.Title {
		p.inTitle = !ends && a == atom.Title
	}
	if a == atom.H1 || a == atom.H2 || a == atom.H3 {
		p.inHead = !ends && strings.TrimSpace(p.heading) == ""
	}
	switch {
	case blocks[a]:
		p.words.WriteByte('\n')
	case !ends && (a == atom.Td || a == atom.Th):
		p.words.WriteByte('\t')
	}
}

// collapsed is a text as a page shows it: every stretch of white space is one blank.
func collapsed(text string) string {
	s := strings.Join(strings.Fields(text), " ")
	if s == "" {
		return ""
	}
	if strings.TrimLeft(text, " \t\r\n") != text {
		s = " " + s
	}
	if strings.TrimRight(text, " \t\r\n") != text {
		s += " "
	}
	return s
}

var emptyLines = regexp.MustCompile(`\n[ \t]*(?:\n[ \t]*)+`)

// squeeze leaves at most one empty line between paragraphs.
func squeeze(s string) string {
	return strings.TrimSpace(emptyLines.ReplaceAllString(s, "\n\n")) + "\n"
}
