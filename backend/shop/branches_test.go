package shop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/branch"
	"agentchat/backend/event"
	guests "agentchat/backend/guest"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/policy"
	"agentchat/backend/shop"
	"agentchat/backend/toolbox"
)

// wire stands between two shops and can be cut.
type wire struct {
	l  net.Listener
	to string

	mu    sync.Mutex
	conns map[net.Conn]bool
	mode  wireMode
	after int64 // bytes of an answer that pass before a cut, once; 0: none is to come
	cuts  int
}

type wireMode int

const (
	passing  wireMode = iota
	refusing          // whoever calls is hung up on
	silent            // whoever calls hears nothing, and nobody hears them
)

func strung(t *testing.T, to string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{l: l, to: to, conns: map[net.Conn]bool{}}
	t.Cleanup(func() { _ = l.Close(); w.set(refusing) })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go w.carry(c)
		}
	}()
	return w
}

func (w *wire) address() string { return w.l.Addr().String() }

// set makes it so from now on; connections that there are end, but a silent wire keeps them.
func (w *wire) set(mode wireMode) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mode = mode
	if mode == silent {
		return
	}
	for c := range w.conns {
		_ = c.Close()
	}
}

// cutAfter cuts whatever connection there is once so many more bytes of answers have passed.
func (w *wire) cutAfter(bytes int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.after = bytes
}

func (w *wire) keep(c net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.mode == refusing {
		_ = c.Close()
		return false
	}
	w.conns[c] = true
	return true
}

func (w *wire) carry(c net.Conn) {
	if !w.keep(c) {
		return
	}
	far, err := net.Dial("tcp", w.to)
	if err != nil {
		_ = c.Close()
		return
	}
	if !w.keep(far) {
		_ = c.Close()
		return
	}
	var both sync.WaitGroup
	both.Go(func() { w.copy(far, c, false) })
	both.Go(func() { w.copy(c, far, true) })
	both.Wait()
}

func (w *wire) copy(to, from net.Conn, answers bool) {
	defer to.Close()
	defer from.Close()
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf)
		w.mu.Lock()
		mute, cut := w.mode == silent, false
		if answers && w.after > 0 && !mute {
			if w.after -= int64(n); w.after <= 0 {
				w.after, cut = 0, true
				w.cuts++
			}
		}
		w.mu.Unlock()
		if cut || err != nil {
			return
		}
		if mute {
			continue
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

// counter is a tool that must not run twice: it counts how often it did for what.
type counter struct {
	mu   sync.Mutex
	runs map[string]int
	gate func(word string)
	spec toolbox.Spec
}

func newCounter(effect toolbox.Effect, capacity int) *counter {
	return &counter{runs: map[string]int{}, gate: func(string) {}, spec: toolbox.Spec{
		Key: "stamp", Title: toolbox.Spec{}.Title, Confirm: toolbox.ConfirmNever, Effect: effect, Capacity: capacity,
		Params: json.RawMessage(`{"type":"object","required":["word"],"properties":{"word":{"type":"string"}}}`),
	}}
}

func (c *counter) Spec() toolbox.Spec {
	s := c.spec
	s.Title.KO, s.Title.EN = "도장", "Stamp"
	s.Description.KO, s.Description.EN = "도장을 찍어요", "Stamps a word"
	return s
}

func (c *counter) Run(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
	args, err := toolbox.ArgsOf[struct{ Word string }](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	c.gate(args.Word)
	c.mu.Lock()
	c.runs[args.Word]++
	c.mu.Unlock()
	return toolbox.ResultOf(map[string]string{"stamped": args.Word}, "stamped "+args.Word)
}

func (c *counter) ran(word string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.runs[word]
}

// at opens a shop in a folder, with tools of its own and a port that is free.
func at(t *testing.T, dir, name string, port int, tools ...toolbox.Tool) *customer {
	t.Helper()
	o := options(dir)
	o.Tools, o.Provider = tools, calls()
	o.Branches = branch.Pace{Beat: 50 * time.Millisecond, Within: 500 * time.Millisecond, Again: []time.Duration{20 * time.Millisecond, 100 * time.Millisecond}, Look: 50 * time.Millisecond}
	o.Config.Env = []string{"AGENTCHAT_BRANCHES__ADDRESS=127.0.0.1", fmt.Sprintf("AGENTCHAT_BRANCHES__PORT=%d", port), "AGENTCHAT_BRANCHES__NAME=" + name}
	s, err := shop.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return &customer{Shop: s, t: t, reader: s.Bus.SubscribeFrom(1)}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// paired are two shops of which one lends its stamp to the other, over a wire.
type paired struct {
	t         *testing.T
	far, near *customer
	wire      *wire
	stamp     *counter
	farDir    string
	port      int
}

func pair(t *testing.T, stamp *counter) *paired {
	t.Helper()
	p := &paired{t: t, stamp: stamp, farDir: t.TempDir(), port: freePort(t)}
	p.far = at(t, p.farDir, "본점", p.port, stamp)
	t.Cleanup(func() { p.far.leave() })
	p.near = at(t, t.TempDir(), "지점", freePort(t))
	t.Cleanup(func() { p.near.leave() })
	if v, err := p.far.Branches(t.Context()); err != nil || len(v.Addresses) != 0 {
		t.Fatalf("it listens before anybody asked for that: %+v, %v", v, err)
	}
	in, err := p.far.InviteBranch(guests.Guest{Tools: []string{"stamp"}, Calls: 1000, Changes: 1000})
	if err != nil {
		t.Fatal(err)
	}
	p.wire = strung(t, in.Addresses[0])
	if err := p.near.JoinBranch(t.Context(), p.wire.address(), in.Code); err != nil {
		t.Fatal(err)
	}
	p.stands(branch.Here)
	if os.Getenv("TRACE") != "" {
		p.near.trace("near")
		p.far.trace("far")
	}
	return p
}

func (p *paired) stands(state branch.State) {
	p.t.Helper()
	fits := func(event.Envelope, event.BranchesChanged) bool {
		v, err := p.near.Branches(p.t.Context())
		return err == nil && len(v.Branches) == 1 && v.Branches[0].State == state
	}
	if !fits(event.Envelope{}, event.BranchesChanged{}) {
		until(p.near, "the branch is "+string(state), fits)
	}
}

func (p *paired) key() string { return "branch__stamp" }

// nods approves, or waits, whatever is asked in a shop.
func nods(t *testing.T, s *shop.Shop) {
	t.Helper()
	reader := s.Bus.SubscribeFrom(1)
	ctx, stop := context.WithCancel(context.Background())
	var over sync.WaitGroup
	over.Go(func() {
		for {
			batch, err := reader.Next(ctx, 256)
			if err != nil {
				return
			}
			for _, e := range batch {
				var a event.AskOpened
				if e.Kind != a.EventKind() || json.Unmarshal(e.Data, &a) != nil {
					continue
				}
				choice := ask.ChoiceApprove
				if a.Kind == string(ask.KindLock) {
					choice = ask.ChoiceWait
				}
				if _, err := s.Answer(ctx, ask.Reply{Ask: a.ID, Choice: choice, Digest: a.Digest}); err != nil {
					t.Log(err)
				}
			}
		}
	})
	t.Cleanup(func() { stop(); over.Wait() })
}

// told are the uses of stamps in an audit log: what became of each, by the name of the use.
func told(c *customer) map[string]string {
	c.t.Helper()
	list, err := c.Audit(c.t.Context(), policy.Filter{}, 0, 1000)
	if err != nil {
		c.t.Fatal(err)
	}
	uses := map[string]string{}
	for _, e := range list {
		uses[e.ID] = string(e.Outcome) + " " + string(e.Args)
	}
	return uses
}

func (p *paired) oneStory() {
	p.t.Helper()
	if here, there := told(p.near), told(p.far); !maps.Equal(here, there) {
		p.t.Errorf("the two logs tell different stories:\n%v\n%v", here, there)
	}
}

// A tool of another shop is used as one's own, and both audit logs tell of it under one name.
func TestABranchLendsATool(t *testing.T) {
	p := pair(t, newCounter(toolbox.EffectRead, 1))
	id := p.near.uses(p.key(), map[string]any{"word": "하나"})
	p.near.state(id, "succeeded")
	if text := p.near.outcome(id); text != "stamped 하나" {
		t.Errorf("%q", text)
	}
	if n := p.stamp.ran("하나"); n != 1 {
		t.Errorf("it ran %d times", n)
	}
	if len(told(p.near)) != 1 {
		t.Errorf("%v", told(p.near))
	}
	p.oneStory()
}

// What changes something is asked about on both sides, each by its own person.
func TestBothSidesAreAsked(t *testing.T) {
	p := pair(t, newCounter(toolbox.EffectOnce, 1))
	id := p.near.uses(p.key(), map[string]any{"word": "하나"})
	p.near.answer(id, ask.ChoiceApprove, "")
	over := until(p.far, "the far side asks", func(_ event.Envelope, a event.AskOpened) bool { return a.Kind == string(ask.KindApproval) })
	waits := until(p.near, "it waits for the other person", func(_ event.Envelope, s event.JobState) bool {
		return s.JobID == id && s.To == "waiting" && strings.Contains(s.Reason, "본점")
	})
	if p.stamp.ran("하나") != 0 {
		t.Errorf("it ran before anybody over there said so: %v", waits)
	}
	if _, err := p.far.Answer(t.Context(), ask.Reply{Ask: over.ID, Choice: ask.ChoiceApprove, Digest: over.Digest}); err != nil {
		t.Fatal(err)
	}
	p.near.state(id, "succeeded")
	if n := p.stamp.ran("하나"); n != 1 {
		t.Errorf("it ran %d times", n)
	}
	p.oneStory()
}

// A job whose shop is away waits, says so, and goes on when it is back.
func TestABranchThatIsAwayIsWaitedFor(t *testing.T) {
	p := pair(t, newCounter(toolbox.EffectRead, 1))
	for _, mode := range []wireMode{refusing, silent} {
		word := fmt.Sprint("away", mode)
		p.wire.set(mode)
		id := p.near.uses(p.key(), map[string]any{"word": word})
		p.near.again()
		until(p.near, "it waits", func(_ event.Envelope, s event.JobState) bool {
			return s.JobID == id && s.To == "waiting" && s.Reason == apperr.New(apperr.BranchAway, "branch", "본점").Text(bilingual.EN)
		})
		p.stands(branch.Away)
		p.wire.set(passing)
		p.near.state(id, "succeeded")
		if n := p.stamp.ran(word); n != 1 {
			t.Errorf("it ran %d times", n)
		}
	}
	p.oneStory()
}

// However the wire is cut, whatever is restarted: nothing is lost, and nothing is done twice.
func TestNothingIsLostOrDoubled(t *testing.T) {
	p := pair(t, newCounter(toolbox.EffectOnce, 2))
	nods(t, p.near.Shop)
	nods(t, p.far.Shop)
	jobs := map[string]string{}
	for i := range 12 {
		word := fmt.Sprint("w", i)
		jobs[word] = p.near.uses(p.key(), map[string]any{"word": word})
		switch i % 4 {
		case 0:
			p.wire.cutAfter(int64(200 * i))
		case 1:
			p.wire.set(refusing)
			p.stands(branch.Away)
			p.wire.set(passing)
		case 2:
			p.wire.set(silent)
			p.stands(branch.Away)
			p.wire.set(passing)
		}
	}
	for word, id := range jobs {
		p.near.again()
		p.near.state(id, "succeeded")
		if n := p.stamp.ran(word); n != 1 {
			t.Errorf("%s ran %d times", word, n)
		}
	}
	p.oneStory()
}

// An answer that is lost on its way is asked for again, and the work is not done again: cut after every so many bytes of what comes back.
func TestALostAnswerIsFetchedAgain(t *testing.T) {
	p := pair(t, newCounter(toolbox.EffectRead, 1))
	for i := range 10 {
		word := fmt.Sprint("cut", i)
		p.stamp.gate = func(string) { p.wire.cutAfter(1 + int64(i)*300) }
		id := p.near.uses(p.key(), map[string]any{"word": word})
		p.near.state(id, "succeeded")
		if n := p.stamp.ran(word); n != 1 {
			t.Errorf("%s ran %d times", word, n)
		}
	}
	p.wire.mu.Lock()
	defer p.wire.mu.Unlock()
	if p.wire.cuts < 5 {
		t.Errorf("only %d answers were cut", p.wire.cuts)
	}
	p.oneStory()
}
