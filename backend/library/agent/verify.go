package agent

import (
	"slices"
	"strconv"
	"strings"

	"agentchat/backend/lazyregexp"
	"agentchat/backend/library"
)

var (
	// figure is an amount, a span, a date or an article's number as answers name them.
	figure = lazyregexp.New(`(?:제\s*)?\d[\d,.]*\s*(?:조(?:의\s*\d+)?|퍼센트|%|개월|년|월|일|시간|만\s?원|원|회)`)
	// quoted are words taken over.
	quoted = lazyregexp.New(`[“"「‘]([^”"」’\n]{4,300})[”"」’]`)
	// citation names the passages that a statement rests on: [1], or [1, 3].
	citation = lazyregexp.New(`\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]`)
	// another is where one statement ends and the next begins.
	another = lazyregexp.New(`[.!?。]\s+[\pL\d“"「‘]`)
	// gap is where a quote leaves words out.
	gap = lazyregexp.New(`…|\.{3}`)
)

// unverified is what an answer to a question says that its passages do not bear out: words in quotation marks that do not
// stand in the passages cited for them, figures that stand in none, and citations of passages there are not. Passages are
// counted from 1.
func unverified(question, answer string, passages []library.Item) []string {
	held := make([]string, len(passages))
	for i, it := range passages {
		held[i] = squash(it.Article + " " + it.Title + " " + it.Quote)
	}
	known := append(slices.Clone(held), squash(question))
	var list []string
	doubt := func(s string) {
		if s = strings.TrimSpace(s); s != "" && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	for _, f := range figure.FindAllString(citation.ReplaceAllString(answer, " "), -1) {
		if !slices.ContainsFunc(known, func(text string) bool { return strings.Contains(text, squash(f)) }) {
			doubt(f)
		}
	}
	for _, at := range quoted.FindAllStringSubmatchIndex(answer, -1) {
		words := answer[at[2]:at[3]]
		in := held
		if cited := citedBehind(answer[at[1]:]); len(cited) > 0 {
			in = nil
			for _, n := range cited {
				if n >= 1 && n <= len(held) {
					in = append(in, held[n-1])
				}
			}
		}
		if !slices.ContainsFunc(in, func(text string) bool { return holds(text, words) }) {
			doubt(words)
		}
	}
	for _, m := range citation.FindAllStringSubmatch(answer, -1) {
		for _, n := range numbersIn(m[1]) {
			if n < 1 || n > len(passages) {
				doubt("[" + strconv.Itoa(n) + "]")
			}
		}
	}
	return list
}

// citedBehind are the passages cited for the words that rest stands behind: in the same line, and before the next statement.
func citedBehind(rest string) (list []int) {
	line, _, _ := strings.Cut(rest, "\n")
	at := 0
	for {
		m := citation.FindStringSubmatchIndex(line[at:])
		if m == nil {
			return list
		}
		between := line[at : at+m[0]]
		if len(list) == 0 && another.MatchString(between) || len(list) > 0 && strings.TrimSpace(between) != "" {
			return list
		}
		list = append(list, numbersIn(line[at+m[2]:at+m[3]])...)
		at += m[1]
	}
}

func numbersIn(text string) (list []int) {
	for part := range strings.SplitSeq(text, ",") {
		if n, err := strconv.Atoi(strings.TrimSpace(part)); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// holds tells whether a squashed text has the words of a quote, in order where the quote leaves some out.
func holds(text, words string) bool {
	for _, part := range gap.Split(words, -1) {
		part = squash(part)
		_, after, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = after
	}
	return true
}

// squash takes out what may differ between a text and a quote of it.
func squash(s string) string {
	s = strings.ToLower(strings.ReplaceAll(s, "%", "퍼센트"))
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n,.·…\"'“”‘’「」()", r) {
			return -1
		}
		return r
	}, s)
}
