package config

import (
	"maps"
	"slices"

	"agentchat/backend/language/bilingual"
)

// View is all settings as the settings page and the config command show them.
type View struct {
	File     string         `json:"file"`
	Settings []Item         `json:"settings"`
	Values   map[string]any `json:"values"` // the same values by key
}

// Item is one setting. Value and Default are a number, a bool or a text; Default is null where the tool's own value
// holds. ForcedBy is set when a flag or an environment variable will give its own value again at the next start like this
// one, whatever is set meanwhile.
type Item struct {
	Key      string         `json:"key"`
	Value    any            `json:"value" ts_type:"string | number | boolean | null"`
	Default  any            `json:"default" ts_type:"string | number | boolean | null"`
	Source   Source         `json:"source"`
	ForcedBy Source         `json:"forcedBy,omitempty"`
	Flag     string         `json:"flag,omitempty"`
	Env      string         `json:"env"`
	Live     bool           `json:"live"` // false: chosen at start, cannot be set
	Type     Type           `json:"type"`
	Enum     []string       `json:"enum,omitempty"`
	Min      *float64       `json:"min,omitempty"`
	Max      *float64       `json:"max,omitempty"`
	Title    bilingual.Text `json:"title"`
	Help     bilingual.Text `json:"help"`
}

// View lists every setting of the table, then what was changed about single tools, groups and roles, by key.
func (c *Config) View() View {
	c.mu.Lock()
	l := c.layers
	c.mu.Unlock()
	values := l.merged().All()

	view := View{File: c.path, Values: values}
	for _, row := range c.table {
		view.Settings = append(view.Settings, c.item(row, values[row.key], l))
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if _, fixed := c.rows[key]; fixed {
			continue
		}
		if row, ok := override(key); ok {
			view.Settings = append(view.Settings, c.item(row, values[key], l))
		}
	}
	return view
}

// Default is the value a setting has when nobody chose one.
func (c *Config) Default(key string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.layers.initial[key]
}

func (c *Config) item(row setting, value any, l layers) Item {
	item := Item{
		Key: row.key, Value: value, Default: l.initial[row.key], Source: l.source(row.key), ForcedBy: c.forced[row.key],
		Flag: row.flag, Env: row.env[0], Live: !row.start, Type: row.typ, Enum: row.enum, Title: row.title, Help: row.help,
	}
	if row.typ == TypeInt || row.typ == TypeNumber {
		item.Min, item.Max = &row.minimum, &row.maximum
	}
	return item
}

func (l layers) source(key string) Source {
	for _, from := range []struct {
		layer
		Source
	}{{l.flags, SourceFlag}, {l.env, SourceEnv}, {l.file, SourceFile}} {
		if _, ok := from.layer[key]; ok {
			return from.Source
		}
	}
	return SourceDefault
}
