// Package parcel packs the parts of an office file: XML in a zip, the same bytes for the same parts.
package parcel

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/xml"
	"io"
	"strings"
	"time"
)

// Part is one file in the parcel. What is Packed already, as a picture is, is stored as it is.
type Part struct {
	Name   string
	Data   []byte
	Packed bool
}

// Write packs parts, in their order. It gives what the writer below says.
func Write(w io.Writer, parts []Part) error {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.DefaultCompression) })
	for _, p := range parts {
		// The earliest day that the format knows: no clock, no difference.
		head := &zip.FileHeader{Name: p.Name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		if p.Packed {
			head.Method = zip.Store
		}
		f, err := z.CreateHeader(head)
		if err != nil {
			return err
		}
		if _, err := f.Write(p.Data); err != nil {
			return err
		}
	}
	return z.Close()
}

// Escape is a text within XML, also within an attribute.
func Escape(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(strings.ToValidUTF8(text, "\ufffd"))) // a bytes.Buffer takes all
	return b.String()
}
