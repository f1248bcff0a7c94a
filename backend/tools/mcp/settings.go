package mcp

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/logging"
	"agentchat/backend/strictjson"
	"agentchat/backend/toolbox"
)

// FileName is the settings file in the data folder.
const FileName = "mcp.json"

// settingsLimits bound the file.
var settingsLimits = strictjson.Limits{Bytes: 1 << 20, Depth: 16}

// Settings are the servers a person named. Env and header values are secrets.
type Settings struct {
	Servers  []Server // sorted by name
	Problems []*apperr.Error
	named    map[string]bool // also those that cannot be used; nil when nobody can tell
}

// Server is one entry. Exactly one of Command and URL is set.
type Server struct {
	Name     string // by which its keys, tools and all that was said of them are known
	Title    string // what it is called where people see it; "": its name
	Command  string
	Args     []string
	Env      map[string]string
	Dir      string
	URL      string
	Headers  map[string]string
	Disabled bool
	Sampling bool                    // it may ask the model on duty for words, each time with a person's leave
	Tools    map[string]ToolSettings // by the server's own names
	bundles  string                  // the folder of bundles, which may be another tomorrow; "": none
	wrong    *bilingual.Text         // why its keys cannot be had; it is not started then
	ringed   []string                // names of variables, headers and arguments whose values are in the keyring
	argKeys  map[string]string       // by what stands for them in Args; they are put there when the program is started, and nowhere else
	ToolSettings
}

// ToolSettings are what a person said of a tool, or of all tools of a server. A zero field says nothing.
type ToolSettings struct {
	Capacity *int
	Group    string
	Confirm  toolbox.Confirm
	Disabled bool
}

// source is the hash of what is started or called. Secrets are not in it: a new key is the same server. Nor is the place of the data folder: a bundle is
// what it holds, by which its folder there is called.
func (s Server) source() string { return s.sourceIn(inBundles) }

// sourceIn is source with the folder of bundles called so.
func (s Server) sourceIn(bundles string) string {
	in := func(text string) string {
		if s.bundles == "" {
			return text
		}
		return strings.ReplaceAll(text, s.bundles, bundles)
	}
	args := slices.Clone(s.Args)
	for i, arg := range args {
		args[i] = in(arg)
	}
	what, _ := json.Marshal([]any{in(s.Command), args, in(s.Dir), s.URL, slices.Sorted(maps.Keys(s.Env))})
	sum := sha256.Sum256(append([]byte("mcp server\x00"), what...))
	return hex.EncodeToString(sum[:])
}

func (s Server) transport() string {
	if s.URL != "" {
		return "http"
	}
	return "stdio"
}

// target is the command line or address, for people.
func (s Server) target() string {
	if s.URL != "" {
		return s.URL
	}
	return argKey.ReplaceAllLiteralString(strings.Join(append([]string{s.Command}, s.Args...), " "), logging.Redacted)
}

// startArgs are the arguments with their keys, for the program that is started alone.
func (s Server) startArgs() []string {
	args := slices.Clone(s.Args)
	for i, arg := range args {
		args[i] = argKey.ReplaceAllStringFunc(arg, func(place string) string { return s.argKeys[place] })
	}
	return args
}

// called is the server's name as people see it.
func (s Server) called() string { return cmp.Or(s.Title, s.Name) }

// tool gives what holds for one tool: its own settings before the server's.
func (s Server) tool(name string) ToolSettings {
	own := s.Tools[name]
	if own.Capacity == nil {
		own.Capacity = s.Capacity
	}
	if own.Group == "" {
		own.Group = s.Group
	}
	if own.Confirm == "" {
		own.Confirm = s.Confirm
	}
	return own
}

// ReadSettings reads the text of mcp.json. What is wrong with one server is a problem that names the place, and that
// server is left out; the others stay. An empty text names no servers.
func ReadSettings(text []byte) Settings {
	var out Settings
	if len(bytes.TrimSpace(text)) == 0 {
		return out
	}
	refuse := func(place string, why bilingual.Text) {
		out.Problems = append(out.Problems, apperr.New(apperr.InvalidSetting, "key", FileName+": "+place, "detail", why))
	}
	var whole map[string]json.RawMessage
	if err := strictjson.Decode(text, &whole, settingsLimits); err != nil {
		refuse("{}", bilingual.Text{KO: "JSON으로 읽을 수 없어요 (" + err.Error() + ")", EN: "it cannot be read: " + err.Error()})
		return out
	}
	for _, key := range slices.Sorted(maps.Keys(whole)) {
		if key != "mcpServers" {
			refuse(key, bilingual.Text{KO: "모르는 항목이라 쓰지 않았어요. mcpServers 안에 적어 주세요", EN: "it is not known and was not used; servers go into mcpServers"})
		}
	}
	entries := map[string]json.RawMessage{}
	if raw, ok := whole["mcpServers"]; ok && json.Unmarshal(raw, &entries) != nil {
		refuse("mcpServers", shape("{…}"))
		return out
	}
	taken, shown := map[string]string{}, map[string]bool{}
	out.named = map[string]bool{}
	for name := range entries {
		out.named[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		r := &entryReader{place: "mcpServers." + name}
		server := r.server(name, entries[name])
		if other, ok := taken[clean(name)]; ok && r.wrong == nil {
			r.refuse("", bilingual.Text{KO: "‘" + other + "’ 서버와 이름이 겹쳐요", EN: "its name is the same as that of “" + other + "”"})
		}
		if r.wrong == nil && server.Title != "" && (shown[strings.ToLower(server.Title)] || slices.ContainsFunc(slices.Collect(maps.Keys(entries)), func(o string) bool { return o != name && strings.EqualFold(o, server.Title) })) {
			r.refuse(".title", bilingual.Text{KO: "‘" + server.Title + "’(이)라는 서버가 또 있어요", EN: "another server is called “" + server.Title + "”"})
		}
		if r.wrong != nil {
			refuse(r.place, *r.wrong)
			continue
		}
		taken[clean(name)] = name
		shown[strings.ToLower(server.called())] = true
		out.Servers = append(out.Servers, server)
	}
	return out
}

func shape(want string) bilingual.Text {
	return bilingual.Text{KO: want + " 꼴이어야 해요", EN: "it must look like " + want}
}

// entryReader reads one server and remembers the first thing that is wrong, and where.
type entryReader struct {
	place string
	wrong *bilingual.Text
}

func (r *entryReader) refuse(at string, why bilingual.Text) {
	if r.wrong == nil {
		r.place += at
		r.wrong = &why
	}
}

// read decodes one value into v or refuses it.
func (r *entryReader) read(at string, raw json.RawMessage, v any, want string) {
	if bytes.Equal(bytes.TrimSpace(raw), []byte("null")) || json.Unmarshal(raw, v) != nil {
		r.refuse(at, shape(want))
	}
}

func (r *entryReader) server(name string, raw json.RawMessage) Server {
	s := Server{Name: name, Tools: map[string]ToolSettings{}}
	if key := clean(name); len(name) > 64 || len(key) > 32 || !startsWithLetter(key) {
		r.refuse("", bilingual.Text{KO: "서버 이름은 영문자로 시작하는 32자 이하여야 해요", EN: "a server's name begins with a letter a–z and has at most 32 characters"})
	}
	var fields map[string]json.RawMessage
	r.read("", raw, &fields, "{…}")
	kind := ""
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		r.field(key, fields[key], &s, &kind)
	}
	s.Disabled = s.ToolSettings.Disabled
	_, remote := fields["url"]
	_, local := fields["command"]
	switch {
	case remote == local:
		r.refuse("", bilingual.Text{KO: "command와 url 중 하나만 있어야 해요", EN: "it needs either a command or a url"})
	case local && strings.TrimSpace(s.Command) == "":
		r.refuse(".command", shape(`"npx"`))
	case local && (len(s.Headers) > 0 || kind != "" && kind != "stdio"), remote && (len(s.Args)+len(s.Env) > 0 || s.Dir != "" || kind == "stdio"):
		r.refuse("", bilingual.Text{KO: "command의 항목과 url의 항목이 섞여 있어요", EN: "it mixes what belongs to a command with what belongs to a url"})
	}
	return s
}

// field reads one field of a server into s, or its kind.
func (r *entryReader) field(key string, value json.RawMessage, s *Server, kind *string) {
	at := "." + key
	switch key {
	case "title":
		r.read(at, value, &s.Title, `"…"`)
		if s.Title != plain(s.Title, mostTitle) {
			r.refuse(at, bilingual.Text{KO: "보이는 글자로 된 한 줄, 40자 이하여야 해요", EN: "it is one line of visible characters, at most 40"})
		}
	case "command":
		r.read(at, value, &s.Command, `"npx"`)
	case "args":
		r.read(at, value, &s.Args, `["…"]`)
	case "env":
		r.read(at, value, &s.Env, `{"NAME": "…"}`)
		r.names(at, s.Env, envName, "\x00")
	case "cwd":
		r.read(at, value, &s.Dir, `"/…"`)
		if s.Dir != "" && !filepath.IsAbs(s.Dir) {
			r.refuse(at, bilingual.Text{KO: "절대 경로여야 해요", EN: "it must be an absolute path"})
		}
	case "url":
		r.read(at, value, &s.URL, `"https://…"`)
		if u, err := url.Parse(s.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			r.refuse(at, shape("https://…"))
		}
	case "headers":
		r.read(at, value, &s.Headers, `{"Authorization": "…"}`)
		r.names(at, s.Headers, headerName, "\x00\r\n")
	case "type":
		r.read(at, value, kind, `"stdio"`)
		if !slices.Contains([]string{"stdio", "http", "streamable-http"}, *kind) {
			r.refuse(at, bilingual.Text{KO: "stdio나 http만 쓸 수 있어요", EN: "only stdio and http can be used"})
		}
	case "sampling":
		r.read(at, value, &s.Sampling, "true")
	case "tools":
		r.tools(at, value, s.Tools)
	default:
		if !r.toolSetting(at, key, value, &s.ToolSettings) {
			r.refuse(at, bilingual.Text{KO: "모르는 항목이에요", EN: "it is not known"})
		}
	}
}

func (r *entryReader) tools(at string, raw json.RawMessage, into map[string]ToolSettings) {
	var entries map[string]map[string]json.RawMessage
	r.read(at, raw, &entries, `{"tool": {…}}`)
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		var t ToolSettings
		for _, key := range slices.Sorted(maps.Keys(entries[name])) {
			place := at + "." + name + "." + key
			if !r.toolSetting(place, key, entries[name][key], &t) {
				r.refuse(place, bilingual.Text{KO: "모르는 항목이에요", EN: "it is not known"})
			}
		}
		into[name] = t
	}
}

// toolSetting reads one of the settings that servers and tools share. False: it is none.
func (r *entryReader) toolSetting(at, key string, raw json.RawMessage, t *ToolSettings) bool {
	switch key {
	case "disabled":
		r.read(at, raw, &t.Disabled, "true")
	case "capacity":
		n := 0
		r.read(at, raw, &n, "1")
		if n < 1 || n > 1000 {
			r.refuse(at, shape("1…1000"))
		}
		t.Capacity = &n
	case "group":
		r.read(at, raw, &t.Group, `"MonitorBox"`)
		if !groupName.MatchString(t.Group) {
			r.refuse(at, bilingual.Text{KO: "영문자로 시작하는 영문자, 숫자, _, -여야 해요", EN: "it is a letter followed by letters, digits, _ or -"})
		}
	case "confirm":
		r.read(at, raw, &t.Confirm, `"always"`)
		if t.Confirm != toolbox.ConfirmAlways && t.Confirm != toolbox.ConfirmFirst {
			r.refuse(at, bilingual.Text{KO: "always나 first만 쓸 수 있어요", EN: "only always and first can be used"})
		}
	default:
		return false
	}
	return true
}

// mostTitle is how long the name that people see may be.
const mostTitle = 40

var (
	groupName  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)
	envName    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	headerName = regexp.MustCompile(`^[A-Za-z0-9!#$%&'*+.^_|~-]+$`)
)

// names refuses names and values that cannot travel where they must.
func (r *entryReader) names(at string, values map[string]string, pattern *regexp.Regexp, never string) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !pattern.MatchString(name) || strings.ContainsAny(values[name], never) {
			r.refuse(fmt.Sprintf("%s.%s", at, name), bilingual.Text{KO: "이름이나 값에 쓸 수 없는 글자가 있어요", EN: "its name or value has a character that cannot be used"})
		}
	}
}
