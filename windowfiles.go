package main

import (
	"archive/zip"
	"embed"
	"io"
	"io/fs"
)

// packed holds what the window is made of, as one zip: its scripts take a third of their room so. make frontend puts it there.
//
//go:embed all:frontend/packed
var packed embed.FS

// windowFiles are the files of the window; each is unpacked when the page asks for it.
func windowFiles(packed fs.FS) fs.FS {
	file, err := packed.Open("frontend/packed/window.zip")
	if err != nil {
		return packed // nothing was built: Wails says that there is no page
	}
	info, err := file.Stat()
	at, readable := file.(io.ReaderAt) // nothing is copied
	if err != nil || !readable {
		return packed
	}
	files, err := zip.NewReader(at, info.Size())
	if err != nil {
		return packed
	}
	return files
}
