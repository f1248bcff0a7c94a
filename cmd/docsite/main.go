// Command docsite makes the documents of the repository a site of plain files: it opens from a folder, without a server or the internet, and is
// searched in the page. `docsite FOLDER`. goldmark is in go.mod anyway (wails' own command brings it), and nothing people run gets bigger by it.
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

//go:embed page.html
var pageHTML string

// first are the documents that stand before the others, in this order.
var first = []string{"README.md", "docs/ARCHITECTURE.md", "docs/adding.md", "docs/services.md", "docs/models.md", "docs/scale.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"}

// document is one page of the site.
type document struct {
	source string // in the repository
	Page   string // in the site
	Title  string
	body   string
	parts  []found
}

// found is a heading with what stands under it, as the search knows it.
type found struct {
	Page    string `json:"p"`
	Title   string `json:"t"`
	Heading string `json:"h"`
	Text    string `json:"x"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "docsite FOLDER")
		os.Exit(2)
	}
	if err := write(".", os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "docsite:", err)
		os.Exit(1)
	}
}

// write makes the site of a repository in a folder, which is emptied first.
func write(root, site string) error {
	sources, err := documents(root)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(site); err != nil {
		return err
	}
	pages := map[string]string{}
	for _, s := range sources {
		pages[s] = pageOf(s)
	}
	var list []document
	for _, source := range sources {
		d, err := read(root, source, pages)
		if err != nil {
			return fmt.Errorf("%s: %w", source, err)
		}
		list = append(list, d)
	}
	layout, err := template.New("page").Parse(pageHTML)
	if err != nil {
		return err
	}
	var index []found
	for _, d := range list {
		var out bytes.Buffer
		if err := layout.Execute(&out, map[string]any{"Title": d.Title, "Page": d.Page, "Body": template.HTML(d.body), "All": list}); err != nil { //nolint:gosec // our own documents
			return err
		}
		if err := put(filepath.Join(site, d.Page), out.Bytes()); err != nil {
			return err
		}
		index = append(index, d.parts...)
	}
	data, err := json.Marshal(index)
	if err != nil {
		return err
	}
	// A script, because a page that was opened from a folder may not fetch data.
	if err := put(filepath.Join(site, "search.js"), append(append([]byte("window.found="), data...), ';')); err != nil {
		return err
	}
	return os.CopyFS(filepath.Join(site, "images"), os.DirFS(filepath.Join(root, "docs/images")))
}

func put(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// documents lists the Markdown files that become pages.
func documents(root string) ([]string, error) {
	list := slices.Clone(first)
	err := fs.WalkDir(os.DirFS(root), "docs", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(name, ".md") && !slices.Contains(list, name) {
			list = append(list, name)
		}
		return err
	})
	return list, err
}

func pageOf(source string) string {
	if source == "README.md" {
		return "index.html"
	}
	name := strings.TrimSuffix(strings.TrimPrefix(source, "docs/"), ".md")
	return strings.ToLower(strings.ReplaceAll(name, "/", "-")) + ".html"
}

func read(root, source string, pages map[string]string) (document, error) {
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(source)))
	if err != nil {
		return document{}, err
	}
	d := document{source: source, Page: pages[source]}
	md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.CJK), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	tree := md.Parser().Parse(text.NewReader(data), parser.WithContext(parser.NewContext(parser.WithIDs(&ids{taken: map[string]bool{}}))))
	if err := ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			d.visit(n, data, pages)
		}
		return ast.WalkContinue, nil
	}); err != nil {
		return d, err
	}
	var out bytes.Buffer
	if err := md.Renderer().Render(&out, data, tree); err != nil {
		return d, err
	}
	d.body = drawings.ReplaceAllStringFunc(out.String(), func(block string) string {
		return "<figure>" + block + "<figcaption>mermaid</figcaption></figure>"
	})
	return d, nil
}

var drawings = regexp.MustCompile(`(?s)<pre><code class="language-mermaid">.*?</code></pre>`)

// visit has links lead to pages of the site, and keeps what is said for the search.
func (d *document) visit(n ast.Node, data []byte, pages map[string]string) {
	switch n := n.(type) {
	case *ast.Link:
		n.Destination = []byte(d.target(string(n.Destination), pages))
	case *ast.Image:
		n.Destination = []byte("images/" + path.Base(string(n.Destination)))
	case *ast.Heading:
		title := plain(n, data)
		if d.Title == "" {
			d.Title = title
		}
		id, _ := n.AttributeString("id")
		anchor, _ := id.([]byte)
		d.parts = append(d.parts, found{d.Page + "#" + string(anchor), d.Title, title, ""})
	case *ast.Paragraph, *ast.TextBlock:
		d.say(plain(n, data))
	case *ast.FencedCodeBlock:
		var code strings.Builder
		for i := range n.Lines().Len() {
			line := n.Lines().At(i)
			code.Write(line.Value(data))
		}
		d.say(code.String())
	default:
		if n.Kind().String() == "TableCell" {
			d.say(plain(n, data))
		}
	}
}

func (d *document) say(words string) {
	if len(d.parts) > 0 {
		p := &d.parts[len(d.parts)-1]
		p.Text = strings.TrimSpace(p.Text + " " + strings.Join(strings.Fields(words), " "))
	}
}

// target is where a link of a document leads in the site: to a page of it, elsewhere, or nowhere when it names a file that is no page.
func (d *document) target(to string, pages map[string]string) string {
	if to == "" || strings.HasPrefix(to, "#") || strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
		return to
	}
	file, anchor, _ := strings.Cut(to, "#")
	source := path.Join(path.Dir(d.source), file)
	page, ok := pages[source]
	if !ok {
		all := slices.Sorted(maps.Keys(pages))
		i := slices.IndexFunc(all, func(s string) bool { return strings.HasPrefix(s, source+"/") })
		if i < 0 {
			return "#"
		}
		page = pages[all[i]] // a folder: its first page
	}
	if anchor != "" {
		page += "#" + anchor
	}
	return page
}

// plain is the words of a node.
func plain(n ast.Node, data []byte) string {
	var out strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := c.(*ast.Text); ok && entering {
			out.Write(t.Segment.Value(data))
			if t.SoftLineBreak() {
				out.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return html.UnescapeString(out.String())
}

// ids makes anchors of headings as code hosts do, of any script.
type ids struct{ taken map[string]bool }

var apart = regexp.MustCompile(`[^\p{L}\p{N} _-]+`)

// Generate implements parser.IDs.
func (i *ids) Generate(value []byte, _ ast.NodeKind) []byte {
	base := strings.ReplaceAll(apart.ReplaceAllString(strings.ToLower(strings.TrimSpace(string(value))), ""), " ", "-")
	name := base
	for n := 1; i.taken[name]; n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	i.taken[name] = true
	return []byte(name)
}

// Put implements parser.IDs.
func (i *ids) Put(value []byte) { i.taken[string(value)] = true }
