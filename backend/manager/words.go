package manager

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/language/verdict"
	"agentchat/backend/service"
)

// lockWord is the answer to a lock question that a message is. Approvals are never given by word of mouth: they bind to a digest.
func lockWord(text string) string {
	switch {
	case verdict.Waits(text):
		return ask.ChoiceWait
	case verdict.Cancels(text):
		return ask.ChoiceCancel
	case verdict.StopsOther(text):
		return ask.ChoiceStopOther
	}
	return ""
}

// words answers the one open lock question of this chat. With none or several open the message is planned like any other.
func (m *Manager) words(ctx context.Context, t *Turn) (graph.Move, error) {
	open, err := m.deps.Desk.Open(ctx)
	if err != nil {
		return graph.Move{}, err
	}
	var found []ask.Ask
	for _, a := range open {
		if a.Chat == t.Chat && a.Kind == ask.KindLock {
			found = append(found, a)
		}
	}
	if len(found) != 1 {
		return graph.To(nodePlan), nil
	}
	if _, err := m.deps.Desk.Answer(ctx, ask.Reply{Ask: found[0].ID, Choice: lockWord(t.Text)}); err != nil {
		t.fail(err)
		return graph.To(nodeSave), nil
	}
	t.Reply, t.Next = m.acknowledge(t, lockWord(t.Text)), event.NextNone
	return graph.To(nodeSave), nil
}

func (m *Manager) acknowledge(t *Turn, choice string) string {
	switch choice {
	case ask.ChoiceWait:
		return t.say("차례가 오면 바로 시작할게요.", "It will start as soon as it is its turn.")
	case ask.ChoiceCancel:
		return t.say("취소했어요.", "Canceled.")
	case ask.ChoiceStopOther:
		return t.say("앞의 일을 멈추고 이어서 할게요.", "Stopping the other job and going on.")
	case ask.ChoiceValue:
		return t.say("알겠어요.", "Got it.")
	case ask.ChoiceReject:
		return t.say("고쳐서 다시 준비할게요.", "I will prepare it again that way.")
	}
	return t.say("알겠어요.", "Got it.")
}

// steer passes what is said in a job's own chat on to the job: an answer to its question, a word to stop, or a note that
// its next step takes into account.
func (m *Manager) steer(ctx context.Context, t *Turn) (graph.Move, error) {
	t.Next = event.NextNone
	open, err := m.deps.Desk.Open(ctx)
	if err != nil {
		return graph.Move{}, err
	}
	undecided := false
	for _, a := range open {
		if a.JobID != t.jobID() {
			continue
		}
		reply := ask.Reply{Ask: a.ID}
		switch a.Kind {
		case ask.KindApproval: // a yes, a question or a remark decides nothing
			switch {
			case service.VerbOf(t.Text) == service.VerbCancel:
				reply.Choice = ask.ChoiceReject
			case verdict.Insists(t.Text):
				reply.Choice, reply.Text = ask.ChoiceReject, t.Text
			}
		case ask.KindInput:
			reply.Choice, reply.Text = ask.ChoiceValue, t.Text
		case ask.KindLock:
			reply.Choice = lockWord(t.Text)
		case ask.KindRecovery, ask.KindService, ask.KindOutside:
		}
		if verdict.Stops(t.Text) {
			reply.Choice = ""
		}
		if reply.Choice == "" {
			undecided = undecided || a.Kind == ask.KindApproval
			break
		}
		if _, err := m.deps.Desk.Answer(ctx, reply); err != nil {
			t.fail(err)
			return graph.To(nodeSave), nil
		}
		t.Reply = m.acknowledge(t, reply.Choice)
		return graph.To(nodeSave), nil
	}
	if verdict.Stops(t.Text) {
		if err := m.deps.Jobs.CancelJob(t.jobID()); err != nil {
			t.fail(err)
			return graph.To(nodeSave), nil
		}
		t.Reply = t.say("이 일을 멈출게요.", "Stopping this job.")
		return graph.To(nodeSave), nil
	}
	if !m.deps.Jobs.Alive(t.jobID()) {
		t.fail(apperr.New(apperr.JobEnded))
		return graph.To(nodeSave), nil
	}
	if undecided {
		t.Reply = t.say("승인은 말로 받지 않아요. 무엇을 할지 보여 드린 질문에서 골라 주세요. 말씀은 적어 두었어요.",
			"I cannot take an approval in words. Please answer the question that shows what would be done. What you said is noted.")
		return graph.To(nodeSave), nil
	}
	t.Reply = t.say("적어 두었어요. 다음 할 일에 반영할게요.", "Noted; the next step will take it into account.")
	return graph.To(nodeSave), nil
}
