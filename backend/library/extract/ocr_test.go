package extract_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/extract"
	"agentchat/backend/testing/readertest"
)

// page is a page as a scanner saw it (testdata/make.sh).
func page(t *testing.T) *image.Gray {
	t.Helper()
	raw, err := os.ReadFile("testdata/page.png")
	if err != nil {
		t.Fatal(err)
	}
	p, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	grey := image.NewGray(p.Bounds())
	draw.Draw(grey, grey.Rect, p, p.Bounds().Min, draw.Src)
	return grey
}

// scanned is a PDF of pages that are pictures; where there is none it is one of text.
func scanned(t *testing.T, pages ...*image.Gray) []byte {
	t.Helper()
	kids, objects := "", []string{}
	for _, p := range pages {
		n := 3 + len(objects)
		kids += fmt.Sprintf("%d 0 R ", n)
		if p == nil {
			objects = append(objects, fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 %s>>>>/Contents %d 0 R>>", font, n+1), stream("", []byte("BT /F1 12 Tf 72 720 Td (Plain words) Tj ET")))
			continue
		}
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		_, err := w.Write(p.Pix)
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		objects = append(objects, fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Resources<</XObject<</I %d 0 R>>>>/Contents %d 0 R>>", p.Rect.Dx()/4, p.Rect.Dy()/4, n+2, n+1),
			stream("", fmt.Appendf(nil, "%d 0 0 %d 0 0 cm /I Do", p.Rect.Dx()/4, p.Rect.Dy()/4)),
			stream(fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode", p.Rect.Dx(), p.Rect.Dy()), b.Bytes()))
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.5\n")
	for i, o := range append([]string{"<</Type/Catalog/Pages 2 0 R>>", fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(pages), kids)}, objects...) {
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	b.WriteString("trailer<</Root 1 0 R>>\n%%EOF\n")
	return b.Bytes()
}

// tesseract skips a test where the program is missing; scripts/setup.sh installs it.
func tesseract(t *testing.T) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "tesseract", "--list-langs").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "kor") || !strings.Contains(string(out), "eng") {
		t.Skip("no Tesseract with Korean and English")
	}
}

// Pictures of text are read, however they lie in their files; what is none says so, page by page.
func TestPicturesAreRead(t *testing.T) {
	tesseract(t)
	extract.PageTime(t, 20*time.Minute) // that it is read is asked here, on whatever machine
	x := extract.New(extract.Limits{}, readertest.Dir())
	extract.Within(x, 20*time.Minute)
	t.Cleanup(func() { _ = x.Close() })
	p := page(t)
	blank := image.NewGray(image.Rect(0, 0, 400, 300))
	for i := range blank.Pix {
		blank.Pix[i] = 255
	}
	top := image.NewGray(image.Rect(0, 0, 2180, 330))
	copy(top.Pix, p.Pix)
	turned := image.NewGray(image.Rect(0, 0, 330, 2180)) // the camera was held upright: what is up in the file is left in the world
	for y := range 330 {
		for x := range 2180 {
			turned.SetGray(y, 2179-x, p.GrayAt(x, y))
		}
	}
	var photo, tif, dots bytes.Buffer
	if err := errors.Join(jpeg.Encode(&photo, turned, nil), tiff.Encode(&tif, top, &tiff.Options{Compression: tiff.Deflate}), bmp.Encode(&dots, top)); err != nil {
		t.Fatal(err)
	}
	exif := "\xFF\xE1\x00\x22Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00"
	side := append([]byte("\xFF\xD8"+exif), photo.Bytes()[2:]...)
	for name, data := range map[string][]byte{"a.jpg": side, "b.tif": tif.Bytes(), "c.bmp": dots.Bytes(), "d.pdf": scanned(t, p, blank, nil)} {
		path := put(t, name, data)
		if _, err := x.ReadSoon(t.Context(), path); !errors.Is(err, extract.ErrPictures) {
			t.Errorf("%s at once: %v", name, err)
		}
		got, err := x.Read(t.Context(), path)
		if err != nil || !strings.Contains(strings.ReplaceAll(got.Pages[0], " ", ""), "제1조(목적)이계약은임대인이그소유의건물을") {
			t.Errorf("%s: %+v, %v", name, got, err)
			continue
		}
		if name == "d.pdf" && (len(got.Pages) != 3 || !strings.Contains(got.Pages[2], "Plain words") || len(got.Gaps) != 1 || got.Gaps[0].Page != 2 || !strings.Contains(extract.Unread(got).EN, "p. 2: no text was found")) {
			t.Errorf("%+v", got)
		}
	}
	drawn := image.NewGray(image.Rect(0, 0, 640, 480)) // a light sheet on a dark ground, whose edge is no dash
	for i := range drawn.Pix {
		drawn.Pix[i] = 76
		if x, y := i%drawn.Stride, i/drawn.Stride; x > 160 && x < 480 && y > 120 && y < 360 {
			drawn.Pix[i] = 248
		}
	}
	var drawing bytes.Buffer
	if err := png.Encode(&drawing, drawn); err != nil {
		t.Fatal(err)
	}
	if got, err := x.Read(t.Context(), put(t, "drawing.png", drawing.Bytes())); err == nil {
		t.Errorf("a drawing says %q", got.Pages)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	if _, err := x.Read(ctx, put(t, "late.tif", tif.Bytes())); err == nil {
		t.Error("read after its time was over")
	}
}

// Where there is no Tesseract, what to install is said; what is text already is read all the same.
func TestWithoutTesseract(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	x := extract.New(extract.Limits{}, readertest.Dir())
	t.Cleanup(func() { _ = x.Close() })
	raw, err := os.ReadFile("testdata/page.png")
	if err != nil {
		t.Fatal(err)
	}
	for _, read := range []func(context.Context, string) (extract.Text, error){x.Read, x.ReadSoon} {
		if _, err := read(t.Context(), put(t, "a.png", raw)); !says(err, "install Tesseract") {
			t.Error(err)
		}
		got, err := read(t.Context(), put(t, "b.pdf", scanned(t, page(t), nil)))
		if err != nil || !strings.Contains(got.Pages[1], "Plain words") || len(got.Gaps) != 1 || !strings.Contains(got.Gaps[0].Why.In(bilingual.KO), "Tesseract") {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

// A stuck or broken recogniser costs its page, not the document.
func TestARecogniserThatFails(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	script := "#!/bin/sh\n[ \"$1\" = --list-langs ] && { echo kor; echo eng; exit 0; }\ncat >/dev/null; exit 3\n"
	if err := os.WriteFile(dir+"/tesseract", []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	x := extract.New(extract.Limits{}, readertest.Dir())
	t.Cleanup(func() { _ = x.Close() })
	got, err := x.Read(t.Context(), put(t, "b.pdf", scanned(t, page(t), nil)))
	if err != nil || len(got.Gaps) != 1 || !strings.Contains(got.Gaps[0].Why.EN, "stopped half-way") {
		t.Errorf("%+v, %v", got, err)
	}
}

// A picture says how large it is before it is decoded.
func TestHugePictures(t *testing.T) {
	x := extract.New(extract.Limits{}, "")
	var small bytes.Buffer
	if err := png.Encode(&small, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	huge := bytes.Clone(small.Bytes())
	binary.BigEndian.PutUint32(huge[16:], 60000)
	binary.BigEndian.PutUint32(huge[20:], 60000)
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	if _, err := x.Read(t.Context(), put(t, "huge.png", huge)); !says(err, "too many dots") {
		t.Error(err)
	}
	loop := append([]byte("II*\x00\x08\x00\x00\x00\x00\x00"), u32(8)...) // its pages lead to each other for ever
	if _, err := x.Read(t.Context(), put(t, "loop.tif", loop)); !says(err, "broken") {
		t.Error(err)
	}
}
