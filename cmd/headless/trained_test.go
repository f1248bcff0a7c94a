package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/provider"
	"agentchat/backend/testing/realollama"
	"agentchat/backend/testing/tinygguf"
)

var (
	trainedDir = flag.String("models", "", "folder of trained models, see make eval-models")
	trainedFor = flag.Duration("for", time.Hour, "say nothing new to a trained model after that long")
)

const trainedName = "smollm2-135m-instruct"

// trainedTurns is how many requests make a conversation.
const trainedTurns = 10

// TestTrainedPlanner lets a small trained model interpret requests, and counts what a made-up one cannot show: how many of its
// plans are valid, how many it has to mend, what is started that nobody asked for, how long that takes, and what it reads anew.
func TestTrainedPlanner(t *testing.T) {
	if *trainedDir == "" {
		t.Skip("make eval-models")
	}
	t.Run("the interpreter without a model", func(t *testing.T) {
		s := start(t, t.TempDir(), "--lang", "en", "--pace", "10000")
		t.Log(s.askAll())
		s.quit()
	})
	t.Run(trainedName, func(t *testing.T) { trainedPlanner(t) })
}

func trainedPlanner(t *testing.T) {
	server := realollama.Start(t)
	server.CreateTrained(t, trainedName, *trainedDir)
	h := &realHouse{server: server, tap: server.NewTap(t)}
	s := h.open(t, trainedName, "--lang", "en", "--pace", "10000")
	s.wait = time.Hour // on a busy computer it writes a word a second
	t.Log(s.askAll())
	read := map[provider.Role]*tokens{}
	for _, x := range s.letters() {
		if x.Provider != "ollama" || x.Reply.TokensIn == 0 {
			continue
		}
		if read[x.Request.Role] == nil {
			read[x.Request.Role] = &tokens{}
		}
		read[x.Request.Role].add(x.Reply)
	}
	for role, n := range read {
		t.Logf("%-12s %s", role, n)
	}
	s.quit()
	h.readAgain(t, h.tap.Chats())
}

// askAll says all requests and gives what became of them.
func (s *session) askAll() (sum plannerSum) {
	s.t.Helper()
	open := time.Now()
	for i, r := range trainedRequests(s.t) {
		if time.Since(open) > *trainedFor {
			break
		}
		mark, began := s.mark(), time.Now()
		var said struct {
			Message event.ChatMessage `json:"message"`
		}
		s.must("say", map[string]any{"text": r.text, "chat": fmt.Sprint("t", i/trainedTurns)}, &said)
		s.awaitFrom(mark, "the end of "+r.text, func(l line) bool {
			var d event.TurnDone
			return l.Kind == event.KindTurnDone && json.Unmarshal(l.Data, &d) == nil && d.MessageID == said.Message.ID
		})
		sum.took = append(sum.took, time.Since(began))
		s.must("wait", map[string]any{"until": "idle", "timeout_ms": patience.Milliseconds()}, nil)
		var started []string
		for _, l := range s.since(mark) {
			var j event.JobCreated
			if l.Kind == event.KindJobCreated && json.Unmarshal(l.Data, &j) == nil {
				for _, todo := range j.Todos {
					started = append(started, todo.Tool)
				}
			}
		}
		plans, valid := s.planned(said.Message.ID)
		sum.add(r, started, plans, valid)
		s.t.Logf("%5.1f s  %d plans, valid %-5v  wanted %-12s started %v: %s", sum.took[i].Seconds(), plans, valid, r.tool, started, r.text)
	}
	return sum
}

// readAgain sends the letters of a conversation to made-up models of several architectures, and counts what each reads anew:
// that is a matter of the architecture, not of what a model learned.
func (h *realHouse) readAgain(t *testing.T, chats []realollama.Chat) {
	t.Helper()
	var reads []string
	for _, m := range chats[0].Messages {
		reads = append(reads, m.Content)
	}
	for name, gguf := range map[string][]byte{"sees-everything": tinygguf.Random(1, reads...), "sees-a-window": tinygguf.Windowed(1, reads...)} {
		h.server.Create(t, name, gguf, tinygguf.Template)
		var sum tokens
		for _, c := range chats {
			if !c.Ended {
				continue
			}
			c.Model, c.Options = name, maps.Clone(c.Options)
			c.Options["num_predict"] = 8
			got := h.send(t, c)
			if !got.Ended {
				t.Fatalf("%s read no letter", name)
			}
			sum.add(provider.Reply{TokensIn: got.Done.Tokens, TokensCached: got.Done.Cached, TokensOut: got.Done.Written, FirstToken: got.Done.Reading, Elapsed: got.Done.Reading})
		}
		t.Logf("%-16s %s", name, &sum)
	}
}

// trainedRequest is a request and the tool that does it; "-": none does.
type trainedRequest struct{ text, tool string }

func trainedRequests(t testing.TB) (list []trainedRequest) {
	t.Helper()
	text, err := os.ReadFile("testdata/trained_requests.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(text)) {
		if request, tool, two := strings.Cut(strings.TrimSpace(l), "\t"); two && !strings.HasPrefix(l, "#") {
			list = append(list, trainedRequest{request, tool})
		}
	}
	return list
}

// planned gives how many plans the model wrote for a message, and whether the last could be used.
func (s *session) planned(message string) (plans int, valid bool) {
	s.t.Helper()
	for _, x := range s.letters() {
		if x.Provider == "ollama" && x.Request.Role == provider.RolePlanner && x.Request.Turn == message {
			plans++
			valid = x.Error == ""
		}
	}
	return plans, valid
}

// plannerSum counts what became of requests: those with a tool and those without, and those that took a letter to the model.
type plannerSum struct {
	wanted, right, wrong   int
	idle, started          int
	asked, first, mended   int
	given, letters, wrongs int // given up; letters of all; wrong starts by a plan of the model
	took                   []time.Duration
}

func (s *plannerSum) add(r trainedRequest, started []string, plans int, valid bool) {
	right := slices.Contains(started, r.tool)
	stray := len(started) > 0 && !right
	if r.tool == "-" {
		s.idle++
		if stray {
			s.started++
		}
	} else {
		s.wanted++
		if right {
			s.right++
		}
		if stray {
			s.wrong++
		}
	}
	s.letters += plans
	switch {
	case plans == 0:
		return
	case !valid:
		s.given++
	case plans == 1:
		s.first++
	default:
		s.mended++
	}
	s.asked++
	if stray {
		s.wrongs++
	}
}

func (s plannerSum) String() string {
	took := slices.Sorted(slices.Values(s.took))
	n := len(took)
	return fmt.Sprintf("a tool wanted: %d, right %d, another %d; nothing wanted: %d, something started %d; "+
		"to the model went %d in %d letters: valid at once %d, mended %d, given up %d, wrong starts %d; a turn took p50 %.1f s, p95 %.1f s",
		s.wanted, s.right, s.wrong, s.idle, s.started, s.asked, s.letters, s.first, s.mended, s.given, s.wrongs,
		took[n/2].Seconds(), took[n*95/100].Seconds())
}

// tokens adds up what letters cost.
type tokens struct {
	letters, in, cached, out int
	anew                     []int
	first, all               time.Duration
}

func (c *tokens) add(r provider.Reply) {
	c.letters++
	c.in += r.TokensIn
	c.cached += r.TokensCached
	c.out += r.TokensOut
	c.anew = append(c.anew, r.TokensIn-r.TokensCached)
	c.first += r.FirstToken
	c.all += r.Elapsed
}

func (c *tokens) String() string {
	slices.Sort(c.anew)
	n := c.letters
	return fmt.Sprintf("%3d letters of %d tokens, %.1f %% known; read anew p50 %d, p95 %d, most %d; %d tokens back; first after %.1f s, whole after %.1f s",
		n, c.in/n, share(c.cached, c.in), c.anew[n/2], c.anew[n*95/100], c.anew[n-1], c.out/n, c.first.Seconds()/float64(n), c.all.Seconds()/float64(n))
}
