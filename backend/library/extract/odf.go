package extract

import (
	"context"
	"encoding/xml"
	"errors"
	"strconv"
	"strings"

	"agentchat/backend/brief"
	"agentchat/backend/library/structure"
)

// openODF opens an OpenDocument file (OASIS, ISO 26300), unless it is locked.
func (e *Extractor) openODF(ctx context.Context, file string) (*archive, error) {
	z, err := e.unzip(file)
	if err != nil {
		return nil, err
	}
	locked := false
	if f := z.part("META-INF/manifest.xml"); f != nil {
		err = z.walk(ctx, f, func(token xml.Token) error {
			t, starts := token.(xml.StartElement)
			locked = locked || starts && t.Name.Local == "encryption-data"
			return nil
		})
	}
	switch {
	case locked:
		err = errLocked
	case err == nil && z.part("content.xml") == nil:
		err = errors.New("there is no content.xml")
	}
	if err != nil {
		return nil, errors.Join(err, z.Close())
	}
	return z, nil
}

// odfText gathers what a text of OpenDocument shows, token by token: no comments, nothing that was taken out, spaces as counted.
type odfText struct {
	sink
	grid  grid
	depth int // of paragraphs
	aside int // of what is not shown
}

// odfAside are elements whose paragraphs are none of the text's.
var odfAside = map[string]bool{"annotation": true, "tracked-changes": true, "forms": true, "shapes": true, "scripts": true, "title": true, "desc": true, "note-citation": true}

func (o *odfText) take(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		switch {
		case odfAside[t.Name.Local]:
			o.aside++
		case o.aside > 0:
		case t.Name.Local == "p", t.Name.Local == "h":
			o.depth++
		case t.Name.Local == "table-row", t.Name.Local == "table-cell":
			return o.add(o.grid.begin(t.Name.Local))
		case o.depth == 0:
		case t.Name.Local == "s":
			n, _ := strconv.Atoi(attr(t, "c"))
			return o.add(strings.Repeat(" ", min(max(n, 1), 100)))
		case t.Name.Local == "tab":
			return o.add("\t")
		case t.Name.Local == "line-break":
			return o.add("\n")
		case t.Name.Local == "note-body": // a footnote stands in its paragraph
			return o.add(" (")
		}
	case xml.EndElement:
		switch {
		case odfAside[t.Name.Local]:
			o.aside--
		case o.aside > 0:
		case t.Name.Local == "note-body":
			return o.add(") ")
		case t.Name.Local == "p", t.Name.Local == "h":
			if o.depth--; o.depth == 0 {
				return o.add(o.grid.end(t.Name.Local))
			}
		default:
			return o.add(o.grid.end(t.Name.Local))
		}
	case xml.CharData:
		if o.depth > 0 && o.aside == 0 {
			return o.add(string(t))
		}
	}
	return nil
}

// rowsOfODS reads the sheets of an OpenDocument spreadsheet.
func (e *Extractor) rowsOfODS(ctx context.Context, file string, on func(Row) error) error {
	z, err := e.openODF(ctx, file)
	if err != nil {
		return err
	}
	defer func() { _ = z.Close() }()
	o := odsReader{ctx: ctx, on: on, text: odfText{sink: sink{most: e.limits.TextBytes}}}
	return z.walk(ctx, z.part("content.xml"), o.take)
}

type odsReader struct {
	ctx    context.Context
	on     func(Row) error
	row    Row
	depth  int // of tables
	column int // of the next cell
	again  int // how often the row stands there
	cell   Cell
	cells  int // how often the cell stands there
	text   odfText
}

func (o *odsReader) take(token xml.Token) error {
	if err := o.text.take(token); err != nil {
		return err
	}
	switch t := token.(type) {
	case xml.StartElement:
		if t.Name.Local == "table" {
			if o.depth++; o.depth == 1 {
				if o.row.Sheet++; o.row.Sheet > maxSheets {
					return errPages
				}
				o.row.Name, o.row.Number = oneLine(attr(t, "name")), 0
			}
		}
		if o.depth == 1 {
			return o.begin(t)
		}
	case xml.EndElement:
		if o.depth == 1 {
			switch t.Name.Local {
			case "table-cell", "covered-table-cell":
				return o.put()
			case "table-row":
				return o.tell()
			}
		}
		if t.Name.Local == "table" {
			o.depth--
		}
	}
	return nil
}

func (o *odsReader) begin(t xml.StartElement) error {
	switch t.Name.Local {
	case "table-row":
		o.row.Cells, o.column, o.again = o.row.Cells[:0], 0, repeated(t, "number-rows-repeated")
	case "table-cell", "covered-table-cell":
		o.text.Reset()
		o.cells = repeated(t, "number-columns-repeated")
		switch o.cell = (Cell{}); attr(t, "value-type") {
		case "float", "currency", "percentage":
			if n, err := strconv.ParseFloat(attr(t, "value"), 64); err == nil {
				o.cell = Cell{decimal(n), CellNumber}
			}
		case "date":
			day, _, _ := strings.Cut(strings.Replace(attr(t, "date-value"), "T", " ", 1), ".")
			o.cell = Cell{strings.TrimSuffix(day, " 00:00:00"), CellDate}
		case "boolean":
			o.cell = Cell{strings.ToUpper(attr(t, "boolean-value")), CellBool}
		}
	}
	return nil
}

// repeated tells how often a row or cell stands there.
func repeated(t xml.StartElement, name string) int {
	n, err := strconv.Atoi(attr(t, name))
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// put puts the cell at hand into its row; empty ones only once another follows.
func (o *odsReader) put() error {
	if o.cell.Text == "" {
		o.cell = Cell{Text: strings.TrimSpace(o.text.String())}
	}
	from := o.column
	if o.column += min(o.cells, maxColumns+1); o.cell.Text == "" {
		return nil
	}
	if o.column > maxColumns {
		return errText
	}
	for len(o.row.Cells) < from {
		o.row.Cells = append(o.row.Cells, Cell{})
	}
	for len(o.row.Cells) < o.column {
		o.row.Cells = append(o.row.Cells, o.cell)
	}
	return nil
}

// tell gives the row that ended, as often as it stands there; empty ones are only counted.
func (o *odsReader) tell() error {
	if len(o.row.Cells) == 0 {
		o.row.Number += o.again
		return nil
	}
	for n := range o.again {
		if n%1024 == 0 && o.ctx.Err() != nil {
			return o.ctx.Err()
		}
		o.row.Number++
		if err := o.on(o.row); err != nil {
			return err
		}
	}
	return nil
}

// readODT reads the paragraphs of an OpenDocument text.
func (e *Extractor) readODT(ctx context.Context, file string) (Text, error) {
	z, err := e.openODF(ctx, file)
	if err != nil {
		return Text{}, err
	}
	defer func() { _ = z.Close() }()
	t := Text{}
	text := odfText{sink: sink{most: e.limits.TextBytes}}
	err = z.walk(ctx, z.part("content.xml"), func(token xml.Token) error {
		if tag, starts := token.(xml.StartElement); starts && tag.Name.Local == "soft-page-break" && text.Len() > 0 && len(t.Pages) < e.limits.Pages {
			t.Pages = append(t.Pages, text.String())
			text.most -= text.Len()
			text.Reset()
		}
		return text.take(token)
	})
	t.Pages = append(t.Pages, text.String())
	t.Title = z.title(ctx, "meta.xml")
	return t, err
}

// readODP reads the slides of an OpenDocument presentation, their notes behind what they show.
func (e *Extractor) readODP(ctx context.Context, file string) (Text, error) {
	z, err := e.openODF(ctx, file)
	if err != nil {
		return Text{}, err
	}
	defer func() { _ = z.Close() }()
	r := odpReader{
		deck: slides{most: e.limits.TextBytes, pages: e.limits.Pages},
		text: odfText{sink: sink{most: e.limits.TextBytes}},
	}
	err = z.walk(ctx, z.part("content.xml"), r.token)
	return Text{Title: z.title(ctx, "meta.xml"), Pages: r.deck.done, Marks: r.deck.marks}, err
}

// odpReader reads the slides of a presentation.
type odpReader struct {
	deck   slides
	text   odfText // what is being read: of a slide, or of its notes
	slide  slide
	inside bool // a slide has begun
	title  int  // how deep in the frame of a title
	notes  int
}

func (r *odpReader) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		r.begin(t)
	case xml.EndElement:
		if ended, err := r.end(t.Name.Local); ended {
			return err
		}
	}
	if r.inside {
		return r.text.take(token)
	}
	return nil
}

func (r *odpReader) begin(t xml.StartElement) {
	switch t.Name.Local {
	case "page":
		r.inside, r.slide = true, slide{}
		r.text.Reset()
	case "frame":
		if r.title > 0 || attr(t, "class") == "title" {
			r.title++
		}
	case "notes":
		r.notes++
		r.slide.text = r.text.String()
		r.text.Reset()
	}
}

// end ends an element; ended tells whether that was the slide itself.
func (r *odpReader) end(name string) (ended bool, err error) {
	switch name {
	case "frame":
		if r.title > 0 {
			if r.title--; r.title == 0 && r.slide.title == "" && r.notes == 0 {
				r.slide.title = oneLine(r.text.String())
			}
		}
	case "notes":
		r.notes--
		r.slide.notes = r.text.String()
		r.text.Reset()
	case "page":
		if r.inside = false; r.slide.notes == "" && r.slide.text == "" {
			r.slide.text = r.text.String()
		}
		return true, r.deck.put(r.slide)
	}
	return false, nil
}

// slides are those of a presentation, a page each.
type slides struct {
	most, pages int
	done        []string
	marks       []structure.Mark
}

type slide struct{ title, text, notes string }

// put adds the next slide. It is named by its title, or by its first line.
func (s *slides) put(one slide) error {
	if len(s.done) >= s.pages {
		return errPages
	}
	text := strings.TrimSpace(one.text)
	if notes := strings.TrimSpace(one.notes); notes != "" {
		text += "\n\n" + notes
	}
	if s.most -= len(text); s.most < 0 {
		return errText
	}
	if one.title == "" {
		one.title, _, _ = strings.Cut(text, "\n")
	}
	if text = strings.TrimSpace(text); text != "" {
		s.marks = append(s.marks, structure.Mark{Page: len(s.done), Title: short(one.title)})
	}
	s.done = append(s.done, text)
	return nil
}

// short is a title that fits a line.
func short(title string) string {
	return brief.Fit(oneLine(title), 80)
}
