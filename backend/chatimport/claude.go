package chatimport

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
)

// A conversation of Claude is a list. Where it has parents, what was changed or answered again is another child of the same message; the branch that was
// looked at last ends at the leaf that is named, or else at the last of the list.
type claudeConversation struct {
	ID       string          `json:"uuid"`
	Name     string          `json:"name"`
	Created  string          `json:"created_at"`
	Leaf     string          `json:"current_leaf_message_uuid"`
	Messages []claudeMessage `json:"chat_messages"`
}

type claudeMessage struct {
	ID          string        `json:"uuid"`
	Text        string        `json:"text"`
	Content     []claudeBlock `json:"content"`
	Sender      string        `json:"sender"`
	Created     string        `json:"created_at"`
	Parent      string        `json:"parent_message_uuid"`
	Attachments []struct {
		Name    string `json:"file_name"`
		Content string `json:"extracted_content"`
	} `json:"attachments"`
	Files []struct {
		ID   string `json:"file_uuid"`
		Name string `json:"file_name"`
	} `json:"files"`
}

// claudeBlock is a part of a message. What Claude wrote beside the talk, a document or a program, stands in the use of its tool.
type claudeBlock struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

func stamp(text string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return moment(at)
}

func (r *reader) claude(raw json.RawMessage) ([]Conversation, error) {
	var c claudeConversation
	if err := json.Unmarshal(raw, &c); err != nil {
		return nil, err
	}
	if len(c.Messages) > mostMessages {
		return nil, refuse("a conversation of %d messages", len(c.Messages))
	}
	if c.ID == "" {
		return nil, refuse("a conversation without an id")
	}
	var list []Conversation
	for n, at := range c.branches() {
		branch := Conversation{Source: Claude, Title: line(c.Name), Branch: n, Created: stamp(c.Created), ID: idOf(string(Claude), c.ID)}
		if n > 0 {
			branch.ID = idOf(string(Claude), c.ID, c.Messages[at[len(at)-1]].ID)
		}
		for _, i := range at {
			m := r.claudeSays(c.Messages[i])
			if m == nil {
				continue
			}
			m.ID = idOf(branch.ID, c.Messages[i].ID)
			branch.Messages = append(branch.Messages, *m)
		}
		list = append(list, branch)
	}
	return list, nil
}

// branches are the messages of each branch, by their places in the list. A list whose parents are not told, or not there, is one branch.
func (c *claudeConversation) branches() [][]int {
	if len(c.Messages) == 0 {
		return nil
	}
	place := map[string]int{}
	for i, m := range c.Messages {
		if _, twice := place[m.ID]; twice || m.ID == "" {
			return [][]int{c.all()}
		}
		place[m.ID] = i
	}
	parents, linked := map[int]bool{}, false
	for i, m := range c.Messages {
		p, has := place[m.Parent]
		if has && p >= i { // nobody answers what comes later
			return [][]int{c.all()}
		}
		if has {
			parents[p], linked = true, true
		}
	}
	if !linked {
		return [][]int{c.all()}
	}
	var ends []int
	for end, m := range slices.Backward(c.Messages) {
		if parents[end] {
			continue
		}
		if m.ID == c.Leaf {
			ends = slices.Insert(ends, 0, end)
		} else {
			ends = append(ends, end)
		}
	}
	var list [][]int
	for _, end := range ends[:min(len(ends), mostBranches)] {
		var way []int
		for at := end; ; {
			way = append(way, at)
			p, has := place[c.Messages[at].Parent]
			if !has {
				break
			}
			at = p
		}
		slices.Reverse(way)
		list = append(list, way)
	}
	return list
}

func (c *claudeConversation) all() []int {
	list := make([]int, len(c.Messages))
	for i := range list {
		list[i] = i
	}
	return list
}

// claudeSays is what a message says; nil when that is nothing.
func (r *reader) claudeSays(m claudeMessage) *Message {
	if m.Sender != "human" && m.Sender != "assistant" {
		return nil
	}
	said := &Message{Mine: m.Sender == "human", Time: stamp(m.Created)}
	var texts []string
	for _, part := range m.Content { // thoughts, and what tools were told and said, are not what was said
		switch part.Type {
		case "text", "voice_note":
			texts = append(texts, part.Text)
		case "tool_use":
			if work := part.work(); work != "" {
				texts = append(texts, work)
			}
		}
	}
	if len(texts) == 0 {
		texts = []string{m.Text}
	}
	for _, a := range m.Attachments { // the export holds the text of these, and not the file
		if text := words(a.Content); text != "" {
			texts = append(texts, titled(a.Name, quoted(text, "")))
		} else {
			r.attach(said, "", a.Name)
		}
	}
	for _, f := range m.Files {
		r.attach(said, f.ID, f.Name)
	}
	said.Text = words(strings.Join(texts, "\n\n"))
	if said.Text == "" && len(said.Files) == 0 && len(said.Missing) == 0 {
		return nil
	}
	return said
}

// work is the whole text that Claude wrote beside the talk, "" for any other use of a tool.
func (b claudeBlock) work() string {
	var in struct {
		Title    string `json:"title"`
		Content  string `json:"content"`
		Kind     string `json:"type"`
		Language string `json:"language"`
		Path     string `json:"path"`
		File     string `json:"file_text"`
	}
	if json.Unmarshal(b.Input, &in) != nil {
		return ""
	}
	switch text := words(in.Content); {
	case b.Name == "create_file" && in.File != "":
		return titled(path.Base(in.Path), quoted(words(in.File), strings.TrimPrefix(path.Ext(in.Path), ".")))
	case b.Name != "artifacts" || text == "": // also what only changes a line of it: the text as a whole was written before
		return ""
	case in.Kind == "text/markdown":
		return titled(in.Title, text)
	default:
		return titled(in.Title, quoted(text, in.Language))
	}
}

// titled is a text under its name. What was pasted has none.
func titled(name, text string) string {
	if name = line(name); name == "" {
		return text
	}
	return "**" + name + "**\n\n" + text
}

// quoted is a text in a fence that it cannot close, in a language of programs if that is a word.
func quoted(text, language string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if !slices.ContainsFunc([]rune(language), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) && len(language) < 20 {
		return fence + language + "\n" + text + "\n" + fence
	}
	return fence + "\n" + text + "\n" + fence
}
