package verdict_test

import (
	"testing"

	"agentchat/backend/language/verdict"
)

func TestWithdraws(t *testing.T) {
	for _, text := range []string{
		"8시 알람 맞춰… 아니야 그냥 둬", "노래 틀어, 아니 됐어", "5분 타이머… 아 됐다", "영화 틀어줘 아니다 하지 마", "노래 틀어줘. 아냐 취소", "10분 타이머 맞춰줘, 아니 그만둬", "서울 날씨 알려줘 아 아니야 됐어",
		"엄마한테 만원 보내줘 아니다 됐어", "내일 3시 치과 적어줘, 아니 그냥 놔둬", "메모해줘: 우유 사기 아니다 취소", "노래 틀어… 아니 관두자",
		"set an alarm for 8... no never mind", "play a song, no forget it", "set a timer for 5 minutes, actually don't", "play a movie... never mind", "tell me the weather in Seoul, no wait, forget it",
		"set a timer for ten minutes. scratch that", "send mom 10000 won, no never mind", "dentist tomorrow at 3 pm, actually no, leave it", "play some music - oh never mind", "write a note: buy milk, no cancel that",
	} {
		if !verdict.Withdraws(text) {
			t.Errorf("%q is taken back", text)
		}
	}
	for _, text := range []string{
		"", "아니 됐어", "아니", "no, never mind", "취소", "아니 15분으로", "노래 말고 영화", "이제 됐어", "노래 됐어", "비 오는 거 아니야?", "내 말은 그게 아니야, 노래 틀어줘", "5분 타이머 취소", "set a timer for 10 no 15 minutes",
		"the answer is no", "play no more songs", "stop the music, no more", "아니 됐어 취소해", "노래 틀어줘, 아니 영화",
	} {
		if verdict.Withdraws(text) {
			t.Errorf("%q is not taken back", text)
		}
	}
}
