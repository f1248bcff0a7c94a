package export

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// writeMarkdown writes a document as Markdown that says the same when it is read again.
func writeMarkdown(w io.Writer, d *Document) error {
	b := bufio.NewWriter(w)
	_, _ = fmt.Fprintf(b, "# %s\n", oneLine(escapeMarkdown(visible(d.Title))))
	if d.Note != "" {
		_, _ = fmt.Fprintf(b, "\n%s\n", escapeMarkdown(visible(d.Note)))
	}
	m := markdownWriter{b}
	m.blocks(d.Blocks, "")
	return b.Flush()
}

type markdownWriter struct{ w *bufio.Writer }

// line writes lines behind what stands before every line here.
func (m markdownWriter) line(prefix, text string) {
	for l := range strings.SplitSeq(text, "\n") {
		if l == "" {
			prefix = strings.TrimRight(prefix, " ")
		}
		_, _ = m.w.WriteString(prefix + l + "\n")
	}
}

func (m markdownWriter) blocks(blocks []Block, prefix string) {
	for _, b := range blocks {
		m.line(prefix, "")
		m.block(b, prefix, prefix)
	}
}

// block writes a block whose first line stands behind first and whose others behind prefix.
func (m markdownWriter) block(b Block, first, prefix string) {
	put := func(text string) {
		head, rest, more := strings.Cut(text, "\n")
		m.line(first, head)
		if more {
			m.line(prefix, rest)
		}
	}
	switch b := b.(type) {
	case Heading:
		put(strings.Repeat("#", min(max(b.Level, 1), 6)) + " " + oneLine(spans(b.Runs)))
	case Paragraph:
		put(spans(b.Runs))
	case Code:
		fence := fenceOf(b.Text)
		put(fence + oneWord(b.Lang) + "\n" + visible(b.Text) + "\n" + fence)
	case Formula:
		put("$$\n" + visible(b.Text) + "\n$$")
	case Rule:
		put("---")
	case Image:
		put(escapeMarkdown(visible(b.Alt)))
	case Quote:
		m.inner(b.Blocks, first+"> ", prefix+"> ")
	case Source:
		put("> " + escapeMarkdown(oneLine(visible(sourceLine(b)))))
		if b.Text != "" {
			m.line(prefix, ">")
			m.line(prefix+"> ", escapeMarkdown(visible(b.Text)))
		}
	case List:
		for i, item := range b.Items {
			mark := "- "
			if b.Ordered {
				mark = fmt.Sprintf("%d. ", b.Start+i)
			}
			at := prefix
			if i == 0 {
				at = first
			}
			m.inner(item, at+mark, prefix+strings.Repeat(" ", len(mark)))
		}
	case Table:
		m.table(b, put)
	case Turn:
		put("**" + escapeMarkdown(visible(b.Who)) + "**" + joined(" · ", escapeMarkdown(visible(b.When))))
		m.blocks(b.Blocks, prefix)
		for i, note := range b.Notes {
			if i == 0 {
				m.line(prefix, "")
			}
			m.line(prefix, "- "+escapeMarkdown(oneLine(visible(note))))
		}
	}
}

// inner writes blocks of which the first begins behind a mark.
func (m markdownWriter) inner(blocks []Block, first, prefix string) {
	if len(blocks) == 0 {
		m.line(first, "")
		return
	}
	m.block(blocks[0], first, prefix)
	m.blocks(blocks[1:], prefix)
}

func (m markdownWriter) table(t Table, put func(string)) {
	row := func(cells [][]Run) string {
		said := make([]string, len(cells))
		for i, c := range cells {
			said[i] = bare.ReplaceAllString(oneLine(spans(c)), `$1\|`)
		}
		return "| " + strings.Join(said, " | ") + " |"
	}
	marks := make([]string, len(t.Aligns))
	for i, a := range t.Aligns {
		marks[i] = map[Align]string{Left: "---", Center: ":-:", Right: "--:"}[a]
	}
	lines := []string{row(t.Head), "| " + strings.Join(marks, " | ") + " |"}
	for _, r := range t.Rows {
		lines = append(lines, row(r))
	}
	put(strings.Join(lines, "\n"))
}

// sourceLine names a source.
func sourceLine(s Source) string {
	return strings.TrimSpace(fmt.Sprintf("[%d] %s %s", s.Number, s.Title, s.At))
}

// joined puts something before a text that is not empty.
func joined(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func oneWord(text string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == '`' {
			return -1
		}
		return r
	}, text)
}

// fenceOf is what stands around a code that may have such marks itself.
func fenceOf(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}

func spans(runs []Run) string {
	var b strings.Builder
	for _, r := range runs {
		text := visible(r.Text)
		if r.Code {
			tick := "`"
			for strings.Contains(text, tick) {
				tick += "`"
			}
			if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
				text = " " + text + " "
			}
			text = tick + strings.ReplaceAll(text, "\n", " ") + tick
		} else {
			text = strings.ReplaceAll(escapeMarkdown(text), "\n", "  \n")
		}
		// Spaces at the ends of what is marked would undo the mark.
		inner := strings.TrimSpace(text)
		if inner == "" {
			b.WriteString(text)
			continue
		}
		before, after, _ := strings.Cut(text, inner)
		for _, mark := range []struct {
			on   bool
			sign string
		}{{r.Strike, "~~"}, {r.Italic, "*"}, {r.Bold, "**"}} {
			if mark.on {
				inner = mark.sign + inner + mark.sign
			}
		}
		if r.Link != "" && strings.TrimSpace(r.Text) != r.Link {
			inner = "[" + inner + "](<" + strings.NewReplacer("<", "%3C", ">", "%3E").Replace(r.Link) + ">)"
		}
		b.WriteString(before + inner + after)
	}
	return b.String()
}

// What means something in Markdown: some signs anywhere, some only where a line begins.
var (
	anywhere = regexp.MustCompile("[\\\\`*_<>~$|&]|\\][(:\\[]")
	atStart  = regexp.MustCompile(`(?m)^([ \t]*)([#+=-]|\d{1,9}[.)])`)
	bare     = regexp.MustCompile(`(^|[^\\])\|`) // a stroke in a code, which would begin a cell
	indented = regexp.MustCompile(`(?m)^(?: {4,}|\t)[ \t]*`)
)

func escapeMarkdown(text string) string {
	text = anywhere.ReplaceAllString(text, `\$0`)
	text = indented.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\u00a0", len(s)) })
	return atStart.ReplaceAllStringFunc(text, func(s string) string {
		last := len(s) - 1
		return s[:last] + `\` + s[last:]
	})
}
