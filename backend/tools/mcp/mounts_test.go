package mcp_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/mcp"
)

func TestNothingIsUsableBeforeConsent(t *testing.T) {
	h := newHouse(t, quick)
	h.mount(map[string]entry{"Good Server": h.stdio("good", nil)})
	v := h.until("Good Server", "its tools are shown", is(mcp.StateNeedsConsent))
	if len(h.keys()) != 0 {
		t.Fatalf("in the box before anybody consented: %v", h.keys())
	}
	echo := find(v, "echo")
	if echo.State != mcp.ToolNew || echo.Key != "good_server__echo" || echo.Description != "says it again" || v.Transport != "stdio" {
		t.Errorf("%+v", echo)
	}
	wantCode(t, h.Consent(t.Context(), "Good Server", "something else"), apperr.DigestMismatch)
	wantCode(t, h.Consent(t.Context(), "nobody", v.Digest), apperr.NotFound)
	if err := h.Consent(t.Context(), "Good Server", v.Digest); err != nil {
		t.Fatal(err)
	}
	h.until("Good Server", "it is ready", is(mcp.StateReady))
	spec, err := h.box.Spec("good_server__echo")
	if err != nil {
		t.Fatal(err)
	}
	if spec.Confirm != toolbox.ConfirmAlways || spec.Effect != toolbox.EffectOnce || spec.Group != "mcp_good_server" || spec.Outside != "Good Server" {
		t.Errorf("%+v", spec)
	}
	mustHold(t, spec.Description.EN, "outside server", "says it again")
	if g := h.box.Inventory().Groups; len(g) != 1 || g[0].Capacity != 1 {
		t.Errorf("groups %+v", g)
	}
	if c := h.run(t.Context(), "good_server__echo", `{"text":"안녕"}`); c.err != nil || c.result.Text != "안녕" {
		t.Errorf("%+v, %v", c.result, c.err)
	}
	if err := h.Revoke(t.Context(), "Good Server"); err != nil {
		t.Fatal(err)
	}
	if len(h.keys()) != 0 || h.server("Good Server").State != mcp.StateNeedsConsent {
		t.Errorf("after revoking: %v, %s", h.keys(), h.server("Good Server").State)
	}
}

// What was consented to is in the box at once after a restart, and calls wait for the server.
func TestAConsentOutlivesTheProgram(t *testing.T) {
	h := newHouse(t, quick)
	h.consented("good", h.stdio("good", nil))
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if len(h.keys()) != 0 {
		t.Errorf("in the box after closing: %v", h.keys())
	}
	h.open(quick)
	if !slices.Contains(h.keys(), "good__echo") {
		t.Fatalf("in the box: %v", h.keys())
	}
	if c := h.run(t.Context(), "good__echo", `{"text":"hello"}`); c.err != nil || c.result.Text != "hello" {
		t.Errorf("%+v, %v", c.result, c.err)
	}
	// The same words from another program are another consent.
	h.mount(map[string]entry{"good": h.stdio("good", entry{"args": []string{"-other"}})})
	h.until("good", "it asks again", is(mcp.StateNeedsConsent))
	if len(h.keys()) != 0 {
		t.Errorf("in the box: %v", h.keys())
	}
}

func TestARugPullDisablesTheToolUntilConsentedAgain(t *testing.T) {
	h := newHouse(t, quick)
	h.consented("good", h.stdio("good", nil))
	if c := h.run(t.Context(), "good__pull", `{}`); c.err != nil {
		t.Fatal(c.err)
	}
	v := h.until("good", "both changes are seen", func(v mcp.ServerView) bool { return find(v, "late").Name != "" })
	changed := find(v, "echo")
	if changed.State != mcp.ToolChanged || changed.Old == nil || changed.Old.Description != "says it again" || !strings.Contains(changed.Description, "IMPORTANT") {
		t.Errorf("%+v", changed)
	}
	if find(v, "late").State != mcp.ToolNew || find(v, "pull").State != mcp.ToolOK {
		t.Errorf("%+v", v)
	}
	if keys := h.keys(); slices.Contains(keys, "good__echo") || slices.Contains(keys, "good__late") || !slices.Contains(keys, "good__pull") {
		t.Errorf("in the box: %v", keys)
	}
	if err := h.Consent(t.Context(), "good", v.Digest); err != nil {
		t.Fatal(err)
	}
	spec, err := h.box.Spec("good__echo")
	if err != nil {
		t.Fatal(err)
	}
	mustHold(t, spec.Description.EN, "IMPORTANT")
}

// A tool that changes while a call waits for the server is not called.
func TestACallThatWaitedFindsTheToolChanged(t *testing.T) {
	h := newHouse(t, quick)
	list := func(d string) string {
		return `[{"name":"act","description":"` + d + `","inputSchema":{"type":"object"}}]`
	}
	h.consented("x", h.stdio(list("harmless"), nil))
	tool, err := h.box.Tool("x__act")
	if err != nil {
		t.Fatal(err)
	}
	h.mount(map[string]entry{"x": h.stdio(list("harmful"), nil)})
	_, err = tool.Run(t.Context(), toolbox.Call{Args: json.RawMessage(`{}`)})
	wantCode(t, err, apperr.UnknownTool)
}

func TestNamesAndSchemasThatAreRefused(t *testing.T) {
	h := newHouse(t, quick)
	deep := strings.Repeat(`{"type":"array","items":`, 30) + `{}` + strings.Repeat(`}`, 30)
	h.mount(map[string]entry{"x": h.stdio(`[
		{"name":"nav","inputSchema":{"type":"object"}},
		{"name":"Read File","inputSchema":{"type":"object"}},
		{"name":"read.file","inputSchema":{"type":"object"}},
		{"name":"날씨","inputSchema":{"type":"object"}},
		{"name":"`+strings.Repeat("long", 20)+`","inputSchema":{"type":"object"}},
		{"name":"array","inputSchema":{"type":"array"}},
		{"name":"remote","inputSchema":{"type":"object","properties":{"a":{"$ref":"https://example.com/a"}}}},
		{"name":"cycle","inputSchema":{"type":"object","properties":{"description":{"$ref":"#/$defs/a"}},"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"}]}}}},
		{"name":"bomb","inputSchema":{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":`+bomb(16)+`}},
		{"name":"deep","inputSchema":{"type":"object","properties":{"a":`+deep+`}}},
		{"name":"large","inputSchema":{"type":"object","description":"`+strings.Repeat("x", 20_000)+`"}},
		{"name":"pattern","inputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"(?=x)"}}}},
		{"name":"unseen","inputSchema":{"type":"object","properties":{"a\u200b":{"type":"string"}}}},
		{"name":"fine","title":"T\u0007","description":"two\nlines \u202e`+"\\udb40\\udc41"+` `+strings.Repeat("long ", 300)+`","inputSchema":{"type":"object","description":"a \u200bb","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string"}}}}
	]`, nil)})
	v := h.until("x", "its tools are shown", func(v mcp.ServerView) bool { return len(v.Tools) == 14 })
	for name, why := range map[string]string{
		"nav": "shop's own", "Read File": "same name", "read.file": "same name", "날씨": "no usable", strings.Repeat("long", 20): "too long",
		"array": "type object", "remote": "outside", "cycle": "repeats itself", "bomb": "too complex", "deep": "too large", "large": "too large",
		"pattern": "cannot be used", "unseen": "invisible",
	} {
		if tool := find(v, name); tool.State != mcp.ToolRefused || !strings.Contains(tool.Reason, why) {
			t.Errorf("%s: %s, %q, want %q", name, tool.State, tool.Reason, why)
		}
	}
	if err := h.Consent(t.Context(), "x", v.Digest); err != nil {
		t.Fatal(err)
	}
	if keys := h.keys(); !slices.Equal(keys, []string{"x__fine"}) {
		t.Fatalf("in the box: %v", keys)
	}
	spec, err := h.box.Spec("x__fine")
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(spec.Description.EN+string(spec.Params), "\n\u202e\u200b\U000E0041") || len(spec.Description.EN) > 1200 {
		t.Errorf("description %q, params %s", spec.Description.EN, spec.Params)
	}
}

// bomb is a schema that doubles with every step.
func bomb(steps int) string {
	var b strings.Builder
	b.WriteString("{")
	for i := range steps {
		next := string(rune('a' + i + 1))
		b.WriteString(`"` + string(rune('a'+i)) + `":{"allOf":[{"$ref":"#/$defs/` + next + `"},{"$ref":"#/$defs/` + next + `"}]},`)
	}
	b.WriteString(`"` + string(rune('a'+steps)) + `":{"type":"string"}}`)
	return b.String()
}

func TestSettingsOfAServerAndItsTools(t *testing.T) {
	h := newHouse(t, quick)
	read := `"inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}`
	h.consented("x", h.stdio(`[{"name":"read",`+read+`},{"name":"peek",`+read+`},{"name":"write","inputSchema":{"type":"object"}},{"name":"off","inputSchema":{"type":"object"}}]`, entry{
		"capacity": 3, "confirm": "first", "tools": entry{
			"peek": entry{"confirm": "always", "group": "MonitorBox"}, "write": entry{"capacity": 2}, "off": entry{"disabled": true},
		},
	}))
	want := map[string]toolbox.Spec{
		"x__read":  {Group: "mcp_x", Capacity: toolbox.Infinite, Confirm: toolbox.ConfirmFirst},
		"x__peek":  {Group: "MonitorBox", Capacity: 3, Confirm: toolbox.ConfirmAlways},
		"x__write": {Group: "mcp_x", Capacity: 2, Confirm: toolbox.ConfirmAlways}, // it does not even claim to read only
	}
	if len(h.keys()) != len(want) || find(h.server("x"), "off").State != mcp.ToolDisabled {
		t.Errorf("in the box: %v", h.keys())
	}
	for key, w := range want {
		spec, err := h.box.Spec(key)
		if err != nil || spec.Group != w.Group || spec.Capacity != w.Capacity || spec.Confirm != w.Confirm || spec.Effect != toolbox.EffectOnce {
			t.Errorf("%s: %+v, %v", key, spec, err)
		}
	}
	for _, g := range h.box.Inventory().Groups {
		if g.Group == "mcp_x" && g.Capacity != 3 || g.Group == "MonitorBox" && g.Capacity != 1 {
			t.Errorf("%+v", g)
		}
	}
	h.mount(map[string]entry{"x": h.stdio("good", entry{"disabled": true})})
	if v := h.server("x"); v.State != mcp.StateDisabled || len(h.keys()) != 0 {
		t.Errorf("%+v, in the box: %v", v, h.keys())
	}
	h.mount(nil)
	if n := len(h.View(bilingual.EN).Servers); n != 0 {
		t.Errorf("%d servers", n)
	}
}

func TestACrashIsToldAndTheServerComesBack(t *testing.T) {
	h := newHouse(t, quick)
	h.consented("good", h.stdio("good", nil))
	c := h.run(t.Context(), "good__crash", `{}`)
	wantCode(t, c.err, apperr.ToolFailed)
	mustHold(t, c.err.Error(), "may or may not have happened")
	if c := h.run(t.Context(), "good__echo", `{"text":"again"}`); c.err != nil || c.result.Text != "again" {
		t.Errorf("after the restart: %+v, %v", c.result, c.err)
	}
}

func TestAServerThatAlwaysEndsIsLeftAlone(t *testing.T) {
	h := newHouse(t, quick)
	h.mount(map[string]entry{
		"dying": h.stdio("dying", nil), "missing": {"command": "/nowhere/at-all"},
		"many": h.stdio(manyTools(201), nil),
	})
	v := h.until("dying", "it is given up", is(mcp.StateFailed))
	mustHold(t, v.Error, "cannot start")
	if strings.Contains(v.Error+h.log.String(), token) {
		t.Errorf("the secret is seen: %s\n%s", v.Error, h.log)
	}
	mustHold(t, h.until("missing", "it is given up", is(mcp.StateFailed)).Error, "not found")
	mustHold(t, h.until("many", "it is given up", is(mcp.StateFailed)).Error, "more than 200")
	ended := func() (n int) {
		for line := range strings.Lines(h.log.String()) {
			if strings.Contains(line, `"server":"dying"`) && strings.Contains(line, "an outside server ended") {
				n++
			}
		}
		return n
	}
	tries := len(quick.Backoff) + 1
	if n := ended(); n != tries {
		t.Errorf("it was given up after %d ends", n)
	}
	h.Reload()
	h.until("dying", "it is tried again, and given up again", func(v mcp.ServerView) bool { return v.State == mcp.StateFailed && ended() == 2*tries })
}

// What is not there does not come by waiting: it is said at once, and tried again when somebody asks.
func TestAProgramThatIsNotThereIsGivenUpAtOnce(t *testing.T) {
	limits := quick
	limits.Backoff = []time.Duration{time.Hour}
	h := newHouse(t, limits)
	h.mount(map[string]entry{"missing": {"command": "no-such-program-here"}})
	v := h.until("missing", "it is given up", is(mcp.StateFailed))
	mustHold(t, v.Error, "not found")
	mustHold(t, v.Error, "Change")
}

func manyTools(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = `{"name":"t` + strconv.Itoa(i) + `","inputSchema":{"type":"object"}}`
	}
	return "[" + strings.Join(list, ",") + "]"
}

func TestAFailedServersToolsLeaveTheBox(t *testing.T) {
	h := newHouse(t, quick)
	h.consented("good", h.stdio("good", nil))
	for range len(quick.Backoff) + 1 {
		tool, err := h.box.Tool("good__crash")
		if err != nil {
			t.Fatal(err)
		}
		_, err = tool.Run(t.Context(), toolbox.Call{Args: json.RawMessage(`{}`), Log: func(string, string) {}})
		wantCode(t, err, apperr.ToolFailed)
	}
	h.until("good", "it is given up", is(mcp.StateFailed))
	h.until("good", "its tools are gone", func(mcp.ServerView) bool { return len(h.keys()) == 0 })
	h.Reload()
	h.until("good", "it is back", is(mcp.StateReady))
	h.until("good", "its tools are back", func(mcp.ServerView) bool { return slices.Contains(h.keys(), "good__echo") })
}

func TestAHangEndsTheCallAndStartsTheServerAgain(t *testing.T) {
	limits := quick
	limits.Answer = 200 * time.Millisecond
	h := newHouse(t, limits)
	h.consented("good", h.stdio("good", nil))
	wantCode(t, h.run(t.Context(), "good__hang", `{}`).err, apperr.Timeout)
	h.held.Store(&quick) // what answers may take its time on a busy machine
	if c := h.run(t.Context(), "good__echo", `{"text":"again"}`); c.err != nil || c.result.Text != "again" {
		t.Errorf("after the restart: %+v, %v", c.result, c.err)
	}
}

func TestAServerThatNeverShakesHands(t *testing.T) {
	limits := quick
	limits.Start, limits.Grace = 200*time.Millisecond, 50*time.Millisecond
	h := newHouse(t, limits)
	h.mount(map[string]entry{"silent": h.stdio("silent", nil)})
	mustHold(t, h.until("silent", "it is given up", is(mcp.StateFailed)).Error, "did not answer in time")
}

func TestCancelReachesTheServer(t *testing.T) {
	h := newHouse(t, quick)
	h.consented("good", h.stdio("good", nil))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := h.begin(ctx, "good__wait", `{}`)
	c.hears("1/3")
	cancel()
	c.end()
	wantCode(t, c.err, apperr.InDoubt) // nobody knows what it did until then
	if c := h.run(t.Context(), "good__canceled", `{}`); c.err != nil || c.result.Text != "yes" {
		t.Errorf("%+v, %v", c.result, c.err)
	}
}

func (h *house) notes(name string) string {
	text, _ := os.ReadFile(filepath.Join(h.dir, name))
	return string(text)
}

func TestProgressBecomesLogLines(t *testing.T) {
	h := newHouse(t, quick)
	h.consented("good", h.stdio("good", nil))
	c := h.run(t.Context(), "good__steps", `{"n":1000}`)
	if c.err != nil {
		t.Fatal(c.err)
	}
	lines := c.logged()
	if len(lines) == 0 || len(lines) > 200 || lines[0] != "good__steps: 1/3 step[31m [redacted]" {
		t.Errorf("%d lines, the first %q", len(lines), lines[0])
	}
}

func TestResultsAreBounded(t *testing.T) {
	h := newHouse(t, quick)
	h.consented("good", h.stdio("good", nil))
	c := h.run(t.Context(), "good__huge", `{"n":100000}`)
	if c.err != nil || len(c.result.Data) > 100_000 {
		t.Fatalf("%d bytes, %v", len(c.result.Data), c.err)
	}
	mustHold(t, c.result.Text, "…(16000/100000)")
	c = h.run(t.Context(), "good__huge", `{"n":4000000}`) // 12 MB: more than a message may have
	wantCode(t, c.err, apperr.ToolFailed)
	c = h.run(t.Context(), "good__parts", `{}`)
	if c.err != nil || len(c.result.Data) > 2000 {
		t.Fatalf("%s, %v", c.result.Data, c.err)
	}
	mustHold(t, c.result.Text, "first", "inside", "[image, image/png, 5000 B]", "[link, x, file:///x]")
	mustHold(t, string(c.result.Data), `"structured":{"a":[1,2],"b":1}`)
	c = h.run(t.Context(), "good__fail", `{}`)
	wantCode(t, c.err, apperr.ToolFailed)
	mustHold(t, apperr.From(c.err).Text(bilingual.EN), "no such file: [redacted]")
}

func TestSecretsAreSeenNowhere(t *testing.T) {
	t.Setenv("AGENTCHAT_OPENAI_KEY", "sk-of-the-shop-itself")
	h := newHouse(t, quick)
	h.consented("good", h.stdio("good", nil))
	c := h.run(t.Context(), "good__secret", `{}`)
	if c.err != nil || c.result.Text != "key=[redacted] other=" {
		t.Errorf("%q, %v", c.result.Text, c.err)
	}
	h.until("good", "its words are logged", func(mcp.ServerView) bool {
		if strings.Contains(h.log.String(), "my key is") {
			return true
		}
		h.Reload() // something to wait for
		return false
	})
	view, err := json.Marshal(h.View(bilingual.EN))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(h.log.String()+string(view), token) {
		t.Errorf("the secret is seen:\n%s\n%s", h.log, view)
	}
	if !slices.Contains(h.Secrets(), token) {
		t.Error("letters do not know the secret")
	}
	// What is covered keeps its value when the text comes back.
	if err := h.Set(h.View(bilingual.EN).Text); err != nil {
		t.Fatal(err)
	}
	mustHold(t, h.notes(mcp.FileName), token)
	if info, err := os.Stat(filepath.Join(h.dir, mcp.FileName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestAServerThatGreetsOnItsOutput(t *testing.T) {
	h := newHouse(t, quick)
	h.consented("x", h.stdio("greeting", nil))
	if c := h.run(t.Context(), "x__echo", `{"text":"hi"}`); c.err != nil || c.result.Text != "hi" {
		t.Errorf("%+v, %v", c.result, c.err)
	}
}

func TestRevokingEndsACallUnderWay(t *testing.T) {
	h := newHouse(t, quick)
	h.consented("good", h.stdio("good", nil))
	c := h.begin(t.Context(), "good__wait", `{}`)
	c.hears("1/3")
	if err := h.Revoke(t.Context(), "good"); err != nil {
		t.Fatal(err)
	}
	c.end()
	wantCode(t, c.err, apperr.UnknownTool)
}
