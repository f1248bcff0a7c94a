package service

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/ground"
	"agentchat/backend/language/wordlist"
)

// A value of several lines names several things (slot.several). What keeps records keeps, and takes away, one for each line, all in one
// transaction; otherwise they are alike.

// mostThings is how many of several things are named in a sentence.
const mostThings = 12

// things names what a value names: ‘우유’, ‘계란’.
func things(value string, lang bilingual.Lang) string {
	all := ground.Lines(value)
	said := make([]string, min(len(all), mostThings))
	for i := range said {
		said[i] = bilingual.Say(lang, "‘"+all[i]+"’", "“"+all[i]+"”")
	}
	last := len(said) - 1
	switch {
	case len(all) > len(said):
		return bilingual.Say(lang, "%s 외 %d개", "%s and %d more", strings.Join(said, ", "), len(all)-len(said))
	case lang == bilingual.EN && last > 0:
		return strings.Join(said[:last], ", ") + " and " + said[last]
	}
	return strings.Join(said, ", ")
}

// several is how many things a value names, and 0 for one.
func several(value any) int {
	text, _ := value.(string)
	if n := len(ground.Lines(text)); n > 1 {
		return n
	}
	return 0
}

// unsaid is the empty slot for which the words point at a value that nobody knows; "" for none.
func (h Extraction) unsaid(s Session) string {
	for name, problem := range h.Problems {
		if _, filled := s.Slots[name]; problem == ground.Unsaid && !filled {
			return name
		}
	}
	return ""
}

// whole is a value that names a record as the record itself is called, so that what is asked about is what there is; of several records, which
// the words name one after the other, each that is there. A name that means none, or more than one, stays as it was said.
func (m *Manifest) whole(slot *Slot, value any) any {
	name, is := value.(string)
	if !is || slot.Of == "" || m.named == nil {
		return value
	}
	parts := ground.Lines(name)
	if len(parts) == 1 {
		all := m.named(slot.Of, slot.Name, name)
		if len(all) == 1 && wordlist.Compact(all[0]) == wordlist.Compact(name) {
			return all[0]
		}
		if apart := ground.Things(name, true); slot.Several && apart != nil {
			parts = apart
		} else if len(all) == 1 {
			return all[0]
		}
	}
	var found []string
	for _, part := range parts {
		switch all := m.named(slot.Of, slot.Name, part); {
		case len(all) > 1:
			return value
		case len(all) == 1 && (all[0] == part || !slices.Contains(found, all[0])): // one that is named by several of its words is one
			found = append(found, all[0])
		}
	}
	if len(found) == 0 {
		return value
	}
	return strings.Join(found, "\n")
}

// spread gives the values of each of the records for which values of several lines stand.
func spread(values map[string]json.RawMessage) (list []map[string]json.RawMessage) {
	for name, raw := range values {
		var text string
		if json.Unmarshal(raw, &text) != nil || !strings.Contains(text, "\n") {
			continue
		}
		for _, line := range ground.Lines(text) {
			one := maps.Clone(values)
			if one[name], _ = json.Marshal(line); line != "" { // a string encodes
				list = append(list, one)
			}
		}
		return list
	}
	return []map[string]json.RawMessage{values}
}

// gathered are the values that stand for some records which are alike but for what they are called; ok is false when they are not.
func gathered(list []Record, key string) (values map[string]json.RawMessage, ok bool) {
	var names []string
	for _, r := range list {
		var own map[string]json.RawMessage
		if json.Unmarshal(r.Values, &own) != nil {
			return nil, false
		}
		names = append(names, r.text(key))
		delete(own, key)
		if values != nil && !maps.EqualFunc(values, own, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
			return nil, false
		}
		values = own
	}
	if values[key], ok = asJSON(strings.Join(names, "\n")); !ok {
		return nil, false
	}
	return values, true
}

func asJSON(text string) (json.RawMessage, bool) {
	raw, err := json.Marshal(text)
	return raw, err == nil
}

// picked are the records that names mean, one after the other: of each the one that a name alone means, see among, of a list and a day where
// they are given.
func picked(list []Record, key string, names []string, of, date string, now time.Time) (found []Record, err error) {
	list = slices.Clone(onList(list, of))
	for _, name := range names {
		r, err := among(list, key, name, date, now)
		if err != nil {
			return nil, err
		}
		found = append(found, r)
		list = slices.DeleteFunc(list, func(other Record) bool { return other.ID == r.ID })
	}
	return found, nil
}

// listKey is the value that names the list on which a record stands.
const listKey = "list"

// onList are the records on a list; where it has none, those that are on no list of their own.
func onList(list []Record, of string) []Record {
	if of == "" {
		return list
	}
	on := func(name string) (some []Record) {
		for _, r := range list {
			if wordlist.Compact(r.text(listKey)) == name {
				some = append(some, r)
			}
		}
		return some
	}
	if some := on(wordlist.Compact(of)); len(some) > 0 {
		return some
	}
	return on("")
}
