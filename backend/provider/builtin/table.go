package builtin

import (
	"maps"
	"strings"
	"time"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/provider"
)

// What is asked of a table has words that mean something only beside its columns, so the phrasebook reads no more of it than which table
// it is and that it is asked; the words go on to the tool.

// tables gives the tool that answers questions about tables, and its parameters for the table, the words, and whether these go on with
// what was asked before; nil where there is none.
func (c *catalog) tables() (t *tool, table, ask, goesOn string) {
	for _, t := range c.tools {
		table, ask, goesOn = "", "", ""
		for _, p := range t.props {
			switch {
			case p.Kind == slot.KindTable:
				table = p.Name
			case p.Kind == slot.KindTableAsk:
				ask = p.Name
			case p.Type == "boolean":
				goesOn = p.Name
			}
		}
		if table != "" && ask != "" {
			return t, table, ask, goesOn
		}
	}
	return nil, "", "", ""
}

// tableAsked reads a message that asks a table by its file's name. What it orders besides is read by itself.
func (c *catalog) tableAsked(text string, now time.Time) (m *message, ok bool) {
	file, asks := slot.ReadTable(text)
	if !asks {
		return nil, false
	}
	t, table, ask, _ := c.tables()
	if t == nil {
		return nil, false
	}
	plain := phrase.Normalize(text)
	said, rest, first := strings.TrimSpace(plain), "", true
	if at := strings.Index(plain, file); at >= 0 {
		said, rest, first = c.besides(plain, at, at+len(file), now)
	}
	m = &message{text: plain}
	w := wish{tool: t, args: map[string]any{table: file, ask: said}, request: said, count: 1}
	if rest == "" {
		m.add(w)
		return m, true
	}
	other := c.understand(rest, now)
	m.stops, m.parts, m.denied = other.stops, other.parts, other.denied
	if first {
		m.add(w)
	}
	for _, o := range other.wishes {
		m.add(o)
	}
	if !first {
		m.add(w)
	}
	return m, true
}

// besides cuts what else is ordered off a message that asks a table, whose name stands at a place: the clauses that mean a tool by
// themselves and ask no table. first tells that the table is asked before that.
func (c *catalog) besides(plain string, from, to int, now time.Time) (said, rest string, first bool) {
	masked := plain[:from] + strings.Repeat("x", to-from) + plain[to:]
	cs := split(masked)
	var own, others []string
	for _, cl := range cs {
		part := masked[cl.start:cl.end]
		text := strings.Trim(plain[cl.start:cl.end], " ,\n")
		if (from < cl.start || to > cl.end) && !slot.AsksTable(part) && len(c.clauses(part, now).wishes) > 0 {
			first = first || len(own) > 0
			others = append(others, text)
			continue
		}
		own = append(own, text)
	}
	if len(others) == 0 {
		return strings.TrimSpace(plain), "", true
	}
	return strings.Join(own, " "), strings.Join(others, ", "), first
}

// tableNear reads a message that asks the table that the talk is about, without naming it.
func (c *catalog) tableNear(req provider.Request) (w wish, ok bool) {
	if len(req.State.Tables) == 0 {
		return w, false
	}
	near := req.State.Tables[0]
	if !slot.AsksTable(req.Message) && (!near.Last || !slot.LeansOnTable(req.Message)) {
		return w, false
	}
	t, table, ask, goesOn := c.tables()
	if t == nil || len(c.read(req.Message, req.Now).wishes) > 0 {
		return w, false
	}
	said := strings.TrimSpace(phrase.Normalize(req.Message))
	w = wish{tool: t, args: map[string]any{}, request: said, count: 1}
	if len(near.Asked) > 0 && goesOn != "" {
		maps.Copy(w.args, decoded(near.Asked))
		w.args[goesOn] = true
	}
	if before, going := w.args[ask].(string); going { // it is not answered yet: these words go on with those
		said = before + "\n" + said
	}
	w.args[table], w.args[ask] = near.Name, said
	return w, true
}
