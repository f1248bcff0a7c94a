package shop_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/ask"
	"agentchat/backend/branch"
	"agentchat/backend/event"
	guests "agentchat/backend/guest"
	"agentchat/backend/pairing"
	"agentchat/backend/shop"
	"agentchat/backend/toolbox"
)

// killed is what a shop that ends without a word leaves: its folder as it is now.
func killed(t *testing.T, dir string) string {
	t.Helper()
	left := t.TempDir()
	if err := os.CopyFS(left, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return left
}

// leads has a wire lead elsewhere from now on.
func (w *wire) leads(port int) {
	w.mu.Lock()
	w.to = fmt.Sprintf("127.0.0.1:%d", port)
	w.mu.Unlock()
	w.set(refusing)
	w.set(passing)
}

// stalled are runs of a tool that stand where they are until the test ends.
func (p *paired) stalled() (begun chan string) {
	begun, end := make(chan string, 10), make(chan struct{})
	p.stamp.gate = func(word string) {
		begun <- word
		<-end
	}
	p.t.Cleanup(func() { close(end) })
	return begun
}

// The lender is killed while the tool runs, before and after it has done what it does: each is done once, and what cannot be known is asked of a person over there.
func TestTheLenderIsKilledInTheMiddle(t *testing.T) {
	for _, c := range []struct {
		name    string
		effect  toolbox.Effect
		before  int // runs of the killed shop that had their effect
		choice  string
		further int // runs of the one that is opened after it
	}{
		{"what only reads is done again", toolbox.EffectRead, 0, "", 1},
		{"it had not happened", toolbox.EffectOnce, 0, ask.ChoiceRunAgain, 1},
		{"it had happened", toolbox.EffectOnce, 1, ask.ChoiceHappened, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := pair(t, newCounter(c.effect, 1))
			nods(t, p.near.Shop)
			begun := p.stalled()
			id := p.near.uses(p.key(), map[string]any{"word": "결재"})
			if c.effect == toolbox.EffectOnce {
				a := until(p.far, "it asks", func(_ event.Envelope, a event.AskOpened) bool { return a.Kind == string(ask.KindApproval) })
				if _, err := p.far.Answer(t.Context(), ask.Reply{Ask: a.ID, Choice: ask.ChoiceApprove, Digest: a.Digest}); err != nil {
					t.Fatal(err)
				}
			}
			<-begun
			left, port := killed(t, p.farDir), freePort(t)
			after := newCounter(c.effect, 1)
			far := at(t, left, "본점", port, after)
			t.Cleanup(far.leave)
			p.wire.leads(port)
			if c.choice != "" {
				a := until(far, "it asks what happened", func(_ event.Envelope, a event.AskOpened) bool { return a.Kind == string(ask.KindRecovery) })
				if n := after.ran("결재"); n != 0 {
					t.Errorf("it ran %d times before anybody said so", n)
				}
				if _, err := far.Answer(t.Context(), ask.Reply{Ask: a.ID, Choice: c.choice, Digest: a.Digest}); err != nil {
					t.Fatal(err)
				}
			}
			p.near.state(id, "succeeded")
			if n := after.ran("결재"); n != c.further {
				t.Errorf("it ran %d times more, want %d", n, c.further)
			}
			if n := c.before + after.ran("결재"); n != 1 {
				t.Errorf("done %d times", n)
			}
		})
	}
}

// raw is a shop's way to the lender without the shop: whatever it sends is sent, in whatever order.
type raw struct {
	*testing.T
	session *sdk.ClientSession
}

func (p *paired) raw() raw {
	p.t.Helper()
	cert, _, err := pairing.Identity(filepath.Join(p.near.Config.Get().DataDir, "branches.pem"), nil, time.Now())
	if err != nil {
		p.t.Fatal(err)
	}
	way := &http.Transport{TLSClientConfig: &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{cert}, InsecureSkipVerify: true,
	}}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "raw", Version: "1"}, nil).Connect(p.t.Context(), &sdk.StreamableClientTransport{
		Endpoint: "https://" + p.wire.address() + guests.Path, HTTPClient: &http.Client{Transport: way}, DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = session.Close(); way.CloseIdleConnections() })
	return raw{p.t, session}
}

// says makes a call and gives its status and fence.
func (r raw) says(tool string, args map[string]any, meta sdk.Meta) (status string, fence int64) {
	r.Helper()
	result, err := r.session.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: args, Meta: meta})
	if err != nil {
		r.Error(err)
		return "", 0
	}
	text, err := json.Marshal(result.StructuredContent)
	var got struct {
		Status string
		Fence  int64
	}
	if err == nil {
		err = json.Unmarshal(text, &got)
	}
	if err != nil {
		r.Error(err)
	}
	return got.Status, got.Fence
}

func (r raw) lease(use string) (string, int64) {
	r.Helper()
	return r.says(guests.LeaseTool, map[string]any{"use": use, "tool": "stamp", "began": time.Now().UnixMilli()}, nil)
}

func (r raw) call(use, word string, fence int64) string {
	r.Helper()
	status, _ := r.says("stamp", map[string]any{"word": word}, sdk.Meta{guests.MetaUse: use, guests.MetaFence: fence})
	return status
}

func (r raw) is(what, got, want string) {
	r.Helper()
	if got != want {
		r.Errorf("%s: %q, want %q", what, got, want)
	}
}

// back waits until nobody has the tool at the lender any more. What was told before it was taken says nothing of that: it is looked at anew each time.
func (p *paired) back() {
	p.t.Helper()
	p.far.again()
	if len(p.far.holders("stamp")) > 0 {
		until(p.far, "the tool is back", func(_ event.Envelope, r event.ToolReleased) bool {
			return r.Tool == "stamp" && len(p.far.holders("stamp")) == 0
		})
	}
}

// A lease of which nothing is heard lapses where the tool is: others have it, the next lease has a higher fence, and what comes late under the old one does nothing.
func TestALeaseThatIsNotKeptLapses(t *testing.T) {
	p := pairWith(t, newCounter(toolbox.EffectRead, 1), func(o *shop.Options) { o.Branches.Lease = 300 * time.Millisecond })
	r := p.raw()
	status, old := r.lease("use-1")
	r.is("the lease", status, guests.Leased)
	p.back()
	mine := p.far.uses("stamp", map[string]any{"word": "여기"})
	p.far.state(mine, "succeeded")
	r.is("the old fence, after it lapsed", r.call("use-1", "늦게", old), guests.LeaseLost)
	status, next := r.lease("use-1")
	if r.is("the lease anew", status, guests.Leased); next <= old {
		t.Errorf("fence %d after %d", next, old)
	}
	r.is("the old fence, after the next lease", r.call("use-1", "늦게", old), guests.LeaseLost)
	if n := p.stamp.ran("늦게"); n != 0 {
		t.Errorf("it ran %d times under a fence that was over", n)
	}
	for status = guests.LeaseLost; status == guests.LeaseLost; { // it may have lapsed before the call came
		_, next = r.lease("use-1")
		status = r.call("use-1", "늦게", next)
	}
	r.is("the right fence", status, "done")
	if n := p.stamp.ran("늦게"); n != 1 {
		t.Errorf("it ran %d times", n)
	}
}

// What comes twice, late or in another order than it was sent is done once or not at all.
func TestMessagesComeTwiceAndInAnyOrder(t *testing.T) {
	p := pair(t, newCounter(toolbox.EffectRead, 2))
	r := p.raw()
	r.is("a call before its lease", r.call("early", "이른", 1), guests.LeaseLost)
	_, fence := r.lease("twice")
	var both sync.WaitGroup
	for range 4 {
		both.Go(func() { r.is("each of four", r.call("twice", "두번", fence), "done") })
	}
	both.Wait()
	r.is("once more, under an old fence", r.call("twice", "두번", fence-1), "done")
	status, _ := r.lease("twice")
	r.is("a lease that comes late", status, guests.Known)
	r.is("other arguments under its name", r.call("twice", "딴것", fence), "refused")
	if n, other := p.stamp.ran("두번"), p.stamp.ran("딴것"); n != 1 || other != 0 {
		t.Errorf("it ran %d times, and %d with other arguments", n, other)
	}
	// Called off before the call comes, and before even the lease does.
	_, fence = r.lease("off")
	status, _ = r.says(guests.ReleaseTool, map[string]any{"use": "off"}, nil)
	r.is("called off", status, guests.TakenBack)
	r.is("the call after that", r.call("off", "뗀것", fence), guests.TakenBack)
	_, _ = r.says(guests.ReleaseTool, map[string]any{"use": "unborn"}, nil)
	status, _ = r.lease("unborn")
	r.is("the lease after that", status, guests.TakenBack)
	if n := p.stamp.ran("뗀것") + p.stamp.ran("이른"); n != 0 {
		t.Errorf("it ran %d times", n)
	}
	p.back()
}

// A wire on which everything takes its time, each connection another: what was sent later comes earlier. Now and then it is cut.
func TestALateWireLosesNothing(t *testing.T) {
	p := pair(t, newCounter(toolbox.EffectOnce, 2))
	nods(t, p.near.Shop)
	nods(t, p.far.Shop)
	p.wire.mu.Lock()
	p.wire.late = func() time.Duration { return time.Duration(rand.IntN(40)) * time.Millisecond }
	p.wire.mu.Unlock()
	jobs := map[string]string{}
	for i := range 8 {
		word := fmt.Sprint("late", i)
		jobs[word] = p.near.uses(p.key(), map[string]any{"word": word})
		if i%3 == 1 {
			p.wire.cutAfter(int64(500 * i))
		}
	}
	for word, id := range jobs {
		p.near.state(id, "succeeded")
		if n := p.stamp.ran(word); n != 1 {
			t.Errorf("%s ran %d times", word, n)
		}
	}
	p.oneStory()
}

// Who stops a job here stops its ticket over there; while the other shop is away that is kept, also by a shop that is killed meanwhile.
func TestCallingOffReachesTheOtherShop(t *testing.T) {
	for _, c := range []struct {
		name       string
		away, kill bool
	}{{"at once", false, false}, {"when it is back", true, false}, {"when it is back, by a shop that was killed", true, true}} {
		t.Run(c.name, func(t *testing.T) {
			p := pair(t, newCounter(toolbox.EffectOnce, 1))
			id := p.near.uses(p.key(), map[string]any{"word": "그만"})
			p.near.answer(id, ask.ChoiceApprove, "")
			over := until(p.far, "the far side asks", func(_ event.Envelope, a event.AskOpened) bool { return a.Kind == string(ask.KindApproval) })
			if c.away {
				p.wire.set(refusing)
				p.stands(branch.Away)
			}
			if err := p.near.CancelJob(id); err != nil {
				t.Fatal(err)
			}
			p.near.state(id, "failed") // in doubt: the other shop had got it
			if c.kill {
				left := killed(t, p.near.Config.Get().DataDir)
				p.near.leave()
				p.near = at(t, left, "지점", freePort(t))
			}
			p.wire.set(passing)
			p.far.state(over.JobID, "canceled")
			if n := p.stamp.ran("그만"); n != 0 {
				t.Errorf("it ran %d times", n)
			}
			p.back()
		})
	}
}
