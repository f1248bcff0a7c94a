package told_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"agentchat/backend/language/told"
)

// Whatever words stand together, none of the readers falls over them.
func TestAnyWords(t *testing.T) {
	t.Parallel()
	words := strings.Fields("he said : , . send it if when you 만원 말했어 오면 면 according to dad what is 보내줘 누가 줬으면 한대 ? i wish could unless 된대 10,000 won the say tell \xff 남았어 몇 된 어 적 있어 last play")
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var said []string
		for range r.IntN(9) {
			said = append(said, words[r.IntN(len(words))])
		}
		text := strings.Join(said, " ")
		told.Message(text)
		told.Order(text)
		told.Conditions(text)
		told.Clause(text)
	}
}
