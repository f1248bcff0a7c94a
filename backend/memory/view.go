package memory

import (
	"context"

	"agentchat/backend/event"
	"agentchat/backend/interpreter"
)

// View is what the memory page shows of one chat. SummaryAt is RFC 3339 in UTC, empty without a summary; Recent are the
// newest lines, which requests carry word for word.
type View struct {
	Chat            string            `json:"chat"`
	Summary         string            `json:"summary"`
	SummaryAt       string            `json:"summaryAt,omitempty"`
	TurnsSummarised int               `json:"turnsSummarised"`
	TurnsRaw        int               `json:"turnsRaw"` // how many turns stand word for word, Recent among them
	Recent          []LineView        `json:"recent"`
	Facts           []FactView        `json:"facts"`
	Budget          interpreter.Gauge `json:"budget"`
}

// LineView is one line as requests carry it. Speaker is customer or shop.
type LineView struct {
	Speaker string `json:"speaker" ts_type:"'customer' | 'shop'"`
	Text    string `json:"text"`
}

// FactView is one fact. Source is customer, ledger, job or person; Date is RFC 3339 in UTC. MessageID is the message,
// job or ledger entry it comes from.
type FactView struct {
	ID        string `json:"id"`
	Text      string `json:"text"`
	Source    string `json:"source" ts_type:"memory.Source"`
	Date      string `json:"date"`
	Chat      string `json:"chat,omitempty"`
	MessageID string `json:"messageId,omitempty"`
	// Project is the one whose chats alone are told of it.
	Project string `json:"project,omitempty"`
}

func (f Fact) view() FactView {
	return FactView{
		ID: f.ID, Text: f.Text, Source: string(f.Source), Date: event.Stamp(f.Learned), Chat: f.Chat, MessageID: f.Ref, Project: f.Project,
	}
}

// View gives what is remembered of a chat, and all facts, the newest first. Errors: storage errors.
func (m *Memory) View(ctx context.Context, chat string) (View, error) {
	v := View{Chat: chat, Recent: []LineView{}, Facts: []FactView{}}
	facts, err := m.deps.Store.Facts(ctx)
	if err != nil {
		return v, err
	}
	r, err := m.deps.Store.Recall(ctx, chat, func(project string) []string { return choose(of(facts, project)) })
	if err != nil {
		return v, err
	}
	v.Summary, v.TurnsSummarised, v.TurnsRaw = r.Summary, r.Turns, turns(r.Lines)
	if !r.Updated.IsZero() && r.Summary != "" {
		v.SummaryAt = event.Stamp(r.Updated)
	}
	for _, l := range r.Lines[tail(r.Lines, rawTurns):] {
		v.Recent = append(v.Recent, LineView{Speaker: l.Speaker, Text: l.Text})
	}
	for i := range facts {
		v.Facts = append(v.Facts, facts[len(facts)-1-i].view())
	}
	if m.deps.Gauge != nil {
		v.Budget = m.deps.Gauge(chat, m.deps.Lang(), r.background(facts))
	}
	return v, nil
}
