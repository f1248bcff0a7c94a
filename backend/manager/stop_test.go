package manager_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// start has one job of each tool running in a chat.
func (h *house) start(chat string, tools ...string) (ids []string) {
	h.T.Helper()
	for _, tool := range tools {
		h.plans(jobsPlan(tool))
		ids = append(ids, h.say(chat, "start "+tool).Jobs...)
	}
	return ids
}

func TestAStopPlan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		stop := func(p provider.StopPlan) event.TurnDone {
			h.plans(provider.Plan{Route: provider.RouteStop, Stop: &p})
			d := h.say("main", "stop")
			h.Pass(50 * time.Millisecond)
			return d
		}
		if d := stop(provider.StopPlan{Tool: "song"}); d.Message == "" || len(d.UIHint.Buttons) != 0 {
			t.Errorf("nothing to stop: %+v", d)
		}

		nav := h.start("main", "nav")[0]
		elsewhere := h.start("another chat", "song")[0]
		if d := stop(provider.StopPlan{Tool: "nav"}); !strings.Contains(d.Message, "the nav") {
			t.Errorf("one to stop: %+v", d)
		}
		h.WantState(nav, job.Canceled)
		h.WantState(elsewhere, job.Running)

		songs := h.start("main", "song", "song")
		h.Choose(songs[1], ask.ChoiceWait) // both decks are taken
		d := stop(provider.StopPlan{Tool: "song"})
		if d.NextAction != event.NextConfirm || len(d.UIHint.Buttons) != 3 {
			t.Fatalf("several to stop: %+v", d)
		}
		h.WantState(songs[0], job.Running)
		var button string
		for _, b := range d.UIHint.Buttons {
			if strings.HasSuffix(b.ID, songs[1]) {
				button = b.ID
			}
		}
		h.press("main", button)
		h.Pass(50 * time.Millisecond)
		h.WantState(songs[1], job.Canceled)
		h.WantState(songs[0], job.Running)
		if d := h.press("main", button); d.Message == "" {
			t.Errorf("pressed again: %+v", d)
		}

		more := h.start("main", "nav")
		stop(provider.StopPlan{All: true})
		h.WantState(songs[0], job.Canceled)
		h.WantState(more[0], job.Canceled)
		h.WantState(elsewhere, job.Running)
	})
}

// What was started last is stopped alone, whatever else uses its tool.
func TestStopTheNewest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		ids := h.start("main", "song", "song", "nav")
		for _, stop := range []struct {
			plan provider.StopPlan
			want string
		}{{provider.StopPlan{Tool: "song", Newest: true}, ids[1]}, {provider.StopPlan{Newest: true}, ids[2]}} {
			h.plans(provider.Plan{Route: provider.RouteStop, Stop: &stop.plan})
			d := h.say("main", "stop")
			h.Pass(50 * time.Millisecond)
			if len(d.UIHint.Buttons) != 0 {
				t.Errorf("%+v: %+v", stop.plan, d)
			}
			h.WantState(stop.want, job.Canceled)
			h.WantState(ids[0], job.Running)
		}
	})
}

func TestStopThemAllByButton(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		ids := h.start("main", "song", "song", "nav")
		h.plans(provider.Plan{Route: provider.RouteStop, Stop: &provider.StopPlan{Tool: "song"}})
		d := h.say("main", "stop the song")
		all := d.UIHint.Buttons[len(d.UIHint.Buttons)-1]
		h.press("main", all.ID)
		h.Pass(50 * time.Millisecond)
		h.WantState(ids[0], job.Canceled)
		h.WantState(ids[1], job.Canceled)
		h.WantState(ids[2], job.Running)
	})
}

func TestWordsAnswerTheOneLockQuestion(t *testing.T) {
	for words, want := range map[string]job.State{"기다릴게요.": job.Waiting, "취소!": job.Canceled, "Stop the other": job.Running} {
		t.Run(words, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := openHouse(t)
				ids := h.start("main", "nav", "movie")
				reqs := len(h.voice.Requests())
				h.say("main", words)
				h.Pass(50 * time.Millisecond)
				h.NoQuestion()
				h.WantState(ids[1], want)
				if len(h.voice.Requests()) != reqs {
					t.Error("the model was asked")
				}
			})
		})
	}
}

func TestWordsThatCouldMeanSeveralThingsArePlanned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.start("main", "nav")
		h.voice.Say = nil
		if d := h.say("main", "기다려"); d.Message != "기다려" {
			t.Errorf("no question is open, and the turn ended with %q", d.Message)
		}
		h.start("main", "movie", "movie")
		h.voice.Say = nil
		if d := h.say("main", "기다려"); d.Message != "기다려" {
			t.Errorf("two questions are open, and the turn ended with %q", d.Message)
		}
		if d := h.say("another chat", "취소"); d.Message != "취소" {
			t.Errorf("the questions are another chat's, and the turn ended with %q", d.Message)
		}
	})
}

// An approval is never given by word of mouth: it binds to a digest.
func TestWordsDoNotApprove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		id := h.start("main", "pay")[0]
		h.voice.Say = nil
		asked := h.Question(id).ID
		for _, words := range []string{
			"approve", "승인", "yes", "ok", "네", "응 그렇게 해", "what does this do?", "이게 뭐 하는 거야?", "바꾸면 어떻게 돼?", "흠 좀 비싸네", "looks fine to me", "",
		} {
			if words != "" {
				h.say("main", words)
				h.say(jobChat(id), words)
			}
			if a := h.Question(id); a.Kind != ask.KindApproval || a.ID != asked {
				t.Fatalf("%q answered it: now %s stands there, not %s", words, a.ID, asked)
			}
		}
		for _, words := range []string{"아니 두 개만 해줘", "5로 해줘", "make it two"} {
			h.Model.OnChoose = nil
			h.say(jobChat(id), words)
			now := h.Question(id).ID
			if now == asked {
				t.Errorf("%q did not turn it down", words)
			}
			asked = now
		}
		h.say(jobChat(id), "no")
		h.WantState(id, job.Canceled)
	})
}

func jobChat(id string) string { return "job:" + id }

func TestSteeringAJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		ids := h.start("main", "nav", "movie", "song", "pay")
		nav, movie, song, pay := ids[0], ids[1], ids[2], ids[3]
		reqs := len(h.voice.Requests())

		if d := h.say(jobChat(song), "louder please"); d.Message == "" {
			t.Errorf("a note: %+v", d)
		}
		if b := h.Background(t.Context(), "main", song); len(b.Notes) != 1 || b.Notes[0] != "louder please" {
			t.Errorf("the job's letters carry %v", b.Notes)
		}
		h.WantState(song, job.Running)
		h.say(jobChat(song), "그만해줘!")
		h.Pass(50 * time.Millisecond)
		h.WantState(song, job.Canceled)

		h.say(jobChat(movie), "wait")
		h.NoQuestionOf(movie)
		h.WantState(movie, job.Waiting)
		h.say(jobChat(movie), "stop")
		h.WantState(movie, job.Canceled)
		h.WantState(nav, job.Running)

		h.Model.OnChoose = nil
		h.say(jobChat(pay), "make it one")
		h.Question(pay)
		if briefs := h.Model.Briefs(); briefs[len(briefs)-1].Correction != "make it one" {
			t.Errorf("the chooser was told %+v", briefs[len(briefs)-1])
		}
		if len(h.voice.Requests()) != reqs {
			t.Error("the planner was asked about a word to a job")
		}
		for _, words := range []string{"stop", "and a little slower"} {
			if d := h.say(jobChat(song), words); d.Message != apperr.New(apperr.JobEnded).Text(bilingual.EN) {
				t.Errorf("%q to a job that ended: %q", words, d.Message)
			}
		}
	})
}

// NoQuestionOf fails the test when a job still asks.
func (h *house) NoQuestionOf(id string) {
	h.T.Helper()
	open, err := h.Desk.Open(h.T.Context())
	if err != nil {
		h.T.Fatal(err)
	}
	for _, a := range open {
		if a.JobID == id {
			h.T.Fatalf("still open: %s", a.Question)
		}
	}
}

// What the planner is told: what runs in this chat and what was said in it, without the message itself.
func TestWhatThePlannerIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.start("main", "nav")
		h.start("another chat", "song")
		h.voice.Say = nil
		h.say("main", "what is going on?")
		reqs := h.voice.Requests()
		l := reqs[len(reqs)-1]
		if len(l.State.Running) != 1 || l.State.Running[0].Tool != "nav" || l.Message != "what is going on?" || l.Lang != bilingual.EN {
			t.Errorf("the letter: %+v", l.State)
		}
		if len(l.Transcript) != 2 || l.Transcript[0].Text != "start nav" || l.Transcript[1].Speaker != "shop" {
			t.Errorf("the transcript: %+v", l.Transcript)
		}
		h.say("main", "123")
		reqs = h.voice.Requests()
		if l := reqs[len(reqs)-1]; l.Lang != bilingual.KO {
			t.Errorf("a message without letters is in %s, want the shop's language", l.Lang)
		}
	})
}

// The events of one turn come in the order in which a front can draw them.
func TestTheOrderOfOneTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHouse(t)
		h.plans(jobsPlan("nav"))
		d := h.say("main", "go")
		place := map[event.Kind]int{}
		for i, e := range h.Envelopes() {
			if _, seen := place[e.Kind]; !seen {
				place[e.Kind] = i
			}
		}
		for _, pair := range [][2]event.Kind{
			{event.KindChatCreated, event.KindChatMessage},
			{event.KindChatMessage, event.KindAgentStart},
			{event.KindAgentStart, event.KindAgentDone},
			{event.KindAgentDone, event.KindJobCreated},
			{event.KindJobCreated, event.KindTurnDone},
			{event.KindJobCreated, event.KindJobState},
		} {
			if place[pair[0]] >= place[pair[1]] {
				t.Errorf("%s came after %s", pair[0], pair[1])
			}
		}
		h.WantState(d.Jobs[0], job.Running)
	})
}
