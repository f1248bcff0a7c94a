package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/policy"
)

// log is the audit log as the headless front shows it.
func (s *session) log(fields map[string]any) []policy.Entry {
	s.t.Helper()
	var v struct {
		Entries []policy.Entry `json:"entries"`
	}
	s.must("audit", fields, &v)
	return v.Entries
}

// What was approved is shown, holds, is taken back, and is written down, over a restart.
func TestPermissionsAndTheAuditLog(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir, "--pace", "1000")
	s.must("config", map[string]any{"set": map[string]any{"tools.song.confirm": "first"}}, nil)
	permissions := func() (p policy.Permissions) {
		s.must("permissions", nil, &p)
		return p
	}
	if p := permissions(); len(p.Grants)+len(p.Denied)+len(s.log(nil)) > 0 {
		t.Fatalf("at first there is %+v", p)
	}
	answered := func(fields map[string]any) string {
		from := s.mark()
		id := s.wish("노래 불러줘")
		a := s.asked(id, from)
		fields["ask"], fields["digest"] = a.ID, a.Digest
		s.must("answer", fields, nil)
		return id
	}
	s.becomes(answered(map[string]any{"choice": "approve", "scope": "chat"}), string(job.Succeeded))
	p := permissions()
	if len(p.Grants) != 1 || p.Grants[0].Tool != "song" || p.Grants[0].Words == "" {
		t.Fatalf("granted: %+v", p.Grants)
	}
	s.becomes(s.wish("노래 하나 더!"), string(job.Succeeded))
	log := s.log(nil)
	if len(log) != 2 || log[0].By != policy.DecidedByGrant || log[0].Basis != p.Grants[0].ID || log[1].By != policy.DecidedByPerson {
		t.Fatalf("written down: %+v", log)
	}
	from := s.mark()
	s.must("revoke", map[string]any{"permission": p.Grants[0].ID}, nil)
	s.awaitFrom(from, "permissions.changed", func(l line) bool { return l.Kind == event.KindPermissions })
	for field, code := range map[string]apperr.Code{p.Grants[0].ID: apperr.NotFound, "no such": apperr.NotFound, "": apperr.BadCommand} {
		if a := s.do("revoke", map[string]any{"permission": field}); a.OK || a.Error.Code != string(code) {
			t.Errorf("revoking %q: %+v", field, a)
		}
	}
	refused := answered(map[string]any{"choice": "reject"})
	s.becomes(refused, string(job.Canceled))
	s.quit()

	s = start(t, dir, "--pace", "1000")
	if p := permissions(); len(p.Grants) != 0 || len(p.Denied) != 1 || p.Denied[0].Job != refused {
		t.Errorf("after a restart: %+v", p)
	}
	log = s.log(nil)
	if len(log) != 3 || log[0].Outcome != policy.AuditRejected || log[1].Outcome != policy.AuditDone || log[0].N <= log[1].N {
		t.Fatalf("written down in the end: %+v", log)
	}
	for what, c := range map[string]struct {
		fields map[string]any
		n      int
	}{
		"a page":             {map[string]any{"limit": 2}, 2},
		"the page behind it": {map[string]any{"limit": 2, "before_entry": log[1].N}, 1},
		"what was rejected":  {map[string]any{"filter": map[string]any{"outcome": "rejected"}}, 1},
		"one job's":          {map[string]any{"filter": map[string]any{"job": refused}}, 1},
		"another tool's":     {map[string]any{"filter": map[string]any{"tool": "movie"}}, 0},
	} {
		if got := s.log(c.fields); len(got) != c.n {
			t.Errorf("%s has %d entries, not %d", what, len(got), c.n)
		}
	}
	exported(t, s, dir, log)
	s.quit()
}

// exported checks that the log leaves whole, in both formats, into files for nobody else.
func exported(t *testing.T, s *session, dir string, log []policy.Entry) {
	t.Helper()
	for name, fields := range map[string]map[string]any{
		"audit.jsonl": {}, "audit.csv": {}, "audit.txt": {"format": "jsonl"}, "some.jsonl": {"filter": map[string]any{"outcome": "done"}},
	} {
		path, want := filepath.Join(dir, name), len(log)
		fields["path"] = path
		if fields["filter"] != nil {
			want--
		}
		var out struct {
			Path string `json:"path"`
			Rows int    `json:"rows"`
		}
		s.must("audit_export", fields, &out)
		info, err := os.Stat(path)
		if err != nil || out.Rows != want || out.Path != path || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %+v, %v, %v", name, out, info, err)
			continue
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for lines := bufio.NewScanner(f); lines.Scan(); n++ {
			var e policy.Entry
			if !strings.HasSuffix(name, ".csv") && (json.Unmarshal(lines.Bytes(), &e) != nil || e.Tool != "song") {
				t.Errorf("%s: %s", name, lines.Text())
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if strings.HasSuffix(name, ".csv") {
			n-- // the head
		}
		if n != want {
			t.Errorf("%s has %d lines, not %d", name, n, want)
		}
	}
	for _, fields := range []map[string]any{{}, {"path": filepath.Join(dir, "audit.txt")}, {"path": filepath.Join(dir, "x.csv"), "format": "xml"}} {
		if a := s.do("audit_export", fields); a.OK || a.Error.Code != string(apperr.InvalidArgs) {
			t.Errorf("%v: %+v", fields, a)
		}
	}
	if a := s.do("audit_export", map[string]any{"path": filepath.Join(dir, "no", "such", "x.csv")}); a.OK || a.Error.Code != string(apperr.StorageFailed) {
		t.Errorf("into no folder: %+v", a)
	}
	left, err := filepath.Glob(filepath.Join(dir, ".audit-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
