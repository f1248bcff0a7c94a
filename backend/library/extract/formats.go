package extract

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"agentchat/backend/language/bilingual"
)

// Unit is what one of a document's pages is: what a source's page number counts.
type Unit string

// The units.
const (
	UnitPage    Unit = "page"
	UnitSheet   Unit = "sheet"
	UnitSlide   Unit = "slide"
	UnitChapter Unit = "chapter"
	UnitPart    Unit = "part" // of a mail
)

// Of names one of them: 3쪽, slide 3.
func (u Unit) Of(n int) bilingual.Text {
	switch u {
	case UnitSheet:
		return bilingual.Textf("시트 %d", "sheet %d", n)
	case UnitSlide:
		return bilingual.Textf("슬라이드 %d", "slide %d", n)
	case UnitChapter:
		return bilingual.Textf("%d번째 장", "chapter %d", n)
	case UnitPart:
		return bilingual.Textf("메일의 %d번째 부분", "part %d of the mail", n)
	case UnitPage:
	}
	return bilingual.Textf("%d쪽", "p. %d", n)
}

// Family is a kind of file as people know it.
type Family string

// The families.
const (
	FamilyDocument Family = "document"
	FamilyTable    Family = "table"
	FamilySlides   Family = "slides"
	FamilyBook     Family = "book"
	FamilyMail     Family = "mail"
	FamilyText     Family = "text"
	FamilyPicture  Family = "picture"
)

// Format is one that can be read. The first of its endings is the usual one.
type Format struct {
	Key     string
	Family  Family
	Endings []string
	MIME    []string // as freedesktop.org's shared database names it
	Unit    Unit

	packed bool // its bytes say nothing about how much text they hold
}

// formats is the one list of what can be read; whoever shows, filters or declares formats has them from here.
var formats = []Format{
	{"pdf", FamilyDocument, []string{".pdf"}, []string{"application/pdf"}, UnitPage, true},
	{"docx", FamilyDocument, []string{".docx", ".docm"}, []string{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/vnd.ms-word.document.macroEnabled.12"}, UnitPage, true},
	{"hwp", FamilyDocument, []string{".hwp"}, []string{"application/x-hwp", "application/haansofthwp"}, UnitPage, true},
	{"hwpx", FamilyDocument, []string{".hwpx"}, []string{"application/hwp+zip"}, UnitPage, true},
	{"odt", FamilyDocument, []string{".odt"}, []string{"application/vnd.oasis.opendocument.text"}, UnitPage, true},
	{"rtf", FamilyDocument, []string{".rtf"}, []string{"application/rtf"}, UnitPage, true},
	{"xlsx", FamilyTable, []string{".xlsx", ".xlsm"}, []string{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/vnd.ms-excel.sheet.macroEnabled.12"}, UnitSheet, true},
	{"ods", FamilyTable, []string{".ods"}, []string{"application/vnd.oasis.opendocument.spreadsheet"}, UnitSheet, true},
	{"csv", FamilyTable, []string{".csv"}, []string{"text/csv"}, UnitSheet, true},
	{"tsv", FamilyTable, []string{".tsv", ".tab"}, []string{"text/tab-separated-values"}, UnitSheet, true},
	{"pptx", FamilySlides, []string{".pptx", ".pptm", ".ppsx"}, []string{"application/vnd.openxmlformats-officedocument.presentationml.presentation", "application/vnd.ms-powerpoint.presentation.macroEnabled.12", "application/vnd.openxmlformats-officedocument.presentationml.slideshow"}, UnitSlide, true},
	{"odp", FamilySlides, []string{".odp"}, []string{"application/vnd.oasis.opendocument.presentation"}, UnitSlide, true},
	{"epub", FamilyBook, []string{".epub"}, []string{"application/epub+zip"}, UnitChapter, true},
	{"eml", FamilyMail, []string{".eml"}, []string{"message/rfc822"}, UnitPart, true},
	{"md", FamilyText, []string{".md", ".markdown"}, []string{"text/markdown"}, UnitPage, false},
	{"html", FamilyText, []string{".html", ".htm"}, []string{"text/html"}, UnitPage, false},
	{"txt", FamilyText, []string{".txt", ".text"}, []string{"text/plain"}, UnitPage, false},
	{"png", FamilyPicture, []string{".png"}, []string{"image/png"}, UnitPage, true},
	{"jpeg", FamilyPicture, []string{".jpg", ".jpeg"}, []string{"image/jpeg"}, UnitPage, true},
	{"tiff", FamilyPicture, []string{".tif", ".tiff"}, []string{"image/tiff"}, UnitPage, true},
	{"bmp", FamilyPicture, []string{".bmp"}, []string{"image/bmp"}, UnitPage, true},
	{"webp", FamilyPicture, []string{".webp"}, []string{"image/webp"}, UnitPage, true},
}

// read reads a file of a format.
func (e *Extractor) read(ctx context.Context, format, file string) (Text, error) {
	switch format {
	case "pdf":
		return e.readPDF(ctx, file)
	case "docx":
		return e.unzipped(ctx, file, e.readDOCX)
	case "hwp":
		return e.readHWP(ctx, file)
	case "hwpx":
		return e.unzipped(ctx, file, e.readHWPX)
	case "odt":
		return e.readODT(ctx, file)
	case "rtf":
		return e.readRTF(ctx, file)
	case "xlsx", "ods", "csv", "tsv":
		return e.readSheets(ctx, file, format)
	case "pptx":
		return e.unzipped(ctx, file, e.readPPTX)
	case "odp":
		return e.readODP(ctx, file)
	case "epub":
		return e.unzipped(ctx, file, e.readEPUB)
	case "eml":
		return e.readMail(ctx, file)
	case "html":
		return e.readHTML(ctx, file)
	case "png", "jpeg", "tiff", "bmp", "webp":
		return e.readPicture(ctx, file)
	}
	return e.readText(ctx, file)
}

// Formats lists what can be read.
func Formats() []Format { return slices.Clone(formats) }

// UnitOf is what the pages of a document of a format are; a page, where the format is none that is read.
func UnitOf(format string) Unit {
	for _, f := range formats {
		if f.Key == format {
			return f.Unit
		}
	}
	return UnitPage
}

// older says what to do with files of formats that came before those that are read.
var older = map[string][3]string{".doc": {"DOC", "Word", "DOCX"}, ".xls": {"XLS", "Excel", "XLSX"}, ".ppt": {"PPT", "PowerPoint", "PPTX"}}

// formatOf finds the format that a file's name says.
func formatOf(path string) (Format, error) {
	ending := strings.ToLower(filepath.Ext(path))
	for _, f := range formats {
		if slices.Contains(f.Endings, ending) {
			return f, nil
		}
	}
	if o, is := older[ending]; is {
		return Format{}, refuse(path, nil, o[0]+" 파일은 읽을 수 없어요. "+o[1]+"에서 "+o[2]+"로 저장한 다음 넣어 주세요",
			o[0]+" files cannot be read; save it as "+o[2]+" and add that")
	}
	var names []string
	for _, f := range formats {
		names = append(names, strings.ToUpper(f.Key))
	}
	list := strings.Join(names, ", ")
	return Format{}, refuse(path, nil, "읽을 수 없는 형식이에요. 읽을 수 있는 것: "+list, "it is of a format that cannot be read; these can: "+list)
}

// Known tells whether a file's name says that it can be read.
func Known(path string) bool {
	_, err := formatOf(path)
	return err == nil
}

// Patterns are the endings as file dialogs filter by them: *.pdf;*.docx.
func Patterns() string {
	var list []string
	for _, f := range formats {
		for _, ending := range f.Endings {
			list = append(list, "*"+ending)
		}
	}
	return strings.Join(list, ";")
}
