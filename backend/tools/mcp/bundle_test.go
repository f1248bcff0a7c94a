package mcp_test

import (
	"archive/zip"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/tools/mcp"
)

// packed writes a bundle: a manifest, and files by name. A name that ends in "+x" may be run.
func packed(t *testing.T, manifest any, files map[string]string) string {
	t.Helper()
	at := filepath.Join(t.TempDir(), "notes.mcpb")
	f, err := os.Create(at)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	add := func(name, text string, mode fs.FileMode) {
		head := &zip.FileHeader{Name: name, Method: zip.Deflate}
		if text == "" {
			head.Method = zip.Store // as there are tests with thousands of them, and each would have a compressor of its own
		}
		head.SetMode(mode)
		w, err := z.CreateHeader(head)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if manifest != nil {
		text, err := json.Marshal(manifest)
		if err != nil {
			t.Fatal(err)
		}
		add("manifest.json", string(text), 0o644)
	}
	for name, text := range files {
		mode := fs.FileMode(0o644)
		if cut, ok := strings.CutSuffix(name, "+x"); ok {
			name, mode = cut, 0o755
		}
		if cut, ok := strings.CutSuffix(name, "+link"); ok {
			name, mode = cut, fs.ModeSymlink|0o777
		}
		add(name, text, mode)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	// A signature may follow the archive.
	if _, err := f.WriteString("MCPB_SIG_V1 signed MCPB_SIG_END"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return at
}

// notesManifest is a bundle whose program is this test, started by a script that it carries.
func notesManifest(h *house) map[string]any {
	return map[string]any{
		"manifest_version": "0.3", "name": "Notes!", "display_name": "노트", "version": "1.2.0", "description": "Keeps\u202e notes.",
		"server": map[string]any{"type": "binary", "entry_point": "server/run.sh", "mcp_config": map[string]any{
			"command": "${__dirname}/server/run.sh",
			"args":    []string{"--in", "${user_config.folder}", "--level=${user_config.level}", "${user_config.more}"},
			"env":     map[string]string{playVar: "good", "NOTES": h.dir, "API_TOKEN": "Bearer ${user_config.key}", "MORE": "${user_config.more}"},
		}},
		"user_config": map[string]any{
			"folder": map[string]any{"type": "directory", "title": "Folder", "description": "Where notes lie", "required": true},
			"key":    map[string]any{"type": "string", "title": "Key", "required": true, "sensitive": true},
			"level":  map[string]any{"type": "number", "title": "Level", "default": 3},
			"more":   map[string]any{"type": "string", "title": "More"},
			// Not marked as secret, but named like one.
			"api_token":  map[string]any{"type": "string", "title": "Token"},
			"max_tokens": map[string]any{"type": "number", "title": "Most tokens"},
		},
	}
}

func TestABundle(t *testing.T) {
	h := newHouse(t, quick)
	file := packed(t, notesManifest(h), map[string]string{
		"server/run.sh+x": "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$NOTES/args\"\nexec '" + os.Args[0] + "'\n", "server/data.txt": "hello",
	})
	p, err := h.ProposeBundle(file)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]mcp.NeedKind{}
	for _, n := range p.Needs {
		kinds[n.Name] = n.Kind
	}
	if p.Name != "notes" || p.Title.KO != "노트 1.2.0" || p.Missing != "" || kinds["folder"] != mcp.NeedFolder || kinds["key"] != mcp.NeedKey || kinds["level"] != mcp.NeedText ||
		kinds["api_token"] != mcp.NeedKey || kinds["max_tokens"] != mcp.NeedText {
		t.Errorf("%+v", p)
	}
	if strings.ContainsRune(p.About.EN, '\u202e') {
		t.Errorf("%q", p.About.EN)
	}
	below := filepath.Join(h.dir, "bundles")
	if _, err := os.Stat(below); err == nil {
		t.Error("it was unpacked before anybody agreed")
	}
	f := mcp.Filled{ID: p.ID, Name: "notes", Values: map[string]string{"folder": h.dir, "key": "sk-4417-secret"}}
	if f.Line, err = h.LineOf(f); err != nil {
		t.Fatal(err)
	}
	mustHold(t, f.Line, below, "run.sh --in "+h.dir, "--level=3")
	missing := f
	missing.Values = map[string]string{"folder": h.dir}
	wantCode(t, h.Add(t.Context(), missing), apperr.InvalidArgs)
	if err := h.Add(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	v := h.until("notes", "its tools are shown", func(v mcp.ServerView) bool { return v.Digest != "" })
	if v.Transport != "stdio" {
		t.Errorf("%+v", v)
	}
	if got := h.notes("args"); got != "--in\n"+h.dir+"\n--level=3\n" {
		t.Errorf("it was started with %q", got)
	}
	settings := h.notes(mcp.FileName)
	if strings.Contains(settings, "sk-4417") || strings.Contains(settings, "MORE") || h.ring.get("mcp/notes/API_TOKEN") != "Bearer sk-4417-secret" {
		t.Errorf("%s\n%v", settings, h.ring.keys)
	}
	folders, err := os.ReadDir(below)
	if err != nil || len(folders) != 1 {
		t.Fatal(folders, err)
	}
	if info, err := os.Stat(filepath.Join(below, folders[0].Name(), "server", "data.txt")); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	// The same bundle twice lies there once, and goes with the last that uses it.
	p, err = h.ProposeBundle(file)
	if err != nil {
		t.Fatal(err)
	}
	f.ID, f.Name = p.ID, "again"
	if f.Line, err = h.LineOf(f); err != nil {
		t.Fatal(err)
	}
	if err := h.Add(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"notes", "again"} {
		if err := h.Remove(context.WithoutCancel(t.Context()), name); err != nil {
			t.Fatal(err)
		}
		left, err := os.ReadDir(below)
		if err != nil || len(left) != 1-i {
			t.Errorf("after %s: %v, %v", name, left, err)
		}
	}
}

// The data folder may be carried elsewhere: what was unpacked runs from there.
func TestABundleMovesWithTheDataFolder(t *testing.T) {
	h := newHouse(t, quick)
	h.dir = filepath.Join(h.dir, "a \"quoted\" & <odd> 폴더")
	if err := os.Mkdir(h.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	h.open(quick)
	out := t.TempDir()
	manifest := notesManifest(h)
	manifest["server"].(map[string]any)["mcp_config"].(map[string]any)["env"].(map[string]string)["NOTES"] = out
	p, err := h.ProposeBundle(packed(t, manifest, map[string]string{"server/run.sh+x": "#!/bin/sh\necho \"$0\" > \"$NOTES/place\"\nexec '" + os.Args[0] + "'\n"}))
	if err != nil {
		t.Fatal(err)
	}
	f := mcp.Filled{ID: p.ID, Name: "notes", Values: map[string]string{"folder": out, "key": "sk-4417-secret"}}
	if f.Line, err = h.LineOf(f); err != nil {
		t.Fatal(err)
	}
	if err := h.Add(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	v := h.until("notes", "its tools are shown", func(v mcp.ServerView) bool { return v.Digest != "" })
	if err := h.Consent(t.Context(), "notes", v.Digest); err != nil {
		t.Fatal(err)
	}
	moves := func(to string) {
		t.Helper()
		h.until("notes", "it is used as before", is(mcp.StateReady))
		place, err := os.ReadFile(filepath.Join(out, "place"))
		if text := h.notes(mcp.FileName); err != nil || strings.Contains(text, "odd") || !strings.Contains(text, `"${bundles}/`) || !strings.HasPrefix(string(place), h.dir) {
			t.Errorf("it runs at %s (%v):\n%s", place, err, text)
		}
		if name, ok := mcp.BundleFile("${bundles}/0123/server/run.sh"); !ok || name != "bundles/0123/server/run.sh" {
			t.Error(name, ok)
		}
		if err := h.Set(h.View("en").Text); err != nil { // what a person sees and writes back is the same
			t.Error(err)
		}
		if text := h.notes(mcp.FileName); strings.Contains(text, "odd") {
			t.Error(text)
		}
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(h.dir, to); err != nil {
			t.Fatal(err)
		}
		h.dir = to
		h.open(quick)
	}
	moves(filepath.Join(t.TempDir(), "other"))
	// A file that still names the folder by its path is written anew at the start.
	old := strings.ReplaceAll(h.notes(mcp.FileName), "${bundles}/", filepath.Join(h.dir, "bundles")+"/")
	if err := os.WriteFile(filepath.Join(h.dir, mcp.FileName), []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	h.open(quick)
	moves(filepath.Join(t.TempDir(), "third"))
	h.until("notes", "it is used as before", is(mcp.StateReady))
	// Another program is another consent, wherever it lies.
	other := strings.Replace(h.notes(mcp.FileName), "server/run.sh", "server/../server/run.sh", 1)
	h.ring.keys = map[string]string{"mcp/notes/API_TOKEN": "sk-4417-secret"}
	if err := h.Set(other); err != nil {
		t.Fatal(err)
	}
	h.until("notes", "it asks again", is(mcp.StateNeedsConsent))
}

// A key that belongs among the arguments is in the keyring alone, and reaches the program when it is started.
func TestABundlesKeyAmongTheArguments(t *testing.T) {
	for _, key := range []string{"sk-4417-secret", "1234", "/vault/key"} { // a short one and a path are keys as well
		h := newHouse(t, quick)
		manifest := notesManifest(h)
		config := manifest["server"].(map[string]any)["mcp_config"].(map[string]any)
		config["args"] = []string{"--as=${user_config.key}@${user_config.level}", "-k", "${user_config.key}"}
		p, err := h.ProposeBundle(packed(t, manifest, map[string]string{
			"server/run.sh+x": "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$NOTES/args\"\nexec '" + os.Args[0] + "'\n",
		}))
		if err != nil {
			t.Fatal(err)
		}
		f := mcp.Filled{ID: p.ID, Name: "notes", Values: map[string]string{"folder": h.dir, "key": key}}
		if f.Line, err = h.LineOf(f); err != nil {
			t.Fatal(err)
		}
		if err := h.Add(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		v := h.until("notes", "its tools are shown", func(v mcp.ServerView) bool { return v.Digest != "" })
		if got := h.notes("args"); got != "--as="+key+"@3\n-k\n"+key+"\n" {
			t.Errorf("it was started with %q", got)
		}
		settings := h.notes(mcp.FileName)
		for what, text := range map[string]string{"the line": f.Line, "the card": v.Target, "mcp.json": settings, "the text on the page": h.View("en").Text} {
			if strings.Contains(text, "="+key) || strings.Contains(text, key+"@") || strings.Contains(text, "-k "+key) || strings.Contains(text, `"`+key+`"`) {
				t.Errorf("the key %q is seen in %s: %s", key, what, text)
			}
		}
		mustHold(t, f.Line, "--as=[redacted]@3 -k [redacted]")
		mustHold(t, v.Target, "--as=[redacted]@3 -k [redacted]")
		mustHold(t, settings, "--as=${keyring:key}@3")
		if h.ring.get("mcp/notes/args/key") != key {
			t.Error(h.ring.keys)
		}
		if err := h.Remove(t.Context(), "notes"); err != nil {
			t.Fatal(err)
		}
		if h.ring.get("mcp/notes/args/key") != "" {
			t.Error("its key stays behind")
		}
	}
}

// A program that was killed while it unpacked leaves nothing for good.
func TestAHalfUnpackedBundleIsSweptAtTheStart(t *testing.T) {
	h := newHouse(t, quick)
	below := filepath.Join(h.dir, "bundles")
	for _, name := range []string{"new-1234/files/server", "0123456789abcdef/server"} {
		if err := os.MkdirAll(filepath.Join(below, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	h.open(quick)
	if left, err := os.ReadDir(below); err != nil || len(left) != 1 || left[0].Name() != "0123456789abcdef" {
		t.Errorf("%v, %v", left, err)
	}
}

// What is unpacked is what was shown, or nothing.
func TestABundleThatChanges(t *testing.T) {
	h := newHouse(t, quick)
	file := packed(t, notesManifest(h), map[string]string{"server/run.sh+x": "#!/bin/sh\n"})
	p, err := h.ProposeBundle(file)
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(packed(t, notesManifest(h), map[string]string{"server/run.sh+x": "#!/bin/sh\nrm -rf /\n"}))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, other, 0o600); err != nil {
		t.Fatal(err)
	}
	f := mcp.Filled{ID: p.ID, Name: "notes", Values: map[string]string{"folder": h.dir, "key": "sk-4417-secret"}}
	if f.Line, err = h.LineOf(f); err != nil {
		t.Fatal(err)
	}
	wantCode(t, h.Add(t.Context(), f), apperr.DigestMismatch)
	if left, _ := os.ReadDir(filepath.Join(h.dir, "bundles")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if h.server("notes").Server != "" {
		t.Error("it was added")
	}
}

func TestBundlesThatAreRefused(t *testing.T) {
	h := newHouse(t, quick)
	good := notesManifest(h)
	elsewhere := notesManifest(h)
	elsewhere["compatibility"] = map[string]any{"platforms": []string{"amiga"}}
	empty := map[string]any{"name": "x", "server": map[string]any{"type": "node"}}
	text := filepath.Join(h.dir, "text.mcpb")
	if err := os.WriteFile(text, []byte("no archive"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{
		"no archive": text, "nowhere": filepath.Join(h.dir, "nowhere.mcpb"), "a folder": h.dir,
		"no manifest":        packed(t, nil, map[string]string{"a": "b"}),
		"a step up":          packed(t, good, map[string]string{"../evil.sh": "x"}),
		"a step up within":   packed(t, good, map[string]string{"server/../../evil.sh": "x"}),
		"an absolute path":   packed(t, good, map[string]string{"/tmp/evil.sh": "x"}),
		"a path of Windows":  packed(t, good, map[string]string{`..\evil.sh`: "x"}),
		"a drive":            packed(t, good, map[string]string{"C:/evil.sh": "x"}),
		"a link":             packed(t, good, map[string]string{"server/link+link": "/etc/passwd"}),
		"for another system": packed(t, elsewhere, nil),
		"nothing to run":     packed(t, empty, nil),
		"a manifest of 2 MB": packed(t, map[string]any{"name": strings.Repeat("x", 2<<20)}, nil),
	} {
		if _, err := h.ProposeBundle(file); apperr.CodeOf(err) != apperr.OutsideUnreadable {
			t.Errorf("%s: %v", name, err)
		}
	}
	many := map[string]string{}
	for i := range 20_001 {
		many["f/"+strconv.Itoa(i)] = ""
	}
	if _, err := h.ProposeBundle(packed(t, good, many)); apperr.CodeOf(err) != apperr.OutsideUnreadable {
		t.Errorf("too many files: %v", err)
	}
	if left, err := os.ReadDir(h.dir); err != nil || slices.ContainsFunc(left, func(e fs.DirEntry) bool { return e.Name() == "bundles" }) {
		t.Errorf("something was unpacked: %v, %v", left, err)
	}
}
