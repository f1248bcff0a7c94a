package slot_test

import (
	"testing"

	"agentchat/backend/language/slot"
)

func TestOrdinal(t *testing.T) {
	for text, want := range map[string]int{
		"1": 1, "2번": 2, "2번이요": 2, "두 번째": 2, "두번째 거": 2, "첫 번째 걸로": 1, "첫째": 1, "세 번째요": 3, "the second one": 2, "number 3 please": 3, "first": 1, "option 2": 2,
		"네": 0, "아니": 0, "12": 0, "두 곡 틀어줘": 0, "2시에 알려줘": 0, "second hand shop": 0, "": 0, "one more song": 0, "번": 0, "the": 0,
	} {
		if got, _ := slot.Ordinal(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
