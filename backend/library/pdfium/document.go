package pdfium

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"unicode/utf16"

	"github.com/tetratelabs/wazero/api"
)

// Document is an open document. One at a time may use it.
type Document struct {
	engine  *Engine
	ctx     context.Context //nolint:containedctx // the document lives no longer than who opened it
	machine api.Module
	number  uint32
	handle  uint64
	page    uint64 // that is loaded, or 0
	index   int    // of it
	bitmap  uint64 // that was drawn on last, or 0
}

// Close frees the machine with all that the document left in it.
func (d *Document) Close() error {
	var err error
	if d.machine != nil {
		err = d.machine.Close(context.WithoutCancel(d.ctx))
	}
	d.engine.mu.Lock()
	delete(d.engine.files, d.number)
	d.engine.mu.Unlock()
	return err
}

// call calls one of PDFium's functions, and gives its result, if it has one.
func (d *Document) call(name string, args ...uint64) (uint64, error) {
	f := d.machine.ExportedFunction(name)
	if f == nil {
		return 0, errors.New("PDFium has no " + name)
	}
	got, err := f.Call(d.ctx, args...)
	if err != nil || len(got) == 0 {
		return 0, err
	}
	return got[0], nil
}

// number32 reads a result that may be less than nothing.
func number32(got uint64) int { return int(api.DecodeI32(got)) }

// binaryNumber is a number as the machine has it in its memory.
func binaryNumber(n uint32) []byte { return binary.LittleEndian.AppendUint32(nil, n) }

// keep puts bytes into the machine's memory. They go with it.
func (d *Document) keep(raw []byte) (uint64, error) {
	at, err := d.call("malloc", uint64(len(raw)))
	if err != nil {
		return 0, err
	}
	if at == 0 || !d.machine.Memory().Write(api.DecodeU32(at), raw) {
		return 0, errors.New("the machine is full")
	}
	return at, nil
}

// Pages is how many pages there are.
func (d *Document) Pages() (int, error) {
	count, err := d.call("FPDF_GetPageCount", d.handle)
	return number32(count), err
}

// Title is what the document calls itself, if it does.
func (d *Document) Title() string {
	tag, err := d.keep([]byte("Title\x00"))
	if err != nil {
		return ""
	}
	size, err := d.call("FPDF_GetMetaText", d.handle, tag, 0, 0)
	if err != nil || size < 2 || size > math.MaxUint16 {
		return ""
	}
	at, err := d.keep(make([]byte, size))
	if err != nil {
		return ""
	}
	if _, err := d.call("FPDF_GetMetaText", d.handle, tag, at, size); err != nil {
		return ""
	}
	raw, _ := d.machine.Memory().Read(api.DecodeU32(at), uint32(size))
	var units []uint16
	for pair := range slices.Chunk(raw, 2) {
		if len(pair) == 2 {
			units = append(units, binary.LittleEndian.Uint16(pair))
		}
	}
	if end := slices.Index(units, 0); end >= 0 {
		units = units[:end]
	}
	return string(utf16.Decode(units))
}

// load loads a page, and lets go of the one before.
func (d *Document) load(index int) error {
	if d.page != 0 && d.index == index {
		return nil
	}
	if d.page != 0 {
		if _, err := d.call("FPDF_ClosePage", d.page); err != nil {
			return err
		}
		d.page = 0
	}
	page, err := d.call("FPDF_LoadPage", d.handle, api.EncodeI32(int32(index))) //nolint:gosec // pages are counted by PDFium, in 32 bits
	if err != nil {
		return err
	}
	if page == 0 {
		return errNoPages
	}
	d.page, d.index = page, index
	return nil
}

// Text is what a page says.
func (d *Document) Text(index int) (string, error) {
	if err := d.load(index); err != nil {
		return "", err
	}
	page, err := d.call("FPDFText_LoadPage", d.page)
	if err != nil {
		return "", err
	}
	count, err := d.call("FPDFText_CountChars", page)
	if err != nil {
		return "", err
	}
	var text []rune
	for i := range max(0, number32(count)) {
		sign, err := d.call("FPDFText_GetUnicode", page, api.EncodeI32(int32(i)))
		if err != nil {
			return "", err
		}
		if sign != 0 {
			text = append(text, rune(api.DecodeU32(sign))) //nolint:gosec // what is no rune becomes the sign for that
		}
	}
	_, err = d.call("FPDFText_ClosePage", page)
	return string(text), err
}

// Objects is how many things a page shows.
func (d *Document) Objects(index int) (int, error) {
	if err := d.load(index); err != nil {
		return 0, err
	}
	count, err := d.call("FPDFPage_CountObjects", d.page)
	return number32(count), err
}

// How FPDF_RenderPageBitmap is asked for red, green and blue in this order.
const reversed = 0x10

// Draw gives a page as a picture that fits into a square, to look at until the next call. What a page leaves transparent stays so.
func (d *Document) Draw(index, side int) (*image.RGBA, error) {
	if err := d.load(index); err != nil {
		return nil, err
	}
	width, height, err := d.fitting(side)
	if err != nil {
		return nil, err
	}
	clear, err := d.call("FPDFPage_HasTransparency", d.page)
	if err != nil {
		return nil, err
	}
	ground := uint64(0xFFFFFFFF)
	if number32(clear) == 1 {
		ground = 0
	}
	if err := d.sheet(width, height); err != nil {
		return nil, err
	}
	w, h := uint64(width), uint64(height) //nolint:gosec // between 1 and side
	if _, err := d.call("FPDFBitmap_FillRect", d.bitmap, 0, 0, w, h, ground); err != nil {
		return nil, err
	}
	if _, err := d.call("FPDF_RenderPageBitmap", d.bitmap, d.page, 0, 0, w, h, 0, reversed); err != nil {
		return nil, err
	}
	at, err := d.call("FPDFBitmap_GetBuffer", d.bitmap)
	if err != nil {
		return nil, err
	}
	dots, ok := d.machine.Memory().Read(api.DecodeU32(at), uint32(4*w*h)) //nolint:gosec // the machine had room for it
	if !ok {
		return nil, errors.New("the picture is not where PDFium says")
	}
	return &image.RGBA{Pix: dots, Stride: 4 * width, Rect: image.Rect(0, 0, width, height)}, nil
}

// sheet lays out what is drawn on, and takes away the one before.
func (d *Document) sheet(width, height int) error {
	if d.bitmap != 0 {
		if _, err := d.call("FPDFBitmap_Destroy", d.bitmap); err != nil {
			return err
		}
	}
	var err error
	d.bitmap, err = d.call("FPDFBitmap_Create", api.EncodeI32(int32(width)), api.EncodeI32(int32(height)), 1) //nolint:gosec // between 1 and side
	if err == nil && d.bitmap == 0 {
		err = errors.New("there is no room for the picture")
	}
	return err
}

// fitting is the size of the page in dots, as large as the square allows.
func (d *Document) fitting(side int) (w, h int, err error) {
	wide, err := d.call("FPDF_GetPageWidth", d.page)
	if err != nil {
		return 0, 0, err
	}
	high, err := d.call("FPDF_GetPageHeight", d.page)
	if err != nil {
		return 0, 0, err
	}
	width, height := api.DecodeF64(wide), api.DecodeF64(high)
	if !(width > 0 && height > 0) { // neither may be NaN
		return 0, 0, fmt.Errorf("a page of %g by %g", width, height)
	}
	part := func(ratio float64) int { return max(1, int(math.Ceil(float64(side)*ratio))) }
	if width >= height {
		return side, part(height / width), nil
	}
	return part(width / height), side, nil
}
