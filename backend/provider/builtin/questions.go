package builtin

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/words"
)

// Questions cuts a message into what it asks, in order and in its own words. A question begins with a sentence, or behind
// a word that joins it to one before it in the same sentence (그리고, and). What asks for nothing stays with the question it
// leads to, or with the last. What is too long to be read whole is given as it is.
func Questions(text string) []string {
	if utf8.RuneCountInString(text) > phrase.MaxRunes {
		return []string{text}
	}
	text = strings.TrimSpace(phrase.Normalize(text))
	var list []string
	from, asked := 0, false
	cut := func(at int) {
		list = append(list, strings.Trim(text[from:at], " ,\n"))
		from = at
	}
	clauses := split(text)
	for i := 0; i < len(clauses); {
		begin := 0
		if i > 0 {
			begin = clauses[i-1].end
		}
		next, seeks := i+1, seeks(text[clauses[i].start:clauses[i].end])
		for ; next < len(clauses) && !clauses[next].sentence; next++ {
			seeks = seeks || inquires(text[clauses[next].start:clauses[next].end])
		}
		sentence := text[begin:clauses[next-1].end]
		seeks = seeks || strings.HasSuffix(strings.TrimSpace(sentence), "?") && len(phrase.Words(sentence)) > 0
		if asked && seeks {
			cut(begin)
		}
		asked = asked || seeks
		for before := false; i < next; i++ {
			asks := inquires(text[clauses[i].start:clauses[i].end])
			if before && asks && strings.Trim(text[clauses[i-1].end:clauses[i].start], " ,\n") != "" {
				cut(clauses[i-1].end)
			}
			before = before || asks
		}
	}
	return append(list, strings.TrimSpace(text[from:]))
}

// left are the questions of a message that no wish answers, in its own words.
func (m *message) left(raw string) []string {
	var list []string
	for _, p := range m.parts {
		if text := strings.Trim(m.text[p.start:p.end], " ,\n"); p.asks && len(words.Matter(text)) > 0 {
			list = append(list, asSaid(raw, text))
		}
	}
	return list
}

// asSaid gives a stretch of a message that was spaced anew as it stands in the message.
func asSaid(raw, text string) string {
	var reqs strings.Builder
	var at []int // where each byte of requests stands in raw
	for i, r := range raw {
		if !unicode.IsSpace(r) {
			for range requestOf(&reqs, r) {
				at = append(at, i)
			}
		}
	}
	bare := strings.Join(strings.Fields(text), "")
	i := strings.Index(reqs.String(), bare)
	if i < 0 || bare == "" {
		return text
	}
	_, last := utf8.DecodeRuneInString(raw[at[i+len(bare)-1]:])
	return raw[at[i] : at[i+len(bare)-1]+last]
}

// requestOf writes a character and gives how many bytes it takes.
func requestOf(to *strings.Builder, r rune) int {
	n, _ := to.WriteRune(r)
	return n
}

// Ordered gives the clauses of a message that order something, in its own words. One that leads to an order is one (노래 틀고 …).
func Ordered(text string) []string {
	if utf8.RuneCountInString(text) > phrase.MaxRunes {
		return nil
	}
	var list []string
	clauses, follows := split(text), actTalk
	for i, clause := range slices.Backward(clauses) {
		words := strings.Trim(text[clause.start:clause.end], " ,\n")
		act := actOf(words)
		if v := newView(words); v.korean && i+1 < len(clauses) && !clauses[i+1].sentence && v.leads() {
			act = follows
		}
		if act == actRequest {
			list = append(list, words)
		}
		follows = act
	}
	slices.Reverse(list)
	return list
}

// inquires tells whether a clause asks to know something by its words, whatever mark it ends with.
func inquires(clause string) bool { return actOf(clause) == actQuestion }

// seeks tells whether a clause wants to know something, or to be told or shown it.
func seeks(clause string) bool {
	a := actOf(clause)
	return a == actQuestion || a == actRequest
}

func actOf(clause string) mood {
	clause = strings.TrimRight(clause, ".!?;, \n")
	if clause == "" {
		return actTalk
	}
	return newView(clause).act()
}
