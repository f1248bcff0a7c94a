package export

import (
	"bufio"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"strings"
)

//go:embed page.css
var pageStyle string

// writeHTML writes a document as one page that needs nothing else. Its policy lets it do nothing: no script, no address that is fetched.
func writeHTML(w io.Writer, d *Document) error {
	b := bufio.NewWriter(w)
	lang := string(d.Lang)
	_, _ = fmt.Fprintf(b, `<!doctype html>
<html lang="%s">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<style>
%s</style>
</head>
<body>
<main>
<h1>%s</h1>
`, escapeHTML(lang), escapeHTML(d.Title), pageStyle, escapeHTML(d.Title))
	if d.Note != "" {
		_, _ = fmt.Fprintf(b, "<p class=\"note\">%s</p>\n", escapeHTML(d.Note))
	}
	htmlBlocks(b, d.Blocks)
	_, _ = b.WriteString("</main>\n</body>\n</html>\n")
	return b.Flush()
}

func escapeHTML(text string) string { return html.EscapeString(visible(text)) }

func htmlBlocks(w *bufio.Writer, blocks []Block) {
	for _, b := range blocks {
		htmlBlock(w, b)
	}
}

func htmlBlock(w *bufio.Writer, b Block) {
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }
	switch b := b.(type) {
	case Heading:
		n := min(max(b.Level, 1)+1, 6)
		say("<h%d dir=\"auto\">%s</h%d>\n", n, htmlRuns(b.Runs), n)
	case Paragraph:
		say("<p dir=\"auto\">%s</p>\n", htmlRuns(b.Runs))
	case Code:
		say("<pre dir=\"auto\"><code>%s\n</code></pre>\n", escapeHTML(b.Text))
	case Formula:
		say("<p class=\"formula\"><code>%s</code></p>\n", escapeHTML(b.Text))
	case Rule:
		say("<hr>\n")
	case Image:
		say("<p><img src=\"data:image/jpeg;base64,%s\" width=\"%d\" height=\"%d\" alt=\"%s\"></p>\n", base64.StdEncoding.EncodeToString(b.JPEG), b.Width, b.Height, escapeHTML(b.Alt))
	case Quote:
		say("<blockquote>\n")
		htmlBlocks(w, b.Blocks)
		say("</blockquote>\n")
	case Source:
		say("<div class=\"source\"><p><strong>%s</strong></p>", escapeHTML(sourceLine(b)))
		if b.Text != "" {
			say("<p dir=\"auto\">%s</p>", breaks(escapeHTML(b.Text)))
		}
		say("</div>\n")
	case List:
		tag, end := "<ul>", "</ul>"
		if b.Ordered {
			tag, end = fmt.Sprintf("<ol start=\"%d\">", b.Start), "</ol>"
		}
		say("%s\n", tag)
		for _, item := range b.Items {
			say("<li>")
			htmlBlocks(w, item)
			say("</li>\n")
		}
		say("%s\n", end)
	case Table:
		htmlTable(w, b)
	case Turn:
		class := "turn"
		if b.Mine {
			class = "turn mine"
		}
		say("<section class=\"%s\"><p class=\"who\"><b>%s</b> <span>%s</span></p>\n<div class=\"said\">\n", class, escapeHTML(b.Who), escapeHTML(b.When))
		htmlBlocks(w, b.Blocks)
		say("</div>\n")
		for _, note := range b.Notes {
			say("<p class=\"note\" dir=\"auto\">%s</p>\n", escapeHTML(note))
		}
		say("</section>\n")
	}
}

func htmlTable(w *bufio.Writer, t Table) {
	row := func(tag string, cells [][]Run) {
		_, _ = w.WriteString("<tr>")
		for i, c := range cells {
			class := ""
			if a := t.Aligns[i]; a != Left {
				class = fmt.Sprintf(" class=\"%s\"", string(a))
			}
			_, _ = fmt.Fprintf(w, "<%s%s dir=\"auto\">%s</%s>", tag, class, htmlRuns(c), tag)
		}
		_, _ = w.WriteString("</tr>\n")
	}
	_, _ = w.WriteString("<table>\n<thead>")
	row("th", t.Head)
	_, _ = w.WriteString("</thead>\n<tbody>\n")
	for _, r := range t.Rows {
		row("td", r)
	}
	_, _ = w.WriteString("</tbody>\n</table>\n")
}

func breaks(escaped string) string { return strings.ReplaceAll(escaped, "\n", "<br>\n") }

func htmlRuns(runs []Run) string {
	var b strings.Builder
	for _, r := range runs {
		text := breaks(escapeHTML(r.Text))
		for _, mark := range []struct {
			on  bool
			tag string
		}{{r.Code, "code"}, {r.Strike, "s"}, {r.Italic, "em"}, {r.Bold, "strong"}} {
			if mark.on {
				text = "<" + mark.tag + ">" + text + "</" + mark.tag + ">"
			}
		}
		if r.Link != "" {
			text = fmt.Sprintf("<a href=\"%s\" rel=\"noreferrer noopener\">%s</a>", escapeHTML(r.Link), text)
		}
		b.WriteString(text)
	}
	return b.String()
}
