// Package pdfium reads PDF files with PDFium, which runs as WebAssembly: a broken file can at worst trap its machine, and the machine
// sees no file but the one that it reads, and no network. PDFium lies packed in the program and is unpacked for the first document.
// It comes from the module github.com/klippa-app/go-pdfium (`make pdfium`), whose own way to it embeds it as it is; a test asks both the same.
package pdfium

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/emscripten"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/ulikunitz/xz"
)

//go:embed pdfium.wasm.xz
var packed []byte

// wasm is PDFium as it is compiled.
func wasm() ([]byte, error) {
	z, err := xz.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// Engine is PDFium, compiled. Each document has a machine of its own.
type Engine struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule

	mu    sync.Mutex
	files map[uint32]io.ReaderAt // what machines read, by the number that they know it by
	next  uint32
}

// New compiles PDFium, or takes what was compiled from the configuration's cache. It fails where a computer lets no program make code:
// the programs that people get carry no interpreter beside the compiler (ADR 11), which then panics.
func New(ctx context.Context, config wazero.RuntimeConfig) (_ *Engine, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("pdfium: %v", reason)
		}
	}()
	e := &Engine{runtime: wazero.NewRuntimeWithConfig(ctx, config), files: map[uint32]io.ReaderAt{}}
	if err := e.compile(ctx); err != nil {
		return nil, errors.Join(err, e.runtime.Close(ctx))
	}
	return e, nil
}

func (e *Engine) compile(ctx context.Context) error {
	code, err := wasm()
	if err != nil {
		return err
	}
	if e.compiled, err = e.runtime.CompileModule(ctx, code); err != nil {
		return err
	}
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, e.runtime); err != nil {
		return err
	}
	host := e.runtime.NewHostModuleBuilder("env")
	runtime, err := emscripten.NewFunctionExporterForModule(e.compiled)
	if err != nil {
		return err
	}
	runtime.ExportFunctions(host)
	e.callbacks(host)
	_, err = host.Instantiate(ctx)
	return err
}

// callbacks gives PDFium what it may call. It reads its file so; everything else (timers, forms, links that are opened) is called
// only for who asked for it, which nothing here does.
func (e *Engine) callbacks(host wazero.HostModuleBuilder) {
	for _, f := range e.compiled.ImportedFunctions() {
		module, name, _ := f.Import()
		if module != "env" || !bytes.HasSuffix([]byte(name), []byte("_CB")) {
			continue
		}
		call := api.GoModuleFunc(func(context.Context, api.Module, []uint64) { panic(errors.New("PDFium called " + name)) })
		if name == "FPDF_FILEACCESS_CB" {
			call = e.read
		}
		host.NewFunctionBuilder().WithGoModuleFunction(call, f.ParamTypes(), f.ResultTypes()).Export(name)
	}
}

// read is how PDFium reads its file: (which, from, into, how much), all there or none.
func (e *Engine) read(_ context.Context, machine api.Module, stack []uint64) {
	which, from, into, size := api.DecodeU32(stack[0]), api.DecodeU32(stack[1]), api.DecodeU32(stack[2]), api.DecodeU32(stack[3])
	stack[0] = 0
	number, ok := machine.Memory().ReadUint32Le(which)
	if !ok {
		return
	}
	e.mu.Lock()
	file := e.files[number]
	e.mu.Unlock()
	place, ok := machine.Memory().Read(into, size)
	if !ok || file == nil {
		return
	}
	if n, _ := file.ReadAt(place, int64(from)); n == len(place) { // a read that is whole may end with io.EOF
		stack[0] = api.EncodeU32(size)
	}
}

// Close frees PDFium, and ends what is read.
func (e *Engine) Close() error { return e.runtime.Close(context.Background()) }

// What opening a document may answer.
var (
	ErrLocked  = errors.New("the document is locked with a password")
	errNoPages = errors.New("the page cannot be loaded")
)

// What FPDF_GetLastError says.
const (
	lastPassword = 4
	lastSecurity = 5
)

// Open opens a document in a machine of its own. It must be closed. Where the context ends, so does what is done with the document.
func (e *Engine) Open(ctx context.Context, file io.ReaderAt, size int64) (*Document, error) {
	e.mu.Lock()
	e.next++
	d := &Document{engine: e, ctx: ctx, number: e.next}
	e.files[d.number] = file
	e.mu.Unlock()
	if err := d.open(size); err != nil {
		return nil, errors.Join(err, d.Close()) //nolint:contextcheck // what is opened is closed, whatever has ended
	}
	return d, nil
}

func (d *Document) open(size int64) error {
	var err error
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize")
	if d.machine, err = d.engine.runtime.InstantiateModule(d.ctx, d.engine.compiled, config); err != nil {
		return err
	}
	if _, err := d.call("FPDF_InitLibrary"); err != nil {
		return err
	}
	which, err := d.keep(binaryNumber(d.number))
	if err != nil {
		return err
	}
	access, err := d.call("FPDF_FILEACCESS_Create", uint64(size), which) //nolint:gosec // no file is smaller than nothing
	if err != nil {
		return err
	}
	if d.handle, err = d.call("FPDF_LoadCustomDocument", access, 0); err != nil || d.handle != 0 {
		return err
	}
	last, err := d.call("FPDF_GetLastError")
	switch {
	case err != nil:
		return err
	case last == lastPassword || last == lastSecurity:
		return ErrLocked
	default:
		return fmt.Errorf("PDFium cannot open it: error %d", last)
	}
}
