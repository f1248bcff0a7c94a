package main

import (
	"context"

	"agentchat/backend/policy"
	"agentchat/backend/shop"
)

// Permissions is what may happen without a question, what never may, and what was refused lately.
func (a *App) Permissions() (policy.Permissions, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (policy.Permissions, error) { return s.Permissions(ctx) })
}

// RevokePermission takes back an approval that held for more than one call.
func (a *App) RevokePermission(id string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.RevokePermission(ctx, id) })
}

// SetPolicyRules replaces all rules at once; one that is wrong is named, and nothing changes.
func (a *App) SetPolicyRules(rules []policy.Rule) error {
	return run(a, func(_ context.Context, s *shop.Shop) error { return s.SetPolicyRules(rules) })
}

// Audit gives up to limit entries of the audit log before an entry's number (0: the newest), newest first.
func (a *App) Audit(filter policy.Filter, before int64, limit int) ([]policy.Entry, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]policy.Entry, error) {
		return s.Audit(ctx, filter, before, limit)
	})
}

// ExportAudit writes the audit log as jsonl or csv. Without a path it shows the system's save dialog, with title above it. It
// gives the path, "" when the person closed the dialog.
func (a *App) ExportAudit(path, format, title string) (string, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (string, error) {
		path, err := chosen(ctx, path, title, "agentchat-audit."+format)
		if err != nil || path == "" {
			return "", err
		}
		_, err = s.ExportAudit(ctx, path, policy.Format(format), policy.Filter{})
		return path, err
	})
}
