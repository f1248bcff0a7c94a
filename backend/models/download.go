package models

import (
	"context"
	"errors"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
)

// work downloads what waits, and says when there is more to try.
func (d *PullQueue) work(ctx context.Context) (again time.Time) {
	for ctx.Err() == nil {
		var e *entry
		if e, again = d.next(ctx); e == nil {
			break
		}
		d.download(ctx, e)
	}
	return again
}

// next takes the first download whose time has come; otherwise it says when one's will, the zero time: none waits.
func (d *PullQueue) next(ctx context.Context) (*entry, time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var soonest time.Time
	now := time.Now()
	for _, e := range d.list {
		if e.State != PullWaiting {
			continue
		}
		if !e.after.After(now) {
			err := d.move(ctx, e, PullPulling, nil)
			if err == nil {
				return e, time.Time{}
			}
			d.deps.Log.Warn().Err(err).Str("model", e.Model).Msg("a download cannot be kept")
			e.after = now.Add(mostPause)
		}
		if soonest.IsZero() || e.after.Before(soonest) {
			soonest = e.after
		}
	}
	return nil, soonest
}

func (d *PullQueue) download(ctx context.Context, e *entry) {
	own, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	d.mu.Lock()
	if e.State != PullPulling || e.gone { // a person was quicker
		d.mu.Unlock()
		return
	}
	model, file, before := e.Model, e.file, e.Done
	e.cancel = func() { cancel(context.Canceled) }
	d.mu.Unlock()

	tell := func(at ollama.Progress) {
		if err := d.progress(ctx, e, at); err != nil {
			cancel(err)
		}
	}
	var err error
	if file == "" {
		err = d.deps.Server.Pull(own, model, tell)
	} else {
		err = d.deps.Server.Bring(own, model, file, tell)
	}
	if short, ok := errors.AsType[*apperr.Error](context.Cause(own)); ok {
		err = short
	}
	if err != nil && ctx.Err() != nil { // the program ends; the download goes on with the next run
		return
	}
	away := apperr.CodeOf(err) == apperr.ProviderUnreachable && d.away(ctx)
	if d.endTry(context.WithoutCancel(ctx), e, err, before, away) {
		d.deps.Pulled(model)
	}
}

// away tells whether the server itself is gone, rather than the download broken off.
func (d *PullQueue) away(ctx context.Context) bool {
	return d.deps.Server.Status(ctx).Health == provider.HealthUnreachable
}

// progress takes up how far a download is, and tells and keeps it now and then. What it says never goes back: the server
// names the files of a model one by one, and checks what is there already. An error ends the download.
func (d *PullQueue) progress(ctx context.Context, e *entry, at ollama.Progress) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e.State != PullPulling || e.gone {
		return nil
	}
	grown := at.Total > e.Total
	e.Done, e.Total = max(e.Done, at.Done), max(e.Total, at.Total)
	e.Done = min(e.Done, e.Total)
	const nearly = 99.9 // whole only when the server says so
	e.Percent = min(max(e.Percent, at.Percent), nearly)
	e.speed = at.Speed
	if grown {
		if err := d.spaceLeft(e.Model, e.Total-e.Done); err != nil {
			return err
		}
	}
	now := time.Now()
	if e.file == "" && now.Sub(e.kept) >= keepEvery {
		e.kept = now
		if err := d.deps.Store.SavePull(ctx, e.Pull); err != nil {
			d.deps.Log.Warn().Err(err).Str("model", e.Model).Msg("progress is not kept")
		}
	}
	if now.Sub(e.shown) >= showEvery {
		e.shown = now
		d.deps.Publisher.Publish(event.Of("", "", d.view(e)))
	}
	return nil
}

// endTry ends one try and says whether the model has arrived. before is how many bytes there were when it began.
func (d *PullQueue) endTry(ctx context.Context, e *entry, err error, before int64, away bool) (arrived bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	e.cancel = nil
	var failed error
	switch {
	case e.gone:
	case err == nil:
		e.Done, e.Percent = e.Total, 100
		failed = d.move(ctx, e, PullDone, nil)
		arrived = true
	case e.State != PullPulling: // paused, and perhaps in line again
	case apperr.CodeOf(err) == apperr.ProviderUnreachable && (away || e.tries+1 < mostTries):
		if e.Done > before {
			e.tries = 0
		}
		e.after = time.Now().Add(min(firstPause<<min(e.tries, 8), mostPause))
		e.tries++
		failed = d.move(ctx, e, PullWaiting, nil)
	default:
		failed = d.move(ctx, e, PullFailed, apperr.From(err))
	}
	if failed != nil {
		d.deps.Log.Warn().Err(failed).Str("model", e.Model).Msg("a download cannot be kept")
		e.State, e.Failure = PullFailed, apperr.From(failed)
		if arrived { // the next run asks for it again, and finds it there
			e.State, e.Failure = PullDone, nil
		}
		d.deps.Publisher.Publish(event.Of("", "", d.view(e)))
	}
	return arrived
}
