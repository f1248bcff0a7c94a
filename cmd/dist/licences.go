package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/google/licensecheck"
	"github.com/ulikunitz/xz"
)

// part is something of others in the programs; see about.Part.
type part struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Kind    string `json:"kind"`
	Licence string `json:"licence"`
	Text    int    `json:"text"`

	text string
}

// system is one that a package is made for, with the tags that programs for it are built by.
type system struct{ os, tags string }

var systems = []system{
	{"linux", "desktop,production,webkit2_41"}, {"windows", "desktop,production"}, {"darwin", "desktop,production"},
}

// licences gathers the licence of everything that is built into a program on any system, and writes it packed to file. bundled is the list
// of npm packages (one folder of frontend a line, see frontend/vite.config.ts) that the window is made of.
func licences(bundled, file string) error {
	parts, err := goParts()
	if err != nil {
		return err
	}
	npm, err := npmParts(bundled)
	if err != nil {
		return err
	}
	more, err := carried()
	if err != nil {
		return err
	}
	parts = append(append(parts, npm...), more...)
	slices.SortFunc(parts, func(a, b part) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name), strings.Compare(a.Version, b.Version))
	})
	var texts []string
	for i := range parts {
		n := slices.Index(texts, parts[i].text)
		if n < 0 {
			n = len(texts)
			texts = append(texts, parts[i].text)
		}
		parts[i].Text = n
	}
	var out bytes.Buffer
	packed, err := xz.WriterConfig{DictCap: 1 << 20, CheckSum: xz.CRC32}.NewWriter(&out)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(packed).Encode(map[string]any{"parts": parts, "texts": texts}); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d parts, %d texts, %d kB\n", len(parts), len(texts), out.Len()/1000)
	return os.WriteFile(file, out.Bytes(), 0o644)
}

// packages has go list say of every package of others its module, that one's version and folder, and its own folder. A module that a
// folder of ours stands in for (lean) is not another's.
const packages = "{{with .Module}}{{if not (or .Main (and .Replace (not .Replace.Version)))}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}"

// goParts are the modules that the fronts are linked of, and Go itself.
func goParts() ([]part, error) { return linked(".", systems, ".", "./cmd/headless") }

// linked are the modules that programs of the module in dir are linked of on those systems, and Go itself.
func linked(dir string, on []system, programs ...string) ([]part, error) {
	found := map[string]part{}
	read := map[string]bool{}
	for _, s := range on {
		list := exec.CommandContext(context.Background(), "go", append([]string{"list", "-deps", "-tags", s.tags, "-f", packages}, programs...)...)
		list.Dir = dir
		list.Env = append(os.Environ(), "GOOS="+s.os, "CGO_ENABLED=1")
		list.Stderr = os.Stderr
		out, err := list.Output()
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(out)) {
			f := strings.Split(strings.TrimSpace(line), "\t")
			if len(f) != 4 {
				continue
			}
			p := found[f[0]]
			p.Name, p.Version, p.Kind = f[0], f[1], "go"
			for _, folder := range f[2:] { // a package in a module may have a licence of its own
				if read[folder] {
					continue
				}
				read[folder] = true
				switch text, err := licenceText(folder); {
				case err == nil && p.text != "":
					p.text += "\n\n----\n\n" + text
				case err == nil:
					p.text = text
				case folder == f[2]:
					return nil, fmt.Errorf("%s: %w", f[0], err)
				}
			}
			found[f[0]] = p
		}
	}
	for name, p := range found {
		p.Licence = spdx(p.text)
		found[name] = p
	}
	root, err := exec.CommandContext(context.Background(), "go", "env", "GOROOT").Output() // this program may be built without paths
	if err != nil {
		return nil, err
	}
	std, err := licenceText(strings.TrimSpace(string(root)))
	if err != nil {
		return nil, err
	}
	list := []part{{Name: "Go standard library", Version: strings.TrimPrefix(runtime.Version(), "go"), Kind: "go", Licence: spdx(std), text: std}}
	for _, p := range found {
		list = append(list, p)
	}
	return list, nil
}

// npmParts are the packages whose folders bundled lists.
func npmParts(bundled string) ([]part, error) {
	data, err := os.ReadFile(bundled)
	if err != nil {
		return nil, err
	}
	var list []part
	for folder := range strings.Lines(string(data)) {
		folder = filepath.Join("frontend", strings.TrimSpace(folder))
		manifest, err := os.ReadFile(filepath.Join(folder, "package.json"))
		if err != nil {
			return nil, err
		}
		var of struct{ Name, Version, License string }
		if err := json.Unmarshal(manifest, &of); err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		text, err := licenceText(folder)
		if err != nil { // of a package that is built, it may lie with what was built
			if built, worse := licenceText(filepath.Join(folder, "dist")); worse == nil {
				text, err = built, nil
			}
		}
		if err != nil && of.License == "" {
			return nil, fmt.Errorf("%s: %w", of.Name, err)
		}
		if err != nil {
			text = fmt.Sprintf("%s %s has no licence file; its package.json says: %s", of.Name, of.Version, of.License)
		}
		kind := "npm"
		switch of.Name {
		case "pretendard":
			kind = "font"
		case "world-atlas":
			kind = "map"
			text += "\n\nThe shapes themselves are Natural Earth's (naturalearthdata.com), which are in the public domain."
		}
		list = append(list, part{Name: of.Name, Version: of.Version, Kind: kind, Licence: cmp.Or(of.License, spdx(text)), text: text})
	}
	return list, nil
}

// carried is what no manifest names: build/licences holds a file for each, whose first line says name, kind and licence.
func carried() ([]part, error) {
	files, err := filepath.Glob("build/licences/*.txt")
	if err != nil {
		return nil, err
	}
	var list []part
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		head, text, _ := strings.Cut(string(data), "\n")
		f := strings.Split(head, "\t")
		if len(f) != 3 {
			return nil, fmt.Errorf("%s: the first line is name, kind and licence with tabs between them", file)
		}
		list = append(list, part{Name: f[0], Kind: f[1], Licence: f[2], text: strings.TrimSpace(text)})
	}
	return list, nil
}

var licenceFile = regexp.MustCompile(`(?i)^(?:licen[cs]e|copying|notice|unlicense|patents)(?:[-._].*)?$`)

var errNoLicence = errors.New("no licence file")

// licenceText is everything that a folder says about its licence.
func licenceText(folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return "", err
		}
		texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n")))
	}
	if len(texts) == 0 {
		return "", errNoLicence
	}
	return strings.Join(texts, "\n\n----\n\n"), nil
}

// spdx names the licences that a text holds.
func spdx(text string) string {
	var ids []string
	for _, m := range licensecheck.Scan([]byte(text)).Match {
		if !m.IsURL && !slices.Contains(ids, m.ID) {
			ids = append(ids, m.ID)
		}
	}
	slices.Sort(ids)
	if len(ids) == 0 {
		return "see text"
	}
	return strings.Join(ids, " AND ")
}
