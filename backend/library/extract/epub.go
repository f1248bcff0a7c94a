package extract

import (
	"archive/zip"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"path"
	"regexp"
	"strings"

	"agentchat/backend/library/structure"
)

// maxChapters bounds how many parts of a book are read.
const maxChapters = 5000

// readEPUB reads the chapters of a book (EPUB 2 and 3) in the order of its spine. Scripts, pictures and what lies outside the file
// are not looked at.
func (e *Extractor) readEPUB(ctx context.Context, z *archive) (Text, error) {
	title, spine, err := z.spine(ctx)
	if err != nil {
		return Text{}, err
	}
	hidden, err := z.hidden(ctx)
	if err != nil {
		return Text{}, err
	}
	t := Text{Title: title}
	left := e.limits.TextBytes
	for _, name := range spine {
		f := z.part(name)
		switch {
		case hidden[name]:
			return Text{}, refuse(z.file.Name(), nil, "복사 방지(DRM)가 걸린 전자책이에요. 산 곳의 프로그램으로만 열 수 있어요", "the book is protected against copying (DRM); only its seller's program opens it")
		case f == nil:
			continue
		case len(t.Pages) >= e.limits.Pages:
			return Text{}, errPages
		}
		page, err := e.chapter(ctx, z, f)
		if err != nil {
			return Text{}, err
		}
		words := squeeze(page.words.String())
		if left -= len(words); left < 0 {
			return Text{}, errText
		}
		if strings.TrimSpace(words) == "" { // a cover
			continue
		}
		name := short(page.heading)
		if name == "" && page.title != title {
			name = short(page.title)
		}
		if name != "" {
			t.Marks = append(t.Marks, structure.Mark{Page: len(t.Pages), Title: name})
		}
		t.Pages = append(t.Pages, words)
	}
	return t, nil
}

// emptyRaw are elements that XHTML may leave empty in a way that HTML reads as unclosed.
var emptyRaw = regexp.MustCompile(`<(title|script|style|textarea|iframe|noscript)((?:\s[^<>]*)?)/>`)

// chapter reads one part of a book.
func (e *Extractor) chapter(ctx context.Context, z *archive, f *zip.File) (*htmlPage, error) {
	raw, err := z.bytes(f, e.limits.TextBytes)
	if err != nil {
		return nil, err
	}
	text, err := markupText(raw)
	if err != nil {
		return nil, err
	}
	return e.wordsOf(ctx, emptyRaw.ReplaceAllString(text, "<$1$2></$1>"))
}

// spine reads a book's title, and its parts in the order they are read.
func (a *archive) spine(ctx context.Context) (title string, parts []string, err error) {
	container := a.part("META-INF/container.xml")
	if container == nil {
		return "", nil, errors.New("there is no META-INF/container.xml")
	}
	main := ""
	err = a.walk(ctx, container, func(token xml.Token) error {
		if t, starts := token.(xml.StartElement); starts && t.Name.Local == "rootfile" && main == "" {
			main = attr(t, "full-path")
		}
		return nil
	})
	if err != nil {
		return "", nil, err
	}
	f := a.part(main)
	if f == nil {
		return "", nil, errors.New("there is no package document")
	}
	files, inTitle := map[string]string{}, false
	err = a.walk(ctx, f, func(token xml.Token) error {
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "title":
				inTitle = title == ""
			case "item":
				if href, err := url.PathUnescape(attr(t, "href")); err == nil {
					files[attr(t, "id")] = path.Join(path.Dir(main), href)
				}
			case "itemref":
				if parts = append(parts, files[attr(t, "idref")]); len(parts) > maxChapters {
					return errPages
				}
			}
		case xml.EndElement:
			inTitle = false
		case xml.CharData:
			if inTitle {
				title = oneLine(title + string(t))
			}
		}
		return nil
	})
	return title, parts, err
}

// hidden are the parts of a book that are encrypted.
func (a *archive) hidden(ctx context.Context) (map[string]bool, error) {
	parts := map[string]bool{}
	f := a.part("META-INF/encryption.xml")
	if f == nil {
		return parts, nil
	}
	err := a.walk(ctx, f, func(token xml.Token) error {
		if t, starts := token.(xml.StartElement); starts && t.Name.Local == "CipherReference" {
			if name, err := url.PathUnescape(attr(t, "URI")); err == nil {
				parts[path.Clean(name)] = true
			}
		}
		return nil
	})
	return parts, err
}

// bytes unpacks a part that is no more than so long.
func (a *archive) bytes(f *zip.File, most int) ([]byte, error) {
	r, err := a.open(f)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	r.token = int64(most)
	return io.ReadAll(r)
}
