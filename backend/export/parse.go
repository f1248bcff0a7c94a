package export

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// deepest is how deep lists and quotes go into each other; what lies deeper stands at that depth.
const deepest = 12

var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.NewLinkify(extension.WithLinkifyAllowedProtocols([]string{"http:", "https:"}))),
	goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(formulas{}, 50))),
).Parser()

// Parse reads the Markdown of a reply as the window does: every line break is one, HTML is text, pictures are their names, and links lead to the web or
// nowhere.
func Parse(source string) []Block {
	raw := []byte(visible(source))
	p := reading{raw}
	return p.blocks(markdown.Parse(text.NewReader(raw)), 0)
}

type reading struct{ source []byte }

func (p reading) blocks(parent ast.Node, depth int) (out []Block) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		out = append(out, p.block(n, depth)...)
	}
	return out
}

func (p reading) lines(n ast.Node) string {
	var b bytes.Buffer
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(p.source))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (p reading) block(n ast.Node, depth int) []Block {
	switch n := n.(type) {
	case *ast.Heading:
		return []Block{Heading{n.Level, p.runs(n, Run{})}}
	case *ast.Paragraph, *ast.TextBlock:
		if one, ok := n.FirstChild().(*formula); ok && one.display && one.NextSibling() == nil {
			return []Block{Formula{one.text}}
		}
		if runs := p.runs(n, Run{}); len(runs) > 0 {
			return []Block{Paragraph{runs}}
		}
		return nil
	case *ast.FencedCodeBlock:
		return []Block{Code{string(n.Language(p.source)), p.lines(n)}}
	case *ast.CodeBlock:
		return []Block{Code{"", p.lines(n)}}
	case *ast.HTMLBlock:
		said := p.lines(n)
		if n.HasClosure() {
			said = strings.TrimSuffix(said+"\n"+string(n.ClosureLine.Value(p.source)), "\n")
		}
		return []Block{Plain(said)}
	case *ast.ThematicBreak:
		return []Block{Rule{}}
	case *ast.Blockquote:
		if depth >= deepest {
			return p.blocks(n, depth)
		}
		return []Block{Quote{p.blocks(n, depth+1)}}
	case *ast.List:
		if depth >= deepest {
			var out []Block
			for item := n.FirstChild(); item != nil; item = item.NextSibling() {
				out = append(out, p.blocks(item, depth)...)
			}
			return out
		}
		list := List{Ordered: n.IsOrdered(), Start: n.Start}
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			list.Items = append(list.Items, p.blocks(item, depth+1))
		}
		return []Block{list}
	case *tables.Table:
		return []Block{p.table(n)}
	}
	return p.blocks(n, depth)
}

func (p reading) table(n *tables.Table) Table {
	t := Table{}
	for _, a := range n.Alignments {
		t.Aligns = append(t.Aligns, map[tables.Alignment]Align{tables.AlignRight: Right, tables.AlignCenter: Center}[a])
	}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		cells := make([][]Run, len(t.Aligns))
		i := 0
		for cell := row.FirstChild(); cell != nil && i < len(cells); cell = cell.NextSibling() {
			cells[i] = p.runs(cell, Run{})
			i++
		}
		if _, head := row.(*tables.TableHeader); head {
			t.Head = cells
		} else {
			t.Rows = append(t.Rows, cells)
		}
	}
	return t
}

// runs reads what stands in a paragraph. Neighbours of one look are one run.
func (p reading) runs(parent ast.Node, look Run) (out []Run) {
	add := func(r Run) {
		switch last := len(out) - 1; {
		case r.Text == "":
		case last >= 0 && (Run{out[last].Text, r.Bold, r.Italic, r.Code, r.Strike, r.Link}) == out[last]:
			out[last].Text += r.Text
		default:
			out = append(out, r)
		}
	}
	say := func(words string) {
		r := look
		r.Text = words
		add(r)
	}
	inside := func(n ast.Node, as Run) {
		for _, r := range p.runs(n, as) {
			add(r)
		}
	}
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		as := look
		switch n := n.(type) {
		case *ast.Text:
			said := n.Segment.Value(p.source)
			if !n.IsRaw() {
				said = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(said)))
			}
			say(visible(string(said)))
			if n.SoftLineBreak() || n.HardLineBreak() {
				say("\n")
			}
		case *ast.String:
			say(string(n.Value))
		case *ast.CodeSpan:
			as.Code = true
			inside(n, as)
		case *ast.Emphasis:
			as.Bold, as.Italic = as.Bold || n.Level > 1, as.Italic || n.Level == 1
			inside(n, as)
		case *tables.Strikethrough:
			as.Strike = true
			inside(n, as)
		case *ast.Link:
			as.Link = address(string(n.Destination))
			inside(n, as)
		case *ast.AutoLink:
			as.Link = address(string(n.URL(p.source)))
			as.Text = string(n.Label(p.source))
			add(as)
		case *ast.Image:
			if alt := textOf(p.runs(n, Run{})); alt != "" {
				say(alt)
			} else {
				say(string(n.Destination))
			}
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				part := n.Segments.At(i)
				say(string(part.Value(p.source)))
			}
		case *tables.TaskCheckBox:
			if n.IsChecked {
				say("☑ ")
			} else {
				say("☐ ")
			}
		case *formula:
			as.Code, as.Text = true, n.text
			add(as)
		default:
			inside(n, as)
		}
	}
	return out
}

// formula is a formula within a text, as it was written.
type formula struct {
	ast.String
	text    string
	display bool
}

var kindFormula = ast.NewNodeKind("Formula")

// Kind implements ast.Node.
func (*formula) Kind() ast.NodeKind { return kindFormula }

// formulas reads formulas by the window's rules. A price is none: no space inside the dollars, no digit behind them.
type formulas struct{}

// Trigger implements parser.InlineParser.
func (formulas) Trigger() []byte { return []byte{'$', '\\'} }

// Parse implements parser.InlineParser.
func (formulas) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	const inline, display = 400, 4000
	line, _ := block.PeekLine()
	for _, way := range []struct {
		open, end string
		display   bool
	}{{"$$", "$$", true}, {`\[`, `\]`, true}, {`\(`, `\)`, false}, {"$", "$", false}} {
		rest, ok := bytes.CutPrefix(line, []byte(way.open))
		if !ok {
			continue
		}
		if !way.display {
			at := bytes.Index(rest, []byte(way.end))
			if at <= 0 || at > inline || way.end == "$" && (rest[0] == ' ' || rest[at-1] == ' ' || rest[at-1] == '\\' || at+1 < len(rest) && rest[at+1] >= '0' && rest[at+1] <= '9') {
				return nil
			}
			block.Advance(len(way.open) + at + len(way.end))
			return &formula{text: string(rest[:at])}
		}
		// One that stands for itself may go over many lines.
		l, pos := block.Position()
		block.Advance(len(way.open))
		var said []byte
		for len(said) <= display {
			line, _ := block.PeekLine()
			if line == nil {
				break
			}
			if at := bytes.Index(line, []byte(way.end)); at >= 0 {
				block.Advance(at + len(way.end))
				if said = bytes.TrimSpace(append(said, line[:at]...)); len(said) == 0 {
					break
				}
				return &formula{text: string(said), display: true}
			}
			said = append(said, line...)
			block.AdvanceLine()
		}
		block.SetPosition(l, pos)
		return nil
	}
	return nil
}
