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
	Name    bilingual.Text
	Endings []string
	MIME    []string // as freedesktop.org's shared database names it
	Unit    Unit

	read   func(e *Extractor, ctx context.Context, file string) (Text, error)
	packed bool // its bytes say nothing about how much text they hold
}

func named(name string) bilingual.Text { return bilingual.Of(name, name) }

// formats is the one list of what can be read; whoever shows, filters or declares formats has them from here.
var formats = []Format{
	{"pdf", FamilyDocument, named("PDF"), []string{".pdf"}, []string{"application/pdf"}, UnitPage, (*Extractor).readPDF, true},
	{"docx", FamilyDocument, named("Word"), []string{".docx", ".docm"}, []string{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/vnd.ms-word.document.macroEnabled.12"}, UnitPage, (*Extractor).readDOCX, true},
	{"hwp", FamilyDocument, bilingual.Of("한글", "Hangul"), []string{".hwp"}, []string{"application/x-hwp", "application/haansofthwp"}, UnitPage, (*Extractor).readHWP, true},
	{"hwpx", FamilyDocument, bilingual.Of("한글", "Hangul"), []string{".hwpx"}, []string{"application/hwp+zip"}, UnitPage, (*Extractor).readHWPX, true},
	{"odt", FamilyDocument, named("OpenDocument"), []string{".odt"}, []string{"application/vnd.oasis.opendocument.text"}, UnitPage, (*Extractor).readODT, true},
	{"rtf", FamilyDocument, named("RTF"), []string{".rtf"}, []string{"application/rtf"}, UnitPage, (*Extractor).readRTF, true},
	{"xlsx", FamilyTable, named("Excel"), []string{".xlsx", ".xlsm"}, []string{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/vnd.ms-excel.sheet.macroEnabled.12"}, UnitSheet, sheetsOf("xlsx"), true},
	{"ods", FamilyTable, named("OpenDocument"), []string{".ods"}, []string{"application/vnd.oasis.opendocument.spreadsheet"}, UnitSheet, sheetsOf("ods"), true},
	{"csv", FamilyTable, named("CSV"), []string{".csv"}, []string{"text/csv"}, UnitSheet, sheetsOf("csv"), true},
	{"tsv", FamilyTable, named("TSV"), []string{".tsv", ".tab"}, []string{"text/tab-separated-values"}, UnitSheet, sheetsOf("tsv"), true},
	{"pptx", FamilySlides, named("PowerPoint"), []string{".pptx", ".pptm", ".ppsx"}, []string{"application/vnd.openxmlformats-officedocument.presentationml.presentation", "application/vnd.ms-powerpoint.presentation.macroEnabled.12", "application/vnd.openxmlformats-officedocument.presentationml.slideshow"}, UnitSlide, (*Extractor).readPPTX, true},
	{"odp", FamilySlides, named("OpenDocument"), []string{".odp"}, []string{"application/vnd.oasis.opendocument.presentation"}, UnitSlide, (*Extractor).readODP, true},
	{"epub", FamilyBook, bilingual.Of("전자책", "e-book"), []string{".epub"}, []string{"application/epub+zip"}, UnitChapter, (*Extractor).readEPUB, true},
	{"eml", FamilyMail, bilingual.Of("메일", "mail"), []string{".eml"}, []string{"message/rfc822"}, UnitPart, (*Extractor).readMail, true},
	{"md", FamilyText, named("Markdown"), []string{".md", ".markdown"}, []string{"text/markdown"}, UnitPage, (*Extractor).readText, false},
	{"html", FamilyText, named("HTML"), []string{".html", ".htm"}, []string{"text/html"}, UnitPage, (*Extractor).readHTML, false},
	{"txt", FamilyText, bilingual.Of("텍스트", "text"), []string{".txt", ".text"}, []string{"text/plain"}, UnitPage, (*Extractor).readText, false},
	{"png", FamilyPicture, named("PNG"), []string{".png"}, []string{"image/png"}, UnitPage, (*Extractor).readPicture, true},
	{"jpeg", FamilyPicture, named("JPEG"), []string{".jpg", ".jpeg"}, []string{"image/jpeg"}, UnitPage, (*Extractor).readPicture, true},
	{"tiff", FamilyPicture, named("TIFF"), []string{".tif", ".tiff"}, []string{"image/tiff"}, UnitPage, (*Extractor).readPicture, true},
	{"bmp", FamilyPicture, named("BMP"), []string{".bmp"}, []string{"image/bmp"}, UnitPage, (*Extractor).readPicture, true},
	{"webp", FamilyPicture, named("WebP"), []string{".webp"}, []string{"image/webp"}, UnitPage, (*Extractor).readPicture, true},
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
