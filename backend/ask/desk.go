package ask

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
)

// maxText bounds what a person may write in an answer, in bytes.
const maxText = 16 << 10

// Store keeps questions. Safe for concurrent use; errors are *apperr.Error.
type Store interface {
	// Ask gives one question with its answer; not_found when there is none.
	Ask(ctx context.Context, id string) (Ask, error)
	// AnswerAsk stores the answer if the question is still open, in one conditional write that survives power loss.
	AnswerAsk(ctx context.Context, id string, answer Answer) (won bool, err error)
	// OpenAsks gives every open question, oldest first, also those that are unreadable.
	OpenAsks(ctx context.Context) ([]Ask, error)
}

// Deps are the parts a Desk works with.
type Deps struct {
	Store     Store
	Publisher event.Publisher
	Now       func() time.Time
	// ValidateArgs checks edited arguments and gives their canonical form.
	ValidateArgs func(tool string, args json.RawMessage) (json.RawMessage, error)
	// Answered is called for every accepted answer, after it is stored.
	Answered func(Ask)
}

// Desk takes answers. The first answer to a question wins; a later one changes nothing. Safe for concurrent use.
type Desk struct{ deps Deps }

// NewDesk opens the desk.
func NewDesk(deps Deps) *Desk { return &Desk{deps: deps} }

// Open gives every open question, oldest first. If a question cannot be read, its job is woken: it finds the damaged record and ends.
func (d *Desk) Open(ctx context.Context) ([]Ask, error) {
	list, err := d.deps.Store.OpenAsks(ctx)
	return slices.DeleteFunc(list, func(a Ask) bool {
		if a.State == StateUnreadable {
			d.deps.Answered(a)
		}
		return a.State == StateUnreadable
	}), err
}

// Answer checks a person's answer and stores it. Errors: not_found, stale_answer, bad_choice, digest_mismatch,
// invalid_args; after each of them the question stands as it was.
func (d *Desk) Answer(ctx context.Context, reply Reply) (Ask, error) {
	a, err := d.deps.Store.Ask(ctx, reply.Ask)
	if err != nil {
		return Ask{}, err
	}
	if a.State != StateOpen {
		return Ask{}, apperr.New(apperr.StaleAnswer)
	}
	answer, err := d.check(a, reply)
	if err != nil {
		return Ask{}, err
	}
	won, err := d.deps.Store.AnswerAsk(ctx, a.ID, answer)
	if err != nil {
		return Ask{}, err
	}
	if !won {
		return Ask{}, apperr.New(apperr.StaleAnswer)
	}
	a.State, a.Answer = StateAnswered, &answer
	d.deps.Publisher.Publish(a.ClosedEvent(answer.Choice, ByPerson, answer.Text))
	d.deps.Answered(a)
	if answer.Grant != nil {
		d.spread(ctx, *answer.Grant)
	}
	return a, nil
}

func (d *Desk) check(a Ask, reply Reply) (Answer, error) {
	answer := Answer{Choice: reply.Choice, Text: strings.TrimSpace(reply.Text), By: ByPerson, Via: reply.Via, At: d.deps.Now()}
	if !a.offers(reply.Choice) {
		return answer, apperr.New(apperr.BadChoice, "choice", reply.Choice, "choices", strings.Join(a.Choices, ", "))
	}
	if len(answer.Text) > maxText {
		return answer, invalid("text", "the text is too long")
	}
	binding := false // whether this answer lets something run or counts it as done, and so needs the digest
	switch reply.Choice {
	case ChoiceApprove, ChoiceEdit, ChoiceRunAgain, ChoiceHappened:
		binding = true
	}
	if a.Digest != "" && reply.Digest != a.Digest && (binding || reply.Digest != "") {
		return answer, apperr.New(apperr.DigestMismatch)
	}
	if reply.Scope != "" && reply.Choice != ChoiceApprove {
		return answer, apperr.New(apperr.BadChoice, "choice", reply.Choice+" "+reply.Scope, "choices", ChoiceApprove+" "+reply.Scope)
	}
	switch reply.Choice {
	case ChoiceApprove:
		if err := a.reach(&answer, reply.Scope); err != nil {
			return answer, err
		}
		if err := a.pick(&answer, reply.Pick); err != nil {
			return answer, err
		}
	case ChoiceEdit:
		args, err := d.deps.ValidateArgs(a.Tool, reply.Args)
		if err != nil {
			return answer, err
		}
		answer.Args = args
	case ChoiceValue:
		if answer.Text == "" {
			return answer, invalid("text", "a value is needed")
		}
	case ChoiceStopOther:
		holder, err := a.holder(reply.Holder)
		if err != nil {
			return answer, err
		}
		answer.Holder = holder
	}
	return answer, nil
}

func (a Ask) offers(choice string) bool {
	return slices.Contains(a.Choices, choice)
}

// holder settles which job to stop: the one named, or the only one there is.
func (a Ask) holder(named string) (string, error) {
	if named == "" && len(a.Holders) == 1 {
		return a.Holders[0].JobID, nil
	}
	for _, h := range a.Holders {
		if named != "" && h.JobID == named {
			return named, nil
		}
	}
	ids := make([]string, len(a.Holders))
	for i, h := range a.Holders {
		ids[i] = h.JobID
	}
	return "", invalid("holder", "name the job to stop, one of: "+strings.Join(ids, ", "))
}

func invalid(field, detail string) error {
	return apperr.New(apperr.InvalidArgs, "field", field, "detail", detail)
}
