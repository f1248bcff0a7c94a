package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/strictjson"
	"agentchat/backend/toolbox"
)

// resultSchema is what results look like, whatever the server.
var resultSchema = json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"},"structured":true,"attachments":{"type":"array","items":{"type":"object"}}}}`)

// outcome is what a call brought, bounded. Pictures, sound and files are named, not carried.
type outcome struct {
	Text        string          `json:"text,omitempty"`
	Structured  json.RawMessage `json:"structured,omitempty"`
	Attachments []attachment    `json:"attachments,omitempty"`
}

// attachment names something a server gave besides text.
type attachment struct {
	Kind  string `json:"kind"` // image, audio, resource, link
	Name  string `json:"name,omitempty"`
	URI   string `json:"uri,omitempty"`
	Type  string `json:"type,omitempty"`
	Bytes int    `json:"bytes,omitempty"`
}

// maxAttachments is how many attachments a result names.
const maxAttachments = 50

// read turns a server's answer into an outcome; secrets are taken out.
func read(r *sdk.CallToolResult, hide redactor) outcome {
	var out outcome
	var text []string
	for _, c := range r.Content {
		switch c := c.(type) {
		case *sdk.TextContent:
			text = append(text, hide.known(visible(c.Text)))
		case *sdk.ImageContent:
			out.attach(attachment{Kind: "image", Type: c.MIMEType, Bytes: len(c.Data)}, hide)
		case *sdk.AudioContent:
			out.attach(attachment{Kind: "audio", Type: c.MIMEType, Bytes: len(c.Data)}, hide)
		case *sdk.ResourceLink:
			out.attach(attachment{Kind: "link", Name: c.Name, URI: c.URI, Type: c.MIMEType}, hide)
		case *sdk.EmbeddedResource:
			if c.Resource == nil {
				continue
			}
			out.attach(attachment{Kind: "resource", URI: c.Resource.URI, Type: c.Resource.MIMEType, Bytes: len(c.Resource.Blob) + len(c.Resource.Text)}, hide)
			if c.Resource.Text != "" {
				text = append(text, shorten(hide.known(visible(c.Resource.Text)), maxResource))
			}
		}
	}
	if raw, err := json.Marshal(r.StructuredContent); err == nil && r.StructuredContent != nil {
		raw = []byte(hide.known(string(raw)))
		if raw, err = (strictjson.Limits{Bytes: maxStructured}).Canonical(raw); err == nil {
			out.Structured = raw
		}
	}
	out.Text = shorten(strings.Join(text, "\n"), maxText)
	return out
}

func (o *outcome) attach(a attachment, hide redactor) {
	if len(o.Attachments) == maxAttachments {
		return
	}
	a.Name, a.URI, a.Type = plain(hide.known(a.Name), 200), plain(hide.known(a.URI), 500), plain(a.Type, 100)
	o.Attachments = append(o.Attachments, a)
}

// words is the result in a text that people and requests read.
func (o outcome) words() string {
	lines := []string{}
	if o.Text != "" {
		lines = append(lines, o.Text)
	}
	for _, a := range o.Attachments {
		lines = append(lines, a.words())
	}
	if len(lines) == 0 && len(o.Structured) > 0 {
		lines = append(lines, shorten(string(o.Structured), maxText))
	}
	return strings.Join(lines, "\n")
}

func (a attachment) words() string {
	parts := []string{a.Kind}
	for _, part := range []string{a.Name, a.URI, a.Type} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if a.Bytes > 0 {
		parts = append(parts, fmt.Sprintf("%d B", a.Bytes))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// shorten cuts a text to so many characters and says how many there were.
func shorten(text string, most int) string {
	n := utf8.RuneCountInString(text)
	if n <= most {
		return text
	}
	return fmt.Sprintf("%s…(%d/%d)", string([]rune(text)[:most]), most, n)
}

// pack makes the toolbox's result.
func (o outcome) pack() (toolbox.Result, error) {
	data, err := json.Marshal(o)
	if err != nil {
		return toolbox.Result{}, err
	}
	return toolbox.Result{Data: data, Text: o.words()}, nil
}
