package mcp

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// What a bundle (.mcpb) may weigh. Its manifest is read before anybody agreed; the rest is unpacked only then.
const (
	maxBundle      = 512 << 20 // bytes of the file
	maxUnpacked    = 1 << 30   // bytes of all that is in it
	maxBundleFiles = 20_000
	maxDirectory   = maxBundleFiles * 256 // bytes of the list of them, which is read as a whole before they can be counted
	maxManifest    = 1 << 20
)

// bundlesFolder is where bundles are unpacked, in the data folder: each in a folder named by what it holds.
const bundlesFolder = "bundles"

// unpacking begins the names of folders there that are not whole yet.
const unpacking = "new-"

// manifest is what a bundle says of itself, as far as it is used here. All of it is a stranger's word.
type manifest struct {
	Name        string `json:"name"`
	Title       string `json:"display_name"`
	Version     string `json:"version"`
	Description string `json:"description"`
	Server      struct {
		Type   string       `json:"type"`
		Config bundleConfig `json:"mcp_config"`
	} `json:"server"`
	UserConfig    map[string]wanted `json:"user_config"`
	Compatibility struct {
		Platforms []string `json:"platforms"`
	} `json:"compatibility"`
}

type bundleConfig struct {
	Command   string                  `json:"command"`
	Args      []string                `json:"args"`
	Env       map[string]string       `json:"env"`
	Overrides map[string]bundleConfig `json:"platform_overrides"`
}

// wanted is one thing that the manifest has a person asked for.
type wanted struct {
	Type        string `json:"type"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
	Sensitive   bool   `json:"sensitive"`
	Default     any    `json:"default"`
}

// bundle is an opened file and what it is.
type bundle struct {
	path string
	sum  string // of the whole file: what was shown is what is unpacked
}

func noBundle(ko, en string) error { return notProposal(bilingual.Text{KO: ko, EN: en}) }

// ProposeBundle reads the manifest of a bundle and makes a form of it. Nothing is unpacked and nothing is started. Errors: outside_unreadable.
func (m *Mounts) ProposeBundle(file string) (Proposal, error) {
	from, err := openBundle(file)
	if err != nil {
		return Proposal{}, err
	}
	defer func() { _ = from.Close() }()
	sum, size, err := sumOf(from)
	if err != nil {
		return Proposal{}, noBundle("파일을 끝까지 읽지 못했어요", "the file could not be read to its end")
	}
	z, err := look(from, size)
	if err != nil {
		return Proposal{}, err
	}
	about, err := readManifest(z)
	if err != nil {
		return Proposal{}, err
	}
	d, err := about.draft(m.bundleAt(sum))
	if err != nil {
		return Proposal{}, err
	}
	d.bundle = &bundle{path: file, sum: sum}
	return m.propose([]draft{d})[0], nil
}

func openBundle(file string) (*os.File, error) {
	from, err := os.Open(file)
	if err != nil {
		return nil, noBundle("파일을 열 수 없어요", "the file cannot be opened")
	}
	if info, err := from.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxBundle {
		_ = from.Close()
		return nil, noBundle("파일이 아니거나 512MB보다 커요", "it is no file, or larger than 512 MB")
	}
	return from, nil
}

func sumOf(r io.Reader) (sum string, size int64, err error) {
	h := sha256.New()
	size, err = io.Copy(h, io.LimitReader(r, maxBundle+1))
	return hex.EncodeToString(h.Sum(nil)), size, err
}

func (m *Mounts) bundleAt(sum string) string {
	return filepath.Join(m.bundles(), sum[:16])
}

// sparing gives away so many bytes of a file.
type sparing struct {
	io.ReaderAt
	left int
}

// ReadAt implements io.ReaderAt.
func (s *sparing) ReadAt(p []byte, at int64) (int, error) {
	if s.left -= len(p); s.left < 0 {
		return 0, errTooMuch
	}
	return s.ReaderAt.ReadAt(p, at)
}

// look opens a bundle and counts what is in it, before anything of it is believed.
func look(r io.ReaderAt, size int64) (*zip.Reader, error) {
	list := &sparing{r, maxDirectory}
	z, err := zip.NewReader(list, size)
	switch {
	case list.left < 0 || z != nil && len(z.File) > maxBundleFiles:
		return nil, noBundle("파일이 너무 많이 들어 있어요", "it holds too many files")
	case err != nil && !errors.Is(err, zip.ErrInsecurePath):
		return nil, noBundle("mcpb 파일이 아니에요", "it is no mcpb file")
	}
	list.left = math.MaxInt // the files themselves are read one by one, and bounded
	var all uint64
	for _, f := range z.File {
		if all += min(f.UncompressedSize64, maxUnpacked+1); all > maxUnpacked {
			return nil, noBundle("풀면 1GB보다 커요", "unpacked it would be larger than 1 GB")
		}
		if !fits(f) {
			return nil, noBundle("폴더 밖으로 나가려는 파일이 들어 있어요 ("+plain(f.Name, 100)+")", "it holds a file that would lie outside of its folder ("+plain(f.Name, 100)+")")
		}
	}
	return z, nil
}

// fits tells whether an entry is a file or folder below the bundle's own, on every system.
func fits(f *zip.File) bool {
	name := strings.TrimSuffix(f.Name, "/")
	return (f.Mode().IsRegular() || f.Mode().IsDir()) && name != "" && !strings.ContainsAny(name, "\\:\x00") && path.Clean(name) == name && filepath.IsLocal(name)
}

func readManifest(z *zip.Reader) (about manifest, err error) {
	f, err := z.Open("manifest.json")
	if err != nil {
		return about, noBundle("꾸러미의 소개가 들어 있지 않아요", "it does not hold the description of a bundle")
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	if err != nil || len(text) > maxManifest || json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &about) != nil {
		return about, noBundle("꾸러미의 소개를 읽을 수 없어요", "the description in it cannot be read")
	}
	return about, nil
}

// platform is what manifests call this system.
func platform() string {
	if runtime.GOOS == "windows" {
		return "win32"
	}
	return runtime.GOOS
}

// draft makes a form of what the manifest wants. at is where the bundle would be unpacked.
func (a manifest) draft(at string) (draft, error) {
	if len(a.Compatibility.Platforms) > 0 && !slices.Contains(a.Compatibility.Platforms, platform()) {
		return draft{}, noBundle("이 컴퓨터의 운영체제에서는 쓸 수 없는 서버예요", "the server is not made for this system")
	}
	c := a.Server.Config
	if other, ok := c.Overrides[platform()]; ok {
		if other.Command != "" {
			c.Command = other.Command
		}
		if other.Args != nil {
			c.Args = other.Args
		}
		for name, value := range other.Env {
			if c.Env == nil {
				c.Env = map[string]string{}
			}
			c.Env[name] = value
		}
	}
	if c.Command == "" || len(a.UserConfig) > 50 || len(c.Args) > 200 || len(c.Env) > 200 {
		return draft{}, noBundle("무엇을 실행할지 적혀 있지 않아요", "it does not say what to run")
	}
	known := known(at)
	s := Server{Name: tidyName(a.Name), Command: known.Replace(c.Command), Args: []string{}, Env: map[string]string{}}
	if a.Server.Type == "binary" && !filepath.IsAbs(s.Command) && strings.ContainsAny(s.Command, `/\`) {
		s.Command = filepath.Join(at, s.Command)
	}
	for _, arg := range c.Args {
		s.Args = append(s.Args, known.Replace(arg))
	}
	for name, value := range c.Env {
		s.Env[name] = known.Replace(value)
	}
	d := draft{server: s, needs: map[string]need{}}
	for _, key := range slices.Sorted(maps.Keys(a.UserConfig)) {
		w := a.UserConfig[key]
		title := plain(w.Title, 100)
		if title == "" {
			title = plain(key, 100)
		}
		if about := plain(w.Description, 200); about != "" && about != title {
			title += " — " + about
		}
		n := need{Need: Need{Name: key, Kind: NeedText, Title: bilingual.Text{KO: title, EN: title}, Optional: !w.Required}, hole: "${user_config." + key + "}"}
		switch {
		case w.Sensitive, keyName.MatchString(key) && (w.Type == "" || w.Type == "string"): // many a manifest does not mark its keys
			n.Kind = NeedKey
		case w.Type == "directory":
			n.Kind = NeedFolder
		}
		switch v := w.Default.(type) {
		case nil:
		case []any:
			if len(v) > 0 {
				n.value = known.Replace(fmt.Sprint(v[0]))
			}
		default:
			n.value = known.Replace(fmt.Sprint(v))
		}
		n.Given = n.value != ""
		d.needs[key] = n
		d.Needs = append(d.Needs, n.Need)
	}
	name := plain(a.Title, 100)
	if name == "" {
		name = plain(a.Name, 100)
	}
	if v := plain(a.Version, 30); v != "" {
		name += " " + v
	}
	about := plain(a.Description, maxLine)
	d.Title, d.About = bilingual.Text{KO: name, EN: name}, bilingual.Text{KO: about, EN: about}
	d.finish()
	if strings.HasPrefix(s.Command, at) { // it comes with the bundle
		d.Missing = ""
	}
	return d, nil
}

// known fills the places that every manifest may use.
func known(at string) *strings.Replacer {
	home, err := os.UserHomeDir()
	if err != nil {
		home = at
	}
	return strings.NewReplacer("${__dirname}", at, "${HOME}", home, "${DESKTOP}", filepath.Join(home, "Desktop"), "${DOCUMENTS}", filepath.Join(home, "Documents"),
		"${DOWNLOADS}", filepath.Join(home, "Downloads"), "${pathSeparator}", string(filepath.Separator), "${/}", string(filepath.Separator))
}

// unpack takes a bundle that a person agreed to out of its file, if the file is still the one that was shown. Errors: digest_mismatch,
// outside_unreadable, storage errors.
func (m *Mounts) unpack(b *bundle) (err error) {
	at := m.bundleAt(b.sum)
	if _, err := os.Stat(at); err == nil {
		return nil // another server came of the same bundle
	}
	from, err := openBundle(b.path)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	kept := func(err error) error { return apperr.Wrap(err, apperr.StorageFailed) }
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		return kept(err)
	}
	fresh, err := os.MkdirTemp(filepath.Dir(at), unpacking+"*")
	if err != nil {
		return kept(err)
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	// A copy of our own, so that what is counted and hashed is what is unpacked.
	copied, err := os.Create(filepath.Join(fresh, "bundle"))
	if err != nil {
		return kept(err)
	}
	defer func() { _ = copied.Close() }()
	sum, size, err := sumOf(io.TeeReader(from, copied))
	if err != nil {
		return kept(err)
	}
	if sum != b.sum {
		return apperr.New(apperr.DigestMismatch)
	}
	z, err := look(copied, size)
	if err != nil {
		return err
	}
	whole := filepath.Join(fresh, "files")
	if err := os.Mkdir(whole, 0o700); err != nil {
		return kept(err)
	}
	root, err := os.OpenRoot(whole)
	if err != nil {
		return kept(err)
	}
	defer func() { _ = root.Close() }()
	for _, f := range z.File {
		if err := take(root, f); err != nil {
			return kept(err)
		}
	}
	_ = root.Close()
	if err := os.Rename(whole, at); err != nil && !errors.Is(err, fs.ErrExist) {
		return kept(err)
	}
	return nil
}

// sweepUnpacking takes away what a program that was killed left half unpacked.
func (m *Mounts) sweepUnpacking() {
	below := m.bundles()
	folders, err := os.ReadDir(below)
	if err != nil {
		return // none was ever unpacked
	}
	for _, f := range folders {
		if !strings.HasPrefix(f.Name(), unpacking) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(below, f.Name())); err != nil {
			m.opt.Log.Warn().Err(err).Msg("a half unpacked bundle stays behind")
		}
	}
}

// take writes one file of a bundle. It never grows beyond what the bundle said.
func take(root *os.Root, f *zip.File) error {
	name := filepath.FromSlash(strings.TrimSuffix(f.Name, "/"))
	if f.Mode().IsDir() {
		return root.MkdirAll(name, 0o700)
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	mode := fs.FileMode(0o600)
	if f.Mode()&0o111 != 0 {
		mode = 0o700
	}
	from, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	to, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = io.CopyN(to, from, int64(f.UncompressedSize64)) //nolint:gosec // counted before
	return errors.Join(err, to.Close())
}

// sweepBundle takes an unpacked bundle away that no server in a text uses any more.
func (m *Mounts) sweepBundle(s Server, text []byte) {
	below := m.bundles()
	uses := func(s Server, part string) bool {
		return slices.ContainsFunc(append([]string{s.Command}, s.Args...), func(v string) bool { return strings.Contains(v, part) })
	}
	if !uses(s, below) {
		return
	}
	left := ReadSettings(text).Servers
	folders, err := os.ReadDir(below)
	if err != nil {
		return
	}
	for _, f := range folders {
		at := below + f.Name()
		if uses(s, at) && !slices.ContainsFunc(left, func(o Server) bool { return uses(o, at) }) {
			if err := os.RemoveAll(at); err != nil {
				m.opt.Log.Warn().Err(err).Msg("an unpacked bundle stays behind")
			}
		}
	}
}
