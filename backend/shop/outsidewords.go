package shop

import (
	"bytes"
	"cmp"
	"context"
	"net/url"
	"path"
	"slices"
	"strings"

	"agentchat/backend/event"
	"agentchat/backend/library/extract"
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
