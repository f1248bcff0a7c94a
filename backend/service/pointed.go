package service

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// Pointed is a record that somebody points at.
type Pointed struct {
	Service string
	ID      string
	Values  Values
}

// Listed are the records in what the tool service_records brought of a service, in its order.
func Listed(service string, data []byte) (list []Pointed) {
	var rows struct {
		Records []struct {
			ID     string `json:"id"`
			Values Data   `json:"values"`
		} `json:"records"`
	}
	if json.Unmarshal(data, &rows) != nil {
		return nil
	}
	for _, r := range rows.Records {
		list = append(list, Pointed{service, r.ID, Values(r.Values)})
	}
	return list
}

// Wrote tells which records a use of a tool wrote or changed; none when it did neither.
func Wrote(tool string, args, data json.RawMessage) (service string, ids []string) {
	var a struct{ Service string }
	var d struct {
		ID  string
		IDs []string
	}
	if tool != toolRecord && tool != toolChange || json.Unmarshal(args, &a) != nil || json.Unmarshal(data, &d) != nil || d.ID == "" {
		return "", nil
	}
	if len(d.IDs) > 0 {
		return a.Service, d.IDs
	}
	return a.Service, []string{d.ID}
}

// undo are the arguments of the call that brings a record of a service to some values, or does away with the one that has them.
func undo(service string, values json.RawMessage) map[string]any {
	return map[string]any{"service": service, "values": values}
}

// Shows gives the service whose records a query lists, and the arguments of the tool that lists them; ok is false when it lists none.
func (q *Query) Shows() (service string, ok bool) {
	service, _ = q.Args["service"].(string)
	return service, q.Tool == toolRecords && service != ""
}

// ListTool is the tool that lists records.
const ListTool = toolRecords

// Movable are the services whose records can be moved.
func (b *Book) Movable() (services []string) {
	for _, m := range b.list {
		if service, of := m.With["service"].(string); m.Tool == toolChange && of {
			services = append(services, service)
		}
	}
	return services
}

// Called are those of some records that a name may mean.
func (b *Book) Called(list []Pointed, name string) (found []Pointed) {
	for _, p := range list {
		if m := b.using(toolChange, p.Service); m != nil && len(Names([]Record{p.record()}, m.key(), name)) > 0 {
			found = append(found, p)
		}
	}
	return found
}

// Moment is when something shall be: so much later than it is, or on a day or at a time.
type Moment struct {
	By    time.Duration
	Ahead int64 // to be told of it so many minutes before
	Date  string
	Time  string
}

// Ahead gives the slot that says how long before something it is told of; false where the service has none.
func (m *Manifest) Ahead() (slot string, ok bool) {
	at := slices.IndexFunc(m.Slots, func(s Slot) bool { return s.Type == TypeAhead })
	if at < 0 {
		return "", false
	}
	return m.Slots[at].Name, true
}

// Moving gives the service that moves a record, with the values that do, and says what it is now. now is the customer's local time. ok is
// false when nothing moves it, when it has no moment, or when its name means another of the list, too.
func (b *Book) Moving(p Pointed, list []Pointed, to Moment, lang bilingual.Lang, now time.Time) (m *Manifest, values Values, is string, ok bool) {
	if m = b.using(toolChange, p.Service); m == nil || !m.means(p, list, "", now) {
		return nil, nil, "", false
	}
	if to.By != 0 {
		date, _ := p.Values["date"].(string)
		clock, timed := p.Values["time"].(string)
		at, err := time.ParseInLocation(time.DateOnly+" 15:04", date+" "+orMidnight(clock), now.Location())
		if err != nil || !timed && to.By%(24*time.Hour) != 0 {
			return nil, nil, "", false
		}
		at = at.Add(to.By)
		if days := int(to.By / (24 * time.Hour)); to.By%(24*time.Hour) == 0 { // a day is not 24 hours when the clocks change
			at = at.Add(-to.By).AddDate(0, 0, days)
		}
		if to.Date = at.Format(time.DateOnly); to.Date == date {
			to.Date = ""
		}
		if timed {
			to.Time = at.Format("15:04")
		}
		if to.Time == clock {
			to.Time = ""
		}
	}
	values = Values{m.key(): p.Values[m.key()]}
	if slot, told := m.Ahead(); to.Ahead != 0 && told {
		values[slot] = to.Ahead
	}
	for name, value := range map[string]string{"date": to.Date, "time": to.Time} {
		if value != "" && m.slot(name) != nil {
			values[name] = value
		}
	}
	return m, values, p.record().said(m.key(), m.due(), lang), len(values) > 1
}

func orMidnight(clock string) string {
	if clock == "" {
		return "00:00"
	}
	return clock
}

// Removing gives the service that does away with a record, with the values that do.
func (b *Book) Removing(p Pointed, list []Pointed, now time.Time) (m *Manifest, values Values, ok bool) {
	if m = b.using(toolCancel, p.Service); m == nil {
		return nil, nil, false
	}
	date, _ := p.Values["date"].(string)
	values = Values{m.key(): p.Values[m.key()]}
	if date != "" {
		values["date"] = date
	}
	return m, values, m.means(p, list, date, now)
}

// Undoing gives the service that makes a call which takes something back, with the values that do.
func (b *Book) Undoing(u toolbox.Undo) (m *Manifest, values Values, ok bool) {
	var args Data
	if json.Unmarshal(u.Args, &args) != nil {
		return nil, nil, false
	}
	service, _ := args["service"].(string)
	if m = b.using(u.Tool, service); m == nil {
		return nil, nil, false
	}
	given := map[string]any(args)
	if of, nested := args["values"].(map[string]any); nested {
		given = of
	}
	values = Values{}
	for _, s := range m.Slots {
		if v, there := given[s.Name]; there {
			values[s.Name] = v
		}
	}
	return m, values, len(m.Missing(Session{Slots: values})) == 0
}

// Say says what a record of a service is, from its values: its name and when it is.
func (b *Book) Say(service string, values []byte, lang bilingual.Lang) string {
	r := Record{Service: service, Values: values}
	if m := b.using(toolChange, service); m != nil && m.key() != "" {
		return r.said(m.key(), m.due(), lang)
	}
	var all map[string]any
	m := b.using(toolRecord, service)
	if json.Unmarshal(values, &all) != nil || m == nil {
		return service
	}
	var said []string
	for _, s := range m.Slots {
		if v, has := all[s.Name]; has {
			said = append(said, display(s, v, lang))
		}
	}
	return strings.Join(said, ", ")
}

// using is the service that does its work with a tool, on the records of a service.
func (b *Book) using(tool, service string) *Manifest {
	for _, m := range b.list {
		if of, _ := m.With["service"].(string); m.Tool == tool && of == service {
			return m
		}
	}
	return nil
}

// key is the value that names a record.
func (m *Manifest) key() string {
	key, _ := m.With["key"].(string)
	return key
}

// due are the values that say when a record is told.
func (m *Manifest) due() (names []string) {
	list, _ := m.With["due"].([]any)
	for _, name := range list {
		if s, ok := name.(string); ok {
			names = append(names, s)
		}
	}
	return names
}

// means tells whether the tool takes the name of a record for that one and for no other of the list.
func (m *Manifest) means(p Pointed, list []Pointed, date string, now time.Time) bool {
	all := make([]Record, len(list))
	for i := range list {
		all[i] = list[i].record()
	}
	name, _ := p.Values[m.key()].(string)
	r, err := among(all, m.key(), name, date, now)
	return err == nil && r.ID == p.ID
}

func (p Pointed) record() Record {
	raw, err := canonical(asRaw(p.Values))
	if err != nil {
		return Record{ID: p.ID}
	}
	return Record{ID: p.ID, Service: p.Service, Values: raw}
}

func asRaw(values Values) map[string]json.RawMessage {
	raw := map[string]json.RawMessage{}
	for name, v := range values {
		if text, err := json.Marshal(v); err == nil {
			raw[name] = text
		}
	}
	return raw
}
