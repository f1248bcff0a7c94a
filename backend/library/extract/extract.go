// Package extract reads the text out of files: PDF, DOCX, HWPX, Markdown, HTML and plain text. Files are hostile until they
// are read: every format has hard limits on bytes, pages, expansion and time, and what breaks them is refused with a reason.
package extract

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// Text is what a file says, page by page. A format without pages has one.
type Text struct {
	Title  string // what the document calls itself, "" if it does not
	Format string
	Pages  []string
}

// Limits bound what is read of one file. The zero value of a field is the default.
type Limits struct {
	FileBytes int64         // of the file itself
	TextBytes int           // of the text it holds, and of every part of an archive
	Pages     int           //
	Time      time.Duration // for the whole file
}

// Default limits: the longest statutes and contracts are far below.
const (
	defaultFileBytes = 200 << 20
	defaultTextBytes = 32 << 20
	defaultPages     = 5000
	defaultTime      = 2 * time.Minute

	largeFile = 4 << 20
)

func (l Limits) orDefault() Limits {
	if l.FileBytes <= 0 {
		l.FileBytes = defaultFileBytes
	}
	if l.TextBytes <= 0 {
		l.TextBytes = defaultTextBytes
	}
	if l.Pages <= 0 {
		l.Pages = defaultPages
	}
	if l.Time <= 0 {
		l.Time = defaultTime
	}
	return l
}

// Extractor reads files. Safe for concurrent use; Close frees what PDF needed.
type Extractor struct {
	limits Limits
	pdf    pdfReader
}

// New makes an extractor. What is compiled for it is kept in the folder dir, which must be nobody else's; "" keeps nothing.
func New(limits Limits, dir string) *Extractor {
	return &Extractor{limits: limits.orDefault(), pdf: pdfReader{dir: dir}}
}

// Formats are the file name endings that can be read, with the name of the format.
var Formats = map[string]string{
	".pdf": "pdf", ".docx": "docx", ".hwpx": "hwpx", ".md": "md", ".markdown": "md", ".html": "html", ".htm": "html", ".txt": "txt", ".text": "txt",
}

// Known tells whether a file's name says that it can be read.
func Known(path string) bool { return Formats[strings.ToLower(filepath.Ext(path))] != "" }

// Read reads a file. Errors: document_refused with a reason, not_found, and ctx's.
func (e *Extractor) Read(ctx context.Context, path string) (Text, error) {
	ending := strings.ToLower(filepath.Ext(path))
	format := Formats[ending]
	switch {
	case format != "":
	case ending == ".hwp":
		return Text{}, refuse(path, nil, "HWP 파일은 읽을 수 없어요. 한글에서 HWPX로 저장한 다음 넣어 주세요", "HWP files cannot be read; save it as HWPX and add that")
	case ending == ".doc":
		return Text{}, refuse(path, nil, "DOC 파일은 읽을 수 없어요. DOCX로 저장한 다음 넣어 주세요", "DOC files cannot be read; save it as DOCX and add that")
	default:
		return Text{}, refuse(path, nil, "읽을 수 없는 형식이에요. PDF, DOCX, HWPX, Markdown, HTML, 텍스트 파일을 넣어 주세요", "it is of a format that cannot be read; PDF, DOCX, HWPX, Markdown, HTML and text can")
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Text{}, shut(path, err)
	case !info.Mode().IsRegular():
		return Text{}, refuse(path, nil, "보통 파일이 아니에요", "it is not a regular file")
	case info.Size() > e.most(format):
		return Text{}, refuse(path, nil, "파일이 너무 커요", "the file is too large")
	case info.Size() == 0:
		return Text{}, refuse(path, nil, "빈 파일이에요", "the file is empty")
	}
	probe, err := os.Open(path)
	if err != nil {
		return Text{}, shut(path, err)
	}
	_ = probe.Close()
	if format == "pdf" { // the first one has the machine built that reads it: that is not the document's time
		if err := e.Warm(); err != nil {
			return Text{}, broken(path, format, err)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, e.limits.Time)
	defer cancel()
	t, err := e.read(ctx, path, format)
	if err != nil || info.Size() > largeFile {
		defer debug.FreeOSMemory() // what was taken for it is given back at once
	}
	if err != nil {
		if apperr.CodeOf(err) == apperr.DocumentRefused {
			return Text{}, err
		}
		if ctx.Err() != nil {
			return Text{}, refuse(path, ctx.Err(), "읽는 데 너무 오래 걸려요", "reading it takes too long")
		}
		return Text{}, broken(path, format, err)
	}
	t.Format = format
	return e.tidy(path, t)
}

func (e *Extractor) read(ctx context.Context, path, format string) (Text, error) {
	switch format {
	case "pdf":
		return e.readPDF(ctx, path)
	case "docx":
		return e.readDOCX(ctx, path)
	case "hwpx":
		return e.readHWPX(ctx, path)
	}
	raw, err := readFile(path, e.most(format))
	if err != nil {
		return Text{}, err
	}
	if format == "html" {
		return e.readHTML(ctx, raw)
	}
	text, err := decode(raw, "")
	if strings.Count(text, "\f") >= e.limits.Pages {
		return Text{}, errPages
	}
	return Text{Pages: strings.Split(text, "\f")}, err
}

// most is how large a file of a format may be. What is text already can hold no more of it than its bytes; UTF-16 takes two.
func (e *Extractor) most(format string) int64 {
	switch format {
	case "pdf", "docx", "hwpx":
		return e.limits.FileBytes
	}
	return min(e.limits.FileBytes, 2*int64(e.limits.TextBytes))
}

// tidy makes text fit to be kept: NFC, no control characters, no more than allowed, and not nothing at all.
func (e *Extractor) tidy(path string, t Text) (Text, error) {
	total, reqs := 0, 0
	if len(t.Pages) > e.limits.Pages {
		return Text{}, broken(path, t.Format, errPages)
	}
	for _, p := range t.Pages {
		if total += len(p); total > e.limits.TextBytes*3/2 { // before anything is made of it; CP949 takes less than UTF-8
			return Text{}, broken(path, t.Format, errText)
		}
	}
	total = 0
	for i, p := range t.Pages {
		p = strings.ReplaceAll(strings.ReplaceAll(p, "\r\n", "\n"), "\r", "\n")
		p = norm.NFC.String(strings.ToValidUTF8(p, "\uFFFD"))
		t.Pages[i] = strings.Map(func(r rune) rune {
			switch {
			case r == '\n' || r == '\t':
				return r
			case r < ' ', r == 0x7f, r == '\uFEFF', r == '\u200B', r == '\u00AD':
				return -1
			case r == '\u00A0', r == '\u3000':
				return ' '
			}
			return r
		}, p)
		if total += len(t.Pages[i]); total > e.limits.TextBytes {
			return Text{}, broken(path, t.Format, errText)
		}
		reqs += utf8.RuneCountInString(strings.TrimSpace(t.Pages[i]))
	}
	if reqs == 0 {
		return Text{}, refuse(path, nil, "읽을 글이 없어요. 사진으로 된 문서라면 글자로 바꾼 뒤 다시 넣어 주세요", "it holds no text; if it is made of pictures, have it recognised first")
	}
	t.Title = strings.Join(strings.Fields(t.Title), " ")
	if r := []rune(t.Title); len(r) > 200 {
		t.Title = string(r[:200])
	}
	return t, nil
}

var (
	errPages = errors.New("too many pages")
	errText  = errors.New("too much text")
)

// refuse says why a file was not taken.
func refuse(path string, cause error, ko, en string) error {
	return apperr.Wrap(cause, apperr.DocumentRefused, "name", filepath.Base(path), "detail", bilingual.Of(ko, en))
}

// broken says what is wrong with a file that was opened and could not be read.
func broken(path, format string, cause error) error {
	switch {
	case errors.Is(cause, errBomb):
		return refuse(path, cause, "풀면 터무니없이 커지는 파일이라 열지 않았어요", "it unpacks to far too much, so it was not opened")
	case errors.Is(cause, errPages):
		return refuse(path, nil, "쪽이 너무 많아요", "it has too many pages")
	case errors.Is(cause, errText):
		return refuse(path, nil, "글이 너무 많아요", "it holds too much text")
	case errors.Is(cause, errLocked), (format == "docx" || format == "hwpx") && isCompound(path):
		return refuse(path, cause, "암호가 걸려 있거나 옛 형식이에요. 암호를 풀고 새 형식으로 저장한 뒤 다시 넣어 주세요", "it is locked with a password or of an old format; unlock it, save it in the new format and add that")
	}
	return refuse(path, cause, "파일이 망가졌거나 형식이 달라요", "the file is broken or of another format")
}

// isCompound tells whether a file is what office programs wrap documents with a password in, and wrote before.
func isCompound(path string) bool {
	head, err := readFile(path, 8)
	return err == nil && string(head) == "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"
}

// shut says why a file cannot be opened.
func shut(path string, cause error) error {
	switch {
	case errors.Is(cause, fs.ErrPermission):
		return refuse(path, cause, "이 컴퓨터의 권한 때문에 열 수 없어요. 파일의 권한을 확인한 다음 다시 넣어 주세요", "this computer does not let it be opened; check its permissions and add it again")
	case errors.Is(cause, fs.ErrNotExist):
		return refuse(path, cause, "파일이 그 자리에 없어요. 옮겼거나 지웠을 수 있어요", "it is not there; it may have been moved or deleted")
	}
	return refuse(path, cause, "파일을 열 수 없어요", "the file cannot be opened")
}

// readFile reads at most so many bytes, whatever the file's size said before.
func readFile(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, most))
}

// Files lists what an import of a path means: the file itself, or every readable file in the folder, in order. Hidden files
// and links are left out. Most bounds how many.
func Files(path string, most int) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, shut(path, err)
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	var files []string
	err = filepath.WalkDir(path, func(p string, d os.DirEntry, err error) error {
		switch {
		case err != nil && d != nil && d.IsDir():
			return filepath.SkipDir // a folder that cannot be read
		case err != nil:
			return nil //nolint:nilerr // a file that is gone meanwhile
		case p != path && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case d.Type().IsRegular() && Known(p):
			if files = append(files, p); len(files) > most {
				return refuse(path, nil, "폴더에 파일이 너무 많아요", "the folder holds too many files")
			}
		}
		return nil
	})
	slices.Sort(files)
	if err == nil && len(files) == 0 {
		err = refuse(path, nil, "읽을 수 있는 파일이 없어요", "it holds no file that can be read")
	}
	return files, err
}
