package manager

import (
	"context"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/frontdesk"
	"agentchat/backend/graph"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/verdict"
	"agentchat/backend/library/agent"
	"agentchat/backend/provider"
	"agentchat/backend/service"
)

// Buttons about what a message means. meanAction is followed by the ids of the message, of the turn that asks and of the one that took
// the message wrongly (or nothing), and the key of a reading; amissAction by the turn that took its message wrongly.
const (
	meanAction  = "mean:"
	amissAction = "amiss:"
)

// sayAction is followed by words that its button says for the customer.
const sayAction = "say:"

// Readings keeps how messages were read. Safe for concurrent use.
type Readings interface {
	// Keep must not wait.
	Keep(k frontdesk.Kept)
	// Kept gives how a message was read; ok is false when that is not kept, or not any more.
	Kept(ctx context.Context, message string) (k frontdesk.Kept, ok bool, err error)
}

// meaning is what the customer said of what a message means. It is journaled with the turn.
type meaning struct {
	Of         string            `json:"of,omitempty"`         // the message
	Key        string            `json:"key,omitempty"`        // the reading that was chosen
	TurnedDown []string          `json:"turnedDown,omitempty"` // those that were not meant
	Off        string            `json:"off,omitempty"`        // says which work, begun by a wrong reading, is called off
	Offered    []frontdesk.Offer `json:"offered,omitempty"`    // what is asked
}

// pressed is what a button about the meaning of a message says when a front sends it without words.
func (m *Manager) pressed(ctx context.Context, chat, action string) (string, error) {
	of, means := strings.CutPrefix(action, meanAction)
	switch {
	case means:
		of, _, _ = strings.Cut(of, ":")
		msg, err := m.said(ctx, chat, of)
		return msg.Text, err
	case strings.HasPrefix(action, standingAction):
		return standingLabel(action, m.deps.Lang()), nil
	case strings.HasPrefix(action, undoAction):
		rec, err := m.deps.Store.LoadRun(ctx, strings.TrimPrefix(action, undoAction))
		return bilingual.Say(m.deps.Lang(), "‘%s’ 되돌리기", "Take back “%s”", rec.Run.Job.Title), err
	case action == favouriteDrop:
		return bilingual.Say(m.deps.Lang(), "취소", "Cancel"), nil
	case strings.HasPrefix(action, amissAction):
		return bilingual.Say(m.deps.Lang(), "그게 아니에요", "That is not what I meant"), nil
	}
	return action, nil
}

// refers treats a message as the button it stands for, when it answers which reading was meant or says that the last one was wrong.
func (m *Manager) refers(ctx context.Context, t *Turn) error {
	if t.Action != "" || t.reading == nil || t.Standing != nil {
		return nil
	}
	n, chooses := slot.Ordinal(t.Text)
	decides := verdict.Of(t.Text, verdict.Own{}, nil)
	misread := verdict.Misread(t.Text)
	if !chooses && !misread && decides != verdict.Confirm && decides != verdict.Cancel {
		return nil
	}
	reply, err := m.lastReply(ctx, t)
	if err != nil || reply == nil {
		return err
	}
	asked := slices.DeleteFunc(slices.Clone(reply.Buttons), func(b event.Button) bool { return !strings.HasPrefix(b.ID, meanAction) })
	switch last := len(asked) - 1; { // the last of them says that it is none
	case last < 0 && misread:
		return m.refersTo(ctx, t, reply.Turn)
	case last < 0:
	case chooses && n <= len(asked):
		t.Action = asked[n-1].ID
	case decides == verdict.Confirm && last == 1:
		t.Action = asked[0].ID
	case misread || decides == verdict.Cancel:
		t.Action = asked[last].ID
	}
	return nil
}

// lastReply is what the shop last said to the customer before a turn; nil where that is too far back to be answered.
func (m *Manager) lastReply(ctx context.Context, t *Turn) (*event.ChatMessage, error) {
	msgs, err := m.deps.Store.History(ctx, t.Chat, t.ID, 4)
	for _, msg := range slices.Backward(msgs) {
		if msg.Role != event.RoleCustomer && msg.Turn != "" {
			return &msg, err
		}
	}
	return nil, err
}

// refersTo treats the message as the button that says a turn misread its message. While a session is open at the counter, the words are for
// that session instead.
func (m *Manager) refersTo(ctx context.Context, t *Turn, turn string) error {
	open, err := m.deps.Store.Counter(ctx, t.Chat)
	if err == nil && len(open) == 0 {
		t.Action = amissAction + turn
	}
	return err
}

// plain tells whether no model is on duty.
func (m *Manager) plain() bool { return m.deps.Library != nil && m.deps.Library.Plain() }

// doubts tells whether it is better to ask what is meant than to take the message in one way ("": to do nothing), and asks.
func (m *Manager) doubts(ctx context.Context, t *Turn, taken string) bool {
	if t.reading == nil || t.Action != "" || t.Standing != nil || t.Work != "" || t.About != nil || t.Counter != nil && len(t.Counter.Open) > 0 {
		return false
	}
	if top := t.reading.Guesses[0]; frontdesk.Sure(top.P, t.reading.Guesses.Idle(), taken != "") {
		return false
	}
	asked := frontdesk.Doubt(m.offers(ctx, t), taken)
	if asked == nil {
		return false
	}
	m.ask(t, &meaning{Of: t.ID, Offered: asked}, "")
	t.Reply = t.say("이렇게 이해했어요. 어느 쪽인가요?", "This is how I understood it. Which one is it?")
	if len(asked) == 1 {
		t.Reply = t.say("이렇게 이해했어요. 맞나요?", "This is how I understood it. Is that right?")
	}
	return true
}

// offers are the ways in which the rooms would take the message that are worth a look, found once for a reading.
func (m *Manager) offers(ctx context.Context, t *Turn) []frontdesk.Offer {
	if t.offered.of != t.reading {
		t.offered.of, t.offered.list = t.reading, slices.Clip(m.offersFrom(ctx, t, frontdesk.Worth))
	}
	return t.offered.list
}

// offersFrom are the ways in which the rooms would take the message, those from a probability on.
func (m *Manager) offersFrom(ctx context.Context, t *Turn, least float64) []frontdesk.Offer {
	return m.deps.Front.Offers(ctx, m.looked(t, t.Text), *t.reading, t.Lang, least)
}

// ask makes buttons of what is offered. wrong is the turn that took the message wrongly.
func (m *Manager) ask(t *Turn, about *meaning, wrong string) {
	t.Meaning, t.Buttons, t.Next = about, nil, event.NextConfirm
	none := frontdesk.Offer{Key: frontdesk.KeyNone, Title: t.say("아니에요", "None of these")}
	if len(about.Offered) == 1 {
		none.Title = t.say("아니에요", "No")
	}
	for _, o := range append(slices.Clone(about.Offered), none) {
		t.Buttons = append(t.Buttons, event.Button{ID: strings.Join([]string{meanAction + about.Of, t.ID, wrong, o.Key}, ":"), Label: o.Title})
	}
}

// uncertain tells whether code would take the message in a way that is better asked about, and asks. With a model on duty that is
// for the model to say.
func (m *Manager) uncertain(ctx context.Context, t *Turn, running []provider.RunningJob) bool {
	if !m.plain() && !t.alone || t.reading == nil || frontdesk.Sure(t.reading.Guesses[0].P, t.reading.Guesses.Idle(), false) {
		return false
	}
	brief := m.planning(ctx, t, running)
	plan, ok := m.deps.Planner.Reads(ctx, brief)
	if !ok {
		return false
	}
	if plan.Asks || len(plan.Shown) > 0 { // what is under way makes it clear
		return false
	}
	if plan.Route == provider.RouteAnswer {
		q := t.Inquiry
		return (q == nil || q.Before == nil || agent.Concerns(t.Text, true) == 0) && m.doubts(ctx, t, "")
	}
	taken := tookTool(plan)
	if taken == "" {
		return false
	}
	brief.Background, brief.Running = interpreter.Background{}, nil
	if alone, ok := m.deps.Planner.Reads(ctx, brief); !ok || tookTool(alone) != taken {
		return false // what was said before makes it clear
	}
	return m.doubts(ctx, t, taken)
}

// changes tells whether what a model planned would change something of the customer's and is better asked about, and asks.
func (m *Manager) changes(ctx context.Context, t *Turn, taken string) bool {
	if taken == "" || t.reading == nil || frontdesk.Sure(t.reading.Guesses[0].P, t.reading.Guesses.Idle(), true) {
		return false
	}
	costly := slices.ContainsFunc(m.offers(ctx, t), func(o frontdesk.Offer) bool { return o.Key == taken && o.Harm >= frontdesk.HarmChange })
	if !costly || !m.doubts(ctx, t, taken) {
		return false
	}
	t.Plan, t.Thought, t.Worded = nil, "", false
	return true
}

// tookTool is the reading of a plan that is one step with one tool.
func tookTool(plan provider.Plan) string {
	if plan.Route != provider.RouteJobs || plan.Stop != nil || len(plan.Jobs) != 1 || len(plan.Jobs[0].Todos) != 1 {
		return ""
	}
	return frontdesk.KeyTool + plan.Jobs[0].Todos[0].Tool
}

// tookCounter is the reading by which a message came to the counter, which had nothing open.
func (m *Manager) tookCounter(t *Turn) string {
	c := t.Counter
	if c == nil || c.Verb != service.VerbNone {
		return ""
	}
	if c.Query != "" {
		return frontdesk.KeyQuery + c.Service + "/" + c.Query
	}
	if manifest, ok := m.deps.Counter.Book.ByIntent(c.Certain); ok && c.Fresh {
		return frontdesk.KeyService + manifest.ID
	}
	return ""
}

// mean goes on with the message of a button in the reading that the customer chose. Whatever the wrong reading began is called off.
func (m *Manager) mean(ctx context.Context, t *Turn) (graph.Move, error) {
	parts := strings.SplitN(strings.TrimPrefix(t.Action, meanAction), ":", 4)
	if len(parts) != 4 {
		return m.noButton(t)
	}
	of, asker, wrong, key := parts[0], parts[1], parts[2], parts[3]
	msg, err := m.said(ctx, t.Chat, of)
	if err != nil {
		return m.overdue(t, err)
	}
	t.Text, t.About, t.Attachments, t.reading, t.Meaning = msg.Text, msg.About, msg.Attachments, nil, &meaning{Of: of, Key: key}
	if err := m.turnDown(ctx, t, asker, key == frontdesk.KeyNone); err != nil {
		return graph.Move{}, err
	}
	t.Lang = m.tongue(t.Chat, msg.Text)
	if key == frontdesk.KeyNone {
		return m.whatThen(ctx, t, wrong, t.say("그럼 무엇을 해 드릴까요? 다르게 말해 주셔도 좋아요.", "What shall I do then? You may also put it differently."))
	}
	if err := m.callOff(ctx, t, wrong); err != nil {
		return graph.Move{}, err
	}
	return m.takeAs(ctx, t, key)
}

// takeAs sends the message to the room of a reading.
func (m *Manager) takeAs(ctx context.Context, t *Turn, key string) (graph.Move, error) {
	if tool, ok := strings.CutPrefix(key, frontdesk.KeyTool); ok {
		tool, which, _ := strings.Cut(tool, "/")
		if tool == m.deps.TableTool {
			m.meansTable(ctx, t, which)
		}
		brief := m.planning(ctx, t, nil)
		brief.Meant = tool
		plan, ok := m.deps.Planner.Reads(ctx, brief)
		if !ok || tookTool(plan) != frontdesk.KeyTool+tool {
			return m.overdue(t, apperr.New(apperr.NotFound, "what", "tool", "id", tool))
		}
		t.Plan = &plan
		return graph.To(nodeJobs).Soon(), nil
	}
	if key == frontdesk.KeyLibrary && m.deps.Library != nil {
		t.inquires(nil)
		if t.Meaning.Off != "" {
			t.Lead = t.Meaning.Off + "\n\n"
		}
		return graph.To(nodeLibrary), nil
	}
	if m.deps.Counter == nil {
		return m.noButton(t)
	}
	if t.Counter == nil {
		open, err := m.deps.Store.Counter(ctx, t.Chat)
		if err != nil {
			return graph.Move{}, err
		}
		t.Counter = &CounterTurn{Open: open}
	}
	if id, ok := strings.CutPrefix(key, frontdesk.KeyService); ok {
		if manifest, ok := m.deps.Counter.Book.Get(id); ok {
			t.Counter.Certain, t.Counter.Fresh = manifest.Intent, true
			return graph.To(nodeIntent), nil
		}
	}
	if id, ok := strings.CutPrefix(key, frontdesk.KeyQuery); ok {
		t.Counter.Certain = service.General
		t.Counter.Service, t.Counter.Query, _ = strings.Cut(id, "/")
		return graph.To(nodeIntent), nil
	}
	return m.noButton(t)
}

// amiss offers the next readings of a message whose turn took it wrongly.
func (m *Manager) amiss(ctx context.Context, t *Turn) (graph.Move, error) {
	wrong := strings.TrimPrefix(t.Action, amissAction)
	of := wrong
	if m.deps.Readings != nil {
		kept, ok, err := m.deps.Readings.Kept(ctx, wrong)
		if err != nil {
			return graph.Move{}, err
		}
		if ok && kept.Of != "" {
			of = kept.Of
		}
	}
	msg, err := m.said(ctx, t.Chat, of)
	if err != nil {
		return m.overdue(t, err)
	}
	t.Text, t.About, t.Attachments, t.reading, t.Meaning = msg.Text, msg.About, msg.Attachments, nil, &meaning{Of: of}
	if err := m.turnDown(ctx, t, wrong, false); err != nil {
		return graph.Move{}, err
	}
	t.Lang = m.tongue(t.Chat, msg.Text)
	return m.whatThen(ctx, t, wrong, t.say("제가 잘못 알아들었군요. 어떤 뜻이었나요?", "I took that wrongly, then. What did you mean?"))
}

// turnDown notes the readings of the message that were not meant: as a turn took it and those turned down before it, and what the
// customer was asked about and now says no to.
func (m *Manager) turnDown(ctx context.Context, t *Turn, turn string, all bool) error {
	if m.deps.Readings == nil {
		return nil
	}
	kept, ok, err := m.deps.Readings.Kept(ctx, turn)
	if err != nil || !ok {
		return err
	}
	t.Meaning.TurnedDown = kept.TurnedDown
	if kept.Taken != "" {
		t.Meaning.TurnedDown = append(t.Meaning.TurnedDown, kept.Taken)
	}
	if all {
		for _, o := range kept.Offered {
			t.Meaning.TurnedDown = append(t.Meaning.TurnedDown, o.Key)
		}
	}
	return nil
}

// whatThen asks what is meant instead, and names what comes nearest.
func (m *Manager) whatThen(ctx context.Context, t *Turn, wrong, question string) (graph.Move, error) {
	t.Reply, t.Next = question, event.NextNone
	if m.deps.Front == nil {
		return graph.To(nodeSave), nil
	}
	t.at = m.deps.Now()
	read := m.deps.Front.Read(ctx, m.looked(t, t.Text))
	t.reading = &read
	about := *t.Meaning
	if about.Offered = frontdesk.Nearest(m.offersFrom(ctx, t, 0), about.TurnedDown); len(about.Offered) == 0 {
		t.Reply += t.say(" 다른 말로 다시 말씀해 주세요.", " Please put it in other words.")
		return graph.To(nodeSave), nil
	}
	m.ask(t, &about, wrong)
	return graph.To(nodeSave), nil
}

// nearest makes a button of each request that comes near to what was not understood: it says it.
func (m *Manager) nearest(ctx context.Context, t *Turn) {
	if m.deps.Front == nil || t.Counter != nil && len(t.Counter.Open) > 0 { // what stands open at the counter is asked about instead
		return
	}
	said := m.looked(t, t.Text)
	if t.reading == nil {
		read := m.deps.Front.Read(ctx, said)
		t.reading = &read
	}
	for _, near := range m.deps.Front.Near(said, *t.reading, t.Lang) {
		t.Buttons = append(t.Buttons, event.Button{ID: sayAction + near.Text, Label: near.Text})
	}
	if len(t.Buttons) > 0 {
		t.Reply += t.say(" 이런 부탁은 할 수 있어요.", " These are requests I can do.")
	}
}

// callOff ends what a turn began that took its message wrongly, in the step in which the right reading takes hold: its jobs, and what
// it opened at the counter. What was confirmed there stands.
func (m *Manager) callOff(ctx context.Context, t *Turn, wrong string) error {
	if wrong == "" {
		return nil
	}
	running, err := m.deps.Store.ChatJobs(ctx, t.Chat, 0)
	if err != nil {
		return err
	}
	begun := running[:0:0]
	for _, j := range running {
		if j.Turn == wrong {
			begun = append(begun, j)
		}
	}
	if m.deps.Counter != nil {
		open, err := m.deps.Store.Counter(ctx, t.Chat)
		if err != nil {
			return err
		}
		t.Counter = &CounterTurn{Open: open}
		for _, s := range open {
			switch {
			case s.ID != wrong:
			case s.Stage == service.Filling || s.Stage == service.Ready:
				m.keep(t, s, true)
			default: // its job is no longer this turn's to stop
				begun = slices.DeleteFunc(begun, func(j job.Job) bool { return j.ID == s.Job })
			}
		}
	}
	for _, j := range begun {
		t.out.Stop = append(t.out.Stop, j.ID)
	}
	if len(begun) > 0 {
		t.Meaning.Off = t.stopping(begun)
	}
	return nil
}

// noButton answers a button that nobody knows.
func (m *Manager) noButton(t *Turn) (graph.Move, error) {
	return m.overdue(t, apperr.New(apperr.NotFound, "what", t.say("버튼", "button"), "id", t.Action))
}

// overdue answers a button whose message, or what it offers, is not there any more.
func (m *Manager) overdue(t *Turn, err error) (graph.Move, error) {
	if code := apperr.CodeOf(err); code != apperr.NotFound {
		return graph.Move{}, err
	}
	t.fail(err)
	return graph.To(nodeSave), nil
}

// keepReading keeps how the message was read, and what came of it.
func (m *Manager) keepReading(t *Turn) {
	if m.deps.Readings == nil || t.reading == nil && t.Meaning == nil {
		return
	}
	k := frontdesk.Kept{ID: t.ID, Chat: t.Chat, At: m.readAt(t), Text: t.Text}
	if t.reading != nil {
		k.Guesses, k.Evidence = t.reading.Best(), t.reading.Evidence
	}
	k.Model = t.Plan != nil && t.Worded || t.Counter != nil && t.Counter.Certain == "" && !m.plain()
	switch {
	case t.Meaning != nil && len(t.Meaning.Offered) > 0:
	case t.Inquiry != nil && t.Inquiry.Answer != "":
		k.Taken = frontdesk.KeyLibrary
	case t.Plan != nil && len(t.Jobs) > 0:
		k.Taken, k.Title = tookTool(*t.Plan), t.Plan.Jobs[0].Title
	case t.Counter != nil:
		k.Taken = m.tookCounter(t)
	}
	if about := t.Meaning; about != nil {
		k.Offered, k.TurnedDown = about.Offered, about.TurnedDown
		if about.Of != t.ID {
			k.Of = about.Of
		}
	}
	m.deps.Readings.Keep(k)
}
