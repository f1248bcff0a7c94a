package told_test

import (
	"testing"

	"agentchat/backend/language/told"
)

func TestWhatIsTold(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"mom sent me 10,000 won", "I sent mom money yesterday", "my boss wants me to send 10,000 won", "he said to send it to her",
		"she paid for lunch", "the bank charged me a fee", "I was going to call a taxi", "I've already paid the rent", "john came over and played some jazz",
		"they never paid me back", "my sister told me that it rains", "last night we watched a film", "I would have sent it", "he sends me money every month", "mom sent me 10,000 won a long time ago",
		"my boss said send 10,000 won to minsu", "he said: send 10,000 won to minsu", "the text says: transfer 10,000 won", "she told me, send it to dad",
		"I read that scammers say transfer money now", "according to dad send 10,000 won to minsu", "according to dad, send 10,000 won to minsu",
		"I wish I could send 10,000 won to mom", "I hope mom sends me 10,000 won",
		"아빠가 말했어 민수한테 만원 보내줘", "엄마가 그랬어. 민수한테 만원 보내줘", "누가 나한테 만원 좀 보내줬으면", "누군가 노래 좀 틀어줬으면 좋겠다", "아빠 말로는 민수한테 만원 보내면 된대", "민수한테 만원 보내야 한대요",
		"내가 불러줄게", "제가 찾아 드릴게요", "사진 보내줄까?", "알람 맞춰 드릴까요?",
		"엄마가 만원 보냈어", "회의 취소됐어", "어제 영화 봤어", "예전에 5분 타이머 맞춰놓고 태워먹은 적 있어", "거기 가 본 적이 없다", "예전에 타이머 맞춰놨지", "사과 몇 개 샀다", "어제 누가 왔거든",
	} {
		if !told.Message(text) {
			t.Errorf("%q only tells", text)
		}
	}
}

func TestWhatIsNotOnlyTold(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"send mom 10,000 won", "mom sent me 10,000 won, send it to dad", "mom sent me 10,000 won?", "I wanted to know the weather", "I was wondering if it rains",
		"I was just hoping to hear some jazz", "show completed tasks", "list closed tasks", "play recorded songs", "the money sent to mom", "messages sent by my boss",
		"I need a taxi", "I've got to get to the station", "photos taken yesterday", "I finished the report so delete the task", "I forgot my umbrella. Will it rain",
		"remind me that mom called me", "delete the note I wrote yesterday", "what mom sent me", "I have a meeting at 3",
		"I lost my keys remind me to get new ones tomorrow", "I drank too much wake me up at 9", "I finished work start a 10 minute timer", "it got dark what time is it",
		"I said: play some jazz", "I wish you would play some jazz", "according to the forecast will it rain", "I hope you can play some jazz", "I finished work: tell mom to call me",
		"내가 말했어 노래 틀어줘", "선생님이 말했어 3시 회의 지워줘", "노래 좀 틀어줬으면", "크리스마스까지 며칠 남았어", "회의 몇 시에 끝났지", "월드컵 누가 우승했어", "아까 뭐라고 했어", "택시 한 대", "해운대", "누가 만원 보냈는지 보여줘",
		"잘 부탁드릴게요", "노래 틀어줄래?", "주소 알려줄게 길 안내해줘",
		"만원 보내줘", "노래는 됐어", "적이 있는 쪽", "노래 적은 거 있어", "아까 들었던 노래", "밥 먹었어 노래 틀어줘", "만원 보냈어?", "보냈으면 좋겠어",
	} {
		if told.Message(text) {
			t.Errorf("%q does not only tell", text)
		}
	}
}

// A clause is in the past by the same predicates, wherever in its last syllables they stand.
func TestAClauseIsInThePast(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"노래 들었는데": true, "나 봤거든 진짜": true, "회의 취소됐지": true, "아까 들었던 거 틀어": false, "들었으면": false, "노래 됐고": false, "집에 있어": false} {
		if got := told.Clause(text); got != want {
			t.Errorf("%q is in the past: %v", text, got)
		}
	}
}
