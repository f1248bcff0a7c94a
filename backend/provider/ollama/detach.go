package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"sync"
	"time"

	"github.com/ollama/ollama/api"

	"agentchat/backend/background"
)

// How a stream is left that is not over. Ollama (0.34.4, server/routes.go, streamResponse) hands every piece to the
// connection through a channel. When the connection goes while a piece is on its way through that channel, the piece waits
// there for ever, and with it the model's place: whoever writes next waits in vain, until the model is loaded again. It
// cannot happen while the server has nothing to hand over, so the connection is closed in a pause; and whether the place is
// free is looked at afterwards.
const (
	hangUpQuiet = 10 * time.Millisecond // a pause of this length is one: the server sends on within microseconds
	hangUpMost  = 50 * time.Millisecond // a model too fast to pause is not listened to for longer
	placePause  = 3 * time.Second       // a place that is free answers within milliseconds
	reloadPause = 10 * time.Second      // a large model takes its time to leave
	reloadLook  = 20 * time.Millisecond
)

// errAgain ends a request that the server kept waiting for a lost place: it may be asked once more.
var errAgain = errors.New("its place was lost")

// talk is one request that is with the server.
type talk struct {
	ctx   context.Context
	model string
	s     *stream
	cut   context.CancelFunc
	gone  chan struct{} // closed when nothing of it is left there

	again bool // it is to be asked once more
}

// talks are the requests that are with the server. Its zero value is ready for use.
type talks struct {
	mu   sync.Mutex
	open map[*talk]struct{}
}

func (l *talks) add(t *talk) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = map[*talk]struct{}{}
	}
	l.open[t] = struct{}{}
}

func (l *talks) done(t *talk) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, t)
	close(t.gone)
}

// leaving is a request that nobody wants any more and that is not gone, or nil. It is one from the moment on in which its context
// ends: whoever ended it may come next.
func (l *talks) leaving() *talk {
	l.mu.Lock()
	defer l.mu.Unlock()
	for t := range l.open {
		if t.ctx.Err() != nil || t.s.isLeft() {
			return t
		}
	}
	return nil
}

// wait returns when every request that was left is gone, or with the context's error.
func (l *talks) wait(ctx context.Context) error {
	for {
		t := l.leaving()
		if t == nil {
			return nil
		}
		select {
		case <-t.gone:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// turnAway takes the requests of a model out of the server that came after the one that lost the place and wait for it in vain. The
// server keeps the model as long as they do.
func (l *talks) turnAway(model string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for t := range l.open {
		if t.model == model && t.ctx.Err() == nil && t.s.waits() {
			t.again = true
			t.cut()
		}
	}
}

// turnedAway tells whether a request is to be asked once more.
func (l *talks) turnedAway(t *talk) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return t.again
}

// stream is one answer on its way.
type stream struct {
	onChunk func(api.ChatResponse) error
	pieces  chan struct{} // has something after every piece
	wrong   chan error    // what hear said, when it wants no more
	over    chan struct{} // closed at the end
	err     error         // how it ended; to be read when it is over

	mu   sync.Mutex
	some bool // a piece arrived
	left bool // nobody hears any more
}

// piece hears one piece. A stream that nobody hears runs on until it is cut.
func (s *stream) piece(r api.ChatResponse) error {
	background.Wake(s.pieces)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.some = true
	if !s.left {
		err := s.onChunk(r)
		if err == nil || errors.Is(err, errDone) {
			return err
		}
		s.left = true
		s.wrong <- err
	}
	if r.Done {
		return errDone
	}
	return nil
}

// leave says whether something of the answer has arrived. Nothing is heard after it returns.
func (s *stream) leave() (begun bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = true
	return s.some
}

// isLeft says whether nobody hears it any more.
func (s *stream) isLeft() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.left
}

// waits says whether somebody waits for the first piece.
func (s *stream) waits() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.some && !s.left
}

// converse sends a request and hears the answer, until it is over, hear wants no more, or ctx ends. It returns at once in
// each case; the answer is then left in a way that keeps the model's place free, or finds out that it is lost: the first
// piece may be on its way although nothing has arrived. Only while the model still loads there is no place to lose, and to
// ask for one would be to load it. A request that came into a lost place is sent again when that is free.
func (p *Provider) converse(ctx context.Context, base *url.URL, r *api.ChatRequest, loads bool, hear func(api.ChatResponse) error) error {
	for {
		if err := p.talks.wait(ctx); err != nil {
			return err
		}
		if err := p.talk(ctx, base, r, loads, hear); !errors.Is(err, errAgain) {
			return err
		}
	}
}

func (p *Provider) talk(ctx context.Context, base *url.URL, r *api.ChatRequest, loads bool, hear func(api.ChatResponse) error) error {
	line, cut := context.WithCancel(context.WithoutCancel(ctx))
	s := &stream{onChunk: hear, pieces: make(chan struct{}, 1), wrong: make(chan error, 1), over: make(chan struct{})}
	t := &talk{ctx: ctx, model: r.Model, s: s, cut: cut, gone: make(chan struct{})}
	p.talks.add(t)
	go func() {
		defer close(s.over)
		s.err = p.chat(line, base, r, s.piece)
	}()
	var why error
	select {
	case <-s.over:
		cut()
		p.talks.done(t)
		if s.err != nil && !s.leave() && p.talks.turnedAway(t) {
			return errAgain
		}
		return s.err
	case why = <-s.wrong:
	case <-ctx.Done():
		why = ctx.Err()
	}
	begun := s.leave()
	if !begun && loads {
		cut()
		<-s.over
		p.talks.done(t)
		return why
	}
	go func() {
		defer p.talks.done(t)
		gone := begun && s.close()
		cut()
		if !gone {
			<-s.over
			p.freePlace(context.WithoutCancel(ctx), api.NewClient(base, p.HTTP), r.Model)
		}
	}()
	return why
}

// close waits for a pause, and says whether the answer was over before one came.
func (s *stream) close() (gone bool) {
	quiet := time.NewTimer(hangUpQuiet)
	defer quiet.Stop()
	most := time.NewTimer(hangUpMost)
	defer most.Stop()
	enough := false
	for {
		select {
		case <-s.over:
			return true
		case <-s.pieces:
			if enough { // the best moment there is: a piece was handed over just now
				return false
			}
			quiet.Reset(hangUpQuiet)
		case <-quiet.C:
			return false
		case <-most.C:
			enough = true
		}
	}
}

// noFormat is asked for where no format is: the server says so, but not before it had a place for the question, and before
// it bothers the model, which so forgets nothing of what it has read (llm/llama_server.go, Completion).
var noFormat = json.RawMessage(`"none"`)

// freePlace makes sure that the model has a place for the next request. When nothing comes back the place is lost, and the
// model is made to be loaded again with the next request.
func (p *Provider) freePlace(ctx context.Context, client *api.Client, model string) {
	asking, cancel := context.WithTimeout(ctx, placePause)
	defer cancel()
	options := p.runner()
	options["num_predict"] = 1 // should a server ever see a format in it
	err := client.Chat(asking, &api.ChatRequest{
		Model: model, Format: noFormat, KeepAlive: p.keepAlive(), Options: options, Shift: new(false),
		Messages: []api.Message{{Role: "user", Content: "."}},
	}, func(api.ChatResponse) error { return nil })
	if err == nil || asking.Err() == nil {
		return
	}
	p.warm("")
	p.talks.turnAway(model)
	reloading, cancel := context.WithTimeout(ctx, reloadPause)
	defer cancel()
	if generate(reloading, client, &api.GenerateRequest{Model: model, KeepAlive: &api.Duration{}}) != nil {
		return // the next request tells what is wrong
	}
	// The server says yes before it is done (server/sched.go, expireRunner). Who comes in between is given the lost place, and
	// holds it: the model is not unloaded while somebody waits for it.
	look := time.NewTicker(reloadLook)
	defer look.Stop()
	for here := true; here; {
		select {
		case <-look.C:
		case <-reloading.Done():
			return
		}
		if still, err := inMemory(reloading, client, model); err == nil {
			here = still
		}
	}
}
