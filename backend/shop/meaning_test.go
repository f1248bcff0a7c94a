package shop_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
)

// labels are what the buttons of a turn say.
func labels(d event.TurnDone) (list []string) {
	for _, b := range d.UIHint.Buttons {
		list = append(list, b.Label)
	}
	return list
}

// started are the tools of the jobs that a turn handed out.
func (g *guest) started() (tools []string) {
	for _, e := range g.seen[g.from:] {
		var j event.JobCreated
		if e.Kind == event.KindJobCreated && json.Unmarshal(e.Data, &j) == nil {
			for _, todo := range j.Todos {
				tools = append(tools, todo.Tool)
			}
		}
	}
	return tools
}

// What is probably wanted and not sure is asked about; a word or a button goes on with the message itself, also after a restart.
func TestTheDeskAsksWhatIsMeant(t *testing.T) {
	dir := t.TempDir()
	g := visitIn(t, dir, &till{}, nil)
	d := g.tell("something upbeat please")
	if got := labels(d); !slices.Equal(got, []string{"Play music", "No"}) || d.NextAction != event.NextConfirm {
		t.Fatalf("asked %q with %q", d.Message, got)
	}
	g.leave()
	g = visitIn(t, dir, &till{}, nil)
	if g.tell("yes"); !slices.Equal(g.started(), []string{"song"}) {
		t.Errorf("a yes starts %q", g.started())
	}

	now := time.Now()
	friday := now.AddDate(0, 0, int(time.Friday-now.Weekday()+7)%7).Format("January 2") // today on a Friday
	d = g.tell("friday needs to be clear on my calendar")
	off, on := "Take off the to-do list: needs to be clear, "+friday, "Put on the to-do list: needs to be clear, "+friday
	if got := labels(d); !slices.Equal(got, []string{off, on, "None of these"}) && !slices.Equal(got, []string{on, off, "None of these"}) {
		t.Fatalf("asked %q with %q", d.Message, got)
	}
	second := map[string]string{off: "reminder_done", on: "reminder"}[labels(d)[1]]
	if d = g.tell("the second one"); d.State.Meta["service"] != second {
		t.Errorf("the second is %v: %q", d.State.Meta, d.Message)
	}
	g.tell("cancel")
	g.tell("friday needs to be clear on my calendar")
	if d = g.tell("no"); !strings.HasPrefix(d.Message, "What shall I do then?") || len(g.started()) > 0 {
		t.Errorf("a no gives %q and starts %q", d.Message, g.started())
	}
	if slices.Contains(labels(d), "Take off the to-do list") {
		t.Errorf("what was turned down is offered again: %q", labels(d))
	}
}

// Whoever is not understood gets the nearest requests as buttons, each of which says its words as if they were typed; what stands open at
// the counter is asked again instead.
func TestWhatWasNotUnderstoodIsOfferedInOtherWords(t *testing.T) {
	g := visitIn(t, t.TempDir(), &till{}, nil)
	for text, near := range map[string]string{"정리 좀": "바탕화면 정리해줘", "내일 뭐하지": "내일 비 와?", "could you handle my files": "find files about 'budget'", "qwer zxcv asdf": ""} {
		d := g.tell(text)
		if got := labels(d); len(got) < 2 || len(got) > 3 || near != "" && !slices.Contains(got, near) {
			t.Errorf("%q: %q offers %q", text, d.Message, got)
		}
		if len(g.started()) > 0 {
			t.Errorf("%q starts %q", text, g.started())
		}
	}
	d := g.tell("심심해")
	film := slices.IndexFunc(d.UIHint.Buttons, func(b event.Button) bool { return strings.Contains(b.Label, "영화") })
	if film < 0 {
		t.Fatalf("offered %q", labels(d))
	}
	if g.press(d.UIHint.Buttons[film].ID); !slices.Equal(g.started(), []string{"movie"}) {
		t.Errorf("the button starts %q", g.started())
	}
	g.tell("엄마한테 만원 보내줘")
	if d = g.tell("심심해"); slices.ContainsFunc(d.UIHint.Buttons, func(b event.Button) bool { return strings.HasPrefix(b.ID, "say:") }) {
		t.Errorf("with a transfer open it offers %q", labels(d))
	}
}

// Who was misread gets the next readings, and what the wrong one began is called off.
func TestWhatWasMisreadIsTakenBack(t *testing.T) {
	g := visitIn(t, t.TempDir(), &till{}, nil)
	d := g.tell("노래 틀어줘")
	song := d.Jobs[0]
	d = g.press("amiss:" + d.MessageID)
	film := slices.IndexFunc(d.UIHint.Buttons, func(b event.Button) bool { return strings.HasSuffix(b.ID, ":tool:movie") })
	if film < 0 || slices.ContainsFunc(d.UIHint.Buttons, func(b event.Button) bool { return strings.HasSuffix(b.ID, ":tool:song") }) {
		t.Fatalf("offered %q", labels(d))
	}
	d = g.press(d.UIHint.Buttons[film].ID)
	if !slices.Equal(g.started(), []string{"movie"}) || !strings.Contains(d.Message, "노래") {
		t.Errorf("started %q and said %q", g.started(), d.Message)
	}
	until(g.customer, "the song is called off", func(e event.Envelope, x event.JobState) bool { return e.Job == song && x.To == "canceled" })
	if _, err := g.speak("", "mean:nothing:nothing::tool:song"); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("a button of no message: %v", err)
	}
	kept, err := g.Readings(context.Background(), "", 10)
	if err != nil || len(kept.Readings) != 3 || kept.Readings[2].Taken != "tool:song" {
		t.Errorf("kept %+v, %v", kept, err)
	}
}

// What the customer tells of themselves is acknowledged, and answered later in their own words, without a model.
func TestWhatWasToldIsAnswered(t *testing.T) {
	g := visitIn(t, t.TempDir(), &till{}, nil)
	for _, talk := range [][2]string{
		{"내 이름이 뭐야?", "아직 들은 것이 없어요."},
		{"내 이름은 민수야", "기억해 둘게요: “내 이름은 민수야”"},
		{"내 이름이 뭐야?", "이렇게 말씀하셨어요: “내 이름은 민수야”"},
		{"I am allergic to peanuts", "I will remember: “I am allergic to peanuts”"},
		{"what am I allergic to?", "You told me: “I am allergic to peanuts”"},
	} {
		d := g.tell(talk[0])
		if len(g.started()) > 0 || !strings.HasPrefix(d.Message, talk[1]) {
			t.Errorf("%q: %q, started %q", talk[0], d.Message, g.started())
		}
	}
}
