package branch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/guest"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// lender answers leases and calls of the stamp in turn, the last answer again and again.
type lender struct {
	leases, calls []any
	called        int
	beats         [][]string    // the uses that each was told of
	edition       string        // that a beat is answered
	takes         time.Duration // for a call of the stamp to be answered
}

func next(list *[]any) any {
	one := (*list)[0]
	if len(*list) > 1 {
		*list = (*list)[1:]
	}
	return one
}

// borrowed is the stamp of a shop that answers so.
func borrowed(t *testing.T, far *lender) *tool {
	t.Helper()
	server := sdk.NewServer(&sdk.Implementation{Name: "far", Version: "1"}, &sdk.ServerOptions{
		Capabilities: &sdk.ServerCapabilities{Experimental: map[string]any{guest.Protocol: map[string]any{"edition": "of the list"}}},
	})
	answers := func(list *[]any, count *int, takes time.Duration) sdk.ToolHandler {
		return func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			<-time.After(takes)
			*count++
			return &sdk.CallToolResult{Content: []sdk.Content{}, StructuredContent: next(list)}, nil
		}
	}
	any := json.RawMessage(`{"type":"object"}`)
	server.AddTool(&sdk.Tool{Name: guest.LeaseTool, InputSchema: any}, answers(&far.leases, new(int), 0))
	if far.calls != nil {
		server.AddTool(&sdk.Tool{Name: "stamp", InputSchema: any}, answers(&far.calls, &far.called, far.takes))
	}
	server.AddTool(&sdk.Tool{Name: guest.BeatTool, InputSchema: any}, func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var in guest.Beat
		err := json.Unmarshal(r.Params.Arguments, &in)
		far.beats = append(far.beats, in.Uses)
		return &sdk.CallToolResult{Content: []sdk.Content{}, StructuredContent: guest.BeatAnswer{Edition: far.edition}}, err
	})
	there, here := sdk.NewInMemoryTransports()
	serving, err := server.Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "near", Version: "1"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close(); _ = serving.Wait() })
	log := zerolog.Nop()
	kept, err := partnersIn(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	l := newLink(&Book{partners: kept, deps: Deps{Now: time.Now, Log: &log, Bus: event.NewBus(100, time.Now)}, pace: Pace{}.orDefault()}, Partner{ID: "far", Name: "Far", Prefix: "far"})
	life, drop := context.WithCancel(context.Background())
	t.Cleanup(drop)
	l.conn, l.state = &conn{session: session, ctx: life, drop: drop}, Here
	return &tool{link: l, name: "stamp", spec: toolbox.Spec{Key: "far__stamp"}}
}

func use(t *tool, kept progress) (toolbox.Result, error) {
	resume, _ := json.Marshal(kept)
	return t.Run(context.Background(), toolbox.Call{Use: "u", JobID: "j", Lang: bilingual.EN, Args: json.RawMessage(`{}`), Resume: resume})
}

func refusal(c apperr.Code) any {
	return map[string]any{"status": "refused", "code": c, "message": "no"}
}

// A use that may have its ticket over there is in doubt when it is refused, one that never got that far has failed.
func TestARefusalIsADoubtOnlyAfterTheCallWasSent(t *testing.T) {
	leased, known := guest.LeaseAnswer{Status: guest.Leased, Fence: 1}, guest.LeaseAnswer{Status: guest.Known}
	for name, c := range map[string]struct {
		far  lender
		sent bool
		want apperr.Code
	}{
		"the lease, at first":      {lender{leases: []any{refusal(apperr.UnknownTool)}}, false, apperr.ToolFailed},
		"the lease, after a call":  {lender{leases: []any{refusal(apperr.UnknownTool)}}, true, apperr.InDoubt},
		"the first call":           {lender{leases: []any{leased}, calls: []any{refusal(apperr.GuestLimit)}}, false, apperr.ToolFailed},
		"a later call":             {lender{leases: []any{leased}, calls: []any{refusal(apperr.GuestLimit)}}, true, apperr.InDoubt},
		"a call that is known":     {lender{leases: []any{known}, calls: []any{refusal(apperr.GuestUnknown)}}, false, apperr.InDoubt},
		"a call under a lost one":  {lender{leases: []any{leased}, calls: []any{guest.LeaseAnswer{Status: guest.LeaseLost}, refusal(apperr.GuestLimit)}}, false, apperr.ToolFailed},
		"its ticket was put away":  {lender{leases: []any{known}, calls: []any{refusal(apperr.NotFound)}}, false, apperr.InDoubt},
		"its ticket is in doubt":   {lender{leases: []any{known}, calls: []any{map[string]any{"status": "failed", "code": apperr.InDoubt}}}, true, apperr.InDoubt},
		"its ticket was denied":    {lender{leases: []any{known}, calls: []any{map[string]any{"status": "failed", "code": apperr.Denied}}}, true, apperr.ToolFailed},
		"known, and lent no more":  {lender{leases: []any{known}}, false, apperr.InDoubt},
		"leased, and lent no more": {lender{leases: []any{leased}}, false, apperr.ToolFailed},
	} {
		_, err := use(borrowed(t, &c.far), progress{Sent: c.sent})
		if apperr.CodeOf(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A shop that says at once, again and again, that a use still runs is not asked without a pause; one that takes its time to say so is asked again at once.
func TestAUseThatRunsIsAskedForWithPauses(t *testing.T) {
	look := Pace{}.orDefault().Look
	for name, c := range map[string]struct{ takes, want time.Duration }{"at once": {0, 3 * look}, "in its own time": {2 * look, 8 * look}} {
		synctest.Test(t, func(t *testing.T) {
			runs, done := map[string]any{"status": "running"}, map[string]any{"status": "done", "data": 1}
			far := &lender{leases: []any{guest.LeaseAnswer{Status: guest.Known}}, calls: []any{runs, runs, runs, done}, takes: c.takes}
			stamp, began := borrowed(t, far), time.Now()
			if got, err := use(stamp, progress{}); err != nil || string(got.Data) != "1" || far.called != 4 || time.Since(began) != c.want {
				t.Errorf("%s: %+v, %v, %d calls in %s", name, got, err, far.called, time.Since(began))
			}
		})
	}
}

// What the other shop lends may change before the first beat is answered: the list is read anew.
func TestAListThatChangedBeforeTheFirstBeatIsReadAnew(t *testing.T) {
	stamp := borrowed(t, &lender{edition: "of what came since"})
	if err := stamp.link.stay(t.Context(), stamp.link.conn); !errors.Is(err, errEdition) {
		t.Error(err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	for _, edition := range []string{"of the list", ""} { // what names none may be any
		stamp = borrowed(t, &lender{edition: edition})
		stamp.link.conn.ctx = gone
		if err := stamp.link.stay(t.Context(), stamp.link.conn); errors.Is(err, errEdition) {
			t.Errorf("%q: %v", edition, err)
		}
	}
}

// A list that changed is read anew at once. A shop that names another one each time is not called without a pause.
func TestAListThatChangesAgainAndAgainIsReadWithPauses(t *testing.T) {
	l := borrowed(t, &lender{}).link
	again := l.book.pace.Again
	for n, want := range []time.Duration{0, again[0], again[1]} {
		if got := l.rest(errEdition); got != want {
			t.Errorf("%d: %v, want %v", n, got, want)
		}
	}
	for range again {
		l.rest(errEdition)
	}
	if got := l.rest(errEdition); got != again[len(again)-1] {
		t.Error(got)
	}
	l.found(l.conn)
	if got := l.rest(errEdition); got != 0 {
		t.Error(got)
	}
}

// A shop that waits for more uses than a beat holds tells of all of them, in several.
func TestManyUsesAreToldInParts(t *testing.T) {
	far := &lender{}
	stamp := borrowed(t, far)
	for n := range 2*guest.MostBeaten + 1 {
		stamp.link.waits(fmt.Sprint(n), "j")
	}
	if _, err := stamp.link.beat(t.Context(), stamp.link.conn); err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, uses := range far.beats {
		if len(uses) > guest.MostBeaten {
			t.Errorf("%d at once", len(uses))
		}
		for _, use := range uses {
			told[use] = true
		}
	}
	if len(far.beats) != 3 || len(told) != 2*guest.MostBeaten+1 {
		t.Errorf("%d uses in %d beats", len(told), len(far.beats))
	}
}

// As many tickets as the other shop takes at a time are no reason to fail: the next one waits, and was not sent.
func TestTooManyTicketsAtATimeAreWaitedFor(t *testing.T) {
	full := map[string]any{"status": "refused", "code": apperr.GuestLimit, "message": "64 at a time", "limit": map[string]any{"kind": guest.LimitOpen}}
	far := &lender{leases: []any{guest.LeaseAnswer{Status: guest.Leased}}, calls: []any{full}}
	if got, err := use(borrowed(t, far), progress{}); err != nil || got.Park == nil || got.Park.Doubt {
		t.Errorf("%+v, %v", got, err)
	}
}

// What ails the other shop's disk for a while ends no use.
func TestATroubledDiskOverThereIsWaitedFor(t *testing.T) {
	for _, far := range []lender{
		{leases: []any{refusal(apperr.StorageBusy)}},
		{leases: []any{guest.LeaseAnswer{Status: guest.Leased}}, calls: []any{refusal(apperr.StorageFull)}},
	} {
		got, err := use(borrowed(t, &far), progress{})
		if err != nil || got.Park == nil || got.Park.Doubt != (far.calls != nil) {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

// Whoever waits in line over there, or loses one lease after the other, holds no worker here.
func TestWhatWaitsOverThereIsPutAside(t *testing.T) {
	leased := guest.LeaseAnswer{Status: guest.Leased, Fence: 1}
	line := &lender{leases: []any{leased}, calls: []any{map[string]any{"status": "waiting"}, map[string]any{"status": "done"}}}
	if got, err := use(borrowed(t, line), progress{}); err != nil || got.Park == nil || !got.Park.Doubt || line.called != 1 {
		t.Errorf("in line: %+v, %v, %d calls", got, err, line.called)
	}
	lost := guest.LeaseAnswer{Status: guest.LeaseLost}
	unlucky := &lender{leases: []any{leased}, calls: []any{lost, lost, lost, lost, lost, map[string]any{"status": "done"}}}
	if got, err := use(borrowed(t, unlucky), progress{}); err != nil || got.Park == nil || got.Park.Doubt || unlucky.called != mostLost {
		t.Errorf("lost: %+v, %v, %d calls", got, err, unlucky.called)
	}
}

// A shop that does not know this one any more is waited for no longer.
func TestAShopThatUnpairedThisOneIsNotWaitedFor(t *testing.T) {
	for _, sent := range []bool{false, true} {
		stamp := borrowed(t, &lender{leases: []any{guest.LeaseAnswer{}}})
		stamp.link.lost(errAway)
		if got, err := use(stamp, progress{Sent: sent}); err != nil || got.Park == nil {
			t.Errorf("away: %+v, %v", got, err)
		}
		stamp.link.lost(fmt.Errorf("initialize: %w", errUnpaired))
		stamp.link.lost(errAway) // it listens no more, as it unpaired the last one
		want := apperr.ToolFailed
		if sent {
			want = apperr.InDoubt
		}
		if got, err := use(stamp, progress{Sent: sent}); apperr.CodeOf(err) != want || len(stamp.link.uses) != 0 {
			t.Errorf("unpaired: %+v, %v", got, err)
		}
	}
}

// A use that was under way when the program ended may have been sent, whatever was kept of it.
func TestAUseThatWasCutOffWithTheProgramMayHaveBeenSent(t *testing.T) {
	stamp := borrowed(t, &lender{leases: []any{refusal(apperr.GuestUnknown)}})
	if _, err := stamp.Run(t.Context(), toolbox.Call{Use: "u", JobID: "j", Lang: bilingual.EN, Args: json.RawMessage(`{}`), Again: true}); apperr.CodeOf(err) != apperr.InDoubt {
		t.Error(err)
	}
}
