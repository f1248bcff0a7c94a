package service

import (
	"fmt"
	"strings"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/ground"
	"agentchat/backend/language/slot"
)

// SlotView is a slot as fronts see it. Text is the value as people say it.
type SlotView struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	Value    any    `json:"value" ts_type:"any"`
	Text     string `json:"text"`
	Required bool   `json:"required"`
	Missing  bool   `json:"missing"`
	Error    string `json:"error,omitempty"`
}

// BatchView is the place in a batch, and how the tasks before it ended. Index counts from 1.
type BatchView struct {
	Index     int `json:"index"`
	Total     int `json:"total"`
	Executed  int `json:"executed"`
	Cancelled int `json:"cancelled"`
	Failed    int `json:"failed"`
}

// View is a session as fronts see it.
type View struct {
	Chat    string         `json:"chat"`
	Service string         `json:"service"`
	Title   string         `json:"title"`
	Stage   Stage          `json:"stage"`
	Mark    string         `json:"mark,omitempty"` // names what can be confirmed; a typed yes carries it
	Slots   []SlotView     `json:"slots"`
	Batch   BatchView      `json:"batch"`
	Buttons []event.Button `json:"buttons"`
	// Act is what confirming does, in a word or two, for the button. After is what there will be then.
	Act   string `json:"act,omitempty"`
	After string `json:"after,omitempty"`
}

// View draws a session.
func (m *Manifest) View(chat string, s Session) View {
	v := View{
		Chat: chat, Service: m.ID, Title: m.Title.In(s.Lang), Stage: s.Stage, Mark: s.Token(), Slots: make([]SlotView, len(m.Slots)),
		Batch:   BatchView{Index: s.Index(), Total: s.Total, Executed: s.Executed, Cancelled: s.Cancelled, Failed: s.Failed},
		Buttons: []event.Button{},
	}
	for i, slot := range m.Slots {
		value, filled := s.Slots[slot.Name]
		row := SlotView{Name: slot.Name, Title: slot.Title.In(s.Lang), Value: value, Required: slot.Required, Missing: slot.Required && !filled}
		if filled {
			row.Text = display(slot, value, s.Lang)
		}
		if wrong, ok := s.Errors[slot.Name].(string); ok {
			row.Error = wrong
		}
		v.Slots[i] = row
	}
	switch s.Stage {
	case Ready:
		v.Buttons = []event.Button{m.button(s, ActionConfirm), m.button(s, ActionCancel)}
		v.Act = m.say(s, msgAct)
		if args, err := m.arguments(s.Slots); err == nil && m.foretell != nil {
			v.After = m.foretell(m.Tool, args, s.Lang)
		}
	case Filling:
		v.Buttons = []event.Button{m.button(s, ActionCancel)}
	case Init, Confirmed, Executed, Failed, Cancelled, Unsupported:
	}
	return v
}

// State is what turn.done carries about a session: seed 002's state_snapshot.
func (m *Manifest) State(chat string, s Session, over bool) event.TurnState {
	slots := map[string]any{}
	if !over {
		for _, slot := range m.Slots {
			slots[slot.Name] = s.Slots[slot.Name] // null while it is missing
			if text, is := slots[slot.Name].(string); is && slot.Several {
				slots[slot.Name] = display(slot, text, s.Lang)
			}
		}
	}
	meta := map[string]any{
		"service": m.ID, "batch_total": s.Total, "batch_progress": s.Progress, "batch_executed": s.Executed,
		"last_cancelled": s.Skipped, "slot_errors": s.Errors, "missing_required": []string{}, "task_queue": len(s.Queue),
	}
	if !over {
		if missing := m.Missing(s); missing != nil {
			meta["missing_required"] = missing
		}
		meta["view"] = m.View(chat, s)
	}
	return event.TurnState{Stage: string(s.Stage), Slots: slots, Meta: meta}
}

// display writes a value as people say it.
func display(of Slot, value any, lang bilingual.Lang) string {
	switch of.Type {
	case TypeMoney:
		return won(value, lang)
	case TypeDate:
		return slot.SayDay(fmt.Sprint(value), lang)
	case TypeAhead:
		return ahead(value, lang)
	case TypeEnum:
		if words := of.Values[fmt.Sprint(value)]; len(words) > 0 {
			for _, w := range words {
				if hasHangul(w) == (lang == bilingual.KO) {
					return w
				}
			}
		}
	case TypeTime:
		if said := clock(value, lang); said != "" {
			return said
		}
	case TypeNumber, TypeName, TypeText:
	}
	return strings.Join(ground.Lines(fmt.Sprint(value)), ", ")
}
