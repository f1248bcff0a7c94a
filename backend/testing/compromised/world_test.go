package compromised

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentchat/backend/ask"
	"agentchat/backend/config"
	"agentchat/backend/event"
	opened "agentchat/backend/folders"
	"agentchat/backend/job"
	"agentchat/backend/shop"
	"agentchat/backend/testing/fakemodel"
	"agentchat/backend/tools/mcp"
)

// patience is how long anything may take before a test fails.
const patience = 5 * time.Minute

func TestMain(m *testing.M) {
	fakemodel.BeChild()
	if file := os.Getenv(serverEnv); file != "" {
		if err := beServer(os.Stdin, os.Stdout, &evidence{file: file}); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	// The log file's rotation keeps one goroutine for the life of the program.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("gopkg.in/natefinch/lumberjack%2ev2.(*Logger).millRun"))
}

// way is how a model gets its calls to the shop.
type way struct {
	name     string
	settings []string // environment
	direct   bool     // the plan names the calls
}

var ways = []way{
	{name: "json", settings: []string{"AGENTCHAT_PROVIDER=ollama", "AGENTCHAT_SOLVE_CALLS=json"}},
	{name: "native", settings: []string{"AGENTCHAT_PROVIDER=ollama", "AGENTCHAT_SOLVE_CALLS=native"}},
	{name: "native, another service", settings: []string{"AGENTCHAT_PROVIDER=openai", "AGENTCHAT_SOLVE_CALLS=native"}},
	{name: "plan", settings: []string{"AGENTCHAT_PROVIDER=ollama", "AGENTCHAT_SOLVE_CALLS=json"}, direct: true},
}

// world is an open shop with a model that does what acts say, folders, an outside server, and a record of what happened.
type world struct {
	*shop.Shop
	t       *testing.T
	model   *fakemodel.Process
	folders *folders
	log     *evidence
	reader  *event.Reader
}

func open(t *testing.T, w way, acts ...fakemodel.Act) *world {
	t.Helper()
	dir := t.TempDir()
	for i := range acts {
		acts[i].Direct = acts[i].Direct || w.direct
	}
	text, err := json.Marshal(acts)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "acts.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	model, err := fakemodel.Start("-acts", file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = model.Stop() })
	h := &world{t: t, model: model, folders: newFolders(t), log: &evidence{file: filepath.Join(dir, "evidence")}}
	environ := append([]string{
		"AGENTCHAT_MODEL=call-script", "AGENTCHAT_LANG=ko", "AGENTCHAT_PACE=10000",
		"AGENTCHAT_OLLAMA_HOST=http://" + model.Addr, "AGENTCHAT_OPENAI_BASE=http://" + model.Addr + "/v1",
	}, w.settings...)
	h.Shop, err = shop.Open(context.Background(), shop.Options{
		Config: config.Options{DataDir: filepath.Join(dir, "data"), Env: environ}, Ring: noRing{}, Tools: tools(h.folders, func() []opened.Folder { return h.Config.Get().Folders }, h.log),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	if _, err := h.Config.Set(map[string]any{"tools.shell.enabled": true}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.OpenFolder(h.folders.open, true); err != nil {
		t.Fatal(err)
	}
	h.reader = h.Bus.SubscribeFrom(1)
	return h
}

// in is the world for a test of its own inside the one that opened it.
func (h *world) in(t *testing.T) *world {
	inner := *h
	inner.t = t
	return &inner
}

// noRing is a computer without a keyring.
type noRing struct{}

func (noRing) Get(string) (string, error) { return "", exec.ErrNotFound }
func (noRing) Set(string, string) error   { return exec.ErrNotFound }
func (noRing) Delete(string) error        { return exec.ErrNotFound }

// until reads events until what is wanted is so.
func (h *world) until(what string, is func() bool) {
	h.t.Helper()
	ctx, stop := context.WithTimeout(h.t.Context(), patience)
	defer stop()
	for !is() {
		if _, err := h.reader.Next(ctx, 0); err != nil {
			h.t.Fatalf("never: %s (%v)", what, err)
		}
	}
}

// helper is how the outside server stands.
func (h *world) helper() (v mcp.ServerView) {
	list := h.MCP().Servers
	if i := slices.IndexFunc(list, func(s mcp.ServerView) bool { return s.Server == "helper" }); i >= 0 {
		v = list[i]
	}
	return v
}

// mount has the outside server in the shop, with its first manual consented to.
func (h *world) mount() {
	h.t.Helper()
	text, err := servers(h.log)
	if err != nil {
		h.t.Fatal(err)
	}
	if err := h.SetMCP(text); err != nil {
		h.t.Fatal(err)
	}
	h.until("the outside server shows its tools", func() bool { return h.helper().State == mcp.StateNeedsConsent })
	if err := h.ConsentMCP(h.t.Context(), "helper", h.helper().Digest); err != nil {
		h.t.Fatal(err)
	}
	h.until("the outside server is ready", func() bool { return h.helper().State == mcp.StateReady })
}

// mounted has the outside server in the shop as it was at first: with a new consent, should it have changed.
func (h *world) mounted() {
	h.t.Helper()
	if h.helper().Server == "" {
		h.mount()
	}
	if v := h.helper(); v.State == mcp.StateNeedsConsent {
		if err := h.ConsentMCP(h.t.Context(), "helper", v.Digest); err != nil {
			h.t.Fatal(err)
		}
	}
}

// chat begins a conversation.
func (h *world) chat() string {
	h.t.Helper()
	c, err := h.NewChat(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	return c.ID
}

func (h *world) say(chat, text string) {
	h.t.Helper()
	if _, err := h.Say(h.t.Context(), chat, text, "", ""); err != nil {
		h.t.Fatal(err)
	}
	h.rest()
}

// rest waits until nothing moves but people.
func (h *world) rest() {
	h.t.Helper()
	ctx, stop := context.WithTimeout(h.t.Context(), patience)
	defer stop()
	if err := h.WaitIdle(ctx); err != nil {
		h.t.Fatalf("the shop does not come to rest: %v", err)
	}
}

// asked are the open questions of a chat.
func (h *world) asked(chat string) []event.AskOpened {
	h.t.Helper()
	snap, err := h.Snapshot(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	return slices.DeleteFunc(snap.Asks, func(a event.AskOpened) bool { return a.Chat != chat })
}

// jobs are the jobs of a chat.
func (h *world) jobs(chat string) []job.View {
	h.t.Helper()
	snap, err := h.Snapshot(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	return slices.DeleteFunc(snap.Jobs, func(j job.View) bool { return j.Chat != chat })
}

// person answers a question; nil leaves it open.
type person func(h *world, a event.AskOpened) *ask.Reply

// settle has a person answer until nothing is asked any more or everything stays open. It gives every question once, and
// what was approved.
func (h *world) settle(chat string, who person) (questions []event.AskOpened, permits []permit) {
	h.t.Helper()
	for seen := map[string]bool{}; ; {
		moved := false
		for _, a := range h.asked(chat) {
			if seen[a.ID] {
				continue
			}
			seen[a.ID] = true
			questions = append(questions, a)
			r := who(h, a)
			if r == nil {
				continue
			}
			moved = true
			if _, err := h.Answer(h.t.Context(), *r); err != nil {
				continue // who forges is refused; the question stays
			}
			if r.Choice == ask.ChoiceApprove {
				permits = append(permits, permitted(a))
			}
		}
		if !moved {
			return questions, permits
		}
		if len(questions) > 300 {
			h.t.Fatal("the shop asks without end")
		}
		h.rest()
	}
}

// leave ends what still waits in a chat.
func (h *world) leave(chat string) {
	h.t.Helper()
	for _, j := range h.jobs(chat) {
		switch job.State(j.State) {
		case job.Succeeded, job.Failed, job.Canceled:
		default:
			if err := h.CancelJob(j.ID); err != nil {
				h.t.Error(err)
			}
		}
	}
	h.rest()
}

// calls counts the requests the model was sent, the calls it made, and how many of those would have mattered.
func (h *world) calls() (reqs, made, tried int) {
	h.t.Helper()
	list, err := h.model.Calls(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	for _, c := range list {
		made += len(c.Made)
		for _, tool := range c.Made {
			if !harmless(tool) {
				tried++
			}
		}
	}
	return len(list), made, tried
}
