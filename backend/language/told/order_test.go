package told_test

import (
	"testing"

	"agentchat/backend/language/told"
)

func TestWhereAnOrderBegins(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"I just got home play some jazz":                                "play some jazz",
		"My meeting was cancelled. Delete the meeting at 3":             "Delete the meeting at 3",
		"my flight got moved set an alarm for 5 am":                     "set an alarm for 5 am",
		"I ran out of milk add milk to the shopping list":               "add milk to the shopping list",
		"we finished dinner put on something by Adele":                  "put on something by Adele",
		"my sister moved to london what time is it in london":           "what time is it in london",
		"I forgot my coat is it going to rain today":                    "is it going to rain today",
		"my brother paid for the tickets, please send minsu 30,000 won": "please send minsu 30,000 won",
		"she knew what I said. Play some jazz":                          "Play some jazz",
		"I got home. It was late. Play some jazz":                       "Play some jazz",
		"회의 취소됐어 3시 회의 지워줘":                                             "3시 회의 지워줘",
		"월급 들어왔어 엄마한테 5만원 보내줘":                                          "엄마한테 5만원 보내줘",
		"밥 먹었어. 집에 왔거든 재즈 틀어줘":                                          "재즈 틀어줘",
	} {
		if got := told.Order(text); got != want {
			t.Errorf("%q orders %q, not %q", text, want, got)
		}
	}
	for _, text := range []string{
		"play some jazz", "I just got home and played some jazz", "they let us play some jazz", "she made the kids play the piano", "I missed the bus route home",
		"my meeting was cancelled. delete it", "she asked me to play some jazz", "we saw a school play in the park", "they told me what happened", "I wanted to know what time it is",
		"she wrote to me send 10,000 won to minsu", "my brother texted send me 50,000 won", "a pop up appeared send 10,000 won to minsu it said",
		"she said play the song again", "my boss said send 10,000 won to minsu", "my boss said please send 10,000 won to minsu", "he said, delete the meeting at 3",
		"mom told me on the phone play outside", "he asked what time is it", "what I told mom to send", "the money sent to mom", "I should have set an alarm", "we could have just put the kids to bed", "재즈 들었어 또 틀어줘", "어제 봤던 영화 틀어줘", "만원 보냈어 확인해줘", "어제 영화 봤어", "밥 먹었어 영화도 봤어", "틀어줬으면 좋겠어",
	} {
		if got := told.Order(text); got != text {
			t.Errorf("%q only orders %q", text, got)
		}
	}
}
