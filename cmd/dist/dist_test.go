package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"agentchat/backend/library/extract"
)

const root = "../.."

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The same folder gives the same archive, whenever and however it was written.
func TestArchivesAreReproducible(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1767323045")
	packed := func(order []string, at time.Time) (zipped, tarred string) {
		dir := t.TempDir()
		folder := filepath.Join(dir, "program")
		for _, name := range order {
			path := filepath.Join(folder, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			mode := os.FileMode(0o600)
			if name == "run" {
				mode = 0o700
			}
			if err := os.WriteFile(path, []byte(name), mode); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"a.zip", "a.tar.gz"} {
			if err := pack(filepath.Join(dir, name), folder); err != nil {
				t.Fatal(err)
			}
		}
		return read(t, filepath.Join(dir, "a.zip")), read(t, filepath.Join(dir, "a.tar.gz"))
	}
	zip1, tar1 := packed([]string{"run", "b/c", "a"}, time.Unix(1, 0))
	zip2, tar2 := packed([]string{"a", "b/c", "run"}, time.Now())
	if zip1 != zip2 || tar1 != tar2 {
		t.Error("two archives of the same differ")
	}
	z, err := zip.NewReader(strings.NewReader(zip1), int64(len(zip1)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		if want := map[bool]os.FileMode{true: 0o755, false: 0o644}[strings.HasSuffix(f.Name, "/") || f.Name == "program/run"]; f.Mode().Perm() != want || f.Modified.Unix() != 1767323045 {
			t.Errorf("%s: %v, %v", f.Name, f.Mode(), f.Modified)
		}
	}
	g, err := gzip.NewReader(strings.NewReader(tar1))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for r := tar.NewReader(g); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || h.Uid != 0 || h.Uname != "" || h.ModTime.Unix() != 1767323045 {
			t.Fatalf("%+v, %v", h, err)
		}
		names = append(names, h.Name)
	}
	if got := strings.Join(names, " "); got != "program/ program/a program/b/ program/b/c program/run" {
		t.Error(got)
	}
}

func TestPictures(t *testing.T) {
	dir := t.TempDir()
	if err := icons(root+"/build/appicon.png", dir); err != nil {
		t.Fatal(err)
	}
	for _, size := range iconSizes {
		f, err := os.Open(filepath.Join(dir, strings.ReplaceAll("NxN/apps/agentchat.png", "N", strconv.Itoa(size))))
		if err != nil {
			t.Fatal(err)
		}
		got, err := png.DecodeConfig(f)
		_ = f.Close()
		if err != nil || got.Width != size || got.Height != size {
			t.Errorf("%d: %+v, %v", size, got, err)
		}
	}
	file := filepath.Join(dir, "a.icns")
	if err := icns(root+"/build/appicon.png", file); err != nil {
		t.Fatal(err)
	}
	data := []byte(read(t, file))
	if string(data[:4]) != "icns" || int(binary.BigEndian.Uint32(data[4:])) != len(data) {
		t.Fatal("its head")
	}
	entries := 0
	for rest := data[8:]; len(rest) > 0; entries++ {
		n := binary.BigEndian.Uint32(rest[4:])
		got, format, err := image.DecodeConfig(bytes.NewReader(rest[8:n]))
		if err != nil || format != "png" || got.Width != icnsTypes[entries].size {
			t.Errorf("%s: %+v, %v", rest[:4], got, err)
		}
		rest = rest[n:]
	}
	if entries != len(icnsTypes) {
		t.Errorf("%d entries", entries)
	}
}

// What Windows and a Mac are told of kinds of files is the table of what can be read.
func TestTypes(t *testing.T) {
	dir := t.TempDir()
	nsh, info := filepath.Join(dir, "types.nsh"), filepath.Join(dir, "Info.plist")
	if err := errors.Join(windowsTypes(nsh), plist(info)); err != nil {
		t.Fatal(err)
	}
	registered, declared := read(t, nsh), read(t, info)
	if err := xml.Unmarshal([]byte(declared), new(struct{})); err != nil {
		t.Error(err)
	}
	for _, f := range extract.Formats() {
		for _, ending := range f.Endings {
			if strings.Count(registered, `\`+ending+`\OpenWithProgids" "AgentChat.Document"`) != 2 {
				t.Errorf("%s is not both registered and taken back", ending)
			}
			if !strings.Contains(declared, "<string>"+ending[1:]+"</string>") {
				t.Errorf("a Mac is not told of %s", ending)
			}
		}
	}
}

// What the recipes of packages name is there, and what must be one thing is.
func TestRecipes(t *testing.T) {
	var nfpm struct {
		Name, Arch, Version string
		Overrides           map[string]struct{ Depends []string }
	}
	if err := yaml.Unmarshal([]byte(read(t, root+"/build/linux/agentchat.nfpm.yaml")), &nfpm); err != nil {
		t.Fatal(err)
	}
	if nfpm.Name != "agentchat" || nfpm.Version != "${VERSION}" || len(nfpm.Overrides["deb"].Depends) < 3 || len(nfpm.Overrides["rpm"].Depends) < 2 {
		t.Errorf("%+v", nfpm)
	}
	var flatpak struct{ ID, Command, Runtime string }
	if err := yaml.Unmarshal([]byte(read(t, root+"/build/flatpak/local.agentchat.AgentChat.yml")), &flatpak); err != nil || flatpak.ID != "local.agentchat.AgentChat" || flatpak.Command != "agentchat" {
		t.Errorf("%+v, %v", flatpak, err)
	}
	for _, file := range []string{"/build/linux/agentchat.mime.xml", "/build/linux/local.agentchat.AgentChat.metainfo.xml"} {
		if err := xml.Unmarshal([]byte(read(t, root+file)), new(struct{})); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	version := versionLine.FindStringSubmatch(read(t, root+"/wails.json"))
	if version == nil || !strings.Contains(read(t, root+"/CHANGELOG.md"), "## "+version[1]) {
		t.Errorf("wails.json says %v, and CHANGELOG nothing of it", version)
	}
	// What is installed on Windows is taken away again.
	nsi := read(t, root+"/build/windows/installer.nsi")
	install, uninstall, _ := strings.Cut(nsi, `Section "Uninstall"`)
	for _, m := range regexp.MustCompile(`File /oname=(\S+)`).FindAllStringSubmatch(install, -1) {
		if !strings.Contains(uninstall, `Delete "$INSTDIR\`+m[1]+`"`) {
			t.Errorf("%s stays", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`WriteReg\w+ HKCU "([^"]+?)(?:\\shell[^"]*|\\DefaultIcon)?"`).FindAllStringSubmatch(install, -1) {
		if !strings.Contains(uninstall, `DeleteRegKey HKCU "`+m[1]+`"`) {
			t.Errorf("%s stays in the registry", m[1])
		}
	}
	if !strings.Contains(nsi, "RequestExecutionLevel user") || strings.Contains(nsi, "WriteRegStr HKLM") {
		t.Error("the installer wants an administrator")
	}
}

// A manual page has every flag, and no line that roff would take for a request.
func TestManuals(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1767323045")
	dir := t.TempDir()
	if err := manuals(dir); err != nil {
		t.Fatal(err)
	}
	for _, p := range manualPages() {
		text := read(t, filepath.Join(dir, p.name+".1"))
		for _, flag := range []string{"data", "workers", "version", "diagnose", "save"} {
			if !strings.Contains(text, `\fB\-\-`+flag+`\fR`) {
				t.Errorf("%s says nothing of --%s", p.name, flag)
			}
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, ".") && !regexp.MustCompile(`^\.(TH|SH|TP|B|I|BR) ?`).MatchString(line) || strings.HasPrefix(line, "'") {
				t.Errorf("%s: %q", p.name, line)
			}
		}
	}
}
