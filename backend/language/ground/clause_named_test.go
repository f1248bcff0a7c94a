package ground_test

import (
	"slices"
	"testing"

	"agentchat/backend/language/ground"
)

// Clauses are cut without a day to count from, also where a day is named.
func TestClausesOfNamedDays(t *testing.T) {
	for words, want := range map[string][]string{
		"크리스마스까지 며칠 남았어?":                     {"크리스마스까지 며칠 남았어?"},
		"내년 추석은 무슨 요일이야?":                     {"내년 추석은 무슨 요일이야?"},
		"play a song and a film on Christmas": {"play a song", "and a film on Christmas"},
	} {
		if got := ground.Clauses(words); !slices.Equal(got, want) {
			t.Errorf("%q: %q", words, got)
		}
	}
}
