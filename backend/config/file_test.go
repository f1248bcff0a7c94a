package config

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"agentchat/backend/apperr"
)

func TestUnknownKeysAreKeptAndReported(t *testing.T) {
	dir := folderWith(t, `{"workers": 99, "pace": 2, "future": {"x": [1, {"y": null}], "n": 12345678901234567890}, "tools": {"nav": {"colour": "<red>"}}, "a.b": 1}`)
	c, warnings := load(t, Options{DataDir: dir})
	var keys []string
	for _, w := range warnings {
		keys = append(keys, w.Key)
		same(t, w.Key, w.Err.Code, apperr.InvalidSetting)
	}
	same(t, "warnings", keys, []string{"a.b", "future.n", "future.x", "tools.nav.colour", "workers"})
	same(t, "workers", c.Get().Workers, 4)
	same(t, "pace", c.Get().Pace, 2.0)

	set(t, c, map[string]any{"theme": "dark"})
	text, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range []string{`"workers": 99`, "12345678901234567890", `"y": null`, `"<red>"`, `"a.b": 1`, `"theme": "dark"`} {
		if !strings.Contains(string(text), kept) {
			t.Errorf("%s is lost from %s", kept, text)
		}
	}
}

func TestBrokenFileIsKeptAside(t *testing.T) {
	for name, broken := range map[string]string{
		"cut": `{"workers": 8`, "list": `[1]`, "null": `null`, "two": `{} {}`, "text": "workers=8", "binary": "\x00\xff",
	} {
		t.Run(name, func(t *testing.T) {
			dir := folderWith(t, broken)
			path := filepath.Join(dir, FileName)
			// An earlier broken file is never overwritten.
			if err := os.WriteFile(path+".broken", []byte("earlier"), 0o600); err != nil {
				t.Fatal(err)
			}
			c, warnings := load(t, Options{DataDir: dir})
			if len(warnings) != 1 || warnings[0].Err.Code != apperr.InvalidSetting || warnings[0].Err.Fields["kept"] != path+".broken-2" {
				t.Fatalf("warnings: %v", warnings)
			}
			same(t, "workers", c.Get().Workers, 4)
			set(t, c, map[string]any{"workers": 3})
			for file, want := range map[string]string{path + ".broken": "earlier", path + ".broken-2": broken} {
				if text, err := os.ReadFile(file); string(text) != want {
					t.Errorf("%s holds %q (%v)", file, text, err)
				}
			}
		})
	}
}

func TestFileThatBreaksWhileTheShopIsOpen(t *testing.T) {
	c := fresh(t)
	path := c.View().File
	if err := os.WriteFile(path, []byte("oops"), 0o600); err != nil {
		t.Fatal(err)
	}
	set(t, c, map[string]any{"workers": 3})
	same(t, "file", onDisk(t, path), map[string]any{"workers": 3.0})
	if text, _ := os.ReadFile(path + ".broken"); string(text) != "oops" {
		t.Errorf("kept aside: %q", text)
	}
}

func TestHandEditsMeanwhileAreKept(t *testing.T) {
	c := fresh(t)
	path := c.View().File
	if err := os.WriteFile(path, []byte(`{"pace": 7}`), 0o600); err != nil {
		t.Fatal(err)
	}
	set(t, c, map[string]any{"workers": 3})
	same(t, "file", onDisk(t, path), map[string]any{"workers": 3.0, "pace": 7.0})
}

func TestFileIsPrivateAndLinksStay(t *testing.T) {
	dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "real.json")
	if err := os.WriteFile(elsewhere, []byte("\ufeff{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, FileName)
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	c, warnings := load(t, Options{DataDir: dir})
	same(t, "warnings", len(warnings), 0)
	set(t, c, map[string]any{"workers": 3})
	same(t, "file", onDisk(t, elsewhere), map[string]any{"workers": 3.0})
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", info.Mode(), err)
	}
	if info, err = os.Stat(elsewhere); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(elsewhere), "*.tmp")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestNothingChangesWhenTheFileCannotBeWritten(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	c, _ := load(t, Options{DataDir: t.TempDir(), File: filepath.Join(blocked, "settings.json")})
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := c.Set(map[string]any{"workers": 9})
	same(t, "code", apperr.CodeOf(err), apperr.StorageFailed)
	same(t, "workers", c.Get().Workers, 4)
	same(t, "source", item(t, c, "workers").Source, SourceDefault)
}

func TestWhereTheFileAndTheDataAre(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	named := filepath.Join(dir, "mine.json")
	text, _ := json.Marshal(map[string]any{"data_dir": other, "config": "/elsewhere", "workers": 2})
	if err := os.WriteFile(named, text, 0o600); err != nil {
		t.Fatal(err)
	}
	c, warnings := load(t, Options{Flags: map[string]string{"config": named}})
	same(t, "data folder", c.Get().DataDir, other)
	same(t, "file", c.Get().ConfigFile, named)
	same(t, "workers", c.Get().Workers, 2)
	if len(warnings) != 1 || warnings[0].Key != "config" {
		t.Errorf("warnings: %v", warnings)
	}

	c, _ = load(t, Options{Env: []string{"AGENTCHAT_CONFIG=" + named, "AGENTCHAT_DATA=" + dir}})
	same(t, "data folder of the environment", c.Get().DataDir, dir)
	same(t, "workers", c.Get().Workers, 2)

	inside := folderWith(t, `{"data_dir": "/elsewhere"}`)
	c, warnings = load(t, Options{DataDir: inside})
	same(t, "data folder", c.Get().DataDir, inside)
	same(t, "warnings", len(warnings), 1)
}

func TestEverySpellingOfAKeyIsReplaced(t *testing.T) {
	for text, want := range map[string]string{
		`{"tools.nav.capacity": 1}`:                              `{"tools":{"nav":{"capacity":5}}}`,
		`{"tools": {"nav.capacity": 1, "nav": {"capacity": 2}}}`: `{"tools":{"nav":{"capacity":5}}}`,
		`{"tools.nav": {"capacity": 1, "group": "g"}}`:           `{"tools":{"nav":{"capacity":5}},"tools.nav":{"group":"g"}}`,
		`{"tools": 7}`: `{"tools":7,"tools.nav.capacity":5}`,
		`{"tools": {"nav": {}}, "tools.nav.capacity": 1, "other": {"tools":1}}`: `{"other":{"tools":1},"tools":{"nav":{"capacity":5}}}`,
	} {
		doc, err := parseDocument([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		doc.set("tools.nav.capacity", 5)
		got, _ := json.Marshal(doc)
		same(t, text, string(got), want)
	}
}

func FuzzSettingsFile(f *testing.F) {
	f.Add([]byte(`{"workers": 8, "tools": {"nav": {"capacity": 2}}, "x": [null, 1e400]}`), "theme", "dark")
	f.Add([]byte(`{"tools": 5, "tools.nav.capacity": 1}`), "tools.nav.capacity", "3")
	f.Add([]byte("\ufeff{}"), "workers", "8")
	f.Add([]byte(`{"": {"": 1}, "pace": {"pace": 1}}`), "pace", "2")
	c, _, err := Load(Options{DataDir: f.TempDir(), Env: []string{}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte, key, value string) {
		doc, err := parseDocument(text)
		if err != nil {
			return
		}
		good, _ := c.checked(doc.flat())
		settings := settingsOf(merge(c.layers.initial, good))
		if settings.Workers < 1 || settings.Workers > 64 || settings.Pace < 0.1 || settings.ModelTimeouts.First <= 0 || settings.Lang == "" {
			t.Errorf("%s gives %+v", text, settings)
		}

		row, ok := c.lookup(key)
		if !ok || row.start {
			return
		}
		checked, wrong := row.check(value)
		if wrong != nil {
			return
		}
		before := doc.flat()
		doc.set(key, checked)
		out, err := json.Marshal(doc)
		if err != nil {
			t.Fatalf("%s cannot be written: %v", text, err)
		}
		again, err := parseDocument(out)
		if err != nil {
			t.Fatalf("%s cannot be read: %v", out, err)
		}
		after := again.flat()
		if !sameJSON(after[key], checked) {
			t.Errorf("%s is %v in %s", key, after[key], out)
		}
		delete(before, key)
		delete(after, key)
		if !reflect.DeepEqual(before, after) {
			t.Errorf("setting %s in %s lost something: %s", key, text, out)
		}
	})
}
