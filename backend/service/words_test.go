package service_test

import (
	"testing"

	"agentchat/backend/service"
)

// A word for doing it is none for leaving it.
func TestWordsOfAWholeMessage(t *testing.T) {
	for text, want := range map[string]service.Verb{
		"할래": service.VerbNone, "그냥 할래": service.VerbNone, "이거 할래": service.VerbNone, "그럼 할래": service.VerbNone, "네 할래": service.VerbNone,
		"안 할래": service.VerbCancel, "그냥 안 할래": service.VerbCancel, "안할래": service.VerbCancel, "취소할래": service.VerbCancel,
		"네": service.VerbConfirm, "확인했어요!": service.VerbConfirm, "don’t": service.VerbCancel, "모두 취소": service.VerbCancelAll, "다음": service.VerbSkip,
		"네?": service.VerbNone, "다 보내줘": service.VerbNone,
	} {
		if got := service.VerbOf(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
