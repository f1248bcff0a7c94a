package shop_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/service"
	"agentchat/backend/shop"
)

// What customers say at the counter, in both languages, with the practice bank and the built-in interpreter. How the
// dialogues are written stands at the head of counter_ko.txt.
func TestDialogues(t *testing.T) {
	dialogues(t, "counter")
}

// What customers say when they go on talking of work, and put it right.
func TestTalk(t *testing.T) { dialogues(t, "talk") }

// What customers say of a list that was just spoken of.
func TestLists(t *testing.T) { dialogues(t, "lists") }

func dialogues(t *testing.T, file string) {
	for _, lang := range []string{"ko", "en"} {
		raw, err := os.ReadFile("testdata/" + file + "_" + lang + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(raw), "\n== ")[1:] {
			name, lines, _ := strings.Cut(part, "\n")
			t.Run(lang+" "+name, func(t *testing.T) { play(t, lang, strings.Split(strings.TrimSpace(lines), "\n")) })
		}
	}
}

// player plays one dialogue.
type player struct {
	*customer
	t         *testing.T
	dir, lang string
	turn      event.TurnDone
	before    event.TurnDone
	pressed   string
	moved     []string // what must have been sent
}

func play(t *testing.T, lang string, lines []string) {
	p := &player{t: t, dir: t.TempDir(), lang: lang}
	p.open()
	defer func() { p.leave() }()
	for _, line := range lines {
		mark, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "":
		case line == "@restart":
			p.leave()
			p.open()
		case line == "@idle":
			if err := p.WaitIdle(context.Background()); err != nil {
				t.Fatal(err)
			}
		case line == "@done":
			p.done()
		case line == "@plays":
			p.plays("what was asked for plays", func(m event.Media) bool { return m.Action == "open" && slices.Contains(p.turn.Jobs, m.JobID) })
		case mark == "@set":
			p.set(rest)
		case mark == "<":
			p.says(rest, "")
		case strings.HasPrefix(line, "["):
			p.press(strings.Trim(line, "[]"))
		case mark == ">":
			p.ends(rest)
		case mark == "*":
			if got := p.handed(); got != rest {
				t.Errorf("handed out %s, want %s: %q", got, rest, p.turn.Message)
			}
			p.asked()
		case mark == "~", mark == "!~":
			if regexp.MustCompile(rest).MatchString(p.turn.Message) != (mark == "~") {
				t.Errorf("%s %s: %q", mark, rest, p.turn.Message)
			}
		case mark == "$":
			p.moved = append(p.moved, p.sum(strings.Fields(rest)))
		default:
			t.Fatalf("no such line: %q", line)
		}
	}
	p.books()
}

func (p *player) open() {
	o := options(p.dir)
	o.Config.Env = []string{"AGENTCHAT_LANG=" + p.lang}
	s, err := shop.Open(context.Background(), o)
	if err != nil {
		p.t.Fatal(err)
	}
	p.customer = &customer{Shop: s, t: p.t, reader: s.Bus.SubscribeFrom(1)}
}

func (p *player) set(rest string) {
	key, text, _ := strings.Cut(rest, " ")
	value, err := strconv.Atoi(text)
	if err == nil {
		_, err = p.SetSettings(map[string]any{key: value})
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *player) says(text, action string) {
	p.t.Helper()
	msg, err := p.speak(text, action)
	if err != nil {
		p.t.Fatal(err)
	}
	p.before = p.turn
	p.turn = until(p.customer, "the turn is done: "+text+action, func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == msg.ID })
	if p.lang == "ko" && regexp.MustCompile(`[A-Za-z]{3,}|을\(를\)|이\(가\)|<no value>`).MatchString(p.turn.Message) {
		p.t.Errorf("after %q: %q", text, p.turn.Message)
	}
}

// press presses a button of the last turn, of the one before with -, or the same once more with ^.
func (p *player) press(label string) {
	p.t.Helper()
	from := p.turn
	if cut, ok := strings.CutPrefix(label, "-"); ok {
		label, from = cut, p.before
	}
	if label != "^" {
		p.pressed = button(p.t, from, label)
	}
	p.says("", p.pressed)
}

// handed are the titles of the tickets of the last turn.
func (p *player) handed() string {
	titles := []string{}
	for _, e := range p.seen {
		var j event.JobCreated
		if e.Kind == event.KindJobCreated && json.Unmarshal(e.Data, &j) == nil && slices.Contains(p.turn.Jobs, j.ID) {
			titles = append(titles, j.Title)
		}
	}
	return cmp.Or(strings.Join(titles, ", "), "-")
}

// done waits until the tickets of the last turn are over.
func (p *player) done() {
	p.t.Helper()
	for _, id := range p.turn.Jobs {
		over := func(e event.Envelope) bool { return e.Kind == event.KindJobReport && e.Job == id }
		for !slices.ContainsFunc(p.seen, over) {
			p.read(p.t.Context(), "a job is over")
		}
	}
}

// asked fails when somebody must approve what the customer has just asked for in so many words. Every job is looked at once it has
// its tool, asks or is over.
func (p *player) asked() {
	p.t.Helper()
	for _, id := range p.turn.Jobs {
		decided := func(e event.Envelope) bool {
			var j event.JobState
			return e.Job == id && (e.Kind == event.KindToolAcquired || e.Kind == event.KindAskOpened ||
				e.Kind == event.KindJobState && json.Unmarshal(e.Data, &j) == nil && (j.To == "failed" || j.To == "canceled"))
		}
		for !slices.ContainsFunc(p.seen, decided) {
			p.read(p.t.Context(), "a job has its tool, asks or is over")
		}
		var a event.AskOpened
		if e := p.seen[slices.IndexFunc(p.seen, decided)]; e.Kind == event.KindAskOpened && json.Unmarshal(e.Data, &a) == nil && a.Kind == "approval" {
			p.t.Errorf("%s must be approved: %s", a.Tool, a.Why)
		}
	}
}

var place = regexp.MustCompile(`(?:^| )(\d+)/(\d+)$`)

// ends checks how the turn ended: STAGE slot=value n/m.
func (p *player) ends(rest string) {
	p.t.Helper()
	stage, rest, _ := strings.Cut(rest, " ")
	got := p.turn.State.Stage
	if got == "" {
		got = "-"
	}
	if got != stage || stage == "-" && len(p.turn.Jobs) > 0 {
		p.t.Errorf("%s, want %s (jobs %v): %q", got, stage, p.turn.Jobs, p.turn.Message)
	}
	if m := place.FindStringSubmatch(rest); m != nil {
		rest = strings.TrimSuffix(rest, m[0])
		done, _ := p.turn.State.Meta["batch_progress"].(float64)
		if at := fmt.Sprintf("%v/%v", done+1, p.turn.State.Meta["batch_total"]); at != m[1]+"/"+m[2] {
			p.t.Errorf("at %s, want %s", at, m[0])
		}
	}
	fields := regexp.MustCompile(`(?:^| )(\w+)=`).FindAllStringSubmatchIndex(rest, -1)
	for i, f := range fields {
		end := len(rest)
		if i+1 < len(fields) {
			end = fields[i+1][0]
		}
		name, want := rest[f[2]:f[3]], p.day(rest[f[1]:end])
		got := ""
		switch v := p.turn.State.Slots[name].(type) {
		case float64:
			got = strconv.FormatInt(int64(v), 10)
		case string:
			got = v
		}
		if got != want {
			p.t.Errorf("%s is %q, want %q: %q", name, got, want, p.turn.Message)
		}
	}
}

// day turns +1 into tomorrow.
func (*player) day(text string) string {
	n, err := strconv.Atoi(text)
	if err != nil || !strings.HasPrefix(text, "+") {
		return text
	}
	return time.Now().AddDate(0, 0, n).Format(time.DateOnly)
}

// sum writes one movement of money.
func (p *player) sum(fields []string) string {
	for i := range fields {
		fields[i] = p.day(fields[i])
	}
	return strings.Join(fields, " ")
}

// books checks that what was sent or scheduled is all that should have been, and that nothing hangs.
func (p *player) books() {
	view, err := p.Bank(context.Background())
	if err != nil {
		p.t.Fatal(err)
	}
	var got []string
	sent := int64(0)
	for _, l := range view.Statement {
		if l.Direction == "out" && l.State == "done" {
			got = append(got, fmt.Sprintf("%s %d", l.Target, l.Amount))
			sent += l.Amount
		}
	}
	for _, s := range view.Scheduled {
		got = append(got, fmt.Sprintf("%s %d %s", s.Target, s.Amount, s.Date))
	}
	slices.Sort(got)
	slices.Sort(p.moved)
	if !slices.Equal(got, p.moved) || view.Accounts[0].Balance != 1_000_000-sent {
		p.t.Errorf("the books have %q, want %q; the balance is %d", got, p.moved, view.Accounts[0].Balance)
	}
	for _, s := range p.snapshot().Service {
		if s.Stage == service.Confirmed {
			p.t.Errorf("a task is still out: %+v", s)
		}
	}
}
