package chatimport

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"agentchat/backend/lazyregexp"
)

// A conversation of ChatGPT is a tree: what was changed or answered again is another child of the same node. current_node is the end of the
// branch that was looked at last.
type gptConversation struct {
	ID      string             `json:"id"`
	Conv    string             `json:"conversation_id"`
	Title   string             `json:"title"`
	Created *float64           `json:"create_time"`
	Current string             `json:"current_node"`
	Mapping map[string]gptNode `json:"mapping"`
}

type gptNode struct {
	Message  *gptMessage `json:"message"`
	Parent   string      `json:"parent"`
	Children []string    `json:"children"`
}

type gptMessage struct {
	ID     string `json:"id"`
	Author struct {
		Role string `json:"role"`
	} `json:"author"`
	Created   *float64 `json:"create_time"`
	Recipient string   `json:"recipient"`
	Content   struct {
		Type     string            `json:"content_type"`
		Parts    []json.RawMessage `json:"parts"`
		Text     string            `json:"text"`
		Language string            `json:"language"`
	} `json:"content"`
	Metadata struct {
		Hidden      bool `json:"is_visually_hidden_from_conversation"`
		Attachments []struct {
			ID   string `json:"id"`
			Name string `json:"name"`
		} `json:"attachments"`
	} `json:"metadata"`
}

func seconds(at *float64) time.Time {
	if at == nil || math.IsNaN(*at) || *at < 0 || *at > 1e11 {
		return time.Time{}
	}
	whole, part := math.Modf(*at)
	return moment(time.Unix(int64(whole), int64(part*1e9)))
}

func (r *reader) chatGPT(raw json.RawMessage) ([]Conversation, error) {
	var c gptConversation
	if err := json.Unmarshal(raw, &c); err != nil {
		return nil, err
	}
	if len(c.Mapping) > mostMessages {
		return nil, refuse("a conversation of %d messages", len(c.Mapping))
	}
	id := c.Conv
	if id == "" {
		id = c.ID
	}
	if id == "" {
		return nil, refuse("a conversation without an id")
	}
	said := map[string]*Message{} // what each node says, once
	var list []Conversation
	for n, end := range c.ends() {
		branch := Conversation{Source: ChatGPT, Title: line(c.Title), Branch: n, Created: seconds(c.Created)}
		branch.ID = idOf(string(ChatGPT), id)
		if n > 0 { // named by where it ends, so that it is the same one in a later export
			branch.ID = idOf(string(ChatGPT), id, end)
		}
		for _, key := range c.path(end) {
			m, known := said[key]
			if !known {
				m = r.gptSays(c.Mapping[key].Message)
				said[key] = m
			}
			if m == nil {
				continue
			}
			one := *m
			one.ID = idOf(branch.ID, key)
			branch.Messages = append(branch.Messages, one)
		}
		list = append(list, branch)
	}
	return list, nil
}

// ends are the nodes at which branches end: first the one that was looked at, then the others, in order of their names.
func (c *gptConversation) ends() []string {
	var ends []string
	for key, node := range c.Mapping {
		if !slices.ContainsFunc(node.Children, func(child string) bool { _, has := c.Mapping[child]; return has }) {
			ends = append(ends, key)
		}
	}
	slices.Sort(ends)
	current := c.Current
	if _, has := c.Mapping[current]; !has && len(ends) > 0 {
		current = ends[len(ends)-1]
	}
	ends = slices.DeleteFunc(ends, func(end string) bool { return end == current })
	if current == "" {
		return nil // a ring
	}
	ends = append([]string{current}, ends...)
	return ends[:min(len(ends), mostBranches)]
}

// path leads from the root to a node. A ring is walked once.
func (c *gptConversation) path(end string) []string {
	var keys []string
	seen := map[string]bool{}
	for key := end; key != "" && !seen[key]; {
		node, has := c.Mapping[key]
		if !has {
			break
		}
		seen[key] = true
		keys = append(keys, key)
		key = node.Parent
	}
	slices.Reverse(keys)
	return keys
}

// gptSays is what a node says to people; nil when that is nothing: what a system said, what went to a tool, what is hidden.
func (r *reader) gptSays(m *gptMessage) *Message {
	if m == nil || m.Metadata.Hidden || m.Recipient != "" && m.Recipient != "all" {
		return nil
	}
	drawn := m.Author.Role == "tool" && m.Content.Type == "multimodal_text" // a picture that was made on request; else a tool speaks to the model
	if m.Author.Role != "user" && m.Author.Role != "assistant" && !drawn {
		return nil
	}
	said := &Message{Mine: m.Author.Role == "user", Time: seconds(m.Created)}
	var texts []string
	switch m.Content.Type {
	case "text", "multimodal_text":
		for _, part := range m.Content.Parts {
			texts = append(texts, marks.ReplaceAllStringFunc(r.gptPart(said, part), unmarked))
		}
		if drawn {
			texts = nil
		}
	case "code":
		texts = []string{quoted(m.Content.Text, m.Content.Language)}
	default: // thoughts, browsing, results: not what was said
		return nil
	}
	for _, a := range m.Metadata.Attachments {
		if !slices.ContainsFunc(said.Files, func(f File) bool { return f.at == r.find(a.ID, a.Name) }) {
			r.attach(said, a.ID, a.Name)
		}
	}
	said.Text = words(strings.Join(slices.DeleteFunc(texts, func(t string) bool { return strings.TrimSpace(t) == "" }), "\n\n"))
	if said.Text == "" && len(said.Files) == 0 && len(said.Missing) == 0 {
		return nil
	}
	return said
}

// marks are places in a text that only ChatGPT's own page knows to draw: sources, and names of things with a card behind them; the second kind is the
// older mark of a source.
var marks = lazyregexp.New("\uE200[^\uE200\uE201]*\uE201|【[0-9:]+†[^】]{0,80}】")

// unmarked is what stands in the place of a mark for somebody who reads: the name of the thing, and nothing for a source.
func unmarked(mark string) string {
	kind, rest, _ := strings.Cut(strings.Trim(mark, "\uE200\uE201"), "\uE202")
	var entity []any
	if kind != "entity" || json.Unmarshal([]byte(rest), &entity) != nil || len(entity) < 2 {
		return ""
	}
	name, _ := entity[1].(string)
	return name
}

// gptPart is the text of a part. A picture or a recording in it is attached.
func (r *reader) gptPart(m *Message, raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var part struct {
		Type    string     `json:"content_type"`
		Pointer gptPointer `json:"asset_pointer"`
		Audio   gptPointer `json:"audio_asset_pointer"`
		Video   gptPointer `json:"video_container_asset_pointer"`
		Text    string     `json:"text"`
	}
	if json.Unmarshal(raw, &part) != nil {
		return ""
	}
	for _, pointer := range []gptPointer{part.Pointer, part.Audio, part.Video} {
		if id := pointer.id(); id != "" {
			r.attach(m, id, "")
		}
	}
	return part.Text
}

// gptPointer names a file of the export, as "file-service://file-AAA" or "sediment://file_AAA#part"; in talk that was spoken it lies a step deeper.
type gptPointer string

// UnmarshalJSON reads both kinds.
func (p *gptPointer) UnmarshalJSON(raw []byte) error {
	var deeper struct {
		Pointer string `json:"asset_pointer"`
	}
	if object(raw) {
		err := json.Unmarshal(raw, &deeper)
		*p = gptPointer(deeper.Pointer)
		return err
	}
	return json.Unmarshal(raw, (*string)(p))
}

// id is the file's; "" when it names none that could be in an export.
func (p gptPointer) id() string {
	_, id, _ := strings.Cut(string(p), "://")
	if at := strings.IndexAny(id, "#?"); at >= 0 {
		id = id[:at]
	}
	if strings.ContainsAny(id, `/\`) {
		return ""
	}
	return id
}
