package front

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Input writes what a caller reads from a pipe to where the shop of a data folder can take it from as an attachment, under a name. done
// takes it away again; where nobody calls that, the next shop does. The folder is there once a shop has been open.
func Input(dataDir, name string, from io.Reader) (path string, done func(), err error) {
	dir, err := os.MkdirTemp(filepath.Join(dataDir, Folder), inputs)
	if err != nil {
		return "", nil, err
	}
	done = func() { _ = os.RemoveAll(dir) }
	path = filepath.Join(dir, name)
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = io.Copy(file, from)
		if e := file.Close(); err == nil {
			err = e
		}
	}
	if err != nil {
		done()
	}
	return path, done, err
}

// sweep takes away what callers of an earlier run left.
func sweep(dir string) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), inputs) {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}
