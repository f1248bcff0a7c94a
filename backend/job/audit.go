package job

import (
	"context"
	"time"

	"agentchat/backend/logging"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// auditResult bounds what the audit log keeps of a result, in characters.
const auditResult = 1000

// entry begins a line of the audit log about the call at hand. Secrets are taken out of it.
func (r *Runner) entry(s *Run, id string) policy.Entry {
	return policy.Entry{
		ID: id, Chat: s.Job.Chat, Job: s.Job.ID, Todo: s.todo().ID, Tool: s.Call.Tool,
		Args: logging.RedactJSON(s.Call.Args), Digest: s.Call.Digest,
	}
}

// audit logs the call that is about to run and why it may, unless it only reads, nobody had to be asked, and no other shop has a part in it.
func (r *Runner) audit(ctx context.Context, s *Run, spec toolbox.Spec, w Authorization, v policy.Verdict) error {
	if spec.Effect == toolbox.EffectRead && w == AuthorizedByPolicy && !spec.Keyed && s.use() == "" {
		return nil
	}
	e := r.entry(s, s.Exec.ID)
	e.Outcome = policy.AuditStarted
	switch w {
	case AuthorizedByPolicy:
		switch e.By = policy.DecidedByManual; v.By {
		case policy.ByRule:
			e.By, e.Basis = policy.DecidedByRule, v.Rule
		case policy.ByMode:
			e.By = policy.DecidedByMode
		case policy.ByOrigin, policy.ByGrant, policy.ByManual, policy.ByWords:
		}
	case AuthorizedByGrant:
		e.By, e.Basis = policy.DecidedByGrant, v.Grant.ID
	case AuthorizedByOrder:
		e.By = policy.DecidedByCounter
	case AuthorizedByAsk:
		if err := r.asked(ctx, s.ApprovedBy, &e); err != nil {
			return err
		}
	}
	s.Exec.Audited = true
	s.out.Audit = append(s.out.Audit, e)
	return nil
}

// asked adds what a person saw and answered.
func (r *Runner) asked(ctx context.Context, id string, e *policy.Entry) error {
	a, err := r.store.Ask(ctx, id)
	if err != nil {
		return err
	}
	e.By, e.Basis, e.Question, e.Preview, e.Origins = policy.DecidedByPerson, id, a.Question, a.Preview, a.Origins
	if a.Answer != nil {
		e.Via = a.Answer.Via
	}
	if a.Preview != nil {
		shown := *a.Preview
		shown.Text, shown.Diff = logging.Redact(shown.Text), logging.Redact(shown.Diff)
		e.Preview = &shown
	}
	e.Origins = append(e.Origins[:0:0], a.Origins...)
	for i := range e.Origins {
		e.Origins[i].Value, e.Origins[i].Quote = logging.Redact(e.Origins[i].Value), logging.Redact(e.Origins[i].Quote)
	}
	return nil
}

// rejected notes that a person said no.
func (r *Runner) rejected(ctx context.Context, s *Run, why string) error {
	e := r.entry(s, r.newID())
	if err := r.asked(ctx, s.out.Consume, &e); err != nil {
		return err
	}
	e.Outcome, e.Result = policy.AuditRejected, logging.Redact(policy.Visible(why, auditResult))
	s.out.Audit = append(s.out.Audit, e)
	return nil
}

// effectSettled is the end of the use at hand for the effect ledger and the audit log.
func (s *Run) effectSettled(outcome EffectOutcome, took time.Duration) *Effect {
	e := &Effect{ID: s.Exec.ID, Outcome: outcome, Took: took}
	if s.Outcome != nil {
		e.Result, e.Code, e.Text = s.Outcome.Data, s.Outcome.Code, logging.Redact(policy.Visible(s.Outcome.Text, auditResult))
	}
	return e
}

// interrupted closes the effect row and the audit entry of a call that ended without a result. Every way in which a call can end passes
// here, so that no intent stays open.
func (s *Run) interrupted() {
	if s.Exec == nil || s.Outcome != nil && s.Outcome.Ran || s.out.Settled != nil {
		return
	}
	if s.Exec.Intent || s.Exec.Audited {
		s.out.Settled = s.effectSettled(EffectUnknown, 0)
	}
	s.Exec = nil
}
