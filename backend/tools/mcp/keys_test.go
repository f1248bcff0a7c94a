package mcp_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/tools/mcp"
)

// ringed is the good server with a variable that is in the keyring.
func (h *house) ringed(more entry) entry {
	e := h.stdio("good", more)
	e["env"].(map[string]any)["MORE"] = "keyring:"
	return e
}

// A server whose key cannot be had stays where it can be seen, tried again and removed.
func TestAServerWhoseKeyCannotBeReadStays(t *testing.T) {
	h := newHouse(t, quick)
	h.ring.keys = map[string]string{"mcp/good/MORE": "sk-very-secret"}
	h.ring.locked = apperr.New(apperr.NotAvailable, "what", "keyring")
	h.mount(map[string]entry{"good": h.ringed(nil)})
	v := h.server("good")
	mustHold(t, v.Error, "could not be read from the keyring")
	if v.State != mcp.StateFailed || len(h.View("en").Problems) > 0 || len(h.Children()) > 0 {
		t.Errorf("%+v", h.View("en"))
	}
	h.ring.locked = nil
	h.Reload()
	h.until("good", "it is up", is(mcp.StateNeedsConsent))
	h.ring.keys = nil
	h.Reload()
	if v := h.server("good"); v.State != mcp.StateFailed || !strings.Contains(v.Error, "has no key") {
		t.Errorf("%+v", v)
	}
	h.ring.keys = map[string]string{"mcp/good/MORE": "sk-very-secret"}
	h.ring.locked = apperr.New(apperr.NotAvailable, "what", "keyring")
	h.Reload()
	if err := h.Remove(t.Context(), "good"); err != nil || len(h.View("en").Servers) > 0 || len(h.ring.keys) > 0 {
		t.Errorf("%v, %+v, %v", err, h.View("en").Servers, h.ring.keys)
	}
}

// adds a server that takes a key, as a person does.
func (h *house) adds(pasted, name string, values map[string]string) error {
	h.t.Helper()
	list, err := h.Propose(pasted)
	if err != nil {
		h.t.Fatal(err)
	}
	f := mcp.Filled{ID: list[0].ID, Name: name, Values: values}
	if f.Line, err = h.LineOf(f); err != nil {
		h.t.Fatal(err)
	}
	return h.Add(h.t.Context(), f)
}

// Under its name another program has nothing of a server's key, and neither has one whose name reads like its own.
func TestAKeyIsForTheServerItWasGivenTo(t *testing.T) {
	h := newHouse(t, quick)
	if err := h.adds(`{"mcpServers": {"desk": {"command": "no-such-program", "args": ["--key=<key>"], "env": {"DESK_KEY": ""}}}}`, "desk", map[string]string{"key": "4417", "DESK_KEY": "sk-very-secret"}); err != nil {
		t.Fatal(err)
	}
	h.until("desk", "it is not there", is(mcp.StateFailed))
	mine := h.notes(mcp.FileName)
	mustHold(t, h.server("desk").Error, "not on this computer")
	for pasted, why := range map[string]string{
		strings.Replace(mine, "no-such-program", "another-program", 1):                                                      "given for another command",
		strings.Replace(mine, `"--key=`, `"--evil", "--key=`, 1):                                                            "given for another command",
		`{"mcpServers": {"desk/args": {"command": "another-program", "env": {"key": "keyring:"}}}}`:                         "has no key",
		`{"mcpServers": {"desk": {"url": "https://evil.example/mcp", "headers": {"DESK_KEY": "keyring:"}}}}`:                "given for another command",
		`{"mcpServers": {"far": {"url": "https://evil.example/mcp", "headers": {"sign-in": "keyring:", "X": "keyring:"}}}}`: "has no key",
	} {
		h.ring.mu.Lock()
		h.ring.keys["mcp/far/sign-in"], h.ring.keys["mcp/desk/args/key"] = "a-pass-of-another-address", "an-argument-kept-once"
		h.ring.mu.Unlock()
		if err := os.WriteFile(filepath.Join(h.dir, mcp.FileName), []byte(pasted), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := h.Close(); err != nil { // whoever edits the file needs no running program
			t.Fatal(err)
		}
		h.open(quick)
		for _, v := range h.View("en").Servers {
			if v.State != mcp.StateFailed || !strings.Contains(v.Error, why) {
				t.Errorf("%s:\n%+v", pasted, v)
			}
		}
	}
	if err := h.Set(mine); err != nil { // undone, it is as it was
		t.Fatal(err)
	}
	h.until("desk", "it is tried again", func(v mcp.ServerView) bool { return strings.Contains(v.Error, "not on this computer") })
}

// Adding knows a key as changing does: by its name, or by its looks whatever it is called.
func TestAddingKnowsAKeyByItsLooks(t *testing.T) {
	h := newHouse(t, quick)
	pasted := `{"mcpServers": {"desk": {"command": "no-such-program", "env": {"DSN": "postgres://kim:s3cr3t@db/desk", "WORD": "", "MODE": "", "TEXT": "fast ${mode}"}}}}`
	list, err := h.Propose(pasted)
	if err != nil || needsOf(list[0]) != "DSN:key! MODE:text TEXT:text WORD:text" {
		t.Fatalf("%v, %+v", err, list)
	}
	shown, err := json.Marshal(list)
	if err != nil || strings.Contains(string(shown), "s3cr3t") {
		t.Errorf("%v, %s", err, shown)
	}
	if err := h.adds(pasted, "desk", map[string]string{"WORD": "0123456789abcdef0123", "MODE": "fast", "TEXT": "kim:pw@tcp(db)/desk"}); err != nil {
		t.Fatal(err)
	}
	text := h.notes(mcp.FileName)
	mustHold(t, text, `"DSN": "keyring:"`, `"WORD": "keyring:"`, `"TEXT": "keyring:"`, `"MODE": "fast"`)
	if h.ring.get("mcp/desk/WORD") != "0123456789abcdef0123" || h.ring.get("mcp/desk/DSN") != "postgres://kim:s3cr3t@db/desk" || h.ring.get("mcp/desk/TEXT") != "kim:pw@tcp(db)/desk" {
		t.Errorf("%v", h.ring.keys)
	}
}

// What is pasted names no key of the keyring: it is asked for.
func TestWhatIsPastedNamesNoKeyOfTheKeyring(t *testing.T) {
	h := newHouse(t, quick)
	h.ring.keys = map[string]string{"mcp/desk/A": "sk-very-secret", "mcp/desk/args/b": "sk-very-secret", "mcp/desk/args/c": "sk-very-secret"}
	list, err := h.Propose(`{"mcpServers": {"desk": {"command": "x", "env": {"A": "keyring:"}}, "far": {"url": "https://a.example", "headers": {"Authorization": "Bearer keyring:"}}}}`)
	if err != nil || needsOf(list[0]) != "A:key" || needsOf(list[1]) != "Authorization:key" {
		t.Errorf("%v, %+v", err, list)
	}
	wantCode(t, h.adds(`{"command": "x", "args": ["${keyring:b}${keyring:c}"]}`, "desk", map[string]string{"keyring:b": "mine"}), apperr.InvalidArgs)
	if text := h.notes(mcp.FileName); text != "" {
		t.Error(text)
	}
}

// With a server the keys go that it had, whichever way it is taken out, but not those of one that is only written wrongly at the moment.
func TestKeysGoWithTheirServers(t *testing.T) {
	h := newHouse(t, quick)
	all := func() { h.ring.keys = map[string]string{"mcp/good/MORE": "sk-very-secret"} }
	text := func(servers map[string]entry) string {
		whole, err := json.Marshal(map[string]any{"mcpServers": servers})
		if err != nil {
			t.Fatal(err)
		}
		return string(whole)
	}
	written := func(text string) func() error {
		return func() error {
			err := os.WriteFile(filepath.Join(h.dir, mcp.FileName), []byte(text), 0o600)
			h.Reload()
			return err
		}
	}
	set := func(text string) func() error { return func() error { return h.Set(text) } }
	for name, c := range map[string]struct {
		change func() error
		left   int
	}{
		"taken out of the text":      {set(text(nil)), 0},
		"all of it taken out":        {set(""), 0},
		"taken out elsewhere":        {written(text(nil)), 0},
		"the key alone is taken out": {set(text(map[string]entry{"good": h.stdio("good", nil)})), 0},
		"cannot be read":             {written(`{"mcpServers": {`), 1},
		"is written wrongly":         {written(`{"mcpServers": {"good": {"command": 7}}}`), 1},
		"the file is gone":           {written(""), 1},
		"is another program":         {set(text(map[string]entry{"good": h.ringed(entry{"args": []string{"-other"}})})), 1},
	} {
		all()
		h.mount(map[string]entry{"good": h.ringed(nil)})
		if err := c.change(); err != nil || len(h.ring.keys) != c.left {
			t.Errorf("%s: %v, left %v", name, err, h.ring.keys)
		}
	}
}

// Keys of a server with a slash in its name were once kept under that name as it is; they are found and moved, unless they may be another server's.
func TestKeysUnderAnOldNameAreMoved(t *testing.T) {
	h := newHouse(t, quick)
	h.ring.keys = map[string]string{
		"mcp/io.github.x/y/DESK_KEY": "sk-very-secret", "mcp/io.github.x/y/sign-in": "a-pass",
		"mcp/io.github.x%2Fz/DESK_KEY": "sk-of-z", "mcp/io.github.x/args/key": "sk-of-an-argument", "mcp/io.github.x/w/args/key": "sk-of-w",
	}
	h.ring.locked = apperr.New(apperr.NotAvailable, "what", "keyring")
	before := maps.Clone(h.ring.keys)
	desk := func(key string) entry {
		return entry{"command": "no-such-program-here", "env": map[string]any{key: "keyring:"}}
	}
	h.mount(map[string]entry{
		"io.github.x/y": desk("DESK_KEY"), "far/y": {"url": "http://127.0.0.1:9/mcp", "disabled": true},
		"io.github.x%2Fz": desk("DESK_KEY"), "io.github.x/args": desk("key"),
		"io.github.x/w": {"command": "no-such-program-here", "args": []string{"--key=${keyring:key}"}},
	})
	if !maps.Equal(h.ring.keys, before) {
		t.Errorf("moved while the keyring was locked: %v", h.ring.keys)
	}
	h.ring.locked = nil
	h.ring.keys["mcp/far/y/sign-in"] = "another-pass"
	h.Reload()
	for name, lacks := range map[string]bool{"io.github.x/y": false, "io.github.x%2Fz": true, "io.github.x/args": true, "io.github.x/w": true} {
		if v := h.server(name); strings.Contains(v.Error, "has no key") != lacks {
			t.Errorf("%s: %q", name, v.Error)
		}
	}
	delete(before, "mcp/io.github.x/y/DESK_KEY")
	before["mcp/io.github.x%2Fy/DESK_KEY"], before["mcp/far%2Fy/sign-in"] = "sk-very-secret", "another-pass"
	if !maps.Equal(h.ring.keys, before) {
		t.Errorf("have %v, want %v", h.ring.keys, before)
	}
}
