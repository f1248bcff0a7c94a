package interpreter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/event"
	"agentchat/backend/outbound"
	"agentchat/backend/provider"
)

// patience is how many times as long as it is expected to take a model may read before its first piece is late. It is added to the
// deadline that every answer has.
const patience = 2

// maxRepairs is how often a reply that cannot be used is sent back with what is wrong with it.
const maxRepairs = 2

// ask sends a request whose reply must pass read; a reply that does not is sent back twice with what is wrong with it.
// Every attempt is an exchange of its own.
func (i *Interpreter) ask(ctx context.Context, b Brief, role provider.Role, schema []byte, read func(Exchange) error) error {
	b.Background.Model = cmp.Or(asked(ctx), b.Background.Model)
	at := i.serversFor(role, b.Background.Model)[0].Provider
	i.standsIn(b, role, at)
	shown := i.shown(ctx, b, role, at)
	write := func(p provider.Provider) provider.Request { return i.writtenFor(ctx, p, b, role, schema, shown) }
	req := write(at)
	s := i.newStream(ctx, b, role)
	defer s.close()
	key := i.cacheKey(at, b, req)
	if i.recall(ctx, at, key, req, s, read) {
		return nil
	}
	for try := 1; ; try++ {
		x, err := i.send(ctx, at, req, write, s)
		if err == nil {
			err = read(x)
		}
		x.Attempt = try
		x.failed(err)
		i.keep(x)
		if err == nil {
			i.remember(ctx, at, key, x)
		}
		if err != nil && ctx.Err() != nil {
			return s.interrupted(err)
		}
		if err == nil || apperr.CodeOf(err) != apperr.ModelBadOutput || try > maxRepairs {
			return err
		}
		req.ID = i.deps.NewID()
		req.State.Repair = reason(err)
		s.anew()
	}
}

// writtenFor is a request as the server wants it that is to answer it.
func (i *Interpreter) writtenFor(ctx context.Context, p provider.Provider, b Brief, role provider.Role, schema []byte, shown []string) provider.Request {
	req := i.requestFor(p, b, role, schema)
	if toolless(role) {
		return req
	}
	req.Services, req.Shown = i.services(), shown
	if role == provider.RoleSolver && req.Model == "" && native(ctx, p) {
		req.Native, req.Schema = true, nil
	} else if reader, ok := p.(provider.FormReader); !ok || !reader.ReadsForm() {
		req.Schema = provider.Format(req)
	}
	return req
}

type askedKey struct{}

// Asking has every request that is sent under a context ask a model, as provider/model; "" for whichever answers anyway.
func Asking(ctx context.Context, model string) context.Context {
	if model == "" {
		return ctx
	}
	return context.WithValue(ctx, askedKey{}, model)
}

func asked(ctx context.Context) string {
	model, _ := ctx.Value(askedKey{}).(string)
	return model
}

// askForm asks for a closed form, which read reads.
func askForm[T any](ctx context.Context, i *Interpreter, b Brief, role provider.Role, schema []byte, read func(reply string) (T, error)) (found T, err error) {
	err = i.ask(ctx, b, role, schema, func(x Exchange) (err error) {
		found, err = read(x.Reply.Text)
		return err
	})
	return found, err
}

// reason is what is wrong, in words the model can use.
func reason(err error) string {
	if cause := errors.Unwrap(err); cause != nil {
		return clip(cause.Error(), 500)
	}
	return err.Error()
}

// send is one request and its reply, in turn, under the deadlines and told to the world. s hears the reply as it arrives. The request is written
// for the server at; where another is to answer it, now or because one broke off, it is written for that one.
func (i *Interpreter) send(ctx context.Context, at provider.Provider, req provider.Request, write func(provider.Provider) provider.Request, s *stream) (Exchange, error) {
	label := labels[req.Role].In(req.Lang)
	i.tell(req, event.AgentStart{Agent: string(req.Role), Label: label})
	x := Exchange{At: time.Now()}
	p, err := at, error(nil)
	for where, broke := i.place(ctx, req), error(nil); ; {
		var leave func()
		next := p
		if next, leave, err = i.stand(ctx, where, req, label); err != nil {
			break
		}
		if broke != nil {
			s.anew()
			i.moved(req, p.Name(), next.Name(), broke)
		}
		if p = next; p != at {
			id, repair := req.ID, req.State.Repair
			req, at = write(p), p
			req.ID, req.State.Repair = id, repair
		}
		x.Reply, err = i.fitted(ctx, p, &req, s)
		leave()
		where.tried = append(where.tried, p.Name())
		if ctx.Err() != nil || !elsewhere(err) || len(where.left()) == 0 {
			break
		}
		broke = err
		i.failed(ctx, p, err)
		i.keepBroken(x, req, p, err)
		req.ID, x.At = i.deps.NewID(), time.Now()
	}
	if standby := i.deps.Standby; ctx.Err() == nil && standby != nil && standby.Name() != p.Name() && absent(err) && req.Role != provider.RoleLibrarian && !toolless(req.Role) {
		i.failed(ctx, p, err)
		s.anew()
		p = standby
		x.Reply, err = i.fitted(ctx, p, &req, s)
	}
	x.Request, x.Prompt, x.Provider, x.Reply.Elapsed = req, i.adapter.NormalizePrompt(req), p.Name(), time.Since(x.At)
	done := event.AgentDone{
		Agent: string(req.Role), Label: label, Success: err == nil, Ms: x.Reply.Elapsed.Milliseconds(),
		TokensIn: x.Reply.TokensIn, TokensOut: x.Reply.TokensOut,
	}
	if err != nil {
		done.Result = string(apperr.CodeOf(err))
		i.failed(ctx, p, err)
	}
	i.tell(req, done)
	return x, err
}

// stand waits for the turn of a request, and gives the server that is to answer it and what ends its turn.
func (i *Interpreter) stand(ctx context.Context, where *placing, req provider.Request, label string) (p provider.Provider, leave func(), err error) {
	stood := false
	where.lanes() // reckoned before anybody waits for it
	w := &waiter{rank: rankOf(req), job: req.Job, lanes: where.lanes, moved: func(place int) {
		stood = true
		i.deps.Publisher.Publish(event.Of(req.Chat, req.Job, event.AgentQueued{Agent: string(req.Role), Label: inLine.In(req.Lang), Place: place}))
	}}
	if leave, err = i.queue.wait(ctx, w); err != nil {
		return nil, nil, err
	}
	if stood {
		i.deps.Publisher.Publish(event.Of(req.Chat, req.Job, event.AgentQueued{Agent: string(req.Role), Label: label}))
	}
	return i.named(req.Role, w.at.name), leave, nil
}

// keepBroken keeps a request that a server did not answer to the end, before another one is asked.
func (i *Interpreter) keepBroken(x Exchange, req provider.Request, p provider.Provider, err error) {
	x.Request, x.Prompt, x.Provider, x.Attempt = req, i.adapter.NormalizePrompt(req), p.Name(), 1
	x.Reply.Elapsed = time.Since(x.At)
	x.failed(err)
	i.keep(x)
}

// absent tells whether the provider could not even begin to answer, so that another may.
func absent(err error) bool {
	code := apperr.CodeOf(err)
	return code == apperr.ProviderUnreachable || code == apperr.ProviderRefused || code == apperr.ModelMissing
}

func (i *Interpreter) failed(ctx context.Context, p provider.Provider, err error) {
	if i.deps.Failed != nil && ctx.Err() == nil {
		i.deps.Failed(p.Name(), err)
	}
}

// firstPiece is how far a reply is.
type firstPiece int

const (
	arriving firstPiece = iota // nothing yet
	loading                    // the model is being read into memory
	speaking                   // pieces come
)

// streamObserver passes on what a provider says until it is closed, and tells how far the reply is. Safe for concurrent use.
type streamObserver struct {
	on     func(provider.Delta)
	moved  chan struct{} // holds one when something was heard
	mu     sync.Mutex
	at     firstPiece
	pieces int  // of the answer and of what was thought before
	cold   bool // the model had to be loaded
	closed bool
}

func (e *streamObserver) observe(d provider.Delta) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return
	}
	switch {
	case !d.Loading:
		e.at = speaking
		e.pieces++
	case e.at == arriving:
		e.at, e.cold = loading, true
	}
	background.Wake(e.moved)
	if !d.Loading {
		e.on(d)
	}
}

func (e *streamObserver) now() firstPiece {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.at
}

func (e *streamObserver) count() (pieces int, cold bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.pieces, e.cold
}

func (e *streamObserver) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
}

// call talks to the provider apart from the caller, so that a provider that never answers, not even to cancellation,
// cannot hold anybody up, and one that breaks down takes nothing with it.
func (i *Interpreter) call(ctx context.Context, p provider.Provider, req provider.Request, s *stream) (provider.Reply, error) {
	limits := i.deps.Timeouts()
	_, byCode := p.(provider.Phrasebook)
	tokens, takes := 0, time.Duration(0)
	if !byCode {
		tokens, takes = i.toRead(p, req)
		req.Patience = min(patience*takes, limits.Load)
		limits.First += req.Patience
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream := &streamObserver{on: s.receive, moved: make(chan struct{}, 1)}
	defer stream.close()
	type outcome struct {
		reply provider.Reply
		err   error
	}
	done := make(chan outcome, 1)
	cause := outbound.Cause{Chat: req.Chat, Job: req.Job, Words: []string{req.Message}}
	if req.Role == provider.RoleOutside {
		cause.Words = nil // a stranger's
	}
	go func() {
		var o outcome
		defer func() {
			if cause := recover(); cause != nil {
				o.err = apperr.Wrap(fmt.Errorf("provider %s panicked: %v\n%s", p.Name(), cause, debug.Stack()), apperr.Internal)
			}
			done <- o
		}()
		o.reply, o.err = p.Chat(outbound.With(ctx, cause), req, stream.observe)
	}()
	told := false // that the model is being loaded
	tell := func(now bool) {
		if now != told && i.deps.Loading != nil {
			i.deps.Loading(p.Name(), now)
		}
		told = now
	}
	defer tell(false)
	timer := time.NewTimer(limits.First)
	defer timer.Stop()
	silent := time.NewTimer(slow)
	defer silent.Stop()
	began := time.Now()
	for {
		select {
		case o := <-done:
			if o.err == nil && !byCode && len(req.Pictures) == 0 {
				_, cold := stream.count()
				i.hasRead(p, req, o.reply, cold)
			}
			return o.reply, o.err
		case <-silent.C:
			if n, _ := stream.count(); n == 0 {
				s.reading(tokens, takes)
			}
		case <-stream.moved:
			if n, _ := stream.count(); n > 0 && time.Since(began) > slow {
				s.wrote(n)
			}
			switch stream.now() {
			case loading:
				tell(true)
				timer.Reset(max(limits.Load, limits.First))
			case speaking:
				tell(false)
				timer.Reset(limits.Gap)
			case arriving:
			}
		case <-timer.C:
			return provider.Reply{}, apperr.New(apperr.ModelTimeout)
		case <-ctx.Done():
			return provider.Reply{}, ctx.Err()
		}
	}
}
