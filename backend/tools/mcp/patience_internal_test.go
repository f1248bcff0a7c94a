package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/toolbox"
)

const (
	answerWithin = 2 * time.Minute
	callWithin   = 10 * time.Minute
)

// play connects a session to a server with one tool, on a clock that moves by itself, and calls it.
func play(
	t *testing.T, tool func(ctx context.Context, ask func() string) string, person func(ctx context.Context, q Question) (map[string]any, error),
) (text string, err error) {
	t.Helper()
	near, far := sdk.NewInMemoryTransports()
	other := sdk.NewServer(&sdk.Implementation{Name: "play", Version: "1"}, nil)
	other.AddTool(&sdk.Tool{Name: "play", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		said := tool(ctx, func() string {
			answer, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "Well?"})
			if err != nil {
				return err.Error()
			}
			return answer.Action
		})
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: said}}}, nil
	})
	there, err := other.Connect(t.Context(), far, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := newSession()
	v := &server{opt: &Options{Ask: person}}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		Capabilities:   &sdk.ClientCapabilities{},
		MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
		ElicitationHandler: func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return v.elicit(ctx, x, r.Params)
		},
	})
	if x.conn, err = client.Connect(t.Context(), near, &sdk.ClientSessionOptions{ProtocolVersion: protocolVersion}); err != nil {
		t.Fatal(err)
	}
	ctx, over := context.WithCancel(t.Context())
	defer x.runs(&asker{ctx: ctx, tool: "play", call: toolbox.Call{}})()
	result, err := x.call(ctx, "play", json.RawMessage(`{}`), Limits{Answer: answerWithin, Longest: callWithin}, nil, func(*sdk.ProgressNotificationParams) {})
	over()
	_ = x.conn.Close()
	_ = there.Wait()
	x.calls.Wait()
	if err != nil {
		return "", err
	}
	return result.Content[0].(*sdk.TextContent).Text, nil
}

// passes lets time pass on the clock that moves by itself.
func passes(d time.Duration) { <-time.After(d) }

// A person may take their time, and afterwards the server has as long as ever.
func TestAServerHasItsTimeAfterAQuestion(t *testing.T) {
	for _, thinks := range []time.Duration{time.Second, answerWithin - time.Second, answerWithin, 5*answerWithin - time.Second, 3 * callWithin} {
		synctest.Test(t, func(t *testing.T) {
			text, err := play(t, func(_ context.Context, ask func() string) string {
				passes(answerWithin - time.Second)
				said := ask()
				passes(answerWithin - time.Second)
				return said
			}, func(context.Context, Question) (map[string]any, error) {
				passes(thinks)
				return map[string]any{}, nil
			})
			if text != "accept" || err != nil {
				t.Errorf("a person who took %v: %q, %v", thinks, text, err)
			}
		})
	}
}

// What a person took does not count, and all else does: with questions all along, a call still ends.
func TestACallEndsWhateverItAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		asked := 0
		_, err := play(t, func(ctx context.Context, ask func() string) string {
			for ctx.Err() == nil {
				ask()
				passes(answerWithin - time.Second)
			}
			return ""
		}, func(context.Context, Question) (map[string]any, error) {
			asked++
			passes(time.Hour)
			return map[string]any{}, nil
		})
		if took := time.Since(began) - time.Duration(asked)*time.Hour; !errors.Is(err, errHung) || took < callWithin || took > callWithin+answerWithin {
			t.Errorf("it took %v besides %d questions: %v", took, asked, err)
		}
	})
	synctest.Test(t, func(t *testing.T) { // after a question it may hang as well
		if _, err := play(t, func(ctx context.Context, ask func() string) string {
			ask()
			<-ctx.Done()
			return ""
		}, func(context.Context, Question) (map[string]any, error) { return map[string]any{}, nil }); !errors.Is(err, errHung) {
			t.Error(err)
		}
	})
}

// A server has one question open at a time, and so many in a call.
func TestQuestionsAreNotWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shown := 0
		text, err := play(t, func(_ context.Context, ask func() string) string {
			first := make(chan string)
			go func() { first <- ask() }()
			synctest.Wait() // it is on show
			var mu sync.Mutex
			var others sync.WaitGroup
			said := map[string]int{}
			for range 10 {
				others.Go(func() {
					answer := ask()
					mu.Lock()
					defer mu.Unlock()
					said[answer]++
				})
			}
			others.Wait()
			at := fmt.Sprint(<-first, said)
			said = map[string]int{}
			for range 30 {
				said[ask()]++
			}
			return at + fmt.Sprint(said)
		}, func(context.Context, Question) (map[string]any, error) {
			shown++
			passes(time.Second)
			return map[string]any{}, nil
		})
		if want := "acceptmap[decline:10]map[accept:19 decline:11]"; text != want || err != nil || shown != 20 {
			t.Errorf("have %q, want %q: %v, shown %d", text, want, err, shown)
		}
	})
}
