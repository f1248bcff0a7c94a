package provider

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"agentchat/backend/brief"
)

// The frozen block names every tool and service in a line each, so that a model knows what there is. What it has to know exactly of
// those that a request may mean stands in the request's last block (Request.Shown): most requests mean one or none.

// mostWords is how many characters of a description a line of the catalogue has.
const mostWords = 90

// mostValues is how many values of a closed list a line of the catalogue names; a card names all.
const mostValues = 5

// examplesShown is how many examples of a tool stand with its card.
const examplesShown = 2

// gist is the first sentence of a description, in the first of its languages.
func gist(description string) string {
	text, _, _ := strings.Cut(strings.TrimSpace(description), " / ")
	text, _, _ = strings.Cut(text, ". ")
	text, _, _ = strings.Cut(text, ": ")
	return brief.Cut(strings.Join(strings.Fields(strings.TrimSuffix(text, ".")), " "), mostWords)
}

// toolLine names a tool, its arguments (! for those it cannot do without, which are told with the values of a closed list) and what it
// does. What the others may be stands on the card, which a request that may mean the tool has.
func toolLine(b *strings.Builder, t ToolCard) {
	var schema schemaNode
	_ = json.Unmarshal(t.Params, &schema) // what cannot be read has no arguments to name
	args := schema.names()
	for i, name := range args {
		if slices.Contains(schema.Required, name) {
			args[i] = schema.label(name, mostValues)
		}
	}
	b.WriteString("- " + t.Key + "(" + strings.Join(args, ", ") + "): " + gist(t.Description) + "\n")
}

// label is a member of an object as a model is shown it, a closed list with its values unless there are more than most.
func (n schemaNode) label(name string, most int) string {
	member, _ := n.Properties[name].present()
	if slices.Contains(n.Required, name) {
		name += "!"
	}
	switch {
	case len(member.Enum) > most:
	case len(member.Enum) > 0:
		values := make([]string, len(member.Enum))
		for i, value := range member.Enum {
			values[i] = fmt.Sprint(value)
		}
		return name + ":" + strings.Join(values, "|")
	case member.Type == "integer" || member.Type == "number":
		return name + ":number"
	}
	return name
}

// flat tells whether the members of an object are all plain values or lists of such, so that their names say enough.
func (n schemaNode) flat() bool {
	for _, member := range n.Properties {
		one, ok := member.present()
		if one.Items != nil && ok {
			one, ok = one.Items.present()
		}
		if !ok || one.Type == "object" || one.Items != nil {
			return false
		}
	}
	return true
}

// toolCard is everything a model may know of a tool. The form of a reply holds it to the arguments, so they are named and explained
// in a line each; those of another shape are shown as their schema.
func toolCard(b *strings.Builder, t ToolCard) {
	b.WriteString("- " + t.Key + ": " + t.Description)
	var schema schemaNode
	if json.Unmarshal(t.Params, &schema) != nil || !schema.flat() {
		b.WriteString(" args ")
		b.Write(modelParams(t.Params))
	} else {
		for _, name := range schema.names() {
			b.WriteString("\n  " + schema.label(name, math.MaxInt))
			if words := strings.Join(strings.Fields(schema.Properties[name].Description), " "); words != "" {
				b.WriteString(": " + words)
			}
		}
	}
	b.WriteString("\n")
	examples := slices.Clone(t.Examples)
	slices.SortStableFunc(examples, func(a, b Example) int { return len(b.Args) - len(a.Args) }) // the one that shows most first
	for _, e := range examples[:min(examplesShown, len(examples))] {
		args, err := json.Marshal(e.Args)
		switch {
		case err != nil:
			continue
		case len(e.Args) == 0:
			args = []byte("{}")
		}
		b.WriteString("  e.g. " + e.Text + " -> " + string(args) + "\n")
	}
}

// cards are what a request's last block says of the tools and the service that it may mean.
func cards(b *strings.Builder, l Request) {
	first := true
	for _, t := range l.Tools {
		if l.Native || !slices.Contains(l.Shown, t.Key) {
			continue
		}
		if first {
			b.WriteString("tools it may mean:\n")
		}
		first = false
		toolCard(b, t)
	}
	if l.Role != RoleSlot || l.State.Counter == nil {
		return
	}
	for _, s := range l.Services {
		if s.Intent == l.State.Counter.Service {
			b.WriteString("the service:\n")
			serviceCard(b, s)
		}
	}
}

// serviceLine names a service, what it is for and its slots.
func serviceLine(b *strings.Builder, s ServiceCard) {
	slots := make([]string, len(s.Slots))
	for i, slot := range s.Slots {
		if slots[i] = slot.Name; slot.Required {
			slots[i] += "!"
		}
	}
	b.WriteString("- " + s.Intent + " (id " + s.ID + "; " + strings.Join(slots, ", ") + "): " + strings.Join(strings.Fields(s.Description), " ") + "\n")
}

// serviceCard is everything a model may know of a service.
func serviceCard(b *strings.Builder, s ServiceCard) {
	b.WriteString("- " + s.Intent + ": slots")
	for _, slot := range s.Slots {
		b.WriteString(" " + slot.Name + ":" + slot.Type)
		if slot.Required {
			b.WriteString("!")
		}
		if slot.Hint != "" {
			b.WriteString(" (" + slot.Hint + ")")
		}
	}
	b.WriteString(". " + s.Guide + "\n")
	for _, e := range s.Examples[:min(examplesShown, len(s.Examples))] {
		b.WriteString("  e.g. " + e + "\n")
	}
}
