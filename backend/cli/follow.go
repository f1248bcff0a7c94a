package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/service"
)

// work is a job that came of what was said.
type work struct {
	number int64
	title  string
	state  string
}

// asking is one `ask` under way: what came of what was said, and who is asked meanwhile.
type asking struct {
	*run
	client *client
	flags  asked
	person *terminal // nil: nobody is there

	turns  map[string]bool  // what was said; true: it is over
	jobs   map[string]*work // what came of it
	others int              // turns of others that are under way in the chat
	asks   []event.AskOpened
	asking string          // the question that stands on the terminal; buttonsAsked: the buttons do
	offers []event.Button  // what the last turn offers
	wants  bool            // the last turn waits for words or a button
	wrong  bool            // a turn failed
	shows  service.Showing // what there is to confirm on this terminal
	writes string          // the message that is being written
	wrote  string
}

// buttonsAsked is what stands on the terminal while words or a button are wanted.
const buttonsAsked = "buttons"

// speak says something more.
func (a *asking) speak(ctx context.Context, fields map[string]any) error {
	var said struct {
		Message event.ChatMessage `json:"message"`
	}
	err := a.client.do(ctx, "say", fields, &said)
	if err == nil {
		a.turns[said.Message.ID] = false
	}
	return err
}

// follow tells what comes of it until it is over, or nobody is there to go on.
func (a *asking) follow(ctx context.Context) int {
	var timeout <-chan time.Time
	if a.flags.timeout > 0 {
		timeout = time.After(a.flags.timeout)
	}
	for {
		if err := a.hearAll(); err != nil {
			a.endLine()
			return a.ended(a.trouble(ctx, err))
		}
		if _, over := a.over(); over { // what came with the end is still on its way
			if err := a.client.do(ctx, "wait", map[string]any{"until": "told"}, nil); err != nil {
				return a.ended(a.trouble(ctx, err))
			}
			_ = a.hearAll()
			if code, over := a.over(); over {
				return a.ended(code)
			}
			continue
		}
		a.prompt()
		var typed <-chan string
		if a.person != nil && a.asking != "" {
			typed = a.person.lines
		}
		select {
		case <-a.client.news:
		case text, open := <-typed:
			if !open {
				a.person, a.asking = nil, ""
				continue
			}
			if err := a.answer(ctx, text); err != nil {
				return a.ended(a.trouble(ctx, err))
			}
		case <-timeout:
			a.endLine()
			return a.ended(GoesOn)
		case <-ctx.Done():
			a.endLine()
			return a.ended(LeftOff)
		}
	}
}

// hearAll takes the lines that are there.
func (a *asking) hearAll() error {
	for {
		l, ok, err := a.client.take()
		if err != nil || !ok {
			return err
		}
		a.hear(l)
	}
}

// hear takes one line of the stream.
func (a *asking) hear(l line) {
	if a.json && a.mine(l) {
		_, _ = a.Out.Write(l.raw)
	}
	switch l.Kind {
	case event.KindChatMessage:
		if m, ok := decode[event.ChatMessage](l); ok {
			a.message(l, m)
		}
	case event.KindChatToken:
		if t, ok := decode[event.ChatToken](l); ok && l.Chat == a.flags.chat && a.others == 0 && !a.json && l.Job == "" {
			a.token(t)
		}
	case event.KindTurnDone:
		if d, ok := decode[event.TurnDone](l); ok && l.Chat == a.flags.chat {
			a.shows.Told(event.Envelope{Seq: l.Seq, Kind: l.Kind, Chat: l.Chat, Data: l.Data})
			a.turnDone(d)
		}
	case event.KindJobCreated:
		if j, ok := decode[event.JobCreated](l); ok {
			if _, mine := a.turns[j.Turn]; mine {
				a.jobs[j.ID] = &work{j.Number, j.Title, "queued"}
			}
		}
	case event.KindJobState:
		if s, ok := decode[event.JobState](l); ok && a.jobs[s.ID] != nil {
			a.jobs[s.ID].state = s.To
		}
	case event.KindAskOpened:
		if q, ok := decode[event.AskOpened](l); ok && a.jobs[q.JobID] != nil {
			a.asks = append(a.asks, q)
		}
	case event.KindAskClosed:
		if q, ok := decode[event.AskClosed](l); ok {
			a.closed(q)
		}
	default: // the rest says nothing of what was asked for
	}
}

func decode[T any](l line) (v T, ok bool) {
	return v, json.Unmarshal(l.Data, &v) == nil
}

// mine tells whether a line is about what was said.
func (a *asking) mine(l line) bool {
	switch {
	case l.Job != "" && a.jobs[l.Job] != nil:
		return true
	case l.Kind == event.KindJobCreated:
		j, ok := decode[event.JobCreated](l)
		_, mine := a.turns[j.Turn]
		return ok && mine
	case l.Kind == event.KindChatMessage:
		m, ok := decode[event.ChatMessage](l)
		_, mine := a.turns[m.Turn]
		return ok && mine
	case l.Kind == event.KindTurnDone:
		d, ok := decode[event.TurnDone](l)
		_, mine := a.turns[d.MessageID]
		return ok && mine
	}
	return l.Kind == event.KindChatToken && l.Chat == a.flags.chat && a.others == 0
}

func (a *asking) message(l line, m event.ChatMessage) {
	if m.Role == event.RoleCustomer {
		if _, mine := a.turns[m.ID]; !mine && l.Chat == a.flags.chat && m.Standing == nil {
			a.others++
		}
		return
	}
	if _, mine := a.turns[m.Turn]; !mine || l.Chat != a.flags.chat {
		return
	}
	a.wrong = a.wrong || m.Code != "" && m.Role == event.RoleShop
	if a.json {
		return
	}
	rest := m.Text
	if a.writes == m.ID && strings.HasPrefix(m.Text, a.wrote) {
		rest = m.Text[len(a.wrote):]
	} else {
		a.endLine()
	}
	_, _ = fmt.Fprintln(a.Out, plain(rest))
	a.writes, a.wrote = "", ""
}

// token writes a piece of a message as it comes.
func (a *asking) token(t event.ChatToken) {
	if t.ID != a.writes || t.Reset {
		a.endLine()
		a.writes, a.wrote = t.ID, ""
	}
	a.wrote += t.Delta
	_, _ = fmt.Fprint(a.Out, plain(t.Delta))
}

// endLine ends a message that is not going on.
func (a *asking) endLine() {
	if a.wrote != "" && !strings.HasSuffix(a.wrote, "\n") {
		_, _ = fmt.Fprintln(a.Out)
	}
	a.writes, a.wrote = "", ""
}

func (a *asking) turnDone(d event.TurnDone) {
	if _, mine := a.turns[d.MessageID]; !mine {
		a.others = max(a.others-1, 0)
		return
	}
	a.turns[d.MessageID] = true
	// What else stands open in the chat is not asked here: work was handed out.
	a.wants = (d.NextAction == event.NextConfirm || d.NextAction == event.NextInput) && len(d.Jobs) == 0
	a.offers = nil
	if a.wants {
		a.offers = d.UIHint.Buttons
	}
}

// closed tells that a question is answered; who had it before them is told by whom.
func (a *asking) closed(q event.AskClosed) {
	i := slices.IndexFunc(a.asks, func(o event.AskOpened) bool { return o.ID == q.ID })
	if i < 0 {
		return
	}
	a.asks = slices.Delete(a.asks, i, i+1)
	if a.asking != q.ID {
		return
	}
	a.asking = ""
	a.person.write("%s\n", a.say("→ 다른 곳에서 답했어요: %s", "→ It was answered elsewhere: %s", q.Choice))
}

// prompt puts the next question before the person.
func (a *asking) prompt() {
	if a.person == nil || a.asking != "" {
		return
	}
	switch {
	case len(a.asks) > 0:
		a.endLine()
		a.person.forget()
		a.asking = a.asks[0].ID
		a.person.write("%s> ", a.shown(a.asks[0]))
	case a.wants && a.settled():
		a.endLine()
		a.person.forget()
		a.asking = buttonsAsked
		for i, b := range a.offers {
			a.person.write("  %d) %s\n", i+1, b.Label)
		}
		a.person.write("> ")
	}
}

// answer does what a person typed.
func (a *asking) answer(ctx context.Context, text string) error {
	if a.asking == buttonsAsked {
		if text == "" {
			a.person.write("> ")
			return nil
		}
		a.asking = ""
		// The shop cannot know what has come through to this terminal; who typed saw what stands here.
		fields := map[string]any{"chat": a.flags.chat, "text": text, "seen": a.shows.Mark(a.flags.chat)}
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(a.offers) {
			fields["action"], fields["text"] = a.offers[n-1].ID, a.offers[n-1].Label
		}
		a.wants, a.offers = false, nil
		return a.speak(ctx, fields)
	}
	q := a.asks[0]
	fields, ok := chosen(q, text)
	if !ok {
		a.person.write("%s\n> ", a.say("번호 하나를 적어 주세요.", "Please type one of the numbers."))
		return nil
	}
	id := a.asking
	a.asking = ""
	err := a.client.do(ctx, "answer", fields, nil)
	e, refused := errors.AsType[refusal](err)
	switch {
	case refused && apperr.Code(e.said.Code) == apperr.StaleAnswer:
		a.person.write("%s\n", a.say("→ 다른 곳에서 먼저 답했어요. 그 답이 남아요.", "→ It was answered elsewhere first; that answer stands."))
	case refused:
		a.person.write("%s\n> ", e.said.Message)
		a.asking = id
		return nil
	case err != nil:
		return err
	}
	a.asks = slices.DeleteFunc(a.asks, func(o event.AskOpened) bool { return o.ID == id })
	return nil
}

// settled tells whether all that was said is answered and no job goes on by itself.
func (a *asking) settled() bool {
	for _, done := range a.turns {
		if !done {
			return false
		}
	}
	for _, w := range a.jobs {
		if w.state == "queued" || w.state == "running" {
			return false
		}
	}
	return true
}

// over tells how it ended, once it has.
func (a *asking) over() (code int, over bool) {
	for _, done := range a.turns {
		if !done {
			return 0, false
		}
	}
	if a.flags.detach && !a.wants {
		return a.sum(), true
	}
	if a.person != nil && (a.wants || len(a.asks) > 0) {
		return 0, false
	}
	for id, w := range a.jobs {
		asked := slices.ContainsFunc(a.asks, func(q event.AskOpened) bool { return q.JobID == id })
		if w.state == "queued" || w.state == "running" || w.state == "waiting" && !asked {
			return 0, false
		}
	}
	return a.sum(), true
}

// sum is how all of it ended, the worst first.
func (a *asking) sum() int {
	states := map[string]bool{}
	for _, w := range a.jobs {
		states[w.state] = true
	}
	switch {
	case a.wrong && len(a.jobs) == 0 || states["failed"]:
		return Failed
	case len(a.asks) > 0 || a.wants:
		return Waits
	case states["queued"] || states["running"] || states["waiting"]:
		return GoesOn
	case states["canceled"]:
		return CalledOff
	}
	return Done
}

// catchUp hears what has come of it by now, so that who leaves is told of all that goes on. The command is over already, so it waits for a
// moment only; what cannot be had is left.
func (a *asking) catchUp() {
	ctx, cancel := context.WithTimeout(context.Background(), lastMoment)
	defer cancel()
	_ = a.client.do(ctx, "wait", map[string]any{"until": "told"}, nil)
	_ = a.hearAll()
}

// lastMoment is how long a command that is left waits for what has come of it by then.
const lastMoment = 2 * time.Second

// outcomes are the names of the exit codes.
var outcomes = map[int]string{Done: "done", Failed: "failed", Waits: "waits", CalledOff: "called_off", GoesOn: "goes_on", NoShop: "no_shop", LeftOff: "left_off"}

// ended tells how it ended, and what a person can do next.
func (a *asking) ended(code int) int {
	if code == GoesOn || code == LeftOff {
		a.catchUp()
	}
	a.endLine()
	ids := slices.Sorted(maps.Keys(a.jobs))
	if a.json {
		a.print(object("outcome", map[string]any{
			"outcome": outcomes[code], "code": code, "messages": slices.Sorted(maps.Keys(a.turns)), "jobs": append([]string{}, ids...),
			"asks": append([]event.AskOpened{}, a.asks...), "buttons": append([]event.Button{}, a.offers...),
		}))
		return code
	}
	switch code {
	case Waits:
		for _, q := range a.asks {
			_, _ = fmt.Fprint(a.Err, plain(a.shown(q)))
			a.note("답하려면: %s answer %s …", "To answer: %s answer %s …", a.Name, handle(q))
		}
		for _, b := range a.offers {
			a.note("‘%s’: %s ask --press %s", "“%s”: %s ask --press %s", b.Label, a.Name, b.ID)
		}
	case GoesOn, LeftOff:
		for _, id := range ids {
			if w := a.jobs[id]; w.state == "queued" || w.state == "running" || w.state == "waiting" {
				a.note("#%d ‘%s’은 이어져요. 멈추려면: %s stop %d", "#%d “%s” goes on. To stop it: %s stop %d", w.number, w.title, a.Name, w.number)
			}
		}
	}
	return code
}
