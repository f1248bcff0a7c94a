package builtin

import (
	"slices"
	"strings"

	"agentchat/backend/language/act"
	"agentchat/backend/language/words"
	"agentchat/backend/provider"
)

// What the customer told of themselves is repeated in their own words: from about what is remembered a message asks by a word of it, or
// so plainly that the word need not be there.
const (
	recallsByWord = 0.15
	recalls       = 0.5
	mostRecalled  = 5
)

// toldFacts are the facts of a request that the customer told, the newest last.
func toldFacts(req provider.Request) (list []string) {
	for _, line := range slices.Concat(req.Facts, req.State.Facts) {
		if head, text, ok := strings.Cut(line, "] "); ok && strings.HasPrefix(head, "[customer") {
			list = append(list, text)
		}
	}
	return list
}

// recall acknowledges a fact that the message tells, and answers what was told before; "" when the message is about neither.
func recall(req provider.Request, text string, s speaker) string {
	facts := toldFacts(req)
	told := slices.DeleteFunc(slices.Clone(facts), func(f string) bool { return !strings.Contains(text, strings.TrimRight(f, ".!~ ")) })
	if len(told) > 0 {
		return s.in("기억해 둘게요: ", "I will remember: ") + quoted(told)
	}
	p := act.Read(text).Of(act.MemoryAsk)
	if p < recallsByWord {
		return ""
	}
	sought := words.Matter(text)
	about := slices.DeleteFunc(slices.Clone(facts), func(f string) bool {
		return !slices.ContainsFunc(sought, func(w string) bool { return strings.Contains(strings.ToLower(f), w) })
	})
	switch {
	case len(about) > 0:
		return s.in("이렇게 말씀하셨어요: ", "You told me: ") + quoted(about)
	case p < recalls:
		return ""
	case len(facts) > 0:
		return s.in("그것은 들은 적이 없어요. 제가 기억하는 것: ", "You have not told me that. What I remember: ") + quoted(facts)
	}
	return s.in("아직 들은 것이 없어요. “내 이름은 민수야”처럼 말씀해 주시면 기억해 둘게요.", "You have not told me anything yet. Say “my name is Ann” and I will remember it.")
}

// quoted are the newest of some sentences, each in quotes.
func quoted(list []string) string {
	list = list[max(len(list)-mostRecalled, 0):]
	return "“" + strings.Join(list, "”, “") + "”"
}
