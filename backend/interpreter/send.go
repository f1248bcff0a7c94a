package interpreter

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/provider"
)

// maxRepairs is how often a reply that cannot be used is sent back with what is wrong with it.
const maxRepairs = 2

// ask sends a letter whose reply must pass read; a reply that does not is sent back twice with what is wrong with it.
// Every attempt is an exchange of its own.
func (i *Interpreter) ask(ctx context.Context, b Brief, role provider.Role, schema []byte, read func(Exchange) error) error {
	letter := b.letter(i.deps.NewID(), role, i.deps.Tools(b.Lang), schema)
	letter.Services = i.services()
	if role == provider.RoleSolver && i.native(ctx) {
		letter.Native, letter.Schema = true, nil
	}
	s := i.newStream(ctx, b, role)
	defer s.close()
	key := i.cacheKey(b, letter)
	if i.recall(ctx, key, letter, s, read) {
		return nil
	}
	for try := 1; ; try++ {
		x, err := i.send(ctx, letter, s)
		if err == nil {
			err = read(x)
		}
		x.Attempt = try
		x.failed(err)
		i.keep(x)
		if err == nil {
			i.remember(ctx, key, x)
		}
		if err == nil || ctx.Err() != nil || apperr.CodeOf(err) != apperr.ModelBadOutput || try > maxRepairs {
			return err
		}
		letter.ID = i.deps.NewID()
		letter.State.Repair = reason(err)
		s.anew()
	}
}

// reason is what is wrong, in words the model can use.
func reason(err error) string {
	if cause := errors.Unwrap(err); cause != nil {
		return clip(cause.Error(), 500)
	}
	return err.Error()
}

// send is one letter and its reply, in turn, under the deadlines and told to the world. s hears the reply as it arrives.
func (i *Interpreter) send(ctx context.Context, letter provider.Letter, s *stream) (Exchange, error) {
	label := labels[letter.Role].In(letter.Lang)
	i.tell(letter, event.AgentStart{Agent: string(letter.Role), Label: label})
	x := Exchange{At: time.Now()}
	stood := false
	leave, err := i.queue.enter(ctx, letter, func(place int) {
		stood = true
		i.deps.Publisher.Publish(event.Of(letter.Chat, letter.Job, event.AgentQueued{Agent: string(letter.Role), Label: inLine.In(letter.Lang), Place: place}))
	})
	if stood && err == nil {
		i.deps.Publisher.Publish(event.Of(letter.Chat, letter.Job, event.AgentQueued{Agent: string(letter.Role), Label: label}))
	}
	p := i.deps.Provider()
	if err == nil {
		x.Reply, err = i.fitted(ctx, p, &letter, s.hear)
		if standby := i.deps.Standby; standby != nil && standby.Name() != p.Name() && absent(err) && letter.Role != provider.RoleLibrarian {
			i.failed(ctx, err)
			s.anew()
			p = standby
			x.Reply, err = i.fitted(ctx, p, &letter, s.hear)
		}
		leave()
	}
	x.Letter, x.Prompt, x.Provider, x.Reply.Elapsed = letter, i.adapter.NormalizePrompt(letter), p.Name(), time.Since(x.At)
	done := event.AgentDone{
		Agent: string(letter.Role), Label: label, Success: err == nil, Ms: x.Reply.Elapsed.Milliseconds(),
		TokensIn: x.Reply.TokensIn, TokensOut: x.Reply.TokensOut,
	}
	if err != nil {
		done.Result = string(apperr.CodeOf(err))
		i.failed(ctx, err)
	}
	i.tell(letter, done)
	return x, err
}

// absent tells whether the provider could not even begin to answer, so that another may.
func absent(err error) bool {
	code := apperr.CodeOf(err)
	return code == apperr.ProviderUnreachable || code == apperr.ProviderRefused || code == apperr.ModelMissing
}

func (i *Interpreter) failed(ctx context.Context, err error) {
	if i.deps.Failed != nil && ctx.Err() == nil {
		i.deps.Failed(err)
	}
}

// arrival is how far a reply is.
type arrival int

const (
	arriving arrival = iota // nothing yet
	loading                 // the model is being read into memory
	speaking                // pieces come
)

// ear passes on what a provider says until it is closed, and tells how far the reply is. Safe for concurrent use.
type ear struct {
	on     func(provider.Delta)
	moved  chan struct{} // holds one when something was heard
	mu     sync.Mutex
	at     arrival
	closed bool
}

func (e *ear) hear(d provider.Delta) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return
	}
	switch {
	case !d.Loading:
		e.at = speaking
	case e.at == arriving:
		e.at = loading
	}
	select {
	case e.moved <- struct{}{}:
	default:
	}
	if e.on != nil && !d.Loading {
		e.on(d)
	}
}

func (e *ear) now() arrival {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.at
}

func (e *ear) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
}

// call talks to the provider apart from the caller, so that a provider that never answers, not even to cancellation,
// cannot hold anybody up, and one that breaks down takes nothing with it.
func (i *Interpreter) call(ctx context.Context, p provider.Provider, letter provider.Letter, on func(provider.Delta)) (provider.Reply, error) {
	limits := i.deps.Timeouts()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	heard := &ear{on: on, moved: make(chan struct{}, 1)}
	defer heard.close()
	type outcome struct {
		reply provider.Reply
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if cause := recover(); cause != nil {
				o.err = apperr.Wrap(fmt.Errorf("provider %s panicked: %v\n%s", p.Name(), cause, debug.Stack()), apperr.Internal)
			}
			done <- o
		}()
		o.reply, o.err = p.Chat(ctx, letter, heard.hear)
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
	for {
		select {
		case o := <-done:
			return o.reply, o.err
		case <-heard.moved:
			switch heard.now() {
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
