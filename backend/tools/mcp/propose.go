package mcp

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// NeedKind is what a person has to give before a server can be added.
type NeedKind string

// The kinds of needs.
const (
	NeedKey    NeedKind = "key"    // goes into the keyring
	NeedFolder NeedKind = "folder" // chosen by the system's dialog
	NeedText   NeedKind = "text"
)

// Need is one thing that is still missing, or that came along and may be changed. A key that came along is never shown.
type Need struct {
	Name     string         `json:"name"` // of the variable, the header, or the place in the command
	Kind     NeedKind       `json:"kind"`
	Title    bilingual.Text `json:"title"`
	Given    bool           `json:"given"` // it came along
	Optional bool           `json:"optional"`
}

// Proposal is a server that a person may add. Nothing of it runs before they saw Line and agreed.
type Proposal struct {
	ID      string         `json:"id"`
	Name    string         `json:"name"`
	Title   bilingual.Text `json:"title"` // of the catalogue; empty otherwise
	About   bilingual.Text `json:"about"`
	Line    string         `json:"line"`    // exactly what would be started, or the address that would be asked
	Remote  bool           `json:"remote"`  // it is behind an address
	Missing string         `json:"missing"` // the program that is not on this computer; "": it is there
	Needs   []Need         `json:"needs"`
}

// draft is a proposal with everything it holds, keys too; it never leaves this process.
type draft struct {
	Proposal
	server Server
	needs  map[string]need
	bundle *bundle // what is unpacked first; nil: nothing
}

// need is where a value goes.
type need struct {
	Need
	env, header string
	arg         int // from 1; 0: none
	before      string
	after       string // what stands around it in the argument
	value       string
	hole        string // of a bundle: it stands for the value wherever it is written
}

var errNothing = bilingual.Of("링크도 명령도 주소도 다른 프로그램의 설정도 아니에요", "it is no link, command, address or settings of another program")

func notProposal(why bilingual.Text) error { return apperr.New(apperr.OutsideUnreadable, "why", why) }

// readProposal makes drafts of what a person pasted: a link that other clients install by, an address, a command line, or settings in the shape of
// any client. Error: outside_unreadable.
func readProposal(text string) ([]draft, error) {
	text = strings.TrimSpace(strings.Trim(strings.TrimSpace(text), "`"))
	switch {
	case text == "" || len(text) > settingsLimits.Bytes:
		return nil, notProposal(errNothing)
	case strings.HasPrefix(text, "{"), strings.HasPrefix(text, `"`):
		return readEntries([]byte(text))
	}
	if u, err := url.Parse(text); err == nil && u.Scheme != "" && !strings.ContainsAny(text, " \n") {
		if found, err := readLink(u); found != nil || err != nil {
			return found, err
		}
		if (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
			return []draft{draftOf(Server{Name: nameOfHost(u.Hostname()), URL: text})}, nil
		}
	}
	return readCommand(text)
}

// readLink reads the links by which Cursor and VS Code install a server. nil, nil: it is none.
func readLink(u *url.URL) ([]draft, error) {
	q := u.Query()
	switch {
	case strings.HasSuffix(strings.TrimSuffix(u.Host+u.Path, "/"), "mcp/install") && q.Get("config") != "", strings.HasSuffix(u.Path, "install-mcp") && q.Get("config") != "":
		config := q.Get("config")
		if raw, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(config, " ", "+")); err == nil {
			config = string(raw)
		}
		return readNamed(q.Get("name"), []byte(config))
	case u.Opaque == "mcp/install" || strings.HasSuffix(u.Host+u.Path, "mcp/install"): // vscode:mcp/install?{…}
		text, err := url.QueryUnescape(u.RawQuery)
		if err != nil {
			return nil, notProposal(errNothing)
		}
		var named struct {
			Name string `json:"name"`
		}
		if json.Unmarshal([]byte(text), &named) != nil {
			return nil, notProposal(errNothing)
		}
		return readNamed(named.Name, []byte(text))
	}
	return nil, nil
}

// readNamed reads one entry that a link holds, or a whole file in it.
func readNamed(name string, text []byte) ([]draft, error) {
	var entry map[string]json.RawMessage
	if json.Unmarshal(text, &entry) != nil {
		return nil, notProposal(errNothing)
	}
	if entry["command"] == nil && entry["url"] == nil {
		return readEntries(text)
	}
	d, err := readEntry(name, entry)
	if err != nil {
		return nil, err
	}
	return []draft{d}, nil
}

// readEntries reads settings of any client: mcpServers, servers or mcp.servers, one entry alone, or entries without a frame.
func readEntries(text []byte) ([]draft, error) {
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(plainJSON(text), &whole); err != nil {
		if json.Unmarshal(plainJSON([]byte("{"+strings.TrimRight(strings.TrimSpace(string(text)), ",")+"}")), &whole) != nil {
			return nil, notProposal(bilingual.Text{KO: "설정으로 읽을 수 없어요 (" + err.Error() + ")", EN: "it cannot be read as settings (" + err.Error() + ")"})
		}
	}
	if whole["command"] != nil || whole["url"] != nil {
		return readNamed("", mustJSON(whole))
	}
	entries := whole
	for _, frame := range []string{"mcpServers", "servers", "mcp.servers", "mcp"} {
		raw, ok := whole[frame]
		if !ok {
			continue
		}
		if json.Unmarshal(raw, &entries) != nil {
			return nil, notProposal(errNothing)
		}
		if frame == "mcp" {
			return readEntries(raw)
		}
		break
	}
	var list []draft
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		var entry map[string]json.RawMessage
		if json.Unmarshal(entries[name], &entry) != nil || entry["command"] == nil && entry["url"] == nil {
			continue
		}
		d, err := readEntry(name, entry)
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	if len(list) == 0 {
		return nil, notProposal(bilingual.Of("서버가 하나도 적혀 있지 않아요", "it names no server"))
	}
	return list, nil
}

func mustJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return text
}

var (
	lineComment  = regexp.MustCompile(`(?m)^\s*//.*$`)
	danglingComm = regexp.MustCompile(`,(\s*[}\]])`)
)

// plainJSON takes out what VS Code allows besides: lines that are comments, and commas before the end.
func plainJSON(text []byte) []byte {
	if json.Valid(text) {
		return text
	}
	return danglingComm.ReplaceAll(lineComment.ReplaceAll(text, nil), []byte("$1"))
}

// readEntry reads one entry of any client's settings. Fields that this shop does not know are left out.
func readEntry(name string, entry map[string]json.RawMessage) (draft, error) {
	var s struct {
		Command string            `json:"command"`
		Args    []string          `json:"args"`
		Env     map[string]any    `json:"env"`
		Dir     string            `json:"cwd"`
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
	}
	if err := json.Unmarshal(mustJSON(entry), &s); err != nil {
		return draft{}, notProposal(bilingual.Text{KO: "‘" + name + "’의 모양이 달라요", EN: "“" + name + "” does not look like a server"})
	}
	server := Server{Name: name, Command: s.Command, Args: s.Args, Dir: s.Dir, URL: s.URL, Headers: s.Headers}
	for key, value := range s.Env {
		if server.Env == nil {
			server.Env = map[string]string{}
		}
		server.Env[key] = fmt.Sprint(value)
	}
	if server.URL != "" {
		server.Command, server.Args, server.Env, server.Dir = "", nil, nil, ""
	}
	if !filepath.IsAbs(server.Dir) {
		server.Dir = ""
	}
	return draftOf(server), nil
}

// readCommand reads a command line as people write it: variables before it, quotes, nothing that only a shell understands.
func readCommand(text string) ([]draft, error) {
	words, err := splitLine(text)
	if err != nil {
		return nil, err
	}
	s := Server{}
	if len(words) > 3 && words[1] == "mcp" && words[2] == "add" { // claude mcp add NAME -- command
		if i := slices.Index(words, "--"); i > 3 {
			for _, w := range words[3:i] {
				if !strings.HasPrefix(w, "-") && s.Name == "" && !strings.Contains(w, "=") {
					s.Name = w
				}
			}
			words = words[i+1:]
		}
	}
	for len(words) > 0 {
		name, value, ok := strings.Cut(words[0], "=")
		if !ok || !envName.MatchString(name) {
			break
		}
		if s.Env == nil {
			s.Env = map[string]string{}
		}
		s.Env[name], words = value, words[1:]
	}
	if len(words) == 0 || strings.ContainsAny(words[0], "<>") {
		return nil, notProposal(errNothing)
	}
	s.Command, s.Args = words[0], words[1:]
	if missing(s.Command) && !strings.ContainsAny(s.Command, `/\`) && !slices.Contains(runners, s.Command) {
		return nil, notProposal(bilingual.Text{KO: "이 컴퓨터에 ‘" + s.Command + "’라는 프로그램이 없어요", EN: "there is no program “" + s.Command + "” on this computer"})
	}
	return []draft{draftOf(s)}, nil
}

// runners start the tools of others, and may still have to be installed.
var runners = []string{"npx", "uvx", "uv", "node", "npm", "bunx", "bun", "deno", "pnpm", "yarn", "python", "python3", "pipx", "docker", "podman", "dotnet", "java", "go"}

// splitLine takes a command line apart as a shell would, and refuses what a shell would do besides.
func splitLine(text string) (words []string, err error) {
	var word strings.Builder
	quote, in := rune(0), false // an open place <such as this> is one word
	shell := notProposal(bilingual.Of("셸만 아는 글자(|, ;, &, <, >, $, `)가 들어 있어요. 명령 하나만 적어 주세요", "it has signs that only a shell understands (|, ;, &, <, >, $, `); write one command alone"))
	text = strings.TrimPrefix(text, "$ ")
	for i, r := range text {
		switch {
		case quote != 0 && r == quote:
			if quote = 0; r == '>' {
				word.WriteRune(r)
			}
		case quote == '\'':
			word.WriteRune(r)
		case r == '$' || r == '`':
			return nil, shell
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, in = r, true
		case r == '<' && i+1 < len(text) && text[i+1] != ' ' && strings.Contains(text[i:], ">"):
			word.WriteRune(r)
			quote, in = '>', true
		case r == ' ' || r == '\t':
			if in {
				words = append(words, word.String())
				word.Reset()
				in = false
			}
		case strings.ContainsRune("|;&\n", r), (r == '<' || r == '>') && i+1 < len(text) && text[i+1] == ' ':
			return nil, shell
		default:
			word.WriteRune(r)
			in = true
		}
	}
	if quote != 0 {
		return nil, notProposal(bilingual.Of("따옴표가 닫히지 않았어요", "a quote is not closed"))
	}
	if in {
		words = append(words, word.String())
	}
	return words, nil
}

// missing tells whether a program is not on this computer.
func missing(command string) bool {
	_, err := exec.LookPath(command)
	return err != nil && !errors.Is(err, exec.ErrDot)
}

// blank is a place that its writer left for the reader to fill: <token>, YOUR_KEY, ${input:key}, /path/to/folder.
var blank = regexp.MustCompile(`(?i)<[^<>]+>|\$\{[^}]*\}|\byour[-_ ][a-z0-9_-]+|\[your[^\]]*\]|(?:[a-z]:)?[/\\](?:absolute[/\\])?path[/\\]to[/\\][^\s"]*|/users/(?:username|me|you)/[^\s"]*|^xxx+$|^\.\.\.$`)

var folderWords = regexp.MustCompile(`(?i)path|dir|folder|/`)

// draftOf makes a draft of a server: what its writer left open, and what looks like a key, is asked for.
func draftOf(s Server) draft {
	d := draft{server: s, needs: map[string]need{}}
	add := func(n need) {
		for i := 2; d.needs[n.Name].Name != ""; i++ {
			n.Name = fmt.Sprintf("%s-%d", strings.TrimSuffix(n.Name, fmt.Sprintf("-%d", i-1)), i)
		}
		n.Given = n.value != ""
		d.needs[n.Name] = n
		d.Needs = append(d.Needs, n.Need)
	}
	for i, arg := range s.Args {
		at := blank.FindStringIndex(arg)
		if at == nil {
			continue
		}
		open := arg[at[0]:at[1]]
		n := need{Need: Need{Kind: NeedText, Name: strings.Trim(open, "<>${}[]")}, arg: i + 1, before: arg[:at[0]], after: arg[at[1]:]}
		switch {
		case secretAt(s.Args, i):
			n.Kind = NeedKey
		case folderWords.MatchString(open):
			n.Kind = NeedFolder
		}
		n.Title = bilingual.Text{KO: n.Name, EN: n.Name}
		add(n)
	}
	for _, values := range []struct {
		of     map[string]string
		header bool
	}{{s.Env, false}, {s.Headers, true}} {
		for _, name := range slices.Sorted(maps.Keys(values.of)) {
			n := need{Need: Need{Name: name, Kind: NeedKey, Title: bilingual.Text{KO: name, EN: name}}, env: name, value: values.of[name]}
			if values.header {
				n.env, n.header = "", name
				if scheme, rest, ok := strings.Cut(n.value, " "); ok && strings.EqualFold(scheme, "bearer") {
					n.before, n.value = scheme+" ", rest
				}
			}
			_, ringed := strings.CutSuffix(n.value, inKeyring) // of another computer, or of a server that is not this one
			if ringed || blank.MatchString(n.value) {
				n.value = ""
			}
			if !values.header && !ringed && !keyName.MatchString(name) && !keyValue(n.value) {
				n.Kind = NeedText
			}
			add(n)
		}
	}
	if d.server.Name == "" {
		d.server.Name = nameOf(s)
	}
	d.finish()
	return d
}

var keyName = regexp.MustCompile(`(?i)key|token|secret|pass|auth|credential|_pat$|_pwd?$|cookie`)

// finish fills what is shown.
func (d *draft) finish() {
	d.Name, d.Remote = d.server.Name, d.server.URL != ""
	d.Line = d.server.target()
	if !d.Remote {
		d.Line = commandLine(d.server)
		if missing(d.server.Command) {
			d.Missing = d.server.Command
		}
	}
	if d.Needs == nil {
		d.Needs = []Need{}
	}
}

// commandLine is a command as one would type it, so that where one word ends and the next begins is seen.
func commandLine(s Server) string {
	words := append([]string{s.Command}, s.Args...)
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\"'") {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

var notInName = regexp.MustCompile(`[^a-z0-9_-]+`)

// nameOf is what a server could be called: after its package or program.
func nameOf(s Server) string {
	if s.URL != "" {
		u, err := url.Parse(s.URL)
		if err != nil {
			return "server"
		}
		return nameOfHost(u.Hostname())
	}
	name := s.Command
	for _, a := range s.Args {
		if !strings.HasPrefix(a, "-") && a != "run" && a != "exec" && a != "tool" && a != "dlx" {
			name = a
			break
		}
	}
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name, _, _ = strings.Cut(name, "@")
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, ".js"), ".py"), ".exe")
	for _, extra := range []string{"mcp-server-", "server-", "mcp-"} {
		name = strings.TrimPrefix(name, extra)
	}
	for _, extra := range []string{"-mcp-server", "-server", "-mcp"} {
		name = strings.TrimSuffix(name, extra)
	}
	return tidyName(name)
}

func nameOfHost(host string) string {
	parts := strings.Split(host, ".")
	parts = slices.DeleteFunc(parts, func(p string) bool {
		return slices.Contains([]string{"www", "mcp", "api", "com", "org", "net", "io", "ai", "dev", "app", "kr", "co"}, p)
	})
	if len(parts) == 0 {
		return "server"
	}
	return tidyName(parts[0])
}

func tidyName(name string) string {
	name = strings.Trim(notInName.ReplaceAllString(strings.ToLower(name), "-"), "-_")
	if !startsWithLetter(name) {
		name = strings.Trim("server-"+name, "-")
	}
	return name[:min(len(name), 32)]
}
