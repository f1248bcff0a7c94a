package job

import (
	"agentchat/backend/apperr"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// Warrant says by what right a tool runs. The ledger looks it up in the same transaction that writes the intent down, so
// that no effect rests on anybody's memory.
type Warrant string

// The warrants.
const (
	WarrantPolicy Warrant = ""      // nobody has to be asked
	WarrantAsk    Warrant = "ask"   // a person approved exactly this call
	WarrantGrant  Warrant = "grant" // a person approved calls like it before, and that still holds
	WarrantOrder  Warrant = "order" // the customer confirmed exactly this call at the counter
)

// warrant says by what right the call at hand may run; ok is false when a person must be asked first. A rule that forbids it
// has been looked at before. The error is digest_mismatch when the call is not what was confirmed at the counter.
func (s *Run) warrant(v policy.Verdict) (w Warrant, ok bool, err error) {
	switch {
	case s.Job.Counter && (s.Approved == "" || s.Approved != s.Call.Digest):
		return "", false, apperr.New(apperr.DigestMismatch)
	case s.Job.Counter:
		return WarrantOrder, true, nil
	case s.Approved == s.Call.Digest && s.ApprovedBy != "":
		return WarrantAsk, true, nil
	case v.Decision == policy.Allow && v.By == policy.ByGrant:
		return WarrantGrant, true, nil
	}
	return WarrantPolicy, v.Decision == policy.Allow, nil
}

// intend writes down what is about to happen, when it must not happen twice or a person had to allow it.
func (s *Run) intend(spec toolbox.Spec, w Warrant, grant string) (written bool) {
	if spec.Effect != toolbox.EffectOnce && w == WarrantPolicy {
		return false
	}
	s.Exec.Intent = true
	s.out.Intent = &Effect{
		ID: s.Exec.ID, JobID: s.Job.ID, TodoID: s.todo().ID, Chat: s.Job.Chat, Tool: spec.Key, Args: s.Call.Args,
		Digest: s.Call.Digest, Warrant: w, Ask: s.ApprovedBy, Grant: grant,
	}
	return true
}

// Fate is what became of an intended effect.
type Fate string

// The fates. A person who is asked after a crash may know that it happened, know that it did not, or not know.
const (
	FateDone    Fate = "done"
	FateFailed  Fate = "failed"
	FateNever   Fate = "never"   // it did not happen
	FateUnknown Fate = "unknown" // nobody can tell
)
