package shop

import (
	"context"
	"path/filepath"
	"time"

	"agentchat/backend/about"
	"agentchat/backend/event"
	"agentchat/backend/tools/mcp"
)

// openMCP makes room for outside servers; start mounts them.
func (s *Shop) openMCP() {
	log := s.Log.Component("mcp")
	s.mcp = mcp.New(mcp.Options{
		File: filepath.Join(s.Config.Get().DataDir, mcp.FileName), Box: s.box, Store: s.store, Own: s.ownTool,
		Limits: func() mcp.Limits {
			c := s.Config.Get()
			return mcp.Limits{Start: c.MCPStart, Answer: c.MCPAnswer}
		},
		Changed: func(server string) {
			// A tool that came has to learn what the settings say of it.
			if err := s.applySettings(); err != nil {
				log.Warn().Err(err).Msg("tool settings")
			}
			s.Bus.Publish(event.Of("", "", event.MCPChanged{Server: server}))
		},
		Ask:    s.askOutside,
		Sample: s.sampleOutside,
		Browse: func(ctx context.Context, address string) error { return s.opener.Open(ctx, address) },
		Keys:   outsideKeys{s}, Line: s.line, Version: about.Version, Now: time.Now, Log: log,
	})
	s.closing = append(s.closing, s.mcp.Close)
}

// ownTool tells whether the shop itself has a tool of that key.
func (s *Shop) ownTool(key string) bool {
	spec, err := s.box.Spec(key)
	return err == nil && spec.Outside == ""
}

// MCP shows the outside servers, their tools, and what waits for a person's consent.
func (s *Shop) MCP() mcp.View { return s.mcp.View(s.Config.Get().Lang) }

// ConsentMCP makes the tools of a server usable, exactly as they were shown with this digest. Errors: not_found,
// digest_mismatch, storage errors.
func (s *Shop) ConsentMCP(ctx context.Context, server, digest string) error {
	return s.mcp.Consent(ctx, server, digest)
}

// RevokeMCP takes the tools of a server out of the box until somebody consents again. Errors: not_found, storage errors.
func (s *Shop) RevokeMCP(ctx context.Context, server string) error { return s.mcp.Revoke(ctx, server) }

// ReloadMCP reads mcp.json anew and looks after every server.
func (s *Shop) ReloadMCP() { s.mcp.Reload() }

// SetMCP replaces mcp.json. Errors: invalid_setting, storage errors; nothing changed then.
func (s *Shop) SetMCP(text string) error { return s.mcp.Set(text) }
