package extract

import (
	"context"
	"encoding/xml"
	"errors"
	"regexp"
	"strings"
)

var (
	docxPart = regexp.MustCompile(`^word/document\.xml$`)
	docxNote = regexp.MustCompile(`^word/(?:footnotes|endnotes)\.xml$`)
	hwpxPart = regexp.MustCompile(`^Contents/section\d{1,4}\.xml$`)
)

// grid follows the tables of a text: a row is a line of it, and tabs stand between its cells.
type grid struct {
	cells int // how deep in cells
	full  bool
}

// begin gives what stands in the text where an element begins.
func (g *grid) begin(element string) string {
	switch element {
	case "tr", "table-row":
		if g.cells == 0 {
			g.full = false
		}
	case "tc", "table-cell":
		if g.cells++; g.cells == 1 && g.full {
			return "\t"
		}
		g.full = true
	}
	return ""
}

// end gives what stands in the text where an element ends.
func (g *grid) end(element string) string {
	switch element {
	case "tc", "table-cell":
		g.cells--
	case "tr", "table-row":
		if g.cells == 0 {
			return "\n"
		}
	case "p", "h":
		if g.cells > 0 {
			return " "
		}
		return "\n"
	}
	return ""
}

// docxNotes are the footnotes and endnotes of a Word document, by the name of what points at one and its id.
func (e *Extractor) docxNotes(ctx context.Context, z *archive) (map[string]string, error) {
	notes := map[string]string{}
	for _, part := range z.parts(docxNote) {
		b := sink{most: e.limits.TextBytes}
		note, inText := "", false
		if err := z.walk(ctx, part, func(token xml.Token) error {
			switch t := token.(type) {
			case xml.StartElement:
				switch t.Name.Local {
				case "footnote", "endnote":
					if note = ""; attr(t, "type") == "" { // the others are lines between text and notes
						note = t.Name.Local + "Reference" + attr(t, "id")
					}
				case "t":
					inText = note != ""
				case "tab", "br", "cr":
					return b.add(" ")
				}
			case xml.EndElement:
				switch t.Name.Local {
				case "t":
					inText = false
				case "p":
					return b.add(" ")
				case "footnote", "endnote":
					if text := strings.Join(strings.Fields(b.String()), " "); note != "" && text != "" {
						notes[note] = text
					}
					b.Reset()
				}
			case xml.CharData:
				if inText {
					return b.add(string(t))
				}
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return notes, nil
}

// readDOCX reads the paragraphs of a Word document (ECMA-376: w:p, w:t, w:tab, w:br), and its notes where they are pointed at. Page breaks that
// Word left in it count pages.
func (e *Extractor) readDOCX(ctx context.Context, z *archive) (Text, error) {
	list := z.parts(docxPart)
	if len(list) == 0 {
		return Text{}, errors.New("there is no word/document.xml")
	}
	notes, err := e.docxNotes(ctx, z)
	if err != nil {
		return Text{}, err
	}
	b := sink{most: e.limits.TextBytes}
	pages := []string{}
	turn := func() {
		pages = append(pages, b.String())
		b.Reset()
	}
	inText := false
	var g grid
	err = z.walk(ctx, list[0], func(token xml.Token) error {
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "t":
				inText = true
			case "footnoteReference", "endnoteReference":
				if note := t.Name.Local + attr(t, "id"); notes[note] != "" {
					said := " (" + notes[note] + ")"
					delete(notes, note) // pointed at again and again, it would grow without end
					return b.add(said)
				}
			case "tab":
				return b.add("\t")
			case "br", "cr":
				if attr(t, "type") == "page" && len(pages) < e.limits.Pages {
					turn()
					return nil
				}
				return b.add("\n")
			case "lastRenderedPageBreak":
				if b.Len() > 0 && len(pages) < e.limits.Pages {
					turn()
				}
			}
			return b.add(g.begin(t.Name.Local))
		case xml.EndElement:
			if t.Name.Local == "t" {
				inText = false
			}
			return b.add(g.end(t.Name.Local))
		case xml.CharData:
			if inText {
				return b.add(string(t))
			}
		}
		return nil
	})
	turn()
	return Text{Title: z.title(ctx, "docProps/core.xml"), Pages: pages}, err
}

// readHWPX reads the paragraphs of a Hangul document (KS X 6101, OWPML: hp:p, hp:t), section by section.
func (e *Extractor) readHWPX(ctx context.Context, z *archive) (Text, error) {
	list := z.parts(hwpxPart)
	if len(list) == 0 {
		return Text{}, errors.New("there is no Contents/section0.xml")
	}
	b := sink{most: e.limits.TextBytes}
	pages := []string{}
	for _, part := range list {
		depth := 0 // of hp:t
		var g grid
		err := z.walk(ctx, part, func(token xml.Token) error {
			switch t := token.(type) {
			case xml.StartElement:
				switch t.Name.Local {
				case "t":
					depth++
				case "p":
					if attr(t, "pageBreak") == "1" && b.Len() > 0 && len(pages) < e.limits.Pages {
						pages = append(pages, b.String())
						b.Reset()
					}
				case "tab":
					return b.add("\t")
				case "lineBreak":
					return b.add("\n")
				}
				return b.add(g.begin(t.Name.Local))
			case xml.EndElement:
				if t.Name.Local == "t" {
					depth--
				}
				return b.add(g.end(t.Name.Local))
			case xml.CharData:
				if depth > 0 {
					return b.add(string(t))
				}
			}
			return nil
		})
		if err != nil {
			return Text{}, err
		}
	}
	return Text{Title: z.title(ctx, "Contents/content.hpf"), Pages: append(pages, b.String())}, nil
}

// title reads the title among a document's properties; a document without one has none.
func (a *archive) title(ctx context.Context, part string) string {
	var b strings.Builder
	for _, f := range a.File {
		if f.Name != part {
			continue
		}
		in := false
		_ = a.walk(ctx, f, func(token xml.Token) error {
			switch t := token.(type) {
			case xml.StartElement:
				in = t.Name.Local == "title"
			case xml.EndElement:
				in = false
			case xml.CharData:
				if in && b.Len() < 1000 {
					b.Write(t)
				}
			}
			return nil
		})
	}
	return b.String()
}

// attr gives an attribute by its local name.
func attr(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
