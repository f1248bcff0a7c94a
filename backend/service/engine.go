package service

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/ground"
)

// DefaultFillTurns is how many turns may go by without all values, unless the manifest says otherwise.
const DefaultFillTurns = 5

// Extraction is what the customer's words gave, found and checked against them by code.
type Extraction struct {
	Set   Values   // values for the task at hand
	Clear []string // slots to empty
	Tasks []Values // several tasks at once
	// Problems are the slots for which the words hold something that cannot be taken, and why.
	Problems map[string]ground.Problem
	// Unkept is what the words say about when that no slot can hold.
	Unkept []string
	// Besides is other work that the words ask for and the service does not do.
	Besides []string
	// Says is said before what is asked.
	Says string
	// Doubt says that something was proposed which the words do not hold; it was dropped.
	Doubt bool
	// Wording is a model's sentence for the next question; it is used only if it keeps to the facts.
	Wording *Wording
}

// Output is the result of one step of the engine: what is shown, and what is to be done.
type Output struct {
	Message string
	Next    event.NextAction
	Buttons []event.Button
	Stage   Stage  // the stage the step led to, before the next task of a batch was taken up
	Order   *Order // a task to hand out; set only by Confirm
	Over    bool   // the session has ended
}

// Order is a confirmed task: the tool and exactly the arguments that were on show.
type Order struct {
	Mark  string // what was on show; it is used up by this order
	Tool  string
	Title string
	Args  json.RawMessage
	Index int
	Total int
	Slots Values
}

// Result is how an order ended. Text says in the customer's language what went wrong, or adds to what went well.
type Result struct {
	OK   bool
	Text string
	Code apperr.Code
	Data json.RawMessage
}

// Apply applies what the customer said to the session: INIT → FILLING or READY, and so on.
func (m *Manifest) Apply(s Session, h Extraction, today string) (Session, Output, error) {
	s = s.clone()
	if s.Stage != Init && s.Stage != Filling && s.Stage != Ready {
		return s, Output{}, s.to(Ready) // not in the table: nothing may be changed now
	}
	clear(s.Errors)
	s.Skipped = false
	before := s.Token()
	fresh, added := s.Stage == Init, m.work(&s, h, today)
	if err := m.settle(&s); err != nil {
		return s, Output{}, err
	}
	if name := h.unsaid(s); name != "" && s.Stage == Ready { // it was said, and nobody knows what it is
		s.Asked = name
		if err := s.to(Filling); err != nil {
			return s, Output{}, err
		}
	}
	if s.Stage == Filling {
		if s.FillTurns++; s.FillTurns > m.fillTurns() {
			if err := s.to(Unsupported); err != nil {
				return s, Output{}, err
			}
			return m.next(s, msgUnable, Result{}, today)
		}
	}
	out := m.question(&s, opening(s, fresh, added))
	switch {
	case s.Stage == Ready && !fresh && added == 0 && before == s.Token() && len(s.Errors) == 0:
		out.Message = m.say(s, msgUnclear) + " " + out.Message
	case s.Stage == Filling:
		if h.Wording.keeps(m, s) {
			out.Message = h.Wording.Text + m.place(s)
		}
	}
	if len(h.Unkept) > 0 { // before anything of it can be confirmed
		out.Message = m.common(s.Lang, "unkept") + " " + strings.Join(h.Unkept, ", ") + ".\n" + out.Message
	}
	if h.Says != "" {
		out.Message = h.Says + "\n" + out.Message
	}
	if len(h.Besides) > 0 {
		out.Message += "\n\n" + m.common(s.Lang, "besides") + " " + strings.Join(h.Besides, ", ")
	}
	return s, out, nil
}

// work applies the values found in the customer's words to the session, and gives how many tasks were added.
func (m *Manifest) work(s *Session, h Extraction, today string) (added int) {
	switch {
	case len(h.Tasks) > 0 && s.Stage == Ready:
		return m.enqueue(s, h.Tasks)
	case len(h.Tasks) > 0:
		m.apply(s, h.Tasks[0], today)
		m.enqueue(s, h.Tasks[1:])
		return 0
	}
	for _, name := range h.Clear {
		delete(s.Slots, name)
	}
	m.apply(s, h.Set, today)
	for name, problem := range h.Problems {
		if _, taken := h.Set[name]; !taken {
			s.Errors[name] = m.common(s.Lang, "problem_"+string(problem))
		}
	}
	return 0
}

// opening is the message that asks to confirm; it depends on how the task became current.
func opening(s Session, fresh bool, added int) string {
	switch {
	case !s.batch():
		return msgReady
	case fresh && s.Progress == 0 || added > 0:
		return msgFirst
	}
	return msgAgain
}

// enqueue puts tasks into the queue, as many as the policy allows, and gives how many.
func (m *Manifest) enqueue(s *Session, tasks []Values) int {
	room := m.batchMax() - s.Total
	n := max(min(len(tasks), room), 0)
	for _, t := range tasks[:n] {
		s.Queue = append(s.Queue, maps.Clone(t))
	}
	s.Total += n
	return n
}

// apply sets the values that pass their checks. A value that does not leaves its slot unchanged, with an error. A value that the tool would
// refuse leaves its slot empty, so that it cannot be confirmed.
func (m *Manifest) apply(s *Session, values Values, today string) {
	for i := range m.Slots {
		slot := &m.Slots[i]
		value, ok := values[slot.Name]
		if !ok {
			continue
		}
		value = m.whole(slot, value)
		trial := maps.Clone(s.Slots)
		trial[slot.Name] = value
		if wrong := slot.wrong(value, trial, today, s.Lang); wrong != "" {
			s.Errors[slot.Name] = wrong
			continue
		}
		s.Slots = trial
	}
	for name, wrong := range m.refused(*s) {
		s.Errors[name] = wrong
		s.Slots = maps.Clone(s.Slots)
		delete(s.Slots, name)
	}
}

// refused says by slot what the tool would not carry out as the values stand, and why.
func (m *Manifest) refused(s Session) map[string]string {
	if m.examine == nil || len(s.Slots) == 0 {
		return nil
	}
	args, err := m.arguments(s.Slots)
	if err != nil {
		return nil
	}
	wrong := map[string]string{}
	problems := m.examine(m.Tool, args, s.Lang)
	for arg, from := range m.mapping() {
		if text := problems[arg]; text != "" && m.slot(from) != nil {
			wrong[from] = text
		}
	}
	return wrong
}

// settle sets the stage that follows from the session's slots.
func (m *Manifest) settle(s *Session) error {
	if missing := m.Missing(*s); len(missing) > 0 {
		s.Asked = missing[0]
		for name := range s.Errors {
			if slot := m.slot(name); slot != nil && slot.Required {
				s.Asked = name
			}
		}
		return s.to(Filling)
	}
	s.Asked = ""
	return s.to(Ready)
}

// Missing are the empty slots without which the task cannot be done: the required ones, and what a value needs beside it.
func (m *Manifest) Missing(s Session) []string {
	var names []string
	for _, slot := range m.Slots {
		_, ok := s.Slots[slot.Name]
		switch {
		case slot.Required && !ok:
			names = append(names, slot.Name)
		case ok && len(slot.Needs) > 0 && !slices.ContainsFunc(slot.Needs, func(name string) bool { _, ok := s.Slots[name]; return ok }):
			names = append(names, slot.Needs[0])
		}
	}
	return names
}

func (m *Manifest) fillTurns() int {
	if m.MaxFillTurns > 0 {
		return m.MaxFillTurns
	}
	return DefaultFillTurns
}

func (m *Manifest) batchMax() int { return max(m.Batch.Max, 1) }

// Batches tells whether one more of the same may wait while a task is confirmed.
func (m *Manifest) Batches() bool { return m.batchMax() > 1 }

// Confirm hands out the task if the customer was shown exactly this one: seen is the token that was displayed when they said yes. Otherwise
// the task is shown again to be confirmed.
func (m *Manifest) Confirm(s Session, seen string) (Session, Output, error) {
	s = s.clone()
	if s.Stage != Ready || seen == "" || seen != s.Token() {
		out := m.Question(s)
		return s, out, nil
	}
	order := &Order{Mark: seen, Tool: m.Tool, Title: m.ticket(s), Index: s.Index(), Total: s.Total, Slots: maps.Clone(s.Slots)}
	var err error
	if order.Args, err = m.arguments(s.Slots); err != nil {
		return s, Output{}, err
	}
	if err := s.to(Confirmed); err != nil {
		return s, Output{}, err
	}
	return s, Output{Stage: Confirmed, Order: order, Next: event.NextNone}, nil
}

// ticket is what the task is called on the board: 이체 · 엄마 1만원.
func (m *Manifest) ticket(s Session) string {
	parts := []string{}
	for _, slot := range m.Slots {
		if v, ok := s.Slots[slot.Name]; ok && slot.Required {
			parts = append(parts, display(slot, v, s.Lang))
		}
	}
	title := []rune(m.Title.In(s.Lang) + " · " + strings.Join(parts, " "))
	return string(title[:min(len(title), maxTitle)])
}

// maxTitle is how many characters the title of a ticket has at most.
const maxTitle = 80

// arguments maps slots to the tool's arguments.
func (m *Manifest) arguments(slots Values) (json.RawMessage, error) {
	args := map[string]any{}
	maps.Copy(args, m.With)
	for arg, from := range m.mapping() {
		if from == "*" {
			args[arg] = slots
		} else if v, ok := slots[from]; ok {
			args[arg] = v
		}
	}
	return json.Marshal(args)
}

// mapping is Args, or each slot as the argument of its own name.
func (m *Manifest) mapping() map[string]string {
	if len(m.Args) > 0 {
		return m.Args
	}
	same := map[string]string{}
	for _, slot := range m.Slots {
		same[slot.Name] = slot.Name
	}
	return same
}

// Cancel ends the task at hand; in a batch the next one follows. With all the whole session ends.
func (m *Manifest) Cancel(s Session, all bool, today string) (Session, Output, error) {
	s = s.clone()
	if err := s.to(Cancelled); err != nil {
		return s, Output{}, err
	}
	if !all {
		return m.next(s, msgCanceled, Result{}, today)
	}
	s.Cancelled += len(s.Queue) // next counts the one at hand
	s.Progress += len(s.Queue)
	s.Queue = nil
	return m.next(s, msgAllCancel, Result{}, today)
}

// Finish records how the task ended and goes on with the next one.
func (m *Manifest) Finish(s Session, r Result, today string) (Session, Output, error) {
	s = s.clone()
	to, with := Executed, msgDone
	if !r.OK {
		to, with = Failed, msgFailed
	}
	if err := s.to(to); err != nil {
		return s, Output{}, err
	}
	return m.next(s, with, r, today)
}

// next ends the task at hand, saying so, and takes up the next one of the queue.
func (m *Manifest) next(s Session, with string, r Result, today string) (Session, Output, error) {
	ended, slots := s.Stage, s.Slots
	switch ended {
	case Executed:
		s.Executed++
	case Cancelled:
		s.Cancelled++
	case Failed, Unsupported:
		s.Failed++
	case Init, Filling, Ready, Confirmed:
	}
	s.Job, s.FillTurns, s.Asked = "", 0, ""
	s.Skipped = ended == Cancelled
	s.Progress++
	if len(s.Queue) == 0 {
		out := Output{Message: m.farewell(s, with, r), Next: event.NextDone, Stage: ended, Over: true}
		s.Progress = s.Total
		return s, out, nil
	}
	task := s.Queue[0]
	s.Queue = s.Queue[1:]
	s.Slots, s.Errors = Values{}, Values{}
	if err := s.to(Init); err != nil {
		return s, Output{}, err
	}
	m.apply(&s, task, today)
	if err := m.settle(&s); err != nil {
		return s, Output{}, err
	}
	out := m.question(&s, onward(ended))
	out.Stage = ended
	switch {
	case ended == Failed || ended == Unsupported:
		out.Message = m.farewellOne(s, with, r, slots) + "\n" + out.Message
	case s.Stage == Filling && ended == Executed:
		out.Message = m.common(s.Lang, "done_prefix") + " " + out.Message
	case s.Stage == Filling && ended == Cancelled:
		out.Message = m.common(s.Lang, "canceled_prefix") + " " + out.Message
	}
	return s, out, nil
}

// onward is the message that asks about the next task; it depends on how the one before ended.
func onward(ended Stage) string {
	switch ended {
	case Executed:
		return msgNext
	case Cancelled:
		return msgSkipped
	case Init, Filling, Ready, Confirmed, Failed, Unsupported:
	}
	return msgAgain
}

// Question repeats what the customer is asked, for instance after they asked something else.
func (m *Manifest) Question(s Session) Output {
	s = s.clone()
	clear(s.Errors)
	return m.question(&s, opening(s, false, 0))
}

// question says what stands open: a value that is missing, or the confirmation.
func (m *Manifest) question(s *Session, ready string) Output {
	out := Output{Stage: s.Stage}
	wrong := make([]string, 0, len(s.Errors))
	for _, slot := range m.Slots {
		if text, ok := s.Errors[slot.Name].(string); ok {
			wrong = append(wrong, text)
		}
	}
	switch s.Stage {
	case Filling:
		out.Next, out.Buttons = event.NextInput, []event.Button{m.button(*s, ActionCancel)}
		out.Message = m.ask(*s)
		if len(wrong) > 0 {
			out.Message = strings.Join(wrong, " ") + " " + m.common(s.Lang, "again") + m.place(*s)
		}
	case Ready:
		out.Next = event.NextConfirm
		out.Buttons = []event.Button{m.button(*s, ActionConfirm), m.button(*s, ActionCancel)}
		out.Message = m.say(*s, ready)
		if len(wrong) > 0 {
			out.Message = strings.Join(wrong, " ") + "\n" + out.Message
		}
	case Confirmed:
		out.Next, out.Message = event.NextNone, m.say(*s, msgWaiting)
	case Init, Executed, Failed, Cancelled, Unsupported:
		out.Next = event.NextNone
	}
	if out.Buttons == nil {
		out.Buttons = []event.Button{}
	}
	return out
}
