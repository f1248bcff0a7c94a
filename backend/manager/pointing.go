package manager

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/graph"
	"agentchat/backend/job"
	"agentchat/backend/language/refer"
	"agentchat/backend/provider"
	"agentchat/backend/service"
	"agentchat/backend/standing"
)

// A message that only points at what was shown or done before (30분 미뤄줘, 두 번째 거 지워줘, undo that) is settled by code. What turns
// spoke of is remembered as long as the program runs; after a start it is what the newest tickets and turns of the chat did.

// referent is one thing that a turn spoke of: a ticket, a standing order, or a record of a service.
type referent struct {
	Job     string
	Order   string
	Verb    standing.Verb // what was done with the order
	Was     string        // the rule it had before it was changed
	Service string
	Record  string
	Use     string // what was changed in the ledger, see undolog
}

// mention is what one turn spoke of, in its order; list tells that it was shown, and not done.
type mention struct {
	list bool
	of   []referent
	day  string // that was asked about

	asked *asked // what was asked, if it may be asked of something else
}

// mostMentions is how many of a chat are remembered, and mostBack how far the list may lie back of which a place is named.
const (
	mostMentions = 8
	mostBack     = 3
)

// speaks notes what the turn speaks of.
func (t *Turn) speaks(list bool, of ...referent) {
	if len(of) > 0 {
		t.spoke.list, t.spoke.of = list, of
	}
}

// tickets are jobs as what a turn speaks of.
func tickets(jobs []string) (list []referent) {
	for _, id := range jobs {
		list = append(list, referent{Job: id})
	}
	return list
}

// remember keeps what a turn spoke of.
func (m *Manager) remember(t *Turn) {
	if t.learned != nil && !t.spoke.list {
		t.spoke.of = append([]referent{*t.learned}, t.spoke.of...)
	}
	if len(t.spoke.of) == 0 && t.spoke.day == "" && t.spoke.asked == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	all := append([]mention{t.spoke}, m.mentions[t.Chat]...)
	m.mentions[t.Chat] = all[:min(len(all), mostMentions)]
}

// forget lets go of what the turns of a chat spoke of: some of it was taken back.
func (m *Manager) forget(chat string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.mentions, chat)
}

// How far back a ticket may lie, and how many are looked at, when nobody remembers what turns spoke of.
const (
	lastWithin = 24 * time.Hour
	lastMost   = 5
)

// mentioned is what the turns of a chat spoke of, the newest first.
func (m *Manager) mentioned(ctx context.Context, chat string) (list []mention, err error) {
	m.mu.Lock()
	list, known := m.mentions[chat]
	m.mu.Unlock()
	if known {
		return list, nil
	}
	running, err := m.atWork(ctx, chat, lastMost)
	if err != nil {
		return nil, err
	}
	for _, j := range running {
		list = append(list, mention{of: []referent{{Job: j.ID}}})
	}
	since := m.deps.Now().Add(-lastWithin)
	ended, err := m.deps.Store.EndedJobs(ctx, chat, since, lastMost)
	if err != nil {
		return nil, err
	}
	var use string
	var at time.Time
	if m.deps.LastUse != nil {
		if use, at, _, err = m.deps.LastUse(ctx, chat, since); err != nil {
			return nil, err
		}
	}
	for _, j := range ended {
		if use != "" && j.Ended.Before(at) {
			list, use = append(list, mention{of: []referent{{Use: use}}}), ""
		}
		list = append(list, mention{of: []referent{{Job: j.ID}}})
	}
	if use != "" {
		list = append(list, mention{of: []referent{{Use: use}}})
	}
	return list, nil
}

// given are the values with which code fills in what a service does, and what is said before that is asked about.
type given struct {
	Values service.Values `json:"values"`
	Says   string         `json:"says,omitempty"`
}

// thing is what a referent stands for now: one of the three.
type thing struct {
	record *service.Pointed
	beside []service.Pointed // the records of its service
	job    *job.Record
	order  *standing.Order
}

// points settles a message that points at something; ok is false when it does not, or nobody knows at what.
func (m *Manager) points(ctx context.Context, t *Turn) (move graph.Move, ok bool, err error) {
	if t.reading == nil || t.Action != "" || t.Standing != nil || m.deps.Counter == nil {
		return move, false, nil
	}
	said, ok := refer.Read(t.Text, m.readAt(t))
	if !ok {
		return move, false, nil
	}
	open, err := m.deps.Store.Counter(ctx, t.Chat)
	if said.Ahead != 0 && m.aheadOfOpen(t, open, said.Ahead) {
		return graph.To(nodeIntent), true, err
	}
	if top, any := open.Top(); err != nil || any && top.Stage != service.Confirmed && (top.Stage != service.Filling || said.Action != refer.Undo) {
		return move, false, err // what stands open at the counter goes first
	}
	mentions, err := m.mentioned(ctx, t.Chat)
	if err != nil {
		return move, false, err
	}
	if said.Action == refer.Cancel {
		said.Action = refer.Undo
		if said.Place != 0 || said.Name != "" || len(mentions) > 0 && mentions[0].list && len(mentions[0].of) == 1 {
			said.Action = refer.Remove
		}
	}
	if said.Action == refer.Undo {
		return m.undoes(ctx, t, mentions)
	}
	found, ok, err := m.pointedAt(ctx, t, said, mentions)
	if err != nil || !ok || len(found) == 0 {
		return graph.To(nodeSave), ok, err
	}
	return m.deal(ctx, t, said, found[0])
}

// aheadOfOpen has what stands open at the counter told of so many minutes before, where it is of a kind that is; false where it is not.
func (m *Manager) aheadOfOpen(t *Turn, open service.Counter, minutes int64) bool {
	top, any := open.Top()
	manifest, known := m.deps.Counter.Book.Get(top.Service)
	if !any || !known || top.Stage == service.Confirmed {
		return false
	}
	slot, ok := manifest.Ahead()
	if ok {
		t.Counter, t.Given = &CounterTurn{Open: open, Certain: manifest.Intent}, &given{Values: service.Values{slot: minutes}}
	}
	return ok
}

// pointedAt finds what a message points at. Without any, the turn has said why where ok is true.
func (m *Manager) pointedAt(ctx context.Context, t *Turn, said refer.Message, mentions []mention) (found []thing, ok bool, err error) {
	switch {
	case said.Name != "":
		return m.named(ctx, said)
	case said.Place != 0:
		return m.placed(ctx, t, said, mentions)
	}
	if said.Near {
		mentions = mentions[:min(len(mentions), 1)]
	}
	for _, one := range mentions {
		for _, r := range m.apart(ctx, one.of) {
			x, there, err := m.now(ctx, r)
			if err != nil {
				return nil, false, err
			}
			if there && x.suits(said) {
				found = append(found, x)
			}
		}
		switch {
		case len(found) == 1:
			return found, true, nil
		case len(found) > 1:
			t.Reply = t.say("어느 것인가요? ‘두 번째 거’처럼 말씀해 주세요.", "Which one? Say it like “the second one”.")
			return nil, true, nil
		}
	}
	if said.Action == refer.Move && said.By != 0 {
		running, err := m.atWork(ctx, t.Chat, 0)
		if err != nil {
			return nil, false, err
		}
		for _, j := range running {
			if x, there, err := m.now(ctx, referent{Job: j.ID}); err != nil || there && x.suits(said) {
				return []thing{x}, true, err
			}
		}
		t.Reply = t.say("무엇을 옮길까요? ‘치과 30분 미뤄줘’처럼 말씀해 주세요.", "What shall I move? Say it like “push the dentist back 30 minutes”.")
		return nil, true, nil
	}
	return nil, false, nil
}

// placed is what has a place in the list that was shown last.
func (m *Manager) placed(ctx context.Context, t *Turn, said refer.Message, mentions []mention) (found []thing, ok bool, err error) {
	for _, one := range mentions[:min(len(mentions), mostBack)] {
		if !one.list {
			continue
		}
		at := said.Place - 1
		if said.Place == refer.Last {
			at = len(one.of) - 1
		}
		if at >= len(one.of) {
			if found, ok, err = m.underWay(ctx, t, said); ok || err != nil { // begun since
				return found, ok, err
			}
			t.Reply = t.say(fmt.Sprintf("보여 드린 것은 %d개예요.", len(one.of)), fmt.Sprintf("What I showed has %d.", len(one.of)))
			return nil, true, nil
		}
		x, there, err := m.now(ctx, one.of[at])
		if err == nil && !there {
			t.Reply = t.say("그건 이제 없어요.", "That is not there any more.")
		}
		return []thing{x}[:min(1, truth(there && x.suits(said)))], there && x.suits(said) || t.Reply != "", err
	}
	if said.Action != refer.Stop && said.Action != refer.Remove {
		return nil, false, nil
	}
	return m.underWay(ctx, t, said)
}

// underWay is what has a place among the work that goes on, in the order in which it was begun, where no list was shown.
func (m *Manager) underWay(ctx context.Context, t *Turn, said refer.Message) (found []thing, ok bool, err error) {
	running, err := m.atWork(ctx, t.Chat, 0)
	if err != nil {
		return nil, false, err
	}
	for _, j := range slices.Backward(running) {
		x, there, err := m.now(ctx, referent{Job: j.ID})
		if err != nil {
			return nil, false, err
		}
		if there && currentTool(j) != "" && x.suits(said) {
			found = append(found, x)
		}
	}
	at := said.Place - 1
	if said.Place == refer.Last {
		at = len(found) - 1
	}
	if at < 0 || at >= len(found) {
		return nil, false, nil
	}
	return found[at : at+1], true, nil
}

func truth(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// named is the one record or standing order that is called so, and that can be moved.
func (m *Manager) named(ctx context.Context, said refer.Message) (found []thing, ok bool, err error) {
	for _, id := range m.deps.Counter.Book.Movable() {
		all, err := m.records(ctx, id)
		if err != nil {
			return nil, false, err
		}
		for _, p := range m.deps.Counter.Book.Called(all, said.Name) {
			found = append(found, thing{record: &p, beside: all})
		}
	}
	if m.deps.Standing != nil && len(found) == 0 {
		orders, err := m.deps.Standing.List(ctx)
		if err != nil {
			return nil, false, err
		}
		for _, o := range orders {
			if fits(o, strings.Fields(said.Name)) {
				found = append(found, thing{order: &o})
			}
		}
	}
	return found, len(found) == 1, nil
}

// now is what a referent stands for; there is false when that is gone or over.
func (m *Manager) now(ctx context.Context, r referent) (x thing, there bool, err error) {
	if r.Job != "" {
		rec, err := m.deps.Store.LoadRun(ctx, r.Job)
		switch {
		case apperr.CodeOf(err) == apperr.NotFound:
			return x, false, nil
		case err != nil:
			return x, false, err
		case m.deps.Jobs.Alive(r.Job):
			return thing{job: &rec}, true, nil
		}
		for _, todo := range rec.Run.Job.Todos {
			if of, ids := service.Wrote(todo.Tool, todo.Args, todo.Data); len(ids) == 1 { // several are told apart before, see apart
				r.Service, r.Record = of, ids[0]
			}
		}
	}
	switch {
	case r.Record != "":
		all, err := m.records(ctx, r.Service)
		at := slices.IndexFunc(all, func(p service.Pointed) bool { return p.ID == r.Record })
		if err != nil || at < 0 {
			return x, false, err
		}
		return thing{record: &all[at], beside: all}, true, nil
	case r.Order != "" && m.deps.Standing != nil:
		o, err := m.deps.Standing.Get(ctx, r.Order)
		if apperr.CodeOf(err) == apperr.NotFound || o.State == standing.Proposed {
			return x, false, nil
		}
		return thing{order: &o}, err == nil, err
	}
	return x, false, nil
}

func (m *Manager) records(ctx context.Context, of string) ([]service.Pointed, error) {
	data, err := m.deps.Counter.Read(ctx, service.ListTool, "", "", map[string]any{"service": of})
	return service.Listed(of, data), err
}

// suits tells whether a thing is of the kind that is spoken of, and what is asked can be asked of it.
func (x thing) suits(said refer.Message) bool {
	kind, timer := refer.Event, x.job != nil && currentTool(x.job.Run.Job) == toolTimer
	switch {
	case x.order != nil:
		kind = refer.Order
	case x.job != nil:
		kind = refer.Any
		if timer {
			kind = refer.Timer
		}
	}
	if said.Kind != refer.Any && said.Kind != kind || said.Near && (x.record == nil || x.record.Values["time"] == nil) {
		return false
	}
	switch said.Action {
	case refer.Move:
		return x.record != nil && !said.Whole || said.Ahead == 0 && timer && said.By != 0 || x.order != nil && (said.By != 0 || said.Time != "")
	case refer.Stop:
		return x.job != nil
	case refer.Remove, refer.Undo, refer.Cancel:
	}
	return true
}

// deal does with a thing what is asked.
func (m *Manager) deal(ctx context.Context, t *Turn, said refer.Message, x thing) (graph.Move, bool, error) {
	book := m.deps.Counter.Book
	switch moves := said.Action == refer.Move; {
	case x.record != nil && moves:
		manifest, values, is, ok := book.Moving(*x.record, x.beside, service.Moment{By: said.By, Ahead: said.Ahead, Date: said.Date, Time: said.Time}, t.Lang, m.readAt(t))
		if !ok {
			t.Reply = t.say("그렇게는 옮길 수 없어요. ‘치과 내일 4시로 옮겨줘’처럼 이름과 때를 말씀해 주세요.", "It cannot be moved that way. Say its name and the moment, like “move the dentist to tomorrow at 4 pm”.")
			return graph.To(nodeSave), true, nil
		}
		return m.give(ctx, t, manifest, given{values, t.say("지금은 "+is+"예요.", "Now: "+is+".")})
	case x.record != nil:
		manifest, values, ok := book.Removing(*x.record, x.beside, m.readAt(t))
		if !ok {
			return graph.Move{}, false, nil
		}
		return m.give(ctx, t, manifest, given{Values: values})
	case x.job != nil && moves:
		return m.sets(ctx, t, *x.job, said)
	case x.job != nil:
		return m.halts(t, x.job.Run.Job), true, nil
	case moves:
		t.Command = &standingCommand{Verb: verbAmend, Order: x.order.ID, By: said.By}
	default:
		t.Command = &standingCommand{Verb: verbRemove, Order: x.order.ID}
	}
	return graph.To(nodeStanding), true, nil
}

// noteCounter has what stands open at the counter repeated at the end of the turn.
func (m *Manager) noteCounter(ctx context.Context, t *Turn) error {
	if m.deps.Counter == nil {
		return nil
	}
	open, err := m.deps.Store.Counter(ctx, t.Chat)
	t.Counter = &CounterTurn{Open: open}
	return err
}

// give opens a service with values that code found.
func (m *Manager) give(ctx context.Context, t *Turn, manifest *service.Manifest, g given) (graph.Move, bool, error) {
	err := m.noteCounter(ctx, t)
	t.Counter.Certain, t.Counter.Fresh, t.Given = manifest.Intent, true, &g
	return graph.To(nodeIntent), true, err
}

// halts stops one ticket.
func (*Manager) halts(t *Turn, j job.Job) graph.Move {
	t.Plan = &provider.Plan{Route: provider.RouteStop, Stop: &provider.StopPlan{Tool: currentTool(j), Job: j.ID}}
	return graph.To(nodeStop)
}
