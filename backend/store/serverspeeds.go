package store

import (
	"context"

	"agentchat/backend/models"
)

// ServerSpeeds gives what was measured of servers.
func (s *Store) ServerSpeeds(ctx context.Context) ([]models.Speed, error) {
	return collect(ctx, s.read, func(row row) (v models.Speed, err error) {
		err = row.Scan(&v.Server, &v.Model, &v.Reads, &v.Writes, &v.Requests)
		return v, err
	}, `SELECT server, model, reads, writes, requests FROM server_speeds ORDER BY server, model`)
}

// SaveServerSpeeds keeps what was measured of servers.
func (s *Store) SaveServerSpeeds(ctx context.Context, list []models.Speed) error {
	return s.tx(ctx, false, func(w *work) error {
		for _, v := range list {
			if _, err := w.exec(`INSERT INTO server_speeds (server, model, reads, writes, requests) VALUES (?, ?, ?, ?, ?)
				ON CONFLICT (server, model) DO UPDATE SET reads=excluded.reads, writes=excluded.writes, requests=excluded.requests`,
				v.Server, v.Model, v.Reads, v.Writes, v.Requests); err != nil {
				return err
			}
		}
		return nil
	})
}

// DropServerSpeeds forgets a server.
func (s *Store) DropServerSpeeds(ctx context.Context, server string) error {
	return s.exec(ctx, false, `DELETE FROM server_speeds WHERE server=?`, server)
}
