package extract

import (
	"archive/zip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What an archive may be. A part that says it is small and is not is cut off where it breaks its word.
const (
	maxParts = 5000
	maxRatio = 200 // of a part's size to what it takes in the archive, above 1 MiB
)

var (
	errBomb   = errors.New("the archive unpacks to too much")
	errLocked = errors.New("the archive is encrypted")
)

// parts opens an archive and gives those of its parts whose names fit, in the order of the numbers in them.
func (e *Extractor) parts(file string, fit *regexp.Regexp) (*zip.ReadCloser, []*zip.File, error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil, nil, err
	}
	if len(z.File) > maxParts {
		return nil, nil, errors.Join(errBomb, z.Close())
	}
	var list []*zip.File
	for _, f := range z.File {
		if fit.MatchString(f.Name) {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b *zip.File) int { return number(a.Name) - number(b.Name) })
	return z, list, nil
}

var digits = regexp.MustCompile(`\d+`)

func number(name string) int {
	n, err := strconv.Atoi(digits.FindString(path.Base(name)))
	if err != nil {
		return 0
	}
	return n
}

// open reads one part, up to what is allowed.
func (e *Extractor) open(f *zip.File) (io.ReadCloser, error) {
	if f.Flags&1 != 0 {
		return nil, errLocked
	}
	most := 4 * int64(e.limits.TextBytes)
	if f.UncompressedSize64 > uint64(most) || //nolint:gosec // a limit is not negative
		f.UncompressedSize64 > 1<<20 && f.UncompressedSize64 > maxRatio*max(f.CompressedSize64, 1) {
		return nil, errBomb
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.LimitReader(r, most), r}, nil
}

// walk reads an XML part, telling of every start, text and end. It refuses document types, so that no entity can be
// defined, and nesting that only an attack has.
func (e *Extractor) walk(ctx context.Context, f *zip.File, on func(xml.Token) error) error {
	r, err := e.open(f)
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
