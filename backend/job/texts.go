package job

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/hangul"
	"agentchat/backend/names"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// lockQuestion names what is taken, by whom, and what can be done.
func lockQuestion(lang bilingual.Lang, spec toolbox.Spec, locked toolbox.Locked) string {
	title := spec.Title.In(lang)
	who := holderNames(lang, locked.Holders)
	if locked.Reason == toolbox.ReasonGroup {
		return bilingual.Say(lang,
			"%s에 필요한 %s 지금 %s에서 쓰고 있어요. 기다릴까요, 취소할까요, 아니면 그 일을 멈출까요?",
			"%s needs the %s, which is in use by %s. Wait, cancel, or stop that job?",
			title, bilingual.Say(lang, hangul.With(groupName(lang, locked.Group), "은", "는"), groupName(lang, locked.Group)), who)
	}
	return bilingual.Say(lang,
		"%s 공구가 모두 나가 있어요(%s). 기다릴까요, 취소할까요, 아니면 그중 하나를 멈출까요?",
		"Every %s is in use (%s). Wait, cancel, or stop one of them?",
		title, who)
}

func groupName(lang bilingual.Lang, group string) string {
	if group == toolbox.MonitorBox {
		return bilingual.Say(lang, "모니터", "monitor")
	}
	return group
}

func holderNames(lang bilingual.Lang, holders []event.Holder) string {
	names := make([]string, 0, len(holders))
	for _, h := range holders {
		name := h.Title
		if name == "" {
			name = h.Tool
		}
		names = append(names, bilingual.Say(lang, "‘%s’", "“%s”", name))
	}
	if len(names) == 0 {
		return bilingual.Say(lang, "다른 일", "another job")
	}
	return strings.Join(names, ", ")
}

func waitingReason(lang bilingual.Lang, spec toolbox.Spec, place int) string {
	return bilingual.Say(lang, "%s 차례를 기다려요 (%d번째)", "In line for %s (place %d)", spec.Title.In(lang), place)
}

// nameQuestion says which name nobody knows, without what hides in it.
func nameQuestion(lang bilingual.Lang, u names.Unknown) string {
	u.Value = policy.Visible(u.Value, 80)
	return u.Question(lang)
}

// approvalQuestion asks whether a call may run: what is shown of it are its values, or, of the house's own and of one with a plan, what it would do.
func approvalQuestion(lang bilingual.Lang, spec toolbox.Spec, planned bool) string {
	if spec.House || planned {
		return bilingual.Say(lang, "이렇게 할까요?", "Shall this be done?")
	}
	return bilingual.Say(lang, "‘%s’ 공구를 아래 값으로 실행해도 될까요?", "May “%s” run with these values?", spec.Title.In(lang))
}

// effectSentence says what approving does.
func effectSentence(lang bilingual.Lang, spec toolbox.Spec) string {
	switch spec.Effect {
	case toolbox.EffectRead:
		return bilingual.Say(lang, "정보를 읽기만 해요. 바뀌는 것은 없어요.", "It only reads; nothing is changed.")
	case toolbox.EffectIdempotent, toolbox.EffectOnce:
		if spec.Undo {
			return bilingual.Say(lang, "나중에 되돌릴 수 있어요.", "It can be undone afterwards.")
		}
		if spec.Effect == toolbox.EffectIdempotent {
			return bilingual.Say(lang, "다시 실행해도 괜찮은 일이에요.", "Running it again does no harm.")
		}
		return bilingual.Say(lang, "한 번 실행하면 되돌릴 수 없어요.", "Once it has run it cannot be undone.")
	}
	return ""
}

func recoveryQuestion(lang bilingual.Lang, spec toolbox.Spec, exec Exec) string {
	return bilingual.Say(lang,
		"%s에 시작한 %s 끝났는지 확실하지 않아요. 어떻게 할까요?",
		"It is not certain whether “%[2]s”, begun on %[1]s, was finished. What should be done?",
		exec.Began.Local().Format(bilingual.Say(lang, "2006년 1월 2일 ", "January 2, 2006 at "))+bilingual.ClockSeconds(exec.Began.Local(), lang),
		bilingual.Say(lang, hangul.With("‘"+spec.Title.KO+"’", "이", "가"), spec.Title.EN))
}

// doubtReport tells of a job that was stopped while its tool would not listen.
func doubtReport(lang bilingual.Lang, title string) string {
	return bilingual.Say(lang, "멈추긴 했지만 ‘%s’ 단계가 이미 실행됐을 수 있어요. 직접 확인해 주세요.",
		"It was stopped, but the step “%s” may have happened already. Please check for yourself.", title)
}

// begunReport tells of a step that is not gone on with.
func begunReport(lang bilingual.Lang, title, why string) string {
	return bilingual.Say(lang, "‘%s’ 단계는 이미 실행됐을 수 있어요. 직접 확인해 주세요. 더 하지는 않아요: %s",
		"The step “%s” may have happened already. Please check for yourself. It does not go on: %s", title, why)
}

// called names a tool and the values of a call as its manual does, for the log; those of an outside tool stand as they came.
func (r *Runner) called(lang bilingual.Lang, tool string, args json.RawMessage) string {
	spec, err := r.box.Spec(tool)
	if err != nil {
		return tool
	}
	var values map[string]json.RawMessage
	if json.Unmarshal(args, &values) != nil {
		return spec.Title.In(lang)
	}
	names := spec.Names()
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		value := compact(values[key])
		var text string
		if json.Unmarshal(values[key], &text) == nil {
			value = text
		}
		name := key
		if known, ok := names[key]; ok {
			name = known.Name.In(lang)
			if word, ok := known.Values[value]; ok {
				value = word.In(lang)
			}
		}
		parts = append(parts, name+": "+policy.Visible(value, 200))
	}
	if len(parts) == 0 {
		return spec.Title.In(lang)
	}
	return spec.Title.In(lang) + " (" + strings.Join(parts, ", ") + ")"
}

// choiceName is what a person chose, in words.
func choiceName(lang bilingual.Lang, choice string) string {
	if name, ok := choiceNames[choice]; ok {
		return name.In(lang)
	}
	return choice
}

var choiceNames = map[string]bilingual.Text{
	ask.ChoiceApprove: {KO: "승인", EN: "approve"}, ask.ChoiceEdit: {KO: "값 고치기", EN: "edit"}, ask.ChoiceReject: {KO: "거절", EN: "reject"},
	ask.ChoiceWait: {KO: "기다리기", EN: "wait"}, ask.ChoiceCancel: {KO: "취소", EN: "cancel"},
	ask.ChoiceStopOther: {KO: "다른 일 멈추기", EN: "stop the other"}, ask.ChoiceValue: {KO: "값", EN: "a value"},
	ask.ChoiceRunAgain: {KO: "다시 하기", EN: "do it again"}, ask.ChoiceHappened: {KO: "이미 끝남", EN: "it was done"},
	ask.ChoiceStop: {KO: "그만두기", EN: "leave it"},
}
