package mcp_test

import (
	"strings"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/tools/mcp"
)

func TestSettingsAsOtherClientsWriteThem(t *testing.T) {
	s := mcp.ReadSettings([]byte(`{"mcpServers": {
		"github": {"command": "npx", "args": ["-y", "server-github"], "env": {"TOKEN": "x"}, "cwd": "/tmp"},
		"remote": {"type": "http", "url": "https://example.com/mcp", "headers": {"Authorization": "Bearer x"}, "disabled": true}
	}}`))
	if len(s.Problems) > 0 || len(s.Servers) != 2 || s.Servers[0].Command != "npx" || s.Servers[0].Dir != "/tmp" || !s.Servers[1].Disabled {
		t.Errorf("%+v", s)
	}
	for _, empty := range []string{"", " \n", "{}", `{"mcpServers":{}}`} {
		if s := mcp.ReadSettings([]byte(empty)); len(s.Servers)+len(s.Problems) > 0 {
			t.Errorf("%q: %+v", empty, s)
		}
	}
}

// One bad entry names its place and leaves the others alone.
func TestBadSettingsNameTheirPlace(t *testing.T) {
	for text, place := range map[string]string{
		`{"bad": []}`:                                                  "mcpServers.bad:",
		`{"bad": {}}`:                                                  "mcpServers.bad:",
		`{"bad": null}`:                                                "mcpServers.bad:",
		`{"1st": {"command": "a"}}`:                                    "mcpServers.1st:",
		`{"날씨": {"command": "a"}}`:                                     "mcpServers.날씨:",
		`{"bad": {"command": ""}}`:                                     "mcpServers.bad.command:",
		`{"bad": {"command": 7}}`:                                      "mcpServers.bad.command:",
		`{"bad": {"command": "a", "url": "http://b"}}`:                 "mcpServers.bad:",
		`{"bad": {"command": "a", "headers": {"A": "b"}}}`:             "mcpServers.bad:",
		`{"bad": {"command": "a", "type": "http"}}`:                    "mcpServers.bad:",
		`{"bad": {"command": "a", "args": "b"}}`:                       "mcpServers.bad.args:",
		`{"bad": {"command": "a", "args": [1]}}`:                       "mcpServers.bad.args:",
		`{"bad": {"command": "a", "env": {"A": 1}}}`:                   "mcpServers.bad.env:",
		`{"bad": {"command": "a", "env": {"A=B": "c"}}}`:               "mcpServers.bad.env.A=B:",
		`{"bad": {"command": "a", "cwd": "here"}}`:                     "mcpServers.bad.cwd:",
		`{"bad": {"url": "ftp://b"}}`:                                  "mcpServers.bad.url:",
		`{"bad": {"url": "https://b", "type": "sse"}}`:                 "mcpServers.bad.type:",
		`{"bad": {"url": "https://b", "headers": {"A": "b\r\nC: d"}}}`: "mcpServers.bad.headers.A:",
		`{"bad": {"command": "a", "capacity": 0}}`:                     "mcpServers.bad.capacity:",
		`{"bad": {"command": "a", "confirm": "never"}}`:                "mcpServers.bad.confirm:",
		`{"bad": {"command": "a", "group": "a b"}}`:                    "mcpServers.bad.group:",
		`{"bad": {"command": "a", "sudo": true}}`:                      "mcpServers.bad.sudo:",
		`{"bad": {"command": "a", "tools": {"t": {"x": 1}}}}`:          "mcpServers.bad.tools.t.x:",
		`{"bad": {"command": "a", "tools": {"t": {"confirm": "no"}}}}`: "mcpServers.bad.tools.t.confirm:",
		`{"GOOD!": {"command": "a"}}`:                                  "mcpServers.good:", // the same key as the other's
	} {
		whole := `{"mcpServers": ` + strings.TrimSuffix(text, "}") + `, "good": {"command": "b"}}}`
		s := mcp.ReadSettings([]byte(whole))
		if len(s.Problems) != 1 || len(s.Servers) != 1 {
			t.Errorf("%s: %+v", text, s)
			continue
		}
		for _, lang := range []bilingual.Lang{bilingual.KO, bilingual.EN} {
			if words := s.Problems[0].Text(lang); !strings.Contains(words, place) || strings.Contains(words, "{") && !strings.Contains(words, "{…}") && !strings.Contains(words, `{"`) {
				t.Errorf("%s: %q, want the place %q", text, words, place)
			}
		}
	}
	for _, text := range []string{`[`, `[]`, `{"mcpServers": []}`, `{"servers": {}}`, `{"mcpServers": {"a": {"command": "x", "command": "y"}}}`} {
		if s := mcp.ReadSettings([]byte(text)); len(s.Problems) != 1 || len(s.Servers) > 0 {
			t.Errorf("%s: %+v", text, s)
		}
	}
}

func FuzzReadSettings(f *testing.F) {
	f.Add([]byte(`{"mcpServers": {"a": {"command": "x", "args": ["y"], "tools": {"t": {"capacity": 2}}}}}`))
	f.Add([]byte(`{"mcpServers": {"a": {"url": "https://x", "headers": {"A": "b"}}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := mcp.ReadSettings(text)
		for _, v := range s.Servers {
			if (v.Command == "") == (v.URL == "") {
				t.Errorf("%q: %+v", text, v)
			}
		}
		for _, p := range s.Problems {
			if p.Text(bilingual.KO) == "" {
				t.Errorf("%q: a problem without words", text)
			}
		}
	})
}
