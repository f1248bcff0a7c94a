package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/klippa-app/go-pdfium"
	pdferrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
)

// pdfPages is the memory of the machine that reads PDF, in WebAssembly's pages of 64 KiB: 1 GiB.
const pdfPages = 16384

// pdfReader is PDFium in a WebAssembly machine: a broken file can at worst trap it, and sees neither files nor network. The
// machine takes a second to build, so it is built for the first PDF and kept.
type pdfReader struct {
	mu   sync.Mutex
	pool pdfium.Pool
}

// machine gives a fresh instance. It is closed after one document: what a document broke is gone with it.
func (p *pdfReader) machine(wait time.Duration) (pdfium.Pdfium, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pool == nil {
		pool, err := webassembly.Init(webassembly.Config{
			MaxTotal: 1, FSConfig: wazero.NewFSConfig(), Stdout: io.Discard, Stderr: io.Discard,
			RuntimeConfig: wazero.NewRuntimeConfig().WithMemoryLimitPages(pdfPages).WithCloseOnContextDone(true),
		})
		if err != nil {
			return nil, fmt.Errorf("PDF cannot be read here: %w", err)
		}
		p.pool = pool
	}
	return p.pool.GetInstance(wait)
}

// Close frees the machine that reads PDF. The extractor can still be used.
func (e *Extractor) Close() error {
	e.pdf.mu.Lock()
	defer e.pdf.mu.Unlock()
	if e.pdf.pool == nil {
		return nil
	}
	pool := e.pdf.pool
	e.pdf.pool = nil
	return pool.Close()
}

func (e *Extractor) readPDF(ctx context.Context, file string) (Text, error) {
	raw, err := readFile(file, e.limits.FileBytes)
	if err != nil {
		return Text{}, err
	}
	machine, err := e.pdf.machine(e.limits.Time)
	if err != nil {
		return Text{}, err
	}
	type outcome struct {
		text Text
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil { // a trap of the machine
				o.err = fmt.Errorf("the PDF broke its reader: %v", p)
			}
			done <- o
		}()
		o.text, o.err = e.pages(ctx, machine, file, raw)
	}()
	select {
	case o := <-done:
		_ = machine.Close()
		return o.text, o.err
	case <-ctx.Done():
		_ = machine.Kill()
		return Text{}, ctx.Err()
	}
}

// pages reads the text of every page.
func (e *Extractor) pages(ctx context.Context, machine pdfium.Pdfium, file string, raw []byte) (Text, error) {
	opened, err := machine.OpenDocument(&requests.OpenDocument{File: &raw})
	switch {
	case errors.Is(err, pdferrors.ErrPassword), errors.Is(err, pdferrors.ErrSecurity):
		return Text{}, refuse(file, err, "암호가 걸린 PDF예요. 암호를 푼 뒤 다시 넣어 주세요", "the PDF is locked with a password; unlock it first")
	case err != nil:
		return Text{}, err
	}
	count, err := machine.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: opened.Document})
	if err != nil {
		return Text{}, err
	}
	if count.PageCount > e.limits.Pages {
		return Text{}, refuse(file, nil, "쪽이 너무 많아요", "it has too many pages")
	}
	t := Text{Title: title(machine, opened.Document)}
	total := 0
	for i := range count.PageCount {
		if ctx.Err() != nil {
			return Text{}, ctx.Err()
		}
		page, err := machine.GetPageText(&requests.GetPageText{
			Page: requests.Page{ByIndex: &requests.PageByIndex{Document: opened.Document, Index: i}},
		})
		if err != nil {
			return Text{}, fmt.Errorf("page %d: %w", i+1, err)
		}
		if total += len(page.Text); total > e.limits.TextBytes {
			return Text{}, refuse(file, nil, "글이 너무 많아요", "it holds too much text")
		}
		t.Pages = append(t.Pages, page.Text)
	}
	return t, nil
}

// title is what a PDF calls itself.
func title(machine pdfium.Pdfium, document references.FPDF_DOCUMENT) string {
	meta, err := machine.GetMetaData(&requests.GetMetaData{Document: document, Tags: &[]string{"Title"}})
	if err != nil {
		return ""
	}
	for _, tag := range meta.Tags {
		if tag.Tag == "Title" {
			return tag.Value
		}
	}
	return ""
}
