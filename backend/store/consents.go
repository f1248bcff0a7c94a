package store

import (
	"context"
	"encoding/json"
	"time"

	"agentchat/backend/tools/mcp"
)

// Consents implements mcp.Store.
func (s *Store) Consents(ctx context.Context) ([]mcp.Consent, error) {
	return collect(ctx, s.read, func(row row) (c mcp.Consent, err error) {
		var tools string
		var at int64
		if err := row.Scan(&c.Server, &c.Source, &tools, &at); err != nil {
			return c, err
		}
		if err := json.Unmarshal([]byte(tools), &c.Tools); err != nil {
			return c, err
		}
		c.At = time.UnixMicro(at)
		return c, nil
	}, `SELECT server, source, tools, at FROM mcp_consents ORDER BY server`)
}

// SaveConsent implements mcp.Store.
func (s *Store) SaveConsent(ctx context.Context, c mcp.Consent) error {
	tools, err := json.Marshal(c.Tools)
	if err != nil {
		return storageError(err)
	}
	return s.tx(ctx, true, func(w *work) error {
		_, err := w.exec(`INSERT INTO mcp_consents (server, source, tools, at) VALUES (?,?,?,?)
			ON CONFLICT (server) DO UPDATE SET source=excluded.source, tools=excluded.tools, at=excluded.at`,
			c.Server, c.Source, string(tools), c.At.UnixMicro())
		return err
	})
}

// DropConsent implements mcp.Store.
func (s *Store) DropConsent(ctx context.Context, server string) error {
	return s.tx(ctx, true, func(w *work) error {
		_, err := w.exec(`DELETE FROM mcp_consents WHERE server=?`, server)
		return err
	})
}
