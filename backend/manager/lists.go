package manager

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/graph"
	"agentchat/backend/language/ground"
	"agentchat/backend/language/refer"
	"agentchat/backend/language/slot"
	"agentchat/backend/service"
)

// A list that was just spoken of goes on: one more thing for it (하나 더, 식빵), one that is done (우유는 샀어), all of it away (다 지워줘). What is
// to be done is asked about at the counter like any other.

// spoken is what turns spoke of last of the records of a service.
type spoken struct {
	service.Spoken
	shown map[string]bool // the records that were shown; nil: none were
}

// shows notes the records that a query lists.
func (t *Turn) shows(q *service.Query, data []byte) {
	of, lists := q.Shows()
	if !lists {
		return
	}
	var list []referent
	for _, p := range service.Listed(of, data) {
		list = append(list, referent{Service: of, Record: p.ID})
	}
	t.spoke.day = service.DayOf(data)
	t.speaks(true, list...)
}

// goesOnList takes a message that goes on with a list.
func (m *Manager) goesOnList(ctx context.Context, t *Turn) (move graph.Move, ok bool, err error) {
	if t.reading == nil || t.Action != "" || t.Standing != nil || m.deps.Counter == nil {
		return move, false, nil
	}
	said, ok := refer.ReadSequel(t.Text)
	if !ok {
		return move, false, nil
	}
	open, err := m.deps.Store.Counter(ctx, t.Chat)
	if err != nil {
		return move, false, err
	}
	top, any := open.Top()
	if any && top.Stage != service.Confirmed && (top.Stage != service.Filling || said.Step == refer.More && !said.Plain && !said.Added) {
		return move, false, nil // it is for what stands open there
	}
	mentions, err := m.mentioned(ctx, t.Chat)
	if err != nil {
		return move, false, err
	}
	back := 1
	if said.Step == refer.Done {
		back = mostBack
	}
	last, ok, err := m.lastList(ctx, mentions[:min(len(mentions), back)])
	if any && top.Stage == service.Filling {
		keeper := m.deps.Counter.Book.Keeper(top.Service)
		if ok = keeper != ""; last.Service != keeper {
			last = spoken{Spoken: service.Spoken{Service: keeper}}
		}
	}
	if err != nil || !ok && (said.Step != refer.Clear || said.List == "") {
		return move, false, err
	}
	switch said.Step {
	case refer.More:
		return m.oneMore(ctx, t, said, last)
	case refer.Done:
		return m.doneWith(ctx, t, said, last)
	case refer.Clear:
	}
	return m.clearsList(ctx, t, said, last, any && top.Stage == service.Filling)
}

// lastList is the list that the newest of some turns spoke of which spoke of one.
func (m *Manager) lastList(ctx context.Context, mentions []mention) (last spoken, ok bool, err error) {
	for _, one := range mentions {
		for _, r := range one.of {
			if r.Record != "" {
				if last.shown == nil {
					last.shown = map[string]bool{}
				}
				last.Service, last.shown[r.Record], ok = r.Service, true, true
				continue
			}
			if r.Job == "" {
				continue
			}
			rec, err := m.deps.Store.LoadRun(ctx, r.Job)
			if err != nil && apperr.CodeOf(err) != apperr.NotFound {
				return last, false, err
			}
			for _, todo := range rec.Run.Job.Todos {
				if s, spoke := service.Spoke(todo.Tool, todo.Args, todo.Data); spoke {
					last.Spoken, ok = s, true
				}
			}
		}
		if ok {
			break
		}
	}
	if last.shown != nil {
		last.List, err = m.sharedList(ctx, last)
	}
	return last, ok, err
}

// sharedList is the list on which all stand that were shown; "" when they are on several.
func (m *Manager) sharedList(ctx context.Context, last spoken) (list string, err error) {
	all, err := m.records(ctx, last.Service)
	first := true
	for _, p := range all {
		switch {
		case !last.shown[p.ID]:
		case first:
			list, first = p.List(), false
		case p.List() != list:
			return "", err
		}
	}
	return list, err
}

// oneMore writes one more thing on the list, or takes one more off it.
func (m *Manager) oneMore(ctx context.Context, t *Turn, said refer.Sequel, last spoken) (move graph.Move, ok bool, err error) {
	book := m.deps.Counter.Book
	manifest, values, ok := book.Another(last.Spoken, said.Name, t.Lang, m.readAt(t))
	_, sum := slot.Expression(t.Text)
	if !ok || !said.Plain && (sum && slot.OnlyNumbers(said.Name) || m.otherwise(t, manifest)) || said.Led && t.reading.Guesses.Idle() >= surely {
		return move, false, nil
	}
	if last.Removed && !said.Plain && !said.Added {
		all, err := m.records(ctx, last.Service)
		if err != nil {
			return move, false, err
		}
		if found := m.called(all, said.Name, last.List); len(found) > 0 { // what is not there is one more to write
			return m.takesOff(ctx, t, found, all)
		}
	}
	return m.give(ctx, t, manifest, given{Values: values})
}

// otherwise tells whether the front desk reads a message as something that another room does.
func (*Manager) otherwise(t *Turn, manifest *service.Manifest) bool {
	top := t.reading.Guesses[0]
	return top.P >= surely && !top.Act.Idle() && t.reading.Wants(manifest.Acts...) < top.P
}

// surely is the probability from which a message is what it seems to be, whatever was spoken of.
const surely = 0.7

// doneWith takes off what is done.
func (m *Manager) doneWith(ctx context.Context, t *Turn, said refer.Sequel, last spoken) (move graph.Move, ok bool, err error) {
	all, err := m.records(ctx, last.Service)
	if err != nil {
		return move, false, err
	}
	if found := m.called(all, said.Name, last.List); len(found) > 0 {
		return m.takesOff(ctx, t, found, all)
	}
	if len(m.deps.Counter.Book.Called(all, said.Name)) == 0 {
		return move, false, nil
	}
	t.Reply = t.say("어느 것인가요? 그 이름을 다 말씀해 주세요.", "Which one? Please say its whole name.")
	return graph.To(nodeSave), true, m.noteCounter(ctx, t)
}

// called are the records that a name means, or each of several names, on a list or, if there are none, on any; none when one of them may mean
// several.
func (m *Manager) called(all []service.Pointed, name, list string) (found []service.Pointed) {
	if some := service.On(all, list); len(some) < len(all) && len(some) > 0 {
		if found = m.called(some, name, list); len(found) > 0 {
			return found
		}
	}
	parts := ground.Things(name, true)
	if one := m.deps.Counter.Book.Called(all, name); len(one) == 1 || parts == nil {
		parts = []string{name}
	}
	for _, part := range parts {
		one := m.deps.Counter.Book.Called(all, part)
		if len(one) != 1 {
			return nil
		}
		found = append(found, one[0])
	}
	return found
}

func (m *Manager) takesOff(ctx context.Context, t *Turn, some, all []service.Pointed) (move graph.Move, ok bool, err error) {
	book := m.deps.Counter.Book
	manifest, values, ok := book.Removing(some[0], all, m.readAt(t))
	if !ok || len(some) > 1 { // beside others that are called the same, its list tells it apart
		manifest, values, ok = book.RemovingAll(some, all, m.readAt(t))
	}
	if !ok {
		return move, false, nil
	}
	return m.give(ctx, t, manifest, given{Values: values})
}

// clearsList takes everything off the list that is named, that was shown, or that was spoken of.
func (m *Manager) clearsList(ctx context.Context, t *Turn, said refer.Sequel, last spoken, filling bool) (move graph.Move, ok bool, err error) {
	services := []string{last.Service}
	if last.Service == "" {
		services = m.deps.Counter.Book.Movable()
	}
	for _, id := range services {
		all, err := m.records(ctx, id)
		if err != nil {
			return move, false, err
		}
		some := service.On(all, last.List)
		switch {
		case said.List != "":
			some = service.On(all, said.List)
		case last.shown != nil:
			some = nil
			for _, p := range all {
				if last.shown[p.ID] {
					some = append(some, p)
				}
			}
		}
		if len(some) == 0 && said.List != "" {
			continue
		}
		if len(some) == 0 {
			t.Reply = t.say("그 목록에는 아무것도 없어요.", "There is nothing on that list.")
			return graph.To(nodeSave), true, m.noteCounter(ctx, t)
		}
		manifest, values, ok := m.deps.Counter.Book.RemovingAll(some, all, m.readAt(t))
		if !ok {
			t.Reply = t.say("이름이 같은 것이 있어서 한 번에 지울 수 없어요. 하나씩 말씀해 주세요.", "Some of it is called the same, so I cannot take it off all at once. Please say them one by one.")
			return graph.To(nodeSave), true, m.noteCounter(ctx, t)
		}
		return m.give(ctx, t, manifest, given{Values: values})
	}
	if filling {
		t.Reply = t.say("그런 목록에는 아무것도 없어요.", "There is nothing on such a list.")
		return graph.To(nodeSave), true, m.noteCounter(ctx, t)
	}
	return move, false, nil
}

// apart are referents with the records of a ticket that wrote several in its place.
func (m *Manager) apart(ctx context.Context, list []referent) (each []referent) {
	for _, r := range list {
		var of string
		var ids []string
		if r.Job != "" {
			if rec, err := m.deps.Store.LoadRun(ctx, r.Job); err == nil { // what cannot be read is met again where it is used
				for _, todo := range rec.Run.Job.Todos {
					if s, wrote := service.Wrote(todo.Tool, todo.Args, todo.Data); len(wrote) > 1 {
						of, ids = s, append(ids, wrote...)
					}
				}
			}
		}
		if len(ids) == 0 {
			each = append(each, r)
		}
		for _, id := range ids {
			each = append(each, referent{Service: of, Record: id})
		}
	}
	return each
}

// saysDay puts the day that was spoken of last in the place of words that only point at it: that day, 그날.
func (m *Manager) saysDay(ctx context.Context, t *Turn) error {
	if m.deps.Counter == nil || t.Action != "" || t.Standing != nil || !refer.ThatDay(t.Text) {
		return nil
	}
	mentions, err := m.mentioned(ctx, t.Chat)
	if err != nil {
		return err
	}
	for _, one := range mentions[:min(len(mentions), mostBack)] {
		day := one.day
		if day == "" {
			day, err = m.dayOf(ctx, one)
		}
		if err != nil || day != "" {
			if day != "" {
				t.Text = refer.SpellDay(t.Text, day, m.readAt(t))
			}
			return err
		}
	}
	return nil
}

// dayOf is the one day of what a turn spoke of; "" when there is none, or more than one.
func (m *Manager) dayOf(ctx context.Context, one mention) (day string, err error) {
	note := func(date string) bool {
		if date != "" && day != "" && date != day {
			return false
		}
		if date != "" {
			day = date
		}
		return true
	}
	for _, r := range m.apart(ctx, one.of) {
		x, there, err := m.now(ctx, r)
		if err != nil {
			return "", err
		}
		if there && x.record != nil && !note(x.record.Date()) {
			return "", nil
		}
	}
	return day, nil
}
