package builtin

import (
	"strings"
	"time"

	"agentchat/backend/language/slot"
	"agentchat/backend/lazyregexp"
	"agentchat/backend/provider"
)

// chain is a request whose end works on what its beginning brings: 서울 날씨 보고 기온을 화씨로 바꿔줘. The first wish is looked up,
// and each operation is worked out by the tool that takes an expression.
type chain struct {
	first *wish // nil: it works on what came out before
	ops   []operation
}

// operation makes the next expression out of a number.
type operation struct {
	before, after string // the expression is before, the number, after
	degrees       bool   // the number is a temperature
	unit          string // of the new number
}

var (
	toFahrenheit = operation{before: "", after: "*9/5+32", degrees: true, unit: "°F"}
	toCelsius    = operation{before: "(", after: "-32)*5/9", degrees: true, unit: "°C"}
)

// The ends of a request that work on what came before, and how the part before them leads over.
var (
	figureKO   = `((?:[0-9.,]+|[영일이삼사오육칠팔구십백천만억]+)(?:\s?[십백천만억]+)*)`
	referKO    = `(?:(?:그걸|그것을|그거를?|그\s?값을|그\s?수를|그\s?결과를|결과를|나온\s?값을|이걸|그것에서|거기서|거기에다?|그리고|다시|또|그\s?다음에?)\s+)*`
	politeKO   = `(?:\s?(?:줘|주세요|줘요|줄래|줄래요|주라|봐|봐줘|보자|볼래|서\s?알려\s?줘|서\s?알려\s?주세요))?`
	arithKO    = lazyregexp.New(`(?:^|\s)` + referKO + figureKO + `\s?(으로|로|을|를|만큼)?\s*(나눠|나누어|나누면|더해|더하면|빼|빼면|곱해|곱하면)` + politeKO + `$`)
	degreesKO  = lazyregexp.New(`(?:^|\s)` + referKO + `(?:(?:기온|온도)(?:을|를|은|도)?\s+)?(화씨|섭씨)(?:\s?온도)?로(?:도)?\s*(?:바꿔|변환|환산|고쳐|알려|말해|계산|보여)\S*` + politeKO + `$`)
	overKO     = lazyregexp.New(`\s*(?:을|를)?\s*(?:(?:계산|확인|검색|조회)(?:해서|하고|해\s?보고|하고\s?나서|한\s?(?:다음|뒤|후)에?)|(?:알아|찾아|살펴)?보고|봐서|구해서|구하고|구한\s?(?:다음|뒤|후)에?|찾아서|알아내서|본\s?(?:다음|뒤|후)에?|하고\s?나서|한\s?(?:다음|뒤|후)에?)[\s,]*$`)
	divideEN   = lazyregexp.New(`(?i)[,\s]+(?:and\s+)?(?:then\s+)?(divide|multiply)\s+(?:it|that|this|the result|the answer)\s+by\s+([0-9.,]+)$`)
	addEN      = lazyregexp.New(`(?i)[,\s]+(?:and\s+)?(?:then\s+)?(add|subtract)\s+([0-9.,]+)(?:\s+(?:to|from)\s+(?:it|that|this|the result|the answer))?$`)
	degreesEN  = lazyregexp.New(`(?i)(?:^|[,\s]+)(?:and\s+)?(?:then\s+)?(?:convert|change|turn)\s+(?:it|that|this|the temperature|the result)\s+(?:in)?to\s+(fahrenheit|celsius)$`)
	lastMarks  = lazyregexp.New(`[\s.!?~]+$|\s+please$`)
	celsius    = lazyregexp.New(`(-?\d+(?:\.\d+)?)\s?(?:°C|℃|도(?:[^가-힣]|$|예|이|입|로))`)
	fahrenheit = lazyregexp.New(`(-?\d+(?:\.\d+)?)\s?(?:°F|℉)`)
	equals     = lazyregexp.New(`[=≈]\s*(-?[\d,]+(?:\.\d+)?)`)
	figure     = lazyregexp.New(`-?\d[\d,]*(?:\.\d+)?`)
)

// operators are the words of arithmetic that may work on a result.
var operators = map[string]string{
	"나눠": "/", "나누어": "/", "나누면": "/", "더해": "+", "더하면": "+", "빼": "-", "빼면": "-", "곱해": "*", "곱하면": "*",
	"divide": "/", "multiply": "*", "add": "+", "subtract": "-",
}

// chained reads a request as a chain; ok is false when it is none, or when no tool takes expressions.
func (c *catalog) chained(request string, now time.Time) (ch chain, ok bool) {
	if c.calculator() == nil || len(request) > 500 {
		return chain{}, false
	}
	head := strings.TrimSpace(request)
	for len(ch.ops) < 4 {
		head = lastMarks.ReplaceAllString(head, "")
		op, rest, found := lastOperation(head)
		if !found {
			break
		}
		ch.ops = append([]operation{op}, ch.ops...)
		head = strings.TrimSpace(rest)
		if korean := overKO.ReplaceAllString(head, ""); korean != head {
			head = korean + " 알려줘"
		} else if head != "" && strings.ContainsFunc(head, hangulRune) {
			return chain{}, false // 100에서 3을 빼줘 is one formula, not a chain
		}
	}
	if len(ch.ops) == 0 || head == "" {
		return ch, len(ch.ops) > 0
	}
	m := c.understand(head, now)
	if len(m.wishes) != 1 || m.wishes[0].tool.plays || m.wishes[0].tool.card.Long || len(m.wishes[0].tool.missing(m.wishes[0].args)) > 0 || len(m.stops) > 0 {
		return chain{}, false
	}
	ch.first = &m.wishes[0]
	return ch, true
}

func hangulRune(r rune) bool { return r >= '가' && r <= '힣' }

// lastOperation takes the operation off the end of a request.
func lastOperation(text string) (op operation, rest string, ok bool) {
	if at := degreesKO.FindStringSubmatchIndex(text); at != nil {
		return scale(text[at[2]:at[3]]), text[:at[0]], true
	}
	if at := degreesEN.FindStringSubmatchIndex(text); at != nil {
		return scale(text[at[2]:at[3]]), text[:at[0]], true
	}
	sign, number, at := "", "", 0
	if g := arithKO.FindStringSubmatchIndex(text); g != nil {
		sign, number, at = text[g[6]:g[7]], text[g[2]:g[3]], g[0]
	} else if g := divideEN.FindStringSubmatchIndex(text); g != nil {
		sign, number, at = strings.ToLower(text[g[2]:g[3]]), text[g[4]:g[5]], g[0]
	} else if g := addEN.FindStringSubmatchIndex(text); g != nil {
		sign, number, at = strings.ToLower(text[g[2]:g[3]]), text[g[4]:g[5]], g[0]
	} else {
		return operation{}, "", false
	}
	// The grammar reads the number: it knows 만 and 천.
	expr, ok := slot.Expression("1 더하기 " + strings.Trim(number, ",."))
	_, operand, found := strings.Cut(expr, "+")
	if operand = strings.TrimSpace(operand); !ok || !found || strings.ContainsAny(operand, "+-*/^ ") {
		return operation{}, "", false
	}
	return operation{after: operators[sign] + operand}, text[:at], true
}

func scale(name string) operation {
	if name == "화씨" || strings.EqualFold(name, "fahrenheit") {
		return toFahrenheit
	}
	return toCelsius
}

// calculator is the tool that works out an expression.
func (c *catalog) calculator() *tool { return c.needing(slot.KindExpression) }

// needing is the tool that needs nothing but a value of one kind; nil for none.
func (c *catalog) needing(kind string) *tool {
	for _, t := range c.tools {
		for _, p := range t.props {
			if p.Kind == kind && len(t.required) == 1 && t.required[0] == p.Name {
				return t
			}
		}
	}
	return nil
}

// apply is the call that works the operation out on what a result says.
func (c *catalog) apply(op operation, text string) (provider.CallRequest, bool) {
	number, ok := op.operand(text)
	t := c.calculator()
	if !ok || t == nil {
		return provider.CallRequest{}, false
	}
	return provider.CallRequest{Tool: t.card.Key, Args: encode(map[string]any{t.required[0]: op.before + number + op.after})}, true
}

// operand finds the number a result brought: a temperature where one is meant, what stands behind the equals sign, or the last
// number there is. A negative one stands in brackets.
func (op operation) operand(text string) (string, bool) {
	number := ""
	of := func(pattern *lazyregexp.Regexp, group int) {
		if all := pattern.FindAllStringSubmatch(text, -1); number == "" && len(all) > 0 {
			pick := all[len(all)-1]
			if op.degrees {
				pick = all[0] // what it is now comes before what it may become
			}
			number = pick[group]
		}
	}
	switch op.unit {
	case "°F":
		of(celsius, 1)
	case "°C":
		of(fahrenheit, 1)
	}
	of(equals, 1)
	of(figure, 0)
	number = strings.Trim(strings.ReplaceAll(number, ",", ""), ".")
	if strings.HasPrefix(number, "-") {
		number = "(" + number + ")"
	}
	return number, number != ""
}

// plan makes the job of a chain: one todo that no single call does.
func (ch chain) plan(say speaker, request string) provider.Plan {
	title := say.in("이어서 계산하기", "Working it out")
	if ch.first != nil {
		title = shorten(say.title(*ch.first)+" → "+say.in("계산", "working it out"), 90)
	}
	job := provider.JobPlan{Title: title, Todos: []provider.TodoPlan{{Title: title, Request: request}}}
	return provider.Plan{
		Route: provider.RouteJobs, Reply: say.in("차례대로 알아볼게요: "+title+".", "One after the other: "+title+"."), Jobs: []provider.JobPlan{job},
	}
}
