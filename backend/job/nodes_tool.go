package job

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/failpoint"
	"agentchat/backend/graph"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/logging"
	"agentchat/backend/outbound"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
	"agentchat/backend/undolog"
)

// abandonAfter is how long a canceled tool may take to return before the runner goes on and frees its lease. Together with the commit
// that follows, canceling a job frees its leases in less than 50 ms.
const abandonAfter = 25 * time.Millisecond

// errLeft says that a canceled tool had not returned when the runner went on without it.
var errLeft = errors.New("the tool was left behind")

func errTooComplex() error { return apperr.New(apperr.TooComplex) }

func (r *Runner) acquire(_ context.Context, s *Run) (graph.Move, error) {
	spec, err := r.box.Spec(s.Call.Tool)
	if err != nil {
		return s.fail(err), nil
	}
	_, locked, err := r.box.Acquire(s.Job.ID, s.Call.Tool)
	if err != nil {
		return s.fail(err), nil
	}
	if locked == nil {
		s.InLine, s.QueuedAt = false, time.Time{}
		s.mark(TodoRunning, nodeConfirm)
		return graph.To(nodeConfirm).Soon(), s.move(Running, "")
	}
	if !s.InLine {
		s.Locked = locked
		s.mark(TodoWaiting, nodeAskLock)
		return graph.To(nodeAskLock), nil
	}
	// It stood in line before (a restart emptied the line, or it was woken early): take a place again and wait.
	return r.stand(s, spec)
}

// stand takes a ticket for the tool and parks until the box says it is this job's turn.
func (r *Runner) stand(s *Run, spec toolbox.Spec) (graph.Move, error) {
	place, ready, err := r.box.Wait(s.Job.ID, spec.Key)
	if err != nil {
		return s.fail(err), nil
	}
	if s.InLine = true; s.QueuedAt.IsZero() {
		s.QueuedAt = r.now()
	}
	s.mark(TodoWaiting, nodeAcquire)
	if ready {
		return graph.To(nodeAcquire), nil
	}
	reason := waitingReason(s.Job.Lang, spec, place)
	s.log("info", reason)
	if err := s.move(Waiting, reason); err != nil {
		return graph.Move{}, err
	}
	return graph.Park(nodeAcquire), nil
}

func (r *Runner) askLock(_ context.Context, s *Run) (graph.Move, error) {
	spec, err := r.box.Spec(s.Call.Tool)
	if err != nil {
		return graph.Move{}, err
	}
	choices := []string{ask.ChoiceWait, ask.ChoiceCancel, ask.ChoiceStopOther}
	if !slices.ContainsFunc(s.Locked.Holders, func(h event.Holder) bool { return h.JobID != "" }) {
		choices = choices[:2] // whoever has it is in another shop
	}
	return r.open(s, ask.Ask{
		Kind: ask.KindLock, Question: lockQuestion(s.Job.Lang, spec, *s.Locked), Tool: spec.Key, Args: s.Call.Args,
		Choices: choices,
		Reason:  string(s.Locked.Reason), Place: s.Locked.Place, Holders: s.Locked.Holders,
	}, nodeAskLock, nodeReadLock)
}

func (r *Runner) readLock(ctx context.Context, s *Run) (graph.Move, error) {
	answer, parked, err := r.answer(ctx, s, nodeReadLock)
	if answer == nil {
		return parked, err
	}
	s.Locked = nil
	if answer.Choice == ask.ChoiceCancel {
		return r.cancelHere(s), nil
	}
	spec, err := r.box.Spec(s.Call.Tool)
	if err != nil {
		return graph.To(nodeAcquire), nil // the tool was taken out of the box meanwhile; there it is told
	}
	if answer.Choice == ask.ChoiceStopOther {
		ok, err := r.box.StopOther(s.Job.ID, spec.Key, answer.Holder)
		if err != nil {
			return graph.Move{}, err
		}
		if ok {
			s.log("info", bilingual.Say(s.Job.Lang, "앞의 일을 멈추고 이어받아요.", "Stopping the other job and taking over."))
			r.stopJob(answer.Holder)
		}
	}
	return r.stand(s, spec)
}

func (r *Runner) confirm(ctx context.Context, s *Run) (graph.Move, error) {
	spec, err := r.box.Spec(s.Call.Tool)
	if err != nil {
		return s.fail(err), nil // the tool was taken out of the box meanwhile
	}
	if spec.Off && s.Exec == nil {
		return s.fail(apperr.New(apperr.ToolOff, "tool", spec.Title)), nil // or switched off
	}
	if _, held := r.box.Holds(s.Job.ID, s.Call.Tool); !held {
		return graph.To(nodeAcquire), nil // approved after a restart: the lease is gone
	}
	if _, err := r.box.ValidateArgs(spec.Key, s.Call.Args); err != nil {
		return s.fail(err), nil // the tool's manual changed since the arguments were chosen
	}
	verdict, _, err := r.judge(ctx, s, spec)
	if err != nil {
		return graph.Move{}, err
	}
	if verdict.Decision == policy.Deny {
		return r.denied(s, spec, verdict), nil
	}
	if s.Exec != nil { // put aside by the tool itself: the same use goes on, unless it was forbidden meanwhile
		s.Exec.Boot = r.boot
		s.mark(TodoRunning, nodeExec)
		return graph.To(nodeExec), s.move(Running, "")
	}
	authorization, ok, err := s.authorize(verdict)
	switch {
	case err != nil:
		return s.fail(err), nil
	case !ok:
		s.mark(TodoWaiting, nodePreview)
		return graph.To(nodePreview), nil
	}
	s.Exec = &Exec{ID: r.newID(), Boot: r.boot, Began: r.now()}
	if use := s.use(); use != "" && !s.Named { // both ledgers call it alike
		s.Exec.ID, s.Named = use, true
	}
	move := graph.To(nodeExec)
	written := s.intend(spec, authorization, verdict.Grant.ID)
	if written || spec.Keyed { // the name of a keyed use must stand before anybody hears it
		move = move.Durable()
	}
	if written {
		if err := r.store.Room(ctx, *s.out.Intent); apperr.CodeOf(err) == apperr.GuestLimit {
			s.Exec, s.out.Intent = nil, nil
			return r.stopped(s, err, apperr.From(err).Text(s.Job.Lang), policy.DecidedByLimit, ""), nil
		} else if err != nil {
			return graph.Move{}, err
		}
	}
	if err := r.audit(ctx, s, spec, authorization, verdict); err != nil {
		return graph.Move{}, err
	}
	s.mark(TodoRunning, nodeExec)
	return move, s.move(Running, "")
}

func (r *Runner) readApproval(ctx context.Context, s *Run) (graph.Move, error) {
	answer, parked, err := r.answer(ctx, s, nodeReadApproval)
	if answer == nil {
		return parked, err
	}
	switch answer.Choice {
	case ask.ChoiceApprove:
		s.Asked = 0
		if answer.Pick != nil {
			s.Call.Pick, s.Call.Digest = answer.Pick, answer.Digest
		}
		if answer.By == ask.ByPerson { // else an approval of more than one call came, and is looked for
			s.Approved, s.ApprovedBy = s.Call.Digest, s.out.Consume
		}
		s.mark(TodoWaiting, nodeConfirm)
		return graph.To(nodeConfirm).Durable(), nil
	case ask.ChoiceEdit:
		// What runs is exactly what was shown: edited arguments are shown again under a new digest.
		proposed := s.Proposed
		if len(proposed) == 0 {
			proposed = s.Call.Args
		}
		s.setCall(s.Call.Tool, answer.Args)
		s.Edited, s.Proposed, s.Asked = answer.Args, proposed, 0
		if tool, err := r.box.Tool(s.Call.Tool); err == nil {
			if _, ok := tool.(toolbox.Previewer); ok {
				return graph.To(nodePreview), nil
			}
		}
		return graph.To(nodeAskApproval), nil
	}
	if err := r.rejected(ctx, s, answer.Text); err != nil {
		return graph.Move{}, err
	}
	if answer.Text == "" {
		return r.cancelHere(s), nil
	}
	if s.inLoop() {
		s.Outcome = &Outcome{Code: apperr.Refused, Text: bilingual.Say(s.Job.Lang, "손님이 허락하지 않았어요: %s", "The customer did not allow it: %s", answer.Text)}
		s.mark(TodoWaiting, nodeSave)
		return graph.To(nodeSave), nil
	}
	s.Previous, s.Correction = s.Call.Args, answer.Text
	s.Call, s.Edited, s.Proposed = nil, nil, nil
	r.box.ReleaseJob(s.Job.ID)
	s.log("info", bilingual.Say(s.Job.Lang, "고쳐서 다시 준비해요: %s", "Preparing it again: %s", answer.Text))
	s.mark(TodoWaiting, nodeChoose)
	return graph.To(nodeChoose), nil
}

// exec runs the tool if confirm_check allowed the call in this run of the program. A tool that paused itself since then is checked again
// first.
func (r *Runner) exec(ctx context.Context, s *Run) (graph.Move, error) {
	spec, err := r.box.Spec(s.Call.Tool)
	if s.Exec.WakeAt.After(r.now()) && (err != nil || !spec.Keyed) { // what a keyed one waits for may be there before its moment
		return r.sleep(s, s.Exec.WakeAt) // woken early
	}
	if s.Exec.Boot != r.boot && s.Exec.WakeAt.IsZero() { // what was put aside told how far it was
		s.Exec.Again = true
	}
	if err != nil {
		return r.unused(s, err), nil
	}
	lease, held := r.box.Holds(s.Job.ID, spec.Key)
	if s.Exec.Boot != r.boot || !s.Exec.WakeAt.IsZero() || !held {
		return r.takeUp(s, spec, held), nil
	}
	tool, err := r.box.Tool(s.Call.Tool)
	if err != nil {
		return r.unused(s, err), nil
	}
	check, err := r.box.ResultCheck(s.Call.Tool)
	if err != nil {
		return r.unused(s, err), nil
	}
	return r.use(ctx, s, tool, check, spec, lease)
}

// unused ends a use whose tool was taken out of the box before it ran.
func (r *Runner) unused(s *Run, err error) graph.Move {
	move := s.fail(err)
	if s.Exec.Boot == r.boot && len(s.Exec.Resume) == 0 && !r.begun(s) {
		s.out.Settled = s.effectSettled(EffectNever, 0)
		s.Exec = nil
	}
	return move
}

// takeUp continues a tool call that was started earlier and is not running now. Policy is asked again, because a rule may have been added
// since. A call that the tool paused goes on as the same call. A call that was interrupted is closed in the effect ledger and started
// anew, unless it must not run twice: then a person is asked what happened.
func (r *Runner) takeUp(s *Run, spec toolbox.Spec, held bool) graph.Move {
	s.Exec.WakeAt = time.Time{}
	if s.Exec.Boot != r.boot && len(s.Exec.Resume) == 0 && !spec.Keyed { // the use of a keyed one goes on under its name
		if spec.Effect == toolbox.EffectOnce || r.unsure && spec.Effect != toolbox.EffectRead {
			return graph.To(nodeAskRecovery)
		}
		if spec.Effect != toolbox.EffectRead {
			s.Begun = toolbox.Digest(s.Call.Tool, s.Call.Args)
		}
		s.interrupted()
	}
	s.InLine = !held // it had its tool: when others have it now, it stands in line without being asked
	return graph.To(nodeConfirm)
}

func (r *Runner) use(ctx context.Context, s *Run, tool toolbox.Tool, check toolbox.ResultCheck, spec toolbox.Spec, lease toolbox.Lease) (graph.Move, error) {
	if s.Job.State != Running {
		if err := s.move(Running, ""); err != nil {
			return graph.Move{}, err
		}
	}
	chat, id, todo := s.Job.Chat, s.Job.ID, s.todo().ID
	var over atomic.Bool // the runner went on without the tool; what the tool still reports is dropped
	call := toolbox.Call{
		JobID: id, TodoID: s.callID(), Use: s.Exec.ID, Began: s.Exec.Began, Chat: chat, Title: s.todo().Title, Lang: s.Job.Lang, Args: s.Call.Args, Lease: lease, Resume: s.Exec.Resume, Again: s.Exec.Again, Base: s.Call.Base, Pick: s.Call.Pick,
		Log: func(level, line string) {
			if over.Load() {
				return
			}
			entry := event.JobLog{JobID: id, Level: level, Line: logging.Redact(line), TodoID: todo}
			r.keepLog(entry)
			r.pub.Publish(event.Of(chat, id, entry))
		},
		Media: func(m event.Media) {
			m.JobID = id
			r.screens.Show(chat, id, m, func() bool { return !over.Load() })
		},
		Progress: func(n, of int) {
			if !over.Load() {
				r.pub.Publish(event.Of(chat, id, event.Thinking{Step: nodeExec, Text: fmt.Sprintf("%d / %d", n, of), Data: event.Progress{Done: n, Of: of}}))
			}
		},
	}
	began := r.now()
	ctx = outbound.WithArgs(ctx, chat, id, s.Call.Args)
	result, err := r.call(undolog.Under(ctx, undolog.Step(id, call.TodoID, chat)), tool, call)
	over.Store(true)
	s.Exec.Left = errors.Is(err, errLeft) || apperr.CodeOf(err) == apperr.InDoubt || // or it cannot tell what it did itself
		s.Exec.Left && ctx.Err() != nil // a try that is called off says nothing of those before it, and may not even have begun
	r.screens.Clear(chat, id)
	if err != nil && ctx.Err() != nil {
		return graph.Move{}, ctx.Err()
	}
	if err == nil && result.Park != nil {
		s.Exec.Resume, s.Exec.Why, s.Exec.Left = result.Park.Resume, result.Park.Why, result.Park.Doubt
		return r.sleep(s, time.UnixMilli(result.Park.UntilUnixMilli))
	}
	if err == nil {
		result.Data, err = check(result.Data)
	}
	move := graph.To(nodeSave).Soon()
	if err != nil {
		move = s.fail(toolError(spec.Key, err))
		s.Outcome.Ran = true
	} else {
		s.Outcome = &Outcome{OK: true, Text: result.Text, Data: result.Data, Ran: true, Undo: result.Undo}
		s.log("info", bilingual.Say(s.Job.Lang, "‘%s’ 공구가 %.1f초 만에 끝났어요.", "%s finished in %.1f s.", spec.Title.In(s.Job.Lang), r.now().Sub(began).Seconds()))
	}
	if s.Exec.Intent || s.Exec.Audited || spec.Effect == toolbox.EffectOnce {
		outcome := EffectDone
		if !s.Outcome.OK {
			outcome = EffectFailed
		}
		s.out.Settled = s.effectSettled(outcome, r.now().Sub(s.Exec.Began))
	}
	if s.Exec.Intent || spec.Effect == toolbox.EffectOnce {
		move = move.Durable()
	}
	return move, nil
}

func toolError(tool string, err error) error {
	if e, ok := errors.AsType[*apperr.Error](err); ok {
		return e
	}
	return apperr.Wrap(err, apperr.ToolFailed, "tool", tool, "detail", err.Error())
}

// sleep parks the job until a moment; it holds no worker meanwhile.
func (r *Runner) sleep(s *Run, until time.Time) (graph.Move, error) {
	s.Exec.WakeAt = until
	s.out.WakeAt = until
	s.mark(TodoWaiting, nodeExec)
	reason := s.Exec.Why
	if reason == "" {
		reason = bilingual.Say(s.Job.Lang, "%s까지 기다려요", "Waiting until %s", bilingual.ClockSeconds(until.Local(), s.Job.Lang))
	}
	if s.Exec.Why == "" || s.Exec.Why != s.Exec.Told { // what waits for the same again says so once
		s.log("info", reason)
	}
	s.Exec.Told = s.Exec.Why
	if err := s.move(Waiting, reason); err != nil {
		return graph.Move{}, err
	}
	return graph.Park(nodeExec), nil
}

// call runs the tool in a goroutine of its own: a panic then ends only this todo, and a tool that ignores cancellation cannot keep its
// lease.
func (r *Runner) call(ctx context.Context, tool toolbox.Tool, call toolbox.Call) (toolbox.Result, error) {
	done := aside(call.Lease.Tool, func() (result toolbox.Result, err error) {
		if failpoint.Enabled {
			failpoint.Hit("tool." + call.Lease.Tool + " before")
		}
		scoped, err := r.scoped(ctx, call.Chat)
		if err == nil {
			result, err = tool.Run(scoped, call)
		}
		if failpoint.Enabled {
			failpoint.Hit("tool." + call.Lease.Tool + " after")
		}
		return result, err
	})
	select {
	case o := <-done:
		return o.of, o.err
	case <-ctx.Done():
	}
	grace := time.NewTimer(abandonAfter)
	defer grace.Stop()
	select {
	case o := <-done:
		// It finished at the moment it was canceled: its result counts.
		return o.of, o.err
	case <-grace.C:
		return toolbox.Result{}, errLeft
	}
}

// came is what came of something that was done aside.
type came[T any] struct {
	of  T
	err error
}

// aside does something with a tool in a goroutine of its own. A panic becomes an error.
func aside[T any](tool string, do func() (T, error)) <-chan came[T] {
	done := make(chan came[T], 1)
	go func() {
		var c came[T]
		defer func() {
			if p := recover(); p != nil {
				c.err = apperr.Wrap(fmt.Errorf("panic: %v\n%s", p, debug.Stack()), apperr.ToolPanic, "tool", tool)
			}
			done <- c
		}()
		c.of, c.err = do()
	}()
	return done
}

func (r *Runner) askRecovery(_ context.Context, s *Run) (graph.Move, error) {
	spec, err := r.box.Spec(s.Call.Tool)
	if err != nil {
		return graph.Move{}, err
	}
	return r.open(s, ask.Ask{
		Kind: ask.KindRecovery, Question: recoveryQuestion(s.Job.Lang, spec, *s.Exec), Tool: spec.Key,
		Args: s.Call.Args, Digest: s.Call.Digest, Effect: effectSentence(s.Job.Lang, spec),
		Choices: []string{ask.ChoiceRunAgain, ask.ChoiceHappened, ask.ChoiceStop},
	}, nodeAskRecovery, nodeReadRecovery)
}

func (r *Runner) readRecovery(ctx context.Context, s *Run) (graph.Move, error) {
	answer, parked, err := r.answer(ctx, s, nodeReadRecovery)
	if answer == nil {
		return parked, err
	}
	s.Begun = "" // they know
	switch answer.Choice {
	case ask.ChoiceRunAgain:
		s.Approved, s.ApprovedBy = s.Call.Digest, s.out.Consume
		s.out.Settled = &Effect{ID: s.Exec.ID, Outcome: EffectNever}
		s.Exec = nil
		return graph.To(nodeConfirm).Durable(), nil
	case ask.ChoiceHappened:
		s.Outcome = &Outcome{OK: true, Ran: true, Text: bilingual.Say(s.Job.Lang, "이미 끝난 것으로 표시했어요.", "Marked as done by you.")}
		s.out.Settled = &Effect{ID: s.Exec.ID, Outcome: EffectDone}
		return graph.To(nodeSave).Durable(), nil
	default:
		s.interrupted()
		return r.cancelHere(s).Durable(), nil
	}
}
