package shop_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
)

// labelled is a request of a set, and what should come of it. How that is written stands at the head of testdata/frozen/requests_ko.tsv;
// public sets use some aliases besides.
type labelled struct {
	Request, Expected, Label string
	room                     string
	before                   []string // what is said before it
}

// aliases are names for several right answers.
var aliases = map[string][]string{
	"reminder": {"service:reminder", "service:reminder_move"}, "list": {"service:reminder", "note_add"},
	"listq": {"query", "note_list", "note_search"}, "listdel": {"service:reminder_done", "note_delete"},
	"service:remove_reminder": {"service:reminder_done"},
}

// since is what should come of labels of public sets that were written when the shop had no calendar, no list of alarms and no
// remote control of the player.
var since = map[string]string{
	"clinc/change_volume": "player_control", "clinc/next_song": "player_control", "clinc/what_song": "player_control|none",
	"clinc/meeting_schedule": "query|note_list|none", "clinc/schedule_meeting": "service:room|reminder|none",
	"sgd/Alarm.GetAlarms": "query|none", "slurp_en/alarm_query": "query|none",
	"slurp_en/audio_volume_down": "player_control", "slurp_en/audio_volume_up": "player_control", "slurp_en/audio_volume_mute": "player_control|none",
	"slurp_en/audio_volume_other": "player_control", "slurp_en/music_query": "player_control|none", "slurp_en/music_settings": "player_control|none",
}

// right tells whether what came is what should come, and whether it did so with the arguments that are named.
func (l labelled) right(came outcome) (right, exact bool) {
	for one := range strings.SplitSeq(l.Expected, "|") {
		if one == "ask" && came.wanting {
			return true, true
		}
		good, whole := true, true
		starts := slices.ContainsFunc(strings.Split(one, "&"), starts)
		for part := range strings.SplitSeq(one, "&") {
			r, e := came.fits(part)
			good, whole = good && r && (starts || len(came.started) == 0), whole && e
		}
		right, exact = right || good, exact || good && whole
	}
	return right, exact
}

// starts tells whether something is started by what a part of a label says.
func starts(part string) bool {
	return part != "none" && part != "ask" && !strings.HasPrefix(part, "stop") && !strings.HasPrefix(part, "reply~")
}

// fits tells whether one part of a label came about, and whether with its arguments.
func (o outcome) fits(part string) (right, exact bool) {
	name, args, _ := strings.Cut(strings.TrimSuffix(part, "}"), "{")
	name = strings.ToLower(name)
	if answer, ok := strings.CutPrefix(name, "reply~"); ok {
		right = strings.Contains(squeezed(o.reply), squeezed(answer))
		return right, right
	}
	if tool, ok := strings.CutPrefix(name, "stop"); ok {
		tool = strings.TrimPrefix(tool, ":")
		right = len(o.running) == 0 || slices.ContainsFunc(o.running, func(r running) bool { return (tool == "" || r.tool == tool) && o.ends(r) })
		return right, right
	}
	if !starts(name) {
		return true, true
	}
	for _, b := range o.started {
		if name != b.name && !slices.Contains(aliases[name], b.name) {
			continue
		}
		right = true
		exact = exact || b.has(args)
	}
	return right, exact
}

var ended = regexp.MustCompile(`멈출게요|Stopping`)

// ends tells whether the reply says that the work is stopped.
func (o outcome) ends(r running) bool {
	return ended.MatchString(o.reply) && strings.Contains(o.reply, r.title)
}

// idle tells a request for which nothing may be started.
func (l labelled) idle() bool {
	alternatives := strings.Split(l.Expected, "|")
	return slices.Contains(alternatives, "none") || slices.Contains(alternatives, "ask")
}

// misread lists what was not read as the label says, when that is wanted.
func (l labelled) misread(t *testing.T, set string, came outcome) {
	if _, exact := l.right(came); *misread && !exact {
		t.Logf("misread\t%s\t%s\t%s\t%v asked=%v,%v\t%s\t%q", set, l.room, l.Expected, came.started, came.asked, came.wanting, l.Request, came.reply)
	}
}

// begun is something that a request started: a tool, a service, "query" or "library", with its values.
type begun struct {
	name string
	args map[string]any
}

func (b begun) String() string {
	var args []string
	for _, k := range slices.Sorted(maps.Keys(b.args)) {
		if v := b.value(k); v != "" {
			args = append(args, k+"="+v)
		}
	}
	return b.name + "{" + strings.Join(args, ";") + "}"
}

// value is an argument as a label writes it; "" when there is none.
func (b begun) value(key string) string {
	switch v := b.args[key].(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	default:
		return fmt.Sprint(v)
	}
}

// has tells whether the values are those that a label names.
func (b begun) has(args string) bool {
	for arg := range strings.SplitSeq(args, ";") {
		if arg == "" {
			continue
		}
		key, want, _ := strings.Cut(arg, "=")
		if part, text, ok := strings.Cut(arg, "~"); ok && len(part) < len(key) {
			if !strings.Contains(squeezed(b.value(part)), squeezed(text)) {
				return false
			}
			continue
		}
		if got := b.value(key); want == "*" && got == "" || want != "*" && squeezed(got) != squeezed(want) && !sameDay(got, want) {
			return false
		}
	}
	return true
}

// sameDay tells whether a day is the one that a label counts from today: +1.
func sameDay(got, want string) bool {
	n, err := strconv.Atoi(want)
	if err != nil || !strings.HasPrefix(want, "+") {
		return false
	}
	return got == time.Now().AddDate(0, 0, n).Format(time.DateOnly) || got == map[int]string{1: "tomorrow", 2: "day_after_tomorrow"}[n]
}

func squeezed(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), "")) }

// running is work that a chat began.
type running struct{ id, tool, title string }

// outcome is what came of a request: what it started and what the shop replied to it, which work ran before; whether the desk asked which of
// several readings is meant, or a job what is missing; and how long it took until that was decided.
type outcome struct {
	started []begun
	reply   string
	running []running
	asked   bool
	wanting bool // a job asks the customer for a value first
	took    time.Duration
}

// chatting is a chat with the shop.
type chatting struct {
	*customer
	chat  string
	shown bool // a task of the counter was on show when the last turn ended
	jobs  []running
}

// says says something in the chat and gives what came of it.
func (c *chatting) says(request string) (came outcome) {
	c.t.Helper()
	seen := ""
	if c.shown {
		for _, v := range c.snapshot().Service {
			if v.Chat == c.chat {
				seen = v.Mark
			}
		}
	}
	came.running = slices.Clone(c.jobs)
	from, began := c.passed, time.Now()
	msg, err := c.Say(c.t.Context(), c.chat, request, "", seen)
	if err != nil {
		c.t.Fatal(err)
	}
	done := until(c.customer, "the turn is done", func(_ event.Envelope, x event.TurnDone) bool { return x.MessageID == msg.ID })
	came.took, came.reply = time.Since(began), done.Message
	values := map[string]any{"stage": done.State.Stage}
	for _, e := range c.seen[from:c.passed] {
		if e.Chat == c.chat {
			c.sees(e, &came, values)
		}
	}
	maps.Copy(values, done.State.Slots)
	if name, ok := done.State.Meta["service"].(string); ok {
		came.started = append(came.started, begun{"service:" + strings.ToLower(name), values})
	}
	if _, asked := done.State.Meta["query"]; asked {
		came.started = append(came.started, begun{name: "query"})
	}
	c.shown = done.State.Stage != ""
	return came
}

// sees notes what an event of the turn tells. What a task that was handed out was handed out with is added to the values.
func (c *chatting) sees(e event.Envelope, came *outcome, values map[string]any) {
	switch e.Kind {
	case event.KindJobCreated:
		var j event.JobCreated
		if err := json.Unmarshal(e.Data, &j); err != nil {
			c.t.Fatal(err)
		}
		todos, err := c.Todos(c.t.Context(), j.JobID)
		if err != nil {
			c.t.Fatal(err)
		}
		for i, todo := range todos {
			args, asks := decoded(c.t, todo.Args), false
			if i == 0 && len(args) == 0 {
				args, asks = c.chosen(j.JobID)
			}
			came.wanting = came.wanting || asks
			came.started = append(came.started, begun{todo.Tool, args})
			maps.Copy(values, args)
			if kept, ok := args["values"].(map[string]any); ok {
				maps.Copy(values, kept)
			}
			c.jobs = append(c.jobs, running{j.JobID, todo.Tool, j.Title})
		}
	case event.KindThinking:
		if !slices.ContainsFunc(came.started, func(b begun) bool { return b.name == "library" }) {
			came.started = append(came.started, begun{name: "library"})
		}
	case event.KindChatMessage:
		var m event.ChatMessage
		if err := json.Unmarshal(e.Data, &m); err != nil {
			c.t.Fatal(err)
		}
		came.asked = came.asked || slices.ContainsFunc(m.Buttons, func(b event.Button) bool { return strings.HasPrefix(b.ID, "mean:") })
	default:
	}
}

// chosen is what the first step of a job is done with, once that is settled, and whether the customer is asked for what is missing.
func (c *customer) chosen(id string) (args map[string]any, asks bool) {
	c.t.Helper()
	settled := func(e event.Envelope) bool {
		var j event.JobState
		return e.Job == id && (e.Kind == event.KindToolAcquired || e.Kind == event.KindAskOpened ||
			e.Kind == event.KindJobState && json.Unmarshal(e.Data, &j) == nil && slices.Contains([]string{"succeeded", "failed", "canceled"}, j.To))
	}
	for !slices.ContainsFunc(c.seen, settled) {
		c.read(c.t.Context(), "a job has its tool, asks or is over")
	}
	var a event.AskOpened
	if e := c.seen[slices.IndexFunc(c.seen, settled)]; e.Kind == event.KindAskOpened && json.Unmarshal(e.Data, &a) == nil {
		return decoded(c.t, a.Args), a.Kind == "input"
	}
	called, err := c.Called(c.t.Context(), id)
	if err != nil {
		c.t.Fatal(err)
	}
	return decoded(c.t, called), false
}

func decoded(t testing.TB, raw json.RawMessage) map[string]any {
	t.Helper()
	args := map[string]any{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &args); err != nil {
			t.Fatal(err)
		}
	}
	return args
}

// over calls off what the chat began and deletes it.
func (c *chatting) over() {
	c.t.Helper()
	for _, j := range c.jobs {
		if err := c.CancelJob(j.id); err != nil && apperr.CodeOf(err) != apperr.JobEnded {
			c.t.Fatal(err)
		}
	}
	if err := c.DeleteChat(c.t.Context(), c.chat); err != nil {
		c.t.Fatal(err)
	}
}

// starts says a request in a new chat, after others, and gives what came of it.
func (c *customer) starts(chat, request string, before ...string) (came outcome) {
	c.t.Helper()
	talk := &chatting{customer: c, chat: chat}
	for _, said := range before {
		talk.says(said)
	}
	came = talk.says(request)
	talk.over()
	return came
}
