package front

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
	}
	filter, err := filterOf[policy.Filter](c)
	if err != nil {
		return nil, err
	}
	if c.Cmd == "audit" {
		list, err := s.Audit(ctx, filter, c.BeforeEntry, c.Limit)
		return struct {
			Entries []policy.Entry `json:"entries"`
		}{list}, err
	}
	rows, err := s.ExportAudit(ctx, c.Path, policy.Format(c.Format), filter)
	return struct {
		Path string `json:"path"`
		Rows int    `json:"rows"`
	}{c.Path, rows}, err
}
