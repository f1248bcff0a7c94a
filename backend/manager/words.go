package manager

import (
	"context"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/job"
)

// lockWords are the whole messages that answer a lock question. Only whole messages count: a sentence that merely
// contains such a word is a request, and approvals are never given by word of mouth here because they bind to a digest.
var lockWords = map[string]string{
	"기다려": ask.ChoiceWait, "기다릴게": ask.ChoiceWait, "기다릴게요": ask.ChoiceWait, "기다려줘": ask.ChoiceWait, "기다리기": ask.ChoiceWait,
	"기다릴래": ask.ChoiceWait, "기다려주세요": ask.ChoiceWait, "대기": ask.ChoiceWait, "대기할게": ask.ChoiceWait,
	"wait": ask.ChoiceWait, "i'll wait": ask.ChoiceWait, "i will wait": ask.ChoiceWait,
	"취소": ask.ChoiceCancel, "취소해": ask.ChoiceCancel, "취소해줘": ask.ChoiceCancel, "취소할게": ask.ChoiceCancel, "취소할게요": ask.ChoiceCancel,
	"cancel": ask.ChoiceCancel, "cancel it": ask.ChoiceCancel, "never mind": ask.ChoiceCancel,
	"그거 멈춰": ask.ChoiceStopOther, "그거 꺼": ask.ChoiceStopOther, "그걸 멈춰": ask.ChoiceStopOther, "다른 거 멈춰": ask.ChoiceStopOther,
	"앞에 거 멈춰": ask.ChoiceStopOther, "stop the other": ask.ChoiceStopOther, "stop the other one": ask.ChoiceStopOther,
}

func lockWord(text string) string {
	return lockWords[strings.ToLower(strings.Trim(strings.TrimSpace(text), ".!~ "))]
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
	t.Reply, t.Next = m.heard(t, lockWord(t.Text)), event.NextNone
	return graph.To(nodeSave), nil
}

func (m *Manager) heard(t *Turn, choice string) string {
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
	for _, a := range open {
		if a.JobID != t.jobID() {
			continue
		}
		reply := ask.Reply{Ask: a.ID}
		switch a.Kind {
		case ask.KindApproval:
			reply.Choice, reply.Text = ask.ChoiceReject, t.Text
		case ask.KindInput:
			reply.Choice, reply.Text = ask.ChoiceValue, t.Text
		case ask.KindLock:
			reply.Choice = lockWord(t.Text)
		case ask.KindRecovery, ask.KindService:
		}
		if stopWord(t.Text) {
			reply.Choice = ""
		}
		if reply.Choice == "" {
			break
		}
		if _, err := m.deps.Desk.Answer(ctx, reply); err != nil {
			t.fail(err)
			return graph.To(nodeSave), nil
		}
		t.Reply = m.heard(t, reply.Choice)
		return graph.To(nodeSave), nil
	}
	if stopWord(t.Text) {
		if err := m.deps.Jobs.CancelJob(t.jobID()); err != nil {
			t.fail(err)
			return graph.To(nodeSave), nil
		}
		t.Reply = t.say("이 일을 멈출게요.", "Stopping this job.")
		return graph.To(nodeSave), nil
	}
	live, err := m.deps.Store.ChatJobs(ctx, "", 1000)
	if err != nil {
		return graph.Move{}, err
	}
	if !slices.ContainsFunc(live, func(j job.Job) bool { return j.ID == t.jobID() }) {
		t.fail(apperr.New(apperr.JobEnded))
		return graph.To(nodeSave), nil
	}
	t.Reply = t.say("적어 두었어요. 다음 할 일에 반영할게요.", "Noted; the next step will take it into account.")
	return graph.To(nodeSave), nil
}

var stopWords = map[string]bool{
	"멈춰": true, "멈춰줘": true, "그만": true, "그만해": true, "그만해줘": true, "중단": true, "중단해": true, "중단해줘": true, "꺼": true, "꺼줘": true,
	"취소": true, "취소해": true, "취소해줘": true, "stop": true, "stop it": true, "cancel": true, "cancel it": true, "quit": true,
}

func stopWord(text string) bool {
	return stopWords[strings.ToLower(strings.Trim(strings.TrimSpace(text), ".!~ "))]
}
