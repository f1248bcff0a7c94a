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

	"agentchat/backend/stream"
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
	name  string // in a backup, and in the data folder
	dir   bool
	half  string // how the names in it begin of what is not whole yet
	deep  int    // how many folders its files may lie in
	fixed bool   // its files never change, so they are linked where the disk can
	runs  bool   // its files may be programs
	stays bool   // what is there stays when a backup has none
}

// belongings are all of them. Whatever is not named here is made anew (logs), or must not leave the computer (keys).
var belongings = []belonging{
	{name: "settings.json"},
	{name: "mcp.json"},
	{name: "services", dir: true, deep: 5},
	{name: "attachments", dir: true, half: "in-", deep: 5, fixed: true},
	// Outside servers that came as a file; each in a folder named by what it holds, so those of an older backup are still there.
	{name: "bundles", dir: true, half: "new-", deep: 50, fixed: true, runs: true, stays: true},
}

// belongsTo is what a file of a backup is part of.
func belongsTo(name string) (b belonging, ok bool) {
	first, _, _ := strings.Cut(name, "/")
	i := slices.IndexFunc(belongings, func(b belonging) bool { return b.name == first })
	if i < 0 {
		return b, false
	}
	return belongings[i], true
}

// fixed tells whether a file of a backup never changes.
func fixed(name string) bool {
	b, _ := belongsTo(name)
	return b.fixed
}

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
			}
			inside, err := filepath.Rel(from, at)
			if b.half != "" && strings.HasPrefix(inside, b.half) { // still being received
				if d.IsDir() {
					return filepath.SkipDir
				}
				return nil
			}
			if !d.Type().IsRegular() {
				return err
			}
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
	head := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at}
	if b, _ := belongsTo(name); b.runs && executable(in) {
		head.SetMode(program)
	}
	out, err := z.CreateHeader(head)
	if err != nil {
		return File{}, err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, sum), stream.Until(ctx, in))
	return File{Name: name, Bytes: n, SHA256: hex.EncodeToString(sum.Sum(nil))}, err
}
