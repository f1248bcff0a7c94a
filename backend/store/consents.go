package store

import (
	"context"
	"time"

	"agentchat/backend/tools/mcp"
)

// Consents implements mcp.Store.
func (s *Store) Consents(ctx context.Context) ([]mcp.Consent, error) {
	return collect(ctx, s.read, func(row row) (c mcp.Consent, err error) {
		var at int64
		err = row.Scan(&c.Server, &c.Source, asJSON{&c.Tools}, &at)
		c.At = time.UnixMicro(at)
		return c, err
	}, `SELECT server, source, tools, at FROM mcp_consents ORDER BY server`)
}

// SaveConsent implements mcp.Store.
func (s *Store) SaveConsent(ctx context.Context, c mcp.Consent) error {
	return s.exec(ctx, true, `INSERT INTO mcp_consents (server, source, tools, at) VALUES (?,?,?,?)
		ON CONFLICT (server) DO UPDATE SET source=excluded.source, tools=excluded.tools, at=excluded.at`,
		c.Server, c.Source, asJSON{c.Tools}, c.At.UnixMicro())
}

// DropConsent implements mcp.Store.
func (s *Store) DropConsent(ctx context.Context, server string) error {
	return s.exec(ctx, true, `DELETE FROM mcp_consents WHERE server=?`, server)
}
