package extract

import (
	"archive/zip"
	"context"
	"encoding/xml"
	"errors"
	"strings"
)

// readPPTX reads the slides of a PowerPoint file (ECMA-376, PresentationML) in their order, with the speaker's notes behind them.
func (e *Extractor) readPPTX(ctx context.Context, z *archive) (Text, error) {
	order, err := z.slideOrder(ctx)
	if err != nil {
		return Text{}, err
	}
	deck := slides{most: e.limits.TextBytes, pages: e.limits.Pages}
	for _, name := range order {
		s, err := e.slide(ctx, z, name)
		if err == nil {
			err = deck.put(s)
		}
		if err != nil {
			return Text{}, err
		}
	}
	return Text{Title: z.title(ctx, "docProps/core.xml"), Pages: deck.done, Marks: deck.marks}, nil
}

// slideOrder gives the parts that hold the slides, as they are shown one after the other.
func (a *archive) slideOrder(ctx context.Context) (order []string, err error) {
	const main = "ppt/presentation.xml"
	show := a.part(main)
	if show == nil {
		return nil, errors.New("there is no " + main)
	}
	parts, err := a.related(ctx, main)
	if err != nil {
		return nil, err
	}
	err = a.walk(ctx, show, func(token xml.Token) error {
		if t, starts := token.(xml.StartElement); starts && t.Name.Local == "sldId" {
			for _, at := range t.Attr {
				if at.Name.Local == "id" && at.Name.Space != "" {
					order = append(order, parts[at.Value])
				}
			}
		}
		return nil
	})
	return order, err
}

// slide reads one slide with its notes; a part that is not there is an empty one.
func (e *Extractor) slide(ctx context.Context, z *archive, name string) (s slide, err error) {
	f := z.part(name)
	if f == nil {
		return s, nil
	}
	if s.title, s.text, err = e.shown(ctx, z, f); err != nil {
		return s, err
	}
	beside, err := z.related(ctx, name)
	if err != nil {
		return s, err
	}
	for _, other := range beside {
		if f := z.part(other); f != nil && strings.HasPrefix(other, "ppt/notesSlides/") {
			if _, s.notes, err = e.shown(ctx, z, f); err != nil {
				return s, err
			}
		}
	}
	return s, nil
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
