package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/strictjson"
	"agentchat/backend/toolbox"
)

// schemaLimits bound a tool's schema.
var schemaLimits = strictjson.Limits{Bytes: maxSchema, Depth: 24}

// manualOf is what a server says of a tool, in the shape that is shown, pinned and used. refused is nil when it could be
// used, else why not.
func manualOf(t *sdk.Tool) (m Manual, refused *bilingual.Text) {
	m = Manual{Name: t.Name, Title: plain(t.Title, 100), Description: plain(t.Description, maxDescription)}
	if t.Annotations != nil {
		m.ReadOnly = t.Annotations.ReadOnlyHint
		if m.Title == "" {
			m.Title = plain(t.Annotations.Title, 100)
		}
	}
	tidy(t.InputSchema)
	raw, err := json.Marshal(t.InputSchema)
	if err == nil {
		m.Schema, err = schemaLimits.Canonical(raw)
	}
	if err != nil {
		m.Schema = nil
		return m, &bilingual.Text{KO: "입력 스키마가 너무 크거나 올바르지 않아요", EN: "its input schema is too large or malformed"}
	}
	return m, checkSchema(m.Schema)
}

// pin is the hash that a consent binds to: a changed word changes it.
func (m Manual) pin() string {
	text, _ := json.Marshal(m) // strings and canonical JSON always encode
	sum := sha256.Sum256(append([]byte("mcp tool\x00"), text...))
	return hex.EncodeToString(sum[:])
}

// digestOf is the hash of a whole set as it was shown.
func digestOf(source string, set []Manual) string {
	pins := make([]string, len(set))
	for i, m := range set {
		pins[i] = m.pin()
	}
	slices.Sort(pins)
	sum := sha256.Sum256([]byte("mcp consent\x00" + source + "\x00" + strings.Join(pins, "\x00")))
	return hex.EncodeToString(sum[:])
}

// keyOf is the toolbox key of a server's tool.
func keyOf(server, tool string) string { return clean(server) + "__" + clean(tool) }

// ownGroup is the group that a server's tools share unless the person names another.
func ownGroup(server string) string { return "mcp_" + clean(server) }

// specOf makes the toolbox's manual. Everything about it that protects the person comes from here and from settings, not
// from the server: running twice is never harmless, and it always asks, or once in a chat if the server claims that the
// tool only reads and the person chose to believe that.
func specOf(s Server, m Manual) toolbox.Spec {
	set := s.tool(m.Name)
	spec := toolbox.Spec{
		Key:   keyOf(s.Name, m.Name),
		Title: bilingual.Text{KO: s.called() + ": " + plain(m.Name, 60), EN: s.called() + ": " + plain(m.Name, 60)},
		Description: bilingual.Text{
			KO: "[바깥 서버 " + s.called() + "의 설명] " + m.Description,
			EN: "[described by the outside server " + s.called() + "] " + m.Description,
		},
		Group: set.Group, Capacity: toolbox.Infinite, Confirm: toolbox.ConfirmAlways, Effect: toolbox.EffectOnce,
		Params: m.Schema, Result: resultSchema, Outside: s.Name,
	}
	if m.ReadOnly && set.Confirm == toolbox.ConfirmFirst {
		spec.Confirm = toolbox.ConfirmFirst
	}
	own := s.Tools[m.Name].Capacity
	switch {
	case spec.Group == "":
		spec.Group = ownGroup(s.Name) // whose capacity is the server's
		if own != nil {
			spec.Capacity = *own
		}
	case set.Capacity != nil:
		spec.Capacity = *set.Capacity
	default:
		spec.Capacity = 1
	}
	return spec
}

// groupCapacity is how many calls a server takes at once.
func (s Server) groupCapacity() int {
	if s.Capacity != nil {
		return *s.Capacity
	}
	return 1
}
