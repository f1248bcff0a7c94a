package extract

import (
	"archive/zip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What an archive may be. A part that says it is small and is not is cut off where it breaks its word.
const (
	maxParts     = 5000
	maxDirectory = 4 << 20 // bytes of an archive that say what is in it
	maxRatio     = 200     // of a part's size to what it takes in the archive, above 1 MiB
	maxToken     = 4 << 20 // bytes of one tag, name, comment or stretch of text
)

var (
	errBomb   = errors.New("the archive unpacks to too much")
	errLocked = errors.New("the archive is encrypted")
)

// archive is an opened office file. left is how much more may be unpacked of it, all its parts together.
type archive struct {
	*zip.Reader
	file *os.File
	left int64
}

// Close closes the file.
func (a *archive) Close() error { return a.file.Close() }

// parts gives those of its parts whose names fit, in the order of the numbers in them.
func (a *archive) parts(fit *regexp.Regexp) (list []*zip.File) {
	for _, f := range a.File {
		if fit.MatchString(f.Name) {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b *zip.File) int { return number(a.Name) - number(b.Name) })
	return list
}

// unzip opens an archive.
func (e *Extractor) unzip(file string) (*archive, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	directory := &metered{ReaderAt: f, left: maxDirectory}
	z, err := zip.NewReader(directory, info.Size())
	switch {
	case directory.left < 0, err == nil && len(z.File) > maxParts:
		return nil, errors.Join(errBomb, f.Close())
	case err != nil:
		return nil, errors.Join(err, f.Close())
	}
	directory.left = math.MaxInt64
	return &archive{Reader: z, file: f, left: 4 * int64(e.limits.TextBytes)}, nil
}

// unzipped reads an archive, which is open as long as that takes.
func (e *Extractor) unzipped(ctx context.Context, file string, read func(context.Context, *archive) (Text, error)) (Text, error) {
	z, err := e.unzip(file)
	if err != nil {
		return Text{}, err
	}
	defer func() { _ = z.Close() }()
	return read(ctx, z)
}

// metered reads no more than it should.
type metered struct {
	io.ReaderAt
	left int64
}

// ReadAt implements io.ReaderAt.
func (m *metered) ReadAt(p []byte, at int64) (int, error) {
	if m.left -= int64(len(p)); m.left < 0 {
		return 0, errBomb
	}
	return m.ReaderAt.ReadAt(p, at)
}

var digits = regexp.MustCompile(`\d+`)

func number(name string) int {
	n, err := strconv.Atoi(digits.FindString(path.Base(name)))
	if err != nil {
		return 0
	}
	return n
}

// part is the text of one part as it is unpacked, as far as the archive and the token at hand may go.
type part struct {
	io.ReadCloser
	of    *archive
	token int64
}

// Read implements io.Reader.
func (p *part) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	p.of.left -= int64(n)
	if p.token -= int64(n); p.token < 0 || p.of.left < 0 {
		return 0, errBomb
	}
	return n, err
}

// open reads one part, up to what is allowed.
func (a *archive) open(f *zip.File) (*part, error) {
	if f.Flags&1 != 0 {
		return nil, errLocked
	}
	if f.UncompressedSize64 > uint64(max(a.left, 0)) || f.UncompressedSize64 > 1<<20 && f.UncompressedSize64 > maxRatio*max(f.CompressedSize64, 1) {
		return nil, errBomb
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	return &part{ReadCloser: r, of: a}, nil
}

// walk reads an XML part, telling of every start, text and end. It refuses document types, so that no entity can be
// defined, and nesting that only an attack has.
func (a *archive) walk(ctx context.Context, f *zip.File, on func(xml.Token) error) error {
	r, err := a.open(f)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	dec := xml.NewDecoder(r)
	depth := 0
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r.token = maxToken
		token, err := dec.RawToken()
		switch {
		case errors.Is(err, io.EOF) && depth != 0:
			return fmt.Errorf("%s: %w", f.Name, io.ErrUnexpectedEOF)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		switch token.(type) {
		case xml.Directive:
			return fmt.Errorf("%s: a document type", f.Name)
		case xml.StartElement:
			if depth++; depth > maxNesting {
				return fmt.Errorf("%s: nested too deep", f.Name)
			}
		case xml.EndElement:
			depth--
		}
		if err := on(token); err != nil {
			return err
		}
	}
}

// sink gathers text up to what is allowed.
type sink struct {
	strings.Builder
	most int
}

func (s *sink) add(text string) error {
	if s.Len()+len(text) > s.most {
		return errBomb
	}
	_, err := s.WriteString(text)
	return err
}
