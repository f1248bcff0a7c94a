package fakemodel

import (
	"fmt"
	"strings"
)

// fakeCall is a tool call of a scenario. arguments is what the model writes, JSON or not.
type fakeCall struct{ tool, arguments string }

func init() {
	for name, write := range map[string]func(p *pen, given int){
		// A model that solves with the calculator as it should.
		"call-one": func(p *pen, given int) { p.callOr(given == 0, "7이에요.", sum(3, 4)) },
		"call-two": func(p *pen, given int) { p.callOr(given == 0, "7하고 11이에요.", sum(3, 4), sum(5, 6)) },
		// One after the other: the second rests on the first.
		"call-chain": func(p *pen, given int) {
			p.callOr(given < 2, "다 더하면 12예요.", sum(3+4*given, 4+given))
		},
		// A service that takes no tools, however they are offered.
		"call-no-tools": func(p *pen, given int) { p.callOr(given == 0, "7이에요.", sum(3, 4)) },
		// And models that do not.
		"call-malformed": func(p *pen, given int) {
			if given == 0 && p.times <= 2 {
				p.callOr(true, "", fakeCall{"calculator", `"3+4"`})
				return
			}
			p.callOr(given == 0, "이번에는 7이에요.", sum(3, 4))
		},
		"call-unknown": func(p *pen, given int) {
			p.callOr(given == 0, "그런 공구는 없네요.", fakeCall{"rm_rf", `{"path":"/"}`})
		},
		"call-endless": func(p *pen, given int) { p.callOr(true, "", sum(given, 1)) },
		"call-same":    func(p *pen, given int) { p.callOr(given < 3, "역시 7이에요.", sum(3, 4)) },
	} {
		scenarios[name] = func(p *pen) {
			if field(p.asked, "role: ") == "solver" {
				write(p, p.given)
				return
			}
			p.tell(solving(p))
		}
	}
}

func sum(a, b int) fakeCall {
	return fakeCall{"calculator", fmt.Sprintf(`{"expression":"%d+%d"}`, a, b)}
}

// solving plans one todo without a tool for whatever is asked.
func solving(p *pen) string {
	if field(p.asked, "role: ") != "planner" {
		return new(Server).shop(p)
	}
	_, request, _ := strings.Cut(p.asked, "request:\n")
	todo := map[string]any{"title": "풀기", "request": clip(request)}
	job := map[string]any{"title": "풀기", "todos": []any{todo}}
	return encode(map[string]any{"route": "jobs", "reply": "풀어 볼게요.", "jobs": []any{job}})
}

// callOr calls tools in the way the request wants it, or else answers.
func (p *pen) callOr(call bool, answer string, calls ...fakeCall) {
	if call {
		for _, c := range calls {
			p.made = append(p.made, c.tool)
		}
	}
	switch {
	case !call:
		p.words(answer)
	case p.tools:
		p.raw(p.dialect.calls(calls))
		p.done("tool_calls")
	default:
		list := make([]string, len(calls))
		for i, c := range calls {
			list[i] = fmt.Sprintf(`{"tool":%q,"args":%s}`, c.tool, c.arguments)
		}
		p.tell(`{"act":"call","calls":[` + strings.Join(list, ",") + `]}`)
	}
}
