package manager

import (
	"context"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/frontdesk"
	"agentchat/backend/graph"
	"agentchat/backend/job"
	"agentchat/backend/language/act"
	"agentchat/backend/language/told"
	"agentchat/backend/language/verdict"
	"agentchat/backend/library/agent"
	"agentchat/backend/service"
)

// atCounter looks whether a message is for the service counter: something stands open there, a button or a word of it was
// used, or the words ask for a service. What code is certain of is settled here; the rest is the intent role's to say.
func (m *Manager) atCounter(ctx context.Context, t *Turn) (bool, error) {
	if m.deps.Counter == nil || t.steers() {
		return false, nil
	}
	open, err := m.deps.Store.Counter(ctx, t.Chat)
	if err != nil {
		return false, err
	}
	t.Counter = &CounterTurn{Open: open}
	if t.Resume != "" {
		return true, nil
	}
	top, manifest := m.topOf(t)
	verb, mark := m.counterVerb(t, top, manifest)
	if manifest != nil && (verb != service.VerbNone || language(t.Text, "", nil) == "") {
		t.Lang = top.Lang // a button, an "ok" or a number says nothing about the language
	}
	switch {
	case t.Action != "" && mark == "" && (verb == service.VerbNone || manifest == nil):
		t.Counter = nil
		return false, nil // a button of something else
	case manifest != nil && verb != service.VerbNone:
		t.Counter.Verb, t.Counter.Mark, t.Counter.Certain = verb, mark, manifest.Intent
		return true, nil
	case mark != "": // a button of a session that is over
		t.Counter.Verb, t.Counter.Mark, t.Counter.Certain = verb, mark, service.General
		return true, nil
	}
	return m.wordsAtCounter(ctx, t, top, manifest)
}

// counterVerb is what a message does with the session that is talked about, by its button or its words; mark is what the button
// was shown with.
func (m *Manager) counterVerb(t *Turn, top service.Session, manifest *service.Manifest) (verb service.Verb, mark string) {
	verb, mark = service.Pressed(t.Action)
	switch {
	case t.Standing != nil: // nobody says it now: it answers nothing that stands open
	case verb != service.VerbNone:
	case manifest != nil:
		verb = manifest.VerbOf(top, t.Text)
	default:
		verb = service.VerbOf(t.Text)
	}
	return verb, mark
}

// wordsAtCounter looks whether the words of a message ask for a service, ask one of its questions, or go on with what stands open.
func (m *Manager) wordsAtCounter(ctx context.Context, t *Turn, top service.Session, manifest *service.Manifest) (bool, error) {
	wants := t.wants()
	meant, fits := m.deps.Counter.Book.Meant(t.ordered(), wants)
	if !fits && (m.unlearned() || manifest == nil && verdict.TakesBack(t.Text)) { // what takes something back goes on with what was said before
		meant = nil
	}
	query, asked, borne := m.deps.Counter.Book.Asked(t.ordered(), wants)
	if asked != nil && manifest == nil {
		leans, err := m.leansOnDocuments(ctx, t, borne)
		if err != nil {
			return false, err
		}
		if leans || m.rather(wants, asked) {
			query, asked = nil, nil
		}
	}
	open := manifest != nil && top.Stage != service.Confirmed
	continues := open && manifest.Continues(top, t.Text, m.deps.Now())
	if !fits && (asked != nil || open && (continues || top.Stage != service.Ready || meant == manifest && !manifest.Batches())) {
		meant = nil // a question that fits goes before what only seems to be meant, and so does what stands open where it asks for a value
	}
	switch {
	case asked != nil && meant == nil:
		t.Counter.Certain, t.Counter.Service, t.Counter.Query = service.General, asked.ID, query.ID
	case meant != nil:
		t.Counter.Certain, t.Counter.Fresh = meant.Intent, true
	case continues:
		t.Counter.Certain = manifest.Intent
	case t.Standing == nil && lockWord(t.Text) != "":
		return false, nil // it answers an open question; what stands open here is repeated after it
	case manifest == nil && m.suspect(t) == nil:
		t.Counter = nil
		return false, nil
	}
	return true, nil
}

// unlearned tells whether a model is on duty that knows tools of which the front desk has learned nothing. How probable it is that a service
// is wanted says nothing about them, so it is not enough by itself.
func (m *Manager) unlearned() bool {
	return m.deps.Unlearned != nil && !m.plain() && m.deps.Unlearned()
}

// leansOnDocuments tells whether a message goes on with what the library, or a file that came along, was asked before. borne says that one of
// the counter's own patterns reads it.
func (m *Manager) leansOnDocuments(ctx context.Context, t *Turn, borne bool) (bool, error) {
	if borne || m.deps.Library == nil || agent.Concerns(t.Text, true) < 2 {
		return false, nil
	}
	before, _, err := m.earlier(ctx, t)
	return before != nil, err
}

// rather tells, when no session is open, whether the message more probably asks the documents than the service, although it contains words
// of one of the service's queries: 부동산 수수료는 누가 내?
func (m *Manager) rather(wants service.Wants, of *service.Manifest) bool {
	if m.deps.Library == nil || wants == nil {
		return false
	}
	does := slices.Clone(of.Acts)
	for _, q := range of.Queries {
		for _, a := range q.Acts {
			if !slices.Contains(does, a) {
				does = append(does, a)
			}
		}
	}
	documents := wants(act.DocumentAsk)
	return len(does) > 0 && documents > wants(does...) && m.worthAsking(documents, wants(act.Knowledge))
}

// topOf gives the session that is talked about and its service; nil when none is open.
func (m *Manager) topOf(t *Turn) (service.Session, *service.Manifest) {
	top, ok := t.Counter.Open.Top()
	if !ok || t.Standing != nil { // a run of a standing order speaks of nothing that stands open
		return service.Session{}, nil
	}
	manifest, ok := m.deps.Counter.Book.Get(top.Service)
	if !ok {
		return top, nil
	}
	return top, manifest
}

// intent decides which service the message means (seed 002: IntentAgent). What code found has priority over what a model says. If the model
// cannot say, the message stays with the open service or goes to the one that its words suggest.
func (m *Manager) intent(ctx context.Context, t *Turn) (graph.Move, error) {
	label := t.say("의도 파악 중", "Understanding the intent")
	m.deps.Publisher.Publish(t.agentStart(agentIntent, label))
	began := m.deps.Now()
	intent := t.Counter.Certain
	if intent == "" {
		var err error
		if intent, err = m.deps.Counter.Extractor.Intent(ctx, m.brief(ctx, t)); err != nil {
			if ctx.Err() != nil {
				return graph.Move{}, ctx.Err()
			}
			intent = m.guess(t)
		}
	}
	t.emit(event.AgentDone{Agent: agentIntent, Label: label, Success: true, Result: intent, Ms: m.deps.Now().Sub(began).Milliseconds()})
	if manifest, ok := m.deps.Counter.Book.ByIntent(intent); ok {
		t.Counter.Service = manifest.ID
		return graph.To(nodeSlot), nil
	}
	switch {
	case t.Counter.Query != "":
		return graph.To(nodeQuery), nil
	case t.Counter.Mark != "":
		t.Counter = nil
		t.Reply, t.Next = t.say("이미 끝난 일이에요. 바뀐 것은 없어요.", "That is over already. Nothing was changed."), event.NextNone
		return graph.To(nodeSave), nil
	}
	return graph.To(nodePlan), nil
}

// guess is the intent without an interpreter.
func (m *Manager) guess(t *Turn) string {
	top, manifest := m.topOf(t)
	if manifest != nil {
		if manifest.Mentions(top, t.Text, m.deps.Now()) {
			return manifest.Intent
		}
		return service.General
	}
	if suspect := m.suspect(t); suspect != nil {
		return suspect.Intent
	}
	return service.General
}

// possible is the probability from which it is worth a request to a model to learn whether a service is meant.
const possible = 0.05

// suspect is the service that a message could ask for, nil for none.
func (m *Manager) suspect(t *Turn) *service.Manifest {
	s := m.deps.Counter.Book.Suspect(t.ordered())
	if wants := t.wants(); s != nil && wants != nil && len(s.Acts) > 0 && wants(s.Acts...) < possible {
		return nil
	}
	return s
}

// read has the front desk read the message.
func (m *Manager) read(ctx context.Context, t *Turn) {
	if m.deps.Front != nil && t.Action == "" && !t.steers() && t.Resume == "" {
		t.at = m.deps.Now()
		r := m.deps.Front.Read(ctx, m.looked(t, t.request()))
		t.reading = &r
	}
}

// ordered are the words of a message that order or ask something, without what it tells before.
func (t *Turn) ordered() string { return told.Order(t.Text) }

// looked is what the rooms look at of a turn.
func (m *Manager) looked(t *Turn, text string) frontdesk.Message {
	return frontdesk.Message{Text: told.Order(text), Now: m.readAt(t), Chat: t.Chat, Attached: t.Attachments, About: t.About}
}

// readAt is the moment for which the message is read. All readers use the same one, so its reading can be shared.
func (m *Manager) readAt(t *Turn) time.Time {
	if t.at.IsZero() {
		return m.deps.Now()
	}
	return t.at
}

// wants is how probable it is that the message wants one of some acts; nil when nobody read it.
func (t *Turn) wants() service.Wants {
	if t.reading == nil {
		return nil
	}
	return t.reading.Wants
}

// query answers a question about the past from a ledger, by code.
func (m *Manager) query(ctx context.Context, t *Turn) (graph.Move, error) {
	manifest, ok := m.deps.Counter.Book.Get(t.Counter.Service)
	if !ok {
		return graph.To(nodePlan), nil
	}
	for i := range manifest.Queries {
		q := &manifest.Queries[i]
		if q.ID != t.Counter.Query {
			continue
		}
		data, err := []byte("{}"), error(nil)
		if q.Tool != "" {
			data, err = m.deps.Counter.Read(ctx, q.Tool, t.Chat, t.Lang, q.Arguments(t.ordered(), m.deps.Now()))
		}
		if err == nil {
			t.Reply, err = q.Say(manifest, t.Lang, data)
			t.shows(q, data)
			t.asks(q)
		}
		switch {
		case ctx.Err() != nil:
			return graph.Move{}, ctx.Err()
		case err != nil:
			t.fail(err)
		}
		t.Next = event.NextNone
		return graph.To(nodeSave), nil
	}
	return graph.To(nodePlan), nil
}

// serves sends a planned service to the counter, where code and the slot role take over.
func (m *Manager) serves(t *Turn) (graph.Move, bool) {
	if m.deps.Counter == nil || t.Counter != nil && t.Counter.Certain != "" {
		return graph.Move{}, false
	}
	manifest, ok := m.deps.Counter.Book.Get(t.Plan.Service)
	if !ok {
		return graph.Move{}, false
	}
	if t.Counter == nil {
		t.Counter = &CounterTurn{}
	}
	t.Counter.Certain, t.Counter.Fresh = manifest.Intent, true
	return graph.To(nodeIntent), true
}

// outcome reads how the counter's job ended.
func outcome(j job.Job) service.Result {
	todo := j.Todos[0]
	r := service.Result{OK: j.State == job.Succeeded && todo.State == job.TodoDone, Text: todo.Text, Data: todo.Data, Code: j.Code}
	if !r.OK && (j.State == job.Canceled || j.Code == apperr.Canceled) {
		r.Code, r.Text = apperr.Canceled, apperr.New(apperr.Canceled).Text(j.Lang)
	}
	r.Text = strings.TrimSpace(r.Text)
	return r
}
