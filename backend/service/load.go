package service

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/phrase"
	"agentchat/backend/language/wordlist"
)

//go:embed services/*.yaml
var builtin embed.FS

// The limits of a manifest.
const (
	maxManifest  = 64 << 10
	maxManifests = 64
	maxSlots     = 16
	maxPatterns  = 64
)

// Source says where a service comes from.
type Source string

// The sources of services.
const (
	SourceBuiltin Source = "builtin"
	SourceUser    Source = "user"
)

// Problem is why a manifest was refused. Line counts from 1, 0 when the whole file is meant.
type Problem struct {
	File string         `json:"file"`
	Line int            `json:"line"`
	What bilingual.Text `json:"what"`
}

// Error makes a Problem an error, worded in English.
func (p *Problem) Error() string { return p.Text(bilingual.EN) }

// Text is the problem with its place, in lang.
func (p *Problem) Text(lang bilingual.Lang) string {
	if p.Line == 0 {
		return p.File + ": " + p.What.In(lang)
	}
	return bilingual.Say(lang, "%s %d번째 줄: %s", "%s, line %d: %s", p.File, p.Line, p.What.In(lang))
}

func parse(file string, text []byte) (*Manifest, *Problem) {
	r := &reader{file: file}
	if len(text) > maxManifest {
		return nil, r.problem("", "파일이 너무 커요(%d바이트). %d바이트 이하로 줄여 주세요.", "the file is too large (%d bytes); at most %d", len(text), maxManifest)
	}
	for _, t := range lexer.Tokenize(string(text)) {
		if t.Type == token.AnchorType || t.Type == token.AliasType || t.Type == token.MergeKeyType {
			return nil, r.at(t, "앵커(&, *, <<)는 쓸 수 없어요. 내용을 그대로 적어 주세요.", "anchors (&, *, <<) are not allowed; write the content out")
		}
	}
	var m Manifest
	if err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(&m); err != nil {
		return nil, r.yaml(err)
	}
	r.tree, _ = parser.ParseBytes(text, 0) // it was decoded, so it parses
	if err := r.check(&m); err != nil {
		return nil, err
	}
	return &m, nil
}

// reader knows where in a file things stand.
type reader struct {
	file string
	tree *ast.File
}

func (r *reader) at(t *token.Token, ko, en string, args ...any) *Problem {
	p := &Problem{File: r.file, What: bilingual.Text{KO: fmt.Sprintf(ko, args...), EN: fmt.Sprintf(en, args...)}}
	if t != nil && t.Position != nil {
		p.Line = t.Position.Line
	}
	return p
}

// problem names the line of a YAML path, or of the nearest one above it that is there.
func (r *reader) problem(path, ko, en string, args ...any) *Problem {
	for ; r.tree != nil && path != ""; path = parent(path) {
		p, err := yaml.PathString("$." + path)
		if err != nil {
			continue
		}
		if node, err := p.FilterFile(r.tree); err == nil && node != nil {
			return r.at(node.GetToken(), ko, en, args...)
		}
	}
	return r.at(nil, ko, en, args...)
}

func parent(path string) string {
	return path[:max(strings.LastIndexAny(path, ".["), 0)]
}

// yaml words what the YAML library found.
func (r *reader) yaml(err error) *Problem {
	if errors.Is(err, io.EOF) {
		return r.problem("", "파일이 비어 있어요.", "the file is empty")
	}
	if e, ok := errors.AsType[yaml.Error](err); ok {
		return r.at(e.GetToken(), "YAML을 읽을 수 없어요: %s", "the YAML cannot be read: %s", e.GetMessage())
	}
	return r.problem("", "YAML을 읽을 수 없어요: %s", "the YAML cannot be read: %s", err.Error())
}

var (
	identifier = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)
	intentKey  = regexp.MustCompile(`^[A-Z][A-Z0-9_]{1,31}$`)
)

// check validates everything that a session relies on, and compiles rules, patterns and templates.
func (r *reader) check(m *Manifest) *Problem {
	switch {
	case !identifier.MatchString(m.ID):
		return r.problem("id", "id는 소문자로 시작하는 영문 소문자·숫자·_ 32자 이하여야 해요: %q", "id must be a lower-case letter and at most 31 letters, digits or _: %q", m.ID)
	case !intentKey.MatchString(m.Intent) || m.Intent == General:
		return r.problem("intent", "intent는 GENERAL이 아닌 영문 대문자여야 해요: %q", "intent must be upper-case letters, and not GENERAL: %q", m.Intent)
	case m.Title.KO == "" || m.Title.EN == "":
		return r.problem("title", "title에 ko와 en을 모두 적어 주세요.", "title needs both ko and en")
	case m.Tool == "":
		return r.problem("tool", "실행할 공구(tool)를 적어 주세요.", "name the tool that executes")
	case len(m.Slots) == 0 || len(m.Slots) > maxSlots:
		return r.problem("slots", "slots는 1개 이상 %d개 이하여야 해요.", "there must be 1 to %d slots", maxSlots)
	case len(m.Examples.All()) == 0:
		return r.problem("examples", "예문(examples)이 하나는 있어야 해요.", "there must be an example")
	case m.Batch.Max < 0 || m.Batch.Max > 50:
		return r.problem("batch.max", "batch.max는 0에서 50까지예요.", "batch.max must be 0 to 50")
	case m.MaxFillTurns < 0 || m.MaxFillTurns > 50:
		return r.problem("max_fill_turns", "max_fill_turns는 0에서 50까지예요.", "max_fill_turns must be 0 to 50")
	}
	if err := r.slots(m); err != nil {
		return err
	}
	for arg, from := range m.Args {
		if from != "*" && m.slot(from) == nil {
			return r.problem("args."+arg, "args.%s가 가리키는 슬롯 %q가 없어요.", "args.%s names a slot that is not there: %q", arg, from)
		}
	}
	if err := r.messages(m); err != nil {
		return err
	}
	return r.compile(m)
}

func (r *reader) messages(m *Manifest) *Problem {
	for _, key := range mustMessages {
		if m.Messages[key].KO == "" || m.Messages[key].EN == "" {
			return r.problem("messages", "messages.%s에 ko와 en을 모두 적어 주세요.", "messages.%s needs both ko and en", key)
		}
	}
	for key := range m.Messages {
		if _, known := house[key]; !known && !slices.Contains(mustMessages, key) && key != "question" {
			return r.problem("messages."+key, "모르는 메시지예요: %s", "no such message: %s", key)
		}
	}
	return nil
}

func (r *reader) slots(m *Manifest) *Problem {
	seen := map[string]bool{}
	reserved := wordlist.Of("value today index total executed cancelled failed problem note batch question result")
	for i, slot := range m.Slots {
		at := fmt.Sprintf("slots[%d]", i)
		switch {
		case !identifier.MatchString(slot.Name) || reserved[slot.Name]:
			return r.problem(at+".name", "쓸 수 없는 슬롯 이름이에요: %q", "a slot cannot be called %q", slot.Name)
		case seen[slot.Name]:
			return r.problem(at+".name", "슬롯 %q가 두 번 나와요.", "the slot %q comes twice", slot.Name)
		case !slotTypes[slot.Type]:
			return r.problem(at+".type", "모르는 type이에요: %q (money, number, date, time, name, text, enum, ahead)", "unknown type %q (money, number, date, time, name, text, enum, ahead)", slot.Type)
		case slot.Type == TypeEnum && len(slot.Values) == 0:
			return r.problem(at, "enum 슬롯에는 values가 있어야 해요.", "an enum slot needs values")
		case slot.Title.KO == "" || slot.Title.EN == "":
			return r.problem(at, "슬롯 %s의 title에 ko와 en을 모두 적어 주세요.", "the slot %s needs a title in ko and en", slot.Name)
		case slices.ContainsFunc(slot.Needs, func(name string) bool { return m.slot(name) == nil }) || len(slot.Needs) > 0 && (m.slot(slot.Needs[0]).Ask.KO == "" || m.slot(slot.Needs[0]).Ask.EN == ""):
			return r.problem(at, "슬롯 %s의 needs는 있는 슬롯이어야 하고, 그 첫째에는 ask의 ko와 en이 있어야 해요.", "the slot %s needs slots that are there, the first of them with ask in ko and en", slot.Name)
		case slot.Required && (slot.Ask.KO == "" || slot.Ask.EN == ""):
			return r.problem(at, "필수 슬롯 %s의 ask에 ko와 en을 모두 적어 주세요.", "the required slot %s needs ask in ko and en", slot.Name)
		case slot.Check != "" && (slot.Error.KO == "" || slot.Error.EN == ""):
			return r.problem(at, "check가 있는 슬롯 %s에는 error의 ko와 en이 있어야 해요.", "the slot %s has a check and needs error in ko and en", slot.Name)
		}
		seen[slot.Name] = true
	}
	return nil
}

// compile compiles rules, patterns and templates, and tries every template once.
func (r *reader) compile(m *Manifest) *Problem {
	for i := range m.Slots {
		slot := &m.Slots[i]
		if slot.Check == "" {
			continue
		}
		rule, err := m.compileRule(slot)
		if err != nil {
			return r.problem(fmt.Sprintf("slots[%d].check", i), "check를 이해할 수 없어요: %s", "the check does not compile: %s", firstLine(err))
		}
		slot.rule = rule
	}
	var err error
	if m.match, err = patterns(m.Match); err != nil {
		return r.problem("match", "match의 정규식이 틀렸어요: %s", "a pattern of match does not compile: %s", err.Error())
	}
	if m.unless, err = patterns(m.Unless); err != nil {
		return r.problem("unless", "unless의 정규식이 틀렸어요: %s", "a pattern of unless does not compile: %s", err.Error())
	}
	m.examples = grams(m.Examples)
	if err := m.Says.Compile(); err != nil {
		return r.problem("says", "한 낱말이 예이면서 아니요일 수는 없어요: %s", "a word cannot mean yes and no: %s", err.Error())
	}
	for i := range m.Queries {
		q := &m.Queries[i]
		q.examples = grams(q.Examples)
		if q.match, err = patterns(q.Match); err != nil {
			return r.problem(fmt.Sprintf("queries[%d].match", i), "match의 정규식이 틀렸어요: %s", "a pattern of match does not compile: %s", err.Error())
		}
		for _, slot := range q.Slots {
			if !identifier.MatchString(slot.Name) || !slotTypes[slot.Type] {
				return r.problem(fmt.Sprintf("queries[%d].slots", i), "질문의 슬롯에는 name과 type이 있어야 해요: %q", "a slot of a query needs a name and a type: %q", slot.Name)
			}
		}
		if q.ID == "" || q.Answer.KO == "" || q.Answer.EN == "" {
			return r.problem(fmt.Sprintf("queries[%d]", i), "질문에는 id, answer(ko, en)가 있어야 해요.", "a query needs id and answer in ko and en")
		}
	}
	if _, ok := m.Messages["question"]; !ok {
		m.Messages["question"] = m.Messages[msgReady]
	}
	if at, err := m.compileTexts(); err != nil {
		return r.problem(at, "메시지의 틀이 틀렸어요: %s", "a message is not a template: %s", err.Error())
	}
	return r.tryTexts(m)
}

// tryTexts executes every message template with sample values, so that a mistake is found when the manifest is loaded.
func (r *reader) tryTexts(m *Manifest) *Problem {
	for _, lang := range []bilingual.Lang{bilingual.KO, bilingual.EN} {
		s := Open("sample", m, lang)
		for i := range m.Slots {
			s.Slots[m.Slots[i].Name] = m.Slots[i].sample()
		}
		data := m.data(s)
		for _, t := range m.templates[lang].Templates() {
			if strings.HasPrefix(t.Name(), "query ") {
				continue // its data are the tool's
			}
			if err := t.Execute(io.Discard, data); err != nil {
				return r.problem("messages", "메시지 %s(%s)를 채울 수 없어요: %s", "the message %s (%s) cannot be filled in: %s", t.Name(), lang, err.Error())
			}
		}
	}
	return nil
}

func patterns(list Texts) ([]*regexp.Regexp, error) {
	all := list.All()
	if len(all) > maxPatterns {
		return nil, fmt.Errorf("%d > %d", len(all), maxPatterns)
	}
	out := make([]*regexp.Regexp, 0, len(all))
	for _, p := range all {
		re, err := regexp.Compile("(?i)" + p)
		if err != nil {
			return nil, err
		}
		out = append(out, re)
	}
	return out, nil
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// readAll reads the manifests of a folder, sorted by name. A folder that is not there holds none.
func readAll(folder fs.FS, dir string) (names []string, texts [][]byte, err error) {
	entries, err := fs.ReadDir(folder, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); e.IsDir() || ext != ".yaml" && ext != ".yml" || len(names) == maxManifests {
			continue
		}
		text, err := readBounded(folder, path.Join(dir, e.Name()))
		if err != nil {
			return nil, nil, err
		}
		names, texts = append(names, e.Name()), append(texts, text)
	}
	return names, texts, nil
}

// readBounded reads a file up to one byte beyond what a manifest may weigh.
func readBounded(folder fs.FS, name string) ([]byte, error) {
	f, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, maxManifest+1))
}

// userFolder opens the folder of the person's own services.
func userFolder(dir string) fs.FS { return os.DirFS(dir) }

// grams are examples as they are compared with messages.
func grams(examples Texts) (list [][]uint64) {
	for _, e := range examples.All() {
		list = append(list, phrase.Grams(phrase.Normalize(e)))
	}
	return list
}
