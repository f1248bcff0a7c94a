package extract

import (
	"archive/zip"
	"context"
	"encoding/xml"
	"errors"
	"strings"
)

// readPPTX reads the slides of a PowerPoint file (ECMA-376, PresentationML) in their order, with the speaker's notes behind them.
func (e *Extractor) readPPTX(ctx context.Context, file string) (Text, error) {
	z, err := e.unzip(file)
	if err != nil {
		return Text{}, err
	}
	defer func() { _ = z.Close() }()
	const main = "ppt/presentation.xml"
	show := z.part(main)
	if show == nil {
		return Text{}, errors.New("there is no ppt/presentation.xml")
	}
	parts, err := z.related(ctx, main)
	if err != nil {
		return Text{}, err
	}
	var order []string
	err = z.walk(ctx, show, func(token xml.Token) error {
		if t, starts := token.(xml.StartElement); starts && t.Name.Local == "sldId" {
			for _, a := range t.Attr {
				if a.Name.Local == "id" && a.Name.Space != "" {
					order = append(order, parts[a.Value])
				}
			}
		}
		return nil
	})
	if err != nil {
		return Text{}, err
	}
	deck := slides{most: e.limits.TextBytes, pages: e.limits.Pages}
	for _, name := range order {
		var s slide
		if f := z.part(name); f != nil {
			if s.title, s.text, err = e.shown(ctx, z, f); err != nil {
				return Text{}, err
			}
			beside, err := z.related(ctx, name)
			if err != nil {
				return Text{}, err
			}
			for _, other := range beside {
				if f := z.part(other); f != nil && strings.HasPrefix(other, "ppt/notesSlides/") {
					if _, s.notes, err = e.shown(ctx, z, f); err != nil {
						return Text{}, err
					}
				}
			}
		}
		if err := deck.put(s); err != nil {
			return Text{}, err
		}
	}
	return Text{Title: z.title(ctx, "docProps/core.xml"), Pages: deck.done, Marks: deck.marks}, nil
}

// shown reads the text of a slide or of its notes (a:p, a:t, a:br; tables a:tc), and its title. What every slide shows, its number,
// its day and its foot, is left out.
func (e *Extractor) shown(ctx context.Context, z *archive, f *zip.File) (title, text string, err error) {
	b := sink{most: e.limits.TextBytes}
	inText, kind, from := false, "", 0
	var g grid
	err = z.walk(ctx, f, func(token xml.Token) error {
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "sp":
				kind, from = "", b.Len()
			case "ph":
				kind = attr(t, "type")
			case "t":
				inText = kind != "sldNum" && kind != "dt" && kind != "ftr" && kind != "hdr"
			case "br":
				return b.add("\n")
			}
			return b.add(g.begin(t.Name.Local))
		case xml.EndElement:
			switch t.Name.Local {
			case "t":
				inText = false
			case "sp":
				if (kind == "title" || kind == "ctrTitle") && title == "" {
					title = oneLine(b.String()[from:])
				}
			}
			return b.add(g.end(t.Name.Local))
		case xml.CharData:
			if inText {
				return b.add(string(t))
			}
		}
		return nil
	})
	return title, squeeze(b.String()), err
}
