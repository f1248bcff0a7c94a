package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/logging"
)

// Form is a server that is set up, as a person may change it. No key is in it: one stays what it is while nothing is typed in its place.
type Form struct {
	Server  string  `json:"server"` // what it is called now
	Name    string  `json:"name"`
	Title   string  `json:"title"`  // what people see it called; "": its name
	Remote  bool    `json:"remote"` // it is behind an address
	Command string  `json:"command"`
	Args    []Field `json:"args"`
	Dir     string  `json:"dir"`
	URL     string  `json:"url"`
	Values  []Field `json:"values"` // the variables of a program, or the headers of an address
	// Sampling says that it may ask the model on duty for words (sampling); a person is asked each time.
	Sampling bool   `json:"sampling"`
	Line     string `json:"line"` // exactly what would be started or asked, as the person saw it
}

// Field is an argument, a variable or a header.
type Field struct {
	Was    string `json:"was"`  // what it is called now, an argument by its place from 1 on; "": it is new
	Name   string `json:"name"` // of a variable or header
	Before string `json:"before"`
	Key    bool   `json:"key"` // its value is never shown; Before stands before it and is no part of the key
	Value  string `json:"value"`
}

// keyIn tells where in an argument its key is.
func keyIn(args []string, i int) (before, after string, ok bool) {
	if at := argKey.FindAllStringIndex(args[i], -1); at != nil {
		return args[i][:at[0][0]], args[i][at[len(at)-1][1]:], true
	}
	if !secretAt(args, i) {
		return "", "", false
	}
	if value, named := logging.SecretArg(args[i]); named {
		before = strings.TrimSuffix(args[i], value)
	}
	return before, "", true
}

// values are the variables of a program, or the headers of an address.
func (s Server) values() map[string]string {
	if s.URL != "" {
		return s.Headers
	}
	return s.Env
}

// keyField tells whether the value of a variable or header is a key, and what stands before the key.
func (s Server) keyField(name, value string) (before string, key bool) {
	before, key = strings.CutSuffix(value, inKeyring)
	switch {
	case key:
		return before, true
	case s.URL != "":
		if scheme, _, ok := strings.Cut(value, " "); ok && strings.EqualFold(scheme, "bearer") {
			return scheme + " ", true
		}
		return "", true
	}
	return "", keyName.MatchString(name) || keyValue(value)
}

// form shows a server as it stands in mcp.json.
func (s Server) form() Form {
	cover := newRedactor(s.secrets())
	f := Form{
		Server: s.Name, Name: s.Name, Title: s.Title, Remote: s.URL != "", Command: s.Command, Dir: s.Dir, URL: cover.all(s.URL), Sampling: s.Sampling,
		Args: []Field{}, Values: []Field{}, Line: shownLine(s),
	}
	for i, arg := range s.Args {
		field := Field{Was: strconv.Itoa(i + 1), Value: cover.all(arg)}
		if before, _, key := keyIn(s.Args, i); key {
			field.Before, field.Key, field.Value = before, true, ""
		}
		f.Args = append(f.Args, field)
	}
	of := s.values()
	for _, name := range slices.Sorted(maps.Keys(of)) {
		field := Field{Was: name, Name: name, Value: of[name]}
		if before, key := s.keyField(name, of[name]); key {
			field.Before, field.Key, field.Value = before, true, ""
		}
		f.Values = append(f.Values, field)
	}
	return f
}

// fill makes of a form the server that it describes. keys are those that were typed, by their names in the keyring.
func (f Form) fill(was Server) (s Server, keys map[string]string, err error) {
	s, keys = was, map[string]string{}
	s.Sampling = f.Sampling
	s.Name, s.Command, s.Dir = strings.TrimSpace(f.Name), strings.TrimSpace(f.Command), strings.TrimSpace(f.Dir)
	if s.Title = strings.TrimSpace(f.Title); s.Title == s.Name {
		s.Title = ""
	}
	cover := newRedactor(was.secrets())
	if s.URL = strings.TrimSpace(f.URL); s.URL == cover.all(was.URL) {
		s.URL = was.URL
	}
	s.Args = f.args(was, cover, keys)
	moved := placeOf(s.URL) != placeOf(was.URL) // and what was given to one place is not given to another unasked
	of := map[string]string{}
	for _, v := range f.Values {
		name, value := strings.TrimSpace(v.Name), strings.TrimSpace(v.Value)
		raw, had := was.values()[v.Was]
		if had {
			name = v.Was
		}
		if name == "" && value == "" {
			continue
		}
		if _, twice := of[name]; twice || name == "" {
			return s, nil, unfit("‘"+cmp.Or(name, value)+"’의 이름을 다르게 지어 주세요", "please give “"+cmp.Or(name, value)+"” a name of its own")
		}
		before, key := was.keyField(name, cmp.Or(raw, value))
		key = key || keyValue(value)
		switch {
		case had && key && value == "" && raw != "" && moved:
			return s, nil, unfit("주소가 바뀌었어요. ‘"+name+"’에 값을 다시 넣거나 지워 주세요", "the address is another now: enter “"+name+"” again, or take it out")
		case had && key && value == "":
			of[name] = raw
		case key && value == "":
			return s, nil, unfit("‘"+name+"’에 값을 넣어 주세요", "please enter a value for “"+name+"”")
		case key:
			keys[name], of[name] = behind(before, value), before+inKeyring
		case had && value == strings.TrimSpace(raw):
			of[name] = raw
		default:
			of[name] = value
		}
	}
	// What is covered stays as a whole or is typed as a whole: the cover itself is nobody's key.
	if slices.ContainsFunc(append([]string{s.URL}, s.Args...), func(text string) bool {
		return strings.Contains(text, logging.Redacted) && text != was.URL && !slices.Contains(was.Args, text)
	}) {
		return s, nil, unfit("‘"+logging.Redacted+"’ 자리에 값을 다시 적어 주세요", "please enter the value again where it says “"+logging.Redacted+"”")
	}
	if s.Env, s.Headers = of, nil; was.URL != "" {
		s.Env, s.Headers = nil, of
	}
	return s, keys, nil
}

// behind is a key without what stands before it anyway and was typed along.
func behind(before, value string) string {
	if strings.TrimSpace(before) != "" && len(value) > len(before) && strings.EqualFold(value[:len(before)], before) {
		return value[len(before):]
	}
	return value
}

// placeOf is where an address leads, whatever is asked for there.
func placeOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// args are the arguments of a form. A key that is typed goes where the one before it was, or becomes one of the keyring.
func (f Form) args(was Server, cover redactor, keys map[string]string) (args []string) {
	taken := map[string]string{}
	for _, name := range was.ringNames() {
		taken[name] = ""
	}
	keep := func(before, key, after string) string {
		place := keepArg(taken, strings.TrimLeft(before, "-"), key)
		name := argKeyName(argKey.FindStringSubmatch(place)[1])
		keys[name] = taken[name]
		return before + place + after
	}
	fresh := map[int]bool{}
	for _, a := range f.Args {
		i, _ := strconv.Atoi(a.Was) // what is no place is new
		value, old := strings.TrimSpace(a.Value), ""
		before, after, key := "", "", false
		if i > 0 && i <= len(was.Args) {
			old = was.Args[i-1]
			before, after, key = keyIn(was.Args, i-1)
		}
		if key {
			value = behind(before, value)
		}
		places := argKey.FindAllStringSubmatch(old, -1)
		switch {
		case key && value == "", !key && i > 0 && value == strings.TrimSpace(cover.all(old)):
			args = append(args, old)
		case key && len(places) == 1:
			keys[argKeyName(places[0][1])] = value
			args = append(args, old)
		case key:
			args = append(args, keep(before, value, after))
		case value != "":
			fresh[len(args)] = true
			args = append(args, value)
		}
	}
	for i := range args {
		if before, after, key := keyIn(args, i); key && fresh[i] && !argKey.MatchString(args[i]) {
			args[i] = keep(before, strings.TrimSuffix(strings.TrimPrefix(args[i], before), after), after)
		}
	}
	return args
}

func unfit(ko, en string) error {
	return apperr.New(apperr.InvalidArgs, "detail", bilingual.Text{KO: ko, EN: en})
}

// named finds a server in a text of mcp.json.
func named(text []byte, name string) (Server, error) {
	servers := ReadSettings(text).Servers
	if i := slices.IndexFunc(servers, func(s Server) bool { return s.Name == name }); i >= 0 {
		return servers[i], nil
	}
	return Server{}, apperr.New(apperr.NotFound, "what", "MCP", "id", name)
}

// FormOf is the form of a server that is set up. Error: not_found.
func (m *Mounts) FormOf(name string) (Form, error) {
	m.mu.Lock()
	text := m.text
	m.mu.Unlock()
	s, err := named(text, name)
	if err != nil {
		return Form{}, err
	}
	return s.form(), nil
}

// LineOfForm is exactly what would be started with a form, keys covered. Errors: not_found, invalid_args.
func (m *Mounts) LineOfForm(f Form) (string, error) {
	m.mu.Lock()
	text := m.text
	m.mu.Unlock()
	was, err := named(text, f.Server)
	if err != nil {
		return "", err
	}
	s, _, err := f.fill(was)
	if err != nil {
		return "", err
	}
	return shownLine(s), nil
}

// Change makes a server what a form says and starts it anew; its settings that the form does not show stay. Another name, and another command or address,
// has to be consented to again. Errors: not_found, digest_mismatch (it is not what was shown), invalid_args, storage errors; nothing changed then, but when
// the last step failed: a key that nothing names any more stayed behind.
func (m *Mounts) Change(ctx context.Context, f Form) error {
	m.change.Lock()
	defer m.change.Unlock()
	old, trouble := m.read()
	if trouble != nil {
		return trouble
	}
	was, err := named(old, f.Server)
	if err != nil {
		return err
	}
	s, keys, err := f.fill(was)
	if err != nil {
		return err
	}
	if shownLine(s) != f.Line {
		return apperr.New(apperr.DigestMismatch)
	}
	text, err := withChange(old, was.Name, s)
	if err != nil {
		return err
	}
	if err := suits(old, text); err != nil {
		return err
	}
	if s, err = named(text, s.Name); err != nil { // as it will be read
		return err
	}
	putBack, err := m.keepKeys(ctx, was, s, keys)
	if err != nil {
		return err
	}
	if err := m.write(text); err != nil {
		putBack()
		return err
	}
	if s.Name != was.Name {
		if err := m.opt.Store.DropConsent(ctx, was.Name); err != nil {
			putBack()
			return errors.Join(err, m.write(old))
		}
		m.mu.Lock()
		delete(m.consents, was.Name)
		m.mu.Unlock()
	}
	left := m.apply(text, nil) //nolint:contextcheck // servers outlive the call that starts them
	m.sweepBundle(was, text)
	return left
}

// keepKeys puts into the keyring what a server will be looking for there: the keys that were typed and, where it is another by name or by what is run, those
// it had, with its sign-in. putBack undoes it.
func (m *Mounts) keepKeys(ctx context.Context, was, s Server, typed map[string]string) (putBack func(), err error) {
	was.bundles, s.bundles = m.bundles(), m.bundles()
	replaced := map[string]string{}
	putBack = func() {
		for name, kept := range replaced {
			if err := m.opt.Keys.Set(context.WithoutCancel(ctx), name, kept); err != nil {
				m.opt.Log.Warn().Err(err).Str("server", was.Name).Msg("a key of an outside server could not be put back into the keyring")
			}
		}
	}
	defer func() {
		if err != nil {
			putBack()
		}
	}()
	set := func(name, kept string) error {
		name = ringName(s.Name, name)
		had, err := m.opt.Keys.Get(ctx, name)
		if err != nil {
			return err
		}
		replaced[name] = had
		return m.opt.Keys.Set(ctx, name, kept)
	}
	for _, name := range s.ringNames() {
		key := typed[name]
		if key == "" && s.Name == was.Name && s.source() == was.source() {
			continue
		}
		if m.opt.Keys == nil {
			return nil, apperr.New(apperr.NotAvailable, "what", "keyring")
		}
		if key == "" {
			kept, err := m.opt.Keys.Get(ctx, ringName(was.Name, name))
			if err != nil {
				return nil, err
			}
			var own bool
			if key, own = was.unbound(kept); key == "" || !own {
				continue // it has none, and its card says so
			}
		}
		if err := set(name, s.bound(key)); err != nil {
			return nil, err
		}
	}
	if s.Name == was.Name || s.URL != was.URL || !s.signsIn() || m.opt.Keys == nil {
		return putBack, nil
	}
	pass, err := m.opt.Keys.Get(ctx, ringName(was.Name, signInKey)) // which is bound to the address
	if err == nil && pass != "" {
		err = set(signInKey, pass)
	}
	return putBack, err
}

// Switch starts a server or lets it rest; all that is known of it stays, what was agreed to as well. Errors: not_found, storage errors.
func (m *Mounts) Switch(name string, on bool) error {
	m.change.Lock()
	defer m.change.Unlock()
	old, trouble := m.read()
	if trouble != nil {
		return trouble
	}
	if _, err := named(old, name); err != nil {
		return err
	}
	text, err := changed(old, func(servers map[string]json.RawMessage) error {
		return alter(servers, name, func(entry map[string]json.RawMessage) {
			if delete(entry, "disabled"); !on {
				entry["disabled"] = mustJSON(true)
			}
		})
	})
	if err != nil {
		return err
	}
	if err := m.write(text); err != nil {
		return err
	}
	m.stayed(m.apply(text, nil))
	return nil
}

// alter changes the entry of one server.
func alter(servers map[string]json.RawMessage, name string, change func(map[string]json.RawMessage)) error {
	entry := map[string]json.RawMessage{}
	if err := json.Unmarshal(servers[name], &entry); err != nil {
		return apperr.Wrap(err, apperr.InvalidSetting, "key", FileName+": mcpServers."+name, "detail", shape("{…}"))
	}
	change(entry)
	servers[name] = mustJSON(entry)
	return nil
}

// withChange is the text of mcp.json with a server changed; what a form does not show stays.
func withChange(old []byte, name string, s Server) ([]byte, error) {
	return changed(old, func(servers map[string]json.RawMessage) error {
		if _, taken := servers[s.Name]; taken && s.Name != name {
			return nameTaken(s.Name)
		}
		if err := alter(servers, name, func(entry map[string]json.RawMessage) {
			for _, field := range formFields {
				delete(entry, field)
			}
			for field, value := range s.entry() {
				entry[field] = mustJSON(value)
			}
		}); err != nil || s.Name == name {
			return err
		}
		servers[s.Name] = servers[name]
		delete(servers, name)
		return nil
	})
}

// suits says what is wrong in a new text of mcp.json that was not in the old one, as a person says it who filled in a form.
func suits(old, text []byte) error {
	known := ReadSettings(old).Problems
	for _, p := range ReadSettings(text).Problems {
		if !slices.ContainsFunc(known, func(k *apperr.Error) bool { return k.Text(bilingual.EN) == p.Text(bilingual.EN) }) {
			return apperr.New(apperr.InvalidArgs, "detail", p.Fields["detail"])
		}
	}
	return nil
}
