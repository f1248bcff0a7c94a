package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/logging"
)

// Keys keep the keys of servers; the file names them and holds none. Safe for concurrent use.
type Keys interface {
	Get(ctx context.Context, name string) (string, error)
	Set(ctx context.Context, name, key string) error
}

// inKeyring stands in mcp.json where a key is kept in the keyring.
const inKeyring = "keyring:"

// argKey stands in an argument where a key of the keyring belongs. It is filled only for the program that is started.
var argKey = regexp.MustCompile(`\$\{keyring:([A-Za-z0-9_.-]+)\}`)

// notInArgKey is what such a name cannot hold: needs are called as strangers please.
var notInArgKey = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// argKeyName is the name of an argument's key among the keys of its server; no variable or header is called so.
func argKeyName(name string) string { return "args/" + name }

// keepArg notes a key that belongs into arguments, and gives what stands there for it.
func keepArg(keys map[string]string, need, value string) (place string) {
	base := strings.Trim(notInArgKey.ReplaceAllString(need, "-"), "-")
	if base == "" {
		base = "key"
	}
	name := base
	for i := 2; ; i++ {
		if _, taken := keys[argKeyName(name)]; !taken {
			break
		}
		name = fmt.Sprintf("%s-%d", base, i)
	}
	keys[argKeyName(name)] = value
	return "${" + inKeyring + name + "}"
}

// mostDrafts is how many proposals are remembered: those that are on show.
const mostDrafts = 200

// propose remembers drafts and gives what is shown of them.
func (m *Mounts) propose(drafts []draft) []Proposal {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.drafts)+len(drafts) > mostDrafts {
		clear(m.drafts)
	}
	list := []Proposal{}
	for _, d := range drafts {
		m.drafted++
		d.ID = fmt.Sprint(m.drafted)
		d.Name = m.freeName(d.Name)
		m.drafts[d.ID] = d
		d.Line = newRedactor(d.server.secrets()).all(d.Line)
		list = append(list, d.Proposal)
	}
	return list
}

// freeName is a name that no server has. Called with m.mu held.
func (m *Mounts) freeName(name string) string {
	free := name
	for i := 2; slices.ContainsFunc(m.servers, func(v *server) bool { return clean(v.Name) == clean(free) }); i++ {
		free = fmt.Sprintf("%s-%d", name[:min(len(name), 28)], i)
	}
	return free
}

// Propose reads what a person pasted. Nothing is started. Error: outside_unreadable.
func (m *Mounts) Propose(text string) ([]Proposal, error) {
	drafts, err := readProposal(text)
	if err != nil {
		return nil, err
	}
	return m.propose(drafts), nil
}

// Filled is a proposal as the person wants it: its name, and a value for each need.
type Filled struct {
	ID     string            `json:"id"`
	Name   string            `json:"name"`
	Values map[string]string `json:"values"`
	// Line is what the person saw and agreed to.
	Line string `json:"line"`
}

// LineOf is exactly what would be started with those values, keys covered. Errors: not_found.
func (m *Mounts) LineOf(f Filled) (string, error) {
	d, err := m.draft(f.ID)
	if err != nil {
		return "", err
	}
	s, _, err := d.fill(f, true)
	if err != nil {
		return "", err
	}
	return shownLine(s), nil
}

func shownLine(s Server) string {
	line := s.target()
	if s.URL == "" {
		line = argKey.ReplaceAllLiteralString(commandLine(s), logging.Redacted)
	}
	return newRedactor(s.secrets()).all(line)
}

func (m *Mounts) draft(id string) (draft, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	d, ok := m.drafts[id]
	if !ok {
		return d, apperr.New(apperr.NotFound, "what", "MCP", "id", id)
	}
	return d, nil
}

// fill puts the values where they belong. keys are those that go into the keyring. With loose, what is missing stays open.
func (d draft) fill(f Filled, loose bool) (s Server, keys map[string]string, err error) {
	s, keys = d.server, map[string]string{}
	s.Name = strings.TrimSpace(f.Name)
	s.Args, s.Env, s.Headers = slices.Clone(s.Args), maps.Clone(s.Env), maps.Clone(s.Headers)
	for _, shown := range d.Needs {
		n := d.needs[shown.Name]
		value := strings.TrimSpace(f.Values[n.Name])
		if value == "" {
			value = n.value
		}
		if value == "" && !n.Optional && !loose {
			return s, nil, apperr.New(apperr.InvalidArgs, "detail", bilingual.Text{KO: "‘" + n.Title.KO + "’을(를) 넣어 주세요", EN: "please enter “" + n.Title.EN + "”"})
		}
		switch {
		case n.hole != "":
			s.fillHole(n, value, keys, loose && !n.Optional)
		case n.arg > 0 && n.Kind == NeedKey && value != "":
			s.Args[n.arg-1] = n.before + keepArg(keys, n.Name, value) + n.after
		case n.arg > 0 && (value != "" || !loose):
			s.Args[n.arg-1] = n.before + value + n.after
		case n.env != "" && value == "":
			delete(s.Env, n.env)
		case n.env != "" && (n.Kind == NeedKey || keyValue(value)):
			keys[n.env], s.Env[n.env] = value, inKeyring
		case n.env != "":
			s.Env[n.env] = value
		case n.header != "" && value == "":
			delete(s.Headers, n.header)
		case n.header != "":
			keys[n.header], s.Headers[n.header] = value, n.before+inKeyring
		}
	}
	return s, keys, nil
}

// fillHole puts a value wherever its hole is written. A key in a variable goes into the keyring, as the whole variable, and one in arguments by itself; what
// nobody filled takes what it stood in along.
func (s *Server) fillHole(n need, value string, keys map[string]string, open bool) {
	args, told := []string{}, value
	holds := func(arg string) bool { return strings.Contains(arg, n.hole) }
	if n.Kind == NeedKey && value != "" && slices.ContainsFunc(s.Args, holds) {
		told = keepArg(keys, n.Name, value)
	}
	for _, arg := range s.Args {
		if arg == n.hole && value == "" && !open {
			continue
		}
		if value != "" || !open {
			arg = strings.ReplaceAll(arg, n.hole, told)
		}
		args = append(args, arg)
	}
	s.Args = args
	for name, v := range s.Env {
		whole, kept := keys[name]
		if !kept {
			whole = v
		}
		if !strings.Contains(whole, n.hole) {
			continue
		}
		switch whole = strings.ReplaceAll(whole, n.hole, value); {
		case value == "":
			delete(s.Env, name)
			delete(keys, name)
		case kept || n.Kind == NeedKey || keyValue(whole):
			keys[name], s.Env[name] = whole, inKeyring
		default:
			s.Env[name] = whole
		}
	}
}

// Add writes a server that was proposed into mcp.json, its keys into the keyring, and starts exactly what the person saw. Errors: not_found,
// digest_mismatch (it is not what was shown), invalid_args, storage errors; nothing changed then.
func (m *Mounts) Add(ctx context.Context, f Filled) (err error) {
	d, err := m.draft(f.ID)
	if err != nil {
		return err
	}
	s, keys, err := d.fill(f, false)
	if err != nil {
		return err
	}
	if shownLine(s) != f.Line {
		return apperr.New(apperr.DigestMismatch)
	}
	m.change.Lock()
	defer m.change.Unlock()
	old, trouble := m.read()
	if trouble != nil {
		return trouble
	}
	if d.bundle != nil {
		defer func() {
			if err != nil {
				m.sweepBundle(s, old)
			}
		}()
		if err := m.unpack(d.bundle); err != nil {
			return err
		}
	}
	text, err := withServer(old, s)
	if err != nil {
		return err
	}
	if err := suits(old, text); err != nil {
		return err
	}
	if err := m.giveKeys(ctx, text, s, keys); err != nil {
		return err
	}
	if err := m.write(text); err != nil {
		return err
	}
	m.mu.Lock()
	delete(m.drafts, f.ID)
	m.mu.Unlock()
	_ = m.apply(text, nil) //nolint:contextcheck // servers outlive the call that starts them; nobody's keys are forgotten
	return nil
}

// Remove takes a server out of mcp.json, ends it, and forgets its keys and what was agreed to. Errors: not_found, storage errors; when it is the
// keyring's, the server is gone and a key of it stayed behind.
func (m *Mounts) Remove(ctx context.Context, name string) error {
	v, err := m.find(name)
	if err != nil {
		return err
	}
	if err := m.Revoke(ctx, name); err != nil {
		return err
	}
	m.change.Lock()
	defer m.change.Unlock()
	old, trouble := m.read()
	if trouble != nil {
		return trouble
	}
	text, err := withoutServer(old, name)
	if err != nil {
		return err
	}
	if err := m.write(text); err != nil {
		return err
	}
	kept := m.apply(text, nil) //nolint:contextcheck // as above; it has ended when its keys go, whatever the keyring says
	m.sweepBundle(v.Server, text)
	return kept
}

// withServer is the text of mcp.json with one more server; what stands in it otherwise stays.
func withServer(old []byte, s Server) ([]byte, error) {
	return changed(old, func(servers map[string]json.RawMessage) error {
		if _, taken := servers[s.Name]; taken {
			return nameTaken(s.Name)
		}
		servers[s.Name] = mustJSON(s.entry())
		return nil
	})
}

// formFields are the fields of an entry that forms fill.
var formFields = []string{"title", "command", "args", "env", "cwd", "url", "headers", "sampling"}

// entry is what stands of a server in mcp.json, of what forms fill.
func (s Server) entry() map[string]any {
	entry := map[string]any{}
	set := func(name string, value any, there bool) {
		if there {
			entry[name] = value
		}
	}
	set("title", s.Title, s.Title != "")
	set("command", s.Command, s.URL == "")
	set("args", s.Args, len(s.Args) > 0)
	set("env", s.Env, len(s.Env) > 0)
	set("cwd", s.Dir, s.Dir != "")
	set("url", s.URL, s.URL != "")
	set("headers", s.Headers, len(s.Headers) > 0)
	set("sampling", true, s.Sampling)
	return entry
}

func nameTaken(name string) error {
	return unfit("‘"+name+"’ 서버가 이미 있어요", "there is a server called “"+name+"” already")
}

func withoutServer(old []byte, name string) ([]byte, error) {
	return changed(old, func(servers map[string]json.RawMessage) error { delete(servers, name); return nil })
}

func changed(old []byte, change func(map[string]json.RawMessage) error) ([]byte, error) {
	whole, servers := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if len(strings.TrimSpace(string(old))) > 0 {
		if err := json.Unmarshal(old, &whole); err != nil {
			return nil, apperr.Wrap(err, apperr.InvalidSetting, "key", FileName, "detail", shape("{…}"))
		}
		if raw, ok := whole["mcpServers"]; ok {
			if err := json.Unmarshal(raw, &servers); err != nil {
				return nil, apperr.Wrap(err, apperr.InvalidSetting, "key", FileName+": mcpServers", "detail", shape("{…}"))
			}
		}
	}
	if err := change(servers); err != nil {
		return nil, err
	}
	whole["mcpServers"] = mustJSON(servers)
	text, err := json.MarshalIndent(whole, "", "  ")
	if err != nil {
		return nil, apperr.Wrap(err, apperr.Internal)
	}
	return append(text, '\n'), nil
}
