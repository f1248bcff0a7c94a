package builtin

import (
	"cmp"
	"slices"
	"strings"

	"agentchat/backend/language/slot"
	"agentchat/backend/lazyregexp"
	"agentchat/backend/provider"
)

// What points at a result, and the English words of arithmetic before which it may be left out.
var (
	resultKO = lazyregexp.New(`^(?:(?:그럼|그러면|그리고|이제)\s)?(?:거기|그거|그걸|그것|이거|이걸|그\s?값|그\s?결과|그\s?수|그\s?숫자|나온\s?값|결과)(에서|에다가|에다|서|에|을|를|의|다)?\s`)
	resultEN = lazyregexp.New(`(?i)\b(?:it|that|this|the result|the answer)\b`)
	bareEN   = lazyregexp.New(`(?i)^(?:(?:and|now|then|ok|okay|so)\s)*((?:times|plus|minus|divided by|multiplied by)\s.*)$`)
)

// What is said of so many times as much, and of a half.
var (
	manifold = lazyregexp.New(`(?:^|\s)(두|세|네|다섯|여섯|열|\d+)\s?배`)
	halved   = lazyregexp.New(`(?:^|\s)(?:절반|반)(?:으로|을)?(?:\s|$)`)
	folds    = map[string]string{"두": "2", "세": "3", "네": "4", "다섯": "5", "여섯": "6", "열": "10"}
)

// onResult is a calculation with what the last one came to: 거기에 두 배 하면?, divide that by 4, times two.
func (c *catalog) onResult(text string, req provider.Request) (w wish, ok bool) {
	t := c.calculator()
	text = strings.TrimRight(strings.TrimSpace(text), "?!. ")
	inKO, inEN, bare := resultKO.FindStringSubmatchIndex(text), resultEN.FindStringIndex(text), bareEN.FindStringSubmatch(text)
	if t == nil || inKO == nil && inEN == nil && bare == nil || len(text) > 80 {
		return w, false
	}
	number := lastResult(req)
	if last, known := c.lastAsked(req); number == "" || !known || last.tool != t {
		return w, false
	}
	said := number + " " + text
	switch {
	case inKO != nil:
		particle := ""
		if inKO[2] >= 0 {
			particle = text[inKO[2]:inKO[3]]
		}
		said = number + particle + " " + text[inKO[1]:]
		if rest := " " + text[inKO[1]:]; manifold.MatchString(rest) {
			times := manifold.FindStringSubmatch(rest)[1]
			said = number + " 곱하기 " + cmp.Or(folds[times], times)
		} else if halved.MatchString(rest) {
			said = number + " 나누기 2"
		}
	case bare != nil:
		said = number + " " + bare[1]
	case inEN != nil:
		said = text[:inEN[0]] + number + text[inEN[1]:]
	}
	expression, is := slot.Expression(said)
	if !is || !strings.Contains(expression, number) || !strings.ContainsAny(expression[1:], "+-*/^%") {
		return w, false
	}
	return wish{tool: t, args: map[string]any{exprName(t): expression}, request: text, count: 1}, true
}

// lastResult is the number that the newest result in the talk came to; "" for none.
func lastResult(req provider.Request) string {
	for _, turn := range slices.Backward(req.Transcript) {
		if turn.Speaker != "customer" {
			if all := equals.FindAllStringSubmatch(turn.Text, -1); len(all) > 0 {
				return strings.ReplaceAll(all[len(all)-1][1], ",", "")
			}
		}
	}
	return ""
}
