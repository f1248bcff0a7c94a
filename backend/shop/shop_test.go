package shop_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/shop"
	"agentchat/backend/testing/fakemodel"
	"agentchat/backend/testing/ledgertest"
)

// customer is a person in an open shop: the real tools, the built-in interpreter.
type customer struct {
	*shop.Shop
	t      testing.TB
	reader *event.Reader
	seen   []event.Envelope
	passed int // everything before it was looked at
}

// patience is how long a customer waits for anything before the test fails.
const patience = 5 * time.Minute

func enter(t *testing.T, dir string) *customer {
	t.Helper()
	s, err := shop.Open(context.Background(), options(dir))
	if err != nil {
		t.Fatal(err)
	}
	c := &customer{Shop: s, t: t, reader: s.Bus.SubscribeFrom(1)}
	t.Cleanup(c.leave)
	return c
}

func options(dir string) shop.Options {
	return shop.Options{Config: config.Options{DataDir: ledgertest.In(dir), Env: []string{}}}
}

func (c *customer) leave() {
	if err := c.Close(); err != nil {
		c.t.Errorf("closing: %v", err)
	}
}

// until waits for the first event that fits, after the last one that was waited for.
func until[P event.Payload](c *customer, what string, fits func(e event.Envelope, p P) bool) P {
	c.t.Helper()
	var p P
	kind := p.EventKind()
	ctx, stop := context.WithTimeout(c.t.Context(), patience)
	defer stop()
	for {
		for ; c.passed < len(c.seen); c.passed++ {
			e := c.seen[c.passed]
			if e.Kind != kind {
				continue
			}
			p = *new(P)
			if err := json.Unmarshal(e.Data, &p); err != nil {
				c.t.Fatal(err)
			}
			if fits(e, p) {
				c.passed++
				return p
			}
		}
		c.read(ctx, what)
	}
}

// read reads what happens next.
func (c *customer) read(ctx context.Context, what string) {
	c.t.Helper()
	batch, err := c.reader.Next(ctx, 0)
	if err != nil {
		c.t.Fatalf("waiting until %s: %v; last came %s", what, err, lately(c.seen))
	}
	for _, e := range batch {
		if e.Seq != uint64(len(c.seen)+1) {
			c.t.Fatalf("envelope %d came after %d", e.Seq, len(c.seen))
		}
		c.seen = append(c.seen, e)
	}
}

// lately are the last of what happened, a line each.
func lately(seen []event.Envelope) string {
	var text strings.Builder
	for _, e := range seen[max(0, len(seen)-30):] {
		fmt.Fprintf(&text, "\n%d %s %s %.300s", e.Seq, e.Kind, e.Job, e.Data)
	}
	return text.String()
}

// again looks at everything from the beginning once more.
func (c *customer) again() { c.passed = 0 }

// A word to stop that names nothing means what was begun last.
func TestStopMeansTheNewest(t *testing.T) {
	c := enter(t, t.TempDir())
	nav := c.job("목적지 A로 네비 켜줘")
	c.acquired(nav, "nav")
	song := c.job("노래 불러줘")
	c.acquired(song, "song")
	another := c.job("노래 불러줘")
	c.acquired(another, "song")
	for _, newest := range []string{another, song} { // also of two that use one tool
		c.say("꺼줘")
		c.state(newest, "canceled")
		for _, j := range c.snapshot().Jobs {
			if (j.ID == nav || j.ID == song && newest != song) && j.State != "running" {
				t.Errorf("%s is %s", j.Title, j.State)
			}
		}
	}
	if err := c.CancelJob(nav); err != nil {
		t.Fatal(err)
	}
	c.state(nav, "canceled")
}

// speak says something as one who looks at what stands open: the window sends what it draws.
func (c *customer) speak(text, action string) (event.ChatMessage, error) {
	c.t.Helper()
	seen := ""
	for _, v := range c.snapshot().Service {
		if v.Chat == "main" {
			seen = v.Mark
		}
	}
	return c.Say(context.Background(), "main", text, action, cmp.Or(seen, c.offered()))
}

// offered is the mark of the card that the last answer showed, if it showed one.
func (c *customer) offered() string {
	for _, e := range slices.Backward(c.seen) {
		if e.Kind == event.KindTurnDone {
			var d event.TurnDone
			if err := json.Unmarshal(e.Data, &d); err != nil {
				c.t.Fatal(err)
			}
			mark, _ := d.State.Meta["mark"].(string)
			return mark
		}
	}
	return ""
}

// say says something and gives the jobs that came of it.
func (c *customer) say(text string) []string {
	c.t.Helper()
	msg, err := c.speak(text, "")
	if err != nil {
		c.t.Fatal(err)
	}
	d := until(c, "the turn is done: "+text, func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == msg.ID })
	c.again()
	return d.Jobs
}

// job says something that is one job.
func (c *customer) job(text string) string {
	c.t.Helper()
	jobs := c.say(text)
	if len(jobs) != 1 {
		c.t.Fatalf("%q became %d jobs, want one", text, len(jobs))
	}
	return jobs[0]
}

func (c *customer) acquired(id, tool string) {
	c.t.Helper()
	c.again()
	until(c, "the job has "+tool, func(e event.Envelope, a event.ToolAcquired) bool { return a.JobID == id && a.Tool == tool })
}

func (c *customer) state(id, state string) event.JobState {
	c.t.Helper()
	c.again()
	return until(c, "the job is "+state, func(_ event.Envelope, s event.JobState) bool { return s.ID == id && s.To == state })
}

func (c *customer) question(id string) event.AskOpened {
	c.t.Helper()
	c.again()
	return until(c, "the job asks", func(_ event.Envelope, a event.AskOpened) bool { return a.JobID == id })
}

func (c *customer) answer(id, choice, holder string) {
	c.t.Helper()
	a := c.question(id)
	if _, err := c.Answer(context.Background(), ask.Reply{Ask: a.ID, Choice: choice, Digest: a.Digest, Holder: holder}); err != nil {
		c.t.Fatal(err)
	}
}

// hurry makes everything that plays end at once.
func (c *customer) hurry() {
	c.t.Helper()
	c.set("pace", 10000)
}

// names gives the main chat a name, so that no title is asked for, whenever that would be.
func (c *customer) names(title string) {
	c.t.Helper()
	if err := c.RenameChat(c.t.Context(), "main", title); err != nil {
		c.t.Fatal(err)
	}
}

func (c *customer) set(key string, value any) {
	c.t.Helper()
	if _, err := c.SetSettings(map[string]any{key: value}); err != nil {
		c.t.Fatal(err)
	}
}

func (c *customer) snapshot() shop.Snapshot {
	c.t.Helper()
	snap, err := c.Snapshot(context.Background())
	if err != nil {
		c.t.Fatal(err)
	}
	return snap
}

func (c *customer) holders(tool string) (ids []string) {
	c.t.Helper()
	for _, r := range c.snapshot().Inventory {
		if r.Tool == tool {
			for _, h := range r.Holders {
				ids = append(ids, h.JobID)
			}
		}
	}
	return ids
}

func TestScenarioA(t *testing.T) {
	c := enter(t, t.TempDir())
	nav, song := c.job("목적지 A로 네비 켜줘"), c.job("노래 불러줘")
	c.acquired(nav, "nav")
	c.acquired(song, "song")
	snap := c.snapshot()
	working := 0
	for _, w := range snap.Workers {
		if w.State == "running" {
			working++
		}
	}
	if working != 2 || !slices.Equal(c.holders("nav"), []string{nav}) || !slices.Equal(c.holders("song"), []string{song}) {
		t.Errorf("%d workers run; nav is held by %v, song by %v", working, c.holders("nav"), c.holders("song"))
	}
	for _, g := range snap.Groups {
		if g.Group == "MonitorBox" && (g.Capacity != 1 || len(g.Holders) != 1) || g.Group == "SongPool" && (g.Capacity != 2 || len(g.Holders) != 1) {
			t.Errorf("%s: %+v", g.Group, g)
		}
	}
	if len(snap.Jobs) != 2 || snap.Seq == 0 || len(snap.Chats) == 0 || len(snap.Chats[0].Messages) < 4 || snap.Provider.Provider != "builtin" {
		t.Errorf("the snapshot: %d jobs, seq %d, %+v", len(snap.Jobs), snap.Seq, snap.Provider)
	}
}

func TestScenarioB(t *testing.T) {
	for _, choice := range []string{ask.ChoiceWait, ask.ChoiceCancel, ask.ChoiceStopOther} {
		t.Run(choice, func(t *testing.T) {
			t.Parallel()
			c := enter(t, t.TempDir())
			nav := c.job("목적지 A로 네비 켜줘")
			c.acquired(nav, "nav")
			movie := c.job("영화도 틀어줘")
			if a := c.question(movie); a.Kind != "lock" || len(a.Holders) != 1 || a.Holders[0].JobID != nav || a.Holders[0].Title == "" {
				t.Fatalf("the question: %+v", a)
			}
			c.answer(movie, choice, "")
			switch choice {
			case ask.ChoiceCancel:
				c.state(movie, "canceled")
				if !slices.Equal(c.holders("nav"), []string{nav}) {
					t.Error("nav does not run on")
				}
			case ask.ChoiceWait:
				until(c, "it stands in line", func(_ event.Envelope, q event.ToolQueued) bool { return q.JobID == movie && q.Place == 1 })
				c.hurry()
				c.state(nav, "succeeded")
				c.acquired(movie, "movie")
				c.state(movie, "succeeded")
			case ask.ChoiceStopOther:
				c.state(nav, "canceled")
				c.acquired(movie, "movie")
			}
		})
	}
}

func TestScenarioC(t *testing.T) {
	t.Parallel()
	c := enter(t, t.TempDir())
	one := c.job("노래 불러줘")
	c.acquired(one, "song")
	two := c.job("노래 불러줘")
	c.acquired(two, "song")
	three, four := c.job("노래 하나 더!"), c.job("노래 하나 더!")
	if a := c.question(three); a.Kind != "lock" || a.Reason != "capacity" || len(a.Holders) != 2 {
		t.Fatalf("the question: %+v", a)
	}
	c.answer(three, ask.ChoiceWait, "")
	until(c, "it stands in line", func(_ event.Envelope, q event.ToolQueued) bool { return q.JobID == three })
	c.answer(four, ask.ChoiceStopOther, two)
	c.state(two, "canceled")
	c.acquired(four, "song")
	if have := c.holders("song"); !slices.Contains(have, one) || !slices.Contains(have, four) {
		t.Errorf("the decks are held by %v", have)
	}
	c.hurry()
	for _, id := range []string{one, three, four} {
		c.state(id, "succeeded")
	}
}

func TestATimerAndAPolicyAcrossARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := enter(t, dir)
	c.set("tools.calculator.confirm", "always")
	calc := c.job("3만5천 나누기 7은?")
	before := c.question(calc)
	if before.Kind != "approval" || before.Digest == "" {
		t.Fatalf("the question: %+v", before)
	}
	nav := c.job("목적지 A로 네비 켜줘")
	c.acquired(nav, "nav")
	c.leave()

	c = enter(t, dir)
	snap := c.snapshot()
	if len(snap.Asks) != 1 || snap.Asks[0].ID != before.ID || snap.Asks[0].Digest != before.Digest || len(snap.Jobs) != 2 {
		t.Fatalf("after the restart: %+v", snap.Asks)
	}
	c.acquired(nav, "nav")
	if _, err := c.Answer(t.Context(), ask.Reply{Ask: before.ID, Choice: ask.ChoiceApprove}); apperr.CodeOf(err) != apperr.DigestMismatch {
		t.Errorf("approved without the digest: %v", err)
	}
	if _, err := c.Answer(t.Context(), ask.Reply{Ask: before.ID, Choice: ask.ChoiceApprove, Digest: before.Digest}); err != nil {
		t.Fatal(err)
	}
	c.state(calc, "succeeded")
	d, err := c.Job(t.Context(), calc)
	if err != nil || !strings.Contains(d.Job.Report, "5,000") && !strings.Contains(d.Job.Report, "5000") || len(d.Log) == 0 || len(d.Closed) != 1 {
		t.Errorf("the job: %+v, %v", d, err)
	}
	c.hurry()
	c.state(nav, "succeeded")
	idle, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	if err := c.WaitIdle(idle); err != nil {
		t.Error(err)
	}
}

func TestOneShopToAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := enter(t, dir)
	if s, err := shop.Open(t.Context(), options(dir)); apperr.CodeOf(err) != apperr.AlreadyRunning || s != nil {
		t.Fatalf("a second shop on the folder: %v", err)
	}
	if jobs := c.say("고마워"); len(jobs) != 0 {
		t.Errorf("the first shop handed out %v", jobs)
	}
	c.leave()
	if err := c.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
	enter(t, dir).say("고마워")
}

// The shop's other doors.
func TestTheFrontDesk(t *testing.T) {
	t.Parallel()
	c := enter(t, t.TempDir())
	if _, err := c.Say(t.Context(), "main", "  ", "", ""); apperr.CodeOf(err) != apperr.EmptyMessage {
		t.Errorf("an empty message: %v", err)
	}
	if err := c.StopReply("main"); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("no reply to stop: %v", err)
	}
	if err := c.CancelJob("nothing"); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("no job to stop: %v", err)
	}
	chat, err := c.NewChat(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.RenameChat(t.Context(), chat.ID, " 여행 "); err != nil {
		t.Error(err)
	}
	if err := c.RenameChat(t.Context(), chat.ID, " "); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Errorf("no title: %v", err)
	}
	job := c.job("노래 불러줘")
	c.acquired(job, "song")
	if hits, err := c.Search(t.Context(), shop.SearchQuery{Text: "노래"}); err != nil || len(hits) == 0 {
		t.Errorf("search: %v, %v", hits, err)
	}
	if hits, err := c.Search(t.Context(), shop.SearchQuery{Text: "여행"}); err != nil || len(hits) != 1 || hits[0].Kind != "chat" {
		t.Errorf("search for a title: %+v, %v", hits, err)
	}
	if l, err := c.Letters(t.Context(), "main", "", 10); err != nil || len(l) == 0 || l[0].Provider != "builtin" {
		t.Errorf("letters: %+v, %v", l, err)
	}
	if err := c.DeleteChat(t.Context(), "main"); err != nil {
		t.Error(err)
	}
	c.state(job, "canceled")
	if err := c.ClearEnded(t.Context()); err != nil {
		t.Error(err)
	}
	if snap := c.snapshot(); len(snap.Jobs) != 0 || len(snap.Media) != 0 {
		t.Errorf("%d jobs on the board, %d screens on", len(snap.Jobs), len(snap.Media))
	}
	if _, err := c.SetSettings(map[string]any{"tools.rocket.confirm": "always"}); apperr.CodeOf(err) != apperr.UnknownTool {
		t.Errorf("a setting of no tool: %v", err)
	}
	if !strings.Contains(c.JobGraph(), "confirm_check") || !strings.Contains(c.TurnGraph(), "route") {
		t.Error("the graphs are not drawn")
	}
}

func TestAShopThatCannotBeOpenedLeavesNothingOpen(t *testing.T) {
	t.Parallel()
	bad := options(t.TempDir())
	bad.Config.Flags = map[string]string{"workers": "many"}
	s, err := shop.Open(t.Context(), bad)
	var own *apperr.Error
	if s != nil || !errors.As(err, &own) {
		t.Fatalf("%v, %v", s, err)
	}
}

func TestMain(m *testing.M) {
	fakemodel.BeChild()
	// The log file's rotation keeps one goroutine for the life of the program.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("gopkg.in/natefinch/lumberjack%2ev2.(*Logger).millRun"))
}
