package export

import (
	"bytes"
	"io"
	"slices"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// Format is a kind of file that a document can be.
type Format struct {
	Key  string         // as people name it, and how its files end
	Name bilingual.Text // what people read
	// Write writes a document. It gives what the writer below says, and reads nothing but the document.
	Write func(w io.Writer, d *Document) error
}

// Formats are the kinds of files, the likeliest first.
var Formats = []Format{
	{"pdf", bilingual.Of("PDF", "PDF"), writePDF},
	{"docx", bilingual.Of("워드 문서", "Word document"), writeDOCX},
	{"html", bilingual.Of("웹 페이지", "Web page"), writeHTML},
	{"md", bilingual.Of("마크다운", "Markdown"), writeMarkdown},
}

// FormatOf gives a kind of file. Errors: invalid_args.
func FormatOf(key string) (Format, error) {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Key == key })
	if i < 0 {
		return Format{}, apperr.New(apperr.InvalidArgs, "detail", "format: pdf | docx | html | md")
	}
	return Formats[i], nil
}

// Bytes is a document as a file of a kind.
func (f Format) Bytes(d *Document) ([]byte, error) {
	var b bytes.Buffer
	if err := f.Write(&b, d); err != nil {
		return nil, apperr.Wrap(err, apperr.Internal)
	}
	return b.Bytes(), nil
}
