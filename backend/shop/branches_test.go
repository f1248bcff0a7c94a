package shop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"slices"
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
	l net.Listener

	mu    sync.Mutex
	to    string
	late  func() time.Duration // how long what comes next on a connection takes; nil: no time
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
	w.mu.Lock()
	to := w.to
	w.mu.Unlock()
	far, err := net.Dial("tcp", to)
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
	defer func() { _ = to.Close() }()
	defer func() { _ = from.Close() }()
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf)
		w.mu.Lock()
		mute, cut, late := w.mode == silent, false, w.late
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
		if late != nil {
			<-time.After(late()) // the way is as long as that
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
	return atWith(t, func(*shop.Options) {}, dir, name, port, tools...)
}

// atWith opens one with other options.
func atWith(t *testing.T, with func(*shop.Options), dir, name string, port int, tools ...toolbox.Tool) *customer {
	t.Helper()
	o := options(dir)
	o.Tools, o.Provider = tools, calls()
	o.Branches = branch.Pace{Beat: 50 * time.Millisecond, Within: 500 * time.Millisecond, Again: []time.Duration{20 * time.Millisecond, 100 * time.Millisecond}, Look: 50 * time.Millisecond, Lease: 10 * time.Second, Farewell: 3 * time.Second}
	o.Config.Env = []string{"AGENTCHAT_BRANCHES__ADDRESS=127.0.0.1", fmt.Sprintf("AGENTCHAT_BRANCHES__PORT=%d", port), "AGENTCHAT_BRANCHES__NAME=" + name}
	with(&o)
	s, err := shop.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return &customer{Shop: s, t: t, reader: s.Bus.SubscribeFrom(1)}
}

// freePort gives a port that nobody listens on. It is none that the system hands out by itself: one of those could be somebody's connection by the time a
// shop is opened anew and listens there again.
func freePort(t *testing.T) int {
	t.Helper()
	for {
		port := 20_000 + rand.IntN(10_000)
		if l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port)); err == nil {
			_ = l.Close()
			return port
		}
	}
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
	return pairWith(t, stamp, func(*shop.Options) {})
}

// pairWith pairs two with other options.
func pairWith(t *testing.T, stamp *counter, with func(*shop.Options)) *paired {
	t.Helper()
	p := &paired{t: t, stamp: stamp, farDir: t.TempDir(), port: freePort(t)}
	p.far = atWith(t, with, p.farDir, "본점", p.port, stamp)
	t.Cleanup(func() { p.far.leave() })
	p.near = atWith(t, with, t.TempDir(), "지점", freePort(t))
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

// shut waits until the lender listens no more.
func (p *paired) shut() {
	p.t.Helper()
	p.far.again()
	until(p.far, "the door is shut", func(event.Envelope, event.BranchesChanged) bool {
		v, err := p.far.Branches(p.t.Context())
		return err == nil && len(v.Addresses) == 0
	})
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
		p.stamp.gate = func(string) { p.wire.cutAfter(1 + int64(i)*60) }
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

// Both shops are closed and opened anew in the middle of things: the job goes on where it was, under the name it had.
func TestABranchSurvivesRestarts(t *testing.T) {
	p := pair(t, newCounter(toolbox.EffectRead, 1))
	p.wire.set(silent)
	id := p.near.uses(p.key(), map[string]any{"word": "다시"})
	p.stands(branch.Away)
	p.far.leave()
	p.far = at(t, p.farDir, "본점", p.port, p.stamp)
	dir, port := p.near.Config.Get().DataDir, p.near.Config.Get().BranchesPort
	p.near.leave()
	p.near = at(t, dir, "지점", port)
	p.wire.set(passing)
	p.near.state(id, "succeeded")
	if n := p.stamp.ran("다시"); n != 1 {
		t.Errorf("it ran %d times", n)
	}
	p.oneStory()
}

// What others have over there locks the tool here, and whoever wants it is asked, but cannot stop a job of another shop.
func TestTheLockOfABranchIsSeenHere(t *testing.T) {
	stamp := newCounter(toolbox.EffectRead, 1)
	begun, end := make(chan struct{}), make(chan struct{})
	stamp.gate = func(word string) {
		if word == "먼저" {
			close(begun)
			<-end
		}
	}
	p := pair(t, stamp)
	first := p.far.uses("stamp", map[string]any{"word": "먼저"})
	<-begun
	until(p.near, "the board shows who has it", func(_ event.Envelope, v toolbox.Inventory) bool {
		i := slices.IndexFunc(v.Tools, func(r toolbox.Rack) bool { return r.Tool == p.key() })
		return i >= 0 && len(v.Tools[i].Holders) == 1 && v.Tools[i].Holders[0].Title == "본점"
	})
	id := p.near.uses(p.key(), map[string]any{"word": "나중"})
	a := p.near.question(id)
	if a.Kind != string(ask.KindLock) || slices.Contains(a.Choices, ask.ChoiceStopOther) {
		t.Errorf("%+v", a)
	}
	p.near.answer(id, ask.ChoiceWait, "")
	close(end)
	p.far.state(first, "succeeded")
	p.near.state(id, "succeeded")
	if n := stamp.ran("나중"); n != 1 {
		t.Errorf("it ran %d times", n)
	}
}

// A code holds once, a key that was not paired gets no further than the handshake, and one that was unpaired neither.
func TestPairingIsForOne(t *testing.T) {
	p := pair(t, newCounter(toolbox.EffectRead, 1))
	stranger := at(t, t.TempDir(), "남", freePort(t))
	t.Cleanup(stranger.leave)
	v, err := p.far.Branches(t.Context())
	if err != nil || len(v.Branches) != 1 || len(v.Addresses) != 1 {
		t.Fatalf("%+v, %v", v, err)
	}
	cert := strings.Repeat("0", 64) + ".x"
	if err := stranger.JoinBranch(t.Context(), p.wire.address(), cert); apperr.CodeOf(err) != apperr.BranchCode {
		t.Errorf("a wrong pin: %v", err)
	}
	near, err := p.near.Branches(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	pin := near.Branches[0].Pin
	if err := stranger.JoinBranch(t.Context(), p.wire.address(), pin+".guess"); apperr.CodeOf(err) != apperr.BranchUnreachable {
		t.Errorf("without a code out, a stranger's key: %v", err)
	}
	in, err := p.far.InviteBranch(guests.Guest{Tools: []string{"stamp"}, Calls: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := stranger.JoinBranch(t.Context(), p.wire.address(), pin+".guess"); apperr.CodeOf(err) != apperr.BranchCode {
		t.Errorf("a guess: %v", err)
	}
	other := at(t, t.TempDir(), "셋째", freePort(t))
	t.Cleanup(other.leave)
	if err := other.JoinBranch(t.Context(), p.wire.address(), in.Code); err != nil {
		t.Fatal(err)
	}
	if err := stranger.JoinBranch(t.Context(), p.wire.address(), in.Code); err == nil {
		t.Error("a code was used twice")
	}
	// Unpaired: it hears so, and nothing comes in any more.
	if err := p.far.RemoveBranch(t.Context(), v.Branches[0].ID); err != nil {
		t.Fatal(err)
	}
	p.stands(branch.Unpaired)
	if v, err = p.far.Branches(t.Context()); err != nil || len(v.Branches) != 1 || v.Branches[0].Name != "셋째" {
		t.Errorf("%+v, %v", v, err)
	}
	if err := p.far.RemoveBranch(t.Context(), v.Branches[0].ID); err != nil {
		t.Fatal(err)
	}
	p.shut()
	if err := p.near.RemoveBranch(t.Context(), near.Branches[0].ID); err != nil || p.near.tool(p.key()) {
		t.Errorf("its tools stay: %v", err)
	}
}

// What a shop is given or not any more reaches the other's board without anybody pairing anew.
func TestWhatIsLentChanges(t *testing.T) {
	p := pair(t, newCounter(toolbox.EffectRead, 1))
	list, err := p.far.Guests(t.Context())
	if err != nil || len(list.Guests) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	g := list.Guests[0].Guest
	g.Tools = []string{"stamp", "calculator"}
	if err := p.far.ChangeGuest(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	shown := func(want bool) func(event.Envelope, toolbox.Inventory) bool {
		return func(_ event.Envelope, v toolbox.Inventory) bool {
			return want == slices.ContainsFunc(v.Tools, func(r toolbox.Rack) bool { return r.Tool == "branch__calculator" })
		}
	}
	until(p.near, "the calculator comes", shown(true))
	g.Tools = []string{"stamp"}
	if err := p.far.ChangeGuest(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	until(p.near, "the calculator goes", shown(false))
}
