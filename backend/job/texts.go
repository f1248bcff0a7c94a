package job

import (
	"fmt"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/hangul"
	"agentchat/backend/toolbox"
)

// say picks the sentence of a language.
func say(lang apperr.Lang, ko, en string, args ...any) string {
	text := en
	if lang == apperr.KO {
		text = ko
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// lockQuestion names what is taken, by whom, and what can be done.
func lockQuestion(lang apperr.Lang, spec toolbox.Spec, locked toolbox.Locked) string {
	title := spec.Title.In(lang)
	who := holderNames(lang, locked.Holders)
	if locked.Reason == toolbox.ReasonGroup {
		return say(lang,
			"%s에 필요한 %s 지금 %s에서 쓰고 있어요. 기다릴까요, 취소할까요, 아니면 그 일을 멈출까요?",
			"%s needs the %s, which is in use by %s. Wait, cancel, or stop that job?",
			title, say(lang, hangul.With(groupName(lang, locked.Group), "은", "는"), groupName(lang, locked.Group)), who)
	}
	return say(lang,
		"%s 공구가 모두 나가 있어요(%s). 기다릴까요, 취소할까요, 아니면 그중 하나를 멈출까요?",
		"Every %s is in use (%s). Wait, cancel, or stop one of them?",
		title, who)
}

func groupName(lang apperr.Lang, group string) string {
	if group == "MonitorBox" {
		return say(lang, "모니터", "monitor")
	}
	return group
}

func holderNames(lang apperr.Lang, holders []event.Holder) string {
	names := make([]string, 0, len(holders))
	for _, h := range holders {
		name := h.Title
		if name == "" {
			name = h.Tool
		}
		names = append(names, say(lang, "‘%s’", "“%s”", name))
	}
	if len(names) == 0 {
		return say(lang, "다른 일", "another job")
	}
	return strings.Join(names, ", ")
}

func waitingReason(lang apperr.Lang, spec toolbox.Spec, place int) string {
	return say(lang, "%s 차례를 기다려요 (%d번째)", "In line for %s (place %d)", spec.Title.In(lang), place)
}

func approvalQuestion(lang apperr.Lang, spec toolbox.Spec) string {
	return say(lang, "‘%s’ 공구를 아래 값으로 실행해도 될까요?", "May “%s” run with these values?", spec.Title.In(lang))
}

// effectSentence says what approving does.
func effectSentence(lang apperr.Lang, spec toolbox.Spec) string {
	switch spec.Effect {
	case toolbox.EffectRead:
		return say(lang, "정보를 읽기만 해요. 바뀌는 것은 없어요.", "It only reads; nothing is changed.")
	case toolbox.EffectIdempotent:
		return say(lang, "다시 실행해도 괜찮은 일이에요.", "Running it again does no harm.")
	case toolbox.EffectOnce:
		if spec.Undo {
			return say(lang, "나중에 되돌릴 수 있어요.", "It can be undone afterwards.")
		}
		return say(lang, "한 번 실행하면 되돌릴 수 없어요.", "Once it has run it cannot be undone.")
	}
	return ""
}

func recoveryQuestion(lang apperr.Lang, spec toolbox.Spec, exec Exec) string {
	return say(lang,
		"%s에 시작한 %s 끝났는지 확실하지 않아요. 어떻게 할까요?",
		"It is not certain whether “%[2]s”, begun at %[1]s, was finished. What should be done?",
		exec.Began.Local().Format("2006-01-02 15:04:05"),
		say(lang, hangul.With("‘"+spec.Title.KO+"’", "이", "가"), spec.Title.EN))
}

// doubtReport tells of a job that was stopped while its tool would not listen.
func doubtReport(lang apperr.Lang, title string) string {
	return say(lang, "멈추긴 했지만 ‘%s’ 단계가 이미 실행됐을 수 있어요. 직접 확인해 주세요.",
		"It was stopped, but the step “%s” may have happened already. Please check for yourself.", title)
}
