// Package export makes files of what was said and found out: Markdown, web pages, PDF and Word files. There is one document, which is made once
// out of messages and reports ([Parse] reads their Markdown), and a [Format] for each kind of file. Nothing is fetched, nothing in a document can do anything in a
// file, and the same document gives the same bytes. Tables alone are package spreadsheet's.
package export

import (
	"net/url"
	"strings"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/spreadsheet"
)

// Document is what a file is made of.
type Document struct {
	Title  string
	Note   string // a line below the title; "": none
	Lang   bilingual.Lang
	Made   time.Time // what the file says when it was made; zero: nothing
	Blocks []Block
	// Values are the tables that a tool gave as such; where there are none, tables are read out of the text.
	Values []spreadsheet.Table
}

// Block is a part of a document: one of the types of this file that say so.
type Block interface{ block() }

// Run is text of one look. A line break in Text is one in the file. Link is an address of the web, "" for none.
type Run struct {
	Text                       string
	Bold, Italic, Code, Strike bool
	Link                       string
}

// Heading is a heading; Level counts from 1.
type Heading struct {
	Level int
	Runs  []Run
}

// Paragraph is a paragraph.
type Paragraph struct{ Runs []Run }

// List is a list; the numbers of an ordered one begin with Start.
type List struct {
	Ordered bool
	Start   int
	Items   [][]Block
}

// Code is a text that keeps its lines and spaces. Lang is what it is written in, "" when nobody said.
type Code struct{ Lang, Text string }

// Formula is a formula of its own, as it was written.
type Formula struct{ Text string }

// Align is where the text of a column stands.
type Align string

// The alignments.
const (
	Left   Align = ""
	Center Align = "center"
	Right  Align = "right"
)

// Table is a table. Head and every row have as many cells as Aligns. A Form is drawn like one and holds no data: files of tables leave it out.
type Table struct {
	Form   bool
	Aligns []Align
	Head   [][]Run
	Rows   [][][]Run
}

// Quote is what somebody else said.
type Quote struct{ Blocks []Block }

// Source is what an answer rests on: the number by which the text names it, what it is, where in it, and the words.
type Source struct {
	Number          int
	Title, At, Text string
}

// Image is a picture: a JPEG of so many pixels. Alt says what it is.
type Image struct {
	JPEG          []byte
	Width, Height int
	Grey          bool
	Alt           string
}

// Rule is a line between two parts.
type Rule struct{}

// Turn is what somebody says in a conversation. What the person said themselves is Mine.
type Turn struct {
	Mine      bool
	Who, When string
	Blocks    []Block
	Notes     []string // what belongs to it and is not said in it, a line each
}

func (Heading) block()   {}
func (Paragraph) block() {}
func (List) block()      {}
func (Code) block()      {}
func (Formula) block()   {}
func (Table) block()     {}
func (Quote) block()     {}
func (Source) block()    {}
func (Image) block()     {}
func (Rule) block()      {}
func (Turn) block()      {}

// Plain is a paragraph of a text that is no Markdown.
func Plain(text string) Paragraph { return Paragraph{[]Run{{Text: text}}} }

// textOf is what runs say.
func textOf(runs []Run) string {
	var b strings.Builder
	for _, r := range runs {
		b.WriteString(r.Text)
	}
	return b.String()
}

// address gives what a link may lead to: an address of the web, in ASCII; "" for all else.
func address(raw string) string {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}

// visible takes out of a text what is no character of a file: control characters but tabs and line breaks, and halves of characters.
func visible(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\r\n", "\n"), "\r", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == 0xfffe || r == 0xffff || r == '\u2028' || r == '\u2029':
			return -1
		}
		return r
	}, text)
}
