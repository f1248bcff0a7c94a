package shop_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/provider"
	"agentchat/backend/shop"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/mcp"
)

// publicServers are what others made: the folder they are installed in, once for each lock file.
func publicServers(t *testing.T) string {
	t.Helper()
	const made = "../tools/mcp/testdata/public"
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Fatal("this test runs public MCP servers and needs Node and npm, which are not installed")
	}
	lock, err := os.ReadFile(filepath.Join(made, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(lock)
	dir, err := filepath.Abs(filepath.Join("../../build/cache/public-mcp", hex.EncodeToString(sum[:8])))
	if err != nil {
		t.Fatal(err)
	}
	modules := filepath.Join(dir, "node_modules", "@modelcontextprotocol")
	if _, err := os.Stat(modules); err == nil {
		return modules
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "new-*") //nolint:usetesting // it is renamed, so it must be on the same disk
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	if err := os.CopyFS(fresh, os.DirFS(made)); err != nil {
		t.Fatal(err)
	}
	install := exec.CommandContext(t.Context(), npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts")
	install.Dir = fresh
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	if err := os.Rename(fresh, dir); err != nil && !os.IsExist(err) {
		if _, there := os.Stat(modules); there != nil { // somebody else was quicker otherwise
			t.Fatal(err)
		}
	}
	return modules
}

// calls is a model that plans exactly the calls it is asked for: {"tool": …, "args": …}.
func calls() *jobtest.ScriptedModel {
	return &jobtest.ScriptedModel{Say: func(_ context.Context, l provider.Request, _ func(provider.Delta)) (string, error) {
		if l.Role != provider.RolePlanner {
			return "끝났어요.", nil
		}
		var wish struct {
			Tool string          `json:"tool"`
			Args json.RawMessage `json:"args"`
		}
		if err := json.Unmarshal([]byte(l.Message), &wish); err != nil {
			return "", err
		}
		return jobtest.PlanJSON(provider.Plan{Route: provider.RouteJobs, Reply: "할게요.", Jobs: []provider.JobPlan{{
			Title: "바깥 공구", Todos: []provider.TodoPlan{{Title: "바깥 공구", Tool: wish.Tool, Request: "해줘", Args: wish.Args}},
		}}}), nil
	}}
}

// withServers opens a shop with outside servers, consented to as they are shown.
func withServers(t *testing.T, servers map[string]any) (*customer, *jobtest.ScriptedModel) {
	t.Helper()
	voice := calls()
	o := options(t.TempDir())
	o.Provider = voice
	s, err := shop.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	c := &customer{Shop: s, t: t, reader: s.Bus.SubscribeFrom(1)}
	t.Cleanup(c.leave)
	text, err := json.Marshal(map[string]any{"mcpServers": servers})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetMCP(string(text)); err != nil {
		t.Fatal(err)
	}
	for name := range servers {
		for consented := false; !consented; {
			v := c.serverThat(name, "shows what it offers", func(v mcp.ServerView) bool { return v.State == mcp.StateNeedsConsent && v.Digest != "" })
			err := s.ConsentMCP(t.Context(), name, v.Digest)
			if consented = err == nil; consented {
				continue
			}
			if apperr.CodeOf(err) != apperr.DigestMismatch {
				t.Fatal(err)
			}
			until(c, name+" is listed anew", func(event.Envelope, event.MCPChanged) bool { return true }) // it said meanwhile that its tools are others
		}
		c.server(name, mcp.StateReady)
	}
	return c, voice
}

// server waits until an outside server is in a state.
func (c *customer) server(name string, state mcp.State) (v mcp.ServerView) {
	c.t.Helper()
	return c.serverThat(name, "is "+string(state), func(v mcp.ServerView) bool { return v.State == state })
}

// serverThat waits until an outside server is as it is wanted.
func (c *customer) serverThat(name, what string, wanted func(v mcp.ServerView) bool) (v mcp.ServerView) {
	c.t.Helper()
	fits := func(event.Envelope, event.MCPChanged) bool {
		view := c.MCP()
		i := slices.IndexFunc(view.Servers, func(s mcp.ServerView) bool { return s.Server == name && wanted(s) })
		if i < 0 {
			return false
		}
		v = view.Servers[i]
		return true
	}
	if !fits(event.Envelope{}, event.MCPChanged{}) {
		until(c, name+" "+what, fits)
	}
	return v
}

// uses has one tool called.
func (c *customer) uses(tool string, args map[string]any) (job string) {
	c.t.Helper()
	wish, err := json.Marshal(map[string]any{"tool": tool, "args": args})
	if err != nil {
		c.t.Fatal(err)
	}
	return c.job(string(wish))
}

// outcome is what a job's only step brought.
func (c *customer) outcome(id string) string {
	c.t.Helper()
	d, err := c.Job(c.t.Context(), id)
	if err != nil {
		c.t.Fatal(err)
	}
	return d.Job.Todos[0].Text
}

func node(modules, server string, args ...string) map[string]any {
	return map[string]any{"command": "node", "args": append([]string{filepath.Join(modules, server, "dist", "index.js")}, args...)}
}

func TestThePublicServerEverything(t *testing.T) {
	c, voice := withServers(t, map[string]any{"everything": node(publicServers(t), "server-everything", "stdio")})

	id := c.uses("everything__echo", map[string]any{"message": "안녕하세요"})
	asked := c.question(id)
	if asked.Digest != toolbox.Digest("everything__echo", json.RawMessage(`{"message":"안녕하세요"}`)) {
		t.Errorf("%+v", asked)
	}
	c.answer(id, "approve", "")
	c.state(id, "succeeded")
	if text := c.outcome(id); text != "Echo: 안녕하세요" {
		t.Errorf("%q", text)
	}
	if !slices.ContainsFunc(voice.Requests(), func(r provider.Request) bool {
		return slices.ContainsFunc(r.Tools, func(card provider.ToolCard) bool { return card.Key == "everything__echo" })
	}) {
		t.Error("the catalogue does not follow the box")
	}

	const long = "everything__trigger_long_running_operation"
	progress := func(id, part string) {
		until(c, "progress", func(_ event.Envelope, l event.JobLog) bool {
			return l.JobID == id && strings.HasPrefix(l.Line, long+": "+part)
		})
	}
	id = c.uses(long, map[string]any{"duration": 0.2, "steps": 4})
	c.answer(id, "approve", "")
	c.state(id, "succeeded")
	c.again()
	progress(id, "1/4")

	id = c.uses(long, map[string]any{"duration": 600, "steps": 6000})
	c.answer(id, "approve", "")
	progress(id, "1/6000")
	if err := c.CancelJob(id); err != nil {
		t.Fatal(err)
	}
	// It was under way and must not be called undone: nobody knows what it did.
	c.state(id, "failed")
	if d, err := c.Job(t.Context(), id); err != nil || d.Job.Code != string(apperr.InDoubt) {
		t.Errorf("%+v, %v", d.Job, err)
	}
	id = c.uses("everything__echo", map[string]any{"message": "again"})
	c.answer(id, "approve", "")
	c.state(id, "succeeded")

	if err := c.RevokeMCP(t.Context(), "everything"); err != nil {
		t.Fatal(err)
	}
	c.server("everything", mcp.StateNeedsConsent)
	if c.tool("everything__echo") {
		t.Error("a revoked tool is still in the box")
	}
}

func (c *customer) tool(key string) bool {
	return slices.ContainsFunc(c.Tools(), func(s toolbox.Spec) bool { return s.Key == key })
}

func TestThePublicServerFilesystem(t *testing.T) {
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c, _ := withServers(t, map[string]any{"files": node(publicServers(t), "server-filesystem", folder)})
	file := filepath.Join(folder, "메모.txt")
	id := c.uses("files__write_file", map[string]any{"path": file, "content": "우유 사기"})
	c.question(id)
	if _, err := os.Stat(file); err == nil {
		t.Fatal("it was written before anybody approved")
	}
	c.answer(id, "approve", "")
	c.state(id, "succeeded")
	if text, err := os.ReadFile(file); err != nil || string(text) != "우유 사기" {
		t.Errorf("%q, %v", text, err)
	}
	id = c.uses("files__read_text_file", map[string]any{"path": "/etc/hostname"})
	c.answer(id, "approve", "")
	c.state(id, "failed")
	if text := c.outcome(id); !strings.Contains(text, "Access denied") {
		t.Errorf("%q", text)
	}
	id = c.uses("files__write_file", map[string]any{"path": file, "content": "지우기"})
	c.answer(id, "reject", "")
	c.state(id, "canceled")
	if text, err := os.ReadFile(file); err != nil || string(text) != "우유 사기" {
		t.Errorf("%q, %v", text, err)
	}
}

// Without outside servers nothing is different, and a bad file neither stops the shop nor is written.
func TestAShopWithoutOutsideServers(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, mcp.FileName), []byte(`{"mcpServers":{"x":{"command":"a","url":"b"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := enter(t, dir)
	if v := c.MCP(); len(v.Servers) != 0 || len(v.Problems) != 1 || !strings.Contains(v.Problems[0], "mcpServers.x") {
		t.Errorf("%+v", v)
	}
	if err := c.SetMCP(`{"mcpServers":{"x":{}}}`); apperr.CodeOf(err) != apperr.InvalidSetting {
		t.Errorf("%v", err)
	}
	if slices.ContainsFunc(c.Tools(), func(s toolbox.Spec) bool { return s.Outside != "" }) {
		t.Error("a tool from nowhere")
	}
}
