package manager

import (
	"context"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/hangul"
	"agentchat/backend/language/slot"
	"agentchat/backend/standing"
	"agentchat/backend/undolog"
)

// standingAction is the prefix of buttons about standing orders; a verb, a colon and the order follow.
const standingAction = "standing:"

// What a turn does with standing orders besides the verbs of one: it proposes one, shows them all, asks which is meant, changes when one
// runs, asks before it deletes one, says which moments it cannot keep, or leaves everything as it is.
const (
	verbPropose standing.Verb = "propose"
	verbList    standing.Verb = "list"
	verbWhich   standing.Verb = "which"
	verbAmend   standing.Verb = "amend"
	verbRemove  standing.Verb = "remove"
	verbLeave   standing.Verb = "leave"
	verbShow    standing.Verb = "show"
	verbUnread  standing.Verb = "unread"
)

// StandingOrders is what the manager needs of the standing orders.
type StandingOrders interface {
	// Read reads what a text says of when something happens again and again.
	Read(text string) slot.Recurrence
	// When reads what it says of what sets an order off; ok is false when it says nothing of that. Trigger finds the folder of it.
	When(text string) (c standing.Condition, ok bool)
	Trigger(ctx context.Context, c standing.Condition) (*standing.Trigger, error)
	Propose(ctx context.Context, o standing.Order, said slot.Recurrence) (standing.Order, error)
	Amend(ctx context.Context, id, anewID string, anew slot.Recurrence) (standing.Order, error)
	// Move has an order that watches a folder watch another.
	Move(ctx context.Context, id, anewID, said string) (standing.Order, error)
	// Shift has an order run so much later, or, where that is zero, by a rule.
	Shift(ctx context.Context, id string, by time.Duration, rule string) (standing.Order, error)
	List(ctx context.Context) ([]standing.Order, error)
	Get(ctx context.Context, id string) (standing.Order, error)
	Do(ctx context.Context, d standing.Command) (standing.Order, error)
	Moments(o standing.Order, n int) ([]time.Time, error)
	// Asks tells whether a tool may ask before it does something.
	Asks(tool string) bool
}

// standingRun is the run of a standing order that a turn is. Late says what set it off and why it comes late, if that is so. About is the
// file that the order speaks of, and Request the order with its name: other people's words, never the customer's.
type standingRun struct {
	event.StandingRef

	Late    string `json:"late,omitempty"`
	About   string `json:"about,omitempty"`
	Request string `json:"request,omitempty"`
}

// request is what a turn has planned: the customer's words, and in the run of a standing order the name of the file they speak of.
func (t *Turn) request() string {
	if t.Standing != nil && t.Standing.Request != "" {
		return t.Standing.Request
	}
	return t.Text
}

// standingCommand is what a turn does with standing orders. It is journaled before it is done, so that it is done once.
type standingCommand struct {
	Verb   standing.Verb `json:"verb"`
	Order  string        `json:"order,omitempty"`
	Due    time.Time     `json:"due,omitzero"`     // skip: the moment
	Orders []string      `json:"orders,omitempty"` // which: those that may be meant
	For    standing.Verb `json:"for,omitempty"`    // which: what shall be done with it
	What   string        `json:"what,omitempty"`   // propose: what is to be done
	Does   string        `json:"does,omitempty"`   // propose: how that was understood
	By     time.Duration `json:"by,omitempty"`     // amend: it runs so much later
	Rule   string        `json:"rule,omitempty"`   // amend: or by this rule
	Folder string        `json:"folder,omitempty"` // amend: or for what happens in this folder
	Asks   bool          `json:"asks,omitempty"`   // propose: each run asks before it does something
	On     bool          `json:"on,omitempty"`     // propose: it is set off by what happens
}

// ticket is what a turn's tickets carry of the standing order's run that it is.
func (t *Turn) ticket() *job.Standing {
	if t.Standing == nil {
		return nil
	}
	return &job.Standing{Order: t.Standing.ID, Run: t.ID, About: t.Standing.About}
}

// RunStanding opens the turn that does what a standing order says, in the transaction that claims its moment. From then on it is a
// message of the customer's like any other: planned now, with what they agreed to and no more.
func (m *Manager) RunStanding(ctx context.Context, c standing.Claim) (claimed bool, err error) {
	turn := Turn{
		ID: c.Turn, Chat: c.Order.Chat, Text: c.Order.What, Lang: c.Order.Lang, Message: m.deps.NewID(),
		Standing: &standingRun{StandingRef: *c.Order.Ref(), Late: standing.LateWords(c)},
	}
	if names := c.Names(); len(names) == 1 && c.Order.Points() {
		turn.Standing.About, turn.Standing.Request = names[0], c.Order.With(names[0])
	}
	msg := m.message(turn)
	msg.Standing = c.Order.Ref()
	done, err := m.saying(ctx, turn.Chat)
	if err != nil {
		return false, err
	}
	defer done()
	if claimed, err = m.deps.Store.AddRun(ctx, c, &turn, msg); err != nil || !claimed {
		return false, err
	}
	m.deps.Publisher.Publish(event.Of(turn.Chat, "", msg))
	m.enqueue(Pending{Turn: turn})
	return true, nil
}

// standing does with standing orders what the turn was found to be about.
func (m *Manager) standing(ctx context.Context, t *Turn) (graph.Move, error) {
	ctx = undolog.Under(ctx, undolog.Turn(t.ID, t.Chat))
	t.Next = event.NextNone
	err := m.command(ctx, t, *t.Command)
	switch {
	case ctx.Err() != nil:
		return graph.Move{}, ctx.Err()
	case err != nil:
		t.fail(err)
	}
	return graph.To(nodeSave), nil
}

// command does what was commanded and words the reply.
func (m *Manager) command(ctx context.Context, t *Turn, d standingCommand) error {
	switch d.Verb {
	case verbPropose:
		o, err := m.propose(ctx, t, d)
		if err == nil {
			m.showProposal(t, o, d)
		}
		return err
	case verbAmend:
		return m.amend(ctx, t, d)
	case verbList:
		return m.listStanding(ctx, t)
	case verbWhich:
		return m.askWhich(ctx, t, d)
	case verbUnread:
		t.Reply = t.say("‘"+d.What+"’: 이런 때는 정기 주문으로 둘 수 없어서 아무것도 하지 않았어요. ‘매일 8시’, ‘매주 금요일 오후 5시’, ‘매달 31일’, ‘두 시간마다’처럼 말씀해 주세요.",
			"“"+d.What+"”: I cannot keep such moments, so nothing was done. Say it like “every day at 8”, “every Friday at 5 PM”, “on the 31st of every month” or “every 2 hours”.")
		return nil
	case verbLeave:
		t.Reply = t.say("그대로 둘게요.", "I leave it as it is.")
		return nil
	case verbShow, standing.Edit, verbRemove:
		o, err := m.deps.Standing.Get(ctx, d.Order)
		if err == nil {
			m.askAbout(t, d, o)
		}
		return err
	default:
		return m.carryOut(ctx, t, d)
	}
}

// carryOut does with an order what needs no more words.
func (m *Manager) carryOut(ctx context.Context, t *Turn, d standingCommand) error {
	o, err := m.deps.Standing.Do(ctx, standing.Command{Order: d.Order, Verb: d.Verb, Due: d.Due, Turn: "now-" + t.ID})
	if err != nil {
		return err
	}
	t.Reply = m.did(t, d.Verb, o)
	if d.Verb != standing.Now && d.Verb != standing.Drop {
		t.speaks(false, referent{Order: o.ID, Verb: d.Verb, Use: undolog.Turn(t.ID, t.Chat).ID})
	}
	return nil
}

// askAbout asks what is still to be said of an order before anything is done with it: whether it shall be kept as it is shown, when
// it shall run instead, or whether it shall really go.
func (m *Manager) askAbout(t *Turn, d standingCommand, o standing.Order) {
	switch d.Verb {
	case standing.Edit:
		t.Reply = t.say("언제로 할까요? ‘7시로’, ‘평일만’, ‘12월 3일까지’처럼 말씀해 주세요. 할 일을 바꾸려면 처음부터 다시 말씀해 주세요.",
			"When should it be? Say it like “at 7”, “on weekdays” or “until December 3”. To change what is done, say all of it again.")
		m.offerProposal(t, o)
		t.Next = event.NextInput
	case verbRemove:
		t.Reply = t.say("정기 주문 "+object(o)+" 지울까요? 지난 기록도 함께 지워져요.", "Delete the standing order “"+o.What+"”, with the record of its runs?")
		t.Buttons = []event.Button{m.standingButton(t, standing.Delete, o.ID), m.standingButton(t, verbLeave, o.ID)}
		t.Next = event.NextConfirm
	default:
		m.showProposal(t, o, d)
	}
}

// amend changes when an order runs or where it waits: by a span or a rule that code worked out, by a folder, or by what the message
// says.
func (m *Manager) amend(ctx context.Context, t *Turn, d standingCommand) error {
	was := m.ruleOf(ctx, d.Order)
	switch {
	case d.By != 0 || d.Rule != "":
		o, err := m.deps.Standing.Shift(ctx, d.Order, d.By, d.Rule)
		if err == nil {
			m.sayChanged(t, o, standing.Say(was, t.Lang)+" → ", referent{Order: o.ID, Verb: verbAmend, Was: was})
		}
		return err
	case d.Folder != "":
		o, err := m.deps.Standing.Move(ctx, d.Order, t.ID, d.Folder)
		if err == nil {
			m.showAmended(t, o, d, referent{Order: o.ID, Verb: verbShow})
		}
		return err
	}
	o, err := m.deps.Standing.Amend(ctx, d.Order, t.ID, m.deps.Standing.Read(t.Text))
	if err == nil {
		m.showAmended(t, o, d, referent{Order: o.ID, Verb: verbAmend, Was: was})
	}
	return err
}

// showAmended shows an order that was changed: one that is only proposed is proposed anew.
func (m *Manager) showAmended(t *Turn, o standing.Order, d standingCommand, speaksOf referent) {
	if o.State == standing.Proposed {
		m.showProposal(t, o, d)
		return
	}
	m.sayChanged(t, o, "", speaksOf)
}

func (m *Manager) sayChanged(t *Turn, o standing.Order, from string, speaksOf referent) {
	t.Reply = t.say("바꿨어요. ", "Changed. ") + from + m.sentence(t, o)
	t.speaks(false, speaksOf)
}

// propose makes an order of what was said, to be agreed to.
func (m *Manager) propose(ctx context.Context, t *Turn, d standingCommand) (standing.Order, error) {
	o := standing.Order{ID: t.ID, Chat: t.Chat, Text: t.Text, What: d.What, Lang: t.Lang}
	said := m.deps.Standing.Read(t.Text)
	if !d.On {
		return m.deps.Standing.Propose(ctx, o, said)
	}
	c, _ := m.deps.Standing.When(t.Text)
	var err error
	if o.Trigger, err = m.deps.Standing.Trigger(ctx, c); err != nil {
		return o, err
	}
	_, said = m.besidesWhen(t.Text, c)
	return m.deps.Standing.Propose(ctx, o, said)
}

// ruleOf is when an order runs; "" when that is not known.
func (m *Manager) ruleOf(ctx context.Context, id string) string {
	o, err := m.deps.Standing.Get(ctx, id)
	if err != nil || o.State == standing.Proposed {
		return ""
	}
	return o.Rule
}

func (m *Manager) did(t *Turn, verb standing.Verb, o standing.Order) string {
	switch verb {
	case standing.Keep:
		if o.State != standing.Active {
			return t.say("그런 때는 이제 오지 않아서 두지 않았어요.", "That moment does not come any more, so it was not kept.")
		}
		return t.say("정기 주문으로 두었어요. ", "It is a standing order now. ") + m.sentence(t, o)
	case standing.Drop:
		return t.say("두지 않았어요.", "It was not kept.")
	case standing.Pause:
		return t.say("정기 주문 "+object(o)+" 멈췄어요. ‘정기 주문 다시 시작해줘’라고 하시면 이어서 해요.", "The standing order “"+o.What+"” is paused. Say “resume the standing order” to go on with it.")
	case standing.Resume:
		return t.say("다시 시작했어요. ", "It goes on. ") + m.sentence(t, o)
	case standing.Now:
		return t.say("정기 주문 "+object(o)+" 지금 한 번 할게요.", "Running the standing order “"+o.What+"” now.")
	case standing.Skip:
		return t.say("다음 한 번을 건너뛸게요. ", "The next one is skipped. ") + m.sentence(t, o)
	case standing.Edit, standing.Delete:
	}
	return t.say("정기 주문 "+object(o)+" 지웠어요.", "The standing order “"+o.What+"” is deleted.")
}

// object names an order in Korean as what something is done with.
func object(o standing.Order) string { return hangul.With("‘"+o.What+"’", "을", "를") }

// sentence says of an order when it runs, what it does and when it does so next.
func (m *Manager) sentence(t *Turn, o standing.Order) string {
	text := "**" + o.Say(t.Lang) + "** — " + o.What
	if o.State == standing.Paused {
		return text + t.say(" (멈춤)", " (paused)")
	}
	if o.Trigger != nil && o.State == standing.Active {
		return text
	}
	moments, err := m.deps.Standing.Moments(o, 1)
	if err != nil || len(moments) == 0 || o.State == standing.Ended {
		return text + t.say(" (끝남)", " (over)")
	}
	return text + t.say(" (다음: ", " (next: ") + standing.Moment(moments[0], t.Lang) + ")"
}

// showProposal shows an order that was not agreed to yet, with its next moments and what its runs will ask about.
func (m *Manager) showProposal(t *Turn, o standing.Order, d standingCommand) {
	moments, err := m.deps.Standing.Moments(o, standing.Upcoming)
	if err != nil {
		t.fail(err)
		return
	}
	var next []string
	for _, at := range moments {
		next = append(next, "- "+standing.Moment(at, t.Lang))
	}
	lines := []string{
		t.say("이렇게 정기 주문으로 둘까요?", "Shall I keep this as a standing order?"), "",
		"**" + o.Say(t.Lang) + "** — " + o.What, "",
	}
	if o.Trigger == nil {
		lines = append(lines, t.say("다음 차례:", "Next:"), strings.Join(next, "\n"), "")
	} else {
		if o.Trigger.On == standing.OnFile {
			lines = append(lines, t.say("지금 있는 파일은 그대로 두고, 이제부터의 것만 봐요.", "What is there now is left alone; it counts from now on."))
		}
		lines = append(lines, t.say("이 주문이 스스로 한 일 때문에 다시 하지는 않아요.", "What this order does itself does not set it off again."))
	}
	if d.Does != "" {
		lines = append(lines, t.say("하는 일: ", "What it does: ")+d.Does+".")
	}
	if d.Asks {
		lines = append(lines, t.say("무엇을 바꾸거나 보내기 전에는 할 때마다 먼저 여쭤봐요.", "Before it changes or sends anything it asks, each time."))
	} else {
		lines = append(lines, t.say("보기만 하는 일이라 묻지 않고 해요.", "It only looks things up, so it does not ask."))
	}
	t.Reply = strings.Join(lines, "\n")
	m.offerProposal(t, o)
	t.Next = event.NextConfirm
}

func (m *Manager) offerProposal(t *Turn, o standing.Order) {
	for _, verb := range []standing.Verb{standing.Keep, standing.Edit, standing.Drop} {
		t.Buttons = append(t.Buttons, m.standingButton(t, verb, o.ID))
	}
}

func (m *Manager) standingButton(t *Turn, verb standing.Verb, order string) event.Button {
	id := standingAction + string(verb) + ":" + order
	return event.Button{ID: id, Label: standingLabel(id, t.Lang)}
}

// standingLabel is what a button about standing orders says.
func standingLabel(action string, lang bilingual.Lang) string {
	verb, _, _ := strings.Cut(strings.TrimPrefix(action, standingAction), ":")
	switch standing.Verb(verb) {
	case standing.Keep:
		return bilingual.Say(lang, "네, 그렇게 해 줘", "Yes, keep it")
	case standing.Edit:
		return bilingual.Say(lang, "고치기", "Edit")
	case standing.Drop, verbLeave:
		return bilingual.Say(lang, "아니요", "No")
	case standing.Pause:
		return bilingual.Say(lang, "멈추기", "Pause")
	case standing.Resume:
		return bilingual.Say(lang, "다시 시작", "Resume")
	case standing.Now:
		return bilingual.Say(lang, "지금 실행", "Run now")
	case standing.Skip:
		return bilingual.Say(lang, "한 번 건너뛰기", "Skip once")
	case standing.Delete:
		return bilingual.Say(lang, "네, 지워요", "Yes, delete it")
	case verbRemove:
		return bilingual.Say(lang, "지우기", "Delete")
	}
	return action
}

func (m *Manager) listStanding(ctx context.Context, t *Turn) error {
	list, err := m.deps.Standing.List(ctx)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		t.Reply = t.say("정기 주문이 없어요. ‘매일 아침 8시에 서울 날씨 알려줘’처럼 말씀해 주세요.", "There are no standing orders. Say it like “every morning at 8 tell me the weather in Seoul”.")
		return nil
	}
	var shown []referent
	lines := []string{bilingual.Say(t.Lang, "정기 주문이 %d개 있어요.", "Standing orders: %d.", len(list)), ""}
	for _, o := range list {
		lines = append(lines, "- "+m.sentence(t, o))
		shown = append(shown, referent{Order: o.ID})
	}
	t.speaks(true, shown...)
	t.Reply = strings.Join(lines, "\n")
	return nil
}

// askWhich asks which of several orders is meant; where none fits it says so and shows what there is.
func (m *Manager) askWhich(ctx context.Context, t *Turn, d standingCommand) error {
	list, err := m.deps.Standing.List(ctx)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(o standing.Order) bool { return !slices.Contains(d.Orders, o.ID) })
	if len(list) == 0 {
		err := m.listStanding(ctx, t)
		t.Reply = t.say("그런 정기 주문을 찾지 못했어요. ", "I found no such standing order. ") + t.Reply
		return err
	}
	t.Reply = t.say("어느 정기 주문인가요?", "Which standing order?")
	for _, o := range list {
		b := m.standingButton(t, d.For, o.ID)
		b.Label = o.Say(t.Lang) + " — " + o.What
		t.Buttons = append(t.Buttons, b)
	}
	t.Buttons = append(t.Buttons, m.standingButton(t, verbLeave, "none"))
	t.Next = event.NextConfirm
	return nil
}

// commandOf is what a button about standing orders does.
func (m *Manager) commandOf(ctx context.Context, action string) (*standingCommand, error) {
	verb, id, _ := strings.Cut(strings.TrimPrefix(action, standingAction), ":")
	d := &standingCommand{Verb: standing.Verb(verb), Order: id}
	if d.Verb != standing.Skip {
		return d, nil
	}
	o, err := m.deps.Standing.Get(ctx, id)
	if apperr.CodeOf(err) == apperr.NotFound {
		return d, nil // whoever does it says so
	}
	d.Due = o.Next
	return d, err
}
