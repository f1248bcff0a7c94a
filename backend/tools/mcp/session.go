package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/background"
	"agentchat/backend/outbound"
)

// protocolVersion is what is spoken: the handshake that every server knows.
const protocolVersion = "2025-11-25"

// Why a session or a call ended.
var (
	errEnded   = errors.New("the server ended")
	errHung    = errors.New("the server did not answer in time")
	errGone    = errors.New("the tool was withdrawn")
	errTooMany = fmt.Errorf("the server has more than %d tools", maxTools)
)

// session is one connection to a running server.
type session struct {
	conn  *sdk.ClientSession
	proc  *process // nil behind an address
	close func(now bool)

	dead    chan struct{} // closed when the connection has ended or was given up
	bury    sync.Once
	cause   error         // why, once dead is closed
	relist  chan struct{} // holds one when the server says that its tools changed
	reread  chan struct{} // holds one when the server says that its prompts changed
	calls   sync.WaitGroup
	mu      sync.Mutex
	next    int
	waiting map[string]func(*sdk.ProgressNotificationParams) // by progress token
	alive   map[string]chan struct{}                         // by progress token: holds one when a call is known to live
	askers  []*asker                                         // the calls that run, oldest first
	since   time.Time                                        // when the question was asked that waits for a person now; zero: none does
	asked   time.Duration                                    // how long people took for those before
	prompts struct {                                         // as the server last listed them
		changes, at int // how often it said that they changed, and how often it had by the list
		list        []Prompt
	}
}

func newSession() *session {
	x := &session{
		dead: make(chan struct{}), relist: make(chan struct{}, 1), reread: make(chan struct{}, 1),
		waiting: map[string]func(*sdk.ProgressNotificationParams){}, alive: map[string]chan struct{}{},
	}
	x.prompts.at = -1
	return x
}

// asking answers what a server asks for, and hears what it tells.
type asking struct {
	prompts func() // its prompts changed
	elicit  func(context.Context, *session, *sdk.ElicitParams) (*sdk.ElicitResult, error)
	sample  func(context.Context, *session, *sdk.CreateMessageParams) (*sdk.CreateMessageResult, error) // nil: it may not, and is told so
}

// open starts or reaches a server and shakes hands. ctx bounds only that. changed hears that the tools changed.
func open(ctx context.Context, s Server, who *account, version string, line *outbound.Line, limits Limits, said func(string), changed func(), ask asking) (_ *session, err error) {
	x := newSession()
	var way sdk.Transport
	drop := func() {}
	if s.URL != "" {
		way, drop = remote(s, who, line)
	} else {
		if x.proc, err = start(s, limits.Grace, said); err != nil {
			return nil, explainStart(s, err)
		}
		way = &sdk.IOTransport{Reader: newProtocolOnly(x.proc.out, said), Writer: x.proc.in, MaxLineLength: maxFrame}
	}
	options := &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{}, // no roots: a server gets nothing from here but what a person fills in or lets it have
		ElicitationHandler: func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return ask.elicit(ctx, x, r.Params)
		},
		MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {
			changed()
			background.Wake(x.relist)
		},
		PromptListChangedHandler: func(context.Context, *sdk.PromptListChangedRequest) {
			x.promptsChanged()
			background.Wake(x.reread)
		},
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { x.progress(r.Params) },
	}
	if ask.sample != nil {
		options.CreateMessageHandler = func(ctx context.Context, r *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
			return ask.sample(ctx, x, r.Params)
		}
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "agentchat", Title: "Agent Chat", Version: version}, options)
	x.conn, err = client.Connect(ctx, way, &sdk.ClientSessionOptions{ProtocolVersion: protocolVersion})
	if err != nil {
		if x.proc != nil {
			x.proc.stop(true)
			if words := x.proc.lastWords(); words != "" {
				err = fmt.Errorf("%w (%s)", err, words)
			}
		}
		drop()
		return nil, err
	}
	x.calls.Go(func() { x.hearPrompts(ask.prompts, limits.Relist) })
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		err := x.conn.Wait()
		x.abandon(errors.Join(errEnded, err))
	}()
	if x.proc != nil {
		go x.followChild(limits.Grace)
	}
	x.close = func(now bool) {
		x.abandon(errEnded)
		closed := make(chan struct{})
		go func() { defer close(closed); _ = x.conn.Close() }()
		if x.proc != nil {
			x.proc.stop(now)
		}
		<-closed
		<-watched
		x.calls.Wait()
		drop()
	}
	return x, nil
}

// promptsChanged forgets what the prompts were.
func (x *session) promptsChanged() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.prompts.changes++
}

// edition tells a list of prompts that was asked for before they changed from one after.
func (x *session) edition() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.prompts.changes
}

// keepListed remembers the prompts of an edition.
func (x *session) keepListed(edition int, list []Prompt) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.prompts.at, x.prompts.list = edition, list
}

// listed are the prompts as they were last listed; known is false where the server said since that they changed.
func (x *session) listed() (list []Prompt, known bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.prompts.list, x.prompts.at == x.prompts.changes
}

// hearPrompts passes on that the prompts changed, and then rests a while: a server that says so whenever it is asked must not keep the house busy.
func (x *session) hearPrompts(changed func(), rest time.Duration) {
	for {
		select {
		case <-x.dead:
			return
		case <-x.reread:
		}
		changed()
		if _, over := within(x.dead, rest); over {
			return
		}
	}
}

// followChild gives the connection up when the child is gone, even if something it started still holds its output.
func (x *session) followChild(grace time.Duration) {
	select {
	case <-x.dead:
		return
	case <-x.proc.exited:
	}
	timer := time.NewTimer(grace) // for its last words to be read
	defer timer.Stop()
	select {
	case <-x.dead:
	case <-timer.C:
		x.abandon(errEnded)
	}
}

// abandon marks the session as dead; whoever runs the server then closes it. Only the first cause counts.
func (x *session) abandon(cause error) {
	x.bury.Do(func() {
		x.cause = cause
		close(x.dead)
	})
}

// over tells whether the session is dead.
func (x *session) over() bool {
	select {
	case <-x.dead:
		return true
	default:
		return false
	}
}

// list reads all tools of the server.
func (x *session) list(ctx context.Context) ([]*sdk.Tool, error) {
	var all []*sdk.Tool
	cursor := ""
	for range maxPages {
		page, err := x.conn.ListTools(ctx, &sdk.ListToolsParams{Cursor: cursor})
		if err != nil {
			return nil, err
		}
		if all = append(all, page.Tools...); len(all) > maxTools {
			return nil, errTooMany
		}
		if cursor = page.NextCursor; cursor == "" {
			return all, nil
		}
	}
	return nil, errTooMany
}

// progress passes word of progress on to the call it belongs to.
func (x *session) progress(p *sdk.ProgressNotificationParams) {
	token, ok := p.ProgressToken.(string)
	if !ok {
		return
	}
	x.mu.Lock()
	hear, alive := x.waiting[token], x.alive[token]
	x.mu.Unlock()
	if hear != nil {
		hear(p)
		background.Wake(alive)
	}
}

// listen makes a progress token; hear is called until stop. alive holds one whenever the call is known to live.
func (x *session) listen(hear func(*sdk.ProgressNotificationParams)) (token string, alive <-chan struct{}, stop func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.next++
	token = fmt.Sprintf("call-%d", x.next)
	lives := make(chan struct{}, 1)
	x.waiting[token], x.alive[token] = hear, lives
	return token, lives, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		delete(x.waiting, token)
		delete(x.alive, token)
	}
}

// persons tells whether a question waits for a person now, and how long people took for all until now.
func (x *session) persons() (now bool, took time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.since.IsZero() {
		return false, x.asked
	}
	return true, x.asked + time.Since(x.since)
}

// lastMoment is how long a call whose session died may take to say whether it was answered before.
const lastMoment = 250 * time.Millisecond

// within receives from a channel, but not for ever.
func within[T any](from <-chan T, limit time.Duration) (v T, ok bool) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case v = <-from:
		return v, true
	case <-timer.C:
		return v, false
	}
}

// errServer is what a server answered instead of a result.
type errServer struct{ message string }

// Error implements error.
func (e *errServer) Error() string { return e.message }

// call runs one tool. It returns as soon as ctx ends, withdrawn closes, the session dies, or nothing was heard for too
// long; the server is told when a call is canceled. A call that hung gives the session up. hear is called with every word
// of progress.
func (x *session) call(
	ctx context.Context, name string, args json.RawMessage, limits Limits, withdrawn <-chan struct{}, hear func(*sdk.ProgressNotificationParams),
) (*sdk.CallToolResult, error) {
	type outcome struct {
		result *sdk.CallToolResult
		err    error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	token, alive, stop := x.listen(hear)
	defer stop()
	params := &sdk.CallToolParams{Name: name, Arguments: args}
	params.SetProgressToken(token)
	done := make(chan outcome, 1)
	x.calls.Go(func() {
		result, err := x.conn.CallTool(ctx, params)
		done <- outcome{result, err}
	})
	began := time.Now()
	_, before := x.persons()
	quiet, longest := time.NewTimer(limits.Answer), time.NewTimer(limits.Longest)
	defer quiet.Stop()
	defer longest.Stop()
	// People may take their time: both limits rest while a question waits for one, and its end is a sign of life.
	lives := func() {
		_, took := x.persons()
		quiet.Reset(limits.Answer)
		longest.Reset(limits.Longest + took - before - time.Since(began))
	}
	for {
		select {
		case o := <-done:
			var wire *jsonrpc.Error
			switch {
			case o.err == nil, ctx.Err() != nil:
				return o.result, o.err
			case errors.Is(o.err, errWider): // a matter of this call alone
				return nil, errWider
			case errors.Is(o.err, errSignIn): // nothing was done
				x.abandon(errSignIn)
				return nil, errSignIn
			case errors.As(o.err, &wire):
				return nil, &errServer{wire.Message}
			}
			x.abandon(errors.Join(errEnded, o.err))
			return nil, errors.Join(errEnded, o.err)
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-x.dead:
			cancel() // an answer that came in the same moment counts
			if o, ok := within(done, lastMoment); ok && o.err == nil {
				return o.result, nil
			}
			return nil, x.cause
		case <-withdrawn:
			return nil, errGone
		case <-alive:
			lives()
			continue
		case <-quiet.C:
		case <-longest.C:
		}
		if waits, _ := x.persons(); waits {
			continue // the end of the question begins anew
		}
		select {
		case <-alive: // in the same moment
			lives()
			continue
		default:
		}
		x.abandon(errHung)
		return nil, errHung
	}
}
