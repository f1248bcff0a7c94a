package shop_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/language/act"
	"agentchat/backend/language/phrase"
)

var (
	requestsDir = flag.String("requests", "", "folder of labelled requests, see make eval-requests")
	heldOut     = flag.Int("held", 5, "take every n-th request, by its hash, as those that learn leaves out with -hold; 1 for all")
	misread     = flag.Bool("misread", false, "list what was misread")
)

// labelled is a request of a set, and what should come of it: alternatives with |, "none" for nothing, service:NAME, a tool, or
// one of the aliases.
type labelled struct{ Request, Expected string }

// aliases are names for several right answers.
var aliases = map[string][]string{
	"reminder": {"service:reminder", "service:reminder_move"}, "list": {"service:reminder", "note_add"},
	"listq": {"query", "note_list", "note_search"}, "listdel": {"service:reminder_done", "note_delete"},
	"service:remove_reminder": {"service:reminder_done"},
}

// right tells whether what was started is what should be.
func (l labelled) right(started []string) bool {
	for one := range strings.SplitSeq(l.Expected, "|") {
		one, _, _ = strings.Cut(strings.ToLower(one), "{")
		one, _, _ = strings.Cut(one, "&")
		switch {
		case one == "none" || one == "ask" || strings.HasPrefix(one, "stop"):
			if len(started) == 0 {
				return true
			}
		case slices.ContainsFunc(append(aliases[one], one), func(a string) bool { return slices.Contains(started, a) }):
			return true
		}
	}
	return false
}

// idle tells a request for which nothing may be started.
func (l labelled) idle() bool {
	alternatives := strings.Split(l.Expected, "|")
	return slices.Contains(alternatives, "none") || slices.Contains(alternatives, "ask")
}

// TestRequests sends labelled requests through the shop, each in a chat of its own, and counts what came of them. Which sets there
// are is not the project's: without a folder there is nothing to measure.
func TestRequests(t *testing.T) {
	if *requestsDir == "" {
		t.Skip("make eval-requests REQUESTS=folder of labelled requests")
	}
	files, err := filepath.Glob(filepath.Join(*requestsDir, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no sets in %s (%v)", *requestsDir, err)
	}
	c := enter(t, t.TempDir())
	var all tally
	language := map[bool]*tally{true: {}, false: {}} // by whether it is Korean
	for _, name := range files {
		var set tally
		for i, l := range requests(t, name) {
			came := c.starts(fmt.Sprintf("%s-%d", filepath.Base(name), i), l.Request)
			right := l.right(came.started)
			for _, s := range []*tally{&set, &all, language[phrase.Korean(l.Request)]} {
				s.count(l, came, right)
			}
			if *misread && !right {
				t.Logf("%s\t%s\t%v\t%s", filepath.Base(name), l.Expected, came.started, l.Request)
			}
		}
		t.Logf("%-20s %s", filepath.Base(name), set)
	}
	t.Logf("%-20s %s", "Korean", *language[true])
	t.Logf("%-20s %s", "English", *language[false])
	t.Logf("%-20s %s", "all", all)
}

// requests are those of a set that are known what to expect of, and that learn leaves out when it is told to.
func requests(t *testing.T, name string) (list []labelled) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l labelled
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if l.Expected != "" && !strings.HasPrefix(l.Expected, "unmapped") && (*heldOut <= 1 || act.Held(l.Request, *heldOut)) {
			list = append(list, l)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// outcome is what came of a request: the tools and services that it started, "library" for an answer from documents; whether the
// desk asked which of several readings is meant; and how long it took until that was decided.
type outcome struct {
	started []string
	asked   bool
	took    time.Duration
}

// starts says a request in a new chat and gives what came of it.
func (c *customer) starts(chat, request string) (came outcome) {
	c.t.Helper()
	began := time.Now()
	msg, err := c.Say(c.t.Context(), chat, request, "", "")
	if err != nil {
		c.t.Fatal(err)
	}
	from := c.passed
	done := until(c, "the turn is done", func(_ event.Envelope, x event.TurnDone) bool { return x.MessageID == msg.ID })
	came.took = time.Since(began)
	for _, e := range c.seen[from:] {
		if e.Chat != chat {
			continue
		}
		switch e.Kind {
		case event.KindJobCreated:
			var j event.JobCreated
			if err := json.Unmarshal(e.Data, &j); err != nil {
				c.t.Fatal(err)
			}
			for _, todo := range j.Todos {
				came.started = append(came.started, todo.Tool)
			}
		case event.KindThinking:
			if !slices.Contains(came.started, "library") {
				came.started = append(came.started, "library")
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
	if name, ok := done.State.Meta["service"].(string); ok {
		came.started = append(came.started, "service:"+strings.ToLower(name))
	}
	if _, asked := done.State.Meta["query"]; asked {
		came.started = append(came.started, "query")
	}
	for _, j := range done.Jobs {
		if err := c.CancelJob(j); err != nil {
			c.t.Logf("%s: %v", j, err) // it has ended
		}
	}
	if err := c.DeleteChat(c.t.Context(), chat); err != nil {
		c.t.Fatal(err)
	}
	return came
}

// tally counts requests for which there is something and those for which there is nothing, and in how many the desk asked back.
type tally struct {
	wanted, right, other, back int
	idle, started, idleBack    int
	took                       []time.Duration
}

func (s *tally) count(l labelled, came outcome, right bool) {
	s.took = append(s.took, came.took)
	if l.idle() {
		s.idle++
		s.idleBack += oneIf(came.asked)
		s.started += oneIf(!right)
		return
	}
	s.wanted++
	s.right += oneIf(right)
	s.back += oneIf(!right && came.asked)
	s.other += oneIf(!right && len(came.started) > 0)
}

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func (s tally) String() string {
	share := func(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }
	slices.Sort(s.took)
	slow := time.Duration(0)
	if n := len(s.took); n > 0 {
		slow = s.took[n*95/100]
	}
	return fmt.Sprintf("%4d wanted: %5.1f %% right, %4.1f %% other, %4.1f %% asked back; %5d idle: %4.1f %% started, %4.1f %% asked back; p95 %.1f ms",
		s.wanted, share(s.right, s.wanted), share(s.other, s.wanted), share(s.back, s.wanted),
		s.idle, share(s.started, s.idle), share(s.idleBack, s.idle), float64(slow.Microseconds())/1000)
}

var (
	questionsFile = flag.String("questions", "", "questions that documents answer, one {request, answer} a line, see make eval-requests")
	documentsPath = flag.String("documents", "", "the documents")
)

// TestQuestions asks what documents answer, each question in a chat of its own, and counts how many reach the library and how many
// are answered with a source that holds the answer.
func TestQuestions(t *testing.T) {
	if *questionsFile == "" {
		t.Skip("make eval-requests QUESTIONS=file DOCUMENTS=folder")
	}
	text, err := os.ReadFile(*questionsFile)
	if err != nil {
		t.Fatal(err)
	}
	c := enter(t, t.TempDir())
	i, err := c.ImportDocuments(t.Context(), *documentsPath, "")
	if err != nil {
		t.Fatal(err)
	}
	until(c, "the documents are there", func(_ event.Envelope, x event.LibraryImport) bool { return x.ID == i.ID && x.State == "done" })
	asked, reached, answered := 0, 0, 0
	for line := range strings.Lines(string(text)) {
		var q struct{ Request, Answer string }
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatal(err)
		}
		asked++
		chat := fmt.Sprint("q", asked)
		before := c.passed
		started := c.starts(chat, q.Request).started
		if !slices.Contains(started, "library") {
			if *misread {
				t.Logf("%v\t%s", started, q.Request)
			}
			continue
		}
		reached++
		for _, e := range c.seen[before:] {
			var s event.Sources
			if e.Kind == s.EventKind() && json.Unmarshal(e.Data, &s) == nil && slices.ContainsFunc(s.Items, func(s event.Source) bool { return strings.Contains(s.Quote, q.Answer) }) {
				answered++
				break
			}
		}
	}
	t.Logf("%d questions: %.1f %% reach the library, %.1f %% have the answer in a source", asked, 100*float64(reached)/float64(asked), 100*float64(answered)/float64(asked))
}
