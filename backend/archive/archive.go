// Package archive keeps everything of a shop in one file, and puts it in the place of what there is: the ledger, the settings, the outside
// tools, the services of a person's own and what was attached to messages. Keys are never in it.
package archive

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Ledger is what the ledger is called in a backup.
const Ledger = "agentchat.db"

// manifestName stands in a backup once all else does.
const manifestName = "manifest.json"

const (
	format  = "agentchat-backup"
	version = 1
)

// belonging is a file of the data folder, or a folder of such, that goes with the ledger.
type belonging struct {
	name string // in a backup, and in the data folder
	dir  bool
}

// belongings are all of them. Whatever is not named here is made anew (logs), or must not leave the computer (keys).
var belongings = []belonging{{name: "settings.json"}, {name: "mcp.json"}, {name: "services", dir: true}, {name: "attachments", dir: true}}

// House is where a shop lives: its data folder, and its settings file, which may lie elsewhere.
type House struct{ Dir, Settings string }

func (h House) place(name string) string {
	if name == "settings.json" && h.Settings != "" {
		return h.Settings
	}
	return filepath.Join(h.Dir, name)
}

// File is one file of a backup, named with slashes.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Manifest says what a backup holds. Keys are the names of the keys that were there and are not in it.
type Manifest struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Made    time.Time `json:"made"`
	Program string    `json:"program"`
	System  string    `json:"system"`
	Keys    []string  `json:"keys"`
	Files   []File    `json:"files"`
}

// files lists what belongs to the ledger now, by its name in a backup.
func (h House) files() (map[string]string, error) {
	found := map[string]string{}
	for _, b := range belongings {
		from := h.place(b.name)
		if !b.dir {
			if info, err := os.Stat(from); err == nil && info.Mode().IsRegular() {
				found[b.name] = from
			}
			continue
		}
		err := filepath.WalkDir(from, func(at string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case !d.Type().IsRegular() || strings.HasPrefix(d.Name(), "in-") && b.name == "attachments": // still being received
				return nil
			}
			inside, err := filepath.Rel(from, at)
			if name := path.Join(b.name, filepath.ToSlash(inside)); err == nil && named(name) {
				found[name] = at
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// Write writes a backup: a copy of the ledger that lies at ledger, and all that belongs to it. A file that went meanwhile is left out.
func Write(ctx context.Context, w io.Writer, h House, ledger string, m Manifest) error {
	files, err := h.files()
	if err != nil {
		return err
	}
	files[Ledger] = ledger
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	z := zip.NewWriter(w)
	m.Format, m.Version, m.System, m.Files = format, version, runtime.GOOS, nil
	for _, name := range names {
		file, err := pack(ctx, z, name, files[name], m.Made)
		if errors.Is(err, fs.ErrNotExist) && name != Ledger {
			continue
		}
		if err != nil {
			return err
		}
		m.Files = append(m.Files, file)
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	out, err := z.CreateHeader(&zip.FileHeader{Name: manifestName, Method: zip.Deflate, Modified: m.Made})
	if err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return err
	}
	return z.Close()
}

func pack(ctx context.Context, z *zip.Writer, name, from string, at time.Time) (File, error) {
	in, err := os.Open(from)
	if err != nil {
		return File{}, err
	}
	defer func() { _ = in.Close() }()
	out, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at})
	if err != nil {
		return File{}, err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, sum), &patient{ctx, in})
	return File{Name: name, Bytes: n, SHA256: hex.EncodeToString(sum.Sum(nil))}, err
}

// patient is a reader that ends with its context.
type patient struct {
	ctx  context.Context //nolint:containedctx // it lives as long as one copy
	from io.Reader
}

func (p *patient) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.from.Read(b)
}
