package main

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/policy"
	"agentchat/backend/shop"
)

// permissionCommand does what concerns permissions and the audit log.
func permissionCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	switch c.Cmd {
	case "permissions":
		return s.Permissions(ctx)
	case "revoke":
		if c.Permission == "" {
			return nil, apperr.New(apperr.BadCommand, "detail", "revoke needs permission")
		}
		return struct {
			Permission string `json:"permission"`
		}{c.Permission}, s.RevokePermission(ctx, c.Permission)
	case "audit":
		list, err := s.Audit(ctx, c.Filter, c.BeforeEntry, c.Limit)
		return struct {
			Entries []policy.Entry `json:"entries"`
		}{list}, err
	default:
		rows, err := s.ExportAudit(ctx, c.Path, policy.Format(c.Format), c.Filter)
		return struct {
			Path string `json:"path"`
			Rows int    `json:"rows"`
		}{c.Path, rows}, err
	}
}
