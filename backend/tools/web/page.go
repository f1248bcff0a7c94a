package web

import (
	"bytes"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"codeberg.org/readeck/go-readability/v2"
	"codeberg.org/readeck/go-readability/v2/render"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"agentchat/backend/language/bilingual"
)

// How much of a page is told, in characters.
const (
	maxTitle = 200
	maxText  = 8000
	maxParts = 60_000 // elements of a page
)

// page is what can be read of an answer.
type page struct {
	title string
	text  string
	all   int // characters there were
	cut   bool
}

// read makes an answer readable. The error is page_failed when there is nothing to read.
func (a answer) read() (page, error) {
	kind, params, err := mime.ParseMediaType(a.kind)
	if err != nil || kind == "" {
		kind, params, _ = mime.ParseMediaType(http.DetectContentType(a.body))
	}
	if !readable(kind) || params["charset"] == "" && bytes.IndexByte(a.body[:min(len(a.body), 1024)], 0) >= 0 {
		return page{}, failed(a.url, bilingual.Text{KO: "글이 아니라 " + short(kind) + " 파일이에요", EN: "it is not text but " + short(kind)})
	}
	decoded, err := charset.NewReader(bytes.NewReader(a.body), a.kind)
	if err != nil {
		decoded = bytes.NewReader(a.body)
	}
	text, err := io.ReadAll(io.LimitReader(decoded, maxBody))
	if err != nil {
		return page{}, failed(a.url, bilingual.Text{KO: "글자를 읽을 수 없어요", EN: "its characters cannot be read"})
	}
	p := page{text: string(text)}
	if kind == "text/html" || kind == "application/xhtml+xml" {
		if p, err = article(text, a.url); err != nil {
			return page{}, err
		}
	}
	p.title, _ = head(strings.Join(strings.Fields(plain(p.title)), " "), maxTitle)
	p.text = strings.TrimSpace(plain(p.text))
	if p.text == "" {
		return page{}, failed(a.url, bilingual.Text{KO: "읽을 글이 없는 화면이에요", EN: "the page holds no text"})
	}
	p.all = utf8.RuneCountInString(p.text)
	var shortened bool
	p.text, shortened = head(p.text, maxText)
	p.cut = shortened || a.cut
	return p, nil
}

func readable(kind string) bool {
	switch kind {
	case "application/xhtml+xml", "application/json", "application/xml", "application/ld+json", "application/rss+xml", "application/atom+xml":
		return true
	}
	return strings.HasPrefix(kind, "text/")
}

// article finds what a page is about: its main text, without menus and advertisements, or all its text when no part of it stands out.
func article(text []byte, at *url.URL) (page, error) {
	doc, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		return page{}, failed(at, bilingual.Text{KO: "HTML을 읽을 수 없어요", EN: "its HTML cannot be read"})
	}
	title, parts := survey(doc)
	if parts > maxParts {
		return page{}, failed(at, bilingual.Text{KO: "너무 복잡한 화면이에요", EN: "the page is too complex"})
	}
	whole := render.InnerText(doc)
	parser := readability.NewParser()
	found, err := parser.ParseAndMutate(doc, at)
	if err == nil && found.Node != nil {
		var main strings.Builder
		if found.RenderText(&main) == nil && 3*utf8.RuneCountInString(main.String()) > min(utf8.RuneCountInString(whole), 600) {
			if found.Title() != "" {
				title = found.Title()
			}
			return page{title: title, text: main.String()}, nil
		}
	}
	return page{title: title, text: whole}, nil
}

// survey takes everything out of a document that nobody sees, and gives its title and how many elements it has.
func survey(doc *html.Node) (title string, parts int) {
	for n := range doc.Descendants() {
		parts++
		if n.DataAtom == atom.Title && n.FirstChild != nil && title == "" {
			title = n.FirstChild.Data
		}
	}
	var drop []*html.Node
	for n := range doc.Descendants() {
		if n.Type == html.CommentNode || n.Type == html.ElementNode && unseen(n) {
			drop = append(drop, n)
		}
	}
	for _, n := range drop {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
	return title, parts
}

// never are elements whose text is no text of the page.
var never = []atom.Atom{atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Iframe, atom.Object, atom.Svg, atom.Canvas, atom.Select}

// unseen tells an element that a browser would not show: text hidden there is for machines alone.
func unseen(n *html.Node) bool {
	if slices.Contains(never, n.DataAtom) {
		return true
	}
	for _, a := range n.Attr {
		style := strings.ToLower(strings.ReplaceAll(a.Val, " ", ""))
		switch {
		case a.Key == "hidden", a.Key == "aria-hidden" && a.Val == "true":
			return true
		case a.Key == "style" && (strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") || strings.Contains(style, "font-size:0")):
			return true
		}
	}
	return false
}

// plain is text without signs that cannot be seen or turn the direction of writing, and without runs of empty lines.
func plain(text string) string {
	var b strings.Builder
	blank := 0
	for _, r := range strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), "\uFFFD") {
		switch {
		case r == '\n':
			if blank++; blank > 2 {
				continue
			}
		case r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r)):
			continue
		case r != ' ' && r != '\t':
			blank = 0
		}
		b.WriteRune(r)
	}
	return b.String()
}

// head is the beginning of a text, at most so many characters.
func head(text string, most int) (string, bool) {
	n := 0
	for i := range text {
		if n == most {
			return text[:i], true
		}
		n++
	}
	return text, false
}
