package builtin_test

import "testing"

// What a sentence, read whole, only tells is not ordered by one of its clauses.
func TestWhatIsToldStartsNothing(t *testing.T) {
	for _, text := range []string{"연휴 내내 드라마 보면서 쉬었어", "음악 들으면서 설거지했더니 금방 끝났어", "we watched a film and went straight to bed", "예전에 10분 타이머 맞춰놓고 잠들어 버렸지"} {
		if got := planned(t, text); len(got) > 0 {
			t.Errorf("%q starts %v", text, got)
		}
	}
}
