package service

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/ground"
	"agentchat/backend/language/wordlist"
)

// Spoken is what a use of a tool spoke of: the list of a service, and whether something was taken off it; Date is the day of it, if any.
type Spoken struct {
	Service, List, Date string
	Removed             bool
}

// Spoke tells of which list a use of a tool wrote, changed or took away a record; ok is false when it did none of these.
func Spoke(tool string, args, data json.RawMessage) (s Spoken, ok bool) {
	var a struct{ Service string }
	var d struct{ Values Data }
	if tool != toolRecord && tool != toolChange && tool != toolCancel || json.Unmarshal(args, &a) != nil || json.Unmarshal(data, &d) != nil {
		return s, false
	}
	s.List, s.Date = Values(d.Values).list(), Values(d.Values).date()
	s.Service, s.Removed = a.Service, tool == toolCancel
	return s, a.Service != ""
}

func (v Values) list() string { text, _ := v[listKey].(string); return text }
func (v Values) date() string { text, _ := v["date"].(string); return text }

// List is the list on which the record stands; "" for none of its own.
func (p Pointed) List() string { return p.Values.list() }

// Date is the day of the record; "" for none.
func (p Pointed) Date() string { return p.Values.date() }

// DayOf is the day for which records were listed; "" when it was for all.
func DayOf(data []byte) string {
	var d struct{ Date string }
	_ = json.Unmarshal(data, &d) // what lists no records has none
	return d.Date
}

// On are those of some records that stand on a list.
func On(list []Pointed, of string) (some []Pointed) {
	for _, p := range list {
		if wordlist.Compact(p.List()) == wordlist.Compact(of) {
			some = append(some, p)
		}
	}
	return some
}

// Keeper is the service whose records a service writes, moves or takes away; "" for none.
func (b *Book) Keeper(id string) string {
	if m, ok := b.Get(id); ok {
		of, _ := m.With["service"].(string)
		return of
	}
	return ""
}

// Another gives the service that writes one more thing on a list, or several, with the values that do. What has a moment of its own is on no list.
func (b *Book) Another(s Spoken, words string, lang bilingual.Lang, now time.Time) (m *Manifest, values Values, ok bool) {
	if m = b.using(toolRecord, s.Service); m == nil {
		return nil, nil, false
	}
	at := slices.IndexFunc(m.Slots, func(slot Slot) bool { return slot.Several })
	if at < 0 {
		return nil, nil, false
	}
	found := m.Ground(Open("", m, lang), m.Reads(Session{}, words, now), words, true, now)
	name, is := found.Set[m.Slots[at].Name].(string)
	if !is {
		return nil, nil, false
	}
	if values = found.Set; values.date() != "" || values["time"] != nil {
		return m, values, true
	}
	if things := ground.Things(name, true); things != nil {
		values[m.Slots[at].Name] = strings.Join(things, "\n")
	}
	if _, said := values[listKey]; !said && s.List != "" && m.slot(listKey) != nil {
		values[listKey] = s.List
	}
	return m, values, true
}

// RemovingAll gives the service that does away with some records of a service, with the values that do; ok is false when these would mean others.
func (b *Book) RemovingAll(some, all []Pointed, now time.Time) (m *Manifest, values Values, ok bool) {
	if len(some) == 0 {
		return nil, nil, false
	}
	if m = b.using(toolCancel, some[0].Service); m == nil {
		return nil, nil, false
	}
	var names []string
	list, date := some[0].List(), some[0].Date()
	for _, p := range some {
		name, _ := p.Values[m.key()].(string)
		names = append(names, name)
		if p.List() != list {
			list = ""
		}
		if p.Date() != date {
			date = ""
		}
	}
	values = Values{m.key(): strings.Join(names, "\n")}
	for name, value := range map[string]string{listKey: list, "date": date} {
		if value != "" && m.slot(name) != nil {
			values[name] = value
		}
	}
	records := make([]Record, len(all))
	for i := range all {
		records[i] = all[i].record()
	}
	found, err := picked(records, m.key(), names, list, date, now)
	if err != nil || len(found) != len(some) {
		return nil, nil, false
	}
	for i, r := range found {
		if r.ID != some[i].ID && !slices.ContainsFunc(some, func(p Pointed) bool { return p.ID == r.ID }) {
			return nil, nil, false
		}
	}
	return m, values, true
}
