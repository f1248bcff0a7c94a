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
			for _, s := range []*tally{&set, &all, language[phrase.Korean(l.Request)]} {
				s.count(l, came)
			}
			l.misread(t, filepath.Base(name), came)
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
		if now, ok := since[strings.TrimSuffix(filepath.Base(name), ".jsonl")+"/"+l.Label]; ok {
			l.Expected = now
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

// tally counts requests for which there is something and those for which there is nothing, and in how many the desk asked back.
type tally struct {
	wanted, right, exact, other, back int
	idle, started, idleBack           int
	took                              []time.Duration
}

func (s *tally) count(l labelled, came outcome) {
	s.took = append(s.took, came.took)
	right, exact := l.right(came)
	if l.idle() {
		s.idle++
		s.idleBack += oneIf(came.asked)
		s.started += oneIf(!right)
		return
	}
	s.wanted++
	s.right += oneIf(right)
	s.exact += oneIf(exact)
	s.back += oneIf(!right && came.asked)
	s.other += oneIf(!right && len(came.started) > 0)
}

// share is n of so many, in percent; 0 of none.
func share(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func (s tally) String() string {
	slices.Sort(s.took)
	slow := time.Duration(0)
	if n := len(s.took); n > 0 {
		slow = s.took[n*95/100]
	}
	return fmt.Sprintf("%4d wanted: %5.1f %% right, %5.1f %% with arguments, %4.1f %% other, %4.1f %% asked back; %5d idle: %4.1f %% started, %4.1f %% asked back; p95 %.1f ms",
		s.wanted, share(s.right, s.wanted), share(s.exact, s.wanted), share(s.other, s.wanted), share(s.back, s.wanted),
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
	var all []question
	for line := range strings.Lines(string(text)) {
		var q question
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatal(err)
		}
		all = append(all, q)
	}
	t.Log(c.questions(all))
}

// question is one that documents answer, and words of the passage that does.
type question struct{ Request, Answer string }

// found counts questions that reach the library, and those that are answered with a source that holds the answer.
type found struct{ asked, reached, answered int }

func (f found) String() string {
	return fmt.Sprintf("%d questions: %.1f %% reach the library, %.1f %% have the answer in a source", f.asked, share(f.reached, f.asked), share(f.answered, f.asked))
}

// questions asks each in a chat of its own.
func (c *customer) questions(all []question) (f found) {
	c.t.Helper()
	for _, q := range all {
		f.asked++
		before := c.passed
		came := c.starts(fmt.Sprint("q", f.asked), q.Request)
		reached := slices.ContainsFunc(came.started, func(b begun) bool { return b.name == "library" })
		answered := reached && slices.ContainsFunc(c.seen[before:], func(e event.Envelope) bool {
			var s event.Sources
			return e.Kind == s.EventKind() && json.Unmarshal(e.Data, &s) == nil && slices.ContainsFunc(s.Items, func(s event.Source) bool { return strings.Contains(s.Quote, q.Answer) })
		})
		f.reached, f.answered = f.reached+oneIf(reached), f.answered+oneIf(answered)
		if !answered && *misread {
			c.t.Logf("misread\tquestion\t%s\t%v\t%s\t%q", q.Answer, came.started, q.Request, came.reply)
		}
	}
	return f
}
