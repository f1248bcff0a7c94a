// Package chatimport reads the conversations that people take away from ChatGPT and Claude: the zip as it is handed out, with its
// conversations.json; and those that this program saved. What stands in it are other people's words: it is read strictly, within bounds, and nothing of it is done.
package chatimport

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"agentchat/backend/apperr"
	"agentchat/backend/brief"
	"agentchat/backend/event"
)

// What an export may hold. Real ones are far smaller.
const (
	mostFiles         = 100_000
	mostConversations = 50_000
	mostMessages      = 20_000 // of one conversation, with all its branches
	mostBranches      = 20     // of one conversation that are kept
	mostText          = 1 << 20
	mostConversation  = 64 << 20
	mostList          = 2 << 30
	mostFile          = 64 << 20
	titleRunes        = 200
)

// Source is whose export it is.
type Source string

// The sources.
const (
	ChatGPT Source = "ChatGPT"
	Claude  Source = "Claude"
)

// Conversation is one chat as it was. ID is the same whenever it is read anew, also from a later export.
type Conversation struct {
	ID       string
	Source   Source
	Title    string
	Branch   int // 0: the one that was last looked at; others are numbered
	Created  time.Time
	Messages []Message
	Kept     *Kept // of a chat of this program; nil: it is from elsewhere
}

// Message is what was said. Mine: by the person. Missing names the files that the export does not hold.
type Message struct {
	ID      string
	Mine    bool
	Text    string
	Time    time.Time
	Files   []File
	Missing []string

	// Of a chat of this program: what its id was, the request with whose version it is out of sight, and what else stands with it.
	Was   string
	Under string
	Said  event.ChatMessage
}

// File is an attached file inside the export.
type File struct {
	Name string

	at *zip.File
}

// Open reads it, as much of it as it says it is.
func (f File) Open() (io.ReadCloser, error) {
	in, err := f.at.Open()
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.LimitReader(in, mostFile), in}, nil
}

// refuse says that a file is none of these exports, or one that cannot be trusted.
func refuse(form string, args ...any) error {
	return apperr.Wrap(fmt.Errorf(form, args...), apperr.NotAnExport)
}

// shards is how the list of conversations is called; large exports have several.
var shards = regexp.MustCompile(`^(?:.*/)?conversations(?:-\d{1,4})?\.json$`)

// Read hands every conversation of an export to take, one after the other, so that a large one is never whole in memory. Nothing was taken
// when it refuses the file at once; what take was handed before a damaged place stays. Errors: not_an_export, what take gives.
func Read(ctx context.Context, file string, take func(Conversation) error) error {
	if strings.EqualFold(filepath.Ext(file), ".json") {
		return (&reader{ctx: ctx, take: take}).ownFile(file)
	}
	z, err := zip.OpenReader(file)
	if err != nil {
		return refuse("%w", err)
	}
	defer func() { _ = z.Close() }()
	if len(z.File) > mostFiles {
		return refuse("%d files", len(z.File))
	}
	r := &reader{ctx: ctx, files: indexed(z.File), take: take}
	var lists []*zip.File
	for _, f := range z.File {
		if shards.MatchString(f.Name) {
			lists = append(lists, f)
		}
	}
	if len(lists) == 0 {
		if ours, err := r.ownZip(z.File); ours || err != nil {
			return err
		}
		return refuse("it has no conversations.json")
	}
	slices.SortFunc(lists, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range lists {
		if err := r.list(f); err != nil {
			return err
		}
	}
	if r.seen == 0 {
		return refuse("no conversation is in it")
	}
	return nil
}

type reader struct {
	ctx   context.Context      //nolint:containedctx // it lives as long as one reading
	files map[string]*zip.File // by name, and by what comes before a sign in it, which may be an id
	take  func(Conversation) error
	seen  int
	named map[string]*zip.File // of this program's zip, by their whole names
}

func (r *reader) list(f *zip.File) error {
	if f.UncompressedSize64 > mostList {
		return refuse("%s is too large", f.Name)
	}
	in, err := f.Open()
	if err != nil {
		return refuse("%w", err)
	}
	defer func() { _ = in.Close() }()
	dec := json.NewDecoder(io.LimitReader(in, mostList))
	if first, err := dec.Token(); err != nil || first != json.Delim('[') {
		return refuse("%s is no list", f.Name)
	}
	for dec.More() {
		if err := r.ctx.Err(); err != nil {
			return apperr.From(err)
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return refuse("%w", err)
		}
		if r.seen++; r.seen > mostConversations || len(raw) > mostConversation {
			return refuse("it is too large")
		}
		if err := r.one(raw); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return refuse("%w", err)
	}
	return nil
}

// one reads a conversation of either kind, by what it has.
func (r *reader) one(raw json.RawMessage) error {
	var kind struct {
		Mapping  json.RawMessage `json:"mapping"`
		Messages json.RawMessage `json:"chat_messages"`
	}
	if err := json.Unmarshal(raw, &kind); err != nil {
		return refuse("%w", err)
	}
	var found []Conversation
	var err error
	switch {
	case object(kind.Mapping):
		found, err = r.chatGPT(raw)
	case bytes.HasPrefix(bytes.TrimSpace(kind.Messages), []byte("[")):
		found, err = r.claude(raw)
	default:
		return refuse("a conversation is of neither ChatGPT nor Claude")
	}
	if err != nil {
		if _, ok := errors.AsType[*apperr.Error](err); ok {
			return err
		}
		return refuse("%w", err)
	}
	for _, c := range found {
		if len(c.Messages) == 0 {
			continue
		}
		if err := r.take(c); err != nil {
			return err
		}
	}
	return nil
}

func object(raw json.RawMessage) bool { return bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) }

// indexed are the files that can be attached.
func indexed(files []*zip.File) map[string]*zip.File {
	const mostSigns = 8
	found := map[string]*zip.File{}
	for _, f := range files {
		if f.UncompressedSize64 > mostFile || !f.Mode().IsRegular() {
			continue
		}
		base := path.Base(f.Name)
		found[base] = f
		for at, signs := 0, 0; signs < mostSigns; signs++ {
			next := strings.IndexAny(base[at:], "-.")
			if next < 0 {
				break
			}
			if id := base[:at+next]; found[id] == nil {
				found[id] = f
			}
			at += next + 1
		}
	}
	return found
}

// find gives the file of an export that an attachment names by its id or its name.
func (r *reader) find(id, name string) *zip.File {
	if id != "" {
		return r.files[id]
	}
	return r.files[name]
}

// attach puts a named file to a message, or notes that it is not there.
func (r *reader) attach(m *Message, id, name string) {
	name = line(path.Base(strings.ReplaceAll(name, `\`, "/")))
	at := r.find(id, name)
	if name == "" || name == "." || name == "/" {
		if name = "file"; at != nil {
			name = line(path.Base(at.Name))
		}
	}
	if at == nil {
		m.Missing = append(m.Missing, name)
		return
	}
	m.Files = append(m.Files, File{Name: name, at: at})
}

var ids = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

// idOf makes an id that is the same whenever the same thing is read, and that nothing said here can have.
func idOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return "x" + ids.EncodeToString(sum[:16])
}

// words are a text as it may be kept: whole characters, nothing that steers a terminal or a database, and no more than anybody reads.
func words(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) && c != '\n' && c != '\t' {
			return -1
		}
		return c
	}, text)
	if len(text) > mostText {
		text = strings.ToValidUTF8(text[:mostText], "") + "…"
	}
	return strings.TrimSpace(text)
}

// line is a text in one line, as a title is.
func line(text string) string {
	return brief.Cut(strings.Join(strings.Fields(words(text)), " "), titleRunes)
}

// moment is a time that can have been; others are none.
func moment(at time.Time) time.Time {
	if at.Year() < 2000 || at.Year() > 2100 {
		return time.Time{}
	}
	return at.UTC()
}
