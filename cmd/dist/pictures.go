package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"

	"golang.org/x/image/draw"
)

// iconSizes are those of the freedesktop.org icon theme that desktops look for.
var iconSizes = []int{16, 22, 24, 32, 48, 64, 128, 256, 512}

// icnsTypes are the entries of a Mac's icon that hold a PNG, with its width in dots.
var icnsTypes = []struct {
	name string
	size int
}{{"icp4", 16}, {"icp5", 32}, {"icp6", 64}, {"ic07", 128}, {"ic08", 256}, {"ic09", 512}, {"ic10", 1024}, {"ic11", 32}, {"ic12", 64}, {"ic13", 256}, {"ic14", 512}}

func readPNG(path string) (image.Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return png.Decode(f)
}

// scaled is a picture as a square PNG.
func scaled(src image.Image, size int) ([]byte, error) {
	dst := image.NewNRGBA(image.Rect(0, 0, size, size))
	draw.CatmullRom.Scale(dst, dst.Bounds(), src, src.Bounds(), draw.Src, nil)
	var out bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, dst)
	return out.Bytes(), err
}

// icons writes the picture as folder/NxN/apps/agentchat.png in every size.
func icons(source, folder string) error {
	src, err := readPNG(source)
	if err != nil {
		return err
	}
	for _, size := range iconSizes {
		data, err := scaled(src, size)
		if err != nil {
			return err
		}
		dir := filepath.Join(folder, fmt.Sprintf("%dx%d", size, size), "apps")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "agentchat.png"), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// icns writes the picture as a Mac's icon: a header, then entries of type, length and a PNG.
func icns(source, file string) error {
	src, err := readPNG(source)
	if err != nil {
		return err
	}
	var body bytes.Buffer
	for _, t := range icnsTypes {
		data, err := scaled(src, t.size)
		if err != nil {
			return err
		}
		body.WriteString(t.name)
		_ = binary.Write(&body, binary.BigEndian, uint32(len(data)+8))
		body.Write(data)
	}
	head := binary.BigEndian.AppendUint32([]byte("icns"), uint32(body.Len()+8))
	return os.WriteFile(file, append(head, body.Bytes()...), 0o644)
}
