package builtin

import (
	"bytes"
	"encoding/json"
	"maps"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/provider"
)

// choose fills a tool call for the step at hand. A correction changes only what it names; the rest stays as it was.
func (c *catalog) choose(req provider.Request) provider.ToolCall {
	say := speaker{req.Lang, req.Now}
	request, key := req.Message, ""
	if todo := req.State.Todo; todo != nil {
		key = todo.Tool
		if todo.Request != "" {
			request = todo.Request
		}
	}
	t, args := c.toolFor(key, request, req)
	if t == nil {
		return provider.ToolCall{Args: json.RawMessage("{}"), Question: say.whichTool(c)}
	}
	correction := phrase.Normalize(req.State.Correction)
	if correction != "" {
		if old := previous(req.State.Previous); len(old) > 0 {
			args = old
		}
		correction = insteadEN.ReplaceAllString(insteadKO.ReplaceAllString(phrase.Respace(correction), " "), " ")
		for _, p := range t.props { // was asked about
			if old, said := args[p.Name]; said && !t.knows(p, old) {
				delete(args, p.Name)
			}
		}
		maps.Copy(args, t.correct(correction, req))
	}
	call := provider.ToolCall{Tool: t.card.Key, Args: encode(args), Missing: t.missing(args)}
	if len(call.Missing) > 0 {
		call.Question = say.ask(t, call.Missing[0])
	}
	return call
}

// toolFor finds the step's tool, by its key or else by its words, and reads the arguments from the words.
func (c *catalog) toolFor(key, request string, req provider.Request) (*tool, map[string]any) {
	text := phrase.Respace(phrase.Normalize(request))
	m := c.read(request, req.Now)
	if t := c.byKey[key]; t != nil && t.literal() {
		return t, t.fill(request, req.Now)
	}
	if t := c.byKey[key]; t != nil {
		for _, w := range m.wishes {
			if w.tool == t {
				return t, w.args
			}
		}
		return t, t.fill(text, req.Now)
	}
	if len(m.wishes) > 0 {
		return m.wishes[0].tool, m.wishes[0].args
	}
	if f, ok := c.match(newView(text), req.Now); ok {
		return f.tool, f.args
	}
	return nil, nil
}

// correct reads the values a correction names. A bare value is taken for the first parameter that can hold it.
func (t *tool) correct(text string, req provider.Request) map[string]any {
	got := t.fill(text, req.Now)
	for _, p := range t.props {
		v, ok := got[p.Name]
		if p.Kind == slot.KindText && ok {
			for _, q := range t.props { // "10분으로" names a time, not a message
				if q.Kind == slot.KindDuration && got[q.Name] != nil && slot.HasSpan(v.(string)) {
					delete(got, p.Name)
				}
			}
		}
	}
	return got
}

// previous reads the arguments the customer turned down, numbers kept as they were written.
func previous(raw json.RawMessage) map[string]any {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var old map[string]any
	if dec.Decode(&old) != nil {
		return nil
	}
	return old
}
