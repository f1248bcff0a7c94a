package extract

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // registers
	_ "image/png"  // registers
	"io"
	"os"

	_ "golang.org/x/image/bmp" // registers
	"golang.org/x/image/draw"
	_ "golang.org/x/image/tiff" // registers
	_ "golang.org/x/image/webp" // registers

	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/pdfium"
)

// What a picture may be, and what is made of it before it is read.
const (
	maxPixels  = 50 << 20
	maxSide    = 32768
	readPixels = 12 << 20 // as many as an A4 page at 300 dots an inch, and then some
	readSide   = 3508
	maxFrames  = 500 // of a TIFF
)

var errPicture = bilingual.WrongOf("사진이 너무 커요", "the picture has too many dots")

// readPicture looks at a picture file; what it shows is read later.
func (e *Extractor) readPicture(_ context.Context, file string) (Text, error) {
	raw, err := readFile(file, e.limits.FileBytes)
	if err != nil {
		return Text{}, err
	}
	frames := framesOf(raw)
	if len(frames) > e.limits.Pages {
		return Text{}, errPages
	}
	t := Text{Pages: make([]string, len(frames))}
	for i, at := range frames {
		if err := measured(raw, at); err != nil {
			return Text{}, err
		}
		t.pictures = append(t.pictures, i)
	}
	return t, nil
}

// measured tells whether a picture may be decoded, by what it says of its size.
func measured(raw []byte, frame uint32) error {
	c, _, err := image.DecodeConfig(framed(raw, frame))
	switch {
	case err != nil:
		return err
	case c.Width < 1 || c.Height < 1:
		return errors.New("a picture without a dot")
	case c.Width > maxSide || c.Height > maxSide || c.Width*c.Height > maxPixels:
		return errPicture
	}
	return nil
}

// framesOf are the places of a TIFF's pictures; of another file the one that is there.
func framesOf(raw []byte) []uint32 {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case bytes.HasPrefix(raw, []byte("II*\x00")):
	case bytes.HasPrefix(raw, []byte("MM\x00*")):
		order = binary.BigEndian
	default:
		return []uint32{0}
	}
	var frames []uint32
	seen := map[uint32]bool{}
	for i := 4; i+4 <= len(raw) && len(frames) < maxFrames; {
		at := order.Uint32(raw[i:])
		if at == 0 || seen[at] || uint64(at)+2 > uint64(len(raw)) {
			break
		}
		frames, seen[at] = append(frames, at), true
		i = int(at) + 2 + 12*int(order.Uint16(raw[at:]))
	}
	if frames == nil {
		return []uint32{0}
	}
	return frames
}

// framed reads a file so that the picture at a place is its first; at 0 as it is.
func framed(raw []byte, frame uint32) io.Reader {
	if frame == 0 {
		return bytes.NewReader(raw)
	}
	head := bytes.Clone(raw[:8])
	if raw[0] == 'M' {
		binary.BigEndian.PutUint32(head[4:], frame)
	} else {
		binary.LittleEndian.PutUint32(head[4:], frame)
	}
	return io.MultiReader(bytes.NewReader(head), bytes.NewReader(raw[8:]))
}

// picture gives one page of a file as it is read: upright, in greys.
func (e *Extractor) picture(ctx context.Context, file, format string, page int) (grey *image.Gray, err error) {
	if format == "pdf" {
		err = e.onPDF(ctx, file, func(_ context.Context, document *pdfium.Document, _ chan<- struct{}) error {
			drawn, err := document.Draw(page, readSide)
			if err != nil {
				return err
			}
			grey = greyOf(drawn)
			return nil
		})
		return grey, err
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the picture broke its decoder: %v", p)
		}
	}()
	raw, err := readFile(file, e.limits.FileBytes)
	if err != nil {
		return nil, err
	}
	frames := framesOf(raw)
	if page >= len(frames) { // it was changed meanwhile
		return nil, os.ErrNotExist
	}
	if err := measured(raw, frames[page]); err != nil {
		return nil, err
	}
	decoded, _, err := image.Decode(framed(raw, frames[page]))
	if err != nil {
		return nil, err
	}
	return turned(fitting(greyOf(decoded)), orientation(raw)), nil
}

// greyOf is a picture in greys, on white.
func greyOf(from image.Image) *image.Gray {
	b := from.Bounds()
	out := image.NewGray(image.Rect(0, 0, b.Dx(), b.Dy()))
	for y := range b.Dy() {
		row := out.Pix[y*out.Stride : y*out.Stride+b.Dx()]
		switch p := from.(type) {
		case *image.Gray:
			copy(row, p.Pix[p.PixOffset(b.Min.X, b.Min.Y+y):])
		case *image.YCbCr:
			copy(row, p.Y[p.YOffset(b.Min.X, b.Min.Y+y):])
		default:
			for x := range row {
				r, g, bl, a := from.At(b.Min.X+x, b.Min.Y+y).RGBA()
				light := (299*r + 587*g + 114*bl) / 1000
				row[x] = uint8((light + 0xFFFF - a) >> 8) //nolint:gosec // at most 0xFFFF: no colour is brighter than it is opaque
			}
		}
	}
	return out
}

// fitting makes a picture as small as it need be to be read.
func fitting(p *image.Gray) *image.Gray {
	w, h := p.Rect.Dx(), p.Rect.Dy()
	if w*h <= readPixels {
		return p
	}
	for w*h > readPixels {
		w, h = max(w*9/10, 1), max(h*9/10, 1)
	}
	out := image.NewGray(image.Rect(0, 0, w, h))
	draw.ApproxBiLinear.Scale(out, out.Rect, p, p.Rect, draw.Src, nil)
	return out
}

// orientation reads how a camera was held (Exif, tag 0x0112): 1 to 8, 1 where nothing is said.
func orientation(raw []byte) int {
	const most = 64 << 10
	if !bytes.HasPrefix(raw, []byte{0xFF, 0xD8}) {
		return 1
	}
	raw = raw[:min(len(raw), 4*most)]
	for i := 2; i+4 <= len(raw) && raw[i] == 0xFF && raw[i+1] != 0xDA; {
		size := int(binary.BigEndian.Uint16(raw[i+2:]))
		part := raw[min(i+4, len(raw)):min(i+2+max(size, 2), len(raw))]
		if exif, is := bytes.CutPrefix(part, []byte("Exif\x00\x00")); raw[i+1] == 0xE1 && is {
			return exifOrientation(exif)
		}
		i += 2 + max(size, 2)
	}
	return 1
}

func exifOrientation(exif []byte) int {
	if len(exif) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if exif[0] == 'M' {
		order = binary.BigEndian
	}
	at := uint64(order.Uint32(exif[4:]))
	if at+2 > uint64(len(exif)) {
		return 1
	}
	for n := range uint64(order.Uint16(exif[at:])) {
		entry := at + 2 + 12*n
		if entry+12 > uint64(len(exif)) {
			break
		}
		if order.Uint16(exif[entry:]) == 0x0112 {
			if o := int(order.Uint16(exif[entry+8:])); o >= 1 && o <= 8 {
				return o
			}
		}
	}
	return 1
}

// turned is a picture as it was seen.
func turned(p *image.Gray, orientation int) *image.Gray {
	if orientation == 1 {
		return p
	}
	w, h := p.Rect.Dx(), p.Rect.Dy()
	out := image.NewGray(image.Rect(0, 0, w, h))
	if orientation >= 5 {
		out = image.NewGray(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			tx, ty := x, y
			switch orientation {
			case 2:
				tx = w - 1 - x
			case 3:
				tx, ty = w-1-x, h-1-y
			case 4:
				ty = h - 1 - y
			case 5:
				tx, ty = y, x
			case 6:
				tx, ty = h-1-y, x
			case 7:
				tx, ty = h-1-y, w-1-x
			case 8:
				tx, ty = y, w-1-x
			}
			out.Pix[ty*out.Stride+tx] = p.Pix[y*p.Stride+x]
		}
	}
	return out
}
