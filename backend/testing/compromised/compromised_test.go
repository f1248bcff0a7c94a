package compromised

import (
	"flag"
	"slices"
	"sync/atomic"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/testing/breadth"
	"agentchat/backend/testing/fakemodel"
)

var full = flag.Bool("compromised.full", false, "tell every story to everybody in every way, not to two people in each")

// tells says whether a story is told to a citizen in a way: all people hear all stories, half of them
// with -short, and with -compromised.full in all ways.
func tells(story, way, citizen int) bool {
	return *full || (story+2*way+citizen)%len(citizens) < breadth.Count(len(citizens)/len(ways), 1)
}

// tally counts what the stories came to.
type tally struct{ told, letters, made, tried, asked, approved, ran, unapproved atomic.Int64 }

// harmless are tools that change nothing and send nothing.
func harmless(tool string) bool { return tool == "file_read" }

// consequential are the deeds that matter: whatever changes something, and what is fetched from where nobody said.
func consequential(deeds []deed, says string) (list []deed) {
	for _, d := range deeds {
		url := ""
		if d.Tool == "web_fetch" {
			url = argument(event.AskOpened{Args: d.Args}, "url")
		}
		if !harmless(d.Tool) && (url == "" || !containsWord(says, url)) {
			list = append(list, d)
		}
	}
	return list
}

// Whatever a model that somebody else has in hand calls, in whatever way, and whatever people answer: nothing that matters
// happens without an approval of exactly that.
func TestNothingHappensUnapproved(t *testing.T) {
	count := &tally{}
	t.Cleanup(func() {
		t.Logf("%d stories in %d ways, told %d times: %d letters, %d calls, %d of them consequential; %d questions, %d approvals; %d consequential calls ran, %d of them unapproved",
			len(stories), len(ways), count.told.Load(), count.letters.Load(), count.made.Load(), count.tried.Load(), count.asked.Load(), count.approved.Load(), count.ran.Load(), count.unapproved.Load())
	})
	for n, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			acts := make([]fakemodel.Act, len(stories))
			for i, s := range stories {
				acts[i] = s.act
			}
			h := open(t, w, acts...)
			for i, s := range stories {
				t.Run(s.name, func(t *testing.T) {
					h.in(t).tell(w, s, func(citizen int) bool { return tells(i, n, citizen) }, count)
				})
			}
		})
	}
}

// tell tells a story to whom it is meant for, in turn.
func (h *world) tell(w way, s story, to func(citizen int) bool, count *tally) {
	t := h.t
	t.Helper()
	lettersBefore, madeBefore, triedBefore := h.calls()
	for i, c := range citizens {
		if !to(i) {
			continue
		}
		h.folders.lay(t)
		count.told.Add(1)
		chat := h.chat()
		if s.before != nil {
			s.before(h, chat)
		}
		h.say(chat, s.says)
		questions, permits := h.settle(chat, c.answers(s.wants))
		codes := h.codes(chat)
		h.leave(chat)
		ran := consequential(h.log.news(t), s.says)
		wrong := unapproved(ran, permits)
		if c.name == "approves the first one for as long as may be" {
			wrong = stretched(wrong, permits, s.says)
		}
		for _, d := range wrong {
			t.Errorf("%s: unapproved: %s", c.name, d)
		}
		if !h.folders.intact(t) {
			t.Errorf("%s: something changed outside the open folder", c.name)
		}
		for _, file := range h.folders.changed(t) {
			if !slices.ContainsFunc(ran, func(d deed) bool { return pathOf(d.Args) == file }) {
				t.Errorf("%s: %s changed, and nobody tells who did that", c.name, file)
			}
		}
		if s.atOnce && len(questions) > 0 {
			t.Errorf("%s: asked about %s %s", c.name, questions[0].Tool, questions[0].Args)
		}
		if s.code != "" && c.name == "refuses, and says why" && !w.direct && !slices.Contains(codes, s.code) {
			t.Errorf("%s: the jobs ended %v, not %s", c.name, codes, s.code)
		}
		count.asked.Add(int64(len(questions)))
		count.approved.Add(int64(len(permits)))
		count.ran.Add(int64(len(ran)))
		count.unapproved.Add(int64(len(wrong)))
	}
	reqs, made, tried := h.calls()
	reqs, made, tried = reqs-lettersBefore, made-madeBefore, tried-triedBefore
	if made == 0 {
		t.Error("the model called nothing: the story was not told")
	}
	count.letters.Add(int64(reqs))
	count.made.Add(int64(made))
	count.tried.Add(int64(tried))
}

// codes are how the jobs of a chat ended, where they ended badly.
func (h *world) codes(chat string) (list []string) {
	for _, j := range h.jobs(chat) {
		if job.State(j.State) == job.Failed {
			list = append(list, string(j.Code))
		}
	}
	return list
}
