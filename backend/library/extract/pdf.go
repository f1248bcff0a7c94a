package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"

	"agentchat/backend/library/pdfium"
)

// What the machine that reads PDF may take, besides the limits of every format.
const (
	pdfMemory = 4096             // of WebAssembly's pages of 64 KiB: 256 MiB
	pdfStep   = 45 * time.Second // for opening a document, and for each of its pages
)

// pdfReader is PDFium in a WebAssembly machine: a broken file can at worst trap it, and sees neither files nor network. The
// machine is built for the first PDF, or when Warm is called, and kept. What was compiled for it lies in dir, if there is one:
// the next start of the program only reads it.
type pdfReader struct {
	dir   string
	build sync.Mutex    // one builds at a time
	turn  chan struct{} // holds one while a document is read: one at a time has a machine

	mu     sync.Mutex
	engine *pdfium.Engine
	closed int // how often it was closed
}

// Warm builds the machine that reads PDF, if it is not there yet, so that the first document need not wait for it.
func (e *Extractor) Warm() error {
	_, err := e.pdf.ready()
	return err
}

// ready gives the machine, and builds it if need be. Closing does not wait for that.
func (p *pdfReader) ready() (*pdfium.Engine, error) {
	p.build.Lock()
	defer p.build.Unlock()
	p.mu.Lock()
	engine, closed := p.engine, p.closed
	p.mu.Unlock()
	if engine != nil {
		return engine, nil
	}
	engine, err := p.compiled()
	if err != nil && p.dir != "" { // what is kept may be damaged, or the place no good
		for _, compiled := range compiledIn(p.dir) {
			_ = os.RemoveAll(compiled)
		}
		if engine, err = p.compiled(); err != nil {
			p.dir = ""
			engine, err = p.compiled()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("PDF cannot be read here: %w", err)
	}
	if p.dir != "" {
		tidyKept(p.dir)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed != closed {
		return nil, errors.Join(errors.New("the reader was closed meanwhile"), engine.Close())
	}
	p.engine = engine
	return engine, nil
}

func (p *pdfReader) compiled() (*pdfium.Engine, error) {
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(pdfMemory).WithCloseOnContextDone(true)
	if p.dir != "" {
		kept, err := keep(p.dir)
		if err != nil {
			return nil, err
		}
		config = config.WithCompilationCache(kept)
	}
	return pdfium.New(context.Background(), config)
}

// Close frees the machine that reads PDF. The extractor can still be used.
func (e *Extractor) Close() error {
	e.pdf.mu.Lock()
	defer e.pdf.mu.Unlock()
	e.pdf.closed++
	if e.pdf.engine == nil {
		return nil
	}
	engine := e.pdf.engine
	e.pdf.engine = nil
	return engine.Close()
}

// readPDF reads the text of every page, and says which are pictures.
func (e *Extractor) readPDF(ctx context.Context, file string) (Text, error) {
	var t Text
	err := e.onPDF(ctx, file, func(ctx context.Context, document *pdfium.Document, step chan<- struct{}) error {
		var err error
		t, err = e.pages(ctx, document, step)
		return err
	})
	return t, err
}

// pdfWork is done on an opened document. It tells step of each page that is done.
type pdfWork func(ctx context.Context, document *pdfium.Document, step chan<- struct{}) error

// onPDF opens a document in a machine of its own, and has something done on it.
func (e *Extractor) onPDF(ctx context.Context, file string, work pdfWork) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	engine, err := e.pdf.ready() //nolint:contextcheck // the engine is for all who come later, too
	if err != nil {
		return err
	}
	select {
	case e.pdf.turn <- struct{}{}:
		defer func() { <-e.pdf.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	defer bounded()()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done, step := make(chan error, 1), make(chan struct{})
	go func() { done <- onOpened(ctx, engine, f, min(info.Size(), e.limits.FileBytes), step, work) }()
	stuck := time.NewTimer(pdfStep)
	defer stuck.Stop()
	for {
		select {
		case err := <-done:
			if errors.Is(err, pdfium.ErrLocked) {
				return refuse(file, err, "암호가 걸린 PDF예요. 암호를 푼 뒤 다시 넣어 주세요", "the PDF is locked with a password; unlock it first")
			}
			return err
		case <-step:
			stuck.Reset(pdfStep)
			continue
		case <-stuck.C:
			err = tooLong(file, nil)
		case <-ctx.Done():
			err = ctx.Err()
		}
		cancel() // ends the call that is under way in the machine
		<-done   //nolint:errcheck // it says only that it was stopped
		return err
	}
}

// onOpened opens a document, has something done on it and closes it: what a document broke is gone with its machine.
func onOpened(ctx context.Context, engine *pdfium.Engine, file io.ReaderAt, size int64, step chan<- struct{}, work pdfWork) error {
	document, err := engine.Open(ctx, file, size)
	if err != nil {
		return err
	}
	return errors.Join(work(ctx, document, step), document.Close()) //nolint:contextcheck // it is closed, whatever has ended
}

// bounded has the program's collector work harder while a document is read: each time the machine's memory grows, what it had
// before becomes garbage, and a hostile document makes it grow to its end. The answer takes it back.
func bounded() (free func()) {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	before := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(before, int64(now.Sys-now.HeapReleased)+2*pdfMemory<<16)) //nolint:gosec // no program has that much
	return func() { debug.SetMemoryLimit(before) }
}

// pages reads the text of every page, and tells of each that is done. A page that shows something and says nothing is a picture.
func (e *Extractor) pages(ctx context.Context, document *pdfium.Document, step chan<- struct{}) (Text, error) {
	count, err := document.Pages()
	if err != nil {
		return Text{}, err
	}
	if count > e.limits.Pages {
		return Text{}, errPages
	}
	t := Text{Title: document.Title()}
	total := 0
	for i := range count {
		if ctx.Err() != nil {
			return Text{}, ctx.Err()
		}
		page, err := document.Text(i)
		if err != nil {
			return Text{}, fmt.Errorf("page %d: %w", i+1, err)
		}
		if total += len(page); total > e.limits.TextBytes {
			return Text{}, errText
		}
		if t.Pages = append(t.Pages, page); strings.TrimSpace(page) == "" {
			if shown, err := document.Objects(i); err == nil && shown > 0 {
				t.pictures = append(t.pictures, i)
			}
		}
		select {
		case step <- struct{}{}:
		case <-ctx.Done():
			return Text{}, ctx.Err()
		}
	}
	return t, nil
}

// keep gives the place for what was compiled, in a folder of its own below dir. It is machine code that will run, so nobody
// else may write there: a dir that others can write to is refused.
func keep(dir string) (wazero.CompilationCache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, err
	} else if runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 {
		return nil, fmt.Errorf("%s can be written by others", dir)
	}
	return wazero.NewCompilationCacheWithDir(dir)
}

// compiledIn lists the folders in dir that wazero made for what it compiled, one of each of its versions. Nothing else in
// dir is ever touched, whoever it belongs to.
func compiledIn(dir string) []string {
	folders, _ := filepath.Glob(filepath.Join(dir, "wazero-*")) // the only error is a pattern that is malformed
	return folders
}

// tidyKept throws away what was compiled for another version of the program: only the newest is kept.
func tidyKept(dir string) {
	type file struct {
		path string
		at   time.Time
	}
	var newest file
	var all []file
	for _, folder := range compiledIn(dir) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue // what cannot be looked at stays
		}
		for _, entry := range entries {
			path := filepath.Join(folder, entry.Name())
			if filepath.Ext(path) == ".tmp" { // a start that was broken off
				_ = os.Remove(path)
			} else if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
				all = append(all, file{path, info.ModTime()})
			}
		}
	}
	for _, f := range all {
		if f.at.After(newest.at) {
			newest = f
		}
	}
	for _, f := range all {
		if f != newest {
			_ = os.Remove(f.path)
			_ = os.Remove(filepath.Dir(f.path)) // if it is empty now
		}
	}
}
