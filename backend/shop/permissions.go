package shop

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// deniedShown is how many refused calls the permissions page lists.
const deniedShown = 50

// auditPage is how many entries are read at once.
const auditPage = 500

// Permissions is what may happen without a question, what never may, and what was refused lately.
func (s *Shop) Permissions(ctx context.Context) (policy.Permissions, error) {
	c := s.Config.Get()
	view := policy.Permissions{Grants: []policy.Permission{}, Rules: c.PolicyRules, Mode: c.PolicyMode, Denied: []policy.Entry{}}
	if view.Rules == nil {
		view.Rules = []policy.Rule{}
	}
	grants, err := s.store.Grants(ctx, "", "")
	if err != nil {
		return view, err
	}
	for _, g := range grants {
		spec, err := s.box.Spec(g.Tool)
		if err != nil {
			spec = toolbox.Spec{} // it is gone: its key stands for it
		}
		view.Grants = append(view.Grants, g.View(spec, c.Lang))
	}
	for _, outcome := range []policy.AuditOutcome{policy.AuditDenied, policy.AuditRejected} {
		list, err := s.store.Audit(ctx, policy.Filter{Outcome: outcome}, 0, deniedShown)
		if err != nil {
			return view, err
		}
		view.Denied = append(view.Denied, list...)
	}
	policy.NewestFirst(view.Denied)
	view.Denied = view.Denied[:min(len(view.Denied), deniedShown)]
	s.explain(view.Denied, grants)
	return view, nil
}

// RevokePermission ends a grant; from the moment it returns nothing begins on its strength. Errors: not_found.
func (s *Shop) RevokePermission(ctx context.Context, id string) error {
	if err := s.store.RevokeGrant(ctx, id); err != nil {
		return err
	}
	s.Bus.Publish(event.Of("", "", event.PermissionsChanged{}))
	return nil
}

// SetPolicyRules replaces all rules at once. Errors: invalid_setting, which names the rule that is wrong; nothing changed then.
func (s *Shop) SetPolicyRules(rules []policy.Rule) error {
	if rules == nil {
		rules = []policy.Rule{}
	}
	text, err := json.Marshal(rules)
	if err != nil {
		return apperr.Wrap(err, apperr.InvalidSetting, "key", config.KeyPolicyRules, "detail", err.Error())
	}
	if _, err := s.Config.Set(map[string]any{config.KeyPolicyRules: string(text)}); err != nil {
		return err
	}
	s.Bus.Publish(event.Of("", "", event.PermissionsChanged{}))
	return nil
}

// Audit gives up to limit entries of the audit log before an entry's number (0: the newest), newest first.
func (s *Shop) Audit(ctx context.Context, f policy.Filter, before int64, limit int) ([]policy.Entry, error) {
	list, err := s.store.Audit(ctx, f, before, limit)
	if err != nil {
		return nil, err
	}
	grants, err := s.store.Grants(ctx, "", "")
	if err != nil {
		return nil, err
	}
	s.explain(list, grants)
	return list, nil
}

// explain says in words what each entry rests on.
func (s *Shop) explain(list []policy.Entry, grants []policy.Grant) {
	specs := s.box.Specs()
	for i := range list {
		why := list[i].Reason(specs, grants)
		list[i].Why = &why
	}
}

// ExportAudit writes the audit log, newest first, into a file that only its owner can read, whole or not at all. An empty
// format goes by the file's name. Errors: invalid_args, storage errors.
func (s *Shop) ExportAudit(ctx context.Context, path string, format policy.Format, f policy.Filter) (rows int, err error) {
	if format == "" {
		format = policy.Format(strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), "."))
	}
	if path == "" || format != policy.JSONL && format != policy.CSV {
		return 0, apperr.New(apperr.InvalidArgs, "detail", "path, format: jsonl | csv")
	}
	err = writeWhole(path, func(file io.Writer) error {
		w := policy.NewWriter(format, file)
		for before := int64(0); ; {
			page, err := s.store.Audit(ctx, f, before, auditPage)
			if err != nil {
				return err
			}
			for _, e := range page {
				if err := w.Write(e); err != nil {
					return err
				}
				rows, before = rows+1, e.N
			}
			if len(page) < auditPage {
				return w.Close()
			}
		}
	})
	return rows, err
}
