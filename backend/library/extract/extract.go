// Package extract reads the text out of files: documents, tables, slides, books, mails, and pictures of text (formats.go lists
// them). Files are hostile until they are read: every format has hard limits on bytes, pages, expansion and time, and what breaks
// them is refused with a reason. Nothing that a file holds is run, computed or fetched.
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
	"agentchat/backend/brief"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/structure"
)

// Text is what a file says, page by page. A format without pages has one.
type Text struct {
	Title  string // what the document calls itself, "" if it does not
	Format string
	Pages  []string
	Marks  []structure.Mark // where its parts begin, where the format says so; nil: its headings do
	Gaps   []Gap            // what of it could not be read

	pictures []int // pages of which only a picture is there, counted from 0
}

// Gap is a page that could not be read, and why. Page counts from 1; 0 means the document as a whole.
type Gap struct {
	Page int
	Why  bilingual.Text
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
	pdf    *pdfReader
	ocr    *recogniser
}

// New makes an extractor. What is compiled for it is kept in the folder dir, which must be nobody else's; "" keeps nothing.
func New(limits Limits, dir string) *Extractor {
	return &Extractor{limits: limits.orDefault(), pdf: &pdfReader{dir: dir, turn: make(chan struct{}, 1)}, ocr: &recogniser{}}
}

// ErrPictures says that a file, or a part of it, is pictures of text: reading them takes long, so ReadSoon leaves it to Read.
var ErrPictures = errors.New("it is made of pictures, which take long to read")

// Read reads a file, pictures and all. Errors: document_refused with a reason, not_found, and ctx's.
func (e *Extractor) Read(ctx context.Context, path string) (Text, error) {
	t, err := e.begin(ctx, path)
	if err != nil {
		return Text{}, err
	}
	if len(t.pictures) > 0 {
		if err := e.recognise(ctx, path, &t); err != nil {
			return Text{}, err
		}
	}
	return e.tidy(path, t)
}

// ReadSoon reads a file as Read does, unless there are pictures in it that can be read here: then it gives ErrPictures.
func (e *Extractor) ReadSoon(ctx context.Context, path string) (Text, error) {
	t, err := e.begin(ctx, path)
	if err != nil {
		return Text{}, err
	}
	if len(t.pictures) > 0 {
		if _, err := e.ocr.program(ctx); err == nil {
			return Text{}, ErrPictures
		}
		if err := e.recognise(ctx, path, &t); err != nil {
			return Text{}, err
		}
	}
	return e.tidy(path, t)
}

// begin reads what of a file is text already, and says what is pictures.
func (e *Extractor) begin(ctx context.Context, path string) (Text, error) {
	format, size, err := e.look(path)
	if err != nil {
		return Text{}, err
	}
	if format.Key == "pdf" { // the first one has the machine built that reads it: that is not the document's time
		if err := e.Warm(); err != nil { //nolint:contextcheck // the engine is for all who come later, too
			return Text{}, broken(path, format.Key, err)
		}
	}
	timed, cancel := context.WithTimeout(ctx, e.limits.Time)
	defer cancel()
	t, err := e.read(timed, format.Key, path)
	if took := errors.Is(err, errBomb) || errors.Is(err, errText) || timed.Err() != nil; took || err != nil && format.Key == "pdf" || size > largeFile {
		defer debug.FreeOSMemory() // what was taken for it is given back at once
	}
	t.Format = format.Key
	return t, e.reason(timed, path, format.Key, err)
}

// reason says what kept a file from being read.
func (e *Extractor) reason(ctx context.Context, path, format string, err error) error {
	switch {
	case err == nil, apperr.CodeOf(err) == apperr.DocumentRefused:
		return err
	case ctx.Err() != nil:
		return tooLong(path, ctx.Err())
	}
	return broken(path, format, err)
}

// errLong says that a file takes too long, which a quicker computer might read.
var errLong = errors.New("it takes too long")

func tooLong(path string, cause error) error {
	return refuse(path, errors.Join(errLong, cause), "읽는 데 너무 오래 걸려요", "reading it takes too long")
}

// look tells the format of a file and its size, if it is one that may be opened.
func (e *Extractor) look(path string) (Format, int64, error) {
	format, err := formatOf(path)
	if err != nil {
		return format, 0, err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return format, 0, shut(path, err)
	case !info.Mode().IsRegular():
		return format, 0, refuse(path, nil, "보통 파일이 아니에요", "it is not a regular file")
	case info.Size() > e.most(format):
		return format, 0, refuse(path, nil, "파일이 너무 커요", "the file is too large")
	case info.Size() == 0:
		return format, 0, refuse(path, nil, "빈 파일이에요", "the file is empty")
	}
	probe, err := os.Open(path)
	if err != nil {
		return format, 0, shut(path, err)
	}
	return format, info.Size(), probe.Close()
}

// readText reads a file that is text already, form feed by form feed.
func (e *Extractor) readText(_ context.Context, file string) (Text, error) {
	raw, err := readFile(file, e.textBytes())
	if err != nil {
		return Text{}, err
	}
	text, err := decode(raw, "")
	if strings.Count(text, "\f") >= e.limits.Pages {
		return Text{}, errPages
	}
	return Text{Pages: strings.Split(text, "\f")}, err
}

// most is how large a file of a format may be.
func (e *Extractor) most(format Format) int64 {
	if format.packed {
		return e.limits.FileBytes
	}
	return e.textBytes()
}

// textBytes is how large a file may be that is text: it can hold no more of it than its bytes; UTF-16 takes two.
func (e *Extractor) textBytes() int64 { return min(e.limits.FileBytes, 2*int64(e.limits.TextBytes)) }

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
		return Text{}, nothing(path, t.Gaps)
	}
	t.Title = brief.First(strings.Join(strings.Fields(t.Title), " "), 200)
	return t, nil
}

// nothing says that a file holds no text, and why as far as its gaps say it.
func nothing(path string, gaps []Gap) error {
	if len(gaps) > 0 {
		return refuse(path, nil, "읽을 글이 없어요. "+gaps[0].Why.KO, "it holds no text that can be read; "+gaps[0].Why.EN)
	}
	return refuse(path, nil, "읽을 글이 없어요", "it holds no text")
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
	var says bilingual.Wrong
	switch {
	case errors.As(cause, &says):
		return refuse(path, nil, says.KO, says.EN)
	case errors.Is(cause, errBomb):
		return refuse(path, cause, "풀면 터무니없이 커지는 파일이라 열지 않았어요", "it unpacks to far too much, so it was not opened")
	case errors.Is(cause, errPages):
		return refuse(path, nil, "쪽이 너무 많아요", "it has too many pages")
	case errors.Is(cause, errText):
		return refuse(path, nil, "글이 너무 많아요", "it holds too much text")
	case errors.Is(cause, errLocked), format != "hwp" && isCompound(path):
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
