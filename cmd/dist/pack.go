package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// moment is what every file of a package was changed at: SOURCE_DATE_EPOCH, the time of the commit.
func moment() (time.Time, error) {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// pack puts a folder, under its own name, into a .zip or .tar.gz that holds the same bytes whenever the folder does: sorted, with one time,
// no owners, and modes that are 755 or 644.
func pack(file, folder string) (err error) {
	at, err := moment()
	if err != nil {
		return err
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() {
		if closing := out.Close(); err == nil {
			err = closing
		}
	}()
	add, finish := tarInto(out, at)
	if strings.HasSuffix(file, ".zip") {
		add, finish = zipInto(out, at)
	}
	// WalkDir goes in lexical order.
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(filepath.Dir(folder), path)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if entry.IsDir() || info.Mode()&0o111 != 0 {
			mode = 0o755
		}
		if entry.IsDir() {
			return add(filepath.ToSlash(name)+"/", mode, nil, 0)
		}
		if !entry.Type().IsRegular() {
			return fmt.Errorf("%s is neither a file nor a folder", path)
		}
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = in.Close() }()
		return add(filepath.ToSlash(name), mode, in, info.Size())
	})
	if err != nil {
		return err
	}
	return finish()
}

type adder func(name string, mode fs.FileMode, in io.Reader, size int64) error

func tarInto(out io.Writer, at time.Time) (adder, func() error) {
	packed, _ := gzip.NewWriterLevel(out, gzip.BestCompression)
	t := tar.NewWriter(packed)
	add := func(name string, mode fs.FileMode, in io.Reader, size int64) error {
		head := &tar.Header{Name: name, Mode: int64(mode), Size: size, ModTime: at, Typeflag: tar.TypeReg, Format: tar.FormatPAX}
		if in == nil {
			head.Typeflag = tar.TypeDir
			return t.WriteHeader(head)
		}
		if err := t.WriteHeader(head); err != nil {
			return err
		}
		_, err := io.Copy(t, in)
		return err
	}
	return add, func() error {
		if err := t.Close(); err != nil {
			return err
		}
		return packed.Close()
	}
}

func zipInto(out io.Writer, at time.Time) (adder, func() error) {
	z := zip.NewWriter(out)
	add := func(name string, mode fs.FileMode, in io.Reader, _ int64) error {
		head := &zip.FileHeader{Name: name, Modified: at, Method: zip.Deflate}
		if in == nil {
			head.Method = zip.Store
			mode |= fs.ModeDir
		}
		head.SetMode(mode)
		w, err := z.CreateHeader(head)
		if err == nil && in != nil {
			_, err = io.Copy(w, in)
		}
		return err
	}
	return add, z.Close
}
