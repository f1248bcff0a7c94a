package shop

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/bank"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/presence"
	"agentchat/backend/service"
	"agentchat/backend/standing"
	"agentchat/backend/store"
)

const (
	// mostOnSheet is how many runs, and how many jobs of each kind, the sheet tells of.
	mostOnSheet = 100
	// mostText is how many characters of what came of a job it shows.
	mostText = 300
	// mostTogether is how many questions are approved in one go.
	mostTogether = 500
)

// Sheet is what happened while nobody was there, and everything that waits for a person now. Times are RFC 3339 in UTC.
type Sheet struct {
	Since string `json:"since,omitempty"` // the first moment it tells of; empty: nobody was ever there
	Until string `json:"until,omitempty"` // the last; empty: nobody is there yet
	// Fresh says that something waits, failed or was missed meanwhile, and nobody has looked at it yet.
	Fresh bool `json:"fresh"`
	// Asks are all open questions, the oldest first; Together those of them that may be approved in one go.
	Asks     []event.AskOpened `json:"asks"`
	Together []string          `json:"together"`
	// Counter is what stands open at the counter of chats in which something happened meanwhile, and waits for its own yes.
	Counter []service.View `json:"counter"`
	// Waiting are runs that wait for something else than these: an answer in their chat.
	Waiting []SheetLine `json:"waiting"`
	Failed  []SheetLine `json:"failed"`
	Missed  []SheetLine `json:"missed"`
	Going   []SheetLine `json:"going"`
	Done    []SheetLine `json:"done"`
	// Told are reminders that nobody was there to hear.
	Told []SheetLine `json:"told"`
	// More says that more happened than is told.
	More bool `json:"more,omitempty"`

	news bool // it tells of what nobody has looked at
}

// SheetLine is one thing that happened: a run of a standing order, a job of nobody's order, a transfer whose day came, a reminder. Of a run that made up for moments that
// had passed, Passed says how many; Rule is the order's rule for these.
type SheetLine struct {
	Title string   `json:"title"`
	At    string   `json:"at"`
	Chat  string   `json:"chat"`
	Turn  string   `json:"turn,omitempty"` // the message it began with
	Jobs  []string `json:"jobs"`
	Text  string   `json:"text,omitempty"` // what came of it
	Code  string   `json:"code,omitempty"` // why it failed

	Order   string `json:"order,omitempty"`
	Due     string `json:"due,omitempty"`
	Outcome string `json:"outcome,omitempty" ts_type:"standing.Outcome"`
	Passed  int    `json:"passed,omitempty"`
	Rule    string `json:"rule,omitempty" ts_type:"standing.Missed"`
}

// SheetAnswer is what became of one answer of several. Error is absent where it was taken.
type SheetAnswer struct {
	Ask   string       `json:"ask"`
	Error *event.Error `json:"error,omitempty"`
}

// meanwhile is what the ledger has of some absences.
type meanwhile struct {
	away         []presence.Absence
	runs         []store.AwayRun
	failed, done []job.Job
	transfers    []bank.Transfer
	told         []store.AwayReminder
}

func (m meanwhile) nothing() bool {
	return len(m.runs)+len(m.failed)+len(m.done)+len(m.transfers)+len(m.told) == 0
}

// Sheet gives what happened while nobody was there and nobody has looked at, or, when that is nothing, what was looked at last.
func (s *Shop) Sheet(ctx context.Context) (Sheet, error) {
	v := Sheet{
		Asks: []event.AskOpened{}, Together: []string{}, Counter: []service.View{},
		Waiting: []SheetLine{}, Failed: []SheetLine{}, Missed: []SheetLine{}, Going: []SheetLine{}, Done: []SheetLine{}, Told: []SheetLine{},
	}
	open, err := s.desk.Open(ctx)
	if err != nil {
		return v, err
	}
	for _, a := range open {
		if a.Together() {
			v.Together = append(v.Together, a.ID)
		}
	}
	v.Asks = openings(open)
	m, err := s.meanwhile(ctx, false)
	if err != nil {
		return v, err
	}
	asked := slices.ContainsFunc(open, func(a ask.Ask) bool {
		return slices.ContainsFunc(m.away, func(b presence.Absence) bool {
			at := a.Opened.Truncate(time.Microsecond) // as exactly as the ledger knows an absence
			return at.After(b.Since) && (b.Until.IsZero() || !at.After(b.Until))
		})
	})
	if v.news = asked || !m.nothing(); !v.news {
		if m, err = s.meanwhile(ctx, true); err != nil {
			return v, err
		}
	}
	counter, err := s.manager.Sessions(ctx)
	if err != nil {
		return v, err
	}
	v.tell(m, open, counter)
	s.tellBesides(&v, m)
	v.Fresh = v.news && (asked || len(v.Waiting)+len(v.Failed)+len(v.Missed)+len(v.Counter)+len(v.Told) > 0 || waits(m.runs))
	return v, nil
}

func waits(runs []store.AwayRun) bool {
	return slices.ContainsFunc(runs, func(r store.AwayRun) bool { return r.State == standing.RunWaiting })
}

// meanwhile reads what happened in the absences that nobody has looked at, or in those somebody looked at last.
func (s *Shop) meanwhile(ctx context.Context, looked bool) (m meanwhile, err error) {
	if m.away, err = s.presence.Absences(ctx, looked); err != nil || len(m.away) == 0 {
		return m, err
	}
	if m.runs, err = s.store.RunsWhile(ctx, m.away, mostOnSheet); err != nil {
		return m, err
	}
	if m.failed, err = s.store.JobsWhile(ctx, m.away, job.Failed, mostOnSheet); err != nil {
		return m, err
	}
	if m.done, err = s.store.JobsWhile(ctx, m.away, job.Succeeded, mostOnSheet); err != nil {
		return m, err
	}
	if m.told, err = s.store.RemindersWhile(ctx, m.away, mostOnSheet); err != nil {
		return m, err
	}
	m.transfers, err = s.store.TransfersWhile(ctx, m.away, mostOnSheet)
	last := m.away[len(m.away)-1].Until
	m.transfers = slices.DeleteFunc(m.transfers, func(t bank.Transfer) bool { // its day came only when somebody was there
		return !last.IsZero() && t.Settled.After(last) && t.Due > last.In(s.now().Location()).Format(time.DateOnly)
	})
	return m, err
}

// tellBesides puts the transfers and the reminders at their places.
func (s *Shop) tellBesides(v *Sheet, m meanwhile) {
	for _, t := range m.transfers {
		line := SheetLine{Title: t.Planned(s.lang()), At: stampOf(t.Settled), Chat: t.Chat, Jobs: []string{}, Text: t.Happened(), Code: string(t.Code)}
		if t.JobID != "" {
			line.Jobs = append(line.Jobs, t.JobID)
		}
		if t.State == bank.StateFailed {
			v.Failed = append(v.Failed, line)
			continue
		}
		v.Done = append(v.Done, line)
	}
	for _, r := range m.told {
		v.Told = append(v.Told, SheetLine{Title: s.services.Due(r.Service, r.Values, s.lang()), At: stampOf(r.Told), Due: stampOf(r.Due), Chat: r.Chat, Jobs: []string{}})
	}
	slices.SortStableFunc(v.Failed, newest)
	slices.SortStableFunc(v.Done, newest)
	v.More = v.More || max(len(m.transfers), len(m.told)) >= mostOnSheet
}

func newest(a, b SheetLine) int { return strings.Compare(b.At, a.At) }

// tell puts everything at its place.
func (v *Sheet) tell(m meanwhile, open []ask.Ask, counter []service.View) {
	if n := len(m.away); n > 0 {
		v.Since, v.Until = stampOf(m.away[0].Since), stampOf(m.away[n-1].Until)
	}
	v.More = max(len(m.runs), len(m.failed), len(m.done)) >= mostOnSheet
	chats := map[string]bool{}
	for _, r := range m.runs {
		line := runLine(r)
		if r.State == standing.RunWaiting {
			chats[r.Chat] = true
			asks := slices.ContainsFunc(open, func(a ask.Ask) bool { return slices.Contains(r.Jobs, a.JobID) })
			if !asks && !slices.ContainsFunc(counter, func(c service.View) bool { return c.Chat == r.Chat }) {
				v.Waiting = append(v.Waiting, line)
			}
		}
		if r.Outcome != standing.Ran || r.Missed > 0 {
			v.Missed = append(v.Missed, line)
		}
		switch r.State {
		case standing.RunDone:
			v.Done = append(v.Done, line)
		case standing.RunFailed:
			v.Failed = append(v.Failed, line)
		case standing.RunGoing:
			v.Going = append(v.Going, line)
		case standing.RunWaiting: // told as what waits
		}
	}
	for _, j := range m.failed {
		v.Failed = append(v.Failed, jobLine(j))
	}
	for _, j := range m.done {
		v.Done = append(v.Done, jobLine(j))
	}
	for _, c := range counter {
		if chats[c.Chat] {
			v.Counter = append(v.Counter, c)
		}
	}
}

func runLine(r store.AwayRun) SheetLine {
	return SheetLine{
		Title: r.Order.What, At: stampOf(r.At), Chat: r.Chat, Turn: r.Turn, Jobs: append([]string{}, r.Jobs...), Text: cmp.Or(r.Reason, r.Text), Code: r.Code,
		Order: r.Order.ID, Due: stampOf(r.Due), Outcome: string(r.Outcome), Passed: r.Missed, Rule: string(r.Order.Missed),
	}
}

func jobLine(j job.Job) SheetLine {
	text := j.Report
	if j.State == job.Failed && j.Reason != "" {
		text = j.Reason
	}
	if whole := []rune(text); len(whole) > mostText {
		text = string(whole[:mostText]) + "…"
	}
	return SheetLine{Title: j.Title, At: stampOf(j.Ended), Chat: j.Chat, Turn: j.Turn, Jobs: []string{j.ID}, Text: text, Code: string(j.Code)}
}

// LookedAtSheet says that a person has looked at what the sheet tells.
func (s *Shop) LookedAtSheet(ctx context.Context) error {
	if m, err := s.Sheet(ctx); err != nil || !m.news {
		return err
	}
	return s.store.LookedAtAbsences(ctx)
}

// Approve approves each of several questions this once, by the digest of what was shown of it. One that cannot be approved keeps none
// of the others back; its error says why.
func (s *Shop) Approve(ctx context.Context, shown []ask.Reply) ([]SheetAnswer, error) {
	if len(shown) > mostTogether {
		return nil, apperr.New(apperr.InvalidArgs, "detail", strconv.Itoa(len(shown)))
	}
	answers := make([]SheetAnswer, len(shown))
	for i, err := range s.desk.Approve(ctx, shown) {
		answers[i].Ask = shown[i].Ask
		if err != nil {
			e := apperr.From(err)
			answers[i].Error = &event.Error{Code: string(e.Code), Message: e.Text(s.lang()), Fields: e.Fields}
		}
	}
	return answers, nil
}
