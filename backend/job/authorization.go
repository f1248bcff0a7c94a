package job

import (
	"agentchat/backend/apperr"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// Authorization says why a tool call may run. The store checks it in the transaction that writes the intent row, so an approval that
// was revoked in the meantime is never used from memory.
type Authorization string

// The authorizations.
const (
	AuthorizedByPolicy Authorization = ""      // nobody has to be asked
	AuthorizedByAsk    Authorization = "ask"   // a person approved exactly this call
	AuthorizedByGrant  Authorization = "grant" // a person approved calls like it before, and that still holds
	AuthorizedByOrder  Authorization = "order" // the customer confirmed exactly this call at the counter
)

// authorize finds why the current call may run; ok is false when a person must be asked first. The caller has already checked that no
// rule forbids it. The error is digest_mismatch when the call is not what was confirmed at the counter.
func (s *Run) authorize(v policy.Verdict) (w Authorization, ok bool, err error) {
	switch {
	case s.Job.Counter && (s.Approved == "" || s.Approved != s.Call.Digest):
		return "", false, apperr.New(apperr.DigestMismatch)
	case s.Job.Counter:
		return AuthorizedByOrder, true, nil
	case s.Approved == s.Call.Digest && s.ApprovedBy != "":
		return AuthorizedByAsk, true, nil
	case v.Decision == policy.Allow && v.By == policy.ByGrant:
		return AuthorizedByGrant, true, nil
	}
	return AuthorizedByPolicy, v.Decision == policy.Allow, nil
}

// intend records the intent of the current call, if the call must not run twice or a person had to allow it.
func (s *Run) intend(spec toolbox.Spec, w Authorization, grant string) (written bool) {
	spend := s.spend(spec)
	if spec.Effect != toolbox.EffectOnce && w == AuthorizedByPolicy && spend == (Spend{}) {
		return false
	}
	s.Exec.Intent = true
	s.out.Intent = &Effect{
		ID: s.Exec.ID, JobID: s.Job.ID, TodoID: s.todo().ID, Chat: s.Job.Chat, Order: s.Job.standing(), Tool: spec.Key, Args: s.Call.Args,
		Digest: s.Call.Digest, Authorization: w, Ask: s.ApprovedBy, Grant: grant,
		Spend: spend,
	}
	if s.Job.Guest != nil {
		s.out.Intent.Guest = s.Job.Guest.ID
	}
	return true
}

// EffectOutcome is what became of an intended effect.
type EffectOutcome string

// The outcomes. After a crash a person is asked; they may know that it happened, know that it did not, or not know.
const (
	EffectDone    EffectOutcome = "done"
	EffectFailed  EffectOutcome = "failed"
	EffectNever   EffectOutcome = "never"   // it did not happen
	EffectUnknown EffectOutcome = "unknown" // nobody can tell
)
