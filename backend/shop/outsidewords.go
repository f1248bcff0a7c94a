package shop

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/library/extract"
	"agentchat/backend/outbound"
	"agentchat/backend/tools/mcp"
)

// ResourcesMCP lists what can be read of the outside servers that are on.
func (s *Shop) ResourcesMCP(ctx context.Context) []mcp.Resource { return s.mcp.Resources(ctx) }

// ResourceChoice is a resource that a person chose to go with a message; Values fill a template in.
type ResourceChoice struct {
	Server  string            `json:"server"`
	Address string            `json:"address"`
	Values  map[string]string `json:"values"`
}

// AttachResource reads a resource of an outside server, to be said with a message as a file is: other people's words, which say where they came
// from. Errors: attachment_refused, storage errors.
func (s *Shop) AttachResource(ctx context.Context, which ResourceChoice) (event.Attachment, error) {
	c, err := s.mcp.Read(ctx, which.Server, which.Address, which.Values)
	if err != nil {
		return event.Attachment{}, err
	}
	a, err := s.attachments.AttachFrom(ctx, resourceName(c), bytes.NewReader(c.Data))
	if err == nil {
		a.From = &event.AttachmentSource{Server: which.Server, Title: c.Title, Address: c.Address}
	}
	return a, err
}

// PromptsMCP lists the prompts of the outside servers that are on.
func (s *Shop) PromptsMCP(ctx context.Context) []mcp.Prompt { return s.mcp.Prompts(ctx) }

// PromptChoice is a prompt that a person chose to go with a message, and what they filled in for it.
type PromptChoice struct {
	Chat   string            `json:"chat"`
	Server string            `json:"server"`
	Prompt string            `json:"prompt"`
	Values map[string]string `json:"values"`
}

// CompletePrompt gives the values that a server offers for one argument of a prompt, given what is typed of it.
func (s *Shop) CompletePrompt(ctx context.Context, which PromptChoice, argument, typed string) []string {
	return s.mcp.Completions(outbound.With(ctx, outbound.Cause{Chat: which.Chat}), which.Server, which.Prompt, argument, typed, which.Values)
}

// AttachPrompt asks an outside server for what a prompt says, to be said with a message: other people's words, as a file is, and never a part of what
// the person says. It is kept which server and prompt they are of. Errors: prompt_refused, storage errors.
func (s *Shop) AttachPrompt(ctx context.Context, which PromptChoice) (event.Attachment, error) {
	p, err := s.mcp.Prompt(outbound.With(ctx, outbound.Cause{Chat: which.Chat}), which.Server, which.Prompt, which.Values)
	if err != nil {
		return event.Attachment{}, err
	}
	a, err := s.attachments.AttachFrom(ctx, noPath.Replace(p.Name)+promptEnding, strings.NewReader(p.Text))
	if err == nil {
		a.Name = strings.TrimSuffix(a.Name, promptEnding)
		a.From = &event.AttachmentSource{Server: which.Server, Title: p.Title, Prompt: which.Prompt, Left: p.Left}
	}
	return a, err
}

// promptEnding says of a prompt's words, kept as a file is, that they are text.
const promptEnding = ".txt"

// noPath makes of a prompt's name, which may have slashes, a name that is kept whole where files are.
var noPath = strings.NewReplacer("/", "／", `\`, "＼")

// mostPromptText is how many bytes of a prompt are shown: more than one may have.
const mostPromptText = 64 << 10

// PromptText gives all that a prompt says which goes with a message, as it was taken in. Errors: attachment_gone.
func (s *Shop) PromptText(_ context.Context, id string) (string, error) {
	content, err := s.attachments.Content(id)
	if err != nil {
		return "", err
	}
	defer func() { _ = content.Close() }()
	text, err := io.ReadAll(io.LimitReader(content, mostPromptText+1))
	if err != nil || len(text) > mostPromptText || !utf8.Valid(text) {
		return "", apperr.Wrap(err, apperr.AttachmentGone)
	}
	return string(text), nil
}

// attachedText implements manager.AttachedText: a prompt as it was taken in, and what was read of a file.
func (s *Shop) attachedText(ctx context.Context, a event.Attachment, most int) (text string, whole bool, err error) {
	if a.From != nil && a.From.Prompt != "" {
		text, err = s.PromptText(ctx, a.ID)
		return text, true, err
	}
	documents, err := s.attachments.Documents(ctx, []event.Attachment{a})
	if err != nil || len(documents) == 0 || most <= 0 {
		return "", false, err
	}
	_, text, whole, err = s.library.Text(ctx, documents[0].DocumentID, most)
	return text, whole, err
}

// resourceName is the name of a resource as a file has one: its ending says what it is.
func resourceName(c mcp.Content) string {
	base := ""
	if u, err := url.Parse(c.Name); err == nil {
		base = path.Base(cmp.Or(u.Path, u.Opaque, u.Host))
	}
	if strings.Trim(base, "./") == "" {
		base = "resource"
	}
	kind, _, _ := strings.Cut(strings.ToLower(c.Type), ";")
	ending := ""
	for _, f := range extract.Formats() {
		switch of := slices.Contains(f.Endings, strings.ToLower(path.Ext(base))); {
		case c.Words && !isWords(f): // its text, and not the file itself
		case of:
			return base
		case slices.Contains(f.MIME, strings.TrimSpace(kind)):
			ending = f.Endings[0]
		}
	}
	if ending == "" && c.Words {
		ending = ".txt"
	}
	return base + ending
}

// isWords tells whether files of a format are text by themselves.
func isWords(f extract.Format) bool {
	return f.Family == extract.FamilyText || f.Key == "csv" || f.Key == "tsv" || f.Key == "eml"
}
