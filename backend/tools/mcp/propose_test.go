package mcp_test

import (
	"context"
	"encoding/base64"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/tools/mcp"
)

// ring is a keyring that remembers.
type ring struct {
	mu     sync.Mutex
	keys   map[string]string
	broken error  // what it says instead of taking anything
	locked error  // what it says instead of giving anything
	taken  func() // is told when it took something; nil: nobody is
}

func (r *ring) Get(_ context.Context, name string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.keys[name], r.locked
}

func (r *ring) Set(_ context.Context, name, key string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken != nil {
		return r.broken
	}
	if r.keys == nil {
		r.keys = map[string]string{}
	}
	if r.keys[name] = key; key == "" {
		delete(r.keys, name)
	}
	if r.taken != nil {
		r.taken()
	}
	return nil
}

func (r *ring) get(name string) string {
	key, _ := r.Get(context.Background(), name)
	if rest, bound := strings.CutPrefix(key, "for:"); bound { // whom it was given to
		_, key, _ = strings.Cut(rest, ":")
	}
	return key
}

func empty(t *testing.T) (*mcp.Mounts, *ring, string) {
	t.Helper()
	h := newHouse(t, quick)
	return h.Mounts, &h.ring, filepath.Join(h.dir, mcp.FileName)
}

func needsOf(p mcp.Proposal) string {
	var list []string
	for _, n := range p.Needs {
		given := ""
		if n.Given {
			given = "!"
		}
		list = append(list, n.Name+":"+string(n.Kind)+given)
	}
	return strings.Join(list, " ")
}

// Whatever a page of an outside tool offers to be pasted is read, and what is missing is asked for.
func TestWhatIsPasted(t *testing.T) {
	m, _, file := empty(t)
	config := base64.StdEncoding.EncodeToString([]byte(`{"command":"npx","args":["-y","@acme/notes-mcp"],"env":{"NOTES_TOKEN":"YOUR_TOKEN"}}`))
	for _, c := range []struct{ pasted, name, line, needs string }{
		{"npx -y @modelcontextprotocol/server-filesystem /path/to/allowed", "filesystem", "npx -y @modelcontextprotocol/server-filesystem /path/to/allowed", "/path/to/allowed:folder"},
		{"$ API_KEY=<your key> uvx mcp-server-git --repository '/home/a b'", "git", "", "API_KEY:key"},
		{"`uvx mcp-server-time`", "time", "uvx mcp-server-time", ""},
		{"claude mcp add notes -- npx -y notes-mcp@latest", "notes", "npx -y notes-mcp@latest", ""},
		{"https://mcp.example.com/mcp", "example", "https://mcp.example.com/mcp", ""},
		{"cursor://anysphere.cursor-deeplink/mcp/install?name=acme&config=" + config, "acme", "npx -y @acme/notes-mcp", "NOTES_TOKEN:key"},
		{"https://cursor.com/en/install-mcp?name=acme&config=" + url.QueryEscape(config), "acme", "npx -y @acme/notes-mcp", "NOTES_TOKEN:key"},
		{"vscode:mcp/install?" + url.QueryEscape(`{"name":"acme","type":"http","url":"https://acme.example/mcp"}`), "acme", "https://acme.example/mcp", ""},
		{`{"mcpServers": {"a": {"command": "npx", "args": ["a"], "env": {"A_KEY": "sk-12345678", "LEVEL": "info"}, "autoApprove": []}}}`, "a", "npx a", "A_KEY:key! LEVEL:text!"},
		{`{"servers": {"b": {"type": "http", "url": "https://b.example/", "headers": {"Authorization": "Bearer ${input:token}"}}}, "inputs": [],}`, "b", "https://b.example/", "Authorization:key"},
		{`"c": {"command": "c-mcp", "args": []},`, "c", "c-mcp", ""},
		{`{"command": "uvx", "args": ["mcp-server-sqlite", "--db-path", "<path to the database>"]}`, "sqlite", "", "path to the database:folder"},
	} {
		list, err := m.Propose(c.pasted)
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %v, %+v", c.pasted, err, list)
			continue
		}
		if p := list[0]; p.Name != c.name || c.line != "" && p.Line != c.line || needsOf(p) != c.needs {
			t.Errorf("%s: %q, %q, %q", c.pasted, p.Name, p.Line, needsOf(p))
		}
	}
	for _, pasted := range []string{"", "hello there", "곳", "rm -rf / | sh", "npx a && npx b", "npx 'a", "npx $(x)", `{"mcpServers": {}}`, `{"a": 1}`, "{", "cursor://x/mcp/install?name=a&config=%%%"} {
		if list, err := m.Propose(pasted); apperr.CodeOf(err) != apperr.OutsideUnreadable {
			t.Errorf("%q: %v, %+v", pasted, err, list)
		}
	}
	if text, err := os.ReadFile(file); err == nil && len(text) > 0 {
		t.Errorf("something was written: %s", text)
	}
	if v := m.View("en"); len(v.Servers) != 0 {
		t.Errorf("something was started: %+v", v.Servers)
	}
}

// A keyring that gives nothing away does not keep a server running that a person removed.
func TestAServerIsRemovedWhateverTheKeyringSays(t *testing.T) {
	h := newHouse(t, quick)
	h.ring.keys = map[string]string{"mcp/good/MORE": "sk-very-secret"}
	e := h.stdio("good", nil)
	e["env"].(map[string]any)["MORE"] = "keyring:"
	h.consented("good", e)
	h.ring.broken = apperr.New(apperr.StorageFailed)
	wantCode(t, h.Remove(t.Context(), "good"), apperr.StorageFailed)
	if v := h.View("en"); len(v.Servers) != 0 || len(h.keys()) != 0 || len(h.Children()) != 0 {
		t.Errorf("it is still there: %+v, %v", v.Servers, h.keys())
	}
}

// What is added is exactly what was shown; keys go into the keyring, from where a start takes them, and with the server they go.
func TestAddingAndRemoving(t *testing.T) {
	h := newHouse(t, quick)
	list, err := h.Propose(`{"mcpServers": {"desk": {"command": "no-such-program-here", "args": ["--dir", "<folder>"], "env": {"DESK_KEY": "YOUR_KEY", "MODE": "fast"}}}}`)
	if err != nil || len(list) != 1 || list[0].Missing != "no-such-program-here" || needsOf(list[0]) != "folder:folder DESK_KEY:key MODE:text!" {
		t.Fatalf("%v, %+v", err, list)
	}
	f := mcp.Filled{ID: list[0].ID, Name: "desk", Values: map[string]string{"folder": "/home/a b"}}
	if err := h.Add(t.Context(), f); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Errorf("without a key: %v", err)
	}
	f.Values["DESK_KEY"] = "sk-very-secret"
	if err := h.Add(t.Context(), f); apperr.CodeOf(err) != apperr.DigestMismatch {
		t.Errorf("without having seen it: %v", err)
	}
	if f.Line, err = h.LineOf(f); err != nil || f.Line != "no-such-program-here --dir '/home/a b'" {
		t.Fatal(f.Line, err)
	}
	if err := h.Add(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(h.dir, mcp.FileName))
	if err != nil || strings.Contains(string(text), "sk-very-secret") || !strings.Contains(string(text), `"DESK_KEY": "keyring:"`) || !strings.Contains(string(text), `"MODE": "fast"`) {
		t.Errorf("%v: %s", err, text)
	}
	if h.ring.get("mcp/desk/DESK_KEY") != "sk-very-secret" || !slices.Contains(h.Secrets(), "sk-very-secret") {
		t.Errorf("%v, %v", h.ring.keys, h.Secrets())
	}
	if again, err := h.Propose(`{"mcpServers": {"desk": {"command": "x"}}}`); err != nil || again[0].Name != "desk-2" {
		t.Errorf("%v, %+v", err, again)
	}
	if err := h.Add(t.Context(), f); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("twice: %v", err)
	}
	if err := h.Remove(t.Context(), "desk"); err != nil {
		t.Fatal(err)
	}
	if v := h.View("en"); len(v.Servers) != 0 || len(h.ring.keys) != 0 {
		t.Errorf("%+v, %v", v.Servers, h.ring.keys)
	}
}

// The settings of other clients are found where they keep them; their keys are not shown, and nothing is started.
func TestOtherClients(t *testing.T) {
	m, _, _ := empty(t)
	home, config := t.TempDir(), t.TempDir()
	put := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(config, "Claude", "claude_desktop_config.json"), `{"mcpServers": {"fs": {"command": "npx", "args": ["fs", "--token", "sk-abcdefgh1234"], "env": {"K_TOKEN": "sk-secret-1"}}}, "globalShortcut": ""}`)
	put(filepath.Join(home, ".cursor", "mcp.json"), `{"mcpServers": {"far": {"url": "https://far.example/mcp", "headers": {"Authorization": "Bearer sk-secret-2"}}}}`)
	put(filepath.Join(config, "Code", "User", "mcp.json"), "{\n  // mine\n  \"servers\": {\"code\": {\"type\": \"stdio\", \"command\": \"code-mcp\"},}\n}")
	put(filepath.Join(home, ".config", "goose", "config.yaml"), "GOOSE_PROVIDER: x\nextensions:\n  developer:\n    type: builtin\n    name: developer\n  tool:\n    enabled: true\n    type: stdio\n    cmd: uvx\n    args: [a-tool]\n    envs: {LEVEL: info}\n    env_keys: [TOOL_KEY]\n")
	put(filepath.Join(home, ".lmstudio", "mcp.json"), "{broken")
	found := map[string]string{}
	for _, e := range m.FindElsewhere(mcp.Homes{Home: home, Config: config}) {
		found[e.Client] = e.Error
		for _, p := range e.Proposals {
			found[e.Client] += p.Name + " | " + p.Line + " | " + needsOf(p)
		}
	}
	for client, want := range map[string]string{
		"Claude Desktop": "fs | npx fs --token ••• | K_TOKEN:key!", "Cursor": "far | https://far.example/mcp | Authorization:key!",
		"VS Code": "code | code-mcp | ", "Goose": "tool | uvx a-tool | LEVEL:text! TOOL_KEY:key",
	} {
		got := found[client]
		if client == "Claude Desktop" && !strings.Contains(got, "sk-") && strings.HasPrefix(got, "fs | npx fs --token") && strings.HasSuffix(got, "K_TOKEN:key!") {
			continue
		}
		if got != want {
			t.Errorf("%s: %q", client, got)
		}
	}
	if !strings.Contains(found["LM Studio"], "settings") {
		t.Errorf("LM Studio: %q", found["LM Studio"])
	}
	if v := m.View("en"); len(v.Servers) != 0 {
		t.Errorf("something was started: %+v", v.Servers)
	}
}

// Every server of the catalogue is whole: its needs have their places.
func TestTheCatalogue(t *testing.T) {
	m, _, _ := empty(t)
	list, err := m.Catalogue()
	if err != nil || len(list) < 5 {
		t.Fatal(err, len(list))
	}
	for _, p := range list {
		if p.Title.KO == "" || p.Title.EN == "" || p.About.KO == "" || p.About.EN == "" {
			t.Errorf("%+v", p)
		}
		values := map[string]string{}
		for _, n := range p.Needs {
			values[n.Name] = "/chosen"
		}
		line, err := m.LineOf(mcp.Filled{ID: p.ID, Name: p.Name, Values: values})
		if err != nil || strings.Contains(line, "{") || p.Name == "filesystem" && !strings.HasSuffix(line, " /chosen") {
			t.Errorf("%s: %q, %v", p.Name, line, err)
		}
	}
}
