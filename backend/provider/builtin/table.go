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

// tableAsked reads a message of which the front desk says that it asks a table: the one that it names, or the one that is at hand. What
// a message orders besides one that it names is read by itself.
func (c *catalog) tableAsked(req provider.Request) (m *message, ok bool) {
	t, table, ask, goesOn := c.tables()
	if t == nil || len(req.State.Tables) == 0 {
		return nil, false
	}
	near := req.State.Tables[0]
	plain := phrase.Normalize(req.Message)
	at := strings.Index(plain, near.Name)
	if save, object := c.saved(req.Message, req.Now); object != "" {
		save.rel = after
		w := tableNear(near, t, object, table, ask, goesOn)
		if at >= 0 {
			w.args = map[string]any{table: near.Name, ask: object}
		}
		return &message{text: plain, wishes: []wish{w, save}}, true
	}
	if at < 0 {
		return &message{text: plain, wishes: []wish{tableNear(near, t, strings.TrimSpace(plain), table, ask, goesOn)}}, true
	}
	said, rest, first := c.besides(plain, at, at+len(near.Name), req.Now)
	m = &message{text: plain}
	w := wish{tool: t, args: map[string]any{table: near.Name, ask: said}, request: said, count: 1}
	if rest == "" {
		m.add(w)
		return m, true
	}
	other := c.understand(rest, req.Now)
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

// Besides cuts what else a message orders off that it asks of a table, whose file it names. Safe for concurrent use.
func (p *Provider) Besides(cards []provider.ToolCard, text, file string, now time.Time) (said, rest string) {
	plain := phrase.Normalize(text)
	at := strings.Index(plain, file)
	if at < 0 {
		return strings.TrimSpace(plain), ""
	}
	said, rest, _ = p.catalogs.of(cards, p.Names).besides(plain, at, at+len(file), now)
	return said, rest
}

// besides cuts what else is ordered off a message that asks a table, whose name stands at a place: the clauses that mean a tool by
// themselves. first tells that the table is asked before that.
func (c *catalog) besides(plain string, from, to int, now time.Time) (said, rest string, first bool) {
	masked := plain[:from] + strings.Repeat("x", to-from) + plain[to:]
	cs := split(masked)
	var own, others []string
	for _, cl := range cs {
		part := masked[cl.start:cl.end]
		text := strings.Trim(plain[cl.start:cl.end], " ,\n")
		if (from < cl.start || to > cl.end) && len(c.clauses(part, now).wishes) > 0 {
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

// tableNear is the wish to ask the table that is at hand what was said, without naming it.
func tableNear(near provider.TableCard, t *tool, said, table, ask, goesOn string) wish {
	w := wish{tool: t, args: map[string]any{}, request: said, count: 1}
	if len(near.Asked) > 0 && goesOn != "" {
		maps.Copy(w.args, decoded(near.Asked))
		w.args[goesOn] = true
	}
	if before, going := w.args[ask].(string); going { // it is not answered yet: these words go on with those
		said = before + "\n" + said
	}
	w.args[table], w.args[ask] = near.Name, said
	return w
}
