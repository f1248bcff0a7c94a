package library

import (
	"strings"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/extract"
)

// Item is one passage or article that a tool brought. Page counts from 1; Start and End are bytes in the document's text.
type Item struct {
	DocumentID string  `json:"documentId"`
	Title      string  `json:"title"`
	Kind       string  `json:"kind"`              // mine, standard or attached
	Article    string  `json:"article,omitempty"` // 제5조(계약기간)
	Number     string  `json:"number,omitempty"`
	Deleted    bool    `json:"deleted,omitempty"`
	Page       int     `json:"page"`
	Unit       string  `json:"unit,omitempty"` // what Page counts; pages where it is not said
	Start      int     `json:"start"`
	End        int     `json:"end"`
	Quote      string  `json:"quote"`
	Score      float64 `json:"score"`

	Whole   bool   `json:"whole,omitempty"`   // all that the document says
	Picture string `json:"picture,omitempty"` // it is a picture, the content of that name; Quote says what is known of it
}

// Place names the page an item stands on, as its document counts: 3쪽, slide 3.
func (it Item) Place() bilingual.Text { return extract.Unit(it.Unit).Of(it.Page) }

// UnitOf is what a document's pages are, as items have it: nothing where they are pages.
func UnitOf(d Document) string {
	if u := extract.UnitOf(d.Format); u != extract.UnitPage {
		return string(u)
	}
	return ""
}

// Report is what one of the library's tools brought. Available says which articles there are when the one asked for is not.
type Report struct {
	Mode       string       `json:"mode,omitempty"` // lexical or hybrid
	Items      []Item       `json:"items"`
	Available  []string     `json:"available,omitempty"`
	Comparison *Differences `json:"comparison,omitempty"`
}

// Differences say how a clause differs from the standard. The figures are amounts, spans and shares.
type Differences struct {
	Alike        float64  `json:"alike"` // 0 to 1
	Same         []string `json:"same"`
	OnlyMine     []string `json:"onlyMine"`
	OnlyStandard []string `json:"onlyStandard"`
	Missing      []string `json:"missing"` // paragraphs of the standard
}

// Label names an article as its document does: 제5조(계약기간).
func (a Article) Label() string {
	name := a.Number
	switch {
	case name == "":
		return a.Title
	case strings.Contains(name, "의"):
		n, branch, _ := strings.Cut(name, "의")
		name = "제" + n + "조의" + branch
	case strings.Contains(name, "."):
	default:
		name = "제" + name + "조"
	}
	if a.Title != "" {
		name += "(" + a.Title + ")"
	}
	if a.Part != "" {
		name = a.Part + " " + name
	}
	return name
}
